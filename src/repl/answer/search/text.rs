//! Results of searches as text: what was found, how exact it is, why the search ended, and what it cost.

use crate::repl::answer::text::{cost_text, folded_line, line, line_in_row, plan_text, terms};
use crate::repl::answer::{
    AllStates, Assumption, LineMove, NodeCount, RoleWorth, SampledChoice, SampledMove, SearchAnswer, SearchFound,
    Substitute,
};
use crate::table::{Column, Table};
use gdl::limits::Stop;
use gdl::quantity::{counted, counted_as, grouped};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use gdl::syntax::operations::shown_moves;
use ggp_search::events::value_text;
use ggp_search::{
    AllPlans, Bound, Choice, Cost, Count, DeepenedChoice, EndedRound, Equilibrium, EquilibriumSelection, Expectation,
    FinishedMoves, Guarantee, LineEnd, MixedStrategy, OptimalPlans, Plan, Precision, PureEquilibrium, PureMove,
    RatedMove, Real, Round, Shares, WeightedMove, Worth,
};

/// The reason for which a search ended, and its cost.
pub(super) fn end_text(answer: &SearchAnswer, counts: &[NodeCount]) -> String {
    let SearchAnswer { found, stopped, cost, counts_lines, from_all_states, .. } = answer;
    if let SearchFound::Sampled(choice) = found {
        return sampled_end(choice, *stopped, cost);
    }
    if let SearchFound::Strategies(strategies) = found {
        let end = stopped.map_or(String::new(), |stop| format!("{stop}; "));
        return format!("{end}{}; {}", strategies.work_text(), cost_text(cost));
    }
    // Without a result there is no best one to name.
    let is_cut_off = answer.cut_off().is_some() && !matches!(found, SearchFound::Nothing);
    let progress = is_cut_off.then(|| progress(found).unwrap_or_else(|| "best so far".to_string()));
    let best = progress.map_or(String::new(), |progress| format!("{progress}, "));
    let unknown = answer.unknown_ranked.map(value_text);
    let unknown = unknown.map_or(String::new(), |rank| format!("; what lies beyond is unknown, ranked as {rank}"));
    let lines = |count| counted_as(count, "line", "lines");
    let end = match stopped {
        None => from_all_states.as_ref().map_or_else(|| exact_text(found), all_states_text),
        Some(Stop::Nodes { limit }) if *counts_lines => format!("{best}the limit of {} was reached", lines(*limit)),
        Some(stop) if answer.instead.is_some() => format!("{stop}{unknown}"),
        Some(stop) => format!("{best}{stop}{unknown}"),
    };
    let instead = answer.instead.as_deref().map_or(String::new(), instead_text);
    let cost = match counts_lines {
        true => format!("{}, the longest of {}", lines(cost.nodes), counted(cost.depth as usize, "move")),
        false if counts.is_empty() => cost_text(cost),
        false => counts_text(counts, cost),
    };
    format!("{instead}{end}; {cost}{}", symmetries_text(answer.symmetries))
}

/// The search that has answered instead, and the reason, before the rest.
fn instead_text(Substitute { search, depth, missed }: &Substitute) -> String {
    let depth = depth.map_or(String::new(), |depth| format!(" to depth {depth}"));
    format!("by `{search}`{depth}, since {missed}; ")
}

/// `exact`, or that a mean is exact up to rounding.
fn exact_text(found: &SearchFound) -> String {
    let is_rounded = matches!(found, SearchFound::Expectation { expectation, .. } if !expectation.utility.is_exact());
    if is_rounded { EXACT_UP_TO_ROUNDING.to_string() } else { "exact".to_string() }
}

const EXACT_UP_TO_ROUNDING: &str = "exact up to rounding";

/// The number of symmetries up to which states are counted.
pub(in crate::repl) fn symmetries_text(symmetries: Option<u64>) -> String {
    let count = |count| format!(", up to {}", counted_as(count, "symmetry", "symmetries"));
    symmetries.map_or(String::new(), count)
}

