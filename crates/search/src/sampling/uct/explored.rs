//! The most visited nodes of the tree, for drawings.

use super::Uct;
use super::children::NodeIndex;
use crate::events::{GeneratedNode, NodeId, NodeKind};
use crate::record::{ExploredNode, ExploredTree, NodeSample};
use ggp_game::{JointMoves, Move, ReasonError, Reasoner, Role};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A node that has been reached on the way from the root.
struct ListedNode {
    index: NodeIndex,
    /// The number of its parent among the listed nodes.
    parent: Option<usize>,
    /// The moves that lead to it, as [`GeneratedNode`] has them.
    moves: Vec<Move>,
    depth: u32,
    /// The role that alone chose the move to it, and the mean utility of that move.
    mean: Option<(Role, f64)>,
}

impl<R: Reasoner> Uct<R> {
    /// The `most` most visited nodes of the tree, parents before children, each with its visits and a value for one
    /// role: the one that alone chose the move to it or, where there is no such role and at the root, the one that
    /// asks.
    ///
    /// # Errors
    /// If the rules give no answer in some leaf.
    pub fn explored(&self, reasoner: &mut R, role: Role, most: usize) -> Result<ExploredTree, ReasonError> {
        let root = self.tree.root();
        let best: Vec<NodeIndex> = self.line_from(root).into_iter().map(|(_, index)| index).chain([root]).collect();
        let mean = self.mean_of(role).map(|mean| (role, mean));
        let mut reached = vec![ListedNode { index: root, parent: None, moves: Vec::new(), depth: 0, mean }];
        // The most visited node first; of equal ones the one that was reached first.
        let mut waiting = BinaryHeap::from([(u32::MAX, Reverse(0))]);
        let mut nodes = Vec::new();
        while nodes.len() < most
            && let Some((_, Reverse(number))) = waiting.pop()
        {
            let parent = nodes.len();
            let node = self.explored_node(reasoner, role, parent, &reached[number])?;
            nodes.push(ExploredNode { is_best: best.contains(&reached[number].index), ..node });
            for child in self.children_of(&reached[number], parent) {
                waiting.push((self.tree.node(child.index).visits, Reverse(reached.len())));
                reached.push(child);
            }
        }
        let not_kept = waiting.len() + self.tree.len().saturating_sub(reached.len());
        Ok(ExploredTree::from_nodes(nodes, not_kept as u64))
    }

    fn children_of(&self, node: &ListedNode, parent: usize) -> Vec<ListedNode> {
        let Some(turn) = &self.tree.node(node.index).turn else { return Vec::new() };
        let child = |(joint, index)| {
            let picks = turn.picks(joint);
            let joint_move = turn.picked(&picks);
            let moves = match &turn.choices[..] {
                [] => joint_move,
                choices => choices.iter().map(|choice| joint_move[choice.role.index()]).collect(),
            };
            let mean = match (&turn.choices[..], &picks[..]) {
                ([only], &[pick]) if Some(only.role) != self.chance => {
                    Some((only.role, f64::from(only.arms[pick as usize].mean)))
                }
                _ => None,
            };
            ListedNode { index, parent: Some(parent), moves, depth: node.depth + 1, mean }
        };
        turn.children().entries().into_iter().map(child).collect()
    }

    fn explored_node(
        &self,
        reasoner: &mut R,
        role: Role,
        number: usize,
        reached: &ListedNode,
    ) -> Result<ExploredNode, ReasonError> {
        let node = self.tree.node(reached.index);
        let choosing = match &node.turn {
            Some(turn) => turn.choices.iter().map(|choice| choice.role).collect(),
            None if node.is_terminal => Vec::new(),
            None => JointMoves::in_state(reasoner, &node.state)?.choosing(),
        };
        let generated = GeneratedNode {
            node: NodeId::new(number as u64),
            parent: reached.parent.map(|parent| NodeId::new(parent as u64)),
            moves: reached.moves.clone().into(),
            depth: reached.depth,
            kind: self.kind(&choosing, role),
            estimate: None,
            probability: None,
        };
        let side = reached.mean.map_or(role, |(side, _)| side);
        let proven = self.known(reached.index, side);
        let value = proven.or(reached.mean.map(|(_, mean)| mean));
        Ok(ExploredNode {
            values: value.into_iter().collect(),
            ended: node.is_terminal.then_some(None),
            sampled: Some(NodeSample { visits: node.visits, side, is_proven: proven.is_some() }),
            ..ExploredNode::new(generated, reached.parent)
        })
    }

    /// The side that decides where these roles choose, as the role that asks sees it.
    #[inline]
    fn kind(&self, choosing: &[Role], role: Role) -> NodeKind {
        match choosing {
            [] => NodeKind::Max,
            roles if roles.contains(&role) => NodeKind::Max,
            &[only] if Some(only) == self.chance => NodeKind::Chance,
            _ => NodeKind::Min,
        }
    }
}
