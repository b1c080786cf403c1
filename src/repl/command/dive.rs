//! Command `dive`: random lines of one player through states that leave few moves.

use super::plan::found_plan;
use super::{Arguments, Command, OptionGroup};
use crate::repl::answer::SearchAnswer;
use crate::repl::{Answer, CommandError, Session};
use ggp_play::ask::options::{DEPTH, SECONDS};
use ggp_play::ask::plan::GOAL;
use ggp_play::ask::sampling::SEED;
use ggp_play::ask::searches;
use ggp_play::ask::spec::NamedOption;
use ggp_search::Problem;
use std::num::NonZeroU64;

pub(super) const DIVE: Command = Command {
    name: "dive",
    options: &[OptionGroup::own(&[GOAL, LINES, DEPTH, SECONDS, SEED])],
    summary: "follow random lines to their ends, each to the state that leaves the fewest moves, and keep the best as a plan",
    example: "dive --seed 1",
    example_game: "three_puzzle",
    ..Command::search(dive)
};

/// `--lines N`, for searches that follow lines.
pub(super) const LINES: NamedOption =
    NamedOption::number("--lines", "N", "a number of lines from 1 on", "follow no more lines than this")
        .default("1000, unless there is a limit on seconds");

/// The default number of lines.
const DEFAULT_LINES: u64 = 1_000;

fn dive(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let lines = arguments.number::<NonZeroU64>(&LINES)?.map(NonZeroU64::get);
    let mut budget = arguments.budget(session.budget())?;
    if lines.is_some() || !arguments.has(&SECONDS) {
        budget = budget.with(|budget| budget.with_nodes(lines.unwrap_or(DEFAULT_LINES)));
    }
    let seed = arguments.number(&SEED)?.unwrap_or(session.seed());
    let goal = arguments.number(&GOAL)?;
    let (reasoner, state) = session.current()?.engine()?;
    let problem = Problem { goal, ..Problem::new(&state) };
    let outcome = budget.run(|budget| searches::dive(reasoner, &problem, seed, budget))?;
    let answer = SearchAnswer::of_any(outcome.map(found_plan(reasoner, goal)));
    Ok(Answer::new(SearchAnswer { counts_lines: true, ..answer }))
}
