//! `mcts` and `montecarlo`: what random games say of the moves of a role.

use super::contest::asking_role;
use super::contest_answer::{choices, weighted_move};
use super::option::{BOARDS, FORCE, FULL, MEMORY, MERGE, SECONDS, TREE};
use super::relation::OptionRelation;
use super::watch::Watch;
use super::{Arguments, Command, CommandOption, OptionGroup};
use crate::ask::budget::QuestionBudget;
use crate::engine::Engine;
use crate::game::{ReasonError, Reasoner, Role};
use crate::limits::Limits;
use crate::play::{PlayoutKind, PlayoutOptions, RandomPlay};
use crate::repl::answer::{Found, SampledChoice, SampledMove};
use crate::repl::{Answer, CommandError, Session};
use crate::search::{self, Advice, ExploredTree, MoveStatistics, Outcome, Uct, UctOptions};
use crate::sorting;
use crate::statistics::Interval;
use std::cmp::Reverse;
use std::num::NonZeroU64;

pub(super) const MCTS: Command = Command {
    name: "mcts",
    options: &[
        OptionGroup::own(&[VISITS, SECONDS, MEMORY, SEED, EXPLORATION, SINGLE, DECISIVE, MOVES]),
        OptionGroup::own(&[TREE, FORCE, BOARDS, MERGE, FULL]),
    ],
    summary: "Monte Carlo tree search (UCT): the moves of a role by random games from a tree that grows where it is promising",
    example: "mcts --visits 2000",
    plays_openly: true,
    ..Command::about_role(mcts)
};

pub(super) const MONTECARLO: Command = Command {
    name: "montecarlo",
    options: &[OptionGroup::own(&[VISITS, SECONDS, SEED, SINGLE, DECISIVE, MOVES])],
    summary: "flat Monte Carlo: the same number of random games after each move of a role, with confidence intervals",
    example: "montecarlo --visits 3000",
    plays_openly: true,
    ..Command::about_role(montecarlo)
};

/// `--visits N`, for searches by random games.
pub(super) const VISITS: CommandOption = CommandOption::number(
    "--visits",
    "N",
    "a number of visits from 1 on",
    "play random games this many times; each is a visit of the nodes on its way",
)
.default("10000, unless there is a limit on seconds");
/// `--seed N`, for commands that draw random numbers.
pub(crate) const SEED: CommandOption =
    CommandOption::number("--seed", "N", "a whole number", "the seed of random choices").default("that of the session");
const EXPLORATION: CommandOption = CommandOption::decimal(
    "--exploration",
    "C",
    "a number from 0 on",
    "how much doubt about a move counts beside its mean: C of UCB1, for utilities scaled to 0 to 1",
)
.default("0.7");
const SINGLE: CommandOption = CommandOption::flag(
    "--single",
    "one random game at a visit, one visit after the other, as in the textbook; otherwise hundreds of games at once, where the network plays",
);
const DECISIVE: CommandOption = CommandOption::flag(
    "--decisive",
    "in random games a role that can win at once does, and else it prevents that another one can, where the network can see that; otherwise all moves are equally likely",
)
.excluding(&[OptionRelation::to(&["--single"])]);
const MOVES: CommandOption = CommandOption::number(
    "--moves",
    "N",
    "a number of moves",
    "list no more than the N best moves: the most visited, or those with the greatest means",
)
.default("20");

/// The default number of visits.
const DEFAULT_VISITS: u64 = 10_000;
/// The default number of listed moves.
const LISTED: usize = 20;
/// The number of random games from a leaf of the tree, if they are played in lanes, as of the player `mcts`.
const GAMES: usize = 4;

/// The order of the listed moves.
#[derive(Clone, Copy)]
enum ListedOrder {
    /// The most visited first.
    Visits,
    /// The one with the greatest mean first.
    Mean,
}

/// How random games are played.
struct SamplingChoice {
    playouts: PlayoutKind,
    uct: UctOptions,
    budget: QuestionBudget,
    /// The number of moves that are listed.
    listed: usize,
    /// The role that asks.
    role: Role,
    /// The limits of the game.
    limits: Limits,
}

impl SamplingChoice {
    fn from_arguments(arguments: &Arguments, session: &mut Session) -> Result<Self, CommandError> {
        let visits = arguments.number::<NonZeroU64>(&VISITS)?.map(NonZeroU64::get);
        let mut budget = arguments.budget(session.budget())?;
        if visits.is_some() || !arguments.has(&SECONDS) {
            budget = budget.with(|budget| budget.with_nodes(visits.unwrap_or(DEFAULT_VISITS)));
        }
        let exploration = arguments.parsed(&EXPLORATION, |word| {
            word.parse().ok().filter(|weight: &f64| weight.is_finite() && *weight >= 0.0).ok_or(())
        })?;
        let seed = arguments.number(&SEED)?.unwrap_or(session.seed());
        let exploration = exploration.unwrap_or(UctOptions::default().exploration);
        let playouts = match (arguments.has(&SINGLE), arguments.has(&DECISIVE)) {
            (true, _) => PlayoutKind::Single,
            (false, true) => PlayoutKind::Decisive,
            (false, false) => PlayoutKind::Lanes,
        };
        let listed = arguments.number(&MOVES)?.unwrap_or(LISTED);
        let current = session.current()?;
        let (role, limits) = (asking_role(current, arguments)?, current.game.limits().clone());
        let uct = UctOptions { exploration, seed, ..UctOptions::default() };
        Ok(Self { playouts, uct, budget, listed, role, limits })
    }

