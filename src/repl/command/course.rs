//! Commands about the course of a match: listing its plies, jumping to a state, saving and restoring it.

use super::game::resumed;
use super::play::position;
use super::show::boards;
use super::{Answers, Arguments, Command, Takes};
use crate::engine::{Game, promised};
use crate::game::Reasoner;
use crate::repl::answer::{MatchPosition, Ply};
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session, read};
use crate::rules::{GroundTerm, Keyword};

pub(super) const HISTORY: Command = Command {
    name: "history",
    operands: "",
    options: &[],
    summary: "list the plies so far: joint moves, and states that were set",
    example: "history",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: history,
};

pub(super) const SET: Command = Command {
    name: "set",
    operands: "FACT… | board [RELATION] ROW/ROW/… [FACT…]",
    options: &[],
    summary: "jump to the state in which exactly these facts hold, or to another position of a board, the other facts as they are; `undo` goes back, and `set []` is the empty state",
    example: "set cell(1,1,x) cell(1,2,b) control(oplayer)",
    takes: Takes::Fact,
    answers: Answers::Nothing,
    run: set,
};

pub(super) const SAVE: Command = Command {
    name: "save",
    operands: "FILE",
    options: &[],
    summary: "write the match to a file: the game, and every ply",
    example: "save evening.json",
    takes: Takes::File,
    answers: Answers::Nothing,
    run: save,
};

pub(super) const RESTORE: Command = Command {
    name: "restore",
    operands: "FILE",
    options: &[],
    summary: "continue a saved match",
    example: "restore evening.json",
    takes: Takes::File,
    answers: Answers::Nothing,
    run: restore,
};

/// The greatest number of facts that are named in one warning.
const NAMED_FACTS: usize = 5;

fn history(session: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    let current = session.current()?;
    let plies = current.steps().into_iter().enumerate();
    let plies = plies.map(|(index, step)| Ply::new(index + 1, current.roles(), Some(step))).collect();
    Ok(Answer::History { plies })
}

fn set(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let current = session.current()?;
    if arguments.operands().is_empty() {
        return Err(arguments.wrong("which facts?"));
    }
    let facts = match read::word(arguments.operands()) {
        ("board", "") => return Err(SET.misused("`set board` needs rows with slashes between them")),
        ("board", position) => facts_of_position(current, position)?,
        _ => read::list(arguments.operands())?,
    };
    let warnings = outside_base(&mut current.game, &facts)?;
    current.set(&facts)?;
    match position(current) {
        Ok(position) => Ok(Answer::Position(MatchPosition { warnings, ..position })),
        Err(error) => {
            current.undo(1);
            Err(error)
        }
    }
}

/// The facts of the current state with another position of a board, and with other facts of some relations.
fn facts_of_position(current: &mut Match, text: &str) -> Result<Vec<GroundTerm>, CommandError> {
    let (reasoner, state) = current.position();
    let facts = reasoner.facts(state);
    let boards = boards(current, &facts)?;
    let named = boards.iter().find(|board| read::word(text).0 == board.relation && !read::word(text).1.is_empty());
    let (board, text) = match (named, &boards[..]) {
        (Some(board), _) => (board, read::word(text).1),
        (None, [board]) => (board, text),
        (None, []) => return Err(SET.misused("no relation of this state looks like a board")),
        (None, _) => {
            let names: Vec<&str> = boards.iter().map(|board| board.relation.as_str()).collect();
            return Err(SET.misused(format!("which board: {}?", names.join(", "))));
        }
    };
    let (rows, others) = quoted(text)?;
    let typed =
        board.facts_of_rows(rows).map_err(|error| CommandError::Rows { relation: board.relation.clone(), error })?;
    let others = read::terms(others)?;
    let is_kept = |fact: &&GroundTerm| {
        let is_of = |name: &str, arity: usize| *fact.name == *name && fact.arguments.len() == arity;
        !is_of(&board.relation, board.arity) && !others.iter().any(|other| is_of(&other.name, other.arguments.len()))
    };
    Ok(typed.into_iter().chain(facts.iter().filter(is_kept).cloned()).chain(others.iter().cloned()).collect())
}

/// Splits off the first word, or what stands in quotation marks.
fn quoted(text: &str) -> Result<(&str, &str), CommandError> {
    let Some(mark) = text.chars().next().filter(|mark| matches!(mark, '\'' | '"')) else { return Ok(read::word(text)) };
    let (inside, rest) =
        text[1..].split_once(mark).ok_or_else(|| SET.misused(format!("a closing `{mark}` is missing")))?;
    Ok((inside.trim(), rest.trim()))
}

fn save(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let file = arguments.operands();
    if file.is_empty() {
        return Err(arguments.wrong("to which file?"));
    }
    let current = session.save(file)?;
    Ok(Answer::Saved { file: file.to_string(), game: current.game.name.clone(), plies: current.ply() })
}

fn restore(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    if arguments.operands().is_empty() {
        return Err(arguments.wrong("which file?"));
    }
    Ok(Answer::Resumed(resumed(session.restore(arguments.operands())?)?))
}

/// A warning about the facts that are not instances of `base`, if the rule sheet defines it.
fn outside_base(game: &mut Game, facts: &[GroundTerm]) -> Result<Vec<String>, CommandError> {
    let Some(base) = promised(game, Keyword::Base)? else { return Ok(Vec::new()) };
    let is_outside = |fact: &&GroundTerm| base.binary_search_by(|row| row[0].cmp(fact)).is_err();
    let mut outside: Vec<String> = facts.iter().filter(is_outside).map(|fact| format!("`{fact}`")).collect();
    if outside.is_empty() {
        return Ok(Vec::new());
    }
    if outside.len() > NAMED_FACTS {
        let more = outside.len() - NAMED_FACTS;
        outside.truncate(NAMED_FACTS);
        outside.push(format!("and {more} more"));
    }
    Ok(vec![format!("`base` does not have {}", outside.join(", "))])
}
