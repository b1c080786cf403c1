//! `minimax`: maximises the utility that it can force against all others.

use crate::game::{BatchReasoner, Move};
use crate::play::finding::log_search;
use crate::play::judge::{Judge, MoveSearch};
use crate::play::planning::budget;
use crate::play::{Deadline, PlayerError, Position, Start, Strategy};
use crate::search::{Budget, Contest, EqualMoves, Ordering, Pruning, SearchError, alpha_beta};

/// Makes the move of minimax, to the end of the game or to a depth; if the time runs out, the best of the first moves
/// that were searched completely.
///
/// It runs alpha-beta in canonical order with a table, which finds the same move as minimax and prunes what cannot
/// change it. States at the horizon are evaluated by a rule sheet, or by goal value and mobility.
pub(crate) struct Minimax {
    /// The rule sheet with the evaluation.
    evaluation: Option<String>,
    /// The depth in plies with a choice, if it is limited.
    depth: Option<u32>,
    /// The memory limit, in bytes.
    memory: u64,
    judge: Judge,
}

impl Minimax {
    /// Makes a player with these options.
    pub(crate) fn new(evaluation: Option<String>, depth: Option<u32>, memory: u64) -> Self {
        Self { evaluation, depth, memory, judge: Judge::Generic }
    }
}

impl Strategy for Minimax {
    fn name(&self) -> String {
        "minimax".to_string()
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let budget = budget(position, stop, self.memory);
        let budget = self.depth.map_or(budget.clone(), |depth| budget.with_depth(depth));
        self.judge.ask(position, &mut MinimaxQuestion { budget })
    }

    fn prepare(&mut self, start: &Start, _: &mut Position, _: Deadline) -> Result<(), PlayerError> {
        self.judge = Judge::load(self.evaluation.as_deref(), start)?;
        Ok(())
    }
}

struct MinimaxQuestion {
    budget: Budget,
}

impl MoveSearch for MinimaxQuestion {
    fn ask<R: BatchReasoner>(
        &mut self,
        reasoner: &mut R,
        contest: Contest<'_, R>,
    ) -> Result<Option<Move>, SearchError> {
        let pruning =
            Pruning { ordering: Ordering::Canonical, table: true, ties: EqualMoves::Unknown, ..Pruning::default() };
        let outcome = alpha_beta(reasoner, contest, pruning, &self.budget, ())?;
        log_search("minimax", &outcome, |choice| choice.describe(reasoner));
        Ok(outcome.answer.and_then(|choice| choice.chosen))
    }
}
