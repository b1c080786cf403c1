//! Numbers and costs in words: what errors, answers and tables all say.

use crate::search::Cost;

/// The width of text where there is no terminal, in characters.
pub const WIDTH: usize = 80;

/// A number with commas between groups of three digits before the decimal point.
pub(crate) fn grouped(number: impl std::fmt::Display) -> String {
    let digits = number.to_string();
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut text = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
}

pub(super) fn counted(count: usize, word: &str) -> String {
    counted_as(count as u64, word, &format!("{word}s"))
}

pub(crate) fn counted_as(count: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { several })
}

/// The cost of a search, without its time.
pub(super) fn cost_text(Cost { nodes, expanded, states, depth, .. }: &Cost) -> String {
    let states = states.map_or(String::new(), |states| format!(", {}", counted_as(states, "state", "states")));
    format!("{}, {} expanded{states}, depth {depth}", counted_as(*nodes, "node", "nodes"), grouped(expanded))
}
