//! Lines as searches of several players find them, and the memory that they are kept in.

use crate::game::Move;
use crate::search::NodeId;

/// A line that a search has found, and its value.
///
/// Most lines of a search are those of leaves, which have no moves: they have no memory, and cost nothing.
#[derive(Clone, Debug)]
pub(super) struct ValuedLine<V> {
    pub(super) value: V,
    /// `None` if there are neither moves nor nodes.
    line: Option<Box<JointLine>>,
}

/// The moves of a line and its nodes, which are those of the trace.
#[derive(Clone, Debug, Default)]
struct JointLine {
    /// The joint moves, last to first: the moves of all roles, then those of the joint move before it.
    moves: Vec<Move>,
    /// All nodes of the line, last to first; empty if there is no observer.
    nodes: Vec<NodeId>,
}

impl JointLine {
    fn begin_with(&mut self, joint_move: &[Move], node: NodeId) {
        self.moves.extend(joint_move.iter().copied());
        // Only a line with nodes has an observer.
        if !self.nodes.is_empty() {
            self.nodes.push(node);
        }
    }
}

impl<V> ValuedLine<V> {
    /// The line with `joint_move`, made in `node`, before it. [`LinePool::after`] does the same without allocating.
    pub(super) fn after(mut self, joint_move: &[Move], node: NodeId) -> Self {
        self.line.get_or_insert_default().begin_with(joint_move, node);
        self
    }

    /// The same line with another value.
    pub(super) fn with(self, value: V) -> Self {
        Self { value, ..self }
    }

    /// The moves, last joint move to first.
    fn moves(&self) -> &[Move] {
        self.line.as_ref().map_or(&[], |line| &line.moves)
    }

    /// The nodes of the line, last to first; empty if there is no observer.
    pub(super) fn nodes(&self) -> &[NodeId] {
        self.line.as_ref().map_or(&[], |line| &line.nodes)
    }

    /// The joint moves of a game with `roles` roles, first to last.
    pub(super) fn joint_moves(&self, roles: usize) -> Vec<Vec<Move>> {
        self.moves().chunks(roles).rev().map(<[Move]>::to_vec).collect()
    }

    /// The first joint move of a game with `roles` roles; empty if the line has no moves.
    pub(super) fn first(&self, roles: usize) -> &[Move] {
        let moves = self.moves();
        &moves[moves.len().saturating_sub(roles)..]
    }

    /// The number of joint moves of a game with `roles` roles.
    pub(super) fn len(&self, roles: usize) -> usize {
        self.moves().len() / roles
    }

    /// The node after the first joint move, if there is an observer.
    pub(super) fn child(&self) -> Option<NodeId> {
        let nodes = self.nodes();
        nodes.len().checked_sub(2).map(|before_last| nodes[before_last])
    }

    /// Adds joint moves to the end of the line: `further` begins where it ends.
    pub(super) fn extend(&mut self, further: &[Vec<Move>]) {
        let line = self.line.get_or_insert_default();
        line.moves.splice(0..0, further.iter().rev().flatten().copied());
    }

    /// Keeps only the first joint move of the line and replaces the value by a mean, to which no single line leads.
    pub(super) fn only_first(mut self, value: V, node: NodeId, roles: usize) -> Self {
        if let Some(line) = &mut self.line {
            line.moves.drain(..line.moves.len().saturating_sub(roles));
            if !line.nodes.is_empty() {
                line.nodes.clear();
                line.nodes.push(node);
            }
        }
        Self { value, ..self }
    }
}

/// The memory of lines that are no longer needed, which new lines use: in the middle of a search none is allocated.
#[derive(Debug)]
pub(super) struct LinePool {
    // Boxed, so that a line that is taken and given back is not copied.
    #[expect(clippy::vec_box, reason = "lines are boxed where they are used")]
    spare: Vec<Box<JointLine>>,
    /// Whether lines have nodes, because there is an observer.
    has_nodes: bool,
}

impl LinePool {
    pub(super) fn new(has_nodes: bool) -> Self {
        Self { spare: Vec::new(), has_nodes }
    }

    /// A line of no moves, which ends in `node`.
    pub(super) fn end<V>(&mut self, value: V, node: NodeId) -> ValuedLine<V> {
        let mut found = ValuedLine { value, line: None };
        if self.has_nodes {
            let mut line = self.empty();
            line.nodes.push(node);
            found.line = Some(line);
        }
        found
    }

    /// A line with `joint_move`, made in `node`, before it.
    pub(super) fn after<V>(&mut self, mut found: ValuedLine<V>, joint_move: &[Move], node: NodeId) -> ValuedLine<V> {
        found.line.get_or_insert_with(|| self.empty()).begin_with(joint_move, node);
        found
    }

    fn empty(&mut self) -> Box<JointLine> {
        self.spare.pop().map_or_else(Box::default, |mut line| {
            line.moves.clear();
            line.nodes.clear();
            line
        })
    }

    /// Gives back the memory of a line.
    pub(super) fn give_back<V>(&mut self, found: ValuedLine<V>) {
        self.spare.extend(found.line);
    }

    /// Gives back the memory of a line, and returns its value.
    pub(super) fn value_of<V>(&mut self, found: ValuedLine<V>) -> V {
        self.spare.extend(found.line);
        found.value
    }

    /// Puts a line in the place of another.
    pub(super) fn replace<V>(&mut self, kept: &mut Option<ValuedLine<V>>, found: ValuedLine<V>) {
        if let Some(before) = kept.replace(found) {
            self.give_back(before);
        }
    }
}
