//! Bar charts as SVG: shares on a linear axis, or quantities that differ by powers of ten on a logarithmic one.

use super::document::{document, escaped};
use std::fmt::Write;

/// A chart: groups of bars along the axis, with one bar per series in each group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarChart {
    /// The text above the chart.
    pub title: String,
    /// The scale of the heights.
    pub axis: Axis,
    /// The names of the series; each has a colour.
    pub series: Vec<String>,
    /// The groups, from left to right.
    pub groups: Vec<BarGroup>,
}

/// The scale of the heights of bars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axis {
    /// The height is proportional to the logarithm of the value.
    #[default]
    Logarithmic,
    /// The height is proportional to the value.
    Linear,
}

/// Bars that are drawn next to each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarGroup {
    /// The text below the bars.
    pub label: String,
    /// One bar per series; `None` if there is no value.
    pub bars: Vec<Option<Bar>>,
}

/// A bar of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// The value. Bars with values that are not positive are omitted, because a logarithmic axis has no position for
    /// them and a linear one no height.
    pub value: f64,
    /// The text above the bar.
    pub label: String,
    /// Whether the true value may be larger: the bar is drawn pale.
    pub is_least: bool,
}

/// Colours that are distinguishable for people with colour blindness (Okabe and Ito, *Color Universal Design*, 2008).
const COLOURS: [&str; 8] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999", "#222222"];

/// Sizes in pixels.
const BAR: f64 = 16.0;
const GROUP_GAP: f64 = 22.0;
const LEFT: f64 = 84.0;
const HEIGHT: f64 = 220.0;
/// Space above the highest bar for its text.
const HEAD: f64 = 66.0;
const LINE: f64 = 18.0;
const LETTER: f64 = 6.6;

const STYLE: &str = "text{font:11px monospace;fill:#222}.title{font-weight:bold}.right{text-anchor:end}\
.middle{text-anchor:middle}.value{font-size:9px}.grid{stroke:#ddd}.axis{stroke:#555}";

/// Draws charts below each other, in one SVG document.
pub fn bars(charts: &[BarChart]) -> String {
    let width = charts.iter().map(width).fold(0.0, f64::max);
    let height: f64 = charts.iter().map(height).sum();
    let mut out = String::new();
    let mut top = 0.0;
    for chart in charts {
        draw(&mut out, chart, top);
        top += self::height(chart);
    }
    document(width, height, STYLE, &out)
}

fn group_width(chart: &BarChart, group: &BarGroup) -> f64 {
    let label = group.label.chars().count() as f64 * LETTER;
    (chart.series.len() as f64 * BAR).max(label) + GROUP_GAP
}

fn width(chart: &BarChart) -> f64 {
    let groups: f64 = chart.groups.iter().map(|group| group_width(chart, group)).sum();
    let words = chart.series.iter().chain([&chart.title]).map(|text| text.chars().count()).max().unwrap_or(0);
    LEFT + groups.max(words as f64 * LETTER + LINE) + GROUP_GAP
}

fn height(chart: &BarChart) -> f64 {
    LINE * (chart.series.len() as f64 + 2.5) + HEAD + HEIGHT + 2.0 * LINE
}

/// The exponents of the powers of ten that enclose all values; the lowest bar has a positive height.
fn decades(chart: &BarChart) -> (i32, i32) {
    let values = chart.groups.iter().flat_map(|group| group.bars.iter().flatten()).map(|bar| bar.value);
    let powers = values.filter(|value| *value > 0.0).map(f64::log10);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for power in powers {
        (low, high) = (low.min(power), high.max(power));
    }
    if low > high {
        return (0, 1);
    }
    #[expect(clippy::cast_possible_truncation, reason = "the powers of ten of finite numbers are between -324 and 308")]
    let [low, high] = [low, high].map(|power| power.ceil() as i32);
    (low - 1, high.max(low))
}

/// The values of the grid lines of a linear axis, from 0 to above the highest bar: multiples of 1, 2 or 5 times a power
/// of ten.
fn multiples(chart: &BarChart) -> Vec<f64> {
    let values = chart.groups.iter().flat_map(|group| group.bars.iter().flatten()).map(|bar| bar.value);
    let highest = values.fold(0.0, f64::max);
    let power = if highest > 0.0 { 10_f64.powf(highest.log10().floor() - 1.0) } else { 1.0 };
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| highest / step <= 5.0).unwrap_or(20.0 * power);
    #[expect(clippy::cast_possible_truncation, reason = "at most 5 steps lie below the highest bar")]
    let steps = (highest / step).ceil().max(1.0) as u32;
    (0..=steps).map(|index| f64::from(index) * step).collect()
}

