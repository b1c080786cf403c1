//! The frame of a chart: its size, title, legend and axes.

use super::canvas::{Area, ChartAxes, Drawing, FONT, colour, style, text_width};
use super::range::tick_label;
use super::{Chart, Plot, Scale, bars, points};
use plotters::chart::ChartBuilder;
use plotters::coord::combinators::IntoLogRange;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::element::{Rectangle, Text};
use plotters::prelude::IntoFont;
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{BLACK, Color, FontTransform, RGBColor, TextStyle};
use std::ops::Range;

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
pub(super) struct ChartFrame<'a> {
    chart: &'a Chart,
    pub(super) width: u32,
    pub(super) height: u32,
    /// The height of the title and the legend.
    head: u32,
    /// The height of the labels below the plot.
    foot: u32,
    /// Whether the labels below the plot run upwards, because they have no room side by side.
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

    pub(super) fn draw(&self, area: &Area<'_>) -> Drawing {
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
    fn fill<Y>(&self, mut axes: ChartAxes<'_, '_, Y>, area: &Area<'_>, y_range: &Range<f64>, y: &str) -> Drawing
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
            Plot::Bars { groups, .. } => bars::groups(&mut axes, groups, y_range),
            Plot::Stacks { groups, .. } => bars::stacks(&mut axes, groups),
            Plot::Histogram { first, width, counts } => bars::histogram(&mut axes, *first, *width, counts),
            Plot::Scatter { series } => points::scatter(&mut axes, series, y_range),
        }
    }

    /// Writes the label of each group below its middle, and what they are below all.
    fn label_groups<Y: Ranged<ValueType = f64>>(
        &self,
        axes: &ChartAxes<'_, '_, Y>,
        area: &Area<'_>,
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

/// An item of the legend: a colour and the name of what has it. Rows are counted from 0; `left` is in pixels.
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
