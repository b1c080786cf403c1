//! Numbers and words that a student types. What is clearly meant is read: a number with its unit, a power, names with
//! other capital letters.

use crate::repl::{CommandError, read};

/// The difference up to which two numbers are equal.
pub(super) const CLOSE: f64 = 1e-9;

/// The words of an answer, with spaces, commas or arrows between them; a comma within parentheses belongs to a word.
pub(super) fn words(answer: &str) -> impl Iterator<Item = &str> {
    let parts = read::all_outside_parentheses(answer, ',').into_iter().flat_map(str::split_whitespace);
    parts.filter(|word| !["->", "→", ">", "-", "–"].contains(word))
}

/// The name that is meant: itself or, if there is no such name, the only one with other capital letters.
pub(super) fn meant<'n>(typed: &'n str, mut names: impl Iterator<Item = &'n str> + Clone) -> &'n str {
    let typed = typed.trim_end_matches([';', '.']);
    if names.clone().any(|name| name == typed) {
        return typed;
    }
    names.find(|name| name.eq_ignore_ascii_case(typed)).unwrap_or(typed)
}

/// A number that a student has typed.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypedNumber {
    pub(super) value: f64,
    /// Its logarithm to base 10, if it is typed as a power.
    log10: Option<f64>,
    /// The digits after the point, of a power those of its exponent, up to which it may be rounded; `None` for a fraction.
    digits: Option<u32>,
}

impl TypedNumber {
    /// The fewest digits after the point to which a number may be rounded.
    const FEWEST_DIGITS: u32 = 2;

    /// Reads a whole number, with separators of thousands or without, a decimal, a fraction or a power, with words behind
    /// it.
    pub(super) fn read(text: &str) -> Result<Self, CommandError> {
        let typed = text.trim().trim_start_matches(['=', '≈', '~']);
        // A unit such as `calls` has no digits.
        let number = typed.trim_end_matches(|letter: char| letter.is_alphabetic() || " %.".contains(letter));
        Self::parse(number).ok_or_else(|| {
            let help = match text.contains(',') {
                true => "a decimal has a point, as 0.75",
                false => "it has digits, as 246, 0.75, 3/4 or 35^4",
            };
            CommandError::refused(format!("`{}` is no number; {help}", text.trim()))
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let number = |text: &str| {
            let number = without_separators(text.trim())?.parse::<f64>().ok();
            number.filter(|number| number.is_finite())
        };
        let digits = |text: &str| u32::try_from(text.trim().split_once('.').map_or(0, |(_, digits)| digits.len())).ok();
        if let Some((above, below)) = text.split_once('/') {
            let value = number(above)? / number(below)?;
            return value.is_finite().then_some(Self { value, log10: None, digits: None });
        }
        let Some((base, exponent)) = text.split_once('^').or_else(|| text.split_once("**")) else {
            return Some(Self { value: number(text)?, log10: None, digits: digits(text) });
        };
        let exponent = exponent.trim().trim_start_matches('(').trim_end_matches(')');
        let (base, power) = (number(base)?, number(exponent)?);
        let value = base.powf(power);
        let is_number = base > 0.0 && !value.is_nan();
        is_number.then_some(Self { value, log10: Some(power * base.log10()), digits: digits(exponent) })
    }

    /// The logarithm to base 10 in place of the number, if that is what a power was typed for.
    pub(super) fn logarithm(self) -> Self {
        self.log10.map_or(self, |value| Self { value, log10: None, ..self })
    }

    /// True if it is this number, or this number rounded to two digits or more.
    pub(super) fn is(self, right: f64) -> bool {
        (self.value - right).abs() < CLOSE.max(right.abs() * f64::EPSILON)
            || self.digits.is_some_and(|digits| digits >= Self::FEWEST_DIGITS) && self.rounds(right)
    }

    /// True if it is this number with too few digits after the point.
    pub(super) fn is_rounded_too_far(self, right: f64) -> bool {
        !self.is(right)
            && self.digits.is_some_and(|digits| (1..Self::FEWEST_DIGITS).contains(&digits))
            && self.rounds(right)
    }

    fn rounds(self, right: f64) -> bool {
        let is_rounded = |digits: u32| {
            (self.value - right).abs() <= 0.5 * 0.1_f64.powi(i32::try_from(digits).unwrap_or(i32::MAX)) + CLOSE
        };
        self.log10.is_none() && self.digits.is_some_and(is_rounded)
    }
}

/// A number without its separators of thousands (`12,345`, `12 345`); `None` if they separate anything else.
fn without_separators(text: &str) -> Option<String> {
    let is_separator = |letter: char| ",'_ ".contains(letter);
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let mut groups = whole.split(is_separator);
    let first = groups.next()?;
    let digits = first.trim_start_matches(['-', '+']);
    let is_grouped = whole.contains(is_separator);
    let is_first = !is_grouped || ((1..=3).contains(&digits.len()) && digits != "0");
    let are_others = groups.all(|group| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit()));
    if !is_first || !are_others || fraction.is_some_and(|fraction| fraction.contains(is_separator)) {
        return None;
    }
    Some(text.replace(is_separator, ""))
}
