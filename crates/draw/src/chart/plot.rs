//! Draws charts with plotters: the frame with title, legend and axes, and in it bars, histograms or points.

use super::{BarGroup, Chart, Plot, Scale};
use gdl::quantity::grouped;
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::combinators::IntoLogRange;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Rectangle, Text};
use plotters::prelude::{Cartesian2d, IntoFont, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{BLACK, Color, FontTransform, RGBColor, ShapeStyle, TextStyle};
use std::ops::Range;

/// More charts than this stand in two columns.
const MOST_IN_ONE_COLUMN: usize = 2;

/// Draws charts in one SVG document, below each other or in two columns.
pub fn charts(charts: &[Chart]) -> String {
    let columns: u8 = if charts.len() > MOST_IN_ONE_COLUMN { 2 } else { 1 };
    let frames: Vec<ChartFrame<'_>> = charts.iter().map(ChartFrame::new).collect();
    let width = frames.iter().map(|frame| frame.width).max().unwrap_or(0);
    let rows = frames.chunks(columns.into());
    let heights: Vec<u32> = rows.map(|row| row.iter().map(|frame| frame.height).max().unwrap_or(0)).collect();
    let mut out = String::new();
    let size = (width * u32::from(columns), heights.iter().sum());
    let root = SVGBackend::with_string(&mut out, size).into_drawing_area();
    let mut top = 0;
    let mut drawn = root.fill(&plotters::style::WHITE);
    for (row, height) in frames.chunks(columns.into()).zip(heights) {
        for (column, frame) in (0..).zip(row) {
            let area = root.clone().shrink((column * width, top), (width, height));
            drawn = drawn.and_then(|()| frame.draw(&area));
        }
        top += height;
    }
    drawn.and_then(|()| root.present()).unwrap_or_else(|_| unreachable!("writing to a string does not fail"));
    drop(root);
    out
}

/// Sizes in pixels.
const LEAST_WIDTH: u32 = 560;
const PLOT_HEIGHT: u32 = 260;
const MARGIN: u32 = 14;
const LINE: u32 = 18;
/// The width of the labels of the vertical axis.
const LEFT: u32 = 90;
/// The least width of a bar and of the gap between groups.
const BAR: u32 = 15;

/// A chart with the sizes of its parts.
struct ChartFrame<'a> {
    chart: &'a Chart,
    pub(super) width: u32,
    pub(super) height: u32,
    /// The height of the title and the legend.
    head: u32,
    /// The height of the labels below the plot.
    foot: u32,
    /// True if the labels below the plot run upwards, because they have no room side by side.
    is_rotated: bool,
}

impl<'a> ChartFrame<'a> {
    pub(super) fn new(chart: &'a Chart) -> Self {
        let (labels, bars) = chart.groups();
        let widest = labels.iter().flat_map(|label| label.lines()).map(text_width).max().unwrap_or(0);
        let lines = labels.iter().map(|label| label.lines().count()).max().unwrap_or(1).max(1);
        let groups = u32::try_from(labels.len()).unwrap_or(u32::MAX);
        let slot = ((bars + 1) * BAR).max(if lines > 1 { widest + LINE } else { 0 });
        let title = text_width(&chart.title) * 6 / 5 + 2 * MARGIN;
        let width = LEAST_WIDTH.max(title).max(LEFT + 3 * MARGIN + groups.saturating_mul(slot));
        let is_rotated = groups > 0 && widest + 6 > (width - LEFT - 3 * MARGIN) / groups;
        let foot = LINE + 8 + if is_rotated { widest + 6 } else { LINE * u32::try_from(lines).unwrap_or(u32::MAX) };
        let head = LINE * (1 + legend(chart, width).last().map_or(0, |item| item.row + 1)) + 12;
        Self { chart, width, height: 2 * MARGIN + head + PLOT_HEIGHT + foot, head, foot, is_rotated }
    }

    pub(super) fn draw(&self, area: &DrawingArea<SVGBackend<'_>, Shift>) -> Drawing {
        let Chart { title, y, scale, .. } = self.chart;
        let bold = TextStyle::from(("sans-serif", 17, plotters::style::FontStyle::Bold).into_font());
        area.draw(&Text::new(title.clone(), pixel(MARGIN, MARGIN), bold))?;
        for LegendItem { row, left, name, colour } in legend(self.chart, self.width) {
            let (left, top) = pixel(left, MARGIN + LINE * (row + 1) + 8);
            area.draw(&Rectangle::new([(left, top - 5), (left + 10, top + 5)], colour.filled()))?;
            area.draw(&Text::new(name, (left + 16, top), style(FONT, HPos::Left, VPos::Center)))?;
        }
        let top = MARGIN + self.head;
        let plot = area.clone().shrink((0, top), (self.width, self.height - top));
        let mut builder = ChartBuilder::on(&plot);
        builder.margin_right(2 * MARGIN).margin_left(MARGIN).margin_bottom(MARGIN);
        builder.x_label_area_size(self.foot).y_label_area_size(LEFT);
        let x_range = self.chart.x_range();
        let y_range = self.chart.y_range();
        match scale {
            Scale::Linear => self.fill(builder.build_cartesian_2d(x_range, y_range.clone())?, area, &y_range, y),
            Scale::Logarithmic => {
                self.fill(builder.build_cartesian_2d(x_range, y_range.clone().log_scale())?, area, &y_range, y)
            }
        }
    }

