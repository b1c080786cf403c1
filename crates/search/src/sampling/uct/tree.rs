//! The tree of a Monte Carlo search: nodes in an array, connected by joint moves.
//!
//! After a move its node becomes the root ([`Tree::go_to`]), which takes constant time. Nodes that can no longer be
//! reached are freed later, a few with each visit ([`Tree::reclaim`]), and new nodes use the free slots.
//!
//! With transpositions, a table ([`NodeTable`]) finds the node of a state, so that lines that lead to the same state
//! meet in one node. States meet only if they are equally many joint moves from the beginning. So no line returns to a
//! node that it has passed, and the nodes form a graph without cycles.

use super::UctOptions;
use super::advice::MoveStatistics;
use super::node::{Arm, Node, NodeIndex, NodeTurn, OPEN, Proof, RoleChoice};
use crate::memory::hash;
use gdl::number::{to_index, to_u32};
use ggp_game::{JointMoves, Move, ReasonError, Reasoner, Role};
use std::hash::Hash;

/// The nodes that have been reached.
pub(super) struct Tree<S> {
    /// The slots of nodes; `None` if a slot is free.
    slots: Vec<Option<Node<S>>>,
    /// The root of the tree.
    root: NodeIndex,
    /// For each slot the number of joint moves that lead to its node from nodes in memory; the root has one more.
    parents: Vec<u32>,
    free: Vec<NodeIndex>,
    /// Nodes to which no node leads any more, and from which others may be reached that are then to be freed as well.
    unreachable: Vec<NodeIndex>,
    /// The nodes by state and ply, if lines that lead to the same state are to meet.
    known: Option<NodeTable>,
    /// True if the moves of nodes keep games in which they were made later.
    counts_later: bool,
    /// The approximate heap bytes of the nodes, without their slots.
    content_bytes: u64,
    /// The number of nodes whose choices have been computed.
    expanded: u64,
    /// Scratch: the joint moves of the node whose choices are being computed.
    joint_moves: JointMoves,
}

/// The utility of a terminal state for each role; [`OPEN`] where the rules give none.
fn end_values<R: Reasoner>(reasoner: &mut R, state: &R::State) -> Result<Vec<f64>, ReasonError> {
    let roles = 0..reasoner.roles().len();
    let value = |index| match reasoner.goal(state, Role::new(index)) {
        Err(error) if error.role_without_goal().is_some() => Ok(OPEN),
        found => Ok(found?.to_f64()),
    };
    roles.map(value).collect()
}

impl<S: Clone + Eq + Hash> Tree<S> {
    /// The number of unreachable nodes that are freed with each visit. A visit adds at most one node, so a full tree
    /// soon has room again.
    const RECLAIMED_BY_VISIT: usize = 2;

    /// The approximate bytes of a slot with its entry in `free`, including spare capacity: a growing vector has up to
    /// half of its capacity free.
    const SLOT_BYTES: u64 = (3 * (size_of::<Option<Node<S>>>() + size_of::<u32>() + size_of::<NodeIndex>()) / 2) as u64;

    /// Starts a tree that has one node.
    pub(super) fn new<R: Reasoner<State = S>>(
        reasoner: &mut R,
        state: &S,
        options: &UctOptions,
    ) -> Result<Self, ReasonError> {
        let mut tree = Self {
            slots: Vec::new(),
            root: 0,
            parents: Vec::new(),
            free: Vec::new(),
            unreachable: Vec::new(),
            known: options.transpositions.then(NodeTable::new),
            counts_later: options.rave > 0.0,
            content_bytes: 0,
            expanded: 0,
            joint_moves: JointMoves::default(),
        };
        tree.root = tree.add(reasoner, state.clone(), 0)?;
        // The root counts as reached by one more move, so it is never freed.
        tree.parents[tree.root as usize] = 1;
        Ok(tree)
    }

    /// The root of the tree.
    #[inline]
    pub(super) fn root(&self) -> NodeIndex {
        self.root
    }

    /// The number of nodes in memory, unreachable ones included.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// The number of nodes whose choices have been computed since the tree was started.
    #[inline]
    pub(super) fn expanded(&self) -> u64 {
        self.expanded
    }

    /// The approximate bytes of the tree.
    #[inline]
    pub(super) fn bytes(&self) -> u64 {
        let known = if self.known.is_some() { NodeTable::BYTES_FOR_NODE } else { 0 };
        self.slots.len() as u64 * (Self::SLOT_BYTES + known) + self.content_bytes
    }

    /// True if the tree uses `memory` bytes or more, so that no node should be added.
    #[inline]
    pub(super) fn is_full(&self, memory: u64) -> bool {
        self.bytes() >= memory
    }

    #[inline]
    pub(super) fn state(&self, index: NodeIndex) -> &S {
        &self.node(index).state
    }

