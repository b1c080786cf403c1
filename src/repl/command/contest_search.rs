//! A search of several players, as a command asks for it: run, answered from all states, or less far ahead.

use super::Arguments;
use super::contest_answer::{LineNamer, MoveQuestion, SearchedState, choices, found_equilibrium};
use super::rounds::RoundScreen;
use super::shallower_search::{budget_after, deepest};
use super::symmetry::DIFFERENT_BY_THEM;
use super::watch::{Watch, Watcher};
use crate::game::{BatchReasoner, Evaluation, Reasoner, Role};
use crate::play::{OpponentSpec, Predictor};
use crate::repl::CommandError;
use crate::repl::answer::{AllStates, Found, SearchAnswer, Substitute};
use crate::repl::budget::CommandBudget;
use crate::repl::screen::Screen;
use crate::search::{self, Budget, Choice, Contest, FromAllStates, Outcome, Pruning, Round};
use crate::syntax::Dialect;
use crate::time::Instant;
use std::sync::Arc;

/// The searches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ContestAlgorithm {
    Minimax,
    Negamax,
    AlphaBeta,
    Iterative,
    Paranoid,
    MaxN,
    Expectimax,
    Expectiminimax,
    Nash,
}

impl ContestAlgorithm {
    /// What to do if the search was stopped before it had an answer.
    pub(super) fn hint(self) -> &'static str {
        match self {
            Self::Minimax | Self::Negamax | Self::AlphaBeta | Self::Paranoid => {
                "; `iterative` has an answer after each depth"
            }
            Self::Iterative => "",
            Self::MaxN | Self::Expectimax | Self::Expectiminimax | Self::Nash => "; with less `--depth` it ends sooner",
        }
    }
}

/// A question to one of the searches.
pub(super) struct ContestRequest {
    pub(super) algorithm: ContestAlgorithm,
    /// The name of its command.
    pub(super) name: &'static str,
    pub(super) role: Role,
    pub(super) pruning: Pruning,
    pub(super) opponents: Option<(OpponentSpec, Predictor)>,
    pub(super) ties: bool,
    pub(super) values: bool,
    pub(super) budget: CommandBudget,
    pub(super) watch: Watch,
    /// Where the rounds of `iterative` are shown, and how.
    pub(super) screen: Arc<Screen>,
    pub(super) dialect: Dialect,
}

impl ContestRequest {
    /// The answer without an evaluation: from all states if that is how the question is answered, and else of the
    /// search.
    pub(super) fn answer<R: BatchReasoner>(
        mut self,
        reasoner: &mut R,
        state: &R::State,
        lines: LineNamer<R>,
    ) -> Result<SearchAnswer, CommandError> {
        match self.answer_from_all_states(reasoner, state, lines)? {
            Some(answer) => Ok(answer),
            None => self.answer_of_search(reasoner, state, None, lines),
        }
    }

    /// The choice that the files of a solved game have, as the answer.
    pub(super) fn stored_answer<R: Reasoner>(
        self,
        reasoner: &mut R,
        state: &R::State,
        choice: Outcome<Choice>,
    ) -> Result<SearchAnswer, CommandError> {
        let asked = self.question();
        let found = choice.try_map(|choice| SearchedState { reasoner, state, lines: choices }.choice(asked, choice))?;
        SearchAnswer::from_outcome(found)
    }

