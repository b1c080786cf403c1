//! Command `heuristic check`: a heuristic, compared with the true number of moves in every state.

use super::option::LIMITS;
use super::{AnswerKind, ArgumentKind, Arguments, Command, OptionGroup};
use crate::repl::answer::text::{joined, line, table, terms};
use crate::repl::answer::{AnswerContent, AnswerValue, TextStyle};
use crate::repl::{Answer, CommandError, Session, read};
use gdl::quantity::grouped;
use gdl::rules::GroundTerm;
use ggp_engine::{Engine, EngineState, Feature, FeaturedState, Measure};
use ggp_game::{Heuristic, Reasoner, Utility};
use ggp_play::ask::budget::QuestionBudget;
use ggp_play::ask::plan::GOAL;
use ggp_play::ask::searches;
use ggp_search::Cost;
use serde::Serialize;

pub(super) const HEURISTIC: Command = Command {
    name: "heuristic",
    operands: "check SHEET|hmax|hadd|hff",
    options: &[OptionGroup::own(&[GOAL]), LIMITS],
    summary: "compare a heuristic with the true number of moves in every state: is it admissible and consistent",
    example: "heuristic check blocksworld_tiles_manhattan",
    example_game: "blocksworld_tiles",
    takes: ArgumentKind::Heuristic,
    answers: AnswerKind::Truth,
    ..Command::run_by(heuristic)
};

fn heuristic(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let budget = arguments.budget(session.budget())?;
    let goal = arguments.number(&GOAL)?;
    let sheet = match read::word(arguments.operands()) {
        ("check", sheet) if !sheet.is_empty() => sheet,
        _ => return Err(HEURISTIC.misused("`heuristic check` needs a sheet")),
    };
    if let Some(measure) = Measure::find(sheet) {
        let mut relaxed = session.relaxed(measure, goal)?;
        let (reasoner, state) = session.current()?.engine()?;
        return Ok(Answer::new(check(reasoner, &state, &mut relaxed, goal, &budget)?));
    }
    let FeaturedState { engine, state, features, warnings } = session.featured(sheet, Feature::Heuristic)?;
    let checked = check(engine, &state, features, goal, &budget)?;
    Ok(Answer::new(checked).warned(warnings))
}

fn check(
    reasoner: &mut Engine,
    state: &EngineState,
    heuristic: &mut dyn Heuristic<Engine>,
    goal: Option<Utility>,
    budget: &QuestionBudget,
) -> Result<CheckedHeuristic, CommandError> {
    let outcome = budget.run(|budget| searches::heuristic_check(reasoner, state, heuristic, goal, budget))?;
    let cost = outcome.cost;
    let check = outcome.answer.ok_or_else(|| CommandError::without_answer(outcome.stopped, cost))?;
    let is_admissible = check.is_admissible();
    let is_consistent = check.is_consistent();
    Ok(CheckedHeuristic {
        goal: check.goal,
        states: check.states,
        solvable: check.solvable,
        is_admissible,
        is_consistent,
        overestimates: check.overestimates,
        first_overestimate: check.first_overestimate.map(|wrong| WrongEstimate {
            facts: reasoner.facts(&wrong.state),
            estimate: wrong.estimate,
            moves: wrong.distance,
        }),
        inconsistencies: check.inconsistencies,
        first_inconsistency: check.first_inconsistency.map(|wrong| {
            let facts = [&wrong.before, &wrong.after].map(|state| reasoner.facts(state));
            (facts, wrong.estimate_before, wrong.estimate_after)
        }),
        mean_estimate: check.mean_estimate,
        mean_moves: check.mean_distance,
        cost,
    })
}

/// The result of comparing a heuristic with the true number of moves.
#[derive(Clone, Debug, Serialize)]
struct CheckedHeuristic {
    /// The utility that makes a terminal state a goal.
    goal: Utility,
    /// The number of distinct states that can be reached.
    states: u64,
    /// The number of them from which a goal can be reached.
    solvable: u64,
    /// True if it never exceeds the true number of moves.
    #[serde(rename = "admissible")]
    is_admissible: bool,
    /// True if it is admissible and never falls by more than one at a move.
    #[serde(rename = "consistent")]
    is_consistent: bool,
    /// The number of states with too high an estimate.
    overestimates: u64,
    /// The overestimated state nearest to the first state.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_overestimate: Option<WrongEstimate>,
    /// The number of moves at which the estimate falls by more than one.
    inconsistencies: u64,
    /// The first such move: the facts before and after it, and both estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_inconsistency: Option<([Vec<GroundTerm>; 2], Option<u64>, u64)>,
    /// The mean estimate over the solvable states.
    mean_estimate: f64,
    /// The mean of the true number of moves over the solvable states.
    mean_moves: f64,
    /// The cost of the comparison.
    cost: Cost,
}

/// A state with too high an estimate.
#[derive(Clone, Debug, Serialize)]
struct WrongEstimate {
    /// The facts of the state.
    facts: Vec<GroundTerm>,
    /// The estimate; `None` if the heuristic says that no goal can be reached.
    estimate: Option<u64>,
    /// The true number of moves.
    moves: u32,
}

fn estimate(estimate: Option<u64>) -> String {
    estimate.map_or("∞".to_string(), |estimate| estimate.to_string())
}

impl AnswerContent for CheckedHeuristic {
    fn kind(&self) -> &'static str {
        "checked_heuristic"
    }

    /// One line for each property of a heuristic.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let verdict = |is_good, count: u64, what: &str| match is_good {
            true => "yes".to_string(),
            false => format!("no: {} {what}", grouped(count)),
        };
        let states = format!("{}, {} of them can reach {}", grouped(self.states), grouped(self.solvable), self.goal);
        let over =
            if self.overestimates == 1 { "state is estimated too high" } else { "states are estimated too high" };
        let falls = match self.inconsistencies {
            0 => "moves after which it falls by more than 1, but it is not admissible",
            1 => "move after which it falls by more than 1",
            _ => "moves after which it falls by more than 1",
        };
        let mean = format!("{:.2}, where {:.2} moves are needed", self.mean_estimate, self.mean_moves);
        let rows = [
            ("states", states),
            ("admissible", verdict(self.is_admissible, self.overestimates, over)),
            ("consistent", verdict(self.is_consistent, self.inconsistencies, falls)),
            ("mean estimate", mean),
        ];
        let mut text = table(rows);
        if let Some(wrong) = &self.first_overestimate {
            let facts = terms(&wrong.facts, " ", style.dialect);
            text +=
                &line(format!("too high: {} where {} are needed, in {facts}", estimate(wrong.estimate), wrong.moves));
        }
        if let Some((facts, before, after)) = &self.first_inconsistency {
            let facts = joined(facts.iter().map(|facts| terms(facts, " ", style.dialect)), "\n  to ");
            text += &line(format!("falls from {} to {after}, from {facts}", estimate(*before)));
        }
        text
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::Truth(self.is_admissible))
    }
}