    /// Random games, `repeats` from each state.
    fn play(&self, engine: &Engine, repeats: usize) -> Result<RandomPlay, CommandError> {
        let (kind, seed) = (self.playouts, self.uct.seed);
        Ok(RandomPlay::reproducible(PlayoutOptions::new(kind, repeats), engine, seed, &self.limits)
            .map_err(ReasonError::from)?)
    }
}

fn mcts(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let watch = Watch::from_arguments(arguments, session)?.without_stages(arguments)?;
    let sampling = SamplingChoice::from_arguments(arguments, session)?;
    let (role, listed) = (sampling.role, sampling.listed);
    let (engine, state) = session.current()?.engine()?;
    let mut play = sampling.play(engine, GAMES)?;
    let mut tree = Uct::new(engine, &state, sampling.uct)?;
    let outcome = sampling.budget.run(|budget| tree.search(engine, role, &mut play, budget))?;
    let explored = watch.draws().then(|| tree.explored(engine, role, ExploredTree::MOST_SAMPLED)).transpose()?;
    let line = choices(engine, &state, &tree.best_line())?;
    let choice = |advice| SampledChoice {
        line,
        tree_nodes: Some(tree.size()),
        ..sampled(engine, role, &advice, ListedOrder::Visits, listed, play.repeats())
    };
    let watcher = ((None, explored), (None, None));
    let found = without_empty_answer(outcome).map(|advice| Found::Sampled(choice(advice)));
    Ok(Answer::Search(watch.answer(watcher, engine, &state, found)?))
}

fn montecarlo(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let watch = Watch::from_arguments(arguments, session)?;
    let sampling = SamplingChoice::from_arguments(arguments, session)?;
    let (role, listed, seed) = (sampling.role, sampling.listed, sampling.uct.seed);
    let (engine, state) = session.current()?.engine()?;
    let mut play = sampling.play(engine, 1)?;
    let outcome = sampling.budget.run(|budget| search::monte_carlo(engine, &state, role, &mut play, seed, budget))?;
    let choice = |advice| Found::Sampled(sampled(engine, role, &advice, ListedOrder::Mean, listed, play.repeats()));
    Ok(Answer::Search(watch.answer(Default::default(), engine, &state, without_empty_answer(outcome).map(choice))?))
}

/// Random games for a search with a tree.
pub(super) fn reproducible_play(engine: &Engine, seed: u64, limits: &Limits) -> Result<RandomPlay, CommandError> {
    Ok(RandomPlay::reproducible(PlayoutOptions::new(PlayoutKind::Lanes, GAMES), engine, seed, limits)
        .map_err(ReasonError::from)?)
}

/// The outcome without an answer if no random game has been played and nothing is proven.
fn without_empty_answer(outcome: Outcome<Advice>) -> Outcome<Advice> {
    let answer = outcome.answer.filter(|advice| advice.found().is_some());
    Outcome { answer, ..outcome }
}

/// The answer of a search, without its tree.
fn sampled(
    engine: &Engine,
    role: Role,
    advice: &Advice,
    order: ListedOrder,
    listed: usize,
    games: usize,
) -> SampledChoice {
    let best = advice.best();
    let mut options = advice.options.clone();
    match order {
        ListedOrder::Visits => sorting::sort_by_key(&mut options, |option| Reverse(option.visits)),
        ListedOrder::Mean => sorting::sort_by(&mut options, |one, other| other.mean.total_cmp(&one.mean)),
    }
    SampledChoice {
        role: engine.roles()[role.index()].clone(),
        chosen: engine.move_term(best.chosen),
        mean: advice.proven.or(best.proven).unwrap_or(best.mean),
        proven: advice.proven.is_some(),
        strategy: advice.strategy.iter().map(|weighted| weighted_move(engine, weighted)).collect(),
        line: Vec::new(),
        moves: options.iter().map(|option| sampled_move(engine, option)).collect(),
        listed,
        games,
        tree_nodes: None,
    }
}

fn sampled_move(
    engine: &Engine,
    &MoveStatistics { chosen, visits, mean, proven, error }: &MoveStatistics,
) -> SampledMove {
    SampledMove {
        chosen: engine.move_term(chosen),
        visits,
        mean: (visits > 0).then_some(mean),
        interval: error.map(|error| Interval::of_mean(mean, error)),
        proven,
    }
}
