//! "Did you mean": the known names nearest to an unknown one.
//!
//! Messages about misspelt keywords, games, commands and moves all use it, so that the criterion is the same
//! everywhere.

use crate::sorting;

/// Up to three of `candidates` that are near to `name`, the nearest first, and equally near ones in the order given.
///
/// A candidate is near if at most a third of the letters (at least one) are inserted, deleted, replaced or swapped with
/// their neighbour, ignoring case; or if one name is a prefix of the other (two letters or more). Quadratic in the
/// length of the names.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    nearest_of(name, &mut candidates.into_iter())
}

/// [`nearest`], compiled once for all kinds of iterators.
fn nearest_of<'a>(name: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = name.to_lowercase();
    let mut near: Vec<(usize, &str)> = Vec::new();
    for candidate in candidates {
        let letters = candidate.to_lowercase();
        let distance = strsim::osa_distance(&wanted, &letters);
        let own = wanted.chars().count();
        let others = letters.chars().count();
        let begins = own.min(others) >= 2 && (letters.starts_with(&wanted) || wanted.starts_with(&letters));
        let allowed = (own.max(others) / 3).max(1);
        // Names without a letter in common are not near, however short they are.
        if distance <= allowed && distance < own.max(others).max(1) || begins {
            near.push((distance, candidate));
        }
    }
    sorting::sort_by_key(&mut near, |&(distance, _)| distance);
    near.truncate(3);
    near.into_iter().map(|(_, candidate)| candidate).collect()
}

/// The question whether one of these names was meant.
pub fn did_you_mean<T: std::fmt::Display>(near: &[T]) -> String {
    format!("did you mean {}?", alternatives(near))
}

/// As [`did_you_mean`], with each name in backquotes.
pub(crate) fn did_you_mean_names(near: &[&str]) -> String {
    did_you_mean(&near.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
}

/// The end of a message about an unknown name: the question whether one of these names was meant, after a semicolon, or
/// another text if there is none.
pub fn did_you_mean_or<T: std::fmt::Display>(near: &[T], otherwise: &str) -> String {
    if near.is_empty() { otherwise.to_string() } else { format!("; {}", did_you_mean(near)) }
}

/// The hint for a name that is none of a few: those that are near, or else all.
pub fn near_or_all(name: &str, known: &[&str]) -> String {
    match &nearest(name, known.iter().copied())[..] {
        [] => format!("there is {}", alternatives(known)),
        near => did_you_mean(near),
    }
}

/// Names as a list of alternatives: `a`, `a or b`, `a, b or c`.
pub fn alternatives<T: std::fmt::Display>(names: &[T]) -> String {
    match names {
        [] => String::new(),
        [only] => only.to_string(),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(ToString::to_string).collect();
            format!("{} or {last}", first.join(", "))
        }
    }
}
