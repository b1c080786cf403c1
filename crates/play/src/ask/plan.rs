//! A question to a search of one player, with its options: for a plan, its first move, or the utility that it reaches.

use super::approach::{Approach, ApproachError, GOAL_TEST, ORDER_MOVES, STACK, TREE_SEARCH};
use super::budget::QuestionBudget;
use super::options::{GivenOptions, SEED};
use super::spec::{NamedOption, NumberKind, OptionRelation, TextValue};
use ggp_engine::{Engine, EngineState};
use ggp_game::{BatchReasoner, Heuristic, Move, Utility};
use ggp_search::{self as search, Budget, Form, Observer, Outcome, Plan, Problem, SearchError};

/// `--goal`: the utility that a plan has to reach.
pub const GOAL: NamedOption = NamedOption::decimal("--goal", "N", "a utility", "the utility that a plan has to reach")
    .of_kind(NumberKind::Utility)
    .default("the best there is");
/// `--heuristic`: the heuristic that guides a search.
pub const HEURISTIC: NamedOption = NamedOption::text(
    "--heuristic",
    "SHEET|hmax|hadd|hff",
    "a heuristic",
    TextValue::Sheet,
    "estimates the moves to go: a sheet with rules for `heuristic`, or one computed from the rules of the game",
)
.default("0 everywhere");
/// `--naive`: the textbook's form of `maxscore`, `bestmove` and `bestplan`.
pub(crate) const NAIVE: NamedOption = NamedOption::flag("--naive", "remember no states, as the textbook has it")
    .excluding(&[OptionRelation::to(&["--all"]), OptionRelation::to(&["--shortest"])]);
/// `--exit`: the first plan to the best utility ends the search, or does not.
pub const EXIT: NamedOption =
    NamedOption::choice("--exit", &[YES, "no"], "stop at the first plan to 100, or always examine all lines")
        .default("yes; no for `bestplan --naive`, as the textbook has it")
        .excluding(&[OptionRelation::to(&["--all", "--shortest"]).for_value("no")]);
const YES: &str = "yes";
/// `--shortest`: a plan of the fewest moves.
const SHORTEST: NamedOption = NamedOption::flag("--shortest", "find a plan of the fewest moves; not with --naive");

/// A search of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlanAlgorithm {
    /// [`ggp_search::breadth_first()`].
    BreadthFirst,
    /// [`ggp_search::depth_first()`].
    DepthFirst,
    /// [`ggp_search::iterative_deepening()`].
    IterativeDeepening,
    /// [`ggp_search::a_star()`].
    AStar,
    /// [`ggp_search::ida_star()`].
    IdaStar,
    /// [`ggp_search::greedy()`].
    Greedy,
    /// [`ggp_search::max_score()`].
    MaxScore,
    /// [`ggp_search::best_move()`].
    BestMove,
    /// [`ggp_search::best_plan()`].
    BestPlan,
}

impl PlanAlgorithm {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::BreadthFirst,
        Self::DepthFirst,
        Self::IterativeDeepening,
        Self::AStar,
        Self::IdaStar,
        Self::Greedy,
        Self::MaxScore,
        Self::BestMove,
        Self::BestPlan,
    ];

    /// The name: that of the command, of the player, and in specifications.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BreadthFirst => "bfs",
            Self::DepthFirst => "dfs",
            Self::IterativeDeepening => "ids",
            Self::AStar => "astar",
            Self::IdaStar => "ida",
            Self::Greedy => "greedy",
            Self::MaxScore => "maxscore",
            Self::BestMove => "bestmove",
            Self::BestPlan => "bestplan",
        }
    }

    /// The options that the search has for all callers, without its limits. The prompt has more, for its output.
    pub const fn options(self) -> &'static [NamedOption] {
        match self {
            Self::BreadthFirst => &[GOAL, TREE_SEARCH, GOAL_TEST, ORDER_MOVES, SEED],
            Self::DepthFirst | Self::IterativeDeepening => &[GOAL, TREE_SEARCH, STACK, GOAL_TEST, ORDER_MOVES, SEED],
            Self::AStar | Self::Greedy => &[HEURISTIC, GOAL, TREE_SEARCH, GOAL_TEST, ORDER_MOVES, SEED],
            Self::IdaStar => &[HEURISTIC, GOAL, TREE_SEARCH, ORDER_MOVES, SEED],
            Self::MaxScore | Self::BestMove => &[NAIVE, EXIT, ORDER_MOVES, SEED],
            Self::BestPlan => &[NAIVE, EXIT, SHORTEST, ORDER_MOVES, SEED],
        }
    }
}

/// True if the first plan to the best utility ends a search; `None` if the option is not given.
pub fn exits(given: &impl GivenOptions) -> Option<bool> {
    given.given_word(&EXIT).map(|word| word == YES)
}

