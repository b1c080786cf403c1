//! How a search of one player goes about its problem: with or without memory, in which order, where it tests for the
//! end.

use super::Arguments;
use super::option::ORDER_MOVES;
use crate::ask::options::SEED;
use crate::ask::spec::{NamedOption, OptionRelation};
use crate::game::{Move, ReasonError, Reasoner, Utility};
use crate::repl::{CommandError, Session, read};
use crate::search::{Form, GoalTest, MoveOrder, Problem, Siblings};

/// `--tree-search`, for searches that otherwise remember states.
pub(super) const TREE_SEARCH: NamedOption =
    NamedOption::flag("--tree-search", "remember no states: one that is reached twice is searched twice");

/// `--goal-test`, for searches with a queue or a stack.
pub(super) const GOAL_TEST: NamedOption = NamedOption::choice(
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
pub(super) const STACK: NamedOption = NamedOption::flag(
    "--stack",
    "generate all children of a node at once; the last one is next, and `ids` begins with depth 1; with --tree-search",
)
.needing(&[OptionRelation::to(&["--tree-search"])]);

/// The requested approach, before the game is asked for its moves.
#[derive(Clone)]
pub(super) struct Approach {
    form: Form,
    exit: bool,
    goal_test: GoalTest,
    siblings: Siblings,
    order: ApproachOrder,
}

#[derive(Clone)]
enum ApproachOrder {
    Random {
        seed: u64,
    },
    /// Moves to try first; between slashes, those of one expansion after the other.
    Listed(String),
}

impl Approach {
    /// Reads the options of this file, as far as the command has them.
    pub(super) fn from_arguments(arguments: &Arguments, session: &Session) -> Result<Self, CommandError> {
        let form = if arguments.has(&TREE_SEARCH) { Form::Tree } else { Form::Graph };
        let siblings = if arguments.has(&STACK) { Siblings::Together } else { Siblings::OneByOne };
        let is_early = arguments.word(&GOAL_TEST) == Some(GENERATION);
        let goal_test = if is_early { GoalTest::Generation } else { GoalTest::Expansion };
        let seed = arguments.number(&SEED)?;
        let order = match arguments.word(&ORDER_MOVES) {
            Some("random") => ApproachOrder::Random { seed: seed.unwrap_or(session.seed()) },
            moves => ApproachOrder::Listed(moves.unwrap_or_default().to_string()),
        };
        Ok(Self { form, exit: true, goal_test, siblings, order })
    }

    /// The same approach in a form, with or without an exit at the best utility.
    pub(super) fn with(self, form: Form, exit: bool) -> Self {
        Self { form, exit, ..self }
    }

    /// The seed of a random order.
    pub(super) fn seed(&self) -> Option<u64> {
        if let ApproachOrder::Random { seed } = self.order { Some(seed) } else { None }
    }

    /// The same approach in a random order with this seed.
    pub(super) fn with_seed(self, seed: u64) -> Self {
        Self { order: ApproachOrder::Random { seed }, ..self }
    }

    /// The problem from a state, and a warning for each move of the order that is not a move of the game.
    pub(super) fn problem<'a, R: Reasoner>(
        &self,
        reasoner: &mut R,
        state: &'a R::State,
        goal: Option<Utility>,
    ) -> Result<(Problem<'a, R::State>, Vec<String>), CommandError> {
        let &Self { form, exit, goal_test, siblings, ref order } = self;
        let (order, warnings) = match order {
            ApproachOrder::Random { seed } => (MoveOrder::Random { seed: *seed }, Vec::new()),
            ApproachOrder::Listed(text) => listed(reasoner, text)?,
        };
        Ok((Problem { state, goal, form, order, exit, goal_test, siblings }, warnings))
    }
}

/// The order of moves that a text names, and a warning for each term that is not a move of the game.
fn listed<R: Reasoner>(reasoner: &mut R, text: &str) -> Result<(MoveOrder, Vec<String>), CommandError> {
    let mut warnings = Vec::new();
    let mut lists = Vec::new();
    for expansion in read::split_outside_parentheses(text, '/') {
        lists.push(moves(reasoner, expansion, &mut warnings)?);
    }
    let order = match <[Vec<Move>; 1]>::try_from(lists) {
        Ok([first]) => MoveOrder::First(first),
        Err(lists) => MoveOrder::Listed(lists),
    };
    Ok((order, warnings))
}

/// The moves of a text, separated by commas.
fn moves<R: Reasoner>(reasoner: &mut R, text: &str, warnings: &mut Vec<String>) -> Result<Vec<Move>, CommandError> {
    let mut moves = Vec::new();
    for part in read::split_outside_parentheses(text, ',') {
        for term in read::terms(part)? {
            match reasoner.find_move(&term) {
                Err(ReasonError::NoSuchMove { .. }) => warnings.push(format!("`{term}` is not a move of this game")),
                found => moves.push(found?),
            }
        }
    }
    Ok(moves)
}
