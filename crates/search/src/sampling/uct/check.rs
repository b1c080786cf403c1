//! The move that the tree recommends, checked by exact search: random games believe in some moves that lose by force.
//!
//! Late in a search alpha-beta looks for the value after the move. If it is a loss, the move that is recommended next is
//! checked, as long as there is time, and the tree grows on with what is proved.

use super::Uct;
use super::children::NodeIndex;
use super::tree::NodeTurn;
use super::within_reach::expected_nodes;
use crate::Round;
use crate::budget::Meter;
use crate::outcome::Halt;
use ggp_game::{Reasoner, Role};

/// The share of the budget after which the recommended move is checked.
pub(super) const CHECKED_AT: f64 = 0.75;
/// The greatest share of the time for it.
const SHARE: f64 = 0.2;
/// A check is worth while only if it is likely to see this many joint moves ahead: less the tree sees itself.
const LEAST_DEPTH: u32 = 8;

impl<R: Reasoner> Uct<R> {
    /// Checks the move of a role that is recommended in the first state, and those that are recommended in place of moves
    /// that lose, with [`UctOptions::exact`](super::UctOptions::exact) nodes for each random game since the last joint
    /// move. It does not begin where these are too few even in the best order of moves, and ends early if a next round is
    /// not likely to end.
    pub(super) fn check_recommended(
        &mut self,
        reasoner: &mut R,
        role: Role,
        meter: &Meter<'_>,
        memory: u64,
    ) -> Result<(), Halt> {
        let root = self.tree.root();
        let end = (meter.spent() + SHARE).min(1.0);
        let mut left = self.options.exact * f64::from(self.over);
        while self.is_exact() && left >= 1.0 && self.known(root, role).is_none() {
            let is_choosing = self.tree.node(root).turn.as_ref().is_some_and(|turn| turn.is_of(role));
            let expected = if is_choosing { self.expected(root, None) } else { None };
            let is_open =
                |&(_, child): &(_, NodeIndex)| self.known(child, role).is_none() && !self.tree.node(child).is_terminal;
            let Some((_, child)) = expected.filter(is_open) else { break };
            self.tree.expand(reasoner, child)?;
            if left < self.least_nodes(child) {
                break;
            }
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "the fraction of a node is cut"
            )]
            let budget = meter.share_until(end).with_nodes(left as u64).with_memory(memory);
            let begun = meter.spent();
            let mut goes_on = |rounds: &[Round]| {
                let nodes = all_nodes(rounds);
                let spent = meter.spent();
                let in_time = nodes * (end - spent) / (spent - begun);
                let depth = rounds.last().map_or(0, |round| round.depth + 1).max(LEAST_DEPTH);
                expected_nodes(rounds, depth).is_none_or(|expected| expected <= in_time.min(left - nodes))
            };
            let found = self.search_exactly(reasoner, role, child, &budget, &mut goes_on);
            let Some(value) = found.value else { break };
            left -= all_nodes(&found.rounds);
            self.settle(reasoner, child, role, value)?;
            self.prove(&[(root, 0)], child);
        }
        Ok(())
    }

    /// The nodes that alpha-beta needs to [`LEAST_DEPTH`] in the best order of moves, if there are as many further on as
    /// in this expanded node.
    ///
    /// - Source: Knuth and Moore, *An Analysis of Alpha-Beta Pruning*, 1975.
    #[inline]
    fn least_nodes(&self, index: NodeIndex) -> f64 {
        let width = self.tree.node(index).turn.as_ref().map_or(0, NodeTurn::width) as f64;
        let half = f64::from(LEAST_DEPTH) / 2.0;
        width.powf(half.ceil()) + width.powf(half.floor()) - 1.0
    }
}

#[inline]
fn all_nodes(rounds: &[Round]) -> f64 {
    rounds.iter().map(|round| round.nodes as f64).sum()
}
