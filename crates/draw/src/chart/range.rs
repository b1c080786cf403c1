//! The range of values of each axis, and the text of its numbers.

use super::{Chart, Plot, Scale};
use gdl::quantity::grouped;
use std::ops::Range;

impl Chart {
    /// The values of the horizontal axis.
    pub(super) fn across(&self) -> Range<f64> {
        match &self.plot {
            Plot::Bars { groups, .. } => 0.0..groups.len().max(1) as f64,
            Plot::Stacks { groups, .. } => 0.0..groups.len().max(1) as f64,
            Plot::Histogram { first, width, counts } => *first..first + width * counts.len().max(1) as f64,
            Plot::Scatter { series } => {
                let values = series.iter().flat_map(|(_, points)| points).map(|point| point.0);
                let (low, high) = ends(values).unwrap_or((0.0, 1.0));
                let gap = ((high - low) * 0.05).max(0.5);
                low - gap..high + gap
            }
        }
    }

    /// The values of the vertical axis.
    pub(super) fn up(&self) -> Range<f64> {
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
            Scale::Linear => 0.0..values.into_iter().fold(0.0, f64::max).max(f64::MIN_POSITIVE) * 1.1,
            Scale::Logarithmic => {
                let (low, high) = ends(values.into_iter().filter(|value| *value > 0.0)).unwrap_or((1.0, 10.0));
                // The lowest bar has a positive height, and the highest room for its text.
                10_f64.powf((low.log10() - 0.05).floor())..high * 3.0
            }
        }
    }
}

/// A number as an axis shows it: with commas between thousands, or as a power of ten.
pub(super) fn number(value: f64) -> String {
    if value.abs() >= 1e10 || (value != 0.0 && value.abs() < 1e-4) {
        return format!("{value:e}");
    }
    let text = format!("{:.4}", value.abs());
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{}{}", if value < 0.0 { "-" } else { "" }, grouped(text))
}

/// The least and the greatest of some values.
fn ends(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |ends, value| match ends {
        None => Some((value, value)),
        Some((low, high)) => Some((f64::min(low, value), f64::max(high, value))),
    })
}