/// Exactness of an answer from all states, and its value of play without end.
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

/// A table of the rounds: the limit and the cost of each.
pub(super) fn rounds_text(rounds: &[EndedRound]) -> String {
    let Some(first) = rounds.first() else { return String::new() };
    // A search with a queue or a stack counts what it takes from it.
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
        SearchFound::Sampled(choice) => sampled_text(choice, full, dialect),
        SearchFound::Strategies(found) => found.text(dialect),
        contest => contest_text(contest, full, dialect),
    }
}

/// The listed ones of `count` plans, a line for each.
fn listed(count: Count, plans: &[Vec<GroundTerm>], full: bool, dialect: Dialect) -> String {
    let listed: String = plans.iter().map(|plan| line(plan_text(plan, full, dialect))).collect();
    let more = if !plans.is_empty() && count > Count::new(plans.len() as u128) { "…\n" } else { "" };
    listed + more
}

/// Exactness of means.
pub(in crate::repl) fn precision_text(precision: &Precision) -> String {
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

/// The result of a search of several players, without its end; empty for the results of other searches.
fn contest_text(found: &SearchFound, full: bool, dialect: Dialect) -> String {
    match found {
        SearchFound::Value { role, choice: Choice { worth, chosen, line, line_ends, equals, moves, finished } } => {
            // `equals` contains the chosen move too.
            let others: Vec<GroundTerm> =
                equals.iter().filter(|&equal| Some(equal) != chosen.as_ref()).cloned().collect();
            let equal =
                if others.is_empty() { String::new() } else { format!("; as good: {}", terms(&others, ", ", dialect)) };
            let moves = moves.iter().map(|RatedMove { chosen, worth }| (chosen, worth.to_string()));
            let value = worth_text(*worth, finished.as_ref());
            format!(
                "{}{role}: {value}{}{equal}",
                rated_text(moves, dialect),
                line_after_value(line, *line_ends, chosen.as_ref(), full, dialect)
            )
        }
        SearchFound::Deepened {
            role,
            deepened: DeepenedChoice { choice: Choice { worth, chosen, line, line_ends, .. }, rounds, .. },
        } => {
            let value = worth_text(*worth, found.finished().as_ref());
            rounds.iter().map(|round| round_text(round, full, dialect)).collect::<String>()
                + &format!("{role}: {value}{}", line_after_value(line, *line_ends, chosen.as_ref(), full, dialect))
        }
        SearchFound::Shares(Shares { worths, line, line_ends, finished }) => {
            // The guarantee is for the role that has the first choice.
            let share = |RoleWorth { role, worth }: &RoleWorth| {
                let value = worth_text(*worth, finished.as_ref().filter(|_| is_first(role, line)));
                format!("{role}: {value}")
            };
            let shares: Vec<String> = worths.iter().map(share).collect();
            shares.join(", ") + &line_after_value(line, *line_ends, None, full, dialect)
        }
        SearchFound::Expectation { role, expectation } => {
            let Expectation { utility, chosen, line, line_ends, model, moves, finished } = expectation;
            let Assumption { opponents, model_nodes } = model;
            let moves = moves.iter().map(|RatedMove { chosen, worth }| (chosen, mean_text(*worth)));
            let opponents = opponents.as_ref().map_or(String::new(), |opponents| format!(", opponents {opponents}"));
            let simulated = model_nodes.map(|nodes| counted_as(nodes, "node", "nodes"));
            let simulated = simulated.map_or(String::new(), |nodes| format!(", simulated with {nodes}"));
            let mean = format!("{}{} expected", bound_text(finished.as_ref()), mean_text(*utility));
            let line = line_after_value(line, *line_ends, chosen.as_ref(), full, dialect);
            rated_text(moves, dialect) + &format!("{role}: {mean}{line}{opponents}{simulated}")
        }
        SearchFound::Equilibrium { role, equilibrium } => equilibrium_text(role, equilibrium, dialect),
        _ => String::new(),
    }
}

/// The finished part of a stopped search: rounds, and moves of the first choice; `None` if the search does not report
/// it.
fn progress(found: &SearchFound) -> Option<String> {
    if let SearchFound::Deepened { deepened: DeepenedChoice { rounds, begun, .. }, .. } = found
        && let Some(Round { depth, .. }) = rounds.last()
    {
        let begun = begun.map_or(String::new(), |begun| format!(", of depth {} {}", depth + 1, finished_text(&begun)));
        return Some(format!("depth {depth} finished{begun}"));
    }
    found.finished().map(|finished| format!("best of {}", finished_text(&finished)))
}

fn finished_text(FinishedMoves { moves, of, guarantee }: &FinishedMoves) -> String {
    let word = match guarantee {
        Guarantee::AtLeast => "moves",
        Guarantee::AtMost => "replies",
    };
    format!("{moves} of {of} {word}")
}

/// The direction of a bound on the value that a stopped search knows; empty without a bound.
fn bound_text(finished: Option<&FinishedMoves>) -> &'static str {
    match finished.map(|finished| finished.guarantee) {
        None => "",
        Some(Guarantee::AtLeast) => "at least ",
        Some(Guarantee::AtMost) => "at most ",
    }
}

