//! Renders the results of checking plans and heuristics.

use super::{counted, counted_as, grouped, joined, line, plan_in_row, terms};
use crate::limits::Stop;
use crate::repl::answer::{CheckedHeuristic, CheckedPlan};
use crate::sorting;
use crate::syntax::Dialect;
use crate::table::{Column, Table};
use std::cmp::Reverse;

/// One line for each property of a plan.
pub(super) fn plan(plan: &CheckedPlan, dialect: Dialect) -> String {
    let wrong = plan.wrong.as_ref().map(|(number, chosen)| (number, chosen.display(dialect)));
    let legal = match (&wrong, plan.is_legal) {
        (Some((number, chosen)), false) => format!("no: move {number}, {chosen}, is not legal"),
        (Some((number, chosen)), true) => format!("yes: the rules allow move {number}, {chosen}, in a terminal state"),
        (None, _) => "yes".to_string(),
    };
    let complete = match (&wrong, plan.is_complete) {
        (_, true) => "yes".to_string(),
        (None, false) => "no: the game goes on".to_string(),
        (Some((number, _)), false) => format!("no: it is not followed beyond move {}", *number - 1),
    };
    let minimal = match &wrong {
        Some((number, _)) if !plan.is_minimal => format!("no: the game is over before move {number}"),
        _ => "yes".to_string(),
    };
    let mut rows = vec![("moves", plan.length.to_string()), ("legal", legal)];
    if plan.is_legal {
        rows.extend([("complete", complete), ("minimal", minimal)]);
    }
    if let Some(utility) = plan.utility {
        let nodes = counted_as(plan.cost.nodes, "node", "nodes");
        rows.push(("utility", utility.to_string()));
        let best = plan.best.map_or(String::new(), |best| format!("{best} can be reached"));
        rows.push(("optimal", verdict(plan.is_optimal(), plan.stopped, &best)));
        let fewest =
            plan.fewest.map_or(String::new(), |fewest| counted(fewest as usize, "move") + " are enough for as much");
        rows.push(("shortest", format!("{} ({nodes})", verdict(plan.is_shortest(), plan.stopped, &fewest))));
    }
    super::table(rows.into_iter().map(|(name, value)| (name.to_string(), value)))
}

fn verdict(is_so: Option<bool>, stopped: Option<Stop>, otherwise: &str) -> String {
    match (is_so, stopped) {
        (Some(true), _) => "yes".to_string(),
        (Some(false), _) => format!("no: {otherwise}"),
        (None, Some(stop)) => format!("not known: {stop}"),
        (None, None) => "not known".to_string(),
    }
}

/// A line for each plan, those with the greatest utility and the fewest moves first.
pub(super) fn plans(plans: &[CheckedPlan], dialect: Dialect) -> String {
    let mut sorted: Vec<_> = plans.iter().collect();
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
            plan_in_row(&plan.moves, dialect),
        ]
    });
    use Column::{Left, Right};
    Table::new([Right, Right, Left, Left, Left, Left, Left, Left])
        .row(["utility", "moves", "legal", "complete", "minimal", "optimal", "shortest", "plan"])
        .rows(rows)
        .to_string()
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
