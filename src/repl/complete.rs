//! Completion of input lines, from the table of commands and the state of the match.

use super::command::{Command, OptionValue, Takes, commands, find, help_topics, lesson_words};
use super::{Session, read};
use crate::engine::{EngineKind, HEURISTICS, LIBRARY, Measure, promised};
use crate::game::{Reasoner, Role};
use crate::repl::session::Match;
use crate::rules::{Keyword, Pattern, RuleSet};
use crate::syntax::Dialect;
use std::path::Path;

/// The words that may complete the end of `line`, sorted, and the byte offset where they begin.
pub fn complete(session: &mut Session, line: &str) -> (usize, Vec<String>) {
    let start = read::last_word(line);
    let (before, begun) = line.split_at(start);
    let first = if before.trim().is_empty() { begun } else { before.trim_start() };
    if read::is_query(first) {
        return complete_query(session, line);
    }
    let mut words = candidates(session, before, begun);
    words.retain(|word| word.starts_with(begun));
    (start, words)
}

/// A dimmed text after a line that is being typed.
pub struct Hint {
    /// The text to show after the cursor.
    pub(crate) text: String,
    /// The number of bytes that are inserted when the hint is accepted; the rest only describes what may follow.
    pub(crate) taken: usize,
}

/// The rest of a command's name, if only one begins like this, and its arguments.
pub fn hint(line: &str) -> Option<Hint> {
    let (first, rest) = read::word(line);
    if first.is_empty() || !rest.is_empty() || read::is_query(line) {
        return None;
    }
    let command = find(first).ok()?;
    let is_typed = line.ends_with(char::is_whitespace);
    let name = if is_typed { "" } else { command.name.strip_prefix(first)? };
    let arguments = command.arguments();
    let space = if is_typed || arguments.is_empty() { "" } else { " " };
    let text = format!("{name}{space}{arguments}");
    Some(Hint { taken: name.len(), text }).filter(|hint| !hint.text.is_empty())
}

/// All words that may follow the words before.
fn candidates(session: &mut Session, before: &str, begun: &str) -> Vec<String> {
    let (first, rest) = read::word(before);
    if first.is_empty() {
        return commands().map(|command| command.name.to_string()).collect();
    }
    let Ok(command) = find(first) else { return Vec::new() };
    if begun.starts_with("--") && !matches!(command.takes, Takes::Command | Takes::Topic) {
        return options(command);
    }
    let takes = option_before(command, rest).unwrap_or(command.takes);
    match takes {
        Takes::Nothing => Vec::new(),
        Takes::Relation => relations(session),
        Takes::Rules => match read::word(rest) {
            ("", _) => relations(session).into_iter().chain(["add", "save"].map(str::to_string)).collect(),
            ("save", _) => files(session.directory(), begun),
            _ => relations(session),
        },
        Takes::Literal => {
            let mut words = relations(session);
            words.extend(["not", "after", "--depth"].map(str::to_string));
            words
        }
        Takes::Heuristic => {
            let computed = Measure::ALL.iter().map(|measure| measure.name().to_string());
            let library = HEURISTICS.iter().map(|sheet| sheet.name.to_string());
            computed.chain(library).chain(files(session.directory(), begun)).collect()
        }
        Takes::Dialect => Dialect::ALL.iter().map(|dialect| dialect.name().to_string()).collect(),
        Takes::Engine => EngineKind::ALL.iter().map(ToString::to_string).collect(),
        Takes::Game => {
            let library = LIBRARY.iter().map(|sheet| sheet.name.to_string());
            library.chain(files(session.directory(), begun)).collect()
        }
        Takes::File => files(session.directory(), begun),
        Takes::Lesson => lesson_words().map(str::to_string).collect(),
        Takes::Topic => help_topics().map(str::to_string).collect(),
        Takes::Command => candidates(session, without_aspect(rest), begun),
        Takes::Role => session
            .current()
            .map(|current| current.roles().iter().map(ToString::to_string).collect())
            .unwrap_or_default(),
        Takes::Fact => {
            let dialect = session.dialect();
            session.current().map(|current| facts(current, begun, dialect)).unwrap_or_default()
        }
        Takes::Fluent => session.current().map(|current| fluents(&current.game.rules)).unwrap_or_default(),
        Takes::Moves => {
            let given = read::split_outside_parentheses(rest, ' ').len();
            let dialect = session.dialect();
            session.current().ok().and_then(|current| legal_moves(current, given, dialect)).unwrap_or_default()
        }
    }
}

/// The names of the options of a command.
fn options(command: &Command) -> Vec<String> {
    let mut options: Vec<String> = command.every_option().map(|option| option.name.to_string()).collect();
    options.sort();
    options
}

