//! Probabilities as exact fractions.

use std::fmt;

/// A probability, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Probability {
    pub(super) numerator: u64,
    pub(super) denominator: u64,
}

impl Probability {
    /// The fraction in lowest terms; `None` if the denominator is 0.
    pub(super) fn new(numerator: u64, denominator: u64) -> Option<Self> {
        let divisor = greatest_common_divisor(numerator, denominator);
        (denominator > 0).then(|| Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// The sum; `None` if it cannot be computed in 64 bits.
    pub(super) fn plus(self, other: Self) -> Option<Self> {
        let denominator = least_common_multiple(self.denominator, other.denominator)?;
        let part = |weight: Self| weight.numerator.checked_mul(denominator / weight.denominator);
        Self::new(part(self)?.checked_add(part(other)?)?, denominator)
    }
}

/// As a decimal number if it has at most six digits after the point, else as a fraction.
impl fmt::Display for Probability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { numerator, denominator } = self;
        if *denominator == 1 {
            return numerator.fmt(formatter);
        }
        let millionths = 1_000_000_u64.checked_rem(*denominator).filter(|rest| *rest == 0);
        match millionths.and_then(|_| numerator.checked_mul(1_000_000 / denominator)) {
            Some(millionths) => {
                let digits = format!("{:06}", millionths % 1_000_000);
                write!(formatter, "{}.{}", millionths / 1_000_000, digits.trim_end_matches('0'))
            }
            None => write!(formatter, "{numerator}/{denominator}"),
        }
    }
}

/// The least common multiple; `None` if it does not fit.
pub(super) fn least_common_multiple(left: u64, right: u64) -> Option<u64> {
    (left / greatest_common_divisor(left, right)).checked_mul(right)
}

/// Euclid's algorithm.
fn greatest_common_divisor(left: u64, right: u64) -> u64 {
    if right == 0 { left.max(1) } else { greatest_common_divisor(right, left % right) }
}
