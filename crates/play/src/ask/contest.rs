//! A question to a search of several players, or of chance, with its options, for a role, and what it has found.
//!
//! One of three works answers, the same for all callers: all states, if play can come back to a state and there
//! are few; the search itself; or the same search at a smaller depth, if a limit stopped it before it had finished a
//! first move ([`Origin`]).

use super::budget::QuestionBudget;
use super::{OpponentSpec, Predictor};
use gdl::limits::Stop;
use gdl::time::Instant;
use ggp_engine::Engine;
use ggp_game::{BatchReasoner, Chance, Evaluation, Move, ReasonError, Reasoner, Role, Utility};
use ggp_search::{
    self as search, Budget, Choice, Contest, Cost, DeepenedChoice, EqualMoves, Equilibrium, Expectation, FromAllStates,
    Observer, Opponents, Outcome, Precision, Pruning, Round, SearchError, Shares, Solution, SolvedVisitor,
    SymmetricReasoner, WeightedMove,
};

/// A search of several players, or of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// [`ggp_search::minimax()`].
    Minimax,
    /// [`ggp_search::negamax()`].
    Negamax,
    /// [`ggp_search::alpha_beta()`].
    AlphaBeta,
    /// [`ggp_search::iterative_alpha_beta()`].
    Iterative,
    /// [`ggp_search::paranoid()`].
    Paranoid,
    /// [`ggp_search::max_n()`].
    MaxN,
    /// [`ggp_search::expectimax()`].
    Expectimax,
    /// [`ggp_search::expectimax()`] with opponents who play together against the role.
    Expectiminimax,
    /// [`ggp_search::nash()`].
    Nash,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Minimax,
        Self::Negamax,
        Self::AlphaBeta,
        Self::Iterative,
        Self::Paranoid,
        Self::MaxN,
        Self::Expectimax,
        Self::Expectiminimax,
        Self::Nash,
    ];

    /// The name: that of the command, of the player, and in specifications.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Minimax => "minimax",
            Self::Negamax => "negamax",
            Self::AlphaBeta => "alphabeta",
            Self::Iterative => "iterative",
            Self::Paranoid => "paranoid",
            Self::MaxN => "maxn",
            Self::Expectimax => "expectimax",
            Self::Expectiminimax => "expectiminimax",
            Self::Nash => "nash",
        }
    }

    /// True if the value is the one that a role can force, which the files of a solved game know.
    fn forces(self) -> bool {
        matches!(self, Self::Minimax | Self::Negamax | Self::AlphaBeta)
    }
}

/// A search with its options, for a role.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestQuestion {
    /// The search.
    pub algorithm: Algorithm,
    /// The role that asks.
    pub role: Role,
    /// Orders of moves, memory and windows, as far as the search has them.
    pub pruning: Pruning,
    /// The assumption of a mean about the other roles; `None` for searches that assume nothing.
    pub opponents: Option<OpponentSpec>,
    /// True if the nodes of the search are watched, so that nothing may answer in its place.
    pub is_watched: bool,
}

/// The position of a question: a state with its engine, and the evaluation and the model that are set up for the game.
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

