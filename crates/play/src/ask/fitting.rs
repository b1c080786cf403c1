//! The kind of a game, as far as some states show it, and the searches that fit it, for questions that name no search.

use super::budget::QuestionBudget;
use super::options::{EVALUATION, KILLERS, NULL_WINDOWS, TABLE};
use super::plan::HEURISTIC;
use super::spec::SearchSpec;
use super::{Algorithm, PlanAlgorithm, Sampling};
use ggp_engine::{Engine, EngineState, Measure};
use ggp_game::{Reasoner, Role};
use ggp_search::{self as search, SearchError, Sums};
use std::time::Duration;

/// The number of states that are visited to see who chooses when, and whether the game is small.
const SURVEYED: u64 = 10_000;
/// The longest time for that: an engine may need minutes for 10,000 states of a large game.
pub const SURVEY_TIME: Duration = Duration::from_secs(1);

/// The roles that decide in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decisions {
    /// One player.
    Alone,
    /// Two opponents who take turns.
    Opponents,
    /// Two opponents who choose at the same time in some state.
    SimultaneousOpponents,
    /// Any other roles without chance, in turns.
    Several,
    /// Any other roles without chance, some of which choose at the same time in some state.
    SimultaneousSeveral,
    /// Roles and chance.
    Chance,
}

impl Decisions {
    /// The kind in words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Alone => "one player",
            Self::Opponents => "two opponents take turns",
            Self::SimultaneousOpponents => "two opponents choose at the same time",
            Self::Several => "each role plays for itself",
            Self::SimultaneousSeveral => "each role plays for itself, some at the same time",
            Self::Chance => "there is chance",
        }
    }
}

/// The kind and the size of a game, as some states show them.
#[derive(Clone, Copy, Debug)]
pub struct SurveyedStates {
    /// The roles that decide.
    pub kind: Decisions,
    /// True if the visited states are all of the game; false for one player, whose states are not visited.
    is_small: bool,
}

/// Visits some states of the game from a state on. Roles without a constant sum of utilities at the visited ends are no
/// opponents; if no end was visited, two roles are taken for opponents. It takes no longer than `time`.
///
/// # Errors
/// If the rules give no answer in some state.
pub fn survey(
    reasoner: &mut Engine,
    state: &EngineState,
    budget: &QuestionBudget,
    time: Duration,
) -> Result<SurveyedStates, SearchError> {
    let roles = reasoner.roles().len();
    if Role::chance(reasoner.roles()).is_some() && roles > 1 {
        return Ok(SurveyedStates { kind: Decisions::Chance, is_small: false });
    }
    if roles == 1 {
        return Ok(SurveyedStates { kind: Decisions::Alone, is_small: false });
    }
    let budget = budget.with(|budget| budget.with_nodes(SURVEYED).with_time(time));
    let outcome = budget.prepare(|budget| search::survey(reasoner, state, None, budget))?;
    let is_small = outcome.is_exact();
    let (choosing, sums) = outcome.answer.map_or((0, Sums::None), |survey| (survey.most_choosing, survey.sums));
    // Without any visited end there are no sums, and two roles are taken for opponents.
    let kind = match (roles == 2 && sums != Sums::Different, choosing < 2) {
        (true, true) => Decisions::Opponents,
        (true, false) => Decisions::SimultaneousOpponents,
        (false, true) => Decisions::Several,
        (false, false) => Decisions::SimultaneousSeveral,
    };
    Ok(SurveyedStates { kind, is_small })
}

/// The search that gives the values of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalysisAlgorithm {
    /// Alpha-beta, deeper and deeper.
    AlphaBeta,
    /// Random games from a growing tree.
    Mcts,
    /// Plans of one player, longer and longer.
    BestPlan,
}

impl AnalysisAlgorithm {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::AlphaBeta, Self::Mcts, Self::BestPlan];

    /// The name: that of the search.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AlphaBeta => Algorithm::AlphaBeta.name(),
            Self::Mcts => Sampling::Mcts.name(),
            Self::BestPlan => PlanAlgorithm::BestPlan.name(),
        }
    }

    /// The search that fits a game. Without an evaluation alpha-beta has no values for a large game before it sees its
    /// ends, so it is for small games, and for a depth that the user wants.
    pub fn fitting(SurveyedStates { kind, is_small }: SurveyedStates, has_depth: bool) -> Self {
        match kind {
            Decisions::Alone => Self::BestPlan,
            Decisions::Opponents if is_small || has_depth => Self::AlphaBeta,
            _ => Self::Mcts,
        }
    }
}

/// A search that is tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FittingSearch {
    /// The method, without limits.
    pub method: FittingMethod,
    /// The reason for trying it, as a text after `since` or `for`.
    pub reason: &'static str,
    /// True if it is repeated with a depth of 1, 2, 3 and so on.
    pub deepens: bool,
}

