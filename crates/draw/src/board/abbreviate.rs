//! Short names for the pieces of a board, which keep its cells narrow.

use super::Piece;
use gdl::sorting;
use std::collections::{BTreeMap, BTreeSet};

/// The length up to which names are not abbreviated, in characters; if one name is longer, all are abbreviated.
const LONGEST: usize = 3;

/// The names under which pieces are drawn. If any name has more than three characters, all are abbreviated, word by
/// word (`white,pawn` and `white_pawn` and `whitePawn` have two words), each to a letter of its own: its first one that
/// no other word at its index has, the shorter words first, or else its shortest prefix that no other word has. If two
/// pieces would then have the same name, all keep their full names.
pub(super) fn names(pieces: &[Piece]) -> BTreeMap<Piece, String> {
    let full: BTreeMap<Piece, String> = pieces.iter().map(|piece| (piece.clone(), full_name(piece))).collect();
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
    let letters: Vec<BTreeMap<&str, String>> = known.iter().map(letters).collect();
    let short: Vec<String> = words.iter().map(|piece| abbreviated(piece, &letters)).collect();
    let different: BTreeSet<&String> = short.iter().collect();
    if different.len() < short.len() { full } else { pieces.iter().cloned().zip(short).collect() }
}

/// The full name of a piece.
pub(super) fn full_name(piece: &Piece) -> String {
    piece.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn abbreviated(words: &[String], letters: &[BTreeMap<&str, String>]) -> String {
    let mut name = String::new();
    for (word, letters) in words.iter().zip(letters) {
        let short = &letters[word.as_str()];
        if name.ends_with(|c: char| c.is_ascii_digit()) && short.starts_with(|c: char| c.is_ascii_digit()) {
            name.push(',');
        }
        name += short;
    }
    name
}

/// The abbreviations of words that stand at the same index; numbers are not abbreviated.
fn letters<'a>(words: &BTreeSet<&'a str>) -> BTreeMap<&'a str, String> {
    let mut sorted: Vec<&str> = words.iter().copied().collect();
    sorting::sort_by_key(&mut sorted, |word| word.chars().count() > 1);
    let mut taken = BTreeSet::new();
    let mut letters = BTreeMap::new();
    for word in sorted {
        let is_number = word.parse::<i128>().is_ok();
        let free = || word.chars().find(|letter| letter.is_alphabetic() && !taken.contains(letter));
        let short = match free() {
            _ if is_number => word.to_string(),
            Some(letter) => {
                taken.insert(letter);
                letter.to_string()
            }
            None => prefix(word, words).to_string(),
        };
        letters.insert(word, short);
    }
    letters
}

/// The shortest prefix of a word that no other word has.
fn prefix<'a>(word: &'a str, known: &BTreeSet<&str>) -> &'a str {
    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
    let is_unique = |end: &usize| !known.iter().any(|other| *other != word && other.starts_with(&word[..*end]));
    &word[..ends.into_iter().find(is_unique).unwrap_or(word.len())]
}

/// The words of a piece, term by term.
pub(super) fn piece_words(piece: &Piece) -> Vec<String> {
    let words = piece
        .iter()
        .flat_map(|term| if term.arguments.is_empty() { split(&term.name) } else { vec![term.to_string()] });
    words.collect()
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

/// The letters and the number of a name such as `s12`.
pub(super) fn numbered(name: &str) -> Option<(&str, &str)> {
    let (word, number) = name.split_at(name.find(|letter: char| letter.is_ascii_digit())?);
    let is_plain = !word.is_empty() && word.chars().all(char::is_alphabetic);
    (is_plain && number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit())).then_some((word, number))
}
