//! Numbers: 32-bit ids and indices, for lists that are stored by the million; decimal numbers with six digits after the
//! point ([`Decimal`]); and numbers that are exact fractions as long as these fit ([`Real`]).

mod rational;

#[doc(hidden)]
pub use crate::index_id;
#[doc(hidden)]
pub use rational::{Equations, PRIME, subtract};
pub use rational::{Rational, RationalError};

use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A length or an index in 32 bits.
///
/// # Panics
/// If it does not fit. The limits on the length of texts and on memory make this impossible for any input, unless a
/// limit of hundreds of gigabytes was given.
#[inline]
#[track_caller]
#[expect(clippy::cast_possible_truncation, reason = "it is compared with the largest value first")]
pub const fn to_u32(number: usize) -> u32 {
    assert!(number <= u32::MAX as usize, "a number does not fit into 32 bits");
    number as u32
}

/// Defines an id of 32 bits, which is made of an index and gives it back.
#[doc(hidden)]
#[macro_export]
macro_rules! index_id {
    ($(#[$attribute:meta])* $visibility:vis struct $name:ident) => {
        $(#[$attribute])*
        $visibility struct $name(u32);

        impl $name {
            /// The id with this index.
            ///
            /// # Panics
            /// If it does not fit into 32 bits.
            #[inline]
            $visibility const fn new(index: usize) -> Self {
                Self($crate::number::to_u32(index))
            }

            /// The index.
            #[inline]
            $visibility const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

/// A number of bytes, or an index, in the width of this machine; the greatest if it does not fit.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "it is compared with the largest value first")]
pub const fn to_index(number: u64) -> usize {
    if number > usize::MAX as u64 { usize::MAX } else { number as usize }
}

/// A decimal number: a whole number of millionths. Its absolute value is below 2^31.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Decimal(i64);

/// A text that is not a [`Decimal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecimalError {
    /// It is not a number.
    #[error("this is not a number")]
    NotANumber,
    /// It has more than six digits after the point.
    #[error("a number has at most six digits after the point")]
    TooFine,
    /// Its absolute value is 2^31 or more.
    #[error("a number is less than 2,147,483,648 in absolute value")]
    TooLarge,
}

impl Decimal {
    /// The digits after the point.
    const DIGITS: usize = 6;
    const ONE: i64 = 1_000_000;
    const LIMIT: i64 = (1 << 31) * Self::ONE;

    /// A whole number.
    #[inline]
    pub const fn whole(number: i32) -> Self {
        Self(number as i64 * Self::ONE)
    }

    /// The number with this many millionths.
    #[inline]
    pub const fn from_millionths(millionths: i64) -> Self {
        Self(millionths)
    }

    /// The number in millionths.
    #[inline]
    pub const fn millionths(self) -> i64 {
        self.0
    }

    /// The nearest floating-point number.
    #[inline]
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / Self::ONE as f64
    }

    /// The number, if it is whole.
    #[inline]
    pub fn to_whole(self) -> Option<i32> {
        (self.0 % Self::ONE == 0).then(|| self.floor())
    }

    /// The greatest whole number that is not greater.
    #[expect(clippy::cast_possible_truncation, reason = "the absolute value is below 2^31")]
    #[inline]
    pub fn floor(self) -> i32 {
        self.0.div_euclid(Self::ONE) as i32
    }

    /// The sum; `None` if it is out of range.
    #[inline]
    pub fn plus(self, other: Self) -> Option<Self> {
        let sum = self.0 + other.0;
        (sum.abs() < Self::LIMIT).then_some(Self(sum))
    }

    /// The negated number.
    #[inline]
    pub const fn negated(self) -> Self {
        Self(-self.0)
    }
}

impl FromStr for Decimal {
    type Err = DecimalError;

    /// Digits with an optional sign, and an optional point with digits on both sides.
    fn from_str(text: &str) -> Result<Self, DecimalError> {
        let (is_negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !are_digits(whole) || !are_digits(fraction) {
            return Err(DecimalError::NotANumber);
        }
        let fraction = fraction.trim_end_matches('0');
        if fraction.len() > Self::DIGITS {
            return Err(DecimalError::TooFine);
        }
        let whole: i64 = whole.parse().map_err(|_| DecimalError::TooLarge)?;
        if whole >= 1 << 31 {
            return Err(DecimalError::TooLarge);
        }
        let fraction: i64 = format!("{fraction:0<6}").parse().map_err(|_| DecimalError::NotANumber)?;
        let value = whole * Self::ONE + fraction;
        Ok(Self(if is_negative { -value } else { value }))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let value = self.0.unsigned_abs();
        let whole = value / Self::ONE.unsigned_abs();
        let fraction = value % Self::ONE.unsigned_abs();
        let text = match fraction {
            0 => format!("{sign}{whole}"),
            _ => format!("{sign}{whole}.{}", format!("{fraction:06}").trim_end_matches('0')),
        };
        formatter.pad(&text)
    }
}

/// A whole number as an integer, others as floating-point numbers.
impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.to_whole() {
            Some(whole) => serializer.serialize_i32(whole),
            None => serializer.serialize_f64(self.to_f64()),
        }
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(deserializer)?;
        // A floating-point number of Rust is printed without an exponent, one of JSON may have one.
        let text = match number.as_f64() {
            Some(value) if number.is_f64() => value.to_string(),
            _ => number.to_string(),
        };
        text.parse().map_err(D::Error::custom)
    }
}

/// A number that is computed exactly as long as the terms of its fraction fit, and rounded from then on: a mean or a
/// probability.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Real {
    /// The number itself.
    Exact(Rational),
    /// A floating-point number near it, because a term of a fraction on the way did not fit or because a value that it
    /// was computed from was rounded.
    Rounded(f64),
}

// Solved games have one for each state and role.
const _: () = assert!(size_of::<Real>() == 32);

impl Real {
    /// Zero.
    pub const ZERO: Self = Self::Exact(Rational::ZERO);
    /// One.
    pub const ONE: Self = Self::Exact(Rational::ONE);

    /// Rounded numbers that differ by less count as equal, so that rounding does not choose between equal moves.
    pub const EQUAL: f64 = 1e-9;

    /// A floating-point number near it; of an exact one, at most three units in the last place away.
    #[inline]
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Exact(number) => number.to_f64(),
            Self::Rounded(number) => number,
        }
    }

    /// The number, if it is exact.
    #[inline]
    pub fn exact(self) -> Option<Rational> {
        if let Self::Exact(number) = self { Some(number) } else { None }
    }

    /// True if the number was never rounded.
    #[inline]
    pub fn is_exact(self) -> bool {
        self.exact().is_some()
    }

    /// The sum.
    #[must_use]
    #[inline]
    pub fn plus(self, other: Self) -> Self {
        self.with(other, Rational::plus, |left, right| left + right)
    }

    /// The product.
    #[must_use]
    #[inline]
    pub fn times(self, other: Self) -> Self {
        self.with(other, Rational::times, |left, right| left * right)
    }

    /// The quotient by a number that is not 0.
    #[must_use]
    #[inline]
    pub fn over(self, divisor: Self) -> Self {
        self.with(divisor, Rational::over, |left, right| left / right)
    }

    /// One minus the number.
    #[must_use]
    #[inline]
    pub fn complement(self) -> Self {
        Self::ONE.plus(self.times(Self::whole(-1)))
    }

    /// The number itself if `is_exact`, else the number rounded. A number that was chosen by a comparison with rounded
    /// numbers must not count as exact: another one may have been greater.
    #[inline]
    pub fn rounded_unless(self, is_exact: bool) -> Self {
        if is_exact { self } else { Self::Rounded(self.to_f64()) }
    }

    /// True for 0, exact or rounded.
    #[inline]
    pub fn is_zero(self) -> bool {
        self == Self::ZERO || self == Self::Rounded(0.0)
    }

    /// A whole number.
    #[inline]
    pub const fn whole(number: i64) -> Self {
        Self::Exact(Rational::whole(number))
    }

    /// A number of things.
    #[inline]
    pub fn count(count: usize) -> Self {
        i64::try_from(count).map_or(Self::Rounded(count as f64), Self::whole)
    }

    /// The mean of `count` numbers, added from first to last.
    #[inline]
    pub fn mean(numbers: impl Iterator<Item = Self>, count: usize) -> Self {
        numbers.fold(Self::ZERO, Self::plus).over(Self::count(count))
    }

    /// True if it is greater. If one of the two is rounded, it must be greater by [`Real::EQUAL`] or more.
    #[inline]
    pub fn exceeds(self, other: Self) -> bool {
        self.compare(other) == Ordering::Greater
    }

    /// Compares exact numbers by value; others that differ by less than [`Real::EQUAL`] count as equal.
    pub(crate) fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Exact(left), Self::Exact(right)) => left.cmp(&right),
            _ => {
                let lead = self.to_f64() - other.to_f64();
                if lead.abs() < Self::EQUAL { Ordering::Equal } else { lead.total_cmp(&0.0) }
            }
        }
    }

    /// Combines two numbers exactly if they and the result are.
    fn with(
        self,
        other: Self,
        exactly: impl Fn(Rational, Rational) -> Option<Rational>,
        rounded: impl Fn(f64, f64) -> f64,
    ) -> Self {
        let exact = self.exact().zip(other.exact()).and_then(|(left, right)| exactly(left, right));
        exact.map_or_else(|| Self::Rounded(rounded(self.to_f64(), other.to_f64())), Self::Exact)
    }
}

impl FromStr for Real {
    type Err = RationalError;

    /// A decimal number or a fraction, exactly; a finite number with an exponent or with very many digits, rounded.
    fn from_str(text: &str) -> Result<Self, RationalError> {
        text.parse().map(Self::Exact).or_else(|error| {
            let number = text.parse().ok().filter(|number: &f64| number.is_finite());
            number.map(Self::Rounded).ok_or(error)
        })
    }
}

/// An object, which may be part of another: `mean`, the nearest floating-point number that is known, and `fraction`,
/// the number itself if it is exact.
impl Serialize for Real {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("mean", &self.to_f64())?;
        if let Self::Exact(number) = self {
            map.serialize_entry("fraction", number)?;
        }
        map.end()
    }
}

/// An exact number as a decimal number if it has at most nine digits after the point, else as a fraction; a rounded one
/// as a floating-point number.
impl fmt::Display for Real {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rounded(number) => number.fmt(formatter),
            Self::Exact(number) => match number.decimal(9) {
                Some(decimal) => formatter.write_str(&decimal),
                None => number.fmt(formatter),
            },
        }
    }
}
