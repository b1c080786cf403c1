//! What the texts of several answers share: lines, terms, and lines of play.

use super::LineMove;
use crate::quantity::counted;
use crate::rules::GroundTerm;
use crate::syntax::Dialect;
use crate::table::{Column, Table};

/// Names, and what is to be said of each.
pub(in crate::repl) fn table<T: std::fmt::Display>(rows: impl Iterator<Item = (String, T)>) -> String {
    let rows = rows.map(|(name, summary)| [name, summary.to_string()]);
    Table::new([Column::Left, Column::Left]).rows(rows).to_string()
}

pub(in crate::repl) fn lines(terms: &[GroundTerm], dialect: Dialect) -> String {
    terms.iter().map(|term| format!("{}\n", term.display(dialect))).collect()
}

/// A line in a row of a table, folded if it is long.
pub(in crate::repl) fn line_in_row(line: &[LineMove], dialect: Dialect) -> String {
    in_row(&joint_moves(line, dialect))
}

/// A line, folded if it is long, unless it is to be listed in full.
pub(in crate::repl) fn folded_line(line: &[LineMove], full: bool, dialect: Dialect) -> String {
    folded(&joint_moves(line, dialect), full)
}

/// Moves without the names of the roles; those that are made at the same time together in parentheses.
pub(in crate::repl) fn joint_moves(line: &[LineMove], dialect: Dialect) -> Vec<String> {
    let joint_moves = line.chunk_by(|left, right| left.ply == right.ply).map(|joint_move| {
        let moves: Vec<String> = joint_move.iter().map(|own| own.chosen.display(dialect).to_string()).collect();
        if let [only] = &moves[..] { only.clone() } else { format!("({})", moves.join(", ")) }
    });
    joint_moves.collect()
}

/// A plan: its moves, folded if they are many, unless they are to be listed in full.
pub(in crate::repl) fn plan_text(moves: &[GroundTerm], full: bool, dialect: Dialect) -> String {
    folded(&texts(moves, dialect), full)
}

/// A plan in a row of a table, folded if its moves are many.
pub(in crate::repl) fn plan_in_row(moves: &[GroundTerm], dialect: Dialect) -> String {
    in_row(&texts(moves, dialect))
}

pub(in crate::repl) fn texts(moves: &[GroundTerm], dialect: Dialect) -> Vec<String> {
    moves.iter().map(|chosen| chosen.display(dialect).to_string()).collect()
}

/// The greatest number of moves that are listed without `--full`, and how many are shown of more.
const LISTED_MOVES: usize = 60;
const SHOWN_MOVES: usize = 10;

pub(in crate::repl) fn folded(moves: &[String], full: bool) -> String {
    match full || moves.len() <= LISTED_MOVES {
        true => moves.join(" "),
        false => beginning(moves) + " ; --full lists them",
    }
}

/// Moves in a row of a table, the first ones if they are many.
pub(in crate::repl) fn in_row(moves: &[String]) -> String {
    if moves.len() <= LISTED_MOVES { moves.join(" ") } else { beginning(moves) }
}

pub(in crate::repl) fn beginning(moves: &[String]) -> String {
    format!("{}: {} …", counted(moves.len(), "move"), moves[..SHOWN_MOVES].join(" "))
}

pub(in crate::repl) fn terms(terms: &[GroundTerm], separator: &str, dialect: Dialect) -> String {
    joined(terms.iter().map(|term| term.display(dialect)), separator)
}

pub(in crate::repl) fn line(text: String) -> String {
    text + "\n"
}

pub(in crate::repl) fn joined<T: ToString>(items: impl IntoIterator<Item = T>, separator: &str) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(separator)
}