/// The values and the texts of the grid lines, lowest first.
fn grid(chart: &BarChart) -> Vec<(f64, String)> {
    match chart.axis {
        Axis::Logarithmic => {
            let (low, high) = decades(chart);
            (low..=high).map(|power| (10_f64.powi(power), decade(power))).collect()
        }
        Axis::Linear => multiples(chart).into_iter().map(|value| (value, format!("{value}"))).collect(),
    }
}

fn draw(out: &mut String, chart: &BarChart, top: f64) {
    let mut y = top + 1.5 * LINE;
    let _ = writeln!(out, "<text class=\"title\" x=\"{LEFT}\" y=\"{y:.1}\">{}</text>", escaped(&chart.title));
    for (series, colour) in chart.series.iter().zip(COLOURS.iter().cycle()) {
        y += LINE;
        let _ = writeln!(out, "<rect x=\"{LEFT}\" y=\"{:.1}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>", y - 9.0);
        let _ = writeln!(out, "<text x=\"{}\" y=\"{y:.1}\">{}</text>", LEFT + LINE, escaped(series));
    }
    let ceiling = y + HEAD;
    let grid = grid(chart);
    let (low, high) = (grid[0].0, grid[grid.len() - 1].0);
    let floor = ceiling + HEIGHT;
    let height = |value: f64| match chart.axis {
        Axis::Logarithmic => floor - (value.log10() - low.log10()) / (high.log10() - low.log10()) * HEIGHT,
        Axis::Linear => floor - value / high * HEIGHT,
    };
    let right = width(chart) - GROUP_GAP / 2.0;
    for (value, words) in &grid {
        let y = height(*value);
        let _ = writeln!(out, "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\"/>");
        let _ = writeln!(out, "<text class=\"right\" x=\"{}\" y=\"{:.1}\">{words}</text>", LEFT - 6.0, y + 4.0);
    }
    let mut left = LEFT + GROUP_GAP / 2.0;
    for group in &chart.groups {
        let room = group_width(chart, group) - GROUP_GAP;
        let start = left + (room - chart.series.len() as f64 * BAR) / 2.0;
        for (at, (bar, colour)) in group.bars.iter().zip(COLOURS.iter().cycle()).enumerate() {
            if let Some(bar) = bar.as_ref().filter(|bar| bar.value > 0.0) {
                draw_bar(out, bar, colour, start + at as f64 * BAR, height(bar.value), floor);
            }
        }
        let (x, y) = (left + room / 2.0, floor + LINE);
        let _ = writeln!(out, "<text class=\"middle\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(&group.label));
        left += room + GROUP_GAP;
    }
    let _ = writeln!(out, "<line class=\"axis\" x1=\"{LEFT}\" y1=\"{floor:.1}\" x2=\"{right:.1}\" y2=\"{floor:.1}\"/>");
}

fn draw_bar(out: &mut String, bar: &Bar, colour: &str, left: f64, top: f64, floor: f64) {
    let paleness = if bar.is_least { " fill-opacity=\"0.35\" stroke-dasharray=\"3 2\"" } else { "" };
    let _ = writeln!(
        out,
        "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\" stroke=\"{colour}\"{paleness}/>",
        left + 1.0,
        BAR - 2.0,
        floor - top
    );
    // The text runs upwards from the end of the bar.
    let (x, y) = (left + BAR / 2.0 + 3.0, top - 4.0);
    let _ = writeln!(
        out,
        "<text class=\"value\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\">{}</text>",
        escaped(&bar.label)
    );
}

/// The usual notation of a power of ten.
fn decade(power: i32) -> String {
    match power {
        0..=2 => format!("{}", 10_u32.pow(power.unsigned_abs())),
        3..=5 => format!("{},000", 10_u32.pow(power.unsigned_abs() - 3)),
        6..=8 => format!("{},000,000", 10_u32.pow(power.unsigned_abs() - 6)),
        -4..0 => format!("{:.*}", power.unsigned_abs() as usize, 10_f64.powi(power)),
        _ => format!("1e{power}"),
    }
}
