//! `best` as a question of the library: each of its searches is a question of its own, except `solve` and `dive`, which
//! are no questions.

use super::{Belief, Found, Question, QuestionError, found_plan, terms};
use crate::ask::best::{Attempts, Merit, SharedLimits, best, guides};
use crate::ask::budget::QuestionBudget;
use crate::ask::fitting::{FittingMethod, FittingSearch, attempts, survey};
use crate::ask::options::EVALUATION;
use crate::ask::sampling::VISITS;
use crate::ask::spec::SearchSpec;
use crate::ask::{AskedEngine, Planned, Sampling, searches};
use gdl::limits::Stop;
use ggp_engine::interpreter::State;
use ggp_engine::{Feature, FeaturedGame, Game};
use ggp_game::{Reasoner, Role};
use ggp_search::{Cost, Outcome, Problem, SearchError};
use std::path::Path;

/// The random lines that are followed if there is no limit on time: as many as by the command `dive`.
const RANDOM_LINES: u64 = 1_000;

/// Answers `best` with these options; `budget` has their limits.
pub(super) fn ask_best(
    given: &SearchSpec,
    game: &mut Game,
    state: &State,
    role: Role,
    budget: &QuestionBudget,
) -> Result<Outcome<Found>, QuestionError> {
    let (engine, state_of_engine) = game.engine_at(state)?;
    let nodes = (budget.most_nodes() < u64::MAX).then(|| budget.most_nodes());
    let limits = SharedLimits::new(engine.kind(), nodes, budget.time());
    let kind = survey(engine, &state_of_engine, budget, limits.survey_time())?.kind;
    let (wanted, other) = guides(kind);
    if given.has(&other) {
        let players = if wanted == EVALUATION { "one player" } else { "several players" };
        return Err(QuestionError::OtherKind { option: other.key(), players });
    }
    if let Some(sheet) = given.text(&EVALUATION) {
        // A mistake in it is found before the searches that do without it.
        FeaturedGame::load(game, sheet, Path::new(""), Feature::Evaluation)?;
    }
    let searches = attempts(kind, given.text(&wanted), budget.depth().is_some());
    let whole = |stop| match limits.nodes() {
        Some(nodes) => budget.with(|budget| budget.with_nodes(nodes)).whole(stop),
        None => budget.whole(stop),
    };
    match best(&searches, limits, whole, &mut Questions { game, state, role, budget }) {
        Ok(found) => Ok(found.answer),
        Err(Unanswered::Stopped { stop, cost }) => Ok(Outcome { answer: None, stopped: Some(stop), cost }),
        Err(Unanswered::Failed(error)) => Err(error),
    }
}

/// Runs the searches of `best` as questions of their own.
struct Questions<'q> {
    game: &'q mut Game,
    state: &'q State,
    role: Role,
    budget: &'q QuestionBudget,
}

/// A search that has no answer.
#[derive(Debug, thiserror::Error)]
enum Unanswered {
    #[error("{stop}")]
    Stopped { stop: Stop, cost: Cost },
    #[error(transparent)]
    Failed(QuestionError),
}

impl<E: Into<QuestionError>> From<E> for Unanswered {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl Questions<'_> {
    /// The value of the state from all states that can be reached.
    fn solve(&mut self, budget: &QuestionBudget, search: &str) -> Result<Outcome<Found>, QuestionError> {
        let (engine, state) = self.game.engine_at(self.state)?;
        let outcome = budget.run(|budget| engine.solve_each(&state, budget, None))?;
        Ok(outcome.map(|solution| Found {
            chosen: solution.line.first().map(|joint_move| engine.move_term(joint_move[self.role.index()])),
            value: solution.utilities.map(|utilities| utilities[self.role.index()].to_f64()),
            line: terms(engine, &solution.line),
            belief: Belief::Proven,
            search: search.to_string(),
        }))
    }

    /// The best of random lines of one player.
    fn dive(&mut self, budget: &QuestionBudget, search: &str) -> Result<Outcome<Found>, QuestionError> {
        let (engine, state) = self.game.engine_at(self.state)?;
        let outcome = budget.run(|budget| searches::dive(engine, &Problem::new(&state), 0, budget))?;
        let belief = if outcome.is_exact() { Belief::Proven } else { Belief::Limited };
        Ok(outcome.map(|plan| found_plan(engine, &Planned::Plan(plan), belief, search.to_string())))
    }
}

impl Attempts for Questions<'_> {
    type Answer = Outcome<Found>;
    type Error = Unanswered;

    fn run(
        &mut self,
        search: &FittingSearch,
        depth: Option<u32>,
        limits: &SharedLimits,
    ) -> Result<Outcome<Found>, Unanswered> {
        let mut budget = self.budget.clone();
        if let Some(time) = limits.time() {
            budget = budget.with(|budget| budget.with_time(time));
        }
        if let Some(depth) = depth {
            budget = budget.with(|budget| budget.with_depth(depth));
        }
        let limited = match limits.nodes() {
            Some(nodes) => budget.with(|budget| budget.with_nodes(nodes)),
            None => budget.clone(),
        };
        let outcome = match &search.method {
            FittingMethod::AllStates => self.solve(&limited, search.name())?,
            // A line is no node: without a limit on time as many are followed as by the command.
            FittingMethod::RandomLines if limits.time().is_some() => self.dive(&budget, search.name())?,
            FittingMethod::RandomLines => {
                self.dive(&budget.with(|budget| budget.with_nodes(RANDOM_LINES)), search.name())?
            }
            FittingMethod::Search(spec) => {
                let mut question = Question { spec: spec.clone() };
                if let Some(visits) = limits.nodes()
                    && Sampling::ALL.into_iter().any(|sampling| sampling.name() == search.name())
                {
                    question.spec = question.spec.with(&VISITS, visits);
                }
                question.search(self.game, self.state, self.role, &limited)?
            }
        };
        match (outcome.answer.is_none(), outcome.stopped) {
            (true, Some(stop)) => Err(Unanswered::Stopped { stop, cost: outcome.cost }),
            _ => Ok(outcome),
        }
    }

    fn merit(&self, outcome: &Outcome<Found>) -> Merit {
        let answer = outcome.answer.as_ref();
        let is_proven = answer.is_none_or(|found| found.belief == Belief::Proven);
        Merit {
            is_exact: outcome.is_exact() && is_proven,
            is_instead: false,
            plan: answer.filter(|_| self.game.roles().len() == 1).and_then(|found| found.value),
            cut_off: outcome.stopped.filter(|stop| !matches!(stop, Stop::Depth { .. })),
            nodes: outcome.cost.nodes,
        }
    }

    fn stop_of_answer(outcome: &mut Outcome<Found>) -> Option<&mut Stop> {
        outcome.stopped.as_mut()
    }

    fn stop_of_error(error: &Unanswered) -> Option<Stop> {
        match error {
            Unanswered::Stopped { stop, .. } => Some(*stop),
            Unanswered::Failed(QuestionError::Search(SearchError::Reason(error))) => error.stop(),
            Unanswered::Failed(_) => None,
        }
    }

    fn stopped_by(error: Unanswered, stop: Stop) -> Unanswered {
        match error {
            Unanswered::Stopped { cost, .. } => Unanswered::Stopped { stop, cost },
            error => error,
        }
    }

    fn is_unsupported(error: &Unanswered) -> bool {
        matches!(error, Unanswered::Failed(QuestionError::Search(_)))
    }
}
