//! Lines of play: the moves of roles that have a choice.

use super::text::{folded, in_row};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use serde::Serialize;

/// A move of a line, by a role that has a choice.
#[derive(Clone, Debug, Serialize)]
pub struct LineMove {
    /// The number of the joint move, from 1: moves that are made at the same time have the same.
    pub(crate) ply: u32,
    /// The role that makes the move.
    pub(crate) role: GroundTerm,
    /// The move.
    #[serde(rename = "move")]
    pub(crate) chosen: GroundTerm,
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