    /// Draws axes and plot.
    fn fill<Y>(
        &self,
        mut axes: ChartAxes<'_, '_, Y>,
        area: &DrawingArea<SVGBackend<'_>, Shift>,
        y_range: &Range<f64>,
        y: &str,
    ) -> Drawing
    where
        Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let (labels, _) = self.chart.groups();
        let format = |value: &f64| tick_label(*value);
        let mut mesh = axes.configure_mesh();
        mesh.disable_x_mesh().bold_line_style(BLACK.mix(0.15)).light_line_style(BLACK.mix(0.05)).max_light_lines(1);
        mesh.label_style(("sans-serif", FONT)).axis_desc_style(("sans-serif", FONT)).y_labels(8).y_desc(y);
        mesh.y_label_formatter(&format).x_label_formatter(&format);
        if labels.is_empty() {
            mesh.x_desc(self.chart.x.clone()).x_labels(8).draw()?;
        } else {
            mesh.x_labels(0).draw()?;
            self.label_groups(&axes, area, &labels, y_range.start)?;
        }
        match &self.chart.plot {
            Plot::Bars { groups, .. } => draw_groups(&mut axes, groups, y_range),
            Plot::Stacks { groups, .. } => draw_stacks(&mut axes, groups),
            Plot::Histogram { first, width, counts } => draw_histogram(&mut axes, *first, *width, counts),
            Plot::Scatter { series } => draw_points(&mut axes, series, y_range),
        }
    }

    /// Writes the label of each group below its middle, and the name of the axis below all labels.
    fn label_groups<Y: Ranged<ValueType = f64>>(
        &self,
        axes: &ChartAxes<'_, '_, Y>,
        area: &DrawingArea<SVGBackend<'_>, Shift>,
        labels: &[&str],
        floor: f64,
    ) -> Drawing {
        let base = area.get_base_pixel();
        let at = |x: f64, below: u32| {
            let (x, y) = axes.backend_coord(&(x, floor));
            (x - base.0, y - base.1 + i32::try_from(below).unwrap_or(i32::MAX))
        };
        let below = if self.is_rotated {
            style(FONT, HPos::Right, VPos::Center).transform(FontTransform::Rotate270)
        } else {
            style(FONT, HPos::Center, VPos::Top)
        };
        for (index, label) in labels.iter().enumerate() {
            for (line, below_floor) in label.lines().zip((8..).step_by(LINE as usize)) {
                area.draw(&Text::new(line.to_string(), at(index as f64 + 0.5, below_floor), below.clone()))?;
            }
        }
        let middle = at(labels.len() as f64 / 2.0, self.foot - LINE + 4);
        area.draw(&Text::new(self.chart.x.clone(), middle, style(FONT, HPos::Center, VPos::Top)))
    }
}

/// A position in pixels.
fn pixel(x: u32, y: u32) -> (i32, i32) {
    (i32::try_from(x).unwrap_or(i32::MAX), i32::try_from(y).unwrap_or(i32::MAX))
}

/// An item of the legend: a colour and the name of its series. Rows are counted from 0; `left` is in pixels.
struct LegendItem {
    row: u32,
    left: u32,
    name: String,
    colour: RGBColor,
}

/// The items of the legend, in rows as wide as the chart; none for a single series without a name.
fn legend(chart: &Chart, width: u32) -> Vec<LegendItem> {
    let mut row = 0;
    let mut left = MARGIN;
    let mut items = Vec::new();
    for (index, name) in chart.names().into_iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        let room = text_width(name) + 34;
        if left > MARGIN && left + room > width {
            (row, left) = (row + 1, MARGIN);
        }
        items.push(LegendItem { row, left, name: name.to_string(), colour: colour(index) });
        left += room;
    }
    items
}

impl Chart {
    /// The names of the series or parts.
    fn names(&self) -> Vec<&str> {
        match &self.plot {
            Plot::Bars { series: names, .. } | Plot::Stacks { parts: names, .. } => {
                names.iter().map(String::as_str).collect()
            }
            Plot::Histogram { .. } => Vec::new(),
            Plot::Scatter { series } => series.iter().map(|(name, _)| name.as_str()).collect(),
        }
    }

