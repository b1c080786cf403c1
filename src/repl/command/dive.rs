//! Commands `dive` and `nested`: random lines of one player, of which the best is a plan.

use super::plan::found_plan;
use super::{Arguments, Command, OptionGroup};
use crate::repl::answer::SearchAnswer;
use crate::repl::{Answer, CommandError, Session};
use ggp_engine::{Engine, EngineState};
use ggp_play::ask::options::{DEPTH, SECONDS};
use ggp_play::ask::plan::GOAL;
use ggp_play::ask::sampling::SEED;
use ggp_play::ask::searches;
use ggp_play::ask::spec::NamedOption;
use ggp_search::{Budget, Outcome, Plan, Problem, SearchError};
use std::num::{NonZeroU32, NonZeroU64};

pub(super) const DIVE: Command = Command {
    name: "dive",
    options: &[OptionGroup::own(&[GOAL, LINES, DEPTH, SECONDS, SEED])],
    summary: "follow random lines to their ends, each to the state that leaves the fewest moves, and keep the best as a plan",
    example: "dive --seed 1",
    example_game: "three_puzzle",
    ..Command::search(dive)
};

pub(super) const NESTED: Command = Command {
    name: "nested",
    options: &[OptionGroup::own(&[GOAL, LEVEL, NESTED_LINES, DEPTH, SECONDS, SEED])],
    summary: "nested Monte Carlo search: follow random lines, and choose each move by searches of the level below",
    example: "nested --level 1 --seed 1",
    example_game: "three_puzzle",
    ..Command::search(nested)
};

/// `--lines N`, for searches that follow lines.
pub(super) const LINES: NamedOption =
    NamedOption::number("--lines", "N", "a number of lines from 1 on", "follow no more lines than this")
        .default("1000, unless there is a limit on seconds");
const DEFAULT_LINES: u64 = 1_000;

/// `--lines N` of `nested`, which needs many for one move.
const NESTED_LINES: NamedOption = LINES.default("100000, unless there is a limit on seconds");
const DEFAULT_NESTED_LINES: u64 = 100_000;

/// `--level N`: the depth to which searches are nested.
const LEVEL: NamedOption = NamedOption::number(
    "--level",
    "N",
    "a level from 1 on",
    "choose moves by searches of the level below; those of level 0 are random lines",
)
.default("2");
const DEFAULT_LEVEL: u32 = 2;

fn dive(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    follow_lines(session, arguments, DEFAULT_LINES, searches::dive)
}

fn nested(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let level = arguments.number::<NonZeroU32>(&LEVEL)?.map_or(DEFAULT_LEVEL, NonZeroU32::get);
    follow_lines(session, arguments, DEFAULT_NESTED_LINES, |engine, problem, seed, budget| {
        searches::nested(engine, problem, level, seed, budget)
    })
}

/// Answers with the best line of a search that follows random ones.
fn follow_lines(
    session: &mut Session,
    arguments: &Arguments,
    default_lines: u64,
    search: impl FnOnce(&mut Engine, &Problem<'_, EngineState>, u64, &Budget) -> Result<Outcome<Plan>, SearchError>,
) -> Result<Answer, CommandError> {
    let lines = arguments.number::<NonZeroU64>(&LINES)?.map(NonZeroU64::get);
    let mut budget = arguments.budget(session.budget())?;
    if lines.is_some() || !arguments.has(&SECONDS) {
        budget = budget.with(|budget| budget.with_nodes(lines.unwrap_or(default_lines)));
    }
    let seed = arguments.number(&SEED)?.unwrap_or(session.seed());
    let goal = arguments.number(&GOAL)?;
    let (reasoner, state) = session.current()?.engine()?;
    let problem = Problem { goal, ..Problem::new(&state) };
    let outcome = budget.run(|budget| search(reasoner, &problem, seed, budget))?;
    let answer = SearchAnswer::of_any(outcome.map(found_plan(reasoner, goal)));
    Ok(Answer::new(SearchAnswer { counts_lines: true, ..answer }))
}
