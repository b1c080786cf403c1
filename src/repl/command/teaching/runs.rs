//! `--runs N`: the same search N times in random order, and the middle of what the runs cost.

use crate::repl::answer::text::{joined, line};
use crate::repl::answer::{AnswerContent, NodeCount, SearchAnswer, TextStyle};
use crate::repl::command::Arguments;
use crate::repl::{Answer, CommandError};
use gdl::limits::Stop;
use gdl::quantity::{counted_as, grouped};
use ggp_game::statistics::Summary;
use ggp_play::ask::spec::{NamedOption, OptionRelation};
use serde::Serialize;
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
    let mut runs = Vec::new();
    let mut first = None;
    let mut stopped = None;
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
        let count = match &answer {
            Some(answer) if is_finished => counted.count_in(&answer.cost),
            _ => None,
        };
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

/// Runs of the same search with different seeds.
#[derive(Clone, Debug, Serialize)]
struct Runs {
    /// What is counted.
    #[serde(serialize_with = "by_name")]
    counted: NodeCount,
    /// The runs, in the order of their seeds. A run that was interrupted is not among them.
    runs: Vec<Run>,
    /// The number of runs that were asked for.
    of: u64,
    /// Why not all of them were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stop>,
    /// The middle and the spread of the counts; `None` if there are none.
    summary: Option<Summary>,
    /// The seed of the run whose answer is shown.
    shown: Option<u64>,
    /// The first answer.
    first: Option<Box<SearchAnswer>>,
}

impl Runs {
    /// The counts of the runs that no limit stopped.
    fn counts(&self) -> impl Iterator<Item = u64> {
        self.runs.iter().filter_map(|run| run.count)
    }
}

/// One run.
#[derive(Clone, Copy, Debug, Serialize)]
struct Run {
    /// Its seed.
    seed: u64,
    /// Its count; `None` if a limit other than one on depth stopped it.
    count: Option<u64>,
}

fn by_name<S: serde::Serializer>(count: &NodeCount, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(count.name())
}

impl AnswerContent for Runs {
    fn kind(&self) -> &'static str {
        "runs"
    }

    /// The counts of the runs, their middle and spread, and the first answer.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let count = |run: &Run| run.count.map_or("-".to_string(), grouped);
        let seeds = match &self.runs[..] {
            [first, .., last] => format!("seeds {} to {}", first.seed, last.seed),
            [only] => format!("seed {}", only.seed),
            [] => "no seed".to_string(),
        };
        let made = self.runs.len() as u64;
        let of = self.of;
        let number = match self.stopped {
            None => counted_as(made, "run", "runs"),
            Some(_) => format!("{} of {}", grouped(made), counted_as(of, "run", "runs")),
        };
        let name = self.counted.name();
        let mut text = line(format!("{name} of {number}, {seeds}"));
        if style.view.runs {
            text += &line(joined(self.runs.iter().map(count), " "));
        }
        let least = self.counts().min();
        let most = self.counts().max();
        if let (Some(summary), Some(least), Some(most)) = (&self.summary, least, most) {
            let [first, median, third] = summary.quartiles.map(grouped_number);
            text += &line(format!(
                "median {median}, quartiles {first} and {third}, mean {}, from {} to {}",
                grouped_number(summary.mean),
                grouped(least),
                grouped(most)
            ));
        }
        let stopped = self.runs.iter().filter(|run| run.count.is_none()).count();
        if stopped > 0 {
            text += &line(format!("{} stopped by a limit", counted_as(stopped as u64, "run", "runs")));
        }
        if let Some(stop) = self.stopped {
            text += &line(format!("{stop}: {} of {} runs were finished", grouped(made), grouped(of)));
        }
        if let (Some(seed), Some(first)) = (self.shown, &self.first) {
            text += &line(format!("with seed {seed}: {}", first.text(style).trim_end()));
        }
        text
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}

/// A number with commas, and one digit after the point unless it is whole.
fn grouped_number(number: f64) -> String {
    let tenths = format!("{number:.1}");
    match tenths.split_once('.') {
        Some((whole, "0")) => grouped(whole),
        Some((whole, tenth)) => format!("{}.{tenth}", grouped(whole)),
        None => tenths,
    }
}