    /// The labels of the groups, and the number of bars in each.
    fn groups(&self) -> (Vec<&str>, u32) {
        match &self.plot {
            Plot::Bars { series, groups } => {
                let labels = groups.iter().map(|group| group.label.as_str()).collect();
                (labels, u32::try_from(series.len()).unwrap_or(u32::MAX))
            }
            Plot::Stacks { groups, .. } => (groups.iter().map(|(label, _)| label.as_str()).collect(), 1),
            Plot::Histogram { .. } | Plot::Scatter { .. } => (Vec::new(), 0),
        }
    }
}

impl Chart {
    /// The range of the horizontal axis.
    fn x_range(&self) -> Range<f64> {
        match &self.plot {
            Plot::Bars { groups, .. } => 0.0..groups.len().max(1) as f64,
            Plot::Stacks { groups, .. } => 0.0..groups.len().max(1) as f64,
            Plot::Histogram { first, width, counts } => *first..first + width * counts.len().max(1) as f64,
            Plot::Scatter { series } => {
                let values = series.iter().flat_map(|(_, points)| points).map(|point| point.0);
                let (low, high) = least_and_greatest(values).unwrap_or((0.0, 1.0));
                // Room on both sides, so that no point is on the frame; at least a half, so that the range is not empty
                // where all values are equal.
                let gap = ((high - low) * 0.05).max(0.5);
                low - gap..high + gap
            }
        }
    }

    /// The range of the vertical axis.
    fn y_range(&self) -> Range<f64> {
        let values: Vec<f64> = match &self.plot {
            Plot::Bars { groups, .. } => {
                let bars = groups.iter().flat_map(|group| group.bars.iter().flatten());
                bars.flat_map(|bar| [bar.value, bar.spread.map_or(bar.value, |(_, high)| high)]).collect()
            }
            Plot::Stacks { groups, .. } => groups.iter().map(|(_, parts)| parts.iter().sum()).collect(),
            Plot::Histogram { counts, .. } => counts.iter().map(|&count| count as f64).collect(),
            Plot::Scatter { series } => series.iter().flat_map(|(_, points)| points).map(|point| point.1).collect(),
        };
        match self.scale {
            // A tenth more than the greatest value, and never an empty range.
            Scale::Linear => 0.0..values.into_iter().fold(0.0, f64::max).max(f64::MIN_POSITIVE) * 1.1,
            Scale::Logarithmic => {
                let positive = values.into_iter().filter(|value| *value > 0.0);
                let (low, high) = least_and_greatest(positive).unwrap_or((1.0, 10.0));
                // The axis begins at a power of ten below the least value, even if that is a power of ten itself, so
                // that its bar has a height. Above the greatest value there is room for its text.
                10_f64.powf((low.log10() - 0.05).floor())..high * 3.0
            }
        }
    }
}

/// The tick label of a value: with commas between thousands; in scientific notation if it is too long for the
/// axis, or too small for the four decimals that are shown.
fn tick_label(value: f64) -> String {
    if value.abs() >= 1e10 || (value != 0.0 && value.abs() < 1e-4) {
        return format!("{value:e}");
    }
    let text = format!("{:.4}", value.abs());
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{}{}", if value < 0.0 { "-" } else { "" }, grouped(text))
}

/// The least and the greatest of some values; `None` if there are none.
fn least_and_greatest(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |so_far, value| match so_far {
        None => Some((value, value)),
        Some((low, high)) => Some((f64::min(low, value), f64::max(high, value))),
    })
}

/// The share of a group that its bars take.
const TAKEN: f64 = 0.84;

/// Draws groups of bars, with their values and error bars.
fn draw_groups<Y: Ranged<ValueType = f64>>(
    axes: &mut ChartAxes<'_, '_, Y>,
    groups: &[BarGroup],
    y_range: &Range<f64>,
) -> Drawing {
    for (index, group) in groups.iter().enumerate() {
        let width = TAKEN / group.bars.len().max(1) as f64;
        let first = index as f64 + (1.0 - TAKEN) / 2.0;
        for (series, bar) in group.bars.iter().enumerate() {
            let left = first + series as f64 * width;
            let middle = left + width / 2.0;
            let Some(bar) = bar.as_ref().filter(|bar| bar.value > 0.0) else {
                write(axes, "–", (middle, y_range.start))?;
                continue;
            };
            let corners = [(left + width * 0.05, y_range.start), (left + width * 0.95, bar.value)];
            let colour = colour(series);
            let fill = if bar.is_least { colour.mix(0.35).filled() } else { colour.filled() };
            axes.draw_series([Rectangle::new(corners, fill)])?;
            axes.draw_series([Rectangle::new(corners, colour)])?;
            let mut top = bar.value;
            if let Some((low, high)) = bar.spread {
                let low = low.max(y_range.start);
                let high = high.min(y_range.end);
                whisker(axes, middle, width * 0.2, low, high)?;
                top = top.max(high);
            }
            write(axes, &bar.label, (middle, top))?;
        }
    }
    Ok(())
}

