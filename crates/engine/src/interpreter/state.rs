//! States of the interpreter.

use super::terms::TermId;
use gdl::limits::heap_block;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A state: the facts that hold, as sorted ids. Cheap to clone; two states are equal exactly if the same facts hold.
///
/// It is valid only for the interpreter that made it and for its forks: others refuse it
/// ([`ReasonError::OtherGame`](ggp_game::ReasonError::OtherGame)).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The owner as a number, then the facts. In a field of its own it would make every state larger, also those of the
    /// network, which share a type with these.
    words: Arc<[TermId]>,
}

/// An interpreter with its forks, which number terms in the same way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StateOwner(TermId);

impl StateOwner {
    /// A new owner. Numbers come again only after 2^31 others.
    pub(super) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Self(TermId::kept(NEXT.fetch_add(1, Ordering::Relaxed) as usize % TermId::LIMIT))
    }
}

impl State {
    /// The state in which these facts hold; repetitions are allowed.
    pub(super) fn new(owner: StateOwner, facts: &mut Vec<TermId>) -> Self {
        facts.sort_unstable();
        facts.dedup();
        Self { words: std::iter::once(owner.0).chain(facts.iter().copied()).collect() }
    }

    pub(super) fn owner(&self) -> StateOwner {
        StateOwner(self.words[0])
    }

    pub(super) fn facts(&self) -> &[TermId] {
        &self.words[1..]
    }

    /// The bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        // The two counts of an `Arc` come before the words.
        heap_block(2 * size_of::<usize>() + size_of_val(&*self.words))
    }

    /// Whether both share their memory, which is faster to test than equality.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.words, &other.words)
    }
}

/// The owner has no part in the hash, so that it does not depend on how many games have been loaded.
impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.facts().hash(hasher);
    }
}
