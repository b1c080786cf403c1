//! Decimal numbers with six digits after the point, exact under addition and comparison.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

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
