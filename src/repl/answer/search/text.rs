//! Renders the results of searches.

use super::contest;
use crate::repl::answer::sampled;
use crate::repl::answer::text::{line, plan_text};
use crate::repl::answer::{AllStates, CostUnit, NodeCount, SearchAnswer, SearchFound, Substitute};
use crate::repl::words::cost_text;
use crate::table::{Column, Table};
use gdl::limits::Stop;
use gdl::quantity::{counted, counted_as, grouped};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use ggp_search::events::value_text;
use ggp_search::{AllPlans, Bound, Cost, Count, EndedRound, OptimalPlans, Plan, Precision};

/// Why a search ended, and what it cost.
pub(super) fn end_text(answer: &SearchAnswer, counts: &[NodeCount]) -> String {
    let SearchAnswer { found, stopped, cost, work, from_all_states, .. } = answer;
    if let SearchFound::Sampled(choice) = found {
        return sampled::sampled_end(choice, *stopped, cost);
    }
    let is_cut_off = answer.cut_off().is_some() && !matches!(found, SearchFound::Nothing);
    let progress = is_cut_off.then(|| contest::progress(found).unwrap_or_else(|| "best so far".to_string()));
    let best = progress.map_or(String::new(), |progress| format!("{progress}, "));
    let unknown = answer.unknown_ranked.map(value_text);
    let unknown = unknown.map_or(String::new(), |rank| format!("; what lies beyond is unknown, ranked as {rank}"));
    let lines = |count| counted_as(count, "line", "lines");
    let end = match (stopped, work) {
        (None, _) => from_all_states.as_ref().map_or_else(|| exact_text(found), all_states_text),
        (Some(Stop::Nodes { limit }), CostUnit::Lines) => format!("{best}the limit of {} was reached", lines(*limit)),
        (Some(stop), _) if answer.instead.is_some() => format!("{stop}{unknown}"),
        (Some(stop), _) => format!("{best}{stop}{unknown}"),
    };
    let instead = answer.instead.as_deref().map_or(String::new(), instead_text);
    let cost = match work {
        CostUnit::Lines => format!("{}, the longest of {}", lines(cost.nodes), counted(cost.depth as usize, "move")),
        CostUnit::Nodes if counts.is_empty() => cost_text(cost),
        CostUnit::Nodes => counts_text(counts, cost),
    };
    format!("{instead}{end}; {cost}{}", symmetries_text(answer.symmetries))
}

/// Which search has answered instead, and why, before the rest.
fn instead_text(Substitute { search, depth, missed }: &Substitute) -> String {
    let depth = depth.map_or(String::new(), |depth| format!(" to depth {depth}"));
    format!("by `{search}`{depth}, since {missed}; ")
}

/// That an answer is exact, and whether a mean is rounded for all that.
fn exact_text(found: &SearchFound) -> String {
    let is_rounded = matches!(found, SearchFound::Expectation { expectation, .. } if !expectation.utility.is_exact());
    if is_rounded { EXACT_UP_TO_ROUNDING.to_string() } else { "exact".to_string() }
}

const EXACT_UP_TO_ROUNDING: &str = "exact up to rounding";

/// That states are counted up to symmetries.
pub(in crate::repl::answer) fn symmetries_text(symmetries: Option<u64>) -> String {
    let count = |count| format!(", up to {}", counted_as(count, "symmetry", "symmetries"));
    symmetries.map_or(String::new(), count)
}

/// How exact an answer from all states is, and what it counts play without end.
fn all_states_text(AllStates { endless, precision }: &AllStates) -> String {
    let exact = precision.as_ref().map_or_else(|| "exact".to_string(), precision_text);
    let endless = endless.filter(|_| precision.is_none()).map(value_text);
    let endless = endless.map_or(String::new(), |endless| format!("; play without end counts {endless}"));
    format!("{exact}{endless}; from all states, since states repeat")
}

