//! Confidence intervals, for the results of matches and of random play, summaries of runs, and the loss of predictions.

use serde::Serialize;

/// An estimate with its 95% confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The estimate, from the results so far.
    pub value: f64,
    /// The lower bound of the interval.
    pub low: f64,
    /// The upper bound of the interval.
    pub high: f64,
}

impl Interval {
    /// The quantile of the normal distribution for 95%: the distance of the bounds from the estimate, in standard
    /// errors.
    const QUANTILE: f64 = 1.959_963_985;

    /// The interval of a mean, by the normal distribution.
    pub fn of_mean(mean: f64, standard_error: f64) -> Self {
        let half = Self::QUANTILE * standard_error;
        Self { value: mean, low: mean - half, high: mean + half }
    }

    /// The interval of a share, from 0 to 1, of `cases` cases, at least one.
    ///
    /// - Source: Wilson, *Probable Inference, the Law of Succession, and Statistical Inference*, 1927.
    pub fn of_share(share: f64, cases: f64) -> Self {
        let square = Self::QUANTILE * Self::QUANTILE;
        let middle = (share + square / (2.0 * cases)) / (1.0 + square / cases);
        let variance = share * (1.0 - share) / cases + square / (4.0 * cases * cases);
        let half = Self::QUANTILE * variance.sqrt() / (1.0 + square / cases);
        // At the ends the bound is the share itself, which rounding would miss.
        let low = if share <= 0.0 { 0.0 } else { (middle - half).max(0.0) };
        let high = if share >= 1.0 { 1.0 } else { (middle + half).min(1.0) };
        Self { value: share, low, high }
    }

    /// Half the width of an interval around a mean.
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// A summary of several numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The number of numbers.
    pub count: usize,
    /// The arithmetic mean.
    pub mean: f64,
    /// The standard deviation of a sample, with n - 1 in the denominator; 0 for a single number.
    pub deviation: f64,
    /// The first quartile, the median and the third quartile, interpolated linearly between the numbers next to them.
    pub quartiles: [f64; 3],
}

impl Summary {
    /// The summary of some numbers; `None` if there are none.
    pub fn from_numbers(numbers: impl IntoIterator<Item = u64>) -> Option<Self> {
        let mut sorted: Vec<f64> = numbers.into_iter().map(|number| number as f64).collect();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        if count == 0 {
            return None;
        }
        let mean = sorted.iter().sum::<f64>() / count as f64;
        let squares: f64 = sorted.iter().map(|number| (number - mean).powi(2)).sum();
        let quartile = |quarters: usize| {
            // The quartile lies between two numbers of the sample, at a multiple of a quarter of their distance.
            let index = quarters * (count - 1) / 4;
            let rest = quarters * (count - 1) % 4;
            let low = sorted[index];
            let high = sorted[(index + 1).min(count - 1)];
            low + (high - low) * rest as f64 / 4.0
        };
        let deviation = (squares / (count - 1).max(1) as f64).sqrt();
        Some(Self { count, mean, deviation, quartiles: [1, 2, 3].map(quartile) })
    }

    /// The median.
    pub fn median(&self) -> f64 {
        self.quartiles[1]
    }
}

/// The log loss of a predicted share, where `end` is the share that came: near 0 if it was predicted with certainty, 0.693
/// after a prediction of one half. Both are from 0 to 1.
pub fn log_loss(predicted: f64, end: f64) -> f64 {
    // A certain prediction that is wrong would have an infinite loss, which would hide all others in a mean.
    const LEAST: f64 = 1e-6;
    let predicted = predicted.clamp(LEAST, 1.0 - LEAST);
    -(end * predicted.ln() + (1.0 - end) * (1.0 - predicted).ln())
}