/// The value, or the bound on it that a stopped search knows.
fn worth_text(worth: Worth, finished: Option<&FinishedMoves>) -> String {
    match worth {
        Worth::Unknown => worth.number(),
        Worth::Estimate(_) => format!("estimate {}{}", bound_text(finished), worth.number()),
        Worth::Utility(_) => format!("{}{}", bound_text(finished), worth.number()),
    }
}

/// A mean as a decimal number and, if it is exact and has more digits, the fraction before it: `22/3 ≈ 7.333`. A long
/// fraction is left to JSON.
pub(in crate::repl) fn mean_text(mean: Real) -> String {
    /// The greatest number of characters of a fraction that people read.
    const MOST: usize = 20;
    let decimal = value_text(mean.to_f64());
    let fraction = mean.exact().filter(|exact| exact.decimal(3).is_none()).map(|exact| exact.to_string());
    match fraction.filter(|exact| exact.len() <= MOST) {
        Some(exact) => format!("{exact} ≈ {decimal}"),
        None => decimal,
    }
}

fn round_text(
    Round { depth, worth, line: moves, line_ends, nodes }: &Round<Vec<LineMove>>,
    full: bool,
    dialect: Dialect,
) -> String {
    let nodes = counted_as(*nodes, "node", "nodes");
    line(format!("depth {depth}: {worth}{}, {nodes}", line_after_value(moves, *line_ends, None, full, dialect)))
}

/// A line for each of the last rounds of a search that runs, with the nodes of the round and the nodes a second; the
/// moves of best play come last, so that they are cut where a terminal is too narrow.
pub(in crate::repl) fn round_rows(rounds: &[(Round<Vec<LineMove>>, f64)], dialect: Dialect) -> String {
    /// More lines than this are too many for a small terminal.
    const MOST: usize = 12;
    let row = |(round, rate): &(Round<Vec<LineMove>>, f64)| {
        let Round { depth, worth, line, nodes, .. } = round;
        let rate = format!("{}/s", grouped(rate.round()));
        [depth.to_string(), worth.to_string(), grouped(nodes), rate, line_in_row(line, dialect)]
    };
    let columns = [Column::Right, Column::Left, Column::Right, Column::Right, Column::Left];
    let last = &rounds[rounds.len().saturating_sub(MOST)..];
    Table::new(columns).row(["depth", "value", "nodes", "nodes/s", "line"]).rows(last.iter().map(row)).to_string()
}

