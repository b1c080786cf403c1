//! Renders the results of searches.

use super::contest;
use super::{narrated, trace};
use crate::limits::Stop;
use crate::quantity::{counted, counted_as, grouped};
use crate::repl::Answer;
use crate::repl::answer::sampled;
use crate::repl::answer::text::{folded_line, line, plan_text, table};
use crate::repl::answer::{
    AllStates, AnswerView, CostUnit, ExpectedWorths, Found, NodeCount, SearchAnswer, Solved, Substitute,
};
use crate::repl::words::cost_text;
use crate::rules::GroundTerm;
use crate::search::trace::value_text;
use crate::search::{AllPlans, Bound, Cost, Count, EndedRound, OptimalPlans, Plan, Precision, SolvedStates};
use crate::syntax::Dialect;
use crate::table::{Column, Table};

/// The answer of a search, with its trace and its drawn tree.
pub(super) fn search(answer: &SearchAnswer, view: &AnswerView, dialect: Dialect) -> String {
    let SearchAnswer { rounds, narration, trace, tree, stages, .. } = answer;
    let answer = format!("{} ({})", found_text(answer, view.full, dialect), end_text(answer, &view.counts));
    let trace = trace.as_ref().map_or(String::new(), |events| trace::trace(events, dialect));
    let narration = narration.as_ref().map_or(String::new(), |narration| narrated::narrated(narration, dialect));
    let stages = stages.as_ref().map_or(String::new(), |stages| stages.text());
    narration
        + &trace
        + &stages
        + &rounds_text(rounds)
        + &line(answer)
        + &tree.as_ref().map_or(String::new(), trace::drawn)
}

