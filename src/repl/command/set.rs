//! `set`: jumps to another state, in which exactly the given facts hold, or which differs from the current one in
//! single facts or in the position of a board.

mod edit;
mod rows;

use super::board::{drawn, facts, position};
use super::{ArgumentKind, Arguments, Command};
use crate::repl::answer::{MatchPosition, StateChange};
use crate::repl::{Answer, CommandError, Session, read};
use edit::{Edit, edited};
use gdl::rules::GroundTerm;
use gdl::sorting;
use ggp_engine::{Game, Impossible, impossible};

pub(super) const SET: Command = Command {
    name: "set",
    operands: "FACT… | +FACT -FACT … | board [RELATION] ROW/ROW/… [FACT…|[FACT,…]]",
    summary: "jump to the state in which exactly these facts hold, to the current state with single facts added (`+`) or removed (`-`), or to another position of a board, the other facts as they are; `undo` goes back, and `set []` is the empty state",
    example: "set +cell(2,2,x) -cell(2,2,b)",
    takes: ArgumentKind::Fact,
    ..Command::run_by(set)
};

/// The greatest number of facts that are named in one warning.
const NAMED_FACTS: usize = 5;

fn set(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let draws = session.draws_boards();
    let current = session.current()?;
    let text = arguments.operands();
    let before = facts(current);
    let mut warnings = Vec::new();
    let wanted = match read::word(text) {
        ("", _) => return Err(arguments.wrong("which facts?")),
        ("board", "") => return Err(arguments.wrong("`set board` needs rows with slashes between them")),
        ("board", _) => rows::position(current, text)?,
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
            let now = facts(current);
            let drawn = if draws { drawn(current, &now, Some(&before)) } else { None };
            let change = Some(StateChange::between(&before, &now));
            Ok(Answer::new(MatchPosition { change, drawn, warnings, ..position }))
        }
        Err(error) => {
            current.retract(1);
            Err(error)
        }
    }
}

/// Warnings about the facts that no state can have, except those that hold already.
fn impossible_facts(
    game: &mut Game,
    before: &[GroundTerm],
    wanted: &[GroundTerm],
) -> Result<Vec<String>, CommandError> {
    let fresh: Vec<GroundTerm> = wanted.iter().filter(|fact| before.binary_search(fact).is_err()).cloned().collect();
    let mut problems = impossible(game, &fresh)?;
    sorting::sort_by_key(&mut problems, |(reason, _)| *reason);
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
