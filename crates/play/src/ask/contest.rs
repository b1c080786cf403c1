//! A question: a search of several players, or of chance, with its options, for a role. What answers it is decided here
//! for everybody who asks: the search; all states, where play can come back to a state and there are few; or a search that
//! looks less far ahead, where a limit stopped the one that was asked for before it knew anything.

use super::budget::QuestionBudget;
use super::found::{Answered, ContestFound, Origin};
use super::shallower::{budget_after, deepest};
use super::{Algorithm, OpponentSpec, Predictor};
use gdl::time::Instant;
use ggp_engine::Engine;
use ggp_game::{BatchReasoner, Evaluation, Role};
use ggp_search::{
    self as search, Budget, Choice, Contest, EqualMoves, FromAllStates, Observer, Opponents, Outcome, Pruning, Round,
    SearchError, Solution, SolvedVisitor, SymmetricReasoner,
};

/// A search with its options, for a role.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestQuestion {
    /// The search.
    pub algorithm: Algorithm,
    /// The role that asks.
    pub role: Role,
    /// Orders of moves, memory and windows, as far as the search has them.
    pub pruning: Pruning,
    /// What a mean assumes of the other roles; `None` for searches that assume nothing.
    pub opponents: Option<OpponentSpec>,
    /// Whether the nodes of the search are watched, so that nothing may answer in its place.
    pub is_watched: bool,
}

/// Where a question is asked: a state, the engine of the state, and what is set up for the game.
pub struct AskedPosition<'p, R: BatchReasoner> {
    /// The engine.
    pub reasoner: &'p mut R,
    /// The state.
    pub state: &'p R::State,
    /// The evaluation of states at the horizon.
    pub evaluation: Option<&'p mut dyn Evaluation<R>>,
    /// Predicts the moves of the opponents, where the assumption about them needs a model.
    pub predictor: Option<&'p mut Predictor>,
}

/// An engine that is asked. The searches of questions are compiled for it with this crate, once, and not with everything
/// that asks.
pub trait AskedEngine: BatchReasoner {
    /// Answers a question: the body of [`ContestQuestion::ask`].
    ///
    /// # Errors
    /// Those of [`ContestQuestion::ask`].
    fn answer(
        question: &ContestQuestion,
        asked: &mut AskedPosition<'_, Self>,
        budget: &QuestionBudget,
        observer: Option<&mut dyn Observer>,
        rounds: &mut dyn FnMut(&mut Self, &Round),
    ) -> Result<Answered, SearchError>;

    /// [`ggp_search::solve_each()`].
    ///
    /// # Errors
    /// If the rules give no answer in some state.
    fn solve_each(
        &mut self,
        state: &Self::State,
        budget: &Budget,
        visit: Option<SolvedVisitor<'_, Self>>,
    ) -> Result<Outcome<Solution>, SearchError>;
}

impl AskedEngine for Engine {
    fn solve_each(
        &mut self,
        state: &Self::State,
        budget: &Budget,
        visit: Option<SolvedVisitor<'_, Self>>,
    ) -> Result<Outcome<Solution>, SearchError> {
        search::solve_each(self, state, budget, visit)
    }

    fn answer(
        question: &ContestQuestion,
        asked: &mut AskedPosition<'_, Self>,
        budget: &QuestionBudget,
        observer: Option<&mut dyn Observer>,
        rounds: &mut dyn FnMut(&mut Self, &Round),
    ) -> Result<Answered, SearchError> {
        question.answer(asked, budget, observer, rounds)
    }
}

impl AskedEngine for SymmetricReasoner<Engine> {
    fn solve_each(
        &mut self,
        state: &Self::State,
        budget: &Budget,
        visit: Option<SolvedVisitor<'_, Self>>,
    ) -> Result<Outcome<Solution>, SearchError> {
        search::solve_each(self, state, budget, visit)
    }