/// An engine for questions. The searches of questions are compiled for it once, with this crate, and not again with
/// each crate that asks.
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
    /// True if the files of a solved game may answer: if the question is for the value that the role can force, without
    /// a horizon.
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
        // The time for trying all states is a part of the time of the question.
        let budget = budget.with(|budget| budget.begun_at(started));
        match observer {
            Some(observer) => self.search(asked, &budget, observer, rounds),
            None => self.search(asked, &budget, (), rounds),
        }
    }

    /// The answer from all states: if the search remembers states and has no horizon, if there are few states, and if
    /// play can come back to one of them. `None` otherwise.
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
        let role = self.role;
        let reasoner = &mut *asked.reasoner;
        let state = asked.state;
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

    /// The answer of the search; of the same search at a smaller depth if a limit stops it before it has finished a
    /// first move.
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
        let cost = outcome.cost;
        if let (None, Some(stop)) = (&outcome.answer, outcome.stopped) {
            let left = budget_after(budget, stop, &cost);
            let shallower = deepest(&left, budget.depth(), |budget| self.run(asked, budget, (), rounds));
            if let Some((outcome, depth)) = shallower {
                return Ok(Answered { outcome, origin: Origin::Shallower { depth, stop, cost }, unknown });
            }
        }
        Ok(Answered { outcome, origin: Origin::Search, unknown: unknown.filter(|_| has_horizon) })
    }

    /// The choice as it was asked for: with all equally good moves, or only the first of them.
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
        let AskedPosition { reasoner, state, evaluation, predictor } = asked;
        let reasoner = &mut **reasoner;
        let state = *state;
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

/// The fallback of a stopped search gets 1/PART of its nodes and time, and at most [`MOST_NODES`] nodes.
const PART: u32 = 10;
const MOST_NODES: u64 = 10_000;

/// The limits of searches in place of one that was stopped: a tenth of its nodes and, if time or an interrupt stopped
/// it, a tenth of its time. The nodes that they visit do not count as its nodes.
pub fn budget_after(budget: &QuestionBudget, stop: Stop, cost: &Cost) -> QuestionBudget {
    budget.with(|budget| {
        let left = budget.within().with_nodes((cost.nodes / u64::from(PART)).min(MOST_NODES));
        match stop {
            Stop::Time { .. } | Stop::Interrupted => left.with_time(cost.time / PART),
            _ => left,
        }
    })
}

/// Runs a search to the depths 1, 2, 3 and so on within the limits that are left, and returns the outcome of the last
/// depth that it finishes, with that depth; `None` if it finishes none. An error of the engine ends it like a limit.
fn deepest<T, E>(
    left: &QuestionBudget,
    most_depth: Option<u32>,
    mut search: impl FnMut(&QuestionBudget) -> Result<Outcome<T>, E>,
) -> Option<(Outcome<T>, u32)> {
    let mut last = None;
    let mut spent = Cost::default();
    for depth in 1..most_depth.unwrap_or(Budget::DEPTH) {
        let left = left.with(|budget| budget.after(spent.nodes, spent.time).with_depth(depth));
        let Ok(outcome) = search(&left) else { break };
        spent = spent.with(outcome.cost);
        match outcome.stopped {
            // The whole game lies within this depth.
            None => return Some((outcome, depth)),
            // It has finished this depth, and could go deeper.
            Some(Stop::Depth { limit }) if limit == depth => last = Some((outcome, depth)),
            Some(_) => break,
        }
    }
    last
}

/// The answer to a question.
pub struct Answered {
    /// The result and its cost.
    pub outcome: Outcome<ContestFound>,
    /// The work that has found it.
    pub origin: Origin,
    /// The rank of states at the horizon, as a utility, if the search has a horizon and no evaluation, so that they are
    /// unknown.
    pub unknown: Option<f64>,
}

/// The result of a search of several players.
#[derive(Clone, Debug, PartialEq)]
pub enum ContestFound {
    /// The value that a role can force.
    Choice(Choice),
    /// The same by iterative deepening.
    Deepened(DeepenedChoice),
    /// The values of all roles.
    Shares(Shares),
    /// A mean.
    Expectation(Expectation),
    /// The means and strategies of roles who choose at the same time.
    Equilibrium(Equilibrium),
}

/// The work that has given an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// The search that was asked for.
    Search,
    /// All states of a game in which play can come back to a state.
    AllStates {
        /// The utility of endless play for the role that asks, if it is an outcome like others.
        endless: Option<f64>,
        /// The precision of a mean.
        precision: Option<Precision>,
    },
    /// The same search to this depth, since a limit stopped the one that was asked for before it had finished a move.
    Shallower {
        /// The depth, in joint moves.
        depth: u32,
        /// The limit that stopped the search that was asked for.
        stop: Stop,
        /// The cost of that search.
        cost: Cost,
    },
}

