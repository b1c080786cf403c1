//! Proofs: exact values of terminal states, propagated to their ancestors as far as they decide them.

use super::Uct;
use super::children::NodeIndex;
use super::tree::{Node, NodeTurn};
use crate::game::{Reasoner, Role};

/// The greatest number of joint moves of a turn for which a proof over all of them is attempted.
pub(super) const MOST_JOINT_MOVES: u64 = 1 << 16;

impl<R: Reasoner> Uct<R> {
    /// Checks for the nodes of a line, from the last one on, whether a proven child decides them. `picks` are those of
    /// all lines.
    pub(super) fn prove(&mut self, steps: &[(NodeIndex, usize)], picks: &[u32], end: NodeIndex) {
        let mut child = end;
        for &(node, start) in steps.iter().rev() {
            self.tree.node_mut(node).has_proven_child = true;
            if self.tree.proven(node).is_none() {
                let Some(worth) = self.decided(node, &picks[start..], child) else { return };
                self.tree.node_mut(node).proven = Some(worth);
                self.proofs.by_successors += 1;
            }
            child = node;
        }
    }

    /// The value of a node, if its children decide it; `child` is a proven child, to which these picks lead.
    fn decided(&self, index: NodeIndex, picks: &[u32], child: NodeIndex) -> Option<Box<[f32]>> {
        let node = self.tree.node(index);
        let turn = node.turn.as_ref()?;
        let is_proven = |joint| self.tree.child(index, joint).is_some_and(|child| self.tree.proven(child).is_some());
        let all_proven = || turn.width() <= MOST_JOINT_MOVES && (0..turn.width()).all(is_proven);
        let worth = self.tree.proven(child)?;
        match &turn.choices[..] {
            [] => Some(worth.into()),
            [only] if Some(only.role) == self.chance => all_proven().then(|| self.mean(index, turn)),
            [only] if worth[only.role.index()] >= self.range.most.to_f32() => Some(worth.into()),
            [only] => all_proven().then(|| self.best(index, turn, only.role)),
            choices => (self.forced_by_a_pick(index, turn, &picks[..choices.len()]))
                .or_else(|| self.same_for_all(index, turn, worth))
                .or_else(|| self.stage_value(index, turn)),
        }
    }

    /// The mean of the children of a node in which chance alone decides.
    fn mean(&self, index: NodeIndex, turn: &NodeTurn) -> Box<[f32]> {
        let width = turn.width();
        let mut mean = vec![0.0; self.roles];
        for worth in (0..width).filter_map(|joint| self.tree.proven(self.tree.child(index, joint)?)) {
            mean.iter_mut().zip(worth).for_each(|(mean, worth)| *mean += worth / width as f32);
        }
        mean.into()
    }

    /// The first of the children that are best for the role that alone decides.
    fn best(&self, index: NodeIndex, turn: &NodeTurn, role: Role) -> Box<[f32]> {
        let mut best: Option<&[f32]> = None;
        for worth in (0..turn.width()).filter_map(|joint| self.tree.proven(self.tree.child(index, joint)?)) {
            if best.is_none_or(|best| worth[role.index()] > best[role.index()]) {
                best = Some(worth);
            }
        }
        best.unwrap_or_default().into()
    }

    /// The common value of all children, if they have one: then the choices do not matter.
    fn same_for_all(&self, index: NodeIndex, turn: &NodeTurn, worth: &[f32]) -> Option<Box<[f32]>> {
        if turn.width() > MOST_JOINT_MOVES {
            return None;
        }
        let is_same = |joint| {
            let child = self.tree.child(index, joint);
            child.and_then(|child| self.tree.proven(child)).is_some_and(|other| other == worth)
        };
        (0..turn.width()).all(is_same).then(|| worth.into())
    }

    /// Replaces the contents of `worths` by the proven values of the moves of the only role that decides in a node;
    /// leaves it empty if several roles decide, chance does, or no child is proven.
    pub(super) fn proven_worths(&self, index: NodeIndex, worths: &mut Vec<Option<f32>>) {
        worths.clear();
        let node: &Node<R::State> = self.tree.node(index);
        let Some(turn) = node.turn.as_ref().filter(|_| node.has_proven_child) else { return };
        let [only] = &turn.choices[..] else { return };
        if Some(only.role) != self.chance {
            let worth = |joint| Some(self.tree.proven(self.tree.child(index, joint)?)?[only.role.index()]);
            worths.extend((0..only.arms.len() as u64).map(worth));
        }
    }

    /// Forgets the proof of a root of which no proven child tells the move.
    pub(super) fn forget_unexplained(&mut self) {
        let root = self.tree.root();
        let node = self.tree.node(root);
        let Some(worth) = &node.proven else { return };
        let mut children = node.turn.iter().flat_map(|turn| turn.children().entries());
        let is_explained = children.any(|(_, child)| self.tree.proven(child) == Some(worth));
        if !is_explained && !self.is_solved_stage(root) {
            self.tree.node_mut(root).proven = None;
        }
    }
}