    fn answer(
        question: &ContestQuestion,
        asked: &mut AskedPosition<'_, Self>,
        budget: &QuestionBudget,
        observer: Option<&mut dyn Observer>,
        rounds: &mut dyn FnMut(&mut Self, &Round),
    ) -> Result<Answered, SearchError> {
        question.answer(asked, budget, observer, rounds)
    }
}

impl ContestQuestion {
    /// Whether the files of a solved game may answer: a question for what the role can force, without a horizon.
    pub fn may_be_stored(&self, budget: &QuestionBudget) -> bool {
        self.algorithm.forces() && budget.depth().is_none() && !self.is_watched
    }

    /// Answers the question. `rounds` is called after each complete round of iterative deepening.
    ///
    /// # Errors
    /// If the search does not support the game, or the rules give no answer in some state.
    pub fn ask<R: AskedEngine>(
        &self,
        asked: &mut AskedPosition<'_, R>,
        budget: &QuestionBudget,
        observer: Option<&mut dyn Observer>,
        rounds: &mut dyn FnMut(&mut R, &Round),
    ) -> Result<Answered, SearchError> {
        R::answer(self, asked, budget, observer, rounds)
    }

    fn answer<R: BatchReasoner>(
        &self,
        asked: &mut AskedPosition<'_, R>,
        budget: &QuestionBudget,
        observer: Option<&mut dyn Observer>,
        rounds: &mut dyn FnMut(&mut R, &Round),
    ) -> Result<Answered, SearchError> {
        let started = Instant::now();
        if let Some(answered) = self.ask_all_states(asked, budget)? {
            return Ok(answered);
        }
        // What that look took is a part of the time.
        let budget = budget.with(|budget| budget.begun_at(started));
        match observer {
            Some(observer) => self.search(asked, &budget, observer, rounds),
            None => self.search(asked, &budget, (), rounds),
        }
    }

    /// The answer from all states, if they may answer, there are few, and play can come back to one of them: if the search
    /// remembers states and has no horizon.
    ///
    /// # Errors
    /// Those of [`ContestQuestion::ask`].
    fn ask_all_states<R: BatchReasoner>(
        &self,
        asked: &mut AskedPosition<'_, R>,
        budget: &QuestionBudget,
    ) -> Result<Option<Answered>, SearchError> {
        if !self.pruning.table || budget.depth().is_some() || self.is_watched {
            return Ok(None);
        }
        let (role, reasoner, state) = (self.role, &mut *asked.reasoner, asked.state);
        let found = match self.algorithm {
            Algorithm::MaxN => {
                let shares = budget.run(|budget| search::repeating_shares(reasoner, state, budget))?;
                shares.map(|found| found.map(ContestFound::Shares))
            }
            Algorithm::Expectimax | Algorithm::Expectiminimax => {
                let others_are_random = match self.opponents {
                    Some(OpponentSpec::Uniform) => true,
                    Some(OpponentSpec::Adversaries) => false,
                    _ => return Ok(None),
                };
                let search =
                    |budget: &Budget| search::repeating_expectation(reasoner, state, role, others_are_random, budget);
                budget.run(search)?.map(|found| found.map(ContestFound::Expectation))
            }
            Algorithm::Iterative | Algorithm::Nash => None,
            Algorithm::Minimax | Algorithm::Negamax | Algorithm::AlphaBeta | Algorithm::Paranoid => {
                let choice = budget.run(|budget| search::repeating_choice(reasoner, state, role, budget))?;
                choice.map(|found| found.map(|choice| self.told(choice)))
            }
        };
        Ok(found.map(|FromAllStates { outcome, endless, precision }| Answered {
            outcome,
            origin: Origin::AllStates { endless, precision },
            unknown: None,
        }))
    }

