//! What each word and sign of a line that is being typed is, as far as the commands and the loaded game tell.

use crate::repl::command::{ASPECTS, Command, Takes, find};
use crate::repl::read;
use crate::rules::RuleSet;
use std::ops::Range;

/// The kind of a piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The name of a command, which may be abbreviated.
    Command,
    /// An option of the command.
    Option,
    /// A relation or function of the rules, before its arguments.
    Relation,
    /// A variable.
    Variable,
    /// A command, an option or a name that is not known.
    Unknown,
    /// Words in quotation marks.
    Quoted,
    /// A comment.
    Comment,
    /// A bracket that is still open, or one that closes nothing.
    LooseBracket,
    /// A bracket next to the cursor, or the one that matches it.
    Pair,
}

/// The pieces of a line that have a kind, as ranges of bytes in order. The cursor is before byte `at`.
pub(super) fn pieces(line: &str, at: usize, rules: Option<&RuleSet>) -> Vec<(Range<usize>, Kind)> {
    let text = &line[..read::comment(line)];
    let quotes = quotes(text);
    let is_outside = |start: usize| !quotes.iter().any(|quoted| quoted.contains(&start));
    let mut words = words(text);
    words.retain(|word| is_outside(word.start));
    let mut pieces = Names { text, at, rules, pieces: Vec::new() }.of_line(&words);
    pieces.extend(brackets(text, at).into_iter().filter(|(range, _)| is_outside(range.start)));
    pieces.extend(quotes.into_iter().map(|quoted| (quoted, Kind::Quoted)));
    pieces.push((text.len()..line.len(), Kind::Comment));
    pieces.sort_by_key(|(range, _)| range.start);
    pieces
}

/// The texts in quotation marks; the last one may be open.
fn quotes(text: &str) -> Vec<Range<usize>> {
    let mut marks: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
    if marks.len() % 2 == 1 {
        marks.push(text.len());
    }
    marks.chunks(2).map(|pair| pair[0]..(pair[1] + 1).min(text.len())).collect()
}

/// The words: what spaces, brackets and the signs of formulas leave.
fn words(text: &str) -> Vec<Range<usize>> {
    let is_between = |c: char| c.is_whitespace() || "()[],&|~\":".contains(c);
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if is_between(c) {
            words.extend(start.take().map(|start| start..at));
        } else {
            start = start.or(Some(at));
        }
    }
    words
}

/// The brackets without a partner, and the pair of which one is next to the cursor.
fn brackets(text: &str, at: usize) -> Vec<(Range<usize>, Kind)> {
    let (mut open, mut found, mut pair) = (Vec::new(), Vec::new(), None);
    for (offset, c) in text.char_indices() {
        match c {
            '(' | '[' => open.push(offset),
            ')' | ']' => match open.pop() {
                Some(before) if [before, offset, before + 1, offset + 1].contains(&at) => {
                    pair = pair.or(Some([before, offset]));
                }
                Some(_) => {}
                None => found.push((offset, Kind::LooseBracket)),
            },
            _ => {}
        }
    }
    found.extend(open.into_iter().map(|offset| (offset, Kind::LooseBracket)));
    found.extend(pair.into_iter().flatten().map(|offset| (offset, Kind::Pair)));
    found.into_iter().map(|(offset, kind)| (offset..offset + 1, kind)).collect()
}

/// The words of a line, and their kinds so far.
struct Names<'a> {
    text: &'a str,
    at: usize,
    rules: Option<&'a RuleSet>,
    pieces: Vec<(Range<usize>, Kind)>,
}

