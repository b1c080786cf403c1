//! Completion of input lines, from the table of commands and the state of the match, and hints at what may follow. Terms
//! are completed argument by argument: `mark(` first, then each first argument, then each second one.

use super::command::moves::after_line;
use super::command::{
    ASPECTS, ArgumentKind, Command, commands, end_of_options, find, help_topics, is_search, lesson_words, task_words,
    without_aspect,
};
use super::session::Match;
use super::{Session, read};
use gdl::language::names::{self, Names};
use gdl::language::phrase::{Phrase, TypedEnd};
use gdl::rules::{GroundTerm, Keyword, RuleSet, codes};
use gdl::sorting;
use gdl::syntax::Dialect;
use ggp_engine::{COURSE, EngineKind, HEURISTICS, LIBRARY, Measure, promised};
use ggp_game::{JointMoves, Reasoner, Role};
use ggp_play::ask::spec::{ExpectedWord, NamedOption, TextValue, ValueKind, split};
use std::collections::HashSet;
use std::path::Path;

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
#[cfg(feature = "cli")]
const POSITION: [&str; 7] = ["load", "do", "undo", "redo", "restart", "set", "format"];

/// Runs a line before the one that is completed, if it can change the position. A line that fails leaves the session as
/// it was, which is what completion needs.
#[cfg(feature = "cli")]
pub(crate) fn follow(session: &mut Session, line: &str) {
    let (word, _) = read::word(read::without_comment(line));
    if find(word).is_ok_and(|command| POSITION.contains(&command.name)) {
        let _ = super::evaluate(session, line);
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

/// Possible next words of a line.
struct Continuations {
    words: Vec<String>,
    /// Kind of these words, or of further ones that may stand in their place.
    takes: ArgumentKind,
    /// True if the line may have several of them with commas between them.
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
        return found(option_names(command, rest), ArgumentKind::Nothing);
    }
    if let Some(mut value) = option_value(command, rest) {
        value.words.extend(words_for(session, value.takes, "", begun));
        return value;
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
    let (own, operands) = operand_words(command, rest);
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
        ArgumentKind::Literal => relations(session),
        ArgumentKind::Relation | ArgumentKind::Rules => {
            let facts = session.current().map(|current| names::fluents(&current.game.rules)).unwrap_or_default();
            let mut words = [relations(session), written(facts, Dialect::Infix)].concat();
            words.sort();
            words.dedup();
            words
        }
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
        ArgumentKind::Task => strings(&mut task_words()),
        ArgumentKind::Code => strings(&mut codes().iter().map(|code| code.id)),
        ArgumentKind::Topic => strings(&mut help_topics()),
        ArgumentKind::Role => roles(session),
        ArgumentKind::Fact => session.current().map(|current| facts(current, begun, dialect)).unwrap_or_default(),
        ArgumentKind::Fluent => session.current().map(|current| fluents(&current.game.rules)).unwrap_or_default(),
        ArgumentKind::Moves => {
            session.current().map(|current| legal_moves(current, operands, dialect)).unwrap_or_default()
        }
    }
}

/// The searches with options that begin like this.
fn searches(session: &mut Session, begun: &str) -> Vec<String> {
    let Some((start, value)) = end_of_search(begun) else { return Vec::new() };
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
                Keyword::Goal | Keyword::Role | Keyword::Input | Keyword::Sees | Keyword::Percept => roles(session),
                Keyword::Terminal => Vec::new(),
            };
            let start = query + start;
            let begun = match dialect {
                Dialect::Prefix => line[start..].to_string(),
                Dialect::Infix | Dialect::Operations => without_spaces(&line[start..]),
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

/// The facts that may complete the word: those of the current state, or after `+` those of `base` that do not hold. A
/// typed sign (`+` or `-`) stands before each.
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

/// The legal moves that may follow the moves of a text: those of the only role that has a choice, or of the next role of
/// a joint move; and those after the text, if it is a line.
fn legal_moves(current: &mut Match, text: &str, dialect: Dialect) -> Vec<String> {
    let given = read::words(text).count();
    let mut words = Vec::new();
    let Ok(joint_moves) = current.joint_moves() else { return words };
    let role = match joint_moves.choosing()[..] {
        [role] if given == 0 => Some(role),
        _ if given < current.roles().len() => Some(Role::new(given)),
        _ => None,
    };
    let mut add = |current: &Match, joint_moves: &JointMoves, role: Role| {
        let reasoner = &current.game.interpreter;
        let moves = joint_moves.legal(role).iter().map(|&chosen| reasoner.move_term(chosen));
        let moves = moves.filter(|chosen| !current.game.rules.is_idle(chosen));
        words.extend(moves.map(|chosen| chosen.display(dialect).to_string()));
    };
    if let Some(role) = role {
        add(current, &joint_moves, role);
    }
    if given > 0
        && let Some((_, joint_moves)) = after_line(current, text)
    {
        let roles = joint_moves.choosing();
        roles.first().iter().for_each(|&&role| add(current, &joint_moves, role));
    }
    let mut seen = HashSet::new();
    words.retain(|word| seen.insert(word.clone()));
    words
}

fn roles(session: &mut Session) -> Vec<String> {
    session.current().map(|current| current.roles().iter().map(ToString::to_string).collect()).unwrap_or_default()
}

/// Each role with each of its legal moves, as the arguments of `legal` and `does`.
fn roles_and_moves(current: &mut Match, dialect: Dialect) -> Vec<String> {
    let Ok(joint_moves) = current.joint_moves() else { return Vec::new() };
    let reasoner = &current.game.interpreter;
    let has_operations = current.game.rules.operations.is_some();
    let of_role = |(index, role)| {
        let sign = if dialect == Dialect::Prefix { " " } else { "," };
        let text = move |chosen: GroundTerm| match has_operations {
            // There `legal` has the move alone.
            true => chosen.display(dialect).to_string(),
            false => format!("{role}{sign}{}", chosen.display(dialect)),
        };
        let moves = joint_moves.legal(Role::new(index)).iter().map(|&chosen| reasoner.move_term(chosen));
        moves.filter(|chosen| !current.game.rules.is_idle(chosen)).map(text).collect::<Vec<_>>()
    };
    current.roles().iter().enumerate().flat_map(of_role).collect()
}

/// The relations of the facts that `base`, `init` and `next` define.
fn fluents(rules: &RuleSet) -> Vec<String> {
    let with_arguments = names::fluents(rules).into_iter().filter(|&(_, arity)| arity > 0);
    written(with_arguments.collect(), Dialect::Infix)
}

/// The names of the relations that the rules define, and `true`.
fn relations(session: &mut Session) -> Vec<String> {
    let Ok(current) = session.current() else { return Vec::new() };
    let mut defined = names::relations(&current.game.rules);
    match &current.game.rules.operations {
        Some(words) => defined.extend(words.facts.iter().cloned()),
        None => _ = defined.insert((Keyword::True.name().into(), 1)),
    }
    written(defined, Dialect::Infix)
}

/// Names as a dialect writes them, in order, each once.
fn written(names: Names, dialect: Dialect) -> Vec<String> {
    let mut names: Vec<String> =
        names.into_iter().map(|(name, _)| GroundTerm::symbol(name).display(dialect).to_string()).collect();
    names.sort();
    names.dedup();
    names
}

/// The files and directories with this path prefix, with those of the course where no folder has its name.
fn files(session: &Session, begun: &str) -> Vec<String> {
    let mut paths: Vec<String> = session.directory().map(|directory| on_disk(directory, begun)).unwrap_or_default();
    if !session.directory().is_ok_and(|directory| directory.join("course").is_dir()) {
        let of_course = COURSE.iter().filter_map(|file| {
            let rest = file.name.strip_prefix(begun)?;
            let end = rest.find('/').map_or(rest.len(), |at| at + 1);
            Some(file.name[..begun.len() + end].to_string())
        });
        paths.extend(of_course);
    }
    paths.sort();
    paths.dedup();
    paths
}

fn on_disk(directory: &Path, begun: &str) -> Vec<String> {
    let (parent, _) = begun.split_at(begun.rfind('/').map_or(0, |at| at + 1));
    let Ok(entries) = std::fs::read_dir(directory.join(parent)) else { return Vec::new() };
    let path = |entry: std::fs::DirEntry| {
        let slash = if entry.path().is_dir() { "/" } else { "" };
        format!("{parent}{}{slash}", entry.file_name().to_string_lossy())
    };
    let is_wanted = |path: &String| path.starts_with(begun) && (begun.contains('/') || !path.starts_with('.'));
    entries.flatten().map(path).filter(is_wanted).collect()
}

/// The options of a command that have not been given and that can be combined with those that have, by name.
fn option_names(command: &Command, rest: &str) -> Vec<String> {
    let given = |name: &str| read::words(rest).any(|word| &rest[word] == name);
    let is_excluded =
        |option: &NamedOption| command.every_option().any(|other| given(other.name) && other.excludes(option));
    let options = command.every_option().filter(|option| !given(option.name) && !is_excluded(option));
    let mut names: Vec<String> = options.map(|option| option.name.to_string()).collect();
    names.sort();
    names
}

/// The value that is typed next, if the last words are an option that still needs one.
fn option_value(command: &Command, rest: &str) -> Option<Continuations> {
    let words: Vec<&str> = read::words(rest).map(|range| &rest[range]).collect();
    let option = |word: Option<&&str>| command.every_option().find(|option| word == Some(&option.name));
    match (option(words.last()), option(words.iter().rev().nth(1))) {
        (Some(option), _) => value_of(option),
        (None, Some(option)) if matches!(option.value, ValueKind::TwoWords { .. }) => {
            Some(Continuations { words: Vec::new(), takes: ArgumentKind::File, are_listed: false })
        }
        _ => None,
    }
}

/// The first value of an option; `None` if it needs none.
fn value_of(option: &NamedOption) -> Option<Continuations> {
    let of = |words: Vec<String>, takes, are_listed| Some(Continuations { words, takes, are_listed });
    match option.value {
        ValueKind::Text { name, what, kind, .. } => {
            let words = if name.starts_with("WORD") { quoted(what) } else { choices(name) };
            of(words, named_by(kind), name.contains(",…"))
        }
        ValueKind::Number { .. } | ValueKind::Search { .. } => of(Vec::new(), ArgumentKind::Nothing, false),
        ValueKind::TwoWords { names } => of(choices(names), ArgumentKind::Nothing, false),
        ValueKind::Word { of: words, .. } => {
            of(words.iter().map(ToString::to_string).collect(), ArgumentKind::Nothing, false)
        }
        ValueKind::Flag | ValueKind::OptionalNumber { .. } => None,
    }
}

fn named_by(kind: TextValue) -> ArgumentKind {
    match kind {
        TextValue::Any | TextValue::Size => ArgumentKind::Nothing,
        TextValue::File => ArgumentKind::File,
        TextValue::Sheet => ArgumentKind::Heuristic,
        TextValue::Moves => ArgumentKind::Moves,
        TextValue::Searches => ArgumentKind::Algorithm,
    }
}

/// The possible ends of a search that `compare` or `play` runs, from a byte on: its name or, behind a colon, an option
/// or the value of one: `alphabeta`, `alphabeta:table`, `alphabeta:table+order=`, `alphabeta:order=random`.
fn end_of_search(begun: &str) -> Option<(usize, Continuations)> {
    let (name, rest) = split(begun);
    let words = |words: Vec<String>, takes| Continuations { words, takes, are_listed: false };
    if rest.is_empty() {
        let searches = commands().filter(|command| is_search(command)).map(|command| command.name.to_string());
        return Some((begun.len() - name.len(), words(searches.collect(), ArgumentKind::Nothing)));
    }
    let command = find(name).ok()?;
    let end = end_of_options(command, rest)?;
    let value = match end.expected {
        ExpectedWord::Name(names) => words(names.into_iter().map(str::to_string).collect(), ArgumentKind::Nothing),
        ExpectedWord::Key(options) => {
            let sign = |option: &NamedOption| if option.is_flag() { "" } else { "=" };
            let keys = options.iter().map(|option| format!("{}{}", option.key(), sign(option)));
            words(keys.collect(), ArgumentKind::Nothing)
        }
        ExpectedWord::Value(option) => value_of(&option)?,
    };
    Some((begun.len() - rest.len() + end.start, value))
}

/// The words that the operands may begin with, if there is none yet, and the operands so far: such a word, and the
/// rest.
fn operand_words<'a>(command: &Command, rest: &'a str) -> (Vec<String>, (&'a str, &'a str)) {
    let words = first_words(command.operands);
    let (first, others) = read::word(rest);
    match first {
        "" => (words.iter().map(ToString::to_string).collect(), ("", "")),
        _ if words.contains(&first) => (Vec::new(), (first, others)),
        _ => (Vec::new(), ("", rest)),
    }
}

/// The words in lower case with which the alternatives of operands begin: `check` and `show` of `check MOVE … | show`.
fn first_words(operands: &str) -> Vec<&str> {
    let alternatives = operands.split('|').map(|part| part.trim().trim_start_matches('['));
    let first = alternatives.filter_map(|part| part.split([' ', ']']).next());
    first.filter(|word| is_choice(word)).collect()
}

/// The words in lower case of the name of a value: `text`, `dot` and `svg` of `text|dot|svg FILE`.
fn choices(name: &str) -> Vec<String> {
    name.split(['|', ' ']).filter(|word| is_choice(word)).map(str::to_string).collect()
}

fn is_choice(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase())
}

