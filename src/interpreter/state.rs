//! States of the interpreter.

use super::terms::TermId;
use std::sync::Arc;

/// A state: the facts that hold, as sorted ids. Cheap to clone; equal exactly when the same facts hold.
///
/// It means something only to the interpreter that made it and to that one's forks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    facts: Arc<[TermId]>,
}

impl State {
    /// The state in which these facts hold, repetitions allowed.
    pub(super) fn new(facts: &mut Vec<TermId>) -> Self {
        facts.sort_unstable();
        facts.dedup();
        Self { facts: facts.as_slice().into() }
    }

    pub(super) fn facts(&self) -> &[TermId] {
        &self.facts
    }

    /// Whether both are one and the same object, which is quicker to see than that they are equal.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.facts, &other.facts)
    }
}
