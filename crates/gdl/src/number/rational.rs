//! Exact arithmetic: fractions in lowest terms, and linear equations modulo a prime, which are solved without
//! fractions.

use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::num::NonZeroU128;
use std::str::FromStr;

/// A fraction in lowest terms. Its numerator has 128 bits with the sign, its denominator 127.
///
/// Operations return `None` if a term of the result does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rational {
    numerator: i128,
    denominator: NonZeroU128,
}

/// A text that is no [`Rational`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RationalError {
    /// It is neither a decimal number nor a fraction of whole numbers.
    #[error("this is neither a decimal number nor a fraction")]
    NotANumber,
    /// Its terms have more digits than can be kept.
    #[error("this number has too many digits")]
    TooLong,
}

impl Rational {
    /// Zero.
    pub const ZERO: Self = Self::whole(0);
    /// One.
    pub const ONE: Self = Self::whole(1);

    /// The greatest denominator.
    const MOST: u128 = i128::MAX.unsigned_abs();

    /// A whole number.
    #[inline]
    pub const fn whole(number: i64) -> Self {
        Self { numerator: number as i128, denominator: NonZeroU128::MIN }
    }

    /// The quotient of two numbers; `None` if the denominator is 0 or a term does not fit.
    #[inline]
    pub fn new(numerator: i128, denominator: u128) -> Option<Self> {
        let divisor = greatest_common_divisor(numerator.unsigned_abs(), denominator);
        Self::reduced(numerator.checked_div(i128::try_from(divisor).ok()?)?, denominator / divisor)
    }

    /// The quotient of two numbers without a common divisor.
    #[inline]
    fn reduced(numerator: i128, denominator: u128) -> Option<Self> {
        let denominator = NonZeroU128::new(denominator).filter(|denominator| denominator.get() <= Self::MOST)?;
        Some(Self { numerator, denominator })
    }

    /// The numerator in lowest terms, which has the sign.
    #[inline]
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// The denominator in lowest terms.
    #[inline]
    pub fn denominator(self) -> u128 {
        self.denominator.get()
    }

    /// The sum.
    pub fn plus(self, other: Self) -> Option<Self> {
        let own = self.denominator.get();
        let others = other.denominator.get();
        if own == others {
            let sum = self.numerator.checked_add(other.numerator)?;
            return if own == 1 { Some(Self { numerator: sum, ..self }) } else { Self::new(sum, own) };
        }
        // Both are brought to the least common multiple of the denominators.
        let divisor = greatest_common_divisor(own, others);
        let part = |numerator: i128, factor: u128| numerator.checked_mul(i128::try_from(factor).ok()?);
        let sum = part(self.numerator, others / divisor)?.checked_add(part(other.numerator, own / divisor)?)?;
        Self::new(sum, (own / divisor).checked_mul(others)?)
    }

    /// The product.
    #[inline]
    pub fn times(self, other: Self) -> Option<Self> {
        // Reduced crosswise before the product, so that it overflows only if its lowest terms do not fit.
        let crosswise = |numerator: i128, denominator: NonZeroU128| Self::new(numerator, denominator.get());
        let left = crosswise(self.numerator, other.denominator)?;
        let right = crosswise(other.numerator, self.denominator)?;
        let numerator = left.numerator.checked_mul(right.numerator)?;
        Self::reduced(numerator, left.denominator.get().checked_mul(right.denominator.get())?)
    }

    /// The quotient; `None` also if the divisor is 0.
    #[inline]
    pub fn over(self, divisor: Self) -> Option<Self> {
        let inverse = Self::new(i128::try_from(divisor.denominator.get()).ok()?, divisor.numerator.unsigned_abs())?;
        let quotient = self.times(inverse)?;
        // The divisor was inverted without its sign.
        let numerator = if divisor.numerator < 0 { quotient.numerator.checked_neg()? } else { quotient.numerator };
        Some(Self { numerator, ..quotient })
    }

    /// The number as a decimal number, if it has at most `places` digits after the point.
    pub fn decimal(self, places: u32) -> Option<String> {
        let unit = 10_i128.checked_pow(places)?;
        let count = self.times(Self::new(unit, 1)?).filter(|count| count.denominator() == 1)?.numerator;
        let sign = if count < 0 { "-" } else { "" };
        let whole = count.unsigned_abs() / unit.unsigned_abs();
        let rest = count.unsigned_abs() % unit.unsigned_abs();
        if rest == 0 {
            return Some(format!("{sign}{whole}"));
        }
        let digits = format!("{rest:0width$}", width = places as usize);
        Some(format!("{sign}{whole}.{}", digits.trim_end_matches('0')))
    }

    /// A floating-point number that differs by at most three units in the last place.
    #[inline]
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator.get() as f64
    }
}

/// By value: the whole parts are compared, and if they are equal the reciprocals of the rests, so that nothing
/// overflows.
impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.denominator == other.denominator {
            return self.numerator.cmp(&other.numerator);
        }
        let parts = |number: &Self| {
            let denominator = number.denominator.get().cast_signed();
            (number.numerator.div_euclid(denominator), number.numerator.rem_euclid(denominator))
        };
        let (own, mut own_rest) = parts(self);
        let (others, mut others_rest) = parts(other);
        let mut order = own.cmp(&others);
        let mut denominators = (self.denominator.get().cast_signed(), other.denominator.get().cast_signed());
        let mut is_reciprocal = false;
        while order == Ordering::Equal && own_rest != 0 && others_rest != 0 {
            // rest / denominator is compared by denominator / rest, in which the greater is the less.
            let own = denominators.0 / own_rest;
            let others = denominators.1 / others_rest;
            let rests = (denominators.0 % own_rest, denominators.1 % others_rest);
            denominators = (own_rest, others_rest);
            (own_rest, others_rest) = rests;
            is_reciprocal = !is_reciprocal;
            order = own.cmp(&others);
        }
        // A rest of 0 is less than any other.
        let order = order.then_with(|| own_rest.min(1).cmp(&others_rest.min(1)));
        if is_reciprocal { order.reverse() } else { order }
    }
}

