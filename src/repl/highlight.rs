//! The colours of a line that is being typed: commands and options, relations, variables, names that are not known,
//! brackets, comments.

use super::command::{ASPECTS, ArgumentKind, Command, find};
use super::read;
use anstyle::{AnsiColor, Style};
use gdl::language::WordKind;
use gdl::language::phrase::Phrase;
use gdl::rules::RuleSet;
use gdl::sorting;
use gdl::syntax::Span;
use std::ops::Range;

/// A line with its colours as escape sequences; `earlier` are the lines that it continues, and the cursor is before
/// byte `at`. Names are looked up in `rules`, those of the loaded game. Linear in the length of the lines and, for a
/// name that is being typed, in the number of names of the game.
pub fn line(earlier: &str, line: &str, at: usize, rules: Option<&RuleSet>) -> String {
    let whole = format!("{earlier}{line}");
    let mut text = String::new();
    let mut end = earlier.len();
    for (range, kind) in pieces(&whole, earlier.len() + at, rules) {
        // Pieces of earlier lines are painted already, and of overlapping pieces the first counts.
        if range.start < end || range.is_empty() {
            continue;
        }
        text += &whole[end..range.start];
        text += &painted(style(kind), &whole[range.clone()]);
        end = range.end;
    }
    text + &whole[end..]
}

fn style(kind: HighlightKind) -> Style {
    match kind {
        HighlightKind::Command => Style::new().bold(),
        HighlightKind::Option => coloured(AnsiColor::Cyan),
        HighlightKind::Relation => coloured(AnsiColor::Blue),
        HighlightKind::Variable => coloured(AnsiColor::Magenta),
        HighlightKind::Unknown => coloured(AnsiColor::Red),
        HighlightKind::Quoted => coloured(AnsiColor::Green),
        HighlightKind::Comment => Style::new().dimmed(),
        HighlightKind::LooseBracket => coloured(AnsiColor::Yellow).bold(),
        HighlightKind::Pair => coloured(AnsiColor::Blue).bold(),
    }
}

/// Letters of this colour.
pub(super) fn coloured(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(colour.into()))
}

/// A text in a style, and the usual style after it.
pub(super) fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The kind of a piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HighlightKind {
    /// The name of a command, which may be abbreviated.
    Command,
    /// An option of the command.
    Option,
    /// A relation or function of the rules, before its arguments.
    Relation,
    Variable,
    /// A command, an option or a name that is not known.
    Unknown,
    /// Words in quotation marks.
    Quoted,
    Comment,
    /// A bracket that is still open, or one that closes nothing.
    LooseBracket,
    /// A bracket next to the cursor, or the one that matches it.
    Pair,
}

/// The pieces of a line that have a kind, as ranges of bytes in order. The cursor is before byte `at`.
fn pieces(line: &str, at: usize, rules: Option<&RuleSet>) -> Vec<(Range<usize>, HighlightKind)> {
    let text = &line[..read::comment(line)];
    let quotes = quotes(text);
    let is_outside = |start: usize| !quotes.iter().any(|quoted| quoted.contains(&start));
    let mut words = words(text);
    words.retain(|word| is_outside(word.range.start));
    let mut pieces = LineWords { text, at, rules, pieces: Vec::new() }.of_line(&words);
    pieces.extend(loose_and_paired(text, at).into_iter().filter(|(range, _)| is_outside(range.start)));
    pieces.extend(quotes.into_iter().map(|quoted| (quoted, HighlightKind::Quoted)));
    pieces.push((text.len()..line.len(), HighlightKind::Comment));
    sorting::sort_by_key(&mut pieces, |(range, _)| range.start);
    pieces
}

/// The texts in quotation marks; the last one may be open.
fn quotes(text: &str) -> Vec<Range<usize>> {
    let mut quotes: Vec<Range<usize>> = read::quotes(text).collect();
    quotes.extend(read::open_quote(text).map(|start| start..text.len()));
    quotes
}

/// A word: what spaces, brackets and the signs of formulas leave.
#[derive(Clone)]
struct LineWord {
    range: Range<usize>,
    /// The number of brackets that are open before it.
    depth: usize,
}

fn words(text: &str) -> Vec<LineWord> {
    let is_between = |c: char| c.is_whitespace() || "()[],&|~\":".contains(c);
    let mut words = Vec::new();
    let mut start = None;
    let mut depth = 0_usize;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if !is_between(c) {
            start = start.or(Some(at));
            continue;
        }
        words.extend(start.take().map(|start| LineWord { range: start..at, depth }));
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    words
}

/// The brackets without a partner, and the pair of which one is next to the cursor.
fn loose_and_paired(text: &str, at: usize) -> Vec<(Range<usize>, HighlightKind)> {
    let mut open = Vec::new();
    let mut found = Vec::new();
    let mut pair = None;
    for (offset, c) in read::brackets(text) {
        match c {
            '(' | '[' => open.push(offset),
            _ => match open.pop() {
                Some(before) if [before, offset, before + 1, offset + 1].contains(&at) => {
                    pair = pair.or(Some([before, offset]));
                }
                Some(_) => {}
                None => found.push((offset, HighlightKind::LooseBracket)),
            },
        }
    }
    found.extend(open.into_iter().map(|offset| (offset, HighlightKind::LooseBracket)));
    found.extend(pair.into_iter().flatten().map(|offset| (offset, HighlightKind::Pair)));
    found.into_iter().map(|(offset, kind)| (offset..offset + 1, kind)).collect()
}

