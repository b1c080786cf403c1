//! The answer of `show`, and the part of other answers that is drawn.

use crate::board::{Board, DrawnPosition, Figure, Setting};
use crate::rules::GroundTerm;
use serde::Serialize;

/// A state drawn as boards.
#[derive(Clone, Debug, Serialize)]
pub struct Boards {
    /// The relations that are drawn as boards, by name.
    pub boards: Vec<Board>,
    /// What the sheet declares to be drawn in other ways.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<Figure>,
    /// The other facts, in canonical order.
    pub facts: Vec<GroundTerm>,
    /// The file to which the drawing was written, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

impl Boards {
    /// A state as it is drawn; the squares that differ from those of an earlier state are marked.
    pub(crate) fn from_facts(setting: &Setting, facts: &[GroundTerm], before: Option<&[GroundTerm]>) -> Self {
        let DrawnPosition { mut boards, figures, facts, .. } = setting.draw(facts, &|axes| axes);
        if let Some(before) = before {
            let before = setting.boards(before);
            // The same declarations and relations give the same boards in the same order.
            for (board, old) in boards.iter_mut().zip(&before).filter(|(board, old)| board.relation == old.relation) {
                board.mark_changes(old);
            }
        }
        Self { boards, figures, facts, file: None }
    }

    /// Whether nothing is drawn but facts.
    pub(crate) fn is_plain(&self) -> bool {
        self.boards.is_empty() && self.figures.is_empty()
    }
}
