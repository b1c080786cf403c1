//! What random games say of the moves of a role: the answer of `mcts` and `montecarlo`.

use super::LineMove;
use super::line_of_play::folded_line;
use super::search::strategy_text;
use super::text::line;
use crate::table::{Column, Table};
use gdl::limits::Stop;
use gdl::quantity::{counted_as, grouped};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use ggp_game::statistics::Interval;
use ggp_search::events::value_text;
use ggp_search::{Cost, WeightedMove};
use serde::Serialize;

/// The first moves of a role by random play, and the recommended one.
#[derive(Clone, Debug, Serialize)]
pub struct SampledChoice {
    /// The role that asks.
    pub(crate) role: GroundTerm,
    /// The recommended move.
    #[serde(rename = "move")]
    pub(crate) chosen: GroundTerm,
    /// The exact value of the position for the role, if it is proven; otherwise the exact value of the recommended move,
    /// which is a lower bound, or the mean utility of the random games that began with it.
    pub(crate) mean: f64,
    /// Whether it is the exact value of the position.
    pub(crate) proven: bool,
    /// The moves with their probabilities, if that value needs a mixed strategy.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) strategy: Vec<WeightedMove<GroundTerm>>,
    /// The moves that are expected, as far as the search knows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) line: Vec<LineMove>,
    /// All first moves, the most visited first or, where all are visited alike, the one with the greatest mean.
    pub(crate) moves: Vec<SampledMove>,
    /// The number of first moves that the text lists; JSON has all of them.
    #[serde(skip)]
    pub(crate) listed: usize,
    /// The number of random games of a visit, whose mean is its result.
    pub(crate) games: usize,
    /// The number of nodes of the search tree, if the search keeps one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tree_nodes: Option<usize>,
}

/// A first move by random play.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SampledMove {
    /// The move.
    #[serde(rename = "move")]
    pub(crate) chosen: GroundTerm,
    /// The number of visits that began with it.
    pub(crate) visits: u32,
    /// Their mean utility for the role; `None` without a visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mean: Option<f64>,
    /// The mean with its 95% confidence interval, where the games are independent of each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) interval: Option<Interval>,
    /// The exact value, if it is proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) proven: Option<f64>,
}

impl SampledChoice {
    /// Whether the recommended move has a proven value while others are open.
    fn is_bound(&self) -> bool {
        !self.proven && self.moves.iter().any(|row| row.chosen == self.chosen && row.proven.is_some())
    }

    /// The value of the position, a bound of it, or a mean.
    pub(crate) fn number(&self) -> String {
        match (self.proven, self.is_bound()) {
            (true, _) => value_text(self.mean),
            (false, true) => format!("at least {}", value_text(self.mean)),
            (false, false) => format!("{:.1}", self.mean),
        }
    }
}

/// A line for each of the best moves, then the recommended one with the line that is expected.
pub(in crate::repl) fn sampled_text(choice: &SampledChoice, full: bool, dialect: Dialect) -> String {
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

/// Why a search by random games ended, and what it cost. A limit on visits or time is no interruption: random play has
/// no other end.
pub(in crate::repl) fn sampled_end(choice: &SampledChoice, stopped: Option<Stop>, cost: &Cost) -> String {
    let end = match stopped {
        None => "exact; ".to_string(),
        Some(Stop::Nodes { .. }) => String::new(),
        Some(stop @ Stop::Time { .. }) => format!("{stop}; "),
        Some(stop) => format!("best so far, {stop}; "),
    };
    let games = match choice.games {
        1 => String::new(),
        games => format!(" of {games} games"),
    };
    let nodes = choice.tree_nodes.map_or(String::new(), |nodes| {
        format!(", {}, depth {}", counted_as(nodes as u64, "node", "nodes"), cost.depth)
    });
    format!("{end}{}{games}{nodes}", counted_as(cost.nodes, "visit", "visits"))
}
