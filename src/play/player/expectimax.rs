//! `expectimax`: maximises the expected utility against others who move at random, or as is assumed of them.

use crate::game::{BatchReasoner, Move};
use crate::limits::Stop;
use crate::play::finding::log_search;
use crate::play::judge::{Judge, MoveSearch, set_up_limits};
use crate::play::planning::budget;
use crate::play::{Deadline, PlayerError, Position, Start, Strategy};
use crate::play::{OpponentSpec, Predictor};
use crate::search::{Budget, Contest, SearchError, expectimax};
use std::cell::{Cell, RefCell};
use std::path::Path;

/// Makes the move with the best mean if all others make each of their moves with the same probability, or if they play
/// as a model of them predicts. It doubles the depth from round to round, until the end of the game, the depth limit or
/// the end of the time. States at the horizon are evaluated by a rule sheet, or by goal value and mobility.
///
/// - Source: Genesereth and Thielscher, *General Game Playing*; the lectures' table of assumptions against reality.
pub(crate) struct Expectimax {
    /// The rule sheet with the evaluation.
    pub(crate) evaluation: Option<String>,
    /// The greatest depth, in plies with a choice.
    pub(crate) depth: Option<u32>,
    /// What is assumed of the others.
    opponents: OpponentSpec,
    /// The memory limit, in bytes.
    pub(crate) memory: u64,
    judge: Judge,
    /// Predicts their moves in the game of the match.
    predictor: Option<Predictor>,
}

impl Expectimax {
    /// Makes a player with these options.
    pub(crate) fn new(evaluation: Option<String>, depth: Option<u32>, opponents: OpponentSpec, memory: u64) -> Self {
        Self { evaluation, depth, opponents, memory, judge: Judge::Generic, predictor: None }
    }
}

impl Strategy for Expectimax {
    fn name(&self) -> String {
        "expectimax".to_string()
    }

    fn prepare(&mut self, start: &Start, _: &mut Position, _: Deadline) -> Result<(), PlayerError> {
        self.judge = Judge::load(self.evaluation.as_deref(), start)?;
        self.predictor = Some(Predictor::new(&self.opponents, &start.game, Path::new(""), set_up_limits(start))?);
        Ok(())
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let last = self.depth.unwrap_or(Budget::DEPTH);
        let (mut depth, mut best) = (1, None);
        let predictor = RefCell::new(self.predictor.as_mut().ok_or(PlayerError::NotStarted)?);
        loop {
            let budget = budget(position, stop, self.memory).with_depth(depth.min(last));
            let (is_exact, is_whole) = (Cell::new(false), Cell::new(true));
            let mut expecting = ExpectimaxRound { budget, predictor: &predictor, is_exact, is_whole };
            let chosen = self.judge.ask(position, &mut expecting)?;
            // A round that was stopped knows less than the one before it.
            if expecting.is_whole.get() || depth == 1 {
                best = chosen.or(best);
            }
            if expecting.is_exact.get() || !expecting.is_whole.get() || depth >= last {
                return Ok(best);
            }
            depth *= 2;
        }
    }
}

struct ExpectimaxRound<'p> {
    budget: Budget,
    predictor: &'p RefCell<&'p mut Predictor>,
    /// Whether the search cut nothing off.
    is_exact: Cell<bool>,
    /// Whether the search stopped at nothing but its horizon.
    is_whole: Cell<bool>,
}

impl MoveSearch for ExpectimaxRound<'_> {
    fn ask<R: BatchReasoner>(
        &mut self,
        reasoner: &mut R,
        contest: Contest<'_, R>,
    ) -> Result<Option<Move>, SearchError> {
        let contest = Contest { table: true, ..contest };
        let mut predictor = self.predictor.borrow_mut();
        let outcome = expectimax(reasoner, contest, predictor.opponents(), &self.budget, ())?;
        log_search("expectimax", &outcome, |found| {
            let chosen =
                found.chosen.map_or_else(|| "no move".to_string(), |chosen| reasoner.move_term(chosen).to_string());
            format!("{chosen}, worth {:.1}", found.utility)
        });
        self.is_exact.set(outcome.is_exact());
        self.is_whole.set(matches!(outcome.stopped, None | Some(Stop::Depth { .. })));
        Ok(outcome.answer.and_then(|expectation| expectation.chosen))
    }
}
