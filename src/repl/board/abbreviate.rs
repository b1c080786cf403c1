//! Short names for the pieces of a board, which keep its cells narrow.

use super::Piece;
use std::collections::{BTreeMap, BTreeSet};

/// The length up to which names are not abbreviated, in characters; if one name is longer, all are abbreviated.
const LONGEST: usize = 3;

/// The name of a piece without arguments.
const MARK: &str = "#";

/// The names under which pieces are drawn. If any name has more than three characters, all are abbreviated, word by
/// word (`white,pawn` and `white_pawn` and `whitePawn` have two words), each to the shortest prefix that no other word
/// at its index has. If two pieces would then have the same name, all keep their full names.
pub(super) fn names(pieces: &[Piece]) -> BTreeMap<&Piece, String> {
    let full: BTreeMap<&Piece, String> = pieces.iter().map(|piece| (piece, full_name(piece))).collect();
    if full.values().all(|name| name.chars().count() <= LONGEST) {
        return full;
    }
    let words: Vec<Vec<String>> = pieces.iter().map(piece_words).collect();
    let mut known: Vec<BTreeSet<&str>> = Vec::new();
    for piece in &words {
        known.resize(known.len().max(piece.len()), BTreeSet::new());
        for (index, word) in piece.iter().enumerate() {
            known[index].insert(word);
        }
    }
    let short: Vec<String> = words.iter().map(|piece| abbreviated(piece, &known)).collect();
    let different: BTreeSet<&String> = short.iter().collect();
    if different.len() < short.len() { full } else { pieces.iter().zip(short).collect() }
}

/// The full name of a piece.
pub(super) fn full_name(piece: &Piece) -> String {
    if piece.is_empty() {
        return MARK.to_string();
    }
    piece.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn abbreviated(words: &[String], known: &[BTreeSet<&str>]) -> String {
    let mut name = String::new();
    for (word, others) in words.iter().zip(known) {
        let short = shortest(word, others);
        if name.ends_with(|c: char| c.is_ascii_digit()) && short.starts_with(|c: char| c.is_ascii_digit()) {
            name.push(',');
        }
        name += short;
    }
    name
}

/// The shortest prefix of a word that no other word has; a number is not abbreviated.
fn shortest<'a>(word: &'a str, known: &BTreeSet<&str>) -> &'a str {
    if word.parse::<i128>().is_ok() {
        return word;
    }
    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
    let is_unique = |end: &usize| !known.iter().any(|other| *other != word && other.starts_with(&word[..*end]));
    &word[..ends.into_iter().find(is_unique).unwrap_or(word.len())]
}

/// The words of a piece, term by term.
fn piece_words(piece: &Piece) -> Vec<String> {
    let words = piece
        .iter()
        .flat_map(|term| if term.arguments.is_empty() { split(&term.name) } else { vec![term.to_string()] });
    let words: Vec<String> = words.collect();
    if words.is_empty() { vec![MARK.to_string()] } else { words }
}

/// The words in a name: a new one begins at a capital after a lower-case letter, at a digit after a letter, and after
/// `_` or `-`.
fn split(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = None;
    for c in name.chars() {
        let begins = before.is_some_and(|before: char| {
            (c.is_uppercase() && before.is_lowercase()) || (c.is_ascii_digit() && before.is_alphabetic())
        });
        if begins || matches!(before, Some('_' | '-')) && words.concat().chars().any(char::is_alphanumeric) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(c);
        }
        before = Some(c);
    }
    words
}
