//! The queue of the searches that keep all waiting nodes in one: every stored node, and which of them wait.

use super::problem::Form;
use crate::NodeId;
use crate::memory;
use gdl::number::to_u32;
use ggp_game::Move;
use hashbrown::HashTable;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::Hash;

/// The key of a node from which no goal can be reached. It waits behind all others, and is not left out: if no goal is
/// found, the answer is the best of all ends, and that may lie below such a node.
pub(super) const HOPELESS: u64 = u64::MAX;

pub(super) struct QueueNode<S> {
    pub(super) state: S,
    /// The index of the parent and the move between them; `None` for the first node.
    pub(super) from: Option<(u32, Move)>,
    pub(super) depth: u32,
    pub(super) number: NodeId,
}

/// All stored nodes, and which of them wait.
pub(super) struct Queue<S> {
    pub(super) nodes: Vec<QueueNode<S>>,
    pub(super) waiting: Frontier,
    /// In a graph search, the index of the node with the fewest moves to each state.
    known: HashTable<u32>,
    /// The heap bytes of the states of the nodes.
    heap: usize,
}

/// The indices of the waiting nodes.
pub(super) enum Frontier {
    /// First in, first out: all nodes from this index on.
    From(u32),
    /// The key of each node with its index, least first.
    Ordered(BinaryHeap<Reverse<(u64, u32)>>),
}

impl<S: Hash + Eq> Queue<S> {
    pub(super) fn new(waiting: Frontier) -> Self {
        Self { nodes: Vec::new(), waiting, known: HashTable::new(), heap: 0 }
    }

    pub(super) fn next(&mut self) -> Option<u32> {
        match &mut self.waiting {
            Frontier::From(index) if (*index as usize) < self.nodes.len() => {
                *index += 1;
                Some(*index - 1)
            }
            Frontier::From(_) => None,
            Frontier::Ordered(waiting) => waiting.pop().map(|Reverse((_, index))| index),
        }
    }

    /// The least key of a waiting node, if nodes wait in the order of keys.
    pub(super) fn least_key(&self) -> Option<u64> {
        match &self.waiting {
            Frontier::From(_) => None,
            Frontier::Ordered(waiting) => waiting.peek().map(|Reverse((key, _))| *key),
        }
    }

    /// In a graph search, the index of the node with the fewest moves to a state.
    pub(super) fn index(&self, state: &S) -> Option<u32> {
        self.known.find(memory::hash(state), |&index| self.nodes[index as usize].state == *state).copied()
    }

    /// In a graph search, the fewest moves known to a state.
    pub(super) fn fewest_moves(&self, state: &S) -> Option<u32> {
        self.index(state).map(|index| self.nodes[index as usize].depth)
    }

    /// The bytes in use while one more node is added whose state has `heap` bytes on the heap.
    pub(super) fn bytes_for_next(&self, heap: usize) -> u64 {
        let waiting = match &self.waiting {
            Frontier::From(_) => 0,
            Frontier::Ordered(waiting) => {
                let doubled = if waiting.len() == waiting.capacity() { 2 } else { 1 };
                doubled * waiting.capacity() * size_of::<Reverse<(u64, u32)>>()
            }
        };
        let nodes = memory::list_bytes_for_next(&self.nodes);
        (nodes + waiting + memory::table_bytes_for(&self.known, 1) + self.heap + heap) as u64
    }

    /// Adds a waiting node. In a graph search its state must be new, or known only by a longer line.
    pub(super) fn add(&mut self, node: QueueNode<S>, order: u64, heap: usize, form: Form) {
        let index = to_u32(self.nodes.len());
        let nodes = &self.nodes;
        if form == Form::Graph {
            let same = |&other: &u32| nodes[other as usize].state == node.state;
            let rehash = |&other: &u32| memory::hash(&nodes[other as usize].state);
            *self.known.entry(memory::hash(&node.state), same, rehash).or_insert(index).get_mut() = index;
        }
        memory::push(&mut self.nodes, node);
        self.heap += heap;
        if let Frontier::Ordered(waiting) = &mut self.waiting {
            waiting.push(Reverse((order, index)));
        }
    }

    /// The moves from the first node to this one, and all nodes on that line.
    pub(super) fn line(&self, index: u32) -> (Vec<Move>, Vec<NodeId>) {
        let node = &self.nodes[index as usize];
        self.line_to(node.number, node.from)
    }

    /// As [`Queue::line`], for a node that need not be stored.
    pub(super) fn line_to(&self, number: NodeId, mut from: Option<(u32, Move)>) -> (Vec<Move>, Vec<NodeId>) {
        let mut moves = Vec::new();
        let mut nodes = vec![number];
        while let Some((before, chosen)) = from {
            let node = &self.nodes[before as usize];
            moves.push(chosen);
            nodes.push(node.number);
            from = node.from;
        }
        moves.reverse();
        nodes.reverse();
        (moves, nodes)
    }

    /// The waiting nodes with their keys, in the order in which they will be removed. What is hopeless has no key.
    pub(super) fn list(&self, ordered: bool) -> Vec<(NodeId, Option<u64>)> {
        let mut waiting: Vec<(u64, u32)> = match &self.waiting {
            &Frontier::From(index) => (index..to_u32(self.nodes.len())).map(|index| (0, index)).collect(),
            Frontier::Ordered(waiting) => waiting.iter().map(|&Reverse(entry)| entry).collect(),
        };
        waiting.sort_unstable();
        let key = |order| Some(order).filter(|&order| ordered && order != HOPELESS);
        let entry = |(order, index): (u64, u32)| (self.nodes[index as usize].number, key(order));
        waiting.into_iter().map(entry).collect()
    }
}