/// True if a role alone has the first choice of a line.
fn is_first(role: &GroundTerm, line: &[LineMove]) -> bool {
    let is_alone = |first: &LineMove| line.get(1).is_none_or(|second| second.ply != first.ply);
    line.first().is_some_and(|first| first.role == *role && is_alone(first))
}

/// The line that leads to a value, after the value. Without a choice on the line, only the first move of the role that
/// asks is named, if the game is not over. A line that should go on ends with `…`.
fn line_after_value(
    line: &[LineMove],
    line_ends: LineEnd,
    chosen: Option<&GroundTerm>,
    full: bool,
    dialect: Dialect,
) -> String {
    let more = if line_ends == LineEnd::Open { " …" } else { "" };
    match (line, chosen) {
        ([], None) => String::new(),
        ([], Some(chosen)) => format!(" with {}", chosen.display(dialect)),
        _ => format!(" by {}{more}", folded_line(line, full, dialect)),
    }
}

/// A line for each first move with its value.
fn rated_text<'a>(moves: impl Iterator<Item = (&'a GroundTerm, String)>, dialect: Dialect) -> String {
    moves.map(|(chosen, value)| line(format!("{}: {value}", chosen.display(dialect)))).collect()
}

/// A mixed strategy: the moves of a role with their probabilities.
fn strategy_text(role: &GroundTerm, moves: &[WeightedMove<GroundTerm>], dialect: Dialect) -> String {
    let moves = moves.iter().map(|WeightedMove { chosen, probability }| {
        let chosen = chosen.display(dialect);
        if *probability == 1.0 { chosen.to_string() } else { format!("{chosen} {probability:.4}") }
    });
    line(format!("{role} plays {}", moves.collect::<Vec<_>>().join(", ")))
}

/// The name of the first move of a strategy.
fn first_move(strategy: &MixedStrategy<GroundTerm, GroundTerm>) -> &str {
    strategy.moves.first().map_or("", |first| &first.chosen.name)
}

/// An equilibrium: the strategies, the values, and which of several it is.
fn equilibrium_text(
    role: &GroundTerm,
    Equilibrium { utility, values, strategies, selection, finished }: &Equilibrium<GroundTerm, GroundTerm>,
    dialect: Dialect,
) -> String {
    let text = |MixedStrategy { role, moves }: &MixedStrategy<_, _>| strategy_text(role, moves, dialect);
    // In a game with operations only the role in control chooses.
    let strategies: String = shown_moves(strategies, first_move, dialect).into_iter().map(text).collect();
    let Some(selection) = selection else {
        return strategies + &format!("{role}: {}{} expected", bound_text(finished.as_ref()), value_text(*utility));
    };
    let values: Vec<String> = values.iter().map(|own| format!("{}: {}", own.role, value_text(own.mean))).collect();
    // After the end of the game there is nothing to choose.
    let chosen = if strategies.is_empty() { String::new() } else { selection_text(selection) };
    pure_equilibria_text(selection, dialect) + &strategies + &format!("{} expected{chosen}", values.join(", "))
}

/// The equilibria of pure strategies in the first state, if there are several.
fn pure_equilibria_text(
    EquilibriumSelection { pure, .. }: &EquilibriumSelection<GroundTerm, GroundTerm>,
    dialect: Dialect,
) -> String {
    /// The most that are listed; JSON has all.
    const MOST: usize = 20;
    if pure.len() < 2 {
        return String::new();
    }
    let listed = pure.iter().take(MOST).map(|PureEquilibrium { moves, means }| {
        let moves: Vec<String> =
            moves.iter().map(|PureMove { role, chosen }| format!("{role} {}", chosen.display(dialect))).collect();
        let means: Vec<String> = means.iter().map(|&mean| value_text(mean)).collect();
        line(format!("equilibrium: {} for {}", moves.join(", "), means.join(", ")))
    });
    let rest = pure.len().saturating_sub(MOST);
    let rest =
        if rest > 0 { line(format!("and {}", counted_as(rest as u64, "other", "others"))) } else { String::new() };
    listed.collect::<String>() + &rest
}

