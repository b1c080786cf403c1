//! The nodes of a tree by what they stand for, so that lines that lead to the same state meet in one node
//! (transpositions).
//!
//! States meet only if they are equally many joint moves from the beginning. So no line returns to a node that it has
//! been in, and the nodes form a graph without cycles.
//!
//! The table has two entries for each hash, and where both are taken a new node takes the second one. What is forgotten
//! so costs a second node for a state, and no answer; a look-up costs one cache miss, and freed nodes need not be
//! removed.

use super::children::NodeIndex;
use gdl::number::to_index;

/// Node indices by the hashes of states and plies.
pub(super) struct NodeTable {
    /// Hashes, each with a node. A hash has the entry that its highest bits number, and the one beside it.
    entries: Vec<(u32, NodeIndex)>,
}

impl NodeTable {
    /// The numbers of entries of a new table and of the largest one.
    const FIRST: usize = 1 << 6;
    const MOST: usize = 1 << 24;
    /// The entry of no node.
    const NONE: (u32, NodeIndex) = (0, NodeIndex::MAX);

    /// The most bytes of the table for each node of a tree: while it grows, the old one has two entries for each node,
    /// and the new one four.
    pub(super) const BYTES_FOR_NODE: u64 = 6 * size_of::<(u32, NodeIndex)>() as u64;

    #[inline]
    pub(super) fn new() -> Self {
        Self { entries: vec![Self::NONE; Self::FIRST] }
    }

    /// The nodes that may have this hash. They may have been freed since.
    #[inline]
    pub(super) fn find(&self, hash: u64) -> impl Iterator<Item = NodeIndex> {
        let mark = mark(hash);
        let entries = self.places(mark).map(|place| self.entries[place]);
        entries
            .into_iter()
            .filter(move |&(other, index)| other == mark && index != NodeIndex::MAX)
            .map(|(_, index)| index)
    }

    /// Adds a node; the tree has `nodes` slots, by which the table grows.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64, index: NodeIndex, nodes: usize) {
        if nodes > self.entries.len() / 2 && self.entries.len() < Self::MOST {
            self.grow();
        }
        self.enter(mark(hash), index);
    }

    #[inline]
    fn enter(&mut self, mark: u32, index: NodeIndex) {
        let [first, second] = self.places(mark);
        let place = if self.entries[first] == Self::NONE { first } else { second };
        self.entries[place] = (mark, index);
    }

    /// Doubles the table. Entries keep their order, so memory is read and written in order.
    #[inline]
    fn grow(&mut self) {
        let entries = std::mem::take(&mut self.entries);
        self.entries = vec![Self::NONE; 2 * entries.len()];
        for &(mark, index) in entries.iter().filter(|&&entry| entry != Self::NONE) {
            self.enter(mark, index);
        }
    }

    /// The places of the entries that a hash has.
    #[inline]
    fn places(&self, mark: u32) -> [usize; 2] {
        let first = to_index(u64::from(mark) >> (u32::BITS - self.entries.len().trailing_zeros()));
        [first, first ^ 1]
    }
}

/// The bits of a hash that the table keeps. The multiplication brings all bits of the hash into them.
#[inline]
fn mark(hash: u64) -> u32 {
    (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}