impl Names<'_> {
    /// The kinds of the words of a line; a command that takes another command is followed by a line.
    fn of_line(mut self, words: &[Range<usize>]) -> Vec<(Range<usize>, Kind)> {
        let mut words = words;
        while let [first, rest @ ..] = words {
            let line = self.text[..first.start].rfind(char::is_whitespace).map_or(0, |space| space + 1);
            if read::is_query(&self.text[line..]) {
                self.add_names(words);
                break;
            }
            match find(&self.text[first.clone()]) {
                Ok(command) => {
                    self.pieces.push((first.clone(), Kind::Command));
                    if command.takes != Takes::Command {
                        self.add_arguments(command, rest);
                        break;
                    }
                    let is_said = |word: &&Range<usize>| ASPECTS.contains(&&self.text[(*word).clone()]);
                    words = &rest[rest.iter().take_while(is_said).count()..];
                }
                Err(_) => {
                    self.pieces.extend((!self.is_begun(first)).then(|| (first.clone(), Kind::Unknown)));
                    break;
                }
            }
        }
        self.pieces
    }

    /// Adds the words after a command.
    fn add_arguments(&mut self, command: &Command, words: &[Range<usize>]) {
        let said = |word: &Range<usize>| {
            command.operands.split(|c: char| !c.is_alphabetic()).any(|own| own == &self.text[word.clone()])
        };
        let adds_rules = command.takes == Takes::Rules && words.first().is_some_and(said);
        let inside = matches!(command.takes, Takes::Moves | Takes::Literal | Takes::Fact | Takes::Rules) && !adds_rules;
        let outside = matches!(command.takes, Takes::Moves | Takes::Role | Takes::Relation | Takes::Literal);
        let mut is_before_options = true;
        let mut names = Vec::new();
        for word in words {
            let text = &self.text[word.clone()];
            if text.starts_with("--") && self.depth(word) == 0 {
                is_before_options = false;
                let names = || command.every_option().map(|option| option.name);
                let is_known = names().any(|name| name == text)
                    || self.is_begun(word) && names().any(|name| name.starts_with(text));
                self.pieces.push((word.clone(), if is_known { Kind::Option } else { Kind::Unknown }));
            } else if if self.depth(word) > 0 || self.text[word.end..].starts_with('(') {
                inside
            } else {
                outside && is_before_options && !said(word)
            } {
                names.push(word.clone());
            }
        }
        self.add_names(&names);
    }

    /// Adds names of relations, functions and objects, and variables.
    fn add_names(&mut self, words: &[Range<usize>]) {
        let words =
            if words.first().is_some_and(|word| &self.text[word.clone()] == "?-") { &words[1..] } else { words };
        let is_prefix = words.first().is_some_and(|word| self.text[..word.start].ends_with('('));
        for word in words {
            let text = &self.text[word.clone()];
            let is_variable =
                text.starts_with('?') || !is_prefix && text.starts_with(|c: char| c.is_uppercase() || c == '_');
            let is_name =
                text.starts_with(char::is_alphabetic) && !["not", "and", "or", "distinct", "after"].contains(&text);
            let takes_arguments =
                self.text[word.end..].starts_with('(') || is_prefix && self.text[..word.start].ends_with('(');
            let kind = match self.rules {
                _ if is_variable => Some(Kind::Variable),
                Some(rules) if is_name => match rules.symbols.get(text) {
                    Some(_) if takes_arguments => Some(Kind::Relation),
                    Some(_) => None,
                    None if self.is_begun(word) && rules.symbols.begins(text) => None,
                    None => Some(Kind::Unknown),
                },
                _ => None,
            };
            self.pieces.extend(kind.map(|kind| (word.clone(), kind)));
        }
    }

    /// Whether the cursor is at the end of the word, so that more of it may come.
    fn is_begun(&self, word: &Range<usize>) -> bool {
        word.end == self.at
    }

    /// The number of brackets that are open before a word.
    fn depth(&self, word: &Range<usize>) -> usize {
        self.text[..word.start].chars().fold(0_usize, |depth, c| match c {
            '(' | '[' => depth + 1,
            ')' | ']' => depth.saturating_sub(1),
            _ => depth,
        })
    }
}