    #[inline]
    pub(super) fn node(&self, index: NodeIndex) -> &Node<S> {
        self.slots[index as usize].as_ref().expect("the slot holds a node")
    }

    #[inline]
    pub(super) fn node_mut(&mut self, index: NodeIndex) -> &mut Node<S> {
        self.slots[index as usize].as_mut().expect("the slot holds a node")
    }

    /// Adds no more nodes that keep games in which their moves were made later.
    #[inline]
    pub(super) fn ignore_later_moves(&mut self) {
        self.counts_later = false;
    }

    /// The exact values of a node, if any is proven.
    #[inline]
    pub(super) fn proven(&self, index: NodeIndex) -> Option<&Proof> {
        self.node(index).proven.as_ref()
    }

    /// Forgets what is proven of states in which the game is not over.
    #[inline]
    pub(super) fn forget_proofs(&mut self) {
        // The values of an end come from the rules.
        for node in self.slots.iter_mut().flatten().filter(|node| !node.is_terminal) {
            node.proven = None;
            let choices = node.turn.iter_mut().flat_map(|turn| &mut turn.choices);
            choices.for_each(|choice| choice.proven.fill(OPEN));
        }
    }

    /// Notes the exact values of moves of a role in an expanded node, by their picks.
    #[inline]
    pub(super) fn note_proven(&mut self, index: NodeIndex, role: Role, values: &[(usize, f64)]) {
        let node = self.slots[index as usize].as_mut();
        let mut choices = node.and_then(|node| node.turn.as_mut()).into_iter().flat_map(|turn| &mut turn.choices);
        let Some(choice) = choices.find(|choice| choice.role == role) else { return };
        let before = choice.bytes();
        values.iter().for_each(|&(pick, value)| choice.note_proven(pick, value));
        self.content_bytes += (choice.bytes() - before) as u64;
    }

    /// Gives the moves of roles in an expanded node their priors; `priors` is called for each choice that has none, with
    /// the state, and returns them or, for a role that no guide advises, an empty list.
    pub(super) fn note_priors(&mut self, index: NodeIndex, priors: &mut dyn FnMut(&S, &RoleChoice) -> Box<[f32]>) {
        let Some(Node { state, turn: Some(turn), .. }) = self.slots[index as usize].as_mut() else { return };
        for choice in turn.choices.iter_mut().filter(|choice| choice.priors.is_empty()) {
            let before = choice.bytes();
            choice.priors = priors(state, choice);
            self.content_bytes += (choice.bytes() - before) as u64;
        }
    }

    /// The child after a joint move, if it has been reached.
    #[inline]
    pub(super) fn child(&self, parent: NodeIndex, joint: u64) -> Option<NodeIndex> {
        self.node(parent).turn.as_ref()?.children.get(joint)
    }

    /// Replaces the contents of `joint_move` by that of these picks in an expanded node.
    #[inline]
    pub(super) fn picked_into(&self, index: NodeIndex, picks: &[u32], joint_move: &mut Vec<Move>) {
        self.node(index).turn.as_ref().expect("the node has been expanded").picked_into(picks, joint_move);
    }