    /// Runs the search from a state. If a limit stops it before it has finished a first move, the answer is that of the
    /// same search less far ahead.
    pub(super) fn answer_of_search<R: BatchReasoner>(
        mut self,
        reasoner: &mut R,
        state: &R::State,
        mut evaluation: Option<&mut dyn Evaluation<R>>,
        lines: LineNamer<R>,
    ) -> Result<SearchAnswer, CommandError> {
        let (mut watcher, budget) = (self.watch.watcher(), self.budget.clone());
        let unknown = evaluation.is_none().then(|| reasoner.utility_range().middle());
        let has_horizon = self.algorithm == ContestAlgorithm::Iterative || budget.depth().is_some();
        let mut search = |budget: &CommandBudget, watcher: &mut Watcher| {
            let evaluation = evaluation.as_mut().map(|evaluation| &mut **evaluation as &mut dyn Evaluation<R>);
            self.search(reasoner, state, evaluation, lines, budget, watcher)
        };
        let found = search(&budget, &mut watcher)?;
        let (stopped, cost) = (found.stopped, found.cost);
        let shallower = stopped.filter(|_| found.answer.is_none()).and_then(|stop| {
            let left = budget_after(&budget, stop, &cost);
            Some((stop, deepest(&left, budget.depth(), |budget| search(budget, &mut Watcher::default()))?))
        });
        let Self { name, watch, .. } = self;
        let Some((stop, (found, depth))) = shallower else {
            let answer = watch.answer(watcher, reasoner, state, found)?;
            return Ok(answer.ranking(unknown.filter(|_| has_horizon)));
        };
        let answer = watch.answer(watcher, reasoner, state, found)?;
        let missed = "no first move was searched to its end";
        let instead = Substitute { search: name, depth: Some(depth), missed };
        Ok(answer.in_place_of(stop, cost, instead).ranking(unknown))
    }

    fn question(&self) -> MoveQuestion {
        MoveQuestion { role: self.role, ties: self.ties, values: self.values }
    }

    /// Runs the search from a state within these limits.
    fn search<R: BatchReasoner>(
        &mut self,
        reasoner: &mut R,
        state: &R::State,
        evaluation: Option<&mut dyn Evaluation<R>>,
        lines: LineNamer<R>,
        budget: &CommandBudget,
        observer: &mut Watcher,
    ) -> Result<Outcome<Found>, CommandError> {
        let &mut Self { algorithm, role, pruning, .. } = self;
        let asked = self.question();
        // A borrow of a trait object is shortened only where the trait object is made again.
        let evaluation = evaluation.map(|evaluation| evaluation as &mut dyn Evaluation<R>);
        let contest = Contest { state, role, evaluation, table: pruning.table };
        Ok(match algorithm {
            ContestAlgorithm::MaxN => {
                let outcome = budget.run(|budget| search::max_n(reasoner, contest, budget, observer))?;
                outcome.try_map(|shares| SearchedState { reasoner, state, lines }.shares(shares))?
            }
            ContestAlgorithm::Expectimax | ContestAlgorithm::Expectiminimax => {
                let (spec, predictor) = self.opponents.as_mut().expect("it was read for these searches");
                let opponents = predictor.opponents();
                let search = |budget: &Budget| search::expectimax(reasoner, contest, opponents, budget, observer);
                let outcome = budget.run(search)?;
                outcome.try_map(|expectation| {
                    SearchedState { reasoner, state, lines }.expectation(asked, spec, expectation)
                })?
            }
            ContestAlgorithm::Nash => {
                let outcome = budget.run(|budget| search::nash(reasoner, contest, budget, observer))?;
                outcome.map(|equilibrium| found_equilibrium(reasoner, role, equilibrium))
            }
            ContestAlgorithm::Iterative => {
                let mut shown = RoundScreen::new(self.screen.clone(), self.dialect);
                let mut watch = |reasoner: &mut R, round: &Round| {
                    // If the engine is interrupted, the search ends, and its answer has the round.
                    SearchedState { reasoner, state, lines }
                        .round(round.clone())
                        .into_iter()
                        .for_each(|round| shown.add(round));
                };
                let enhancements = pruning.enhancements;
                let outcome = budget.run(|budget| {
                    search::iterative_with(reasoner, contest, enhancements, budget, observer, &mut watch)
                })?;
                outcome.try_map(|deepened| SearchedState { reasoner, state, lines }.deepened(role, deepened))?
            }
            _ => {
                let outcome = budget.run(|budget| match algorithm {
                    ContestAlgorithm::Negamax => search::negamax(reasoner, contest, budget, observer),
                    ContestAlgorithm::AlphaBeta => search::alpha_beta(reasoner, contest, pruning, budget, observer),
                    ContestAlgorithm::Paranoid => search::paranoid(reasoner, contest, pruning, budget, observer),
                    _ => search::minimax(reasoner, contest, budget, observer),
                })?;
                outcome.try_map(|choice| SearchedState { reasoner, state, lines }.choice(asked, choice))?
            }
        })
    }

