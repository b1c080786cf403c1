//! Where the value of a proposition is stored in a batch.

use super::word::{Word, map};

/// The index of a word in a batch.
pub(super) type Slot = u32;

/// A word of a batch, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WordSource {
    pub(super) slot: Slot,
    pub(super) is_negated: bool,
}

/// The value of a source in all lanes.
#[inline(always)]
pub(super) fn read<const W: usize>(slots: &[Word<W>], source: WordSource) -> Word<W> {
    let negation = if source.is_negated { u64::MAX } else { 0 };
    map(&slots[source.slot as usize], &[negation; W], |value, negation| value ^ negation)
}