/// The completion for the option whose value is typed next, if there is one.
fn option_before(command: &Command, rest: &str) -> Option<Takes> {
    let words: Vec<&str> = read::words(rest).map(|range| &rest[range]).collect();
    let option = |word: Option<&&str>| command.every_option().find(|option| word == Some(&option.name));
    match (option(words.last()), option(words.iter().rev().nth(1))) {
        (Some(option), _) => match option.value {
            OptionValue::Word { .. } => Some(option.completes),
            OptionValue::TwoWords { .. } => Some(Takes::Nothing),
            OptionValue::Nothing | OptionValue::OptionalNumber { .. } | OptionValue::OptionalChoice { .. } => None,
        },
        (None, Some(option)) if matches!(option.value, OptionValue::TwoWords { .. }) => Some(option.completes),
        _ => None,
    }
}

/// The facts of the current state; after `-` as well, and after `+` those of `base` that do not hold.
fn facts(current: &mut Match, begun: &str, dialect: Dialect) -> Vec<String> {
    let (reasoner, state) = current.position();
    let holding = reasoner.facts(state);
    let (sign, facts) = match begun.chars().next() {
        Some('+') => {
            let base = promised(&mut current.game, Keyword::Base).ok().flatten().into_iter().flatten().flatten();
            ("+", base.filter(|fact| holding.binary_search(fact).is_err()).collect())
        }
        Some('-') => ("-", holding),
        _ => ("", holding),
    };
    facts.iter().map(|fact| format!("{sign}{}", fact.display(dialect))).collect()
}

/// The legal moves that may follow `given` moves: those of the only role that has a choice, or of the next role.
fn legal_moves(current: &mut Match, given: usize, dialect: Dialect) -> Option<Vec<String>> {
    let joint_moves = current.joint_moves().ok()?;
    let role = match joint_moves.choosing()[..] {
        [role] if given == 0 => role,
        _ if given < current.roles().len() => Role::new(given),
        _ => return None,
    };
    let reasoner = &current.game.interpreter;
    let text = |&chosen| reasoner.move_term(chosen).display(dialect).to_string();
    Some(joint_moves.legal(role).iter().map(text).collect())
}

/// The relations of the facts that `base`, `init` and `next` define.
fn fluents(rules: &RuleSet) -> Vec<String> {
    let is_about_facts =
        |relation| matches!(rules.keyword_of(relation), Some(Keyword::Base | Keyword::Init | Keyword::Next));
    let heads = rules.clauses.iter().map(|clause| &clause.head).filter(|head| is_about_facts(head.relation));
    let name = |fact: &Pattern| match fact {
        Pattern::Compound(name, _) => Some(rules.symbols.name(*name).to_string()),
        Pattern::Symbol(_) | Pattern::Variable(_) => None,
    };
    let mut names: Vec<String> = heads.filter_map(|head| name(head.arguments.first()?)).collect();
    names.sort();
    names.dedup();
    names
}

/// Removes the word that `expect` accepts before a command.
fn without_aspect(words: &str) -> &str {
    let (first, rest) = read::word(words);
    if matches!(first, "not" | "error" | "count" | "nodes") { rest } else { words }
}

/// The relations that may complete the end of a query.
fn complete_query(session: &mut Session, line: &str) -> (usize, Vec<String>) {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let start = line.char_indices().rev().take_while(|&(_, c)| is_name(c)).last().map_or(line.len(), |(at, _)| at);
    let mut names = relations(session);
    names.retain(|name| name.starts_with(&line[start..]));
    (start, names)
}

/// The names of the relations that the rules define, and `true`.
fn relations(session: &mut Session) -> Vec<String> {
    let Ok(current) = session.current() else { return Vec::new() };
    let rules = &current.game.rules;
    let mut names: Vec<String> =
        rules.clauses.iter().map(|clause| rules.relation_name(clause.head.relation).to_string()).collect();
    names.push("true".to_string());
    names.sort();
    names.dedup();
    names
}

/// The files and directories with this path prefix.
fn files(directory: &Path, begun: &str) -> Vec<String> {
    let (parent, _) = begun.split_at(begun.rfind('/').map_or(0, |at| at + 1));
    let Ok(entries) = std::fs::read_dir(directory.join(parent)) else { return Vec::new() };
    let mut paths: Vec<String> = entries
        .flatten()
        .map(|entry| {
            let slash = if entry.path().is_dir() { "/" } else { "" };
            format!("{parent}{}{slash}", entry.file_name().to_string_lossy())
        })
        .filter(|path| path.starts_with(begun) && (begun.contains('/') || !path.starts_with('.')))
        .collect();
    paths.sort();
    paths
}
