//! Renders positions: drawn boards, and the ply that led to them.

use super::{goal_text, joint_move_text};
use crate::board;
use crate::diagnostic::render::Paint;
use crate::fit::paragraph;
use crate::quantity::{counted, grouped};
use crate::repl::answer::text::{joined, line, lines};
use crate::repl::answer::{Boards, GoalValue, MatchPosition, StateChange};
use crate::syntax::Dialect;

/// The most facts that are listed below a position that was drawn without being asked for.
const FACTS_BESIDE: usize = 8;

/// The answer of `show`, drawn for a width.
pub(super) fn boards_text(drawn: &Boards, paint: Paint, dialect: Dialect, width: usize) -> String {
    if let Some(file) = &drawn.file {
        return line(format!("{file}: 1 picture"));
    }
    if drawn.is_plain() {
        let nothing = paragraph("no relation of this state looks like a board", "", "  ", width);
        return nothing + &lines(&drawn.facts, dialect);
    }
    figures_text(drawn, paint, dialect, width)
}

/// Boards and other figures, and the facts that are not drawn.
fn figures_text(drawn: &Boards, paint: Paint, dialect: Dialect, width: usize) -> String {
    let Boards { boards, figures, facts, .. } = drawn;
    let mut parts: Vec<String> = boards.iter().map(|board| board::painted(board, paint, width)).collect();
    parts.extend(figures.iter().filter_map(|figure| board::sketched(figure, paint, width)));
    let rest: String = board::figure_lines(figures, paint, width).into_iter().map(line).collect();
    parts.extend(Some(rest + &lines(facts, dialect)).filter(|rest| !rest.is_empty()));
    parts.join("\n")
}

/// A position that is drawn with an answer, with a few of the facts that are on no board.
pub(super) fn drawn_text(drawn: &Boards, paint: Paint, dialect: Dialect, width: usize) -> String {
    let facts = &drawn.facts;
    let shown = if facts.len() > FACTS_BESIDE { FACTS_BESIDE - 1 } else { facts.len() };
    let more = match facts.len() - shown {
        0 => String::new(),
        more => format!("… {} more facts\n", grouped(more)),
    };
    figures_text(&Boards { facts: facts[..shown].to_vec(), ..drawn.clone() }, paint, dialect, width) + &more
}

/// A position as text: its ply, the drawn state, and the result of the match.
pub(crate) fn position(position: &MatchPosition, paint: Paint, dialect: Dialect, width: usize) -> String {
    let MatchPosition { last, result, change, drawn, .. } = position;
    let way = match &last.set {
        Some(facts) => {
            let change = change.as_ref().map_or(String::new(), change_text);
            format!("a state of {}{change}", counted(facts.len(), "fact"))
        }
        None => joint_move_text(&last.joint_move, dialect),
    };
    let mut text = if way.is_empty() { format!("ply {}\n", last.ply) } else { format!("ply {}: {way}\n", last.ply) };
    text += &drawn.as_ref().map_or(String::new(), |drawn| drawn_text(drawn, paint, dialect, width));
    if let Some(goals) = result {
        text += &result_text(goals);
    }
    text
}

/// How many facts of the state before are gone, and how many are new.
fn change_text(StateChange { added, removed }: &StateChange) -> String {
    match (removed.len(), added.len()) {
        (0, 0) => " (unchanged)".to_string(),
        (gone, new) => format!(" ({} gone, {} new)", grouped(gone), grouped(new)),
    }
}

/// The end of a match.
pub(super) fn result_text(goals: &[GoalValue]) -> String {
    line(format!("the game is over; {}", joined(goals.iter().map(goal_text), ", ")))
}
