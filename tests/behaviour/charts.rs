//! Charts as SVG: heights follow the scale, texts are inside the picture and do not overlap, and what has no value is
//! shown as such.

use ggp::drawing::{Bar, BarGroup, Chart, Plot, Scale, charts};

fn bar(value: f64) -> Bar {
    Bar { value, label: value.to_string(), ..Bar::default() }
}

fn chart(scale: Scale, plot: Plot) -> Chart {
    Chart { title: "nodes of <&>".into(), x: "depth".into(), y: "nodes".into(), scale, plot }
}

/// A chart of bars with these groups.
fn bars(scale: Scale, groups: &[(&str, &[Option<f64>])]) -> Chart {
    let group = |&(label, values): &(&str, &[Option<f64>])| BarGroup {
        label: label.to_string(),
        bars: values.iter().map(|value| value.map(bar)).collect(),
    };
    let series = ["bfs", "iterative deepening in random order", "astar:heuristic=boost+tree-search"];
    let groups: Vec<BarGroup> = groups.iter().map(group).collect();
    let most = groups.iter().map(|group| group.bars.len()).max().unwrap_or(0);
    chart(scale, Plot::Bars { series: series[..most].iter().map(ToString::to_string).collect(), groups })
}

/// The value of an attribute of an element.
fn attribute(element: &str, name: &str) -> f64 {
    let rest = element.split(&format!(" {name}=\"")).nth(1).unwrap_or_else(|| panic!("{element} has no {name}"));
    rest.split('"').next().expect("it ends").parse().expect("a number")
}

/// The heights of the filled rectangles with a colour of the palette, in the order in which they are drawn.
fn heights(picture: &str, colour: &str) -> Vec<f64> {
    let bars = picture.lines().filter(|line| line.starts_with("<rect") && line.contains(&format!("fill=\"{colour}\"")));
    bars.map(|line| attribute(line, "height")).collect()
}

/// A text of a picture: its left end, its middle line, its width, and whether it runs upwards.
struct Written {
    text: String,
    left: f64,
    right: f64,
    y: f64,
    is_upright: bool,
}

/// All texts of a picture. A letter is about half as wide as high.
fn texts(picture: &str) -> Vec<Written> {
    let mut lines = picture.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if !line.starts_with("<text") {
            continue;
        }
        let text = lines
            .next()
            .expect("the text of the element")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&");
        let width = text.chars().count() as f64 * attribute(line, "font-size") * 0.55;
        let (x, y) = (attribute(line, "x"), attribute(line, "y"));
        let left = match () {
            () if line.contains("text-anchor=\"middle\"") => x - width / 2.0,
            () if line.contains("text-anchor=\"end\"") => x - width,
            () => x,
        };
        let is_upright = line.contains("rotate");
        found.push(Written { text, left, right: left + width, y, is_upright });
    }
    found
}

/// Whether texts in a line overlap.
fn overlap(texts: &[Written]) -> Option<(String, String)> {
    let level: Vec<&Written> = texts.iter().filter(|text| !text.is_upright).collect();
    for (index, one) in level.iter().enumerate() {
        let meets =
            |other: &&&Written| (one.y - other.y).abs() < 9.0 && one.left < other.right && other.left < one.right;
        if let Some(other) = level[index + 1..].iter().find(meets) {
            return Some((one.text.clone(), other.text.clone()));
        }
    }
    None
}

#[test]
fn powers_of_ten_have_equal_heights_on_a_logarithmic_axis() {
    let picture =
        charts(&[bars(Scale::Logarithmic, &[("few", &[Some(10.0), None]), ("many", &[Some(1e3), Some(1e5)])])]);
    let blue = heights(&picture, "#0072B2");
    let orange = heights(&picture, "#E69F00");
    // The first rectangle of a colour is that of the legend; the axis begins at 1 below the least value.
    let (one, three, five) = (blue[1], blue[2], orange[1]);
    assert!((three - one - (five - three)).abs() <= 2.0, "{one} {three} {five}");
    assert!(one > 0.0 && five > three);
}

#[test]
fn values_are_proportional_to_heights_on_a_linear_axis() {
    let picture = charts(&[bars(Scale::Linear, &[("", &[Some(25.0)]), ("", &[Some(50.0)]), ("", &[Some(100.0)])])]);
    let blue = heights(&picture, "#0072B2");
    assert!((blue[3] - 2.0 * blue[2]).abs() <= 2.0 && (blue[2] - 2.0 * blue[1]).abs() <= 2.0, "{blue:?}");
}

