//! Utilities: the value of an outcome for a role.

use gdl::number::{Decimal, DecimalError, Rational, Real};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The value of an outcome for a role.
///
/// GDL has goal values from 0 (worst) to 100 (best); rule sheets with other whole values load with a warning, and their
/// values are kept as they are. A sheet may declare what its goal values stand for
/// ([`gdl::rules::Utilities`]); the utility is then the declared number, of any sign and with up to six decimals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Utility(Decimal);

impl Utility {
    /// The least value of the language.
    pub const MIN: Self = Self::whole(0);
    /// The greatest value of the language; the textbook's searches stop when they have found it.
    pub const MAX: Self = Self::whole(100);

    /// A whole number.
    #[inline]
    pub const fn whole(number: i32) -> Self {
        Self(Decimal::whole(number))
    }

    /// The number, if it is whole.
    #[inline]
    pub fn to_whole(self) -> Option<i32> {
        self.0.to_whole()
    }

    /// The greatest whole number that is not greater.
    #[inline]
    pub fn floor(self) -> i32 {
        self.0.floor()
    }

    /// The nearest floating-point number.
    #[inline]
    pub fn to_f64(self) -> f64 {
        self.0.to_f64()
    }

    /// The number itself, to compute means with.
    #[inline]
    pub fn to_real(self) -> Real {
        match self.0.to_whole() {
            Some(whole) => Real::whole(whole.into()),
            None => millionths(self.0.millionths().into()),
        }
    }

    /// The nearest floating-point number of 32 bits.
    #[expect(clippy::cast_possible_truncation, reason = "statistics of random play have 32 bits")]
    #[inline]
    pub fn to_f32(self) -> f32 {
        self.0.to_f64() as f32
    }

    /// The utility in millionths.
    #[inline]
    pub fn millionths(self) -> i64 {
        self.0.millionths()
    }

    /// The utility with this many millionths.
    #[inline]
    pub fn from_millionths(millionths: i64) -> Self {
        Self(Decimal::from_millionths(millionths))
    }
}

/// A number of millionths.
#[inline]
fn millionths(count: i128) -> Real {
    Rational::new(count, 1_000_000).map_or(Real::Rounded(count as f64 / 1e6), Real::Exact)
}

impl From<Decimal> for Utility {
    #[inline]
    fn from(number: Decimal) -> Self {
        Self(number)
    }
}

impl FromStr for Utility {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        text.parse().map(Self)
    }
}

impl fmt::Display for Utility {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The bounds between which all utilities of a game lie: 0 and 100, unless its rules declare others or have goal values
/// beyond them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UtilityRange {
    /// No utility is less.
    pub least: Utility,
    /// No utility is greater; searches stop when they have found it.
    pub most: Utility,
}

impl Default for UtilityRange {
    #[inline]
    fn default() -> Self {
        Self { least: Utility::MIN, most: Utility::MAX }
    }
}

/// From the least and the greatest utility.
impl From<(Decimal, Decimal)> for UtilityRange {
    #[inline]
    fn from((least, most): (Decimal, Decimal)) -> Self {
        Self { least: least.into(), most: most.into() }
    }
}

impl UtilityRange {
    /// The least range with these bounds and a utility in it.
    #[inline]
    pub fn including(self, utility: Utility) -> Self {
        Self { least: self.least.min(utility), most: self.most.max(utility) }
    }

    /// The middle of the range, which counts as a draw.
    #[inline]
    pub fn middle(self) -> f64 {
        f64::midpoint(self.least.to_f64(), self.most.to_f64())
    }

    /// The middle of the range, to compute means with.
    #[inline]
    pub fn exact_middle(self) -> Real {
        self.least.to_real().plus(self.most.to_real()).over(Real::whole(2))
    }

    /// The utility of a draw in statistics of random play: the middle of the range.
    #[expect(clippy::cast_possible_truncation, reason = "statistics of random play have 32 bits")]
    #[inline]
    pub fn draw(self) -> f32 {
        self.middle() as f32
    }

    /// A number moved into the range.
    pub fn clamp(self, number: Real) -> Real {
        let least = self.least.to_real();
        let most = self.most.to_real();
        match number {
            _ if least.exceeds(number) => least,
            _ if number.exceeds(most) => most,
            number => number,
        }
    }

    /// The share of the range that lies below a utility, from 0 to 1.
    #[expect(clippy::cast_possible_truncation, reason = "statistics of random play have 32 bits")]
    #[inline]
    pub fn share(self, utility: f32) -> f32 {
        (utility - self.least.to_f32()) / self.width() as f32
    }

    /// The utility below which this share of the range lies.
    #[expect(clippy::cast_possible_truncation, reason = "statistics of random play have 32 bits")]
    #[inline]
    pub fn at(self, share: f32) -> f32 {
        self.least.to_f32() + share * self.width() as f32
    }

    /// The utility of the other of two sides that share the range, if one gets this utility.
    #[inline]
    pub fn rest(self, utility: f32) -> f32 {
        2.0 * self.draw() - utility
    }

    /// True if two sides with this sum of utilities share the range, so that one loses as much as the other gains.
    #[inline]
    pub fn is_shared(self, sum: f32) -> bool {
        /// The greatest error of a sum.
        const ROUNDING: f32 = 0.01;
        self.rest(sum).abs() <= ROUNDING
    }

    /// The width of the range.
    #[inline]
    pub fn width(self) -> f64 {
        self.most.to_f64() - self.least.to_f64()
    }
}
