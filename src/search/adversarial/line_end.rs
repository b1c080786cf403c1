//! Where lines of best play end.

use crate::game::{Move, ReasonError, Reasoner};
use rustc_hash::FxHashSet;
use serde::Serialize;

/// Where a line of best play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineEnd {
    /// In a terminal state.
    Game,
    /// At the horizon of a search with limited depth.
    Horizon,
    /// Where a role moves at random: the value is a mean, to which no single line leads.
    Chance,
    /// In a state that the line has passed before.
    Repetition,
    /// Elsewhere: a limit stopped the search before it knew how play goes on.
    Open,
}

/// Where a line from a state ends that no horizon has cut off.
///
/// # Errors
/// Those of the engine.
pub(crate) fn end_of_line<R: Reasoner>(
    reasoner: &mut R,
    first: &R::State,
    line: &[Vec<Move>],
) -> Result<LineEnd, ReasonError> {
    let (mut state, mut passed) = (first.clone(), FxHashSet::default());
    for joint_move in line {
        let next = reasoner.next_state(&state, joint_move)?;
        passed.insert(std::mem::replace(&mut state, next));
    }
    Ok(match reasoner.is_terminal(&state)? {
        true => LineEnd::Game,
        false if passed.contains(&state) => LineEnd::Repetition,
        false => LineEnd::Open,
    })
}