#[test]
fn a_missing_value_is_a_dash_and_a_lower_bound_is_pale() {
    let least = Bar { is_least: true, ..bar(100.0) };
    let groups = vec![BarGroup { label: "g".into(), bars: vec![None, Some(least)] }];
    let plot = Plot::Bars { series: vec!["one".into(), "two".into()], groups };
    let picture = charts(&[chart(Scale::Logarithmic, plot)]);
    assert_eq!(texts(&picture).iter().filter(|text| text.text.trim() == "–").count(), 1);
    assert!(picture.contains("opacity=\"0.35\" fill=\"#E69F00\""));
}

/// An error bar that would end below a logarithmic axis ends at the axis.
#[test]
fn error_bars_stay_inside_the_plot() {
    let wide = Bar { spread: Some((-50.0, 250.0)), ..bar(100.0) };
    let groups = vec![BarGroup { label: "g".into(), bars: vec![Some(wide)] }];
    let picture = charts(&[chart(Scale::Logarithmic, Plot::Bars { series: vec!["one".into()], groups })]);
    let height = attribute(picture.lines().next().expect("the root"), "height");
    for line in picture.lines().filter(|line| line.starts_with("<polyline") || line.starts_with("<line")) {
        for number in line.split(|c: char| !c.is_ascii_digit() && c != '.' && c != '-') {
            assert!(!number.parse::<f64>().is_ok_and(|value| value < 0.0 || value > 4.0 * height), "{line}");
        }
    }
}

/// The parts of a stack stand on each other, and its height is their sum.
#[test]
fn parts_of_a_stack_touch() {
    let groups = vec![("1".to_string(), vec![10.0, 20.0, 20.0])];
    let parts = ["win", "draw", "loss"].map(str::to_string).to_vec();
    let picture = charts(&[chart(Scale::Linear, Plot::Stacks { parts, groups })]);
    let part = |colour: &str| {
        let line = picture.lines().filter(|line| line.starts_with("<rect") && line.contains(colour)).nth(1);
        let line = line.expect("the part after its legend");
        (attribute(line, "y"), attribute(line, "height"))
    };
    let [win, draw, loss] = ["#0072B2", "#E69F00", "#009E73"].map(part);
    assert!((draw.0 + draw.1 - win.0).abs() <= 1.0 && (loss.0 + loss.1 - draw.0).abs() <= 1.0);
    assert!((draw.1 - 2.0 * win.1).abs() <= 2.0);
}

/// Titles, legends, axes and groups with long names, in every form of chart.
#[test]
fn texts_are_inside_the_picture_and_do_not_overlap() {
    let many: Vec<(String, Vec<Option<f64>>)> =
        (1..=12).map(|group| (format!("opposite_stack_anywhere_{group}"), vec![Some(1e6), None, Some(3.0)])).collect();
    let many: Vec<(&str, &[Option<f64>])> = many.iter().map(|(label, bars)| (&label[..], &bars[..])).collect();
    let scatter = [("alphabeta", 0.0), ("alphabeta:order=evaluation", 4.0)];
    let points = |add: f64| (1..40).map(|step| (f64::from(step) + add, 10_f64.powf(f64::from(step) / 8.0))).collect();
    let all = [
        bars(Scale::Logarithmic, &many),
        bars(Scale::Linear, &many[..3]),
        bars(
            Scale::Linear,
            &[("astar\ntree-search\nheuristic=tiles_manhattan.gdl", &[Some(1.0)]), ("bfs", &[Some(2.0)])],
        ),
        chart(
            Scale::Linear,
            Plot::Histogram { first: 200_000.0, width: 200_000.0, counts: vec![26, 15, 23, 36, 48, 9] },
        ),
        chart(
            Scale::Logarithmic,
            Plot::Scatter { series: scatter.map(|(name, add)| (name.to_string(), points(add))).to_vec() },
        ),
        Chart::default(),
    ];
    let picture = charts(&all);
    let root = picture.lines().next().expect("the root");
    let (width, height) = (attribute(root, "width"), attribute(root, "height"));
    let texts = texts(&picture);
    for Written { text, left, right, y, is_upright } in &texts {
        let is_inside = *is_upright || *left >= 0.0 && *right <= width;
        assert!(is_inside && *y >= 0.0 && *y <= height, "`{text}` at {left} to {right}, {y}");
    }
    assert_eq!(overlap(&texts), None);
    assert!(texts.iter().any(|text| text.text == "nodes of <&>") && !picture.contains("<&>"));
}
