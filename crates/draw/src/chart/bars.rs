//! Bars: in groups, stacked, and as histograms.

use super::BarGroup;
use super::canvas::{ChartAxes, Drawing, FONT, colour, style};
use plotters::coord::ranged1d::Ranged;
use plotters::element::{PathElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{BLACK, Color, FontTransform, ShapeStyle};
use std::ops::Range;

/// The share of a group that its bars take.
const TAKEN: f64 = 0.84;

/// Draws groups of bars, with their values and error bars.
pub(super) fn groups<Y: Ranged<ValueType = f64>>(
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
pub(super) fn stacks<Y: Ranged<ValueType = f64>>(
    axes: &mut ChartAxes<'_, '_, Y>,
    groups: &[(String, Vec<f64>)],
) -> Drawing {
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
pub(super) fn histogram<Y: Ranged<ValueType = f64>>(
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
