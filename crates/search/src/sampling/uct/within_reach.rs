//! The exact value of the first state, where it is within reach: it is searched for if it is likely to be found in
//! time.
//!
//! Random games show how many joint moves are left at most, and the first rounds of alpha-beta with increasing depth
//! how many nodes a round has. So in large games the attempt costs hundredths of the time, and near the end of a game,
//! or in a small one, the value is proved long before the tree would prove it.

use super::Uct;
use crate::budget::Meter;
use crate::{Budget, Round, SearchError};
use gdl::time::Instant;
use ggp_game::{Reasoner, Role};
use std::time::Duration;

/// The number of nodes of the first slice; each further one has twice as many.
const FIRST_SLICE: u64 = 1024;
/// The share of the time in which the expected cost does not count yet: rounds to a small depth grow faster than later
/// ones.
const FREE_SHARE: f64 = 0.04;
/// The search goes on if it is expected to take at most this many times the time that is left, since what is expected
/// from early rounds is usually too much.
const OPTIMISM: f64 = 2.0;

impl<R: Reasoner> Uct<R> {
    /// Searches for the exact value of the first state, as long as it is likely to be found within the time of the
    /// budget; says whether it is found. Random games should have been played before, since they show what kind of game
    /// it is. A loss is not entered: against an opponent who may err, random games say which move is the hardest to
    /// answer.
    ///
    /// # Errors
    /// If the rules give no answer in the first state or in a random game.
    pub fn prove_root(&mut self, reasoner: &mut R, role: Role, budget: &Budget) -> Result<bool, SearchError> {
        let root = self.tree.root();
        if !self.is_exact() || self.known(root, role).is_some() {
            return Ok(self.known(root, role).is_some());
        }
        self.tree.expand(reasoner, root)?;
        let meter = Meter::start_flat(budget);
        let memory = self.table_memory(budget.memory());
        let lengths = self.random_lengths(reasoner, &meter.share_until(FREE_SHARE))?;
        let Some(longest) = lengths.left_at(self.tree.node(root).ply()) else { return Ok(false) };
        let begun = Instant::now();
        let time = budget.time().unwrap_or(Duration::MAX);
        let mut nodes = FIRST_SLICE;
        loop {
            let slice = meter.share().with_nodes(nodes).with_memory(memory);
            let found = self.search_exactly(reasoner, role, root, &slice, &mut |_| true);
            if let Some(value) = found.value {
                if value.utility > self.range.least.to_f64() {
                    self.settle(reasoner, root, role, value).or_else(|halt| halt.stop().map(drop))?;
                }
                return Ok(true);
            }
            let spent = begun.elapsed();
            let left = time.saturating_sub(spent).as_secs_f64();
            let expected =
                spent.as_secs_f64() / nodes as f64 * expected_nodes(&found.rounds, longest).unwrap_or(f64::INFINITY);
            if left == 0.0 || spent >= time.mul_f64(FREE_SHARE) && expected > OPTIMISM * left {
                return Ok(false);
            }
            nodes = nodes.saturating_mul(2);
        }
    }
}

/// The number of nodes of the round to this depth, if rounds go on to grow as the last ones did; `None` if there are too
/// few. Two rounds are compared that are two joint moves apart, so that the same side has the last move in both.
#[inline]
pub(super) fn expected_nodes(rounds: &[Round], depth: u32) -> Option<f64> {
    let [.., before, _, last] = rounds else { return None };
    let growth = (last.nodes as f64 / before.nodes.max(1) as f64).sqrt().max(1.0);
    Some(last.nodes as f64 * growth.powf(f64::from(depth.saturating_sub(last.depth))))
}
