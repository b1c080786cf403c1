//! Commands `mcts` and `montecarlo`: statistics of random games about the moves of a role.

use super::contest::{asking_role, choices, weighted_move};
use super::option::{BOARDS, FORCE, FULL, MERGE, TRACE, TREE};
use super::watch::Watch;
use super::{Arguments, Command, OptionGroup};
use crate::repl::answer::{SampledChoice, SampledMove, SearchFound};
use crate::repl::{Answer, CommandError, Session};
use gdl::limits::Limits;
use gdl::sorting;
use ggp_engine::Engine;
use ggp_game::statistics::Interval;
use ggp_game::{ReasonError, Reasoner, Role};
use ggp_play::ask::options::{MEMORY, NETWORK, SECONDS};
use ggp_play::ask::sampling::Sampled;
use ggp_play::ask::spec::{NamedOption, OptionRelation};
use ggp_play::ask::{PlayoutKind, PlayoutOptions, RandomPlay, SampleQuestion, Sampling};
use ggp_search::{Advice, ExploredTree, MoveStatistics, TreeGrowth, Uct};
use std::cmp::Reverse;

pub(super) const MCTS: Command = Command {
    name: "mcts",
    options: &[
        OptionGroup::own(Sampling::Mcts.options()),
        OptionGroup::own(&[SECONDS, MEMORY, MOVES]),
        OptionGroup::own(&[GROWTH, TREE, FORCE, BOARDS, MERGE, FULL]),
    ],
    summary: "Monte Carlo tree search (UCT): judge the moves of a role by random games from a tree that grows below promising moves",
    example: "mcts --visits 2000",
    ..Command::search_for_role(mcts)
};

pub(super) const MONTECARLO: Command = Command {
    name: "montecarlo",
    options: &[OptionGroup::own(Sampling::MonteCarlo.options()), OptionGroup::own(&[SECONDS, MOVES])],
    summary: "flat Monte Carlo: the same number of random games after each move of a role, with confidence intervals",
    example: "montecarlo --visits 3000",
    ..Command::search_for_role(montecarlo)
};

/// `--trace`: the growth of the tree, visit by visit.
const GROWTH: NamedOption = TRACE.excluding(&[
    OptionRelation::to(&["--decisive"])
        .saying("`--trace` tells of visits with one random game each, in which all moves are equally likely"),
    OptionRelation::to(&["--net"]).saying("`--trace` tells of random games, and with `--net` none are played"),
]);

const MOVES: NamedOption = NamedOption::number(
    "--moves",
    "N",
    "a number of moves",
    "list at most the N best moves: the most visited, or those with the greatest means",
)
.default("20");

/// The default number of listed moves.
pub(super) const LISTED: usize = 20;

fn mcts(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let watch = Watch::from_arguments(arguments, session)?.without_stages(arguments)?;
    sample(session, Sampling::Mcts, arguments, watch)
}

fn montecarlo(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let watch = Watch::from_arguments(arguments, session)?;
    sample(session, Sampling::MonteCarlo, arguments, watch)
}

fn sample(
    session: &mut Session,
    sampling: Sampling,
    arguments: &Arguments,
    watch: Watch,
) -> Result<Answer, CommandError> {
    let role = asking_role(session.current()?, arguments)?;
    let guide = arguments.word(&NETWORK).map(|file| session.neural_guide(file)).transpose()?;
    let mut question = SampleQuestion::new(sampling, role, arguments, session.seed()).guided_by(guide);
    let ((mut recorder, _), others) = watch.watcher();
    if recorder.is_some() {
        question.playouts = PlayoutOptions::new(PlayoutKind::Single, 1);
    }
    let budget = question.limited(arguments.budget(session.budget())?);
    let listed = arguments.number(&MOVES)?.unwrap_or(LISTED);
    let current = session.current()?;
    let limits = current.game.limits().clone();
    let (engine, state) = current.engine()?;
    let mut play = reproducible_play(engine, question.playouts, question.seed(), &limits)?;
    let mut growth = TreeGrowth::default();
    let mut told = Ok(());
    let mut tell = |engine: &mut Engine, tree: &Uct<Engine>, _: u64| {
        if told.is_ok()
            && let Some(recorder) = &mut recorder
        {
            told = growth.tell(tree, engine, question.role, recorder);
        }
    };
    let Sampled { outcome, tree } = question.ask(engine, &state, &mut play, &budget, &mut tell)?;
    told?;
    let mut explored = None;
    let mut line = Vec::new();
    if let Some(tree) = &tree {
        if watch.draws() {
            explored = Some(tree.explored(engine, question.role, ExploredTree::MOST_SAMPLED)?);
        }
        line = choices(engine, &state, &tree.best_line())?;
        if let Some(recorder) = &mut recorder {
            growth.tell_best_line(tree, recorder);
        }
    }
    let found = outcome.map(|advice| {
        let choice = sampled(engine, question.role, &advice, tree.is_some(), listed, play.repeats());
        let tree_nodes = tree.as_ref().map(Uct::size);
        SearchFound::Sampled(SampledChoice { line, tree_nodes, guided: question.is_guided(), ..choice })
    });
    // The drawn tree is taken from the search at its end.
    Ok(Answer::new(watch.answer(((recorder, explored), others), engine, &state, found)?))
}

/// Random games that are the same on every machine.
pub(super) fn reproducible_play(
    engine: &Engine,
    options: PlayoutOptions,
    seed: u64,
    limits: &Limits,
) -> Result<RandomPlay, CommandError> {
    Ok(RandomPlay::reproducible(options, engine, seed, limits).map_err(ReasonError::from)?)
}

/// The answer of a search, without its tree. `by_visits`: the moves are listed by their visits and not by their means,
/// since a tree search visits promising moves more often.
pub(super) fn sampled<R: Reasoner>(
    engine: &R,
    role: Role,
    advice: &Advice,
    by_visits: bool,
    listed: usize,
    games: usize,
) -> SampledChoice {
    let best = advice.best();
    let mut options = advice.options.clone();
    match by_visits {
        true => sorting::sort_by_key(&mut options, |option| Reverse(option.visits)),
        false => sorting::sort_by(&mut options, |one, other| other.mean.total_cmp(&one.mean)),
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
        guided: false,
        tree_nodes: None,
    }
}

fn sampled_move<R: Reasoner>(
    engine: &R,
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
