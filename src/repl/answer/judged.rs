//! The results of checking a plan or a heuristic.

use super::content::{AnswerContent, TextStyle};
use super::text::{joined, line, plan_in_row, terms};
use crate::ask::budget::StoppableAnswer;
use crate::game::Utility;
use crate::limits::Stop;
use crate::quantity::{counted, counted_as, grouped};
use crate::repl::value::AnswerValue;
use crate::rules::GroundTerm;
use crate::search::Cost;
use crate::sorting;
use crate::table::{Column, Table};
use serde::Serialize;
use std::cmp::Reverse;

/// A plan, judged in the words of [`crate::search::PlanCheck`].
#[derive(Clone, Debug, Serialize)]
pub struct CheckedPlan {
    /// Its moves.
    pub(crate) moves: Vec<GroundTerm>,
    /// The number of its moves.
    pub(crate) length: usize,
    /// Whether each of its moves is legal in the state where it is made. A plan is not followed beyond a terminal
    /// state.
    #[serde(rename = "legal")]
    pub(crate) is_legal: bool,
    /// The first move that cannot be made: its index, from 1, and the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) wrong: Option<(usize, GroundTerm)>,
    /// Whether it leads to a terminal state.
    #[serde(rename = "complete")]
    pub(crate) is_complete: bool,
    /// Whether no state before its end is terminal.
    #[serde(rename = "minimal")]
    pub(crate) is_minimal: bool,
    /// The utility of its end.
    pub(crate) utility: Option<Utility>,
    /// The greatest utility that a plan reaches.
    pub(crate) best: Option<Utility>,
    /// The fewest moves to a utility as good.
    pub(crate) fewest: Option<u32>,
    /// The limit that kept these two from being found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stopped: Option<Stop>,
    /// The cost of finding them.
    pub(crate) cost: Cost,
}

impl CheckedPlan {
    /// Whether it is legal, complete, minimal, optimal and shortest.
    pub(crate) fn is_good(&self) -> bool {
        self.is_legal && self.is_minimal && self.is_optimal() == Some(true) && self.is_shortest() == Some(true)
    }

    /// Whether no plan leads to a greater utility; `None` if that is not known.
    pub(crate) fn is_optimal(&self) -> Option<bool> {
        self.best.map(|best| self.utility == Some(best))
    }

    /// Whether no shorter plan leads to as great a utility; `None` if that is not known.
    pub(crate) fn is_shortest(&self) -> Option<bool> {
        self.fewest.map(|fewest| fewest as usize == self.length)
    }
}

/// Several plans, judged.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedPlans {
    /// The plans in the order in which they were given.
    pub(crate) plans: Vec<CheckedPlan>,
}

/// The result of comparing a heuristic with the true number of moves.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedHeuristic {
    /// The utility that makes a terminal state a goal.
    pub(crate) goal: Utility,
    /// The number of distinct states that can be reached.
    pub(crate) states: u64,
    /// The number of them from which a goal can be reached.
    pub(crate) solvable: u64,
    /// Whether it never exceeds the true number of moves.
    #[serde(rename = "admissible")]
    pub(crate) is_admissible: bool,
    /// Whether it is admissible and never falls by more than one at a move.
    #[serde(rename = "consistent")]
    pub(crate) is_consistent: bool,
    /// The number of states with too high an estimate.
    pub(crate) overestimates: u64,
    /// The overestimated state nearest to the first state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first_overestimate: Option<WrongEstimate>,
    /// The number of moves at which the estimate falls by more than one.
    pub(crate) inconsistencies: u64,
    /// The first such move: the facts before and after it, and both estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first_inconsistency: Option<([Vec<GroundTerm>; 2], Option<u64>, u64)>,
    /// The mean estimate over the solvable states.
    pub(crate) mean_estimate: f64,
    /// The mean of the true number of moves over the solvable states.
    pub(crate) mean_moves: f64,
    /// The cost of the comparison.
    pub(crate) cost: Cost,
    /// Warnings about the heuristic sheet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

