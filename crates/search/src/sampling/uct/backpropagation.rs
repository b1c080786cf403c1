//! Backpropagation: what the game from a leaf gives to the nodes of its line.

use super::Uct;
use super::children::NodeIndex;
use super::grow::Lines;
use super::later_moves::LaterMoves;
use super::tree::NodeMean;
use ggp_game::Reasoner;

impl<R: Reasoner> Uct<R> {
    /// Whether nodes have means of their own. In games of two sides the mean of one role says that of the other.
    #[inline]
    pub(super) fn has_node_means(&self) -> bool {
        self.options.transpositions && self.is_contest
    }

    /// Adds the result of a game from the leaf of a line to the leaf; returns the mean there, if nodes have means.
    pub(super) fn reward_leaf(
        &mut self,
        steps: &[(NodeIndex, usize)],
        leaf: NodeIndex,
        worth: &[f32],
    ) -> Option<NodeMean> {
        // In a full tree the last step may have found no room for a leaf below.
        if !self.has_node_means() || steps.last().is_some_and(|&(last, _)| last == leaf) {
            return None;
        }
        Some(self.tree.node_mut(leaf).reward(worth[0]))
    }

    /// Gives the last move of the open line the mean of the node to which it leads, which other lines have reached, and
    /// takes the move back: what the move is worth is known without a game, and the line selects again.
    pub(super) fn learn_mean(&mut self, line: &mut Lines, known: NodeMean) {
        let Some((index, start)) = line.steps.pop() else { return };
        let node = self.tree.node_mut(index);
        node.visits -= 1;
        let choices = node.turn.as_mut().map_or(&mut [][..], |turn| &mut turn.choices);
        for (choice, &pick) in choices.iter_mut().zip(&line.picks[start..]) {
            choice.arms[pick as usize].reward(known.of_role(choice.role, self.range));
        }
        line.picks.truncate(start);
    }

    /// Backpropagates the result of a line to a node with this mean, if it has one. A move has the mean of the node to
    /// which it leads, since that has the games of all lines through the node. `later` has the moves of games from the
    /// end of the line.
    pub(super) fn hand_up(
        &mut self,
        steps: &[(NodeIndex, usize)],
        picks: &[u32],
        mut below: Option<NodeMean>,
        worth: &[f32],
        mut later: Option<&mut LaterMoves>,
    ) {
        let mut handed = std::mem::take(&mut self.handed);
        handed.clear();
        handed.extend_from_slice(worth);
        let has_means = self.has_node_means();
        for &(index, start) in steps.iter().rev() {
            let node = self.tree.node_mut(index);
            let own = has_means.then(|| node.reward(handed[0]));
            let Some(turn) = &mut node.turn else { continue };
            for (choice, &pick) in turn.choices.iter_mut().zip(&picks[start..]) {
                let worth = handed[choice.role.index()];
                let arm = &mut choice.arms[pick as usize];
                arm.reward(worth);
                if let Some(known) = below.filter(|known| known.games > arm.over) {
                    arm.mean = known.of_role(choice.role, self.range);
                }
                if let Some(later) = &mut later {
                    later.add_pick(choice.role, arm.chosen, worth);
                    later.tell(choice.role, choice.arms.iter().map(|arm| arm.chosen), &mut choice.later);
                }
            }
            below = own;
            self.overrule(index, &mut handed);
        }
        self.over += 1;
        self.sums.iter_mut().zip(&handed).for_each(|(sum, &worth)| *sum += f64::from(worth));
        self.handed = handed;
    }

    /// Replaces the utilities of a game through a node by the exact values of the node, as far as they are known: what a
    /// line gives that explores what they depend on does not count further up.
    #[expect(clippy::cast_possible_truncation, reason = "statistics have 32 bits")]
    pub(super) fn overrule(&self, index: NodeIndex, worth: &mut [f32]) {
        let Some(proof) = self.tree.proven(index) else { return };
        for (worth, &value) in worth.iter_mut().zip(proof.values()).filter(|(_, value)| !value.is_nan()) {
            *worth = value as f32;
        }
        let Some([one, other]) = self.opponents else { return };
        for (role, opponent) in [(one, other), (other, one)] {
            if proof.of(role).is_none() && proof.of(opponent).is_some() {
                worth[role.index()] = self.range.rest(worth[opponent.index()]);
            }
        }
    }

    /// Looks whether what one of two opponents gains the other loses also where a game ended with these utilities.
    #[inline]
    pub(super) fn compare_sum(&mut self, worth: &[f32]) {
        if let Some(sides) = self.opponents
            && !self.range.is_shared(sides.iter().map(|role| worth[role.index()]).sum())
        {
            self.is_contest = false;
            self.forget_opposition();
        }
    }

    /// Removes the visits of a line that has not been played.
    pub(super) fn take_back(&mut self, steps: &[(NodeIndex, usize)], picks: &[u32]) {
        for &(index, start) in steps {
            let node = self.tree.node_mut(index);
            node.visits -= 1;
            let Some(turn) = &mut node.turn else { continue };
            for (choice, &pick) in turn.choices.iter_mut().zip(&picks[start..]) {
                choice.arms[pick as usize].take_back();
            }
        }
    }
}
