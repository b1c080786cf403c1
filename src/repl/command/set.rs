//! `set`: jumps to another state, in which exactly the given facts hold, or which differs from the current one in single
//! facts or in the position of a board.

mod edit;

use super::play::position;
use super::show::boards;
use super::{Answers, Arguments, Command, Takes};
use crate::engine::{Game, Impossible, impossible};
use crate::game::Reasoner;
use crate::repl::answer::{MatchPosition, StateChange};
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session, read};
use crate::rules::GroundTerm;
use edit::{Edit, edited};

pub(super) const SET: Command = Command {
    name: "set",
    operands: "FACT… | +FACT -FACT … | board [RELATION] ROW/ROW/… [FACT…]",
    options: &[],
    summary: "jump to the state in which exactly these facts hold, to the current state with single facts added (`+`) or removed (`-`), or to another position of a board, the other facts as they are; `undo` goes back, and `set []` is the empty state",
    example: "set +cell(2,2,x) -cell(2,2,b)",
    takes: Takes::Fact,
    answers: Answers::Nothing,
    run: set,
};

/// The greatest number of facts that are named in one warning.
const NAMED_FACTS: usize = 5;

fn set(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let current = session.current()?;
    let text = arguments.operands();
    let before = facts(current);
    let mut warnings = Vec::new();
    let wanted = match read::word(text) {
        ("", _) => return Err(arguments.wrong("which facts?")),
        ("board", "") => return Err(SET.misused("`set board` needs rows with slashes between them")),
        ("board", position) => facts_of_position(current, position)?,
        _ if Edit::begins(text) => {
            let edits = Edit::all(text)?;
            warnings.extend(edits.iter().filter_map(|edit| edit.idle(&before)));
            edited(&before, &edits)
        }
        _ => read::list(text)?,
    };
    warnings.extend(impossible_facts(&mut current.game, &before, &wanted)?);
    current.set(&wanted)?;
    match position(current) {
        Ok(position) => {
            let change = Some(StateChange::between(&before, &facts(current)));
            Ok(Answer::Position(MatchPosition { change, warnings, ..position }))
        }
        Err(error) => {
            current.undo(1);
            Err(error)
        }
    }
}

/// The facts of the current state, in canonical order.
fn facts(current: &mut Match) -> Vec<GroundTerm> {
    let (reasoner, state) = current.position();
    reasoner.facts(state)
}

/// The facts of the current state with another position of a board, and with other facts of some relations.
fn facts_of_position(current: &mut Match, text: &str) -> Result<Vec<GroundTerm>, CommandError> {
    let facts = facts(current);
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

/// Warnings about the facts that no state can have, except those that hold already.
fn impossible_facts(
    game: &mut Game,
    before: &[GroundTerm],
    wanted: &[GroundTerm],
) -> Result<Vec<String>, CommandError> {
    let fresh: Vec<GroundTerm> = wanted.iter().filter(|fact| before.binary_search(fact).is_err()).cloned().collect();
    let mut problems = impossible(game, &fresh)?;
    problems.sort_by_key(|(reason, _)| *reason);
    let warning = |group: &[(Impossible, GroundTerm)]| {
        let mut names: Vec<String> = group.iter().take(NAMED_FACTS).map(|(_, fact)| format!("`{fact}`")).collect();
        if group.len() > NAMED_FACTS {
            names.push(format!("and {} more", group.len() - NAMED_FACTS));
        }
        let names = names.join(", ");
        match group[0].0 {
            Impossible::OutsideBase => format!("`base` does not have {names}"),
            Impossible::OutOfReach => format!("no line of play from the initial state leads to {names}"),
            Impossible::NoRule => format!("no rule for `init` or `next` gives {names}"),
        }
    };
    Ok(problems.chunk_by(|left, right| left.0 == right.0).map(warning).collect())
}
