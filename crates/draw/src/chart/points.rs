//! Scatter plots.

use super::canvas::{ChartAxes, Drawing, colour};
use plotters::coord::ranged1d::Ranged;
use plotters::element::Circle;
use plotters::style::Color;
use std::ops::Range;

/// The radius of a point in pixels.
const RADIUS: i32 = 3;

/// Draws a point for each pair of values that the axes have.
pub(super) fn scatter<Y: Ranged<ValueType = f64>>(
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
