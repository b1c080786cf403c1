//! The joint moves that lead to a problem, as the checks that play show them.

use gdl::syntax::Dialect;
use ggp_game::{Move, Reasoner};

/// The number of last joint moves that are shown.
const SHOWN_MOVES: usize = 12;

/// The last joint moves of a line, in the dialect of the rule sheet; in a game of one role without brackets.
pub(super) fn text(reasoner: &impl Reasoner, line: &[Vec<Move>], dialect: Dialect) -> String {
    let left_out = line.len().saturating_sub(SHOWN_MOVES);
    let joint_moves = line[left_out..].iter().map(|joint_move| {
        let terms = joint_move.iter().map(|&chosen| reasoner.move_term(chosen));
        let moves: Vec<String> = terms.map(|term| term.display(dialect).to_string()).collect();
        if let [only] = &moves[..] { only.clone() } else { format!("[{}]", moves.join(", ")) }
    });
    let start = (left_out > 0).then(|| "…".to_string());
    start.into_iter().chain(joint_moves).collect::<Vec<_>>().join(", ")
}
