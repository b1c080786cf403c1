//! `mixed`: moves at random until what is left of the game is small enough to plan it whole.

use super::deliberation::unless_one_role;
use crate::finding::log_search;
use crate::planning::budget;
use crate::{Deadline, Equipment, PlayerError, Position, Start, Strategy};
use gdl::rules::GroundTerm;
use ggp_game::{Chance, Move, Reasoner};
use ggp_search::{Problem, best_plan};

/// Makes random moves while a search for the best plan would need more nodes than the limit; then plans once, and
/// follows the plan.
///
/// - Precondition: one role.
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small single-player games, which mixes
///   random opening moves with planning.
pub(crate) struct MixedPlayer {
    /// The greatest number of nodes of the search for a plan.
    limit: u64,
    random: Chance,
    /// The memory limit of that search, in bytes.
    memory: u64,
    /// The rest of the plan in reverse order, in terms, which are valid for every engine.
    plan: Option<Vec<GroundTerm>>,
}

impl MixedPlayer {
    /// The default limit.
    pub(crate) const NODES: u64 = 10_000;

    /// Makes a player with these options.
    pub(crate) fn new(limit: u64, seed: u64, memory: u64) -> Self {
        Self { limit, random: Chance::new(seed), memory, plan: None }
    }
}

impl Strategy for MixedPlayer {
    fn name(&self) -> String {
        "mixed".to_string()
    }

    fn prepare(&mut self, _: &Start, position: &mut Position, _: Deadline) -> Result<(), PlayerError> {
        unless_one_role(position)
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        if self.plan.is_none() {
            let budget = budget(position, stop, self.memory).with_nodes(self.limit);
            let Position { engine, state, .. } = position;
            let outcome = best_plan(engine, &Problem::new(state), &budget, ())?;
            log_search("mixed", &outcome, |plan| format!("{} moves, worth {}", plan.moves.len(), plan.utility));
            let plan = if outcome.is_exact() { outcome.answer } else { None };
            self.plan = plan.map(|plan| plan.moves.iter().rev().map(|&chosen| engine.move_term(chosen)).collect());
        }
        match self.plan.as_ref().and_then(|plan| plan.last()) {
            Some(term) => Ok(Some(position.engine.find_move(term)?)),
            None => Ok(Some(position.legal[self.random.below(position.legal.len())])),
        }
    }

    /// A move that the plan does not expect ends it.
    fn played(&mut self, joint_move: &[Move], position: &mut Position) {
        let &[chosen] = joint_move else { return };
        let made = position.engine.move_term(chosen);
        self.plan = self.plan.take().and_then(|mut plan| (plan.pop()? == made && !plan.is_empty()).then_some(plan));
    }

    fn equipped(&mut self, _: Equipment, _: &mut Position) {}

    fn forget(&mut self) {
        self.plan = None;
    }
}
