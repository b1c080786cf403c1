//! `alphabeta`: alpha-beta with iterative deepening, as long as there is time.

use crate::game::{BatchReasoner, Move};
use crate::play::finding::log_search;
use crate::play::judge::{Judge, Question};
use crate::play::planning::budget;
use crate::play::{Deadline, PlayerError, Position, Start, Strategy};
use crate::search::{Budget, Contest, SearchError, iterative_alpha_beta};

/// Makes the best move of the deepest complete round of alpha-beta. States at the horizon are evaluated by a rule
/// sheet, or by goal value and mobility.
pub(crate) struct AlphaBeta {
    /// The rule sheet with the evaluation.
    pub(crate) evaluation: Option<String>,
    /// The greatest depth, in plies with a choice.
    pub(crate) depth: Option<u32>,
    /// The memory limit, in bytes.
    pub(crate) memory: u64,
    judge: Judge,
}

impl AlphaBeta {
    /// Makes a player with these options.
    pub(crate) fn new(evaluation: Option<String>, depth: Option<u32>, memory: u64) -> Self {
        Self { evaluation, depth, memory, judge: Judge::Generic }
    }
}

impl Strategy for AlphaBeta {
    fn name(&self) -> String {
        "alphabeta".to_string()
    }

    fn prepare(&mut self, start: &Start, _: &mut Position, _: Deadline) -> Result<(), PlayerError> {
        self.judge = Judge::of(self.evaluation.as_deref(), start)?;
        Ok(())
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let budget = budget(position, stop, self.memory);
        let budget = self.depth.map_or(budget.clone(), |depth| budget.with_depth(depth));
        self.judge.ask(position, &Deepening { budget })
    }
}

struct Deepening {
    budget: Budget,
}

impl Question for Deepening {
    fn ask<R: BatchReasoner>(&self, reasoner: &mut R, contest: Contest<'_, R>) -> Result<Option<Move>, SearchError> {
        let outcome = iterative_alpha_beta(reasoner, contest, &self.budget, ())?;
        log_search("alphabeta", &outcome, |found| {
            format!("{}, in {} complete rounds", found.choice.describe(reasoner), found.rounds.len())
        });
        Ok(outcome.answer.and_then(|deepened| deepened.choice.chosen))
    }
}
