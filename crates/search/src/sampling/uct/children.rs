//! The children of a node, by the number of the joint move that leads to them.

use gdl::limits::heap_block;
use gdl::number::to_index;
use rustc_hash::FxHashMap;

/// The index of a node's slot.
pub(super) type NodeIndex = u32;

/// The greatest number of joint moves for which children are stored in an array.
const WIDEST_ARRAY: u64 = 256;

/// The entry of a joint move whose child has not been reached.
const NONE: NodeIndex = NodeIndex::MAX;

/// The children of a node.
pub(super) enum Children {
    /// One entry for each joint move.
    Array(Box<[NodeIndex]>),
    /// Only the children that have been reached.
    Map(FxHashMap<u64, NodeIndex>),
}

impl Children {
    /// No children yet, for a node with `width` joint moves.
    #[inline]
    pub(super) fn with_width(width: u64) -> Self {
        if width <= WIDEST_ARRAY {
            Self::Array(vec![NONE; to_index(width)].into())
        } else {
            Self::Map(FxHashMap::default())
        }
    }

    /// The child after a joint move, if it has been reached.
    #[inline]
    pub(super) fn get(&self, joint: u64) -> Option<NodeIndex> {
        match self {
            Self::Array(array) => array.get(to_index(joint)).copied().filter(|&index| index != NONE),
            Self::Map(map) => map.get(&joint).copied(),
        }
    }

    /// Sets the child after a joint move.
    #[inline]
    pub(super) fn insert(&mut self, joint: u64, index: NodeIndex) {
        match self {
            Self::Array(array) => array[to_index(joint)] = index,
            Self::Map(map) => drop(map.insert(joint, index)),
        }
    }

    /// The children that have been reached, with the numbers of their joint moves, in that order.
    pub(super) fn entries(&self) -> Vec<(u64, NodeIndex)> {
        match self {
            Self::Array(array) => {
                let entries = (0..).zip(array.iter().copied());
                entries.filter(|&(_, index)| index != NONE).collect()
            }
            Self::Map(map) => {
                let mut entries: Vec<(u64, NodeIndex)> = map.iter().map(|(&joint, &index)| (joint, index)).collect();
                entries.sort_unstable();
                entries
            }
        }
    }

    /// Each child that has been reached, once for each joint move that leads to it.
    #[inline]
    pub(super) fn each(&self) -> impl Iterator<Item = NodeIndex> {
        let (array, map) = match self {
            Self::Array(array) => (Some(array), None),
            Self::Map(map) => (None, Some(map)),
        };
        let array = array.into_iter().flatten().copied().filter(|&index| index != NONE);
        array.chain(map.into_iter().flat_map(|map| map.values().copied()))
    }

    /// The approximate number of heap bytes.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Array(array) => heap_block(size_of_val(&**array)),
            Self::Map(map) => map.len() * self.entry_bytes(),
        }
    }

    /// The approximate number of bytes that each reached child adds.
    #[inline]
    pub(super) fn entry_bytes(&self) -> usize {
        match self {
            Self::Array(_) => 0,
            Self::Map(_) => 2 * size_of::<(u64, NodeIndex)>(),
        }
    }
}
