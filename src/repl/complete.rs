//! Completion of input lines, from the table of commands and the state of the match.

mod arguments;
mod hint;
mod options;
mod words;

pub(crate) use arguments::{last_argument, next_arguments};
pub use hint::{Hint, hint};

use super::command::{ASPECTS, ArgumentKind, commands, evaluate, find, help_topics, lesson_words, without_aspect};
use super::{Session, read};
use gdl::language::phrase::{Phrase, TypedEnd};
use gdl::rules::Keyword;
use gdl::syntax::Dialect;
use ggp_engine::{EngineKind, HEURISTICS, LIBRARY, Measure};
use std::collections::HashSet;
use words::{facts, files, fluents, legal_moves, relations, roles, roles_and_moves, written};

/// The greatest number of words that are offered.
const MOST: usize = 10_000;

/// The words that may complete the end of `line`, each list in its own order, and the byte offset where they begin.
/// Moves and facts are completed argument by argument.
pub fn complete(session: &mut Session, line: &str) -> (usize, Vec<String>) {
    let start = read::last_word(line);
    let (before, begun) = line.split_at(start);
    let first = if before.trim().is_empty() { begun } else { before.trim_start() };
    let (start, mut words) =
        if read::is_query(first) { complete_query(session, line) } else { complete_argument(session, before, begun) };
    words.truncate(MOST);
    (start, words)
}

/// The commands that say which position a line after them is about.
const POSITION: [&str; 7] = ["load", "do", "undo", "redo", "restart", "set", "format"];

/// Runs a line before the one that is completed, if it can change the position. A line that fails leaves the session as
/// it was, which is what completion needs.
pub(crate) fn follow(session: &mut Session, line: &str) {
    let (word, _) = read::word(read::without_comment(line));
    if find(word).is_ok_and(|command| POSITION.contains(&command.name)) {
        let _ = evaluate(session, line);
    }
}

/// The last argument of a command, or the last of several with commas between them.
fn complete_argument(session: &mut Session, before: &str, begun: &str) -> (usize, Vec<String>) {
    let Continuations { mut words, takes, are_listed } = candidates(session, before, begun);
    let (earlier, item) = begun.split_at(if are_listed { read::last_item(begun, ',') } else { 0 });
    let start = before.len() + earlier.len();
    match takes {
        ArgumentKind::Moves | ArgumentKind::Fact => (start, next_arguments(&words, &without_spaces(item))),
        ArgumentKind::Literal if item.contains('(') => complete_query(session, &format!("{before}{begun}")),
        _ => {
            let mut seen = HashSet::new();
            words.retain(|word| word.starts_with(item) && seen.insert(word.clone()));
            (start, words)
        }
    }
}

/// What may follow the words before.
struct Continuations {
    words: Vec<String>,
    /// Their kind.
    takes: ArgumentKind,
    /// Whether there may be several with commas between them.
    are_listed: bool,
}

fn candidates(session: &mut Session, before: &str, begun: &str) -> Continuations {
    let found = |words, takes| Continuations { words, takes, are_listed: false };
    let (first, rest) = read::word(before);
    if first.is_empty() {
        return found(commands().map(|command| command.name.to_string()).collect(), ArgumentKind::Command);
    }
    let Ok(command) = find(first) else { return found(Vec::new(), ArgumentKind::Nothing) };
    if begun.starts_with("--") && !matches!(command.takes, ArgumentKind::Command | ArgumentKind::Topic) {
        return found(options::names(command, rest), ArgumentKind::Nothing);
    }
    if let Some(value) = options::value(command, rest) {
        let mut words = value.words;
        words.extend(words_for(session, value.takes, "", begun));
        return Continuations { words, takes: value.takes, are_listed: value.are_listed };
    }
    if command.operands.starts_with("SEARCH") && rest.is_empty() {
        let words = searches(session, begun).into_iter().chain(["random".to_string()]).collect();
        return found(words, ArgumentKind::Algorithm);
    }
    if command.takes == ArgumentKind::Command {
        let mut inner = candidates(session, without_aspect(rest), begun);
        if rest.is_empty() && command.name == "expect" {
            inner.words.extend(ASPECTS.map(String::from));
        }
        return inner;
    }
    let (own, operands) = options::operand_words(command, rest);
    let takes =
        if (command.takes, operands.0) == (ArgumentKind::Rules, "save") { ArgumentKind::File } else { command.takes };
    found(own.into_iter().chain(words_for(session, takes, operands.1, begun)).collect(), takes)
}