/// Writes a text upwards from a point.
fn write<Y: Ranged<ValueType = f64>>(axes: &mut ChartAxes<'_, '_, Y>, text: &str, at: (f64, f64)) -> Drawing {
    let upwards = style(FONT - 2, HPos::Left, VPos::Center).transform(FontTransform::Rotate270);
    let element = plotters::element::EmptyElement::at(at) + Text::new(format!(" {text}"), (0, -2), upwards);
    axes.draw_series([element]).map(|_| ())
}

/// Draws an error bar around a middle, which reaches this far to either side.
fn whisker<Y: Ranged<ValueType = f64>>(
    axes: &mut ChartAxes<'_, '_, Y>,
    middle: f64,
    half: f64,
    low: f64,
    high: f64,
) -> Drawing {
    let line = ShapeStyle { color: BLACK.to_rgba(), filled: false, stroke_width: 1 };
    let lines = [
        [(middle, low), (middle, high)],
        [(middle - half, low), (middle + half, low)],
        [(middle - half, high), (middle + half, high)],
    ];
    axes.draw_series(lines.map(|ends| PathElement::new(ends, line))).map(|_| ())
}

/// Draws a bar of parts for each group.
fn draw_stacks<Y: Ranged<ValueType = f64>>(axes: &mut ChartAxes<'_, '_, Y>, groups: &[(String, Vec<f64>)]) -> Drawing {
    for (index, (_, parts)) in groups.iter().enumerate() {
        let left = index as f64 + (1.0 - TAKEN) / 2.0;
        let mut floor = 0.0;
        for (part, &height) in parts.iter().enumerate() {
            let corners = [(left, floor), (left + TAKEN, floor + height)];
            axes.draw_series([Rectangle::new(corners, colour(part).filled())])?;
            floor += height;
        }
    }
    Ok(())
}

/// Draws the bars of a histogram, which touch each other.
fn draw_histogram<Y: Ranged<ValueType = f64>>(
    axes: &mut ChartAxes<'_, '_, Y>,
    first: f64,
    width: f64,
    counts: &[u64],
) -> Drawing {
    for (index, &count) in counts.iter().enumerate() {
        let left = first + index as f64 * width;
        let corners = [(left, 0.0), (left + width, count as f64)];
        axes.draw_series([Rectangle::new(corners, colour(0).filled())])?;
        axes.draw_series([Rectangle::new(corners, plotters::style::WHITE)])?;
    }
    Ok(())
}

/// The radius of a point in pixels.
const RADIUS: i32 = 3;

/// Draws a point for each pair of values that the axes have.
fn draw_points<Y: Ranged<ValueType = f64>>(
    axes: &mut ChartAxes<'_, '_, Y>,
    series: &[(String, Vec<(f64, f64)>)],
    y_range: &Range<f64>,
) -> Drawing {
    for (index, (_, points)) in series.iter().enumerate() {
        let visible = points.iter().filter(|point| point.1 >= y_range.start);
        axes.draw_series(visible.map(|&point| Circle::new(point, RADIUS, colour(index).mix(0.7).filled())))?;
    }
    Ok(())
}
/// A plot with its axes.
type ChartAxes<'a, 'b, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, Y>>;
/// The end of drawing; writing to a string does not fail.
pub(super) type Drawing = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// The usual size of text; plotters writes letters of four fifths of it, in pixels.
const FONT: i32 = 14;
/// The mean width of a letter of this size.
const LETTER: f64 = 6.9;

/// The width of a text, about.
pub(super) fn text_width(text: &str) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a label is a line of text")]
    let width = (text.chars().count() as f64 * LETTER).ceil() as u32;
    width
}

/// A text of the usual size.
pub(super) fn style<'a>(size: i32, horizontal: HPos, vertical: VPos) -> TextStyle<'a> {
    TextStyle::from(("sans-serif", size).into_font()).pos(Pos::new(horizontal, vertical))
}

/// Colours that are distinguishable for people with colour blindness, black last (Okabe and Ito, *Color Universal
/// Design*, 2008).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(240, 228, 66),
    RGBColor(0, 0, 0),
];

/// The colour of a series.
pub(super) fn colour(series: usize) -> RGBColor {
    COLOURS[series % COLOURS.len()]
}
