//! Several runs of a search in random order, and plans step by step.

use super::content::{AnswerContent, TextStyle};
use super::text::{joined, line};
use super::{Boards, NodeCount, SearchAnswer};
use crate::game::Utility;
use crate::limits::Stop;
use crate::quantity::{counted_as, grouped};
use crate::rules::GroundTerm;
use crate::statistics::Summary;
use crate::table::{Column, Table};
use serde::Serialize;

/// Runs of the same search with different seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Runs {
    /// What is counted.
    #[serde(serialize_with = "by_name")]
    pub counted: NodeCount,
    /// The runs, in the order of their seeds. A run that was interrupted is not among them.
    pub runs: Vec<Run>,
    /// The number of runs that were asked for.
    pub of: u64,
    /// Why not all of them were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stop>,
    /// The middle and the spread of the counts; `None` if there are none.
    pub(crate) summary: Option<Summary>,
    /// The seed of the run whose answer is shown.
    pub shown: Option<u64>,
    /// The first answer.
    pub first: Option<Box<SearchAnswer>>,
}

impl Runs {
    /// The counts of the runs that no limit stopped.
    pub(crate) fn counts(&self) -> impl Iterator<Item = u64> {
        self.runs.iter().filter_map(|run| run.count)
    }
}

/// One run.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Run {
    /// Its seed.
    pub seed: u64,
    /// Its count; `None` if a limit other than one on depth stopped it.
    pub count: Option<u64>,
}

fn by_name<S: serde::Serializer>(count: &NodeCount, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(count.name())
}

/// A plan step by step.
#[derive(Clone, Debug, Serialize)]
pub struct ShownPlan {
    /// The current state, and the state after each move.
    pub steps: Vec<ShownStep>,
    /// The utility at the end of the plan, if it ends the game.
    pub utility: Option<Utility>,
}

/// A state of a plan.
#[derive(Clone, Debug, Serialize)]
pub struct ShownStep {
    /// The move that leads to it; `None` for the first.
    #[serde(rename = "move")]
    pub chosen: Option<GroundTerm>,
    /// The facts that hold in it.
    pub facts: Vec<GroundTerm>,
    /// The facts on one line: what stands where.
    #[serde(skip)]
    pub text: String,
    /// The drawn position, if it is to be drawn; without the facts that are not drawn.
    #[serde(skip)]
    pub drawn: Option<Boards>,
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
        let (made, of) = (self.runs.len() as u64, self.of);
        let number = match self.stopped {
            None => counted_as(made, "run", "runs"),
            Some(_) => format!("{} of {}", grouped(made), counted_as(of, "run", "runs")),
        };
        let name = self.counted.name();
        let mut text = line(format!("{name} of {number}, {seeds}"));
        if style.view.runs {
            text += &line(joined(self.runs.iter().map(count), " "));
        }
        let (least, most) = (self.counts().min(), self.counts().max());
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

impl AnswerContent for ShownPlan {
    fn kind(&self) -> &'static str {
        "shown_plan"
    }

    /// A line for each state of a plan, or its boards, and how the plan ends.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let chosen = |step: &ShownStep| {
            step.chosen.as_ref().map_or(String::new(), |term| term.display(style.dialect).to_string())
        };
        let is_drawn = self.steps.iter().any(|step| step.drawn.is_some());
        let text = if is_drawn {
            let states = self.steps.iter().enumerate().map(|(number, step)| {
                let boards = step.drawn.as_ref().map_or(String::new(), |drawn| drawn.text_beside(style));
                line(format!("step {number}  {}", chosen(step)).trim_end().to_string()) + &boards
            });
            joined(states, "\n")
        } else {
            let rows = self
                .steps
                .iter()
                .enumerate()
                .map(|(number, step)| [number.to_string(), chosen(step), step.text.clone()]);
            Table::new([Column::Right, Column::Left, Column::Left])
                .row(["step", "move", "position"])
                .rows(rows)
                .to_string()
        };
        let moves = counted_as(self.steps.len() as u64 - 1, "move", "moves");
        text + &line(match self.utility {
            Some(utility) => format!("the plan works: {moves}, and the game is over, worth {utility}"),
            None => format!("{moves}, and the game goes on"),
        })
    }
}
