//! Lines as searches of several players find them, and the memory that they are kept in.

use super::NodeId;
use crate::game::Move;

/// A line that a search has found, and its value. The nodes are those of the trace.
#[derive(Clone, Debug)]
pub(super) struct Found<V> {
    pub(super) value: V,
    /// The joint moves, last to first: the moves of all roles, then those of the joint move before it.
    line: Vec<Move>,
    /// All nodes of the line, last to first; empty if there is no observer.
    pub(super) nodes: Vec<NodeId>,
}

impl<V> Found<V> {
    /// The line with `joint_move`, made in `node`, before it.
    pub(super) fn after(mut self, joint_move: &[Move], node: NodeId) -> Self {
        self.line.extend_from_slice(joint_move);
        // Only a line with nodes has an observer.
        if !self.nodes.is_empty() {
            self.nodes.push(node);
        }
        self
    }

    /// The same line with another value.
    pub(super) fn with(self, value: V) -> Self {
        Self { value, ..self }
    }

    /// The joint moves of a game with `roles` roles, first to last.
    pub(super) fn joint_moves(&self, roles: usize) -> Vec<Vec<Move>> {
        self.line.chunks(roles).rev().map(<[Move]>::to_vec).collect()
    }

    /// The first joint move of a game with `roles` roles; empty if the line has no moves.
    pub(super) fn first(&self, roles: usize) -> &[Move] {
        &self.line[self.line.len().saturating_sub(roles)..]
    }

    /// The number of joint moves of a game with `roles` roles.
    pub(super) fn len(&self, roles: usize) -> usize {
        self.line.len() / roles
    }

    /// The node after the first joint move, if there is an observer.
    pub(super) fn child(&self) -> Option<NodeId> {
        self.nodes.len().checked_sub(2).map(|before_last| self.nodes[before_last])
    }

    /// Adds joint moves to the end of the line: `further` begins where it ends.
    pub(super) fn extend(&mut self, further: &[Vec<Move>]) {
        self.line.splice(0..0, further.iter().rev().flatten().copied());
    }

    /// Keeps only the first joint move of the line and replaces the value by a mean, to which no single line leads.
    pub(super) fn only_first(mut self, value: V, node: NodeId, roles: usize) -> Self {
        self.line.drain(..self.line.len().saturating_sub(roles));
        if !self.nodes.is_empty() {
            self.nodes.clear();
            self.nodes.push(node);
        }
        Self { value, ..self }
    }
}

/// The memory of lines that are no longer needed, which new lines use: in the middle of a search none is allocated.
#[derive(Debug)]
pub(super) struct Lines {
    spare: Vec<(Vec<Move>, Vec<NodeId>)>,
    /// Whether lines have nodes, because there is an observer.
    has_nodes: bool,
}

impl Lines {
    pub(super) fn new(has_nodes: bool) -> Self {
        Self { spare: Vec::new(), has_nodes }
    }

    /// A line of no moves, which ends in `node`.
    pub(super) fn end<V>(&mut self, value: V, node: NodeId) -> Found<V> {
        let (mut line, mut nodes) = self.spare.pop().unwrap_or_default();
        line.clear();
        nodes.clear();
        if self.has_nodes {
            nodes.push(node);
        }
        Found { value, line, nodes }
    }

    /// Gives back the memory of a line.
    pub(super) fn give_back<V>(&mut self, Found { line, nodes, .. }: Found<V>) {
        self.spare.push((line, nodes));
    }

    /// Puts a line in the place of another.
    pub(super) fn replace<V>(&mut self, kept: &mut Option<Found<V>>, found: Found<V>) {
        if let Some(before) = kept.replace(found) {
            self.give_back(before);
        }
    }
}
