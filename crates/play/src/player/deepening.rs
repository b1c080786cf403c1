//! `deepening`: alpha-beta with iterative deepening and all its enhancements, as long as there is time.

use super::learning::practise;
use crate::equipment::Equipment;
use crate::finding::log_search;
use crate::judge::{Judge, MoveSearch};
use crate::planning::budget;
use crate::{Deadline, PlayerError, Position, Start, Strategy};
use ggp_engine::Engine;
use ggp_game::Move;
use ggp_search::{Budget, Contest, Enhancements, LearnedEvaluation, SearchError, TableMemory, iterative_from};

/// Makes the best move of the deepest complete round of alpha-beta. States at the horizon are evaluated by a rule
/// sheet, by what it has learned in the start clock, or by goal value and mobility.
pub(crate) struct DeepeningPlayer {
    /// The rule sheet with the evaluation.
    pub(crate) evaluation: Option<String>,
    /// The memory limit, in bytes.
    pub(crate) memory: u64,
    judge: Judge,
    /// What it remembers from move to move.
    table: TableMemory,
}

impl DeepeningPlayer {
    /// The seed of the games from which it learns.
    const SEED: u64 = 0;

    /// Makes a player with these options.
    pub(crate) fn new(evaluation: Option<String>, memory: u64) -> Self {
        Self { evaluation, memory, judge: Judge::Guess, table: TableMemory::default() }
    }

    /// Makes a player that evaluates by what has been learned.
    pub(super) fn of_learned(learned: LearnedEvaluation, memory: u64) -> Self {
        Self { judge: Judge::Learned(Box::new(learned)), ..Self::new(None, memory) }
    }
}

impl Strategy for DeepeningPlayer {
    fn name(&self) -> String {
        "deepening".to_string()
    }

    fn prepare(&mut self, start: &Start, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        self.forget();
        self.judge = Judge::load(self.evaluation.as_deref(), Judge::Guess, start)?;
        if self.evaluation.is_none()
            && let Some(learned) = practise(position, Self::SEED, stop)
        {
            self.judge = Judge::Learned(Box::new(learned));
        }
        Ok(())
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let budget = budget(position, stop, self.memory);
        let mut question = DeepeningRound { budget, enhancements: Enhancements::ALL, table: &mut self.table };
        self.judge.ask(position, &mut question)
    }

    fn equipped(&mut self, equipment: Equipment, _: &mut Position) {
        if equipment == Equipment::Engine {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.table = TableMemory::default();
        if matches!(self.judge, Judge::Learned(_)) {
            self.judge = Judge::Guess;
        }
    }
}

struct DeepeningRound<'t> {
    budget: Budget,
    enhancements: Enhancements,
    table: &'t mut TableMemory,
}

impl MoveSearch for DeepeningRound<'_> {
    fn ask(&mut self, reasoner: &mut Engine, contest: Contest<'_, Engine>) -> Result<Option<Move>, SearchError> {
        let outcome = iterative_from(reasoner, contest, self.enhancements, &self.budget, &mut |_| true, self.table)?;
        log_search("deepening", &outcome, |found| {
            format!("{}, in {} complete rounds", found.choice.describe(reasoner), found.rounds.len())
        });
        Ok(outcome.answer.and_then(|deepened| deepened.choice.chosen))
    }
}
