//! The answer of `show`, and the part of other answers that is drawn.

use super::content::{AnswerContent, TextStyle};
use super::text::{line, lines};
use gdl::quantity::grouped;
use gdl::rules::GroundTerm;
use ggp_draw::board::{self, Board, DrawnPosition, Figure, Setting};
use ggp_draw::fit::paragraph;
use serde::Serialize;

/// The most facts that are listed below a position that was drawn without being asked for.
const FACTS_BESIDE: usize = 8;

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

    /// A position that is drawn with an answer, with a few of the facts that are on no board.
    pub(crate) fn text_beside(&self, style: &TextStyle<'_>) -> String {
        let facts = &self.facts;
        let shown = if facts.len() > FACTS_BESIDE { FACTS_BESIDE - 1 } else { facts.len() };
        let more = match facts.len() - shown {
            0 => String::new(),
            more => format!("… {} more facts\n", grouped(more)),
        };
        Self { facts: facts[..shown].to_vec(), ..self.clone() }.figures_text(style) + &more
    }

    /// Boards and other figures, and the facts that are not drawn.
    fn figures_text(&self, style: &TextStyle<'_>) -> String {
        let &TextStyle { paint, width, .. } = style;
        let Self { boards, figures, facts, .. } = self;
        let mut parts: Vec<String> = boards.iter().map(|board| board::painted(board, paint, width)).collect();
        parts.extend(figures.iter().filter_map(|figure| board::sketched(figure, paint, width)));
        let rest: String = board::figure_lines(figures, paint, width).into_iter().map(line).collect();
        parts.extend(Some(rest + &lines(facts, style.dialect)).filter(|rest| !rest.is_empty()));
        parts.join("\n")
    }
}

impl AnswerContent for Boards {
    fn kind(&self) -> &'static str {
        "boards"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        if let Some(file) = &self.file {
            return line(format!("{file}: 1 picture"));
        }
        if self.is_plain() {
            let nothing = paragraph("no relation of this state looks like a board", "", "  ", style.width);
            return nothing + &lines(&self.facts, style.dialect);
        }
        self.figures_text(style)
    }
}
