//! States of the interpreter.

use super::terms::TermId;
use std::sync::Arc;

/// A state: the facts that hold, as sorted ids. Cheap to clone; two states are equal exactly if the same facts hold.
///
/// It is valid only for the interpreter that made it and for its forks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    facts: Arc<[TermId]>,
}

impl State {
    /// The state in which these facts hold; repetitions are allowed.
    pub(super) fn new(facts: &mut Vec<TermId>) -> Self {
        facts.sort_unstable();
        facts.dedup();
        Self { facts: facts.as_slice().into() }
    }

    pub(super) fn facts(&self) -> &[TermId] {
        &self.facts
    }

    /// Whether both share their memory, which is faster to test than equality.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.facts, &other.facts)
    }
}
