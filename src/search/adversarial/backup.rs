//! What defines a search of the whole tree: how values come back from successors to a state.

use super::contest::Search;
use crate::game::{ReasonError, Reasoner, Role, Utility};
use crate::search::Observer;
use crate::search::outcome::Halt;

/// How values come back from successors to a state.
pub(super) trait Backup {
    /// A number of a value.
    type Number: Copy;

    /// The value of a state.
    type Value: Clone + PartialEq;

    /// The numbers of a value: one, or one for each role.
    fn numbers(&self) -> usize {
        1
    }

    /// The value that has these numbers.
    fn value(&mut self, numbers: &[Self::Number]) -> Self::Value;

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
    fn estimate<R: Reasoner, O: Observer>(
        &self,
        search: &mut Search<'_, R, O>,
        state: &R::State,
        values: &mut Vec<Self::Number>,
    ) -> Result<(), Halt>;

    /// Adds the value of a state in which a role chooses, or none if it is `None`, from those of its successors in
    /// canonical order.
    fn choose(&self, chooser: Option<Role>, successors: &[Self::Number], values: &mut Vec<Self::Number>) -> Chosen;
}

/// The successor to which a line leads.
pub(super) struct Chosen {
    /// Its index.
    pub(super) index: usize,
    /// Whether the line goes on behind it: no line goes on behind a mean.
    pub(super) goes_on: bool,
}

/// The index of the first of `count` values than which no other is better.
pub(super) fn first_best(count: usize, is_better: impl Fn(usize, usize) -> bool) -> usize {
    (1..count).fold(0, |best, index| if is_better(index, best) { index } else { best })
}