/// The words in backquotes of a description.
fn quoted(description: &str) -> Vec<String> {
    description.split('`').skip(1).step_by(2).map(str::to_string).collect()
}

/// The words that begin with `begun`, each up to the end of the argument that is next. Where there is only one way to
/// go on, several arguments are taken at once; an argument that leaves one word is completed to that word.
pub(crate) fn next_arguments(words: &[String], begun: &str) -> Vec<String> {
    let mut begun = begun.to_string();
    loop {
        let words: Vec<&String> = words.iter().filter(|word| word.starts_with(&begun)).collect();
        let mut next: Vec<&str> = words.iter().map(|word| &word[..end_of_argument(word, begun.len())]).collect();
        sorting::sort_by_key(&mut next, |cut| words.iter().position(|word| word.starts_with(cut)));
        next.dedup();
        match next[..] {
            [only] if words.len() > 1 && only.len() > begun.len() => begun = only.to_string(),
            _ => {
                return next.into_iter().map(|cut| whole(cut, &words).to_string()).collect();
            }
        }
    }
}

/// The only word that begins like this; if there are several, the beginning.
fn whole<'a>(beginning: &'a str, words: &[&'a String]) -> &'a str {
    let own: Vec<_> = words.iter().filter(|word| word.starts_with(beginning)).collect();
    if let [only] = own[..] { only } else { beginning }
}

/// The end of the argument, or of the name before the arguments, that contains the byte `from`, with the signs after
/// it.
fn end_of_argument(word: &str, from: usize) -> usize {
    let is_sign = |c: char| "(), ".contains(c);
    let Some(sign) = word[from..].find(is_sign) else { return word.len() };
    let rest = &word[from + sign..];
    word.len() - rest.trim_start_matches(is_sign).len()
}

/// A dimmed text after a line that is being typed.
pub struct Hint {
    /// The text to show after the cursor.
    pub text: String,
    /// The number of bytes that are inserted when the hint is accepted; the rest only describes what may follow.
    pub taken: usize,
}

/// The longest description, in characters.
const LENGTH: usize = 50;

/// The rest of a command's name, if only one begins like this, and its arguments; the rest of an option's name, if only
/// one begins like this; the form of an option's value.
pub fn hint(line: &str) -> Option<Hint> {
    let (first, rest) = read::word(line);
    if first.is_empty() || read::is_query(line) {
        return None;
    }
    let command = find(first).ok()?;
    let is_typed = line.ends_with(char::is_whitespace);
    let hint = match rest.rsplit(char::is_whitespace).next() {
        None | Some("") => of_command(command, first, is_typed)?,
        Some(word) if word.starts_with("--") => of_option(command, word, is_typed)?,
        Some(_) => return None,
    };
    Some(hint).filter(|hint| !hint.text.is_empty())
}

fn of_command(command: &Command, first: &str, is_typed: bool) -> Option<Hint> {
    let name = if is_typed { "" } else { command.name.strip_prefix(first)? };
    Some(hint_of(name, is_typed, &command.arguments()))
}

fn of_option(command: &Command, word: &str, is_typed: bool) -> Option<Hint> {
    let begins = |option: &&NamedOption| if is_typed { option.name == word } else { option.name.starts_with(word) };
    let exact = command.every_option().find(|option| option.name == word);
    let options: Vec<_> = command.every_option().filter(begins).collect();
    let only = if let [only] = options[..] { Some(only) } else { None };
    let option = exact.or(only)?;
    let form = option.usage();
    let value = form.strip_prefix(option.name)?.trim_start();
    if is_typed && option.is_flag() {
        return None;
    }
    let value = format!("{value}{}({})", if value.is_empty() { "" } else { "  " }, option.help);
    Some(hint_of(option.name.strip_prefix(word)?, is_typed, &value))
}

/// The rest of a name, and a description after it, cut at its greatest length.
fn hint_of(name: &str, is_typed: bool, description: &str) -> Hint {
    let space = if is_typed || description.is_empty() { "" } else { " " };
    let is_long = description.chars().count() > LENGTH;
    let shown: String = description.chars().take(if is_long { LENGTH - 1 } else { LENGTH }).collect();
    Hint { taken: name.len(), text: format!("{name}{space}{shown}{}", if is_long { "…" } else { "" }) }
}