/// The method of a search that is tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FittingMethod {
    /// A search of this name with its options.
    Search(SearchSpec),
    /// All states of the game are solved.
    AllStates,
    /// Random lines of one player are followed.
    RandomLines,
}

impl FittingSearch {
    fn new(method: FittingMethod, reason: &'static str) -> Self {
        Self { method, reason, deepens: false }
    }

    /// The name of the search: that of its command.
    pub fn name(&self) -> &str {
        match &self.method {
            FittingMethod::Search(search) => search.name(),
            FittingMethod::AllStates => "solve",
            FittingMethod::RandomLines => "dive",
        }
    }

    fn of(search: SearchSpec, reason: &'static str) -> Self {
        Self::new(FittingMethod::Search(search), reason)
    }
}

/// The searches that fit a kind of game, in the order in which they are tried: first those whose answer is exact if the
/// game is small enough. `sheet` is the heuristic or evaluation; with a depth (`has_depth`) only searches that have a
/// horizon fit.
pub fn attempts(kind: Decisions, sheet: Option<&str>, has_depth: bool) -> Vec<FittingSearch> {
    match kind {
        Decisions::Alone => plans(sheet),
        Decisions::Opponents => of_opponents(sheet, has_depth),
        Decisions::SimultaneousOpponents => {
            of_values(SearchSpec::new(Algorithm::Nash.name()), "the equilibrium of mixed strategies", sheet, has_depth)
        }
        Decisions::Several => {
            of_values(with_table(Algorithm::MaxN), "the best of each role, with a table", sheet, has_depth)
        }
        Decisions::SimultaneousSeveral => {
            let reason = "as if simultaneous choices were made one after the other, with a table";
            of_values(with_table(Algorithm::MaxN), reason, sheet, has_depth)
        }
        Decisions::Chance => {
            of_values(with_table(Algorithm::Expectimax), "the mean over chance, with a table", sheet, has_depth)
        }
    }
}

/// The searches of one player.
fn plans(sheet: Option<&str>) -> Vec<FittingSearch> {
    let guided = |algorithm: PlanAlgorithm, by: &str| SearchSpec::new(algorithm.name()).with(&HEURISTIC, by);
    match sheet {
        Some(sheet) => vec![
            FittingSearch::of(guided(PlanAlgorithm::AStar, sheet), "guided by the heuristic"),
            FittingSearch::of(guided(PlanAlgorithm::Greedy, sheet), "for any plan"),
        ],
        None => vec![
            FittingSearch::of(
                SearchSpec::new(PlanAlgorithm::BreadthFirst.name()),
                "the shortest plan, by visiting all states",
            ),
            FittingSearch::of(
                guided(PlanAlgorithm::AStar, Measure::Add.name()),
                "guided by hadd; the plan need not be the shortest",
            ),
            FittingSearch::new(FittingMethod::RandomLines, "by random lines"),
        ],
    }
}

/// The searches of two opponents who take turns.
fn of_opponents(sheet: Option<&str>, has_depth: bool) -> Vec<FittingSearch> {
    let iterative = SearchSpec::new(Algorithm::Iterative.name()).with_flag(&KILLERS).with_flag(&NULL_WINDOWS);
    let deepening = FittingSearch::of(evaluated(iterative, sheet), "alpha-beta deeper and deeper, with a table");
    let all = FittingSearch::new(FittingMethod::AllStates, "by visiting all states");
    match (has_depth, sheet) {
        (true, _) => vec![deepening],
        (false, Some(_)) => vec![all, deepening],
        (false, None) => vec![all, deepening, random_games()],
    }
}

/// The searches where `whole` gives the values if it sees the whole game.
fn of_values(whole: SearchSpec, reason: &'static str, sheet: Option<&str>, has_depth: bool) -> Vec<FittingSearch> {
    let judged = FittingSearch::of(evaluated(whole.clone(), sheet), reason);
    match (has_depth, sheet) {
        (true, _) => vec![judged],
        (false, Some(_)) => vec![FittingSearch::of(whole, reason), FittingSearch { deepens: true, ..judged }],
        (false, None) => vec![judged, random_games()],
    }
}

fn random_games() -> FittingSearch {
    FittingSearch::of(
        SearchSpec::new(Sampling::Mcts.name()),
        "by random games, since the other searches saw too little of the game",
    )
}

fn with_table(algorithm: Algorithm) -> SearchSpec {
    SearchSpec::new(algorithm.name()).with_flag(&TABLE)
}

fn evaluated(search: SearchSpec, sheet: Option<&str>) -> SearchSpec {
    match sheet {
        Some(sheet) => search.with(&EVALUATION, sheet),
        None => search,
    }
}
