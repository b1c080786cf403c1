//! The horizon of a search with limited depth, and forced joint moves, which need not count towards it.

use super::arrival::Arrival;
use super::contest::ContestSearch;
use crate::game::{JointMoves, ReasonError, Reasoner, Role};
use crate::search::{Budget, Observer};
use rustc_hash::FxHashSet;

/// After this many forced joint moves in a row, a search that does not count them finds out whether they ever end.
const MOST_FORCED: u32 = 32;

impl<R: Reasoner, O: Observer> ContestSearch<'_, R, O> {
    /// Whether the search goes no farther than a state that is not terminal: it has made all joint moves that count.
    /// Where forced ones do not count, it goes on as long as no role has a choice, except where that never ends.
    pub(super) fn is_at_horizon(&mut self, state: &R::State, arrival: &Arrival<'_>) -> Result<bool, ReasonError> {
        let Some(horizon) = self.task.horizon else { return Ok(false) };
        let is_reached = self.steps(arrival) >= horizon;
        if !self.task.extends_forced {
            return Ok(is_reached);
        }
        if arrival.forced == MOST_FORCED && !self.forced_moves_end(state)? {
            return Ok(true);
        }
        Ok(is_reached && !self.is_forced(state, arrival.choosing)?)
    }

    /// Whether no role has a choice in a state that is not terminal. The roles that had one before are asked last: where
    /// roles take turns, another has the next.
    pub(super) fn is_forced(&mut self, state: &R::State, before: &[Role]) -> Result<bool, ReasonError> {
        let roles = self.roles();
        for had_choice in [false, true] {
            for role in (0..roles).map(Role::new).filter(|role| before.contains(role) == had_choice) {
                self.reasoner.legal_moves(state, role, &mut self.memory.legal)?;
                if self.memory.legal.len() > 1 {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether the forced joint moves from a state on lead to a choice or to the end of the game: not if a state comes
    /// again, or if there are more of them than a line may have.
    pub(super) fn forced_moves_end(&mut self, state: &R::State) -> Result<bool, ReasonError> {
        let (mut state, mut passed) = (state.clone(), FxHashSet::default());
        while passed.len() < Budget::DEPTH as usize {
            if self.reasoner.is_terminal(&state)? {
                return Ok(true);
            }
            let turn = JointMoves::in_state(self.reasoner, &state)?;
            if turn.each_choosing().next().is_some() {
                return Ok(true);
            }
            let next = self.reasoner.next_state(&state, turn.current())?;
            if !passed.insert(std::mem::replace(&mut state, next)) {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// The number of joint moves from the first state that count towards the horizon.
    pub(super) fn steps(&self, arrival: &Arrival<'_>) -> u32 {
        if self.task.extends_forced { arrival.choices } else { arrival.depth }
    }

    /// How much a joint move counts towards the horizon, by the roles that have a choice.
    pub(super) fn step(&self, choosing: &[Role]) -> u32 {
        u32::from(!self.task.extends_forced || !choosing.is_empty())
    }

    /// The number of joint moves left to the horizon.
    pub(super) fn remaining(&self, arrival: &Arrival<'_>) -> u32 {
        self.task.horizon.map_or(u32::MAX, |horizon| horizon - self.steps(arrival))
    }
}
