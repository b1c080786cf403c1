//! Lines of play: the stack on which a search keeps those of the nodes that it is in, and the best line of a stopped
//! search.

use crate::outcome::Halt;
use crate::{FinishedMoves, Guarantee, NodeId};
use gdl::number::to_u32;
use ggp_game::{Move, Role};

/// A line that a search has found, and its value.
#[derive(Clone, Debug)]
pub(super) struct Variation<V> {
    pub(super) value: V,
    /// The joint moves, first to last.
    pub(super) joint_moves: Vec<Vec<Move>>,
    /// The nodes, from the first; empty if there is no observer.
    pub(super) nodes: Vec<NodeId>,
}

/// The lines of the nodes that a search is in, one above the other in one list. A node leaves its best line on the top;
/// its parent puts the joint move on it that leads there, and keeps the line or drops it.
pub(super) struct LineStack {
    roles: usize,
    /// The joint moves; those of a line last to first.
    moves: Vec<Move>,
    /// The nodes of the lines, last to first; none if there is no observer.
    nodes: Vec<NodeId>,
    has_nodes: bool,
}

/// The beginning of a line on the stack.
#[derive(Clone, Copy)]
pub(super) struct LineStart {
    moves: usize,
    nodes: usize,
}

impl LineStack {
    /// No lines. They have nodes if there is an observer.
    #[inline]
    pub(super) fn new(roles: usize, has_nodes: bool) -> Self {
        Self { roles, moves: Vec::new(), nodes: Vec::new(), has_nodes }
    }

    /// Drops all lines.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.nodes.clear();
    }

    /// The beginning of the next line.
    #[inline]
    pub(super) fn top(&self) -> LineStart {
        LineStart { moves: self.moves.len(), nodes: self.nodes.len() }
    }

    /// Adds the line of no moves that ends in `node`.
    #[inline]
    pub(super) fn end(&mut self, node: NodeId) {
        if self.has_nodes {
            self.nodes.push(node);
        }
    }

    /// Puts a joint move before the line on the top, made in `node`.
    #[inline]
    pub(super) fn prepend(&mut self, joint_move: &[Move], node: NodeId) {
        self.moves.extend_from_slice(joint_move);
        if self.has_nodes {
            self.nodes.push(node);
        }
    }

    /// Drops all lines from this one on.
    #[inline]
    pub(super) fn drop_from(&mut self, line: LineStart) {
        self.moves.truncate(line.moves);
        self.nodes.truncate(line.nodes);
    }

    /// Replaces a line by the one on the top, which lies above it.
    #[inline]
    pub(super) fn replace(&mut self, line: LineStart, top: LineStart) {
        if top.moves > line.moves {
            let moves = self.moves.len() - top.moves;
            self.moves.copy_within(top.moves.., line.moves);
            self.moves.truncate(line.moves + moves);
        }
        if top.nodes > line.nodes {
            let nodes = self.nodes.len() - top.nodes;
            self.nodes.copy_within(top.nodes.., line.nodes);
            self.nodes.truncate(line.nodes + nodes);
        }
    }

    /// Leaves only the first joint move of the line on the top, made in `node`: the value is a mean, to which no single
    /// line leads.
    #[inline]
    pub(super) fn keep_first(&mut self, line: LineStart, node: NodeId) {
        // A line is stored last to first, so its first joint move is on the top.
        self.moves.drain(line.moves..self.moves.len() - self.roles);
        self.nodes.truncate(line.nodes);
        self.end(node);
    }

    /// The node after the first joint move of the line on the top, if there is an observer.
    #[inline]
    pub(super) fn child(&self) -> Option<NodeId> {
        self.nodes.len().checked_sub(2).map(|before_last| self.nodes[before_last])
    }

    /// The move of a role with which the line on the top begins.
    #[inline]
    pub(super) fn first_move(&self, role: Role) -> Move {
        self.moves[self.moves.len() - self.roles + role.index()]
    }

    /// The lines from this one on, as one.
    pub(super) fn line<V>(&self, value: V, line: LineStart) -> Variation<V> {
        Variation {
            value,
            joint_moves: self.moves[line.moves..].chunks(self.roles).rev().map(<[Move]>::to_vec).collect(),
            nodes: self.nodes[line.nodes..].iter().rev().copied().collect(),
        }
    }

    /// The only line, as the result of a search.
    pub(super) fn result<V>(&self, value: V) -> Variation<V> {
        self.line(value, LineStart { moves: 0, nodes: 0 })
    }
}

/// The best line of a search that has not ended: of the moves that it has searched to their end in the first state in
/// which a role has a choice.
#[derive(Debug)]
pub(super) struct BestSoFar<V> {
    pub(super) best: Option<Variation<V>>,
    /// The number of these moves.
    pub(super) finished: FinishedMoves,
}

impl<V> BestSoFar<V> {
    #[inline]
    pub(super) fn new() -> Self {
        Self { best: None, finished: FinishedMoves { moves: 0, of: 0, guarantee: Guarantee::AtLeast } }
    }

    /// Begins a choice of this many moves, of which none is finished.
    #[inline]
    pub(super) fn begin(&mut self, of: usize, guarantee: Guarantee) {
        self.best = None;
        self.finished = FinishedMoves { moves: 0, of: to_u32(of), guarantee };
    }

    /// Counts one more finished move; `best` is the best line so far, with its value for the role that asks.
    #[inline]
    pub(super) fn note(&mut self, best: Variation<V>) {
        self.finished.moves += 1;
        self.best = Some(best);
    }

    /// Puts a forced joint move from `node` before the best line: it has led to the first choice.
    pub(super) fn prepend(&mut self, joint_move: &[Move], node: NodeId) {
        if let Some(best) = &mut self.best {
            best.joint_moves.insert(0, joint_move.to_vec());
            // Only a line with nodes has an observer.
            if !best.nodes.is_empty() {
                best.nodes.insert(0, node);
            }
        }
    }

    /// The reason for a stop, if the search was stopped, and the line that it knows: the whole answer or, after a stop,
    /// the best of the moves that it had finished, with their number.
    pub(super) fn known(
        self,
        end: Result<Variation<V>, Halt>,
    ) -> (Option<Halt>, Option<Variation<V>>, Option<FinishedMoves>) {
        match end {
            Ok(found) => (None, Some(found), None),
            Err(halt) => {
                let finished = self.best.is_some().then_some(self.finished);
                (Some(halt), self.best, finished)
            }
        }
    }

    /// The line of a search, or the best of its finished moves if it was stopped.
    pub(super) fn known_line<'f>(
        &'f mut self,
        end: &'f mut Result<Variation<V>, Halt>,
    ) -> Option<&'f mut Variation<V>> {
        match end {
            Ok(found) => Some(found),
            Err(_) => self.best.as_mut(),
        }
    }
}