/// Draws one of the moves that are as good as the chosen one, as far as the search reports them.
pub fn draw_equal<M: Clone, L>(choice: &Choice<M, L>, random: &mut Chance) -> Option<M> {
    match &choice.equals[..] {
        [] => choice.chosen.clone(),
        equals => Some(equals[random.index(equals.len())].clone()),
    }
}

/// Draws one of the moves of the mixed strategy of a role.
pub fn draw_strategy<R: PartialEq, M: Clone>(
    equilibrium: &Equilibrium<R, M>,
    role: &R,
    random: &mut Chance,
) -> Option<M> {
    let own = equilibrium.strategies.iter().find(|strategy| strategy.role == *role)?;
    WeightedMove::draw(&own.moves, random)
}

impl ContestFound {
    /// Draws one of the moves that are recommended to a role: equally good ones with the same probability, and those of
    /// a mixed strategy with their own. `None` if the game is over.
    pub(crate) fn draw(&self, role: Role, random: &mut Chance) -> Option<Move> {
        match self {
            Self::Choice(choice) | Self::Deepened(DeepenedChoice { choice, .. }) => draw_equal(choice, random),
            Self::Shares(shares) => Some(shares.line.first()?[role.index()]),
            Self::Expectation(expectation) => expectation.chosen,
            Self::Equilibrium(equilibrium) => draw_strategy(equilibrium, &role, random),
        }
    }

    /// The utility that a role gets, or its mean; `None` if it is unknown or an estimate.
    pub(crate) fn value(&self, role: Role) -> Option<f64> {
        let worth = match self {
            Self::Choice(choice) | Self::Deepened(DeepenedChoice { choice, .. }) => choice.worth,
            Self::Shares(shares) => shares.worths[role.index()],
            Self::Expectation(expectation) => return Some(expectation.utility.to_f64()),
            Self::Equilibrium(equilibrium) => return Some(equilibrium.utility),
        };
        worth.utility().map(Utility::to_f64)
    }

    /// The recommended move with its value, for log lines.
    pub(crate) fn describe<R: Reasoner>(&self, reasoner: &R) -> String {
        let term = |chosen: Option<Move>| {
            chosen.map_or_else(|| "no move".to_string(), |chosen| reasoner.move_term(chosen).to_string())
        };
        match self {
            Self::Choice(choice) => choice.describe(reasoner),
            Self::Deepened(deepened) => {
                format!("{}, in {} complete rounds", deepened.choice.describe(reasoner), deepened.rounds.len())
            }
            Self::Shares(shares) => {
                let worths: Vec<String> = shares.worths.iter().map(ToString::to_string).collect();
                format!("utilities {}", worths.join(", "))
            }
            Self::Expectation(found) => format!("{}, worth {:.1}", term(found.chosen), found.utility),
            Self::Equilibrium(found) => format!("an equilibrium worth {:.1}", found.utility),
        }
    }
}

/// The current goal value of a role, if there is one, and with less weight the number of its moves.
///
/// # Errors
/// Those of the engine.
///
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on heuristic search: mobility and goal
///   proximity.
pub fn guess<R: Reasoner>(reasoner: &mut R, state: &R::State, role: Role) -> Result<i64, ReasonError> {
    /// The weight of a point of the goal value, in legal moves.
    const POINT: i64 = 10;
    let goal = match reasoner.goal(state, role) {
        Ok(utility) => i64::from(utility.floor()),
        Err(error @ ReasonError::Stopped(_)) => return Err(error),
        Err(_) => 0,
    };
    let mut moves = Vec::new();
    reasoner.legal_moves(state, role, &mut moves)?;
    Ok(POINT * goal + moves.len() as i64)
}