/// The words of a line, and their kinds so far.
struct LineWords<'a> {
    text: &'a str,
    at: usize,
    rules: Option<&'a RuleSet>,
    pieces: Vec<(Range<usize>, HighlightKind)>,
}

impl LineWords<'_> {
    /// The kinds of the words of a line; a command that takes another command is followed by a line.
    fn of_line(mut self, words: &[LineWord]) -> Vec<(Range<usize>, HighlightKind)> {
        let mut words = words;
        while let [first, rest @ ..] = words {
            let line = self.text_before(first).rfind(char::is_whitespace).map_or(0, |space| space + 1);
            if read::is_query(&self.text[line..]) {
                self.add_names(words);
                break;
            }
            match find(self.word(first)) {
                Ok(command) => {
                    self.add(first, HighlightKind::Command);
                    if command.takes != ArgumentKind::Command {
                        self.add_arguments(command, rest);
                        break;
                    }
                    // The command within this one is read in the next round.
                    words = &rest[rest.iter().take_while(|word| ASPECTS.contains(&self.word(word))).count()..];
                }
                Err(_) => {
                    if !self.is_begun(first) {
                        self.add(first, HighlightKind::Unknown);
                    }
                    break;
                }
            }
        }
        self.pieces
    }

    /// Adds the words after a command.
    fn add_arguments(&mut self, command: &Command, words: &[LineWord]) {
        let is_own = |word: &str| command.operands.split(|c: char| !c.is_alphabetic()).any(|own| own == word);
        // New names are what `rules add` is for.
        let adds_rules =
            command.takes == ArgumentKind::Rules && words.first().is_some_and(|word| is_own(self.word(word)));
        let inside = matches!(
            command.takes,
            ArgumentKind::Moves | ArgumentKind::Literal | ArgumentKind::Fact | ArgumentKind::Rules
        ) && !adds_rules;
        let mut outside = matches!(
            command.takes,
            ArgumentKind::Moves | ArgumentKind::Role | ArgumentKind::Relation | ArgumentKind::Literal
        );
        let mut names = Vec::new();
        for word in words {
            let text = self.word(word);
            let is_inside = word.depth > 0 || self.text_after(word).starts_with('(');
            if text.starts_with("--") && word.depth == 0 {
                self.add_option(command, word);
                outside = false;
            } else if is_inside && inside || !is_inside && outside && !is_own(text) {
                names.push(word.clone());
            }
        }
        self.add_names(&names);
    }

    fn add_option(&mut self, command: &Command, word: &LineWord) {
        let text = self.word(word);
        let begins = |name: &str| name == text || self.is_begun(word) && name.starts_with(text);
        let is_known = command.every_option().any(|option| begins(option.name));
        self.add(word, if is_known { HighlightKind::Option } else { HighlightKind::Unknown });
    }

    /// Adds names of relations, functions and objects, and variables, as the language service reads them.
    fn add_names(&mut self, words: &[LineWord]) {
        let Some(first) = words.iter().find(|word| self.word(word) != "?-") else { return };
        let start = self.text_before(first).trim_end_matches(['(', '[', '~']).len();
        let phrase = Phrase::new(&self.text[start..]);
        let mut read = phrase.words().peekable();
        for word in words.iter().filter(|word| word.range.start >= start) {
            while read.next_if(|(span, _)| start + (span.start as usize) < word.range.start).is_some() {}
            let whole = |span: &Span| span.range() == (word.range.start - start..word.range.end - start);
            let Some((_, kind)) = read.next_if(|(span, _)| whole(span)) else { continue };
            if let Some(kind) = self.kind(word, kind) {
                self.add(word, kind);
            }
        }
    }

    /// The kind of a name or variable; `None` for an object of the game and for what is neither.
    fn kind(&self, word: &LineWord, kind: WordKind) -> Option<HighlightKind> {
        let is_applied = match kind {
            WordKind::Variable => return Some(HighlightKind::Variable),
            WordKind::Connective | WordKind::Number | WordKind::Comment => return None,
            WordKind::Keyword | WordKind::Relation | WordKind::Function => true,
            WordKind::Object => false,
        };
        let text = self.word(word);
        let rules = self.rules?;
        match rules.symbols.get(text) {
            Some(_) => is_applied.then_some(HighlightKind::Relation),
            None if text == AFTER => None,
            None => (!self.is_begun(word) || !rules.symbols.begins(text)).then_some(HighlightKind::Unknown),
        }
    }

    fn add(&mut self, word: &LineWord, kind: HighlightKind) {
        self.pieces.push((word.range.clone(), kind));
    }

    fn word(&self, word: &LineWord) -> &str {
        &self.text[word.range.clone()]
    }

    fn text_before(&self, word: &LineWord) -> &str {
        &self.text[..word.range.start]
    }

    fn text_after(&self, word: &LineWord) -> &str {
        &self.text[word.range.end..]
    }

    /// True if the cursor is at the end of the word, so that more of it may come.
    fn is_begun(&self, word: &LineWord) -> bool {
        word.range.end == self.at
    }
}

/// The word between the arguments of commands that is no name.
const AFTER: &str = "after";