    /// The answer of the search. If a limit stops it before it has finished a first move, that of the same search less far
    /// ahead.
    ///
    /// # Errors
    /// Those of [`ContestQuestion::ask`].
    fn search<R: BatchReasoner>(
        &self,
        asked: &mut AskedPosition<'_, R>,
        budget: &QuestionBudget,
        observer: impl Observer,
        rounds: &mut dyn FnMut(&mut R, &Round),
    ) -> Result<Answered, SearchError> {
        let unknown = asked.evaluation.is_none().then(|| asked.reasoner.utility_range().middle());
        let has_horizon = self.algorithm == Algorithm::Iterative || budget.depth().is_some();
        let outcome = self.run(asked, budget, observer, rounds)?;
        let (stopped, cost) = (outcome.stopped, outcome.cost);
        if let Some(stop) = stopped.filter(|_| outcome.answer.is_none()) {
            let left = budget_after(budget, stop, &cost);
            let shallower = deepest(&left, budget.depth(), |budget| self.run(asked, budget, (), rounds));
            if let Some((outcome, depth)) = shallower {
                return Ok(Answered { outcome, origin: Origin::Shallower { depth, stop, cost }, unknown });
            }
        }
        Ok(Answered { outcome, origin: Origin::Search, unknown: unknown.filter(|_| has_horizon) })
    }

    /// A choice as it was asked for: with all equally good moves, or the first of them alone.
    pub fn told(&self, mut choice: Choice) -> ContestFound {
        choice.equals.retain(|_| self.pruning.ties != EqualMoves::Unknown);
        ContestFound::Choice(choice)
    }

    /// Runs the search within these limits.
    fn run<R: BatchReasoner>(
        &self,
        asked: &mut AskedPosition<'_, R>,
        budget: &QuestionBudget,
        observer: impl Observer,
        rounds: &mut dyn FnMut(&mut R, &Round),
    ) -> Result<Outcome<ContestFound>, SearchError> {
        let &Self { role, pruning, .. } = self;
        let (reasoner, state) = (&mut *asked.reasoner, asked.state);
        let AskedPosition { evaluation, predictor, .. } = asked;
        // A borrow of a trait object is shortened only where the trait object is made again.
        let evaluation = evaluation.as_mut().map(|evaluation| &mut **evaluation as &mut dyn Evaluation<R>);
        let contest = Contest { state, role, evaluation, table: pruning.table };
        Ok(match self.algorithm {
            Algorithm::MaxN => {
                budget.run(|budget| search::max_n(reasoner, contest, budget, observer))?.map(ContestFound::Shares)
            }
            Algorithm::Expectimax | Algorithm::Expectiminimax => {
                let opponents = match (predictor, &self.opponents) {
                    (Some(predictor), _) => predictor.opponents(),
                    (None, Some(OpponentSpec::Adversaries)) => Opponents::Minimax,
                    (None, _) => Opponents::Uniform,
                };
                let search = |budget: &Budget| search::expectimax(reasoner, contest, opponents, budget, observer);
                budget.run(search)?.map(ContestFound::Expectation)
            }
            Algorithm::Nash => {
                budget.run(|budget| search::nash(reasoner, contest, budget, observer))?.map(ContestFound::Equilibrium)
            }
            Algorithm::Iterative => {
                let mut watch = |reasoner: &mut R, round: &Round| rounds(reasoner, round);
                let enhancements = pruning.enhancements;
                let search = |budget: &Budget| {
                    search::iterative_with(reasoner, contest, enhancements, budget, observer, &mut watch)
                };
                budget.run(search)?.map(ContestFound::Deepened)
            }
            Algorithm::Minimax => budget
                .run(|budget| search::minimax(reasoner, contest, budget, observer))?
                .map(|choice| self.told(choice)),
            Algorithm::Negamax => budget
                .run(|budget| search::negamax(reasoner, contest, budget, observer))?
                .map(|choice| self.told(choice)),
            Algorithm::AlphaBeta => {
                let search = |budget: &Budget| search::alpha_beta(reasoner, contest, pruning, budget, observer);
                budget.run(search)?.map(|choice| self.told(choice))
            }
            Algorithm::Paranoid => {
                let search = |budget: &Budget| search::paranoid(reasoner, contest, pruning, budget, observer);
                budget.run(search)?.map(|choice| self.told(choice))
            }
        })
    }
}