    /// Whether the files of `ggp solve` may answer instead: a question for what the role can force, without a horizon,
    /// whose trace or tree is not asked for.
    pub(super) fn may_be_stored(&self) -> bool {
        let forces = matches!(
            self.algorithm,
            ContestAlgorithm::Minimax | ContestAlgorithm::Negamax | ContestAlgorithm::AlphaBeta
        );
        forces && self.budget.depth().is_none() && !self.watch.is_on()
    }

    /// Whether the search may be answered from all states instead: if it remembers states, has no horizon, and neither
    /// its trace nor its tree is asked for.
    fn may_repeat(&self) -> bool {
        self.pruning.table && self.budget.depth().is_none() && !self.watch.is_on()
    }

    /// Whether symmetries can be used with the model of the opponents, which may tell a state from those that are like
    /// it.
    pub(super) fn check_symmetry(&self, arguments: &Arguments) -> Result<(), CommandError> {
        match self.opponents.as_ref().is_some_and(|(spec, _)| spec.predicts()) {
            true => Err(arguments.wrong(DIFFERENT_BY_THEM)),
            false => Ok(()),
        }
    }

    /// The answer from all states, if the search may be answered from them, there are few, and play can come back to
    /// one of them. What it took is deducted from the budget otherwise.
    pub(super) fn answer_from_all_states<R: BatchReasoner>(
        &mut self,
        reasoner: &mut R,
        state: &R::State,
        lines: LineNamer<R>,
    ) -> Result<Option<SearchAnswer>, CommandError> {
        if !self.may_repeat() {
            return Ok(None);
        }
        let started = Instant::now();
        let answer = self.answer_if_repeating(reasoner, state, lines)?;
        self.budget = self.budget.with(|budget| budget.begun_at(started));
        Ok(answer)
    }

    fn answer_if_repeating<R: BatchReasoner>(
        &self,
        reasoner: &mut R,
        state: &R::State,
        lines: LineNamer<R>,
    ) -> Result<Option<SearchAnswer>, CommandError> {
        let (&Self { algorithm, role, ref budget, .. }, asked) = (self, self.question());
        let found = match algorithm {
            ContestAlgorithm::MaxN => budget
                .run(|budget| search::repeating_shares(reasoner, state, budget))?
                .map(|answer| answer.try_map(|shares| SearchedState { reasoner, state, lines }.shares(shares))),
            ContestAlgorithm::Expectimax | ContestAlgorithm::Expectiminimax => {
                let Some((spec @ (OpponentSpec::Uniform | OpponentSpec::Adversaries), _)) = &self.opponents else {
                    return Ok(None);
                };
                let others_are_random = *spec == OpponentSpec::Uniform;
                let search =
                    |budget: &Budget| search::repeating_expectation(reasoner, state, role, others_are_random, budget);
                budget.run(search)?.map(|answer| {
                    answer.try_map(|expectation| {
                        SearchedState { reasoner, state, lines }.expectation(asked, spec, expectation)
                    })
                })
            }
            ContestAlgorithm::Iterative | ContestAlgorithm::Nash => None,
            ContestAlgorithm::Minimax
            | ContestAlgorithm::Negamax
            | ContestAlgorithm::AlphaBeta
            | ContestAlgorithm::Paranoid => budget
                .run(|budget| search::repeating_choice(reasoner, state, role, budget))?
                .map(|answer| answer.try_map(|choice| SearchedState { reasoner, state, lines }.choice(asked, choice))),
        };
        let Some(FromAllStates { outcome, endless, precision }) = found.transpose()? else { return Ok(None) };
        let answer = self.watch.clone().answer(self.watch.watcher(), reasoner, state, outcome)?;
        Ok(Some(SearchAnswer { from_all_states: Some(AllStates { endless, precision }), ..answer }))
    }
}
