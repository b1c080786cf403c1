//! Numbers and words that a student types.

use crate::repl::{CommandError, read};

/// The difference up to which two numbers are equal.
pub(super) const CLOSE: f64 = 1e-9;

/// The words of an answer, with spaces or commas between them; a comma within parentheses belongs to a word.
pub(super) fn words(answer: &str) -> impl Iterator<Item = &str> {
    read::all_outside_parentheses(answer, ',').into_iter().flat_map(str::split_whitespace)
}

/// A number that a student has typed.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypedNumber {
    pub(super) value: f64,
    /// The digits after the point, up to which it may be rounded; `None` for a fraction.
    digits: Option<u32>,
}

impl TypedNumber {
    /// Reads a whole number, with commas or without, a decimal or a fraction.
    pub(super) fn read(text: &str) -> Result<Self, CommandError> {
        let wrong = || CommandError::refused(format!("`{text}` is no number"));
        let plain: String = text.chars().filter(|c| !",'_ ".contains(*c)).collect();
        let parse = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wrong);
        if let Some((above, below)) = plain.split_once('/') {
            let value = parse(above)? / parse(below)?;
            return if value.is_finite() { Ok(Self { value, digits: None }) } else { Err(wrong()) };
        }
        let digits = plain.split_once('.').map_or(0, |(_, digits)| digits.len());
        Ok(Self { value: parse(&plain)?, digits: u32::try_from(digits).ok() })
    }

    /// True if it is this number, or this number rounded to two digits or more.
    pub(super) fn is(self, right: f64) -> bool {
        let difference = (self.value - right).abs();
        let rounded = self.digits.filter(|digits| *digits >= 2);
        let is_rounded = rounded.is_some_and(|digits| difference <= 0.5 * 0.1_f64.powi(digits as i32) + CLOSE);
        difference < CLOSE || is_rounded
    }
}
