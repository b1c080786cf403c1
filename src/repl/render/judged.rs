//! Renders the results of checking plans and heuristics.

use super::{counted, grouped, joined, line, terms};
use crate::repl::answer::{CheckedHeuristic, CheckedPlan};
use crate::syntax::Dialect;

/// One line for each property of a plan.
pub(super) fn plan(plan: &CheckedPlan, dialect: Dialect) -> String {
    let legal = match &plan.wrong {
        None => "yes".to_string(),
        Some((number, chosen)) if plan.is_over_before => {
            format!("no: the game is over before move {number}, {}", chosen.display(dialect))
        }
        Some((number, chosen)) => format!("no: move {number}, {}, is not legal", chosen.display(dialect)),
    };
    let mut rows = vec![("moves", plan.length.to_string()), ("legal", legal)];
    if plan.wrong.is_none() {
        let complete = if plan.is_complete { "yes" } else { "no: the game goes on" };
        rows.push(("complete", complete.to_string()));
    }
    if let Some(utility) = plan.utility {
        rows.push(("utility", utility.to_string()));
        rows.push(("minimal", minimal(plan)));
    }
    super::table(rows.into_iter().map(|(name, value)| (name.to_string(), value)))
}

fn minimal(plan: &CheckedPlan) -> String {
    let nodes = grouped(plan.cost.nodes);
    match (plan.fewest, plan.stopped) {
        (Some(fewest), _) if fewest as usize == plan.length => format!("yes ({nodes} nodes)"),
        (Some(fewest), _) => format!("no: {} are enough ({nodes} nodes)", counted(fewest as usize, "move")),
        (None, Some(stop)) => format!("not known: {stop}"),
        (None, None) => "not known".to_string(),
    }
}

/// One line for each property of a heuristic.
pub(super) fn heuristic(heuristic: &CheckedHeuristic, dialect: Dialect) -> String {
    let verdict = |is_good, count: u64, what: &str| match is_good {
        true => "yes".to_string(),
        false => format!("no: {} {what}", grouped(count)),
    };
    let states =
        format!("{}, {} of them can reach {}", grouped(heuristic.states), grouped(heuristic.solvable), heuristic.goal);
    let over =
        if heuristic.overestimates == 1 { "state is estimated too high" } else { "states are estimated too high" };
    let falls = match heuristic.inconsistencies {
        0 => "moves after which it falls by more than 1, but it is not admissible",
        1 => "move after which it falls by more than 1",
        _ => "moves after which it falls by more than 1",
    };
    let mean = format!("{:.2}, where {:.2} moves are needed", heuristic.mean_estimate, heuristic.mean_moves);
    let rows = [
        ("states", states),
        ("admissible", verdict(heuristic.is_admissible, heuristic.overestimates, over)),
        ("consistent", verdict(heuristic.is_consistent, heuristic.inconsistencies, falls)),
        ("mean estimate", mean),
    ];
    let mut text = super::table(rows.into_iter().map(|(name, value)| (name.to_string(), value)));
    if let Some(wrong) = &heuristic.first_overestimate {
        let facts = terms(&wrong.facts, " ", dialect);
        text += &line(format!("too high: {} where {} are needed, in {facts}", estimate(wrong.estimate), wrong.moves));
    }
    if let Some((facts, before, after)) = &heuristic.first_inconsistency {
        let facts = joined(facts.iter().map(|facts| terms(facts, " ", dialect)), "\n  to ");
        text += &line(format!("falls from {} to {after}, from {facts}", estimate(*before)));
    }
    text
}

fn estimate(estimate: Option<u64>) -> String {
    estimate.map_or("∞".to_string(), |estimate| estimate.to_string())
}
