//! Commands about the course of a match: listing its plies, jumping to a state, saving and restoring it.

use super::game::resumed;
use super::play::position;
use super::{Answers, Arguments, Command, Takes};
use crate::engine::{Game, promised};
use crate::repl::answer::{MatchPosition, Ply};
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
    operands: "FACT…",
    options: &[],
    summary: "jump to the state in which exactly these facts hold; `undo` goes back, and `set []` is the empty state",
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
    let facts = read::list(arguments.operands())?;
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
