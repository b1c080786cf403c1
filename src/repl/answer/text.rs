//! What the texts of several answers share: lines, terms and tables.

use crate::table::{Column, Table};
use gdl::quantity::counted;
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use ggp_draw::fit::paragraph;
use serde::Serialize;

/// Names, and what is to be said of each.
pub(in crate::repl) fn table<T: std::fmt::Display>(rows: impl Iterator<Item = (String, T)>) -> String {
    let rows = rows.map(|(name, summary)| [name, summary.to_string()]);
    Table::new([Column::Left, Column::Left]).rows(rows).to_string()
}

pub(in crate::repl) fn lines(terms: &[GroundTerm], dialect: Dialect) -> String {
    terms.iter().map(|term| format!("{}\n", term.display(dialect))).collect()
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

/// A value as a JSON object on one line.
pub(crate) fn json(value: &impl Serialize) -> String {
    line(serde_json::to_string(value).expect("answers have string keys and no maps that could fail"))
}

/// Names on the left, and what is said of each on the right; below the name where the name is too long for the column.
pub(in crate::repl) fn definitions(
    rows: impl IntoIterator<Item = (String, String)>,
    indent: usize,
    width: usize,
) -> String {
    let rows: Vec<(String, String)> = rows.into_iter().collect();
    let length = |name: &str| name.chars().count();
    let longest = rows.iter().map(|(name, _)| length(name)).max().unwrap_or(0);
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
