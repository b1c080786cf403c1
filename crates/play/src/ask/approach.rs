//! The approach of a search of one player to its problem: with or without memory, in which order, and where it tests
//! for the end.

use super::options::{GivenOptions, SEED};
use super::spec::{NamedOption, OptionRelation, TextValue, outside_parentheses};
use gdl::rules::{GroundTerm, NoGroundTerm};
use ggp_game::{Move, ReasonError, Reasoner, Utility};
use ggp_search::{Form, GoalTest, MoveOrder, Problem, Siblings};

/// `--tree-search`, for searches that otherwise remember states.
pub(crate) const TREE_SEARCH: NamedOption =
    NamedOption::flag("--tree-search", "remember no states: one that is reached twice is searched twice");

/// `--goal-test`, for searches with a queue or a stack.
pub(crate) const GOAL_TEST: NamedOption = NamedOption::choice(
    "--goal-test",
    &[GENERATION, "expansion"],
    "test a node for the end of the game when it is generated, or when it is taken from the queue or stack",
)
.needing(&[OptionRelation::to(&["--stack"])
    .saying("`--goal-test` needs `--stack`: without it a node is visited as soon as it is generated")])
.default("expansion");

/// The test of a node when it is generated.
const GENERATION: &str = "generation";

/// `--stack`, for depth-first searches.
pub const STACK: NamedOption = NamedOption::flag(
    "--stack",
    "generate all children of a node at once; the last one is next, and `ids` begins with depth 1; with --tree-search",
)
.needing(&[OptionRelation::to(&["--tree-search"])]);

/// `--order`, for searches of one player.
pub const ORDER_MOVES: NamedOption = NamedOption::text(
    "--order",
    "MOVE,…|random",
    "moves with commas between them, or `random`",
    TextValue::Moves,
    "moves to try first, with slashes between the lists of one expansion after the other; or a new random order at each",
);

/// The requested approach, before the game is asked for its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Approach {
    form: Form,
    exit: bool,
    goal_test: GoalTest,
    siblings: Siblings,
    order: ApproachOrder,
}

#[derive(Clone, Debug, PartialEq)]
enum ApproachOrder {
    Random {
        seed: u64,
    },
    /// Moves to try first; between slashes, those of one expansion after the other.
    Listed(String),
}

impl Approach {
    /// The approach with these options, as far as a search has them; `seed` is that of a random order which has none.
    pub fn new(given: &impl GivenOptions, seed: u64) -> Self {
        let form = if given.is_given(&TREE_SEARCH) { Form::Tree } else { Form::Graph };
        let siblings = if given.is_given(&STACK) { Siblings::Together } else { Siblings::OneByOne };
        let is_early = given.given_word(&GOAL_TEST) == Some(GENERATION);
        let goal_test = if is_early { GoalTest::Generation } else { GoalTest::Expansion };
        let order = match given.given_word(&ORDER_MOVES) {
            Some("random") => ApproachOrder::Random { seed: given.given_number(&SEED).unwrap_or(seed) },
            moves => ApproachOrder::Listed(moves.unwrap_or_default().to_string()),
        };
        Self { form, exit: true, goal_test, siblings, order }
    }

    /// The same approach in a form, with or without an exit at the best utility.
    pub fn with(self, form: Form, exit: bool) -> Self {
        Self { form, exit, ..self }
    }

    /// The seed of a random order.
    pub fn seed(&self) -> Option<u64> {
        if let ApproachOrder::Random { seed } = self.order { Some(seed) } else { None }
    }

    /// The same approach in a random order with this seed.
    pub fn with_seed(self, seed: u64) -> Self {
        Self { order: ApproachOrder::Random { seed }, ..self }
    }

    /// The problem from a state, and a warning for each move of the order that is not a move of the game.
    pub fn problem<'a, R: Reasoner>(
        &self,
        reasoner: &mut R,
        state: &'a R::State,
        goal: Option<Utility>,
    ) -> Result<(Problem<'a, R::State>, Vec<String>), ApproachError> {
        let &Self { form, exit, goal_test, siblings, ref order } = self;
        let (order, warnings) = match order {
            ApproachOrder::Random { seed } => (MoveOrder::Random { seed: *seed }, Vec::new()),
            ApproachOrder::Listed(text) => listed(reasoner, text)?,
        };
        Ok((Problem { state, goal, form, order, exit, goal_test, siblings }, warnings))
    }
}

/// The error of an approach that does not fit the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApproachError {
    /// A term of the order is not ground, so it is no move.
    #[error(transparent)]
    Move(#[from] NoGroundTerm),
    /// The engine has no answer.
    #[error(transparent)]
    Reason(#[from] ReasonError),
}

/// The order of moves that a text names, and a warning for each term that is not a move of the game.
fn listed<R: Reasoner>(reasoner: &mut R, text: &str) -> Result<(MoveOrder, Vec<String>), ApproachError> {
    let mut warnings = Vec::new();
    let mut lists = Vec::new();
    for expansion in outside_parentheses(text, '/') {
        lists.push(moves(reasoner, expansion, &mut warnings)?);
    }
    let order = match <[Vec<Move>; 1]>::try_from(lists) {
        Ok([first]) => MoveOrder::First(first),
        Err(lists) => MoveOrder::Listed(lists),
    };
    Ok((order, warnings))
}

/// The moves of a text, separated by commas.
fn moves<R: Reasoner>(reasoner: &mut R, text: &str, warnings: &mut Vec<String>) -> Result<Vec<Move>, ApproachError> {
    let mut moves = Vec::new();
    for part in outside_parentheses(text, ',') {
        let term: GroundTerm = part.parse()?;
        match reasoner.find_move(&term) {
            Err(ReasonError::NoSuchMove { .. }) => warnings.push(format!("`{term}` is not a move of this game")),
            found => moves.push(found?),
        }
    }
    Ok(moves)
}
