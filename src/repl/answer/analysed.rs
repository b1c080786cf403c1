//! An analysis of a position: the answer of `analyse`, and what a terminal shows while it runs.

use super::LineMove;
use super::content::{AnswerContent, TextStyle};
use super::line_of_play::line_in_row;
use super::text::line;
use crate::repl::value::AnswerValue;
use crate::table::{Column, Table};
use gdl::limits::Stop;
use gdl::quantity::{counted_as, grouped};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use ggp_game::Utility;
use ggp_search::{Cost, Worth};
use serde::Serialize;

/// The best first moves of the role to move, each with its value and the line that follows.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AnalysisAnswer {
    /// The search that gave the values.
    pub(crate) algorithm: &'static str,
    /// The role that moves.
    pub(crate) role: GroundTerm,
    /// How far the search has come.
    #[serde(flatten)]
    pub(crate) reached: AnalysisProgress,
    /// The best moves, the best first.
    pub(crate) moves: Vec<AnalysedMove>,
    /// The number of other first moves.
    pub(crate) others: usize,
    /// Whether no further work would change the values.
    pub(crate) exact: bool,
    /// The limit that ended the analysis, if it is not exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stopped: Option<Stop>,
    /// The work that was done.
    pub(crate) cost: Cost,
    /// Warnings about the question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

impl AnalysisAnswer {
    /// The limit that cut the analysis off. A limit of the search does not count, since an analysis has no other end.
    pub(crate) fn cut_off(&self) -> Option<Stop> {
        self.stopped.filter(|stop| matches!(stop, Stop::Interrupted | Stop::Work { .. }))
    }
}

/// How far an analysis has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AnalysisProgress {
    /// All first moves have been searched to this depth.
    Depth(u32),
    /// This many random games have been played.
    Visits(u64),
}

/// A first move in an analysis.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AnalysedMove {
    /// The move.
    #[serde(rename = "move")]
    pub(crate) chosen: GroundTerm,
    /// Its value; `None` if nothing is known yet.
    #[serde(flatten)]
    pub(crate) value: Option<AnalysedValue>,
    /// The expected line, with this move.
    pub(crate) line: Vec<LineMove>,
}

/// The value of a first move.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum AnalysedValue {
    /// What the role can force.
    Forced(Worth),
    /// The utility at the end of a plan.
    Planned {
        /// The utility.
        utility: Utility,
        /// The number of moves to it.
        length: usize,
    },
    /// The mean of random games, or the exact value if it is proven.
    Mean {
        /// The number of random games.
        visits: u32,
        /// Their mean utility.
        mean: f64,
        /// Whether it is the exact value.
        proven: bool,
    },
}

impl AnalysedValue {
    /// The value as a cell of a table.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Forced(worth) => worth.to_string(),
            Self::Planned { utility, length } => format!("{utility} in {length}"),
            Self::Mean { mean, proven: true, .. } => format!("{} proven", ggp_search::events::value_text(*mean)),
            Self::Mean { mean, .. } => format!("{mean:.1}"),
        }
    }
}

/// What is analysed, how, and how far it has come: `red to move: alphabeta, depth 7`.
pub(in crate::repl) fn heading(AnalysisAnswer { algorithm, role, reached, .. }: &AnalysisAnswer) -> String {
    let reached = match reached {
        AnalysisProgress::Depth(depth) => format!("depth {depth}"),
        AnalysisProgress::Visits(visits) => counted_as(*visits, "visit", "visits"),
    };
    format!("{role} to move: {algorithm}, {reached}")
}

/// A line for each of the best moves: its rank, its value, and the line that begins with it.
pub(in crate::repl) fn rows(AnalysisAnswer { moves, others, .. }: &AnalysisAnswer, dialect: Dialect) -> String {
    let row = |(index, AnalysedMove { chosen, value, line }): (usize, &AnalysedMove)| {
        let line = if line.is_empty() { chosen.display(dialect).to_string() } else { line_in_row(line, dialect) };
        let visits = match value {
            Some(AnalysedValue::Mean { visits, .. }) => grouped(visits),
            _ => String::new(),
        };
        let value = value.as_ref().map_or("unknown".to_string(), AnalysedValue::text);
        [(index + 1).to_string(), visits, value, line]
    };
    let rows: Vec<[String; 4]> = moves.iter().enumerate().map(row).collect();
    let is_counted = rows.iter().any(|[_, visits, ..]| !visits.is_empty());
    let table = match is_counted {
        true => Table::new([Column::Right, Column::Right, Column::Right, Column::Left]).rows(rows),
        false => {
            let rows = rows.into_iter().map(|[rank, _, value, line]| [rank, value, line]);
            Table::new([Column::Right, Column::Left, Column::Left]).rows(rows)
        }
    };
    let more = match others {
        0 => String::new(),
        count => line(format!("… {}", counted_as(*count as u64, "move more", "moves more"))),
    };
    table.to_string() + &more
}

/// Why the analysis ended, and what it cost.
fn end_text(AnalysisAnswer { reached, stopped, cost, .. }: &AnalysisAnswer) -> String {
    let is_sampled = matches!(reached, AnalysisProgress::Visits(_));
    let end = match stopped {
        None => "exact".to_string(),
        Some(Stop::Nodes { limit }) if is_sampled => {
            format!("the limit of {} was reached", counted_as(*limit, "visit", "visits"))
        }
        Some(stop) => stop.to_string(),
    };
    if is_sampled { end } else { format!("{end}; {}", counted_as(cost.nodes, "node", "nodes")) }
}

impl AnswerContent for AnalysisAnswer {
    fn kind(&self) -> &'static str {
        "analysed"
    }

    /// The heading without counts, then a line for each move.
    fn text(&self, style: &TextStyle<'_>) -> String {
        line(format!("{}; {}", heading(self), end_text(self))) + &rows(self, style.dialect)
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::One(self.moves.first()?.chosen.clone()))
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }

    fn warnings_mut(&mut self) -> Option<&mut Vec<String>> {
        Some(&mut self.warnings)
    }

    fn stopped(&self) -> Option<Stop> {
        self.cut_off()
    }
}
