//! Commands about the course of a match: looking back, and jumping to a state.

use super::play::position;
use super::{Answers, Command, Takes};
use crate::engine::{Game, promised};
use crate::repl::answer::Ply;
use crate::repl::{Answer, CommandError, Session, read};
use crate::rules::{GroundTerm, Keyword};

pub(super) const HISTORY: Command = Command {
    name: "history",
    arguments: "",
    summary: "list the plies so far: joint moves, and states that were set",
    example: "history",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: history,
};

pub(super) const SET: Command = Command {
    name: "set",
    arguments: "FACT…",
    summary: "jump to the state in which just these facts hold; `undo` goes back, and `set []` is the empty state",
    example: "set cell(1,1,x) cell(1,2,b) control(oplayer)",
    takes: Takes::Fact,
    answers: Answers::Nothing,
    run: set,
};

/// So many facts are named in one warning.
const NAMED_FACTS: usize = 5;

fn history(session: &mut Session, arguments: &str) -> Result<Answer, CommandError> {
    HISTORY.takes_none(arguments)?;
    let current = session.current()?;
    let plies = current.steps().into_iter().enumerate();
    let plies = plies.map(|(index, step)| Ply::new(index + 1, current.roles(), Some(step))).collect();
    Ok(Answer::History { plies })
}

fn set(session: &mut Session, arguments: &str) -> Result<Answer, CommandError> {
    let current = session.current()?;
    if arguments.is_empty() {
        return Err(SET.misused("which facts?"));
    }
    let facts = read::list(arguments)?;
    let warnings = outside_base(&mut current.game, &facts)?;
    current.set(&facts)?;
    let mut answer = position(current).inspect_err(|_| {
        current.undo(1);
    })?;
    if let Answer::Position(position) = &mut answer {
        position.warnings = warnings;
    }
    Ok(answer)
}

/// A warning about the facts that `base`, where the sheet has it, does not promise.
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
