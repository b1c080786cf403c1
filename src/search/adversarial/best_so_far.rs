//! What a search of several players knows before it ends: the best of the moves that it has searched to their end, in
//! the first state in which a role has a choice.

use super::turn_moves::TurnMoves;
use super::valued_line::ValuedLine;
use crate::game::Move;
use crate::number::to_u32;
use crate::search::NodeId;
use crate::search::outcome::Halt;
use serde::Serialize;

/// How much of the first choice a stopped search has finished, and what that says of the value.
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

/// The best of the finished moves of the first choice.
#[derive(Debug)]
pub(super) struct BestSoFar<V> {
    best: Option<ValuedLine<V>>,
    finished: FinishedMoves,
}

/// A line that a search knows and, if the search was stopped, how much it had finished.
type KnownLine<V> = (ValuedLine<V>, Option<FinishedMoves>);

impl<V: Clone> BestSoFar<V> {
    pub(super) fn new() -> Self {
        Self { best: None, finished: FinishedMoves { moves: 0, of: 0, guarantee: Guarantee::AtLeast } }
    }

    /// A choice of this many moves is searched next.
    pub(super) fn begin(&mut self, of: usize, guarantee: Guarantee) {
        (self.best, self.finished) = (None, FinishedMoves { moves: 0, of: to_u32(of), guarantee });
    }

    /// A turn is searched next, in which each side makes all its moves at once; `first` is what its moves guarantee if
    /// it is the first choice of the search.
    pub(super) fn begin_turn(&mut self, first: Option<Guarantee>, turn: &TurnMoves) {
        match first {
            Some(Guarantee::AtLeast) => self.begin(turn.options.len(), Guarantee::AtLeast),
            Some(Guarantee::AtMost) => self.begin(turn.options[0].replies().len(), Guarantee::AtMost),
            None => {}
        }
    }

    /// One more move is finished; `best` is the best so far, with its value for the role that asks.
    pub(super) fn note(&mut self, best: &ValuedLine<V>, value: V) {
        self.finished.moves += 1;
        self.best = Some(best.clone().with(value));
    }

    /// The choice was reached by a forced joint move from `node`, which comes before it in the line.
    pub(super) fn prepend(&mut self, joint_move: &[Move], node: NodeId) {
        self.best = self.best.take().map(|best| best.after(joint_move, node));
    }

    /// The line of the best of the finished moves.
    pub(super) fn best_mut(&mut self) -> Option<&mut ValuedLine<V>> {
        self.best.as_mut()
    }

    /// Why a search has stopped, and what it knows: all that it was to find or, if it was stopped, the best of the
    /// finished moves and how many they are.
    pub(super) fn known(self, end: Result<ValuedLine<V>, Halt>) -> (Option<Halt>, Option<KnownLine<V>>) {
        match end {
            Ok(found) => (None, Some((found, None))),
            Err(halt) => (Some(halt), self.best().map(|(found, finished)| (found, Some(finished)))),
        }
    }

    /// The best of the finished moves; `None` if no move is finished.
    pub(super) fn best(self) -> Option<(ValuedLine<V>, FinishedMoves)> {
        self.best.map(|best| (best, self.finished))
    }
}
