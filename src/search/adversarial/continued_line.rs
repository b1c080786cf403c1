//! The rest of a best line: a line that ends in a state whose value was remembered is continued from there, after the
//! search. The nodes of this do not count.

use super::best_so_far::BestSoFar;
use super::contest::{ContestSearch, ContestTask, FirstMoves, NodeMemory};
use super::line_end::LineEnd;
use super::valued_line::ValuedLine;
use crate::game::{Evaluation, Move, ReasonError, Reasoner};
use crate::search::budget::Meter;
use crate::search::{Budget, Observer};

/// The nodes that a search for the next moves of a line may always have.
const FEWEST_NODES: u64 = 10_000;

/// Such a search may also have this part of the nodes of the search before it.
const PART: u64 = 8;

/// A state on a line.
struct LinePosition<S> {
    state: S,
    /// The number of joint moves from there to the horizon, if the search has one.
    horizon: Option<u32>,
}

impl<R: Reasoner, O: Observer> ContestSearch<'_, R, O> {
    /// Makes these joint moves on a line. Returns where the line ends; [`LineEnd::Open`] if it goes on.
    fn follow(
        &mut self,
        position: &mut LinePosition<R::State>,
        joint_moves: &[Vec<Move>],
    ) -> Result<LineEnd, ReasonError> {
        for joint_move in joint_moves {
            let is_counted = !self.task.extends_forced || !self.is_forced(&position.state, &[])?;
            position.horizon = position.horizon.map(|horizon| horizon.saturating_sub(u32::from(is_counted)));
            position.state = self.reasoner.next_state(&position.state, joint_move)?;
        }
        Ok(if self.reasoner.is_terminal(&position.state)? {
            LineEnd::Game
        } else if self.is_left(position)? {
            LineEnd::Horizon
        } else {
            LineEnd::Open
        })
    }

    /// Whether the search goes no farther than a position in which the game is not over.
    fn is_left(&mut self, LinePosition { state, horizon }: &LinePosition<R::State>) -> Result<bool, ReasonError> {
        let Some(horizon) = horizon else { return Ok(false) };
        if !self.task.extends_forced {
            return Ok(*horizon == 0);
        }
        Ok(*horizon == 0 && !self.is_forced(state, &[])? || !self.forced_moves_end(state)?)
    }

    /// Where a line from the first state ends; [`LineEnd::Open`] also if the engine fails or is interrupted.
    pub(super) fn line_end<V>(&mut self, first: &R::State, found: &ValuedLine<V>) -> LineEnd {
        let mut position = LinePosition { state: first.clone(), horizon: self.task.horizon };
        let joint_moves = found.joint_moves(self.roles());
        self.follow(&mut position, &joint_moves).unwrap_or(LineEnd::Open)
    }

    /// Continues a line as long as `again` finds more of it: a search, with the same memory, that begins where the line
    /// ends. If the engine fails or is interrupted, the line stays as it is.
    pub(super) fn continue_line<V: PartialEq>(
        &mut self,
        first: &R::State,
        found: &mut ValuedLine<V>,
        mut again: impl FnMut(ContestSearch<'_, R, ()>, &R::State) -> Option<ValuedLine<V>>,
    ) {
        let budget = self.meter.share().with_nodes(FEWEST_NODES.max(self.meter.nodes() / PART));
        let roles = self.roles();
        let mut position = LinePosition { state: first.clone(), horizon: self.task.horizon };
        let mut further = found.joint_moves(roles);
        while self.follow(&mut position, &further).is_ok_and(|end| end == LineEnd::Open)
            && found.len(roles) < Budget::DEPTH as usize
        {
            match again(self.quiet(&budget, position.horizon), &position.state) {
                Some(rest) if rest.value == found.value && rest.len(roles) > 0 => {
                    further = rest.joint_moves(roles);
                    found.extend(&further);
                    // Equal values may differ in whether they are known: that of the end counts.
                    found.value = rest.value;
                }
                _ => break,
            }
        }
    }

    /// The same search with its own limits and horizon, without an observer.
    fn quiet<'q>(&'q mut self, budget: &'q Budget, horizon: Option<u32>) -> ContestSearch<'q, R, ()> {
        let task = ContestTask {
            // A borrow of a trait object is shortened only where the trait object is made again.
            evaluation: self.task.evaluation.as_mut().map(|evaluation| &mut **evaluation as &mut dyn Evaluation<R>),
            horizon,
            ..self.task
        };
        let meter = Meter::start_without_horizon(budget);
        let (memory, firsts) = (NodeMemory::new(false), FirstMoves::default());
        ContestSearch { reasoner: self.reasoner, meter, observer: (), task, memory, firsts, is_cut: false }
    }
}

/// The line of a search, or the best of its finished moves if it was stopped.
pub(super) fn known_line<'f, V: Clone, E>(
    end: &'f mut Result<ValuedLine<V>, E>,
    so_far: &'f mut BestSoFar<V>,
) -> Option<&'f mut ValuedLine<V>> {
    match end {
        Ok(found) => Some(found),
        Err(_) => so_far.best_mut(),
    }
}
