//! What defines a search of the whole tree: how values come back from successors to a state.
//!
//! A turn is a sequence of decisions, one for each role that has a choice, or one for all opponents together. The
//! definition says what a decision makes of the values of its moves; the two drivers of `full_tree.rs` and
//! `subtrees.rs` apply it to each node, or to batches of states.

use super::arrival::Arrival;
use super::contest::ContestSearch;
use super::role_by_role::RoleByRole;
use crate::game::{Move, ReasonError, Reasoner, Role, Utility};
use crate::search::outcome::Halt;
use crate::search::{Guarantee, NodeId, Observer};

/// How values come back from successors to a state.
pub(super) trait Backup<R: Reasoner> {
    /// A number of a value.
    type Number: Copy;

    /// The value of a state.
    type Value: Clone + PartialEq;

    /// What a role decides.
    type Decision: Decision<Self::Number>;

    /// The numbers of a value: one, or one for each role.
    fn count(&self) -> usize {
        1
    }

    /// The value that has these numbers.
    fn value(&mut self, numbers: &[Self::Number]) -> Self::Value;

    /// The numbers of a value.
    fn numbers(value: &Self::Value) -> &[Self::Number];

    /// Takes the memory of a value that is no longer needed.
    fn give_back(&mut self, _: Self::Value) {}

    /// The bytes that a value has on the heap.
    fn heap(_: &Self::Value) -> usize {
        0
    }

    /// Adds the value of a terminal state. `goal` is the utility of a role.
    ///
    /// # Errors
    /// If the rules give a role no goal that is asked for, or more than one.
    fn end(
        &self,
        goal: impl FnMut(Role) -> Result<Utility, ReasonError>,
        values: &mut Vec<Self::Number>,
    ) -> Result<(), ReasonError>;

    /// Adds the value of a state at the horizon. Without an evaluation it is the same for all states.
    fn estimate<O: Observer>(
        &self,
        search: &mut ContestSearch<'_, R, O>,
        state: &R::State,
        values: &mut Vec<Self::Number>,
    ) -> Result<(), Halt>;

    /// Whether all other roles decide together what they reply to the role that asks.
    const REPLIES: bool = false;

    /// Whether a role decides last, since it moves at random.
    fn is_random(&self, _: Role) -> bool {
        false
    }

    /// Whether decisions depend on nothing but values, so that states can be searched in batches.
    fn is_for_batches(&self) -> bool {
        true
    }

    /// Whether no decision is a mean, so that lines lead to their values.
    fn has_lines(&self) -> bool {
        true
    }

    /// The decision of a role that has this many moves, of which no value is known yet.
    fn decision(&self, role: Role, moves: usize) -> Self::Decision;

    /// Prepares the decisions of a turn that depend on its state.
    fn begin_turn<O: Observer>(
        &mut self,
        _: &mut ContestSearch<'_, R, O>,
        _: &R::State,
        _: &RoleByRole<R::State>,
    ) -> Result<(), Halt> {
        Ok(())
    }

    /// Forgets what was prepared for the turn that was begun last.
    fn end_turn(&mut self) {}

    /// Notes the value of a first move of the role that asks.
    fn note_first<O: Observer>(&mut self, _: &mut ContestSearch<'_, R, O>, _: FirstMove<'_, Self::Value>) {}

    /// Reports the value of a node to the observer.
    fn tell<O: Observer>(
        search: &mut ContestSearch<'_, R, O>,
        node: NodeId,
        value: &Self::Value,
        arrival: &Arrival<'_>,
    );
}

/// A first move of the role that asks, with its value.
pub(super) struct FirstMove<'f, V> {
    pub(super) chosen: Move,
    /// The number of moves of the role.
    pub(super) of: usize,
    pub(super) value: &'f V,
    /// The best value of the moves before it.
    pub(super) best: Option<&'f V>,
}

/// A decision of a role: the values of its moves are taken one after the other, in canonical order.
pub(super) trait Decision<N> {
    /// The probability of a move, where a model predicts it. Moves that are never made are not searched.
    fn probability(&self, _: usize) -> Option<f64> {
        None
    }

    /// Takes the value of a move; returns whether the best line so far is now that of this move.
    fn take(&mut self, index: usize, value: &[N]) -> bool;

    /// What comes of the decision.
    fn settled(&self) -> DecisionResult<N>;

    /// What is known before the values of all moves are.
    fn so_far(&self) -> DecisionResult<N> {
        self.settled()
    }

    /// What the best of some moves says of the value.
    fn guarantee(&self) -> Guarantee {
        Guarantee::AtLeast
    }
}

/// What comes of a decision.
pub(super) enum DecisionResult<N> {
    /// The best line with its value.
    Best,
    /// The best line, with this value.
    Valued(N),
    /// A mean, behind which no line goes on.
    Mean(N),
}

/// The successor to which a line leads.
pub(super) struct ChosenSuccessor {
    /// Its index.
    pub(super) index: usize,
    /// Whether the line goes on behind it.
    pub(super) goes_on: bool,
}

/// Adds the value of a state in which at most one role chooses, from those of its successors in canonical order.
pub(super) fn choose<R: Reasoner, B: Backup<R>>(
    backup: &B,
    role: Role,
    successors: &[B::Number],
    values: &mut Vec<B::Number>,
) -> ChosenSuccessor {
    let count = backup.count();
    let mut decision = backup.decision(role, successors.len() / count);
    let mut index = 0;
    for (next, value) in successors.chunks_exact(count).enumerate() {
        if decision.take(next, value) {
            index = next;
        }
    }
    match decision.settled() {
        DecisionResult::Best => values.extend_from_slice(&successors[index * count..(index + 1) * count]),
        DecisionResult::Valued(value) => values.push(value),
        DecisionResult::Mean(mean) => {
            values.push(mean);
            return ChosenSuccessor { index, goes_on: false };
        }
    }
    ChosenSuccessor { index, goes_on: true }
}
