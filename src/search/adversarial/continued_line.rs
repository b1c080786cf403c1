//! The rest of a best line: a line that ends in a state whose value was remembered is continued from there, after the
//! search. The nodes of this do not count.

use super::best_so_far::BestSoFar;
use super::contest::{ContestSearch, ContestTask, FirstMoves, NodeMemory};
use super::valued_line::ValuedLine;
use crate::game::{Evaluation, JointMoves, ReasonError, Reasoner};
use crate::search::budget::Meter;
use crate::search::{Budget, Observer};

/// The greatest number of nodes of a search for the next moves of a line.
const MOST_NODES: u64 = 10_000;

/// The state at the end of a line.
pub(super) struct LineEnd<S> {
    pub(super) state: S,
    /// The number of joint moves from there to the horizon, if the search has one.
    pub(super) horizon: Option<u32>,
}

impl<R: Reasoner, O: Observer> ContestSearch<'_, R, O> {
    /// The end of a line from the first state; `None` if the line needs no more moves, because the game is over there,
    /// or the horizon is reached.
    ///
    /// # Errors
    /// Those of the engine.
    pub(super) fn end_of<V>(
        &mut self,
        first: &R::State,
        found: &ValuedLine<V>,
    ) -> Result<Option<LineEnd<R::State>>, ReasonError> {
        let (mut state, mut steps) = (first.clone(), 0);
        let joint_moves = found.joint_moves(self.roles());
        for joint_move in &joint_moves {
            let choosing = JointMoves::in_state(self.reasoner, &state)?.choosing();
            steps += self.step(&choosing);
            state = self.reasoner.next_state(&state, joint_move)?;
        }
        let horizon = self.task.horizon.map(|horizon| horizon.saturating_sub(steps));
        let is_long = joint_moves.len() >= Budget::DEPTH as usize;
        let is_over = is_long || horizon == Some(0) || self.reasoner.is_terminal(&state)?;
        Ok((!is_over).then_some(LineEnd { state, horizon }))
    }

    /// Continues a line as long as `again` finds more of it: a search, with the same memory, that begins where the line
    /// ends. If the engine fails or is interrupted, the line stays as it is.
    pub(super) fn continue_line<V: PartialEq>(
        &mut self,
        first: &R::State,
        found: &mut ValuedLine<V>,
        mut again: impl FnMut(ContestSearch<'_, R, ()>, &R::State) -> Option<ValuedLine<V>>,
    ) {
        let budget = Budget::new().with_nodes(MOST_NODES);
        let roles = self.roles();
        while let Ok(Some(LineEnd { state, horizon })) = self.end_of(first, found) {
            match again(self.quiet(&budget, horizon), &state) {
                Some(further) if further.value == found.value && further.len(roles) > 0 => {
                    found.extend(&further.joint_moves(roles));
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
