//! `--runs N`: the same search N times in random order, and the middle of what the runs cost.

use super::approach::Approach;
use super::{Arguments, CommandOption};
use crate::repl::answer::{NodeCount, Run, Runs, SearchAnswer};
use crate::repl::{Answer, CommandError};
use crate::search::Stop;
use crate::statistics::Summary;

/// `--runs N`, for searches in random order.
pub(super) const RUNS: CommandOption = CommandOption::word(
    "--runs",
    "N",
    "a number of runs",
    "search N times, with the seed and those that follow it; needs --order random",
);
/// `--list`, with `--runs`.
pub(super) const LIST: CommandOption = CommandOption::flag("--list", "list the counts of all runs");

/// The number of runs, if `--runs` was given.
pub(super) fn number_of_runs(arguments: &Arguments, approach: &Approach) -> Result<Option<u64>, CommandError> {
    let runs = arguments.number(&RUNS)?;
    match runs {
        None if arguments.has(&LIST) => Err(arguments.wrong("`--list` needs `--runs`")),
        Some(0) => Err(arguments.wrong("`--runs` takes a number of runs from 1 on")),
        Some(_) if approach.seed().is_none() => {
            Err(arguments.wrong("`--runs` needs `--order random`: otherwise all runs are the same"))
        }
        runs => Ok(runs),
    }
}

/// Searches with each of the seeds. A run that a limit stops has no count; an interrupt ends all of them.
pub(super) fn run_all(
    seeds: impl Iterator<Item = u64>,
    count: NodeCount,
    list: bool,
    mut search: impl FnMut(u64) -> Result<Answer, CommandError>,
) -> Result<Answer, CommandError> {
    let (mut runs, mut first) = (Vec::new(), None);
    for seed in seeds {
        let count = match search(seed) {
            Ok(Answer::Search(answer)) => {
                let number = count.of(&answer.cost);
                first.get_or_insert((seed, answer));
                number
            }
            Err(error @ CommandError::Stopped { stop: Stop::Interrupted, .. }) => return Err(error),
            Err(CommandError::Stopped { .. }) => None,
            Err(error) => return Err(error),
            Ok(_) => None,
        };
        runs.push(Run { seed, count });
    }
    let summary = Summary::of(runs.iter().filter_map(|run: &Run| run.count));
    let (shown, first) =
        first.map_or((None, None), |(seed, answer)| (Some(seed), Some(Box::<SearchAnswer>::new(answer))));
    Ok(Answer::Runs(Runs { counted: count, summary, runs, is_listed: list, shown, first }))
}
