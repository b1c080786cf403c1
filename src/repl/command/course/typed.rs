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
    /// Reads a whole number, with separators of thousands or without, a decimal or a fraction.
    pub(super) fn read(text: &str) -> Result<Self, CommandError> {
        let wrong = || {
            let help = if text.contains(',') { "; a decimal has a point, as 0.75" } else { "" };
            CommandError::refused(format!("`{text}` is no number{help}"))
        };
        let parse = |text: &str| {
            let number = without_separators(text.trim())?.parse::<f64>().ok();
            number.filter(|number| number.is_finite())
        };
        if let Some((above, below)) = text.split_once('/') {
            let value = parse(above).zip(parse(below)).map(|(above, below)| above / below);
            let value = value.filter(|value| value.is_finite()).ok_or_else(wrong)?;
            return Ok(Self { value, digits: None });
        }
        let digits = text.trim().split_once('.').map_or(0, |(_, digits)| digits.len());
        Ok(Self { value: parse(text).ok_or_else(wrong)?, digits: u32::try_from(digits).ok() })
    }

    /// True if it is this number, or this number rounded to two digits or more.
    pub(super) fn is(self, right: f64) -> bool {
        let difference = (self.value - right).abs();
        let rounded = self.digits.filter(|digits| *digits >= 2);
        let is_rounded = rounded.is_some_and(|digits| difference <= 0.5 * 0.1_f64.powi(digits as i32) + CLOSE);
        difference < CLOSE || is_rounded
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