/// The words of a kind, of which `operands` have been given before.
fn words_for(session: &mut Session, takes: ArgumentKind, operands: &str, begun: &str) -> Vec<String> {
    let dialect = if begun.starts_with('(') { Dialect::Prefix } else { session.dialect() };
    let strings = |names: &mut dyn Iterator<Item = &str>| names.map(str::to_string).collect();
    match takes {
        ArgumentKind::Nothing | ArgumentKind::Command => Vec::new(),
        ArgumentKind::Relation | ArgumentKind::Rules | ArgumentKind::Literal => relations(session),
        ArgumentKind::Heuristic => {
            let computed = Measure::ALL.iter().map(|measure| measure.name().to_string());
            let library = HEURISTICS.iter().map(|sheet| sheet.name.to_string());
            computed.chain(library).chain(files(session, begun)).collect()
        }
        ArgumentKind::Dialect => strings(&mut Dialect::ALL.into_iter().map(Dialect::name)),
        ArgumentKind::Engine => EngineKind::ALL.iter().map(ToString::to_string).collect(),
        ArgumentKind::Game => {
            let library = LIBRARY.iter().map(|sheet| sheet.name.to_string());
            library.chain(files(session, begun)).collect()
        }
        ArgumentKind::File => files(session, begun),
        ArgumentKind::Algorithm => searches(session, &begun[read::last_item(begun, ',')..]),
        ArgumentKind::Lesson => strings(&mut lesson_words()),
        ArgumentKind::Topic => strings(&mut help_topics()),
        ArgumentKind::Role => roles(session),
        ArgumentKind::Fact => session.current().map(|current| facts(current, begun, dialect)).unwrap_or_default(),
        ArgumentKind::Fluent => session.current().map(|current| fluents(&current.game.rules)).unwrap_or_default(),
        ArgumentKind::Moves => {
            let given = read::words(operands).count();
            session.current().ok().and_then(|current| legal_moves(current, given, dialect)).unwrap_or_default()
        }
    }
}

/// What a search with its options may become that begins like this.
fn searches(session: &mut Session, begun: &str) -> Vec<String> {
    let Some((start, value)) = options::end_of_search(begun) else { return Vec::new() };
    let (before, typed) = begun.split_at(start);
    let more = words_for(session, value.takes, "", typed);
    value.words.iter().chain(&more).map(|word| format!("{before}{word}")).collect()
}

/// A term without the spaces between its arguments, as it is listed; those of a prefix term belong to it.
pub(crate) fn without_spaces(term: &str) -> String {
    if term.starts_with('(') { term.to_string() } else { term.split_whitespace().collect() }
}

/// The end of a query: a fact of the state within `true`, a role and its legal moves within `legal` and `does`, a role
/// within `goal`; elsewhere a name of the rules that can stand there.
fn complete_query(session: &mut Session, line: &str) -> (usize, Vec<String>) {
    let query = line.len() - line.trim_start().strip_prefix("?-").unwrap_or(line).len();
    let phrase = Phrase::new(&line[query..]);
    let dialect = phrase.dialect();
    let Ok(current) = session.current() else { return (line.len(), Vec::new()) };
    match phrase.typed(&current.game.rules) {
        TypedEnd::ArgumentsOf(keyword, start) => {
            let words = match keyword {
                Keyword::True => facts(current, "", dialect),
                Keyword::Legal | Keyword::Does => roles_and_moves(current, dialect),
                Keyword::Init | Keyword::Next | Keyword::Base => fluents(&current.game.rules),
                Keyword::Goal | Keyword::Role | Keyword::Input | Keyword::Sees => roles(session),
                Keyword::Terminal => Vec::new(),
            };
            let start = query + start;
            let begun = match dialect {
                Dialect::Prefix => line[start..].to_string(),
                Dialect::Infix => without_spaces(&line[start..]),
            };
            (start, next_arguments(&words, &begun))
        }
        TypedEnd::Name(names, start) => {
            let start = query + start;
            let mut words = written(names, dialect);
            words.retain(|name| name.starts_with(&line[start..]));
            (start, words)
        }
    }
}
