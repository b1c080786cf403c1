//! Parts that the texts of several answers share: lines, terms, tables, plans, lines of play and costs.

use crate::table::{Column, Table};
use gdl::quantity::{counted, counted_as, grouped};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use gdl::syntax::operations::shown_moves;
use ggp_draw::fit::paragraph;
use ggp_game::statistics::Interval;
use ggp_search::Cost;
use serde::Serialize;
use std::collections::BTreeSet;

/// A table of two columns: names, and a text about each.
pub(crate) fn table<N: ToString, T: ToString>(rows: impl IntoIterator<Item = (N, T)>) -> String {
    let rows = rows.into_iter().map(|(name, text)| [name.to_string(), text.to_string()]);
    Table::new([Column::Left, Column::Left]).rows(rows).to_string()
}

pub(crate) fn lines(terms: &[GroundTerm], dialect: Dialect) -> String {
    terms.iter().map(|term| format!("{}\n", term.display(dialect))).collect()
}

/// A plan: its moves, folded if they are many, unless they are to be listed in full.
pub(crate) fn plan_text(moves: &[GroundTerm], full: bool, dialect: Dialect) -> String {
    folded(&texts(moves, dialect), full)
}

/// A plan in a row of a table, folded if its moves are many.
pub(crate) fn plan_in_row(moves: &[GroundTerm], dialect: Dialect) -> String {
    in_row(&texts(moves, dialect))
}

fn texts(moves: &[GroundTerm], dialect: Dialect) -> Vec<String> {
    moves.iter().map(|chosen| chosen.display(dialect).to_string()).collect()
}

/// The greatest number of moves that are listed without `--full`, and how many are shown of more.
const LISTED_MOVES: usize = 60;
const SHOWN_MOVES: usize = 10;

fn folded(moves: &[String], full: bool) -> String {
    match full || moves.len() <= LISTED_MOVES {
        true => moves.join(" "),
        false => beginning(moves) + " ; --full lists them",
    }
}

/// Moves in a row of a table, the first ones if they are many.
fn in_row(moves: &[String]) -> String {
    if moves.len() <= LISTED_MOVES { moves.join(" ") } else { beginning(moves) }
}

fn beginning(moves: &[String]) -> String {
    format!("{}: {} …", counted(moves.len(), "move"), moves[..SHOWN_MOVES].join(" "))
}

pub(crate) fn terms(terms: &[GroundTerm], separator: &str, dialect: Dialect) -> String {
    joined(terms.iter().map(|term| term.display(dialect)), separator)
}

pub(crate) fn line(text: String) -> String {
    text + "\n"
}

pub(crate) fn joined<T: ToString>(items: impl IntoIterator<Item = T>, separator: &str) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(separator)
}

/// The text of a value; empty if there is none.
pub(crate) fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// A value as a JSON object on one line.
pub(crate) fn json(value: &impl Serialize) -> String {
    line(serde_json::to_string(value).expect("answers have string keys and no maps that could fail"))
}

/// Names on the left and their meanings on the right; below the name if the name is too long for the column.
pub(crate) fn definitions(rows: impl IntoIterator<Item = (String, String)>, indent: usize, width: usize) -> String {
    let rows: Vec<(String, String)> = rows.into_iter().collect();
    let length = |name: &str| name.chars().count();
    let longest = rows.iter().map(|(name, _)| length(name)).max().unwrap_or(0);
    // A long name takes at most two fifths of the width, so that its meaning has room beside it.
    let column = longest.min(width.saturating_sub(indent) * 2 / 5);
    let margin = " ".repeat(indent);
    let inner = " ".repeat(indent + column + 2);
    let row = |(name, meaning): &(String, String)| {
        if length(name) <= column {
            let padding = " ".repeat(column - length(name));
            return paragraph(meaning, &format!("{margin}{name}{padding}  "), &inner, width);
        }
        paragraph(name, &margin, &format!("{margin}  "), width) + &paragraph(meaning, &inner, &inner, width)
    };
    rows.iter().map(row).collect()
}

/// A move of a line, by a role that has a choice, or where none has one by a role that does not wait.
#[derive(Clone, Debug, Serialize)]
pub struct LineMove {
    /// The number of the joint move, from 1: moves that are made at the same time have the same.
    pub(crate) ply: u32,
    /// The role that makes the move.
    pub(crate) role: GroundTerm,
    #[serde(rename = "move")]
    pub(crate) chosen: GroundTerm,
}

/// A line in a row of a table, folded if it is long.
pub(crate) fn line_in_row(line: &[LineMove], dialect: Dialect) -> String {
    in_row(&joint_moves(line, dialect))
}

/// A line, folded if it is long, unless it is to be listed in full.
pub(crate) fn folded_line(line: &[LineMove], full: bool, dialect: Dialect) -> String {
    folded(&joint_moves(line, dialect), full)
}

/// Moves without the names of the roles; those that are made at the same time together in parentheses.
fn joint_moves(line: &[LineMove], dialect: Dialect) -> Vec<String> {
    let joint_moves = line.chunk_by(|left, right| left.ply == right.ply).map(|joint_move| {
        let shown = shown_moves(joint_move, |own| &*own.chosen.name, dialect);
        let moves: Vec<String> = shown.into_iter().map(|own| own.chosen.display(dialect).to_string()).collect();
        if let [only] = &moves[..] { only.clone() } else { format!("({})", moves.join(", ")) }
    });
    joint_moves.collect()
}

/// The cost of a search, without its time.
pub(crate) fn cost_text(Cost { nodes, expanded, states, depth, .. }: &Cost) -> String {
    let states = states.map_or(String::new(), |states| format!(", {}", counted_as(states, "state", "states")));
    format!("{}, {} expanded{states}, depth {depth}", counted_as(*nodes, "node", "nodes"), grouped(expanded))
}

/// A share of the points with its interval, in percent.
pub(crate) fn share(Interval { value, low, high }: Interval) -> String {
    format!("{:.1}% ({:.1} to {:.1})", 100.0 * value, 100.0 * low, 100.0 * high)
}

/// A warning about the intervals of a series in which nothing is random: all games of the same players in the same seats
/// are the same. `different` has each game once: its seats and its moves.
pub(crate) fn repeats_warning<S: Ord, M>(different: &BTreeSet<(S, M)>, games: u64) -> Option<String> {
    let seats: BTreeSet<&S> = different.iter().map(|(seats, _)| seats).collect();
    let count = different.len() as u64;
    (games > count && different.len() == seats.len()).then(|| {
        let count = counted_as(count, "different game", "different games");
        format!("{count} among {games}: the players repeat their games, so the intervals do not hold")
    })
}

/// A mean with its interval.
pub(crate) fn interval(Interval { value, low, high }: Interval) -> String {
    format!("{value:.1} ({low:.1} to {high:.1})")
}
