//! Answers of searches of several players, by a tree or from all states: a value with the move and the line that reach
//! it, the end of the line, and how much of it a stopped search knows.

use super::Worth;
use ggp_game::{Move, ReasonError, Reasoner};
use rustc_hash::FxHashSet;
use serde::Serialize;

/// The value that a role can reach, and the move and line that reach it, with moves of type `M` and lines of type `L`:
/// those of a reasoner, or others once they are shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice<M = Move, L = Vec<Vec<M>>> {
    /// The value for the role.
    #[serde(flatten)]
    pub worth: Worth,
    /// The first move, in canonical order, that reaches it; `None` if the game is over.
    #[serde(rename = "move")]
    pub chosen: Option<M>,
    /// The joint moves that follow if all roles play as the search expects: the principal variation.
    pub line: L,
    /// The end of the line.
    pub line_ends: LineEnd,
    /// All first moves that are known to be worth as much, in the order in which they were tried. Complete if nothing
    /// is pruned or with [`super::Pruning::ties`]; otherwise empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub equals: Vec<M>,
    /// The values of all first moves, in the order in which they were tried. Empty if the search prunes, since it knows
    /// bounds only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<RatedMove<M>>,
    /// The finished part of the first choice, if the search was stopped before it had finished all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<FinishedMoves>,
}

/// A first move with the value, or the mean, that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RatedMove<M = Move, V = Worth> {
    /// The move of the role that asks.
    #[serde(rename = "move")]
    pub chosen: M,
    /// The value that follows it.
    #[serde(flatten)]
    pub worth: V,
}

impl<V> RatedMove<Move, V> {
    /// The same value of the move in another form.
    pub fn map<M>(self, map: impl FnOnce(Move) -> M) -> RatedMove<M, V> {
        RatedMove { chosen: map(self.chosen), worth: self.worth }
    }
}

impl Choice {
    /// The same choice with moves and line in another form.
    pub fn map<M, L>(self, line: L, mut map: impl FnMut(Move) -> M) -> Choice<M, L> {
        Choice {
            worth: self.worth,
            chosen: self.chosen.map(&mut map),
            line,
            line_ends: self.line_ends,
            equals: self.equals.into_iter().map(&mut map).collect(),
            moves: self.moves.into_iter().map(|rated| rated.map(&mut map)).collect(),
            finished: self.finished,
        }
    }

    /// The move with its value, for log lines: `mark(1,1), worth 50`.
    pub fn describe(&self, reasoner: &impl Reasoner) -> String {
        let chosen = self.chosen.map_or_else(|| "no move".to_string(), |chosen| reasoner.move_term(chosen).to_string());
        format!("{chosen}, worth {}", self.worth)
    }
}

/// Finished part of the first choice of a stopped search, and what it says of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FinishedMoves {
    /// The number of moves that were searched to their end.
    pub moves: u32,
    /// The number of all moves of the choice.
    pub of: u32,
    /// The relation of the value of a finished search to the answer.
    pub guarantee: Guarantee,
}

/// The relation of the value of a finished search to the value that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Guarantee {
    /// It is at least as great: the role that asks has the first choice.
    AtLeast,
    /// It is at most as great: other roles have the first choice.
    AtMost,
}

/// End of a line of best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineEnd {
    /// In a terminal state.
    Game,
    /// At the horizon of a search with limited depth.
    Horizon,
    /// In a state in which a role moves at random: the value is a mean, to which no single line leads.
    Chance,
    /// In a state that the line has passed before.
    Repetition,
    /// Elsewhere: a limit stopped the search before it knew how play goes on.
    Open,
}

/// The end of a line from a state that no horizon has cut off.
///
/// # Errors
/// Errors of the engine.
pub fn end_of_line<R: Reasoner>(
    reasoner: &mut R,
    first: &R::State,
    line: &[Vec<Move>],
) -> Result<LineEnd, ReasonError> {
    let mut state = first.clone();
    let mut passed = FxHashSet::default();
    for joint_move in line {
        let next = reasoner.next_state(&state, joint_move)?;
        // The last state itself is not among those that the line has passed.
        passed.insert(std::mem::replace(&mut state, next));
    }
    Ok(match reasoner.is_terminal(&state)? {
        true => LineEnd::Game,
        false if passed.contains(&state) => LineEnd::Repetition,
        false => LineEnd::Open,
    })
}