/// A search of one player with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanQuestion {
    /// The search.
    pub algorithm: PlanAlgorithm,
    /// The utility that a plan has to reach; without it, the best there is.
    pub goal: Option<Utility>,
    /// The memory of states, and the order of moves.
    pub approach: Approach,
    /// True if a plan of the fewest moves is asked for.
    pub shortest: bool,
}

/// The result of a search of one player.
#[derive(Clone, Debug, PartialEq)]
pub enum Planned {
    /// A plan.
    Plan(Plan),
    /// The first move of a best plan, and its utility.
    Move(Move, Utility),
    /// The utility of a best plan.
    Score(Utility),
}

impl Planned {
    /// The first move, if it is known.
    pub(crate) fn first(&self) -> Option<Move> {
        match self {
            Self::Plan(plan) => plan.moves.first().copied(),
            Self::Move(chosen, _) => Some(*chosen),
            Self::Score(_) => None,
        }
    }

    /// The utility that is reached.
    pub(crate) fn utility(&self) -> Utility {
        match self {
            Self::Plan(plan) => plan.utility,
            Self::Move(_, utility) | Self::Score(utility) => *utility,
        }
    }
}

impl PlanQuestion {
    /// The question with these options; `seed` is that of a random order which has none.
    pub fn new(algorithm: PlanAlgorithm, given: &impl GivenOptions, seed: u64) -> Self {
        let approach = Approach::new(given, seed);
        let approach =
            if matches!(algorithm, PlanAlgorithm::MaxScore | PlanAlgorithm::BestMove | PlanAlgorithm::BestPlan) {
                let form = if given.is_given(&NAIVE) { Form::Tree } else { Form::Graph };
                let usually_exits = algorithm != PlanAlgorithm::BestPlan || form == Form::Graph;
                approach.with(form, exits(given).unwrap_or(usually_exits))
            } else {
                approach
            };
        Self { algorithm, goal: given.given_number(&GOAL), approach, shortest: given.is_given(&SHORTEST) }
    }

    /// The problem from a state, and a warning for each move of the order that is not a move of the game.
    ///
    /// # Errors
    /// If a term of the order is no move, or the engine has no answer.
    pub fn problem<'s, R: BatchReasoner>(
        &self,
        reasoner: &mut R,
        state: &'s R::State,
    ) -> Result<(Problem<'s, R::State>, Vec<String>), ApproachError> {
        self.approach.problem(reasoner, state, self.goal)
    }

    /// Answers the question for a problem of it, guided by a heuristic if the search has one; 0 everywhere without it.
    ///
    /// # Errors
    /// If the game has several roles, or the rules give no answer in some state.
    pub fn ask(
        &self,
        engine: &mut Engine,
        problem: &Problem<'_, EngineState>,
        heuristic: Option<&mut dyn Heuristic<Engine>>,
        budget: &QuestionBudget,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Outcome<Planned>, SearchError> {
        budget.run(|budget| match (heuristic, observer) {
            (Some(heuristic), Some(observer)) => self.run(engine, problem, heuristic, budget, observer),
            (Some(heuristic), None) => self.run(engine, problem, heuristic, budget, ()),
            (None, Some(observer)) => self.run(engine, problem, (), budget, observer),
            (None, None) => self.run(engine, problem, (), budget, ()),
        })
    }

    fn run(
        &self,
        reasoner: &mut Engine,
        problem: &Problem<'_, EngineState>,
        heuristic: impl Heuristic<Engine>,
        budget: &Budget,
        observer: impl Observer,
    ) -> Result<Outcome<Planned>, SearchError> {
        let plan = match self.algorithm {
            PlanAlgorithm::BreadthFirst => search::breadth_first(reasoner, problem, budget, observer),
            PlanAlgorithm::DepthFirst => search::depth_first(reasoner, problem, budget, observer),
            PlanAlgorithm::IterativeDeepening => search::iterative_deepening(reasoner, problem, budget, observer),
            PlanAlgorithm::AStar => search::a_star(reasoner, problem, heuristic, budget, observer),
            PlanAlgorithm::IdaStar => search::ida_star(reasoner, problem, heuristic, budget, observer),
            PlanAlgorithm::Greedy => search::greedy(reasoner, problem, heuristic, budget, observer),
            PlanAlgorithm::BestPlan if self.shortest => search::breadth_first(reasoner, problem, budget, observer),
            PlanAlgorithm::BestPlan => search::best_plan(reasoner, problem, budget, observer),
            PlanAlgorithm::MaxScore => {
                return Ok(search::max_score(reasoner, problem, budget, observer)?.map(Planned::Score));
            }
            PlanAlgorithm::BestMove => {
                let found = search::best_move(reasoner, problem, budget, observer)?;
                return Ok(found.map(|(chosen, utility)| Planned::Move(chosen, utility)));
            }
        };
        Ok(plan?.map(Planned::Plan))
    }
}