impl PartialOrd for Rational {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `175/3`; a whole number alone.
impl fmt::Display for Rational {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator.get() {
            1 => self.numerator.fmt(formatter),
            denominator => write!(formatter, "{}/{denominator}", self.numerator),
        }
    }
}

impl FromStr for Rational {
    type Err = RationalError;

    /// A decimal number with an optional sign, such as `-0.125`, or a fraction of whole numbers, such as `1/3`.
    fn from_str(text: &str) -> Result<Self, RationalError> {
        let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        let (numerator, denominator) = match (digits.split_once('/'), digits.split_once('.')) {
            (Some((numerator, denominator)), _) => (numerator.to_string(), denominator.to_string()),
            (None, Some((whole, places))) if are_digits(whole) && are_digits(places) => {
                let places = places.trim_end_matches('0');
                (format!("{whole}{places}"), format!("1{}", "0".repeat(places.len())))
            }
            (None, _) => (digits.to_string(), "1".to_string()),
        };
        if !are_digits(&numerator) || !are_digits(&denominator) {
            return Err(RationalError::NotANumber);
        }
        let numerator: i128 = numerator.parse().map_err(|_| RationalError::TooLong)?;
        let denominator: u128 = denominator.parse().map_err(|_| RationalError::TooLong)?;
        if denominator == 0 {
            return Err(RationalError::NotANumber);
        }
        Self::new(sign * numerator, denominator).ok_or(RationalError::TooLong)
    }
}

/// As text, since the terms may not fit into a number of JSON.
impl Serialize for Rational {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Euclid's algorithm, in 64 bits where the numbers fit; the divisor of two zeros is 1.
fn greatest_common_divisor(left: u128, right: u128) -> u128 {
    if let (Ok(mut left), Ok(mut right)) = (u64::try_from(left), u64::try_from(right)) {
        while right != 0 {
            (left, right) = (right, left % right);
        }
        return u128::from(left.max(1));
    }
    if right == 0 { left } else { greatest_common_divisor(right, left % right) }
}

/// The prime, 2^31 - 1: products of two numbers below it fit into 64 bits.
pub const PRIME: u64 = (1 << 31) - 1;

/// The difference of two numbers below the prime, modulo the prime.
#[inline]
pub fn subtract(left: u64, right: u64) -> u64 {
    if left >= right { left - right } else { left + PRIME - right }
}

/// Equations in triangular form.
#[derive(Clone, Debug)]
pub struct Equations {
    /// For each unknown, the equation that gives it from later ones: its coefficients, then the right side. The first
    /// coefficient that is not 0 is 1.
    rows: Vec<Option<Vec<u64>>>,
}

impl Equations {
    /// No equation for this many unknowns.
    #[inline]
    pub fn new(unknowns: usize) -> Self {
        Self { rows: vec![None; unknowns] }
    }

    /// The number of unknowns.
    #[inline]
    pub fn unknowns(&self) -> usize {
        self.rows.len()
    }

    /// Adds an equation, given as its coefficients, one for each unknown, and the right side, all below the prime.
    /// `None` if it contradicts those before. Quadratic in the unknowns.
    pub fn add(&mut self, mut equation: Vec<u64>) -> Option<()> {
        for (column, row) in self.rows.iter_mut().enumerate() {
            let factor = equation[column];
            if factor == 0 {
                continue;
            }
            match row {
                Some(row) => {
                    // Subtracts `factor` times the row; adding PRIME - `factor` avoids negative numbers.
                    for (own, other) in equation.iter_mut().zip(row.iter()).skip(column) {
                        *own = (*own + (PRIME - factor) * other) % PRIME;
                    }
                }
                None => {
                    // By Fermat's little theorem.
                    let inverse = power(factor, PRIME - 2);
                    equation.iter_mut().for_each(|coefficient| *coefficient = *coefficient * inverse % PRIME);
                    *row = Some(equation);
                    return Some(());
                }
            }
        }
        (equation[self.unknowns()] == 0).then_some(())
    }

    /// Numbers that satisfy all equations; those that no equation determines are 0.
    pub fn solution(&self) -> Vec<u64> {
        let mut solution = vec![0; self.unknowns()];
        for (column, row) in self.rows.iter().enumerate().rev() {
            let Some(row) = row else { continue };
            let known = solution.iter().zip(row).skip(column + 1);
            let sum = known.fold(0, |sum, (number, coefficient)| (sum + number * coefficient) % PRIME);
            solution[column] = subtract(row[self.unknowns()], sum);
        }
        solution
    }
}

/// A power modulo the prime.
fn power(base: u64, exponent: u64) -> u64 {
    let mut result = 1;
    let mut square = base;
    let mut rest = exponent;
    while rest > 0 {
        if rest & 1 == 1 {
            result = result * square % PRIME;
        }
        square = square * square % PRIME;
        rest >>= 1;
    }
    result
}
