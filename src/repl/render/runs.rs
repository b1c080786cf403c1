//! Renders several runs of a search, and plans step by step.

use super::{drawn_text, search};
use crate::diagnostic::render::Paint;
use crate::quantity::{counted_as, grouped};
use crate::repl::answer::text::{joined, line};
use crate::repl::answer::{AnswerView, Run, Runs, ShownPlan, ShownStep};
use crate::syntax::Dialect;
use crate::table::{Column, Table};

/// The counts of the runs, their middle and spread, and the first answer.
pub(super) fn runs(runs: &Runs, view: &AnswerView, dialect: Dialect) -> String {
    let count = |run: &Run| run.count.map_or("-".to_string(), grouped);
    let seeds = match &runs.runs[..] {
        [first, .., last] => format!("seeds {} to {}", first.seed, last.seed),
        [only] => format!("seed {}", only.seed),
        [] => "no seed".to_string(),
    };
    let (made, of) = (runs.runs.len() as u64, runs.of);
    let number = match runs.stopped {
        None => counted_as(made, "run", "runs"),
        Some(_) => format!("{} of {}", grouped(made), counted_as(of, "run", "runs")),
    };
    let name = runs.counted.name();
    let mut text = line(format!("{name} of {number}, {seeds}"));
    if view.runs {
        text += &line(joined(runs.runs.iter().map(count), " "));
    }
    let (least, most) = (runs.counts().min(), runs.counts().max());
    if let (Some(summary), Some(least), Some(most)) = (&runs.summary, least, most) {
        let [first, median, third] = summary.quartiles.map(grouped_number);
        text += &line(format!(
            "median {median}, quartiles {first} and {third}, mean {}, from {} to {}",
            grouped_number(summary.mean),
            grouped(least),
            grouped(most)
        ));
    }
    let stopped = runs.runs.iter().filter(|run| run.count.is_none()).count();
    if stopped > 0 {
        text += &line(format!("{} stopped by a limit", counted_as(stopped as u64, "run", "runs")));
    }
    if let Some(stop) = runs.stopped {
        text += &line(format!("{stop}: {} of {} runs were finished", grouped(made), grouped(of)));
    }
    if let (Some(seed), Some(first)) = (runs.shown, &runs.first) {
        text += &line(format!("with seed {seed}: {}", search::search(first, view, dialect).trim_end()));
    }
    text
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

/// A line for each state of a plan, or its boards, and how the plan ends.
pub(super) fn shown_plan(plan: &ShownPlan, paint: Paint, dialect: Dialect, width: usize) -> String {
    let chosen =
        |step: &ShownStep| step.chosen.as_ref().map_or(String::new(), |term| term.display(dialect).to_string());
    let is_drawn = plan.steps.iter().any(|step| step.drawn.is_some());
    let text = if is_drawn {
        let states = plan.steps.iter().enumerate().map(|(number, step)| {
            let boards = step.drawn.as_ref().map_or(String::new(), |drawn| drawn_text(drawn, paint, dialect, width));
            line(format!("step {number}  {}", chosen(step)).trim_end().to_string()) + &boards
        });
        joined(states, "\n")
    } else {
        let rows =
            plan.steps.iter().enumerate().map(|(number, step)| [number.to_string(), chosen(step), step.text.clone()]);
        Table::new([Column::Right, Column::Left, Column::Left]).row(["step", "move", "position"]).rows(rows).to_string()
    };
    let moves = counted_as(plan.steps.len() as u64 - 1, "move", "moves");
    text + &line(match plan.utility {
        Some(utility) => format!("the plan works: {moves}, and the game is over, worth {utility}"),
        None => format!("{moves}, and the game goes on"),
    })
}