/// The equilibrium that an answer is about: how it was selected, and whether there may be others.
fn selection_text(
    EquilibriumSelection { pure, later, later_several, later_mixed }: &EquilibriumSelection<GroundTerm, GroundTerm>,
) -> String {
    let perfect = if *later > 0 { "subgame-perfect " } else { "" };
    let first = match pure.len() {
        0 => format!("one {perfect}equilibrium of mixed strategies, of possibly several"),
        1 if later_several + later_mixed == 0 => format!("the only {perfect}equilibrium of pure strategies"),
        1 => format!("one {perfect}equilibrium, of possibly several"),
        count => {
            let count = grouped(count);
            format!("of {count} {perfect}equilibria of pure strategies the first with the greatest sum")
        }
    };
    let choices = |count: u64| counted_as(count, "later node", "later nodes");
    let several = (*later_several > 0).then(|| format!("one of several pure ones in {}", choices(*later_several)));
    let mixed = (*later_mixed > 0).then(|| format!("a mixed one in {}", choices(*later_mixed)));
    let later: Vec<String> = several.into_iter().chain(mixed).collect();
    let later = if later.is_empty() { String::new() } else { format!("; chosen: {}", later.join(", ")) };
    format!("; {first}{later}")
}

/// A line for each of the best moves, then the recommended one with the line that is expected.
fn sampled_text(choice: &SampledChoice, full: bool, dialect: Dialect) -> String {
    let SampledChoice { role, chosen, proven, strategy, line: moves, moves: all, listed, .. } = choice;
    let rows = all.iter().take(*listed).map(|SampledMove { chosen, visits, mean, interval, proven }| {
        let note = match (proven, interval) {
            (Some(_), _) => "proven".to_string(),
            (None, Some(interval)) => format!("± {:.1}", interval.half_width()),
            (None, None) => String::new(),
        };
        let mean = match (proven, mean) {
            (Some(proven), _) => value_text(*proven),
            (None, Some(mean)) => format!("{mean:.1}"),
            (None, None) => "-".to_string(),
        };
        [chosen.display(dialect).to_string(), grouped(visits), mean, note]
    });
    let table = Table::new([Column::Left, Column::Right, Column::Right, Column::Left]);
    let table = table.row(["move", "visits", "mean", ""]).rows(rows).to_string();
    let more = match all.len().saturating_sub(*listed) {
        0 => String::new(),
        count => line(format!("… {}", counted_as(count as u64, "move more", "moves more"))),
    };
    let is_mean = !proven && !choice.is_bound();
    let value = choice.number() + if is_mean { " on average" } else { "" };
    let mixture = if strategy.is_empty() { String::new() } else { strategy_text(role, strategy, dialect) };
    let by = if moves.is_empty() { String::new() } else { format!(" by {}", folded_line(moves, full, dialect)) };
    table + &more + &mixture + &format!("{role}: {value} with {}{by}", chosen.display(dialect))
}

/// The reason for which a search by random games ended, and its cost. A limit on visits or time is no interruption:
/// random play has no other end.
fn sampled_end(choice: &SampledChoice, stopped: Option<Stop>, cost: &Cost) -> String {
    let end = match stopped {
        None => "exact; ".to_string(),
        Some(Stop::Nodes { .. }) => String::new(),
        Some(stop @ Stop::Time { .. }) => format!("{stop}; "),
        Some(stop) => format!("best so far, {stop}; "),
    };
    let games = match choice.games {
        _ if choice.guided => " guided by a network".to_string(),
        1 => String::new(),
        games => format!(" of {games} games"),
    };
    let nodes = choice.tree_nodes.map_or(String::new(), |nodes| {
        format!(", {}, depth {}", counted_as(nodes as u64, "node", "nodes"), cost.depth)
    });
    format!("{end}{}{games}{nodes}", counted_as(cost.nodes, "visit", "visits"))
}
