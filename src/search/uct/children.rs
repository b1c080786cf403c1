//! The nodes behind a node, by the number of the joint move that leads to them.

use super::tree::NodeIndex;
use crate::limits::heap_block;
use rustc_hash::FxHashMap;

/// Up to so many joint moves each have their place in an array.
const WIDEST_ARRAY: u64 = 256;

/// Nobody is there yet.
const NONE: NodeIndex = NodeIndex::MAX;

/// The nodes behind a node.
pub(super) enum Children {
    /// One entry a joint move.
    Array(Box<[NodeIndex]>),
    /// Only those that have been reached.
    Map(FxHashMap<u64, NodeIndex>),
}

impl Children {
    /// None yet, of so many joint moves.
    pub(super) fn of(width: u64) -> Self {
        if width <= WIDEST_ARRAY {
            Self::Array(vec![NONE; width as usize].into())
        } else {
            Self::Map(FxHashMap::default())
        }
    }

    /// The node behind a joint move, if it has been reached.
    pub(super) fn get(&self, joint: u64) -> Option<NodeIndex> {
        match self {
            Self::Array(array) => array.get(joint as usize).copied().filter(|&index| index != NONE),
            Self::Map(map) => map.get(&joint).copied(),
        }
    }

    /// Notes the node behind a joint move.
    pub(super) fn insert(&mut self, joint: u64, index: NodeIndex) {
        match self {
            Self::Array(array) => array[joint as usize] = index,
            Self::Map(map) => drop(map.insert(joint, index)),
        }
    }

    /// Forgets the node at a place, if it is one of these.
    pub(super) fn remove(&mut self, gone: NodeIndex) {
        match self {
            Self::Array(array) => array.iter_mut().filter(|index| **index == gone).for_each(|index| *index = NONE),
            Self::Map(map) => map.retain(|_, index| *index != gone),
        }
    }

    /// The nodes that have been reached, in the order of the joint moves.
    pub(super) fn indices(&self) -> Vec<NodeIndex> {
        match self {
            Self::Array(array) => array.iter().copied().filter(|&index| index != NONE).collect(),
            Self::Map(map) => {
                let mut entries: Vec<(u64, NodeIndex)> = map.iter().map(|(&joint, &index)| (joint, index)).collect();
                entries.sort_unstable();
                entries.into_iter().map(|(_, index)| index).collect()
            }
        }
    }

    /// About how many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Array(array) => heap_block(size_of_val(&**array)),
            Self::Map(map) => map.len() * self.entry_bytes(),
        }
    }

    /// About how many bytes each that is reached adds.
    pub(super) fn entry_bytes(&self) -> usize {
        match self {
            Self::Array(_) => 0,
            Self::Map(_) => 2 * size_of::<(u64, NodeIndex)>(),
        }
    }
}
