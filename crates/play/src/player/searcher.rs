//! A player that asks a search at each turn: the one that bears its name, with the same options as at the prompt.

use crate::ask::budget::QuestionBudget;
use crate::ask::options::{self, DEPTH, EVALUATION, EXTEND_FORCED, GUESS, OPPONENTS};
use crate::ask::{Algorithm, AskedPosition, ContestQuestion, OpponentSpec, Predictor, SearchSpec};
use crate::finding::log_search;
use crate::judge::{Judge, MoveSearch, set_up_limits};
use crate::{Deadline, PlayerError, Position, Start, Strategy};
use ggp_engine::Engine;
use ggp_game::{Chance, Evaluation, Move, Reasoner, Role};
use ggp_search::{Budget, Contest, Pruning, SearchError};
use std::path::Path;
use std::sync::Arc;

/// Makes the move that the search recommends within the clock. Of equally good moves, as far as the search tells them,
/// and of those of a mixed strategy it draws one.
pub(crate) struct Searcher {
    algorithm: Algorithm,
    pruning: Pruning,
    /// What is assumed of the others, if it was given.
    opponents: Option<OpponentSpec>,
    depth: Option<u32>,
    extends_forced: bool,
    /// The rule sheet with the evaluation.
    evaluation: Option<String>,
    guesses: bool,
    /// The memory limit, in bytes.
    memory: u64,
    random: Chance,
    judge: Judge,
    /// Predicts the moves of the others in the game of the match.
    predictor: Option<(OpponentSpec, Predictor)>,
}

impl Searcher {
    /// The part of the time that the search may have; the rest is for one that looks less far ahead, if the first knows
    /// nothing in time.
    const PART: (u32, u32) = (10, 11);

    /// Makes a player that asks a search with these options.
    pub(crate) fn new(algorithm: Algorithm, spec: &SearchSpec, seed: u64, memory: u64) -> Self {
        Self {
            algorithm,
            pruning: options::pruning(spec, || seed),
            opponents: spec.search(&OPPONENTS).map(OpponentSpec::from_spec),
            depth: spec.number(&DEPTH),
            extends_forced: spec.has(&EXTEND_FORCED),
            evaluation: spec.text(&EVALUATION).map(str::to_string),
            guesses: spec.has(&GUESS),
            memory,
            random: Chance::new(seed),
            judge: Judge::Nothing,
            predictor: None,
        }
    }

    fn budget(&self, position: &Position, stop: Deadline) -> QuestionBudget {
        let (part, of) = Self::PART;
        let budget = Budget::new().with_time(stop.remaining() * part / of).with_memory(self.memory);
        let budget = budget.with_interrupt(Arc::clone(&position.interrupt));
        let budget = self.depth.map_or(budget.clone(), |depth| budget.with_depth(depth));
        QuestionBudget::of_match(if self.extends_forced { budget.extending_forced() } else { budget })
    }
}

impl Strategy for Searcher {
    fn name(&self) -> String {
        self.algorithm.name().to_string()
    }

    fn prepare(&mut self, start: &Start, _: &mut Position, _: Deadline) -> Result<(), PlayerError> {
        let otherwise = if self.guesses { Judge::Guess } else { Judge::Nothing };
        self.judge = Judge::load(self.evaluation.as_deref(), otherwise, start)?;
        let has_chance = Role::chance(start.game.interpreter.roles()).is_some();
        let opponents = self.opponents.clone().or_else(|| self.algorithm.usual_opponents(has_chance));
        let predictor = |spec: OpponentSpec| {
            let predictor = Predictor::new(&spec, &start.game, Path::new(""), set_up_limits(start))?;
            Ok::<_, PlayerError>((spec, predictor))
        };
        self.predictor = opponents.map(predictor).transpose()?;
        Ok(())
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let (algorithm, role, pruning) = (self.algorithm, position.role, self.pruning);
        let budget = self.budget(position, stop);
        let (opponents, predictor) = match &mut self.predictor {
            Some((spec, predictor)) => (Some(spec.clone()), Some(predictor)),
            None => (None, None),
        };
        let question = ContestQuestion { algorithm, role, pruning, opponents, is_watched: false };
        let mut turn = SearcherTurn { question, budget, predictor, random: &mut self.random };
        self.judge.ask(position, &mut turn)
    }
}

/// A question at a turn.
struct SearcherTurn<'t> {
    question: ContestQuestion,
    budget: QuestionBudget,
    predictor: Option<&'t mut Predictor>,
    random: &'t mut Chance,
}

impl MoveSearch for SearcherTurn<'_> {
    fn ask(
        &mut self,
        engine: &mut Engine,
        Contest { state, evaluation, .. }: Contest<'_, Engine>,
    ) -> Result<Option<Move>, SearchError> {
        // A borrow of a trait object is shortened only where the trait object is made again.
        let evaluation = evaluation.map(|evaluation| evaluation as &mut dyn Evaluation<Engine>);
        let predictor = self.predictor.as_deref_mut();
        let mut asked = AskedPosition { reasoner: &mut *engine, state, evaluation, predictor };
        let answered = self.question.ask(&mut asked, &self.budget, None, &mut |_, _| {})?;
        log_search(self.question.algorithm.name(), &answered.outcome, |found| found.describe(engine));
        Ok(answered.outcome.answer.and_then(|found| found.draw(self.question.role, self.random)))
    }
}
