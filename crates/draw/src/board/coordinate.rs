//! Recognises terms that are coordinates, and orders them along an axis.

use gdl::rules::GroundTerm;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// The greatest number of coordinates of an axis whose gaps are filled.
const MOST_FILLED: i64 = 64;

/// The kind of values of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Coordinate {
    /// Integers, such as `1`, `2`, `3`.
    Number,
    /// `a`, `b`, `c`: consecutive letters.
    Letter,
    /// `r1`, `r2`, `r3`: the same word before each number.
    Numbered(String),
}

impl Coordinate {
    /// The kind of these terms; `None` if they are not coordinates, or if there are none.
    pub(super) fn from_terms(values: &BTreeSet<&GroundTerm>) -> Option<Self> {
        let names: Vec<&str> = values.iter().map(|term| &*term.name).collect();
        let (&first, _) = names.split_first()?;
        if values.iter().any(|term| !term.arguments.is_empty()) {
            return None;
        }
        if names.iter().all(|name| number(name).is_some()) {
            return Some(Self::Number);
        }
        if names.iter().all(|name| letter(name).is_some()) {
            // Marks such as `x` and `o` are letters as well, but not consecutive; a single `b` is a blank.
            let letters: Vec<u8> = names.iter().filter_map(|name| letter(name)).collect();
            let is_alphabet = match letters[..] {
                [only] => only.eq_ignore_ascii_case(&b'a'),
                _ => letters.windows(2).all(|pair| pair[0] + 1 == pair[1]),
            };
            return is_alphabet.then_some(Self::Letter);
        }
        let prefix = first.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_numbered = |name: &&str| name.strip_prefix(prefix).is_some_and(|rest| rest.parse::<u32>().is_ok());
        (!prefix.is_empty() && names.iter().all(is_numbered)).then(|| Self::Numbered(prefix.to_string()))
    }

    /// All numbers from 1 (or the least, if it is less) to the greatest of these; all letters from `a` to the greatest.
    /// `None` for other kinds, and if there are too many.
    pub(super) fn filled<'a>(&self, values: impl Iterator<Item = &'a GroundTerm>) -> Option<Vec<GroundTerm>> {
        match self {
            Self::Number => {
                let numbers: Vec<i64> = values.filter_map(|value| number(&value.name)).collect();
                let least = numbers.iter().min()?.min(&1);
                let greatest = numbers.iter().max()?;
                let is_short = greatest.checked_sub(*least).is_some_and(|length| length < MOST_FILLED);
                is_short.then(|| (*least..=*greatest).map(|number| GroundTerm::symbol(number.to_string())).collect())
            }
            Self::Letter => {
                let letters: Vec<u8> = values.filter_map(|value| letter(&value.name)).collect();
                let first = if letters.iter().all(u8::is_ascii_uppercase) { b'A' } else { b'a' };
                let last = *letters.iter().max()?;
                Some((first..=last).map(|letter| GroundTerm::symbol(char::from(letter).to_string())).collect())
            }
            Self::Numbered(_) => None,
        }
    }
}

/// The order along an axis: canonical, except that `r2` comes before `r10`.
pub(super) fn compare_all(left: &[GroundTerm], right: &[GroundTerm]) -> Ordering {
    let pairs = left.iter().zip(right);
    let first = pairs.map(|(left, right)| compare(left, right)).find(|order| order.is_ne());
    first.unwrap_or_else(|| left.cmp(right))
}

/// As [`compare_all`], for one term.
fn compare(left: &GroundTerm, right: &GroundTerm) -> Ordering {
    let parts = |term: &GroundTerm| {
        let prefix = term.name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let (prefix, digits) = term.name.split_at(prefix);
        (prefix.to_string(), digits.to_string())
    };
    let (left_prefix, left_digits) = parts(left);
    let (right_prefix, right_digits) = parts(right);
    if left_prefix.is_empty() || right_prefix.is_empty() || left_prefix != right_prefix {
        return left.cmp(right);
    }
    GroundTerm::symbol(left_digits).cmp(&GroundTerm::symbol(right_digits))
}

/// An integer, if it is in canonical form.
fn number(name: &str) -> Option<i64> {
    name.parse().ok().filter(|number: &i64| number.to_string() == name)
}

/// The letter, if the name is a single one.
fn letter(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(*letter),
        _ => None,
    }
}
