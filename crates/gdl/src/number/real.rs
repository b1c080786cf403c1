//! Numbers that are exact as long as their terms fit.

use super::{Rational, RationalError};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

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

    /// Whether the number is exact.
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

    /// What is missing to one.
    #[must_use]
    #[inline]
    pub fn complement(self) -> Self {
        Self::ONE.plus(self.times(Self::whole(-1)))
    }

    /// The number itself if what it was chosen by is exact too, else rounded: a rounded number that was compared may
    /// have been greater than it seemed.
    #[inline]
    pub fn rounded_unless(self, is_exact: bool) -> Self {
        if is_exact { self } else { Self::Rounded(self.to_f64()) }
    }

    /// Whether the number is 0.
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

    /// Whether it is greater; of two numbers that are not both exact, by [`Real::EQUAL`] or more.
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
