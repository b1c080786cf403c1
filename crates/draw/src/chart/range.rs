//! The ranges of the two axes of a chart, and their tick labels.

use super::{Chart, Plot, Scale};
use gdl::quantity::grouped;
use std::ops::Range;

impl Chart {
    /// The range of the horizontal axis.
    pub(super) fn x_range(&self) -> Range<f64> {
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
    pub(super) fn y_range(&self) -> Range<f64> {
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
pub(super) fn tick_label(value: f64) -> String {
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