/// Why a search ended, and what it cost.
fn end_text(answer: &SearchAnswer, counts: &[NodeCount]) -> String {
    let SearchAnswer { found, stopped, cost, work, from_all_states, .. } = answer;
    if let Found::Sampled(choice) = found {
        return sampled::sampled_end(choice, *stopped, cost);
    }
    let is_cut_off = answer.cut_off().is_some() && !matches!(found, Found::Nothing);
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
fn exact_text(found: &Found) -> String {
    let is_rounded = matches!(found, Found::Expectation { expectation, .. } if !expectation.utility.is_exact());
    if is_rounded { EXACT_UP_TO_ROUNDING.to_string() } else { "exact".to_string() }
}

const EXACT_UP_TO_ROUNDING: &str = "exact up to rounding";

/// That states are counted up to symmetries.
fn symmetries_text(symmetries: Option<u64>) -> String {
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
fn rounds_text(rounds: &[EndedRound]) -> String {
    let Some(first) = rounds.first() else { return String::new() };
    let nodes = if first.cost.pops.is_some() { "pops" } else { "nodes" };
    let rows = rounds.iter().map(|EndedRound { bound, cost }| {
        let limit = match bound {
            Bound::Depth(depth) => depth.to_string(),
            Bound::Cost(cost) => cost.to_string(),
        };
        [limit, grouped(cost.pops.unwrap_or(cost.nodes)), grouped(cost.expanded)]
    });
    Table::new([Column::Right; 3]).row(["limit", nodes, "expanded"]).rows(rows).to_string()
}

fn found_text(answer: &SearchAnswer, full: bool, dialect: Dialect) -> String {
    let &SearchAnswer { ref found, exact: is_exact, .. } = answer;
    match found {
        Found::Nothing => "nothing found".to_string(),
        Found::Score { utility } if !is_exact => format!("at least {utility}"),
        Found::Score { utility } => utility.to_string(),
        Found::Move { chosen, utility } => format!("{}: {utility}", chosen.display(dialect)),
        Found::Plan { plan: Plan { moves, utility }, missed } => {
            let missed = missed.map_or(String::new(), |goal| match is_exact {
                true => format!(", since {goal} cannot be reached"),
                false => format!(", short of {goal}"),
            });
            format!("{}: {utility} in {}{missed}", plan_text(moves, full, dialect), counted(moves.len(), "move"))
        }
        Found::OptimalPlans(found) => {
            let (OptimalPlans { lengths, plans, utility }, count) = (found, found.count());
            let of_length =
                |&(length, count): &(u32, Count)| format!("{} of {}", grouped(count), counted(length as usize, "move"));
            let lengths: Vec<String> = lengths.iter().map(of_length).collect();
            let word = if count == Count::ONE { "plan" } else { "plans" };
            let listed = listed(count, plans, full, dialect);
            format!("{listed}{} optimal {word} to {utility}: {}", grouped(count), lengths.join(", "))
        }
        Found::Plans(AllPlans { count, plans, utility, length }) => {
            let listed = listed(*count, plans, full, dialect);
            let plans = if *count == Count::ONE { "plan" } else { "plans" };
            format!("{listed}{} {plans} to {utility} in {}", grouped(count), counted(*length as usize, "move"))
        }
        Found::Sampled(choice) => sampled::sampled_text(choice, full, dialect),
        contest => contest::found_text(contest, full, dialect),
    }
}

/// The listed ones of `count` plans, a line for each.
fn listed(count: Count, plans: &[Vec<GroundTerm>], full: bool, dialect: Dialect) -> String {
    let listed: String = plans.iter().map(|plan| line(plan_text(plan, full, dialect))).collect();
    let more = if !plans.is_empty() && count > Count::Exactly(plans.len() as u128) { "…\n" } else { "" };
    listed + more
}

/// The elapsed time of an answer and the number of states that were expanded, of visits, or of lines per second.
pub(super) fn timed(seconds: f64, answer: &Answer) -> String {
    let (count, what) = match answer {
        Answer::Viewed(viewed) => return timed(seconds, &viewed.answer),
        Answer::Search(search) if matches!(search.found, Found::Sampled(_)) => (search.cost.nodes, "visits"),
        Answer::Search(search) if search.work == CostUnit::Lines => (search.cost.nodes, "lines"),
        Answer::Search(search) => (search.cost.expanded, "states"),
        Answer::Solved(solved) => (solved.states, "states"),
        _ => (0, "states"),
    };
    if count == 0 || seconds == 0.0 {
        return format!("{seconds:.3} s");
    }
    format!("{seconds:.3} s, {} {what} a second", grouped((count as f64 / seconds).round()))
}

/// A solved game: its value, best play, and the number of states for each ending.
pub(super) fn solved(solved: &Solved, full: bool, dialect: Dialect) -> String {
    let value = match (&solved.value, &solved.expected) {
        (_, Some(expected)) => expected_text(expected, dialect),
        (None, None) => "no end can be forced".to_string(),
        (Some(worths), None) => {
            let worths: Vec<String> = worths.0.iter().map(|(role, utility)| format!("{role}: {utility}")).collect();
            let moves =
                solved.moves.map_or(String::new(), |moves| format!(" after {}", counted(moves as usize, "joint move")));
            worths.join(", ") + &moves
        }
    };
    let line_of_play = match &solved.line[..] {
        [] => String::new(),
        moves => line(format!("best play: {}", folded_line(moves, full, dialect))),
    };
    let rows = solved.worths.iter().map(|SolvedStates { utilities, states, terminal, farthest }| {
        let name = utilities.as_ref().map_or("open".to_string(), |utilities| {
            let utilities: Vec<String> = utilities.iter().map(ToString::to_string).collect();
            utilities.join(" ")
        });
        let farthest = farthest.map_or(String::new(), |moves| format!(", at most {}", counted(moves as usize, "move")));
        (name, format!("{}, {} of them terminal{farthest}", counted_as(*states, "state", "states"), grouped(terminal)))
    });
    let per_state = solved.memory as f64 / solved.states as f64;
    let states = format!(
        "{}, {}",
        counted_as(solved.states, "state", "states"),
        counted_as(solved.joint_moves, "joint move", "joint moves") + &symmetries_text(solved.symmetries)
    );
    // Memory depends on the engine, so it is shown only if all is asked for.
    let memory = match full {
        true => format!("; {} bytes per packed state, {per_state:.1} in total", solved.state_bytes),
        false => String::new(),
    };
    let written = solved.policy.as_ref();
    let policy = written.map_or(String::new(), |file| {
        line(format!("{file}: the policy, {}", counted_as(solved.states, "state", "states")))
    });
    line(value) + &line_of_play + &table(rows) + &line(states + &memory) + &policy
}

/// Means with the first move, and how exact they are.
fn expected_text(expected: &ExpectedWorths, dialect: Dialect) -> String {
    let ExpectedWorths { chosen, precision, .. } = expected;
    let means = expected.each().map(|(role, mean)| format!("{role}: {}", contest::mean_text(mean)));
    let means: Vec<String> = means.collect();
    let chosen = chosen.as_ref().map_or(String::new(), |chosen| format!(" with {}", chosen.chosen.display(dialect)));
    let precision = precision_text(precision);
    format!("{} expected{chosen} ({precision})", means.join(", "))
}

/// How exact means are.
fn precision_text(precision: &Precision) -> String {
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
