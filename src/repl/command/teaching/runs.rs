//! `--runs N`: the same search N times in random order, and the middle of what the runs cost.

use crate::ask::spec::{NamedOption, OptionRelation};
use crate::limits::Stop;
use crate::repl::answer::{NodeCount, Run, Runs, SearchAnswer};
use crate::repl::command::Arguments;
use crate::repl::{Answer, CommandError};
use crate::statistics::Summary;
use std::num::NonZeroU64;

/// `--runs N`, for searches in random order.
pub(in crate::repl::command) const RUNS: NamedOption = NamedOption::number(
    "--runs",
    "N",
    "a number of runs from 1 on",
    "search N times, with the seed and those that follow it; needs --order random",
)
.needing(&[
    OptionRelation::to(&["--order random"]).saying("`--runs` needs `--order random`: otherwise all runs are the same")
])
.excluding(&[OptionRelation::to(&["--trace", "--tree", "--rounds"]), OptionRelation::to(&["--queue"])]);
/// `--list`, with `--runs`.
pub(in crate::repl::command) const LIST: NamedOption =
    NamedOption::flag("--list", "list the counts of all runs").needing(&[OptionRelation::to(&["--runs"])]);

/// The number of runs, if `--runs` was given.
pub(in crate::repl::command) fn number_of_runs(arguments: &Arguments) -> Result<Option<u64>, CommandError> {
    Ok(arguments.number::<NonZeroU64>(&RUNS)?.map(NonZeroU64::get))
}

/// Searches with each of the seeds, of which there are `of`. A run that a limit stops has no count; an interrupt ends
/// all of them, and the finished ones stay.
pub(in crate::repl::command) fn run_all(
    seeds: impl Iterator<Item = u64>,
    of: u64,
    counted: NodeCount,
    mut search: impl FnMut(u64) -> Result<SearchAnswer, CommandError>,
) -> Result<Answer, CommandError> {
    let (mut runs, mut first, mut stopped) = (Vec::new(), None, None);
    for seed in seeds {
        let (stop, answer) = match search(seed) {
            Ok(answer) => (answer.stopped, Some(answer)),
            Err(error) => (Some(error.stop().ok_or(error)?), None),
        };
        if stop == Some(Stop::Interrupted) {
            stopped = stop;
            break;
        }
        let is_finished = matches!(stop, None | Some(Stop::Depth { .. }));
        let count = answer.as_ref().filter(|_| is_finished).and_then(|answer| counted.count_in(&answer.cost));
        runs.push(Run { seed, count });
        if first.is_none() {
            first = answer.map(|answer| (seed, Box::new(answer)));
        }
    }
    if runs.is_empty() {
        return Err(CommandError::Stopped { stop: stopped.unwrap_or(Stop::Interrupted), cost: None });
    }
    let summary = Summary::from_numbers(runs.iter().filter_map(|run: &Run| run.count));
    let (shown, first) = first.unzip();
    Ok(Answer::new(Runs { counted, summary, runs, of, stopped, shown, first }))
}