/// These counts of a search, and its depth.
fn counts_text(counts: &[NodeCount], cost: &Cost) -> String {
    let part = |count: &NodeCount| Some(format!("{} {}", grouped(count.count_in(cost)?), count.name()));
    let parts: Vec<String> = counts.iter().filter_map(part).collect();
    format!("{}, depth {}", parts.join(", "), cost.depth)
}

/// A line for each round: its limit, and what it cost.
pub(super) fn rounds_text(rounds: &[EndedRound]) -> String {
    let Some(first) = rounds.first() else { return String::new() };
    let nodes = if first.cost.pops.is_some() { "pops" } else { "nodes" };
    let rows = rounds.iter().map(|EndedRound { bound, cost }| {
        let limit = match bound {
            Bound::Depth(depth) => depth.to_string(),
            Bound::Cost(cost) => cost.to_string(),
            Bound::Unlimited => "∞".to_string(),
        };
        [limit, grouped(cost.pops.unwrap_or(cost.nodes)), grouped(cost.expanded)]
    });
    Table::new([Column::Right; 3]).row(["limit", nodes, "expanded"]).rows(rows).to_string()
}

pub(super) fn found_text(answer: &SearchAnswer, full: bool, dialect: Dialect) -> String {
    let &SearchAnswer { ref found, exact: is_exact, .. } = answer;
    match found {
        SearchFound::Nothing => "nothing found".to_string(),
        SearchFound::Score { utility } if !is_exact => format!("at least {utility}"),
        SearchFound::Score { utility } => utility.to_string(),
        SearchFound::Move { chosen, utility } => format!("{}: {utility}", chosen.display(dialect)),
        SearchFound::Plan { plan: Plan { moves, utility }, missed } => {
            let missed = missed.map_or(String::new(), |goal| match is_exact {
                true => format!(", since {goal} cannot be reached"),
                false => format!(", short of {goal}"),
            });
            format!("{}: {utility} in {}{missed}", plan_text(moves, full, dialect), counted(moves.len(), "move"))
        }
        SearchFound::OptimalPlans(found) => {
            let (OptimalPlans { lengths, plans, utility }, count) = (found, found.count());
            let of_length =
                |&(length, count): &(u32, Count)| format!("{} of {}", grouped(count), counted(length as usize, "move"));
            let lengths: Vec<String> = lengths.iter().map(of_length).collect();
            let word = if count == Count::ONE { "plan" } else { "plans" };
            let listed = listed(count, plans, full, dialect);
            format!("{listed}{} optimal {word} to {utility}: {}", grouped(count), lengths.join(", "))
        }
        SearchFound::Plans(AllPlans { count, plans, utility, length }) => {
            let listed = listed(*count, plans, full, dialect);
            let plans = if *count == Count::ONE { "plan" } else { "plans" };
            format!("{listed}{} {plans} to {utility} in {}", grouped(count), counted(*length as usize, "move"))
        }
        SearchFound::Sampled(choice) => sampled::sampled_text(choice, full, dialect),
        contest => contest::found_text(contest, full, dialect),
    }
}

/// The listed ones of `count` plans, a line for each.
fn listed(count: Count, plans: &[Vec<GroundTerm>], full: bool, dialect: Dialect) -> String {
    let listed: String = plans.iter().map(|plan| line(plan_text(plan, full, dialect))).collect();
    let more = if !plans.is_empty() && count > Count::new(plans.len() as u128) { "…\n" } else { "" };
    listed + more
}

/// How exact means are.
pub(in crate::repl::answer) fn precision_text(precision: &Precision) -> String {
    match precision {
        Precision::Exact => "exact".to_string(),
        Precision::Rounded => EXACT_UP_TO_ROUNDING.to_string(),
        Precision::Within { error } => format!("within {error:.0e}, by iteration from both sides"),
        Precision::Iterated { change, endless } => format!(
            "iterated until no mean changed by more than {change:.0e}; play without end counts {}",
            value_text(*endless)
        ),
    }
}