/// A state with too high an estimate.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct WrongEstimate {
    /// The facts of the state.
    pub(crate) facts: Vec<GroundTerm>,
    /// The estimate; `None` if the heuristic says that no goal can be reached.
    pub(crate) estimate: Option<u64>,
    /// The true number of moves.
    pub(crate) moves: u32,
}

fn verdict(is_so: Option<bool>, stopped: Option<Stop>, otherwise: &str) -> String {
    match (is_so, stopped) {
        (Some(true), _) => "yes".to_string(),
        (Some(false), _) => format!("no: {otherwise}"),
        (None, Some(stop)) => format!("not known: {stop}"),
        (None, None) => "not known".to_string(),
    }
}

fn estimate(estimate: Option<u64>) -> String {
    estimate.map_or("∞".to_string(), |estimate| estimate.to_string())
}

impl AnswerContent for CheckedPlan {
    fn kind(&self) -> &'static str {
        "checked_plan"
    }

    /// One line for each property of a plan.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let wrong = self.wrong.as_ref().map(|(number, chosen)| (number, chosen.display(style.dialect)));
        let legal = match (&wrong, self.is_legal) {
            (Some((number, chosen)), false) => format!("no: move {number}, {chosen}, is not legal"),
            (Some((number, chosen)), true) => {
                format!("yes: the rules allow move {number}, {chosen}, in a terminal state")
            }
            (None, _) => "yes".to_string(),
        };
        let complete = match (&wrong, self.is_complete) {
            (_, true) => "yes".to_string(),
            (None, false) => "no: the game goes on".to_string(),
            (Some((number, _)), false) => format!("no: it is not followed beyond move {}", *number - 1),
        };
        let minimal = match &wrong {
            Some((number, _)) if !self.is_minimal => format!("no: the game is over before move {number}"),
            _ => "yes".to_string(),
        };
        let mut rows = vec![("moves", self.length.to_string()), ("legal", legal)];
        if self.is_legal {
            rows.extend([("complete", complete), ("minimal", minimal)]);
        }
        if let Some(utility) = self.utility {
            let nodes = counted_as(self.cost.nodes, "node", "nodes");
            rows.push(("utility", utility.to_string()));
            let best = self.best.map_or(String::new(), |best| format!("{best} can be reached"));
            rows.push(("optimal", verdict(self.is_optimal(), self.stopped, &best)));
            let fewest = self
                .fewest
                .map_or(String::new(), |fewest| counted(fewest as usize, "move") + " are enough for as much");
            rows.push(("shortest", format!("{} ({nodes})", verdict(self.is_shortest(), self.stopped, &fewest))));
        }
        super::text::table(rows.into_iter().map(|(name, value)| (name.to_string(), value)))
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::Truth(self.is_good()))
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}

impl AnswerContent for ComparedPlans {
    fn kind(&self) -> &'static str {
        "compared_plans"
    }

    /// A line for each plan, those with the greatest utility and the fewest moves first.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let mut sorted: Vec<_> = self.plans.iter().collect();
        sorting::sort_by_key(&mut sorted, |plan| (Reverse(plan.utility), plan.length));
        let word = |is_so: Option<bool>| is_so.map_or("", |is_so| if is_so { "yes" } else { "no" }).to_string();
        let rows = sorted.into_iter().map(|plan| {
            [
                plan.utility.map_or(String::new(), |utility| utility.to_string()),
                plan.length.to_string(),
                word(Some(plan.is_legal)),
                word(Some(plan.is_complete)),
                word(Some(plan.is_minimal)),
                word(plan.is_optimal()),
                word(plan.is_shortest()),
                plan_in_row(&plan.moves, style.dialect),
            ]
        });
        use Column::{Left, Right};
        Table::new([Right, Right, Left, Left, Left, Left, Left, Left])
            .row(["utility", "moves", "legal", "complete", "minimal", "optimal", "shortest", "plan"])
            .rows(rows)
            .to_string()
    }

    fn stopped(&self) -> Option<Stop> {
        self.plans.iter().find_map(|plan| plan.stopped)
    }
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
        let mut text = super::text::table(rows.into_iter().map(|(name, value)| (name.to_string(), value)));
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

    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

impl StoppableAnswer for CheckedPlan {
    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}