    /// Adds a child after a joint move of an expanded node: a new node, or one to which other lines lead as well.
    pub(super) fn add_child<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        parent: NodeIndex,
        joint: u64,
        state: S,
    ) -> Result<NodeIndex, ReasonError> {
        let child = self.add(reasoner, state, self.node(parent).ply + 1)?;
        self.parents[child as usize] += 1;
        if let Some(turn) = &mut self.node_mut(parent).turn {
            turn.children.insert(joint, child);
            self.content_bytes += turn.children.entry_bytes() as u64;
        }
        Ok(child)
    }

    /// The node of a state at a ply; a new node, if none is known.
    fn add<R: Reasoner<State = S>>(&mut self, reasoner: &mut R, state: S, ply: u32) -> Result<NodeIndex, ReasonError> {
        // Without a table no hash is needed.
        let hash = if self.known.is_some() { hash(&(&state, ply)) } else { 0 };
        let is_same = |&index: &NodeIndex| {
            let node = self.slots[index as usize].as_ref();
            node.is_some_and(|node| node.ply == ply && node.state == state)
        };
        if let Some(index) = self.known.as_ref().and_then(|known| known.find(hash).find(is_same)) {
            return Ok(index);
        }
        let is_terminal = reasoner.is_terminal(&state)?;
        let proven = if is_terminal { Proof::from_values(end_values(reasoner, &state)?) } else { None };
        let node = Node::new(state, ply, is_terminal, proven);
        self.content_bytes += node.bytes(reasoner);
        let index = match self.free.pop() {
            Some(index) => {
                self.slots[index as usize] = Some(node);
                index
            }
            None => {
                self.slots.push(Some(node));
                self.parents.push(0);
                to_u32(self.slots.len() - 1)
            }
        };
        if let Some(known) = &mut self.known {
            known.insert(hash, index, self.slots.len());
        }
        Ok(index)
    }

    /// Computes the choices in a node, if they are not known yet.
    pub(super) fn expand<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        index: NodeIndex,
    ) -> Result<(), ReasonError> {
        if self.node(index).turn.is_none() {
            let mut joint_moves = std::mem::take(&mut self.joint_moves);
            // The list is taken out of the tree, which lends the state meanwhile.
            joint_moves.read(reasoner, self.state(index))?;
            let turn = NodeTurn::new(&joint_moves, self.counts_later);
            self.joint_moves = joint_moves;
            let bytes = turn.bytes();
            self.node_mut(index).turn = Some(turn);
            self.content_bytes += bytes;
            self.expanded += 1;
        }
        Ok(())
    }

    /// The statistics of a role's moves in a node, without proofs; of a role without a choice its only move, whose mean
    /// is not known here.
    pub(super) fn rated(&self, index: NodeIndex, role: Role) -> Vec<MoveStatistics> {
        let Some(turn) = &self.node(index).turn else { return Vec::new() };
        let Some(choice) = turn.choices.iter().find(|choice| choice.role == role) else {
            let visits = self.node(index).visits;
            let chosen = turn.joint_move[role.index()];
            return vec![MoveStatistics { chosen, visits, mean: 0.0, proven: None, error: None }];
        };
        let statistics = |arm: &Arm| {
            let &Arm { chosen, visits, mean, .. } = arm;
            MoveStatistics { chosen, visits, mean: mean.into(), proven: None, error: None }
        };
        choice.arms.iter().map(statistics).collect()
    }

    /// The child of the root after a joint move, if it has been reached.
    pub(super) fn after(&self, joint_move: &[Move]) -> Option<NodeIndex> {
        let turn = self.node(self.root).turn.as_ref()?;
        let pick = |choice: &RoleChoice| {
            let chosen = *joint_move.get(choice.role.index())?;
            choice.arms.iter().position(|arm| arm.chosen == chosen).map(|index| to_u32(index))
        };
        let picks = turn.choices.iter().map(pick).collect::<Option<Vec<u32>>>()?;
        self.child(self.root, turn.joint(&picks))
    }

    /// Makes a node the root: one of the tree, or a new one. What cannot be reached from it becomes unreachable.
    #[inline]
    pub(super) fn go_to(&mut self, root: NodeIndex) {
        // The new root counts as reached before the old one is left, so it is not freed with it.
        let old = std::mem::replace(&mut self.root, root);
        self.parents[root as usize] += 1;
        self.leave(old);
    }

    /// Makes a state that is not in the tree the root.
    pub(super) fn go_to_new<R: Reasoner<State = S>>(&mut self, reasoner: &mut R, state: &S) -> Result<(), ReasonError> {
        let root = self.add(reasoner, state.clone(), self.node(self.root).ply + 1)?;
        self.go_to(root);
        Ok(())
    }

    /// Removes one of the joint moves that lead to a node.
    #[inline]
    fn leave(&mut self, index: NodeIndex) {
        let parents = &mut self.parents[index as usize];
        *parents -= 1;
        if *parents == 0 {
            self.unreachable.push(index);
        }
    }

    /// Frees a few unreachable nodes, if there are any: the share of one visit.
    pub(super) fn reclaim<R: Reasoner<State = S>>(&mut self, reasoner: &R) {
        for _ in 0..Self::RECLAIMED_BY_VISIT {
            let Some(index) = self.unreachable.pop() else { return };
            // Since it became unreachable a line may have led to it again.
            if self.parents[index as usize] > 0 {
                continue;
            }
            let Some(node) = self.slots[index as usize].take() else { continue };
            // The bytes are estimates, and the node may have grown since it was counted.
            self.content_bytes = self.content_bytes.saturating_sub(node.bytes(reasoner));
            for child in node.turn.iter().flat_map(|turn| turn.children.each()) {
                self.leave(child);
            }
            self.free.push(index);
        }
    }
}

/// Table that finds nodes by the hashes of states and plies. It has two entries for each hash, and where both are taken
/// a new node replaces the second one. A forgotten node costs a second node for its state, and no answer; a look-up
/// costs one cache miss, and freed nodes need not be removed.
struct NodeTable {
    /// Bits of hashes, each with a node. A hash has the entry that its highest bits number, and the one beside it.
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
    const BYTES_FOR_NODE: u64 = 6 * size_of::<(u32, NodeIndex)>() as u64;

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
        // Neighbours, so that both are in one line of the cache.
        [first, first ^ 1]
    }
}

/// The bits of a hash that the table keeps. The multiplication brings all bits of the hash into them.
#[inline]
fn mark(hash: u64) -> u32 {
    (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}
