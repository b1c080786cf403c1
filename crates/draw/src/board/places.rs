//! A state on one line: what stands where on its boards, and its other facts.

use super::{Board, Glyphs};
use gdl::rules::GroundTerm;
use gdl::rules::picture::{FactForm, Field};
use gdl::syntax::Dialect;

/// Which facts of a game stand on boards.
#[derive(Clone, Debug, Default)]
pub struct Places {
    forms: Vec<FactForm>,
}

impl Places {
    /// The facts of these boards and their layers.
    pub fn from_boards(boards: &[Board]) -> Self {
        let forms = boards
            .iter()
            .flat_map(|board| [&board.form].into_iter().chain(board.layers.iter().map(|layer| &layer.form)));
        Self { forms: forms.cloned().collect() }
    }

    /// A state on one line: each piece with its coordinates in the order of the arguments, pieces in canonical order,
    /// and the facts that stand on no board as they are.
    pub fn line(&self, facts: &[GroundTerm], dialect: Dialect) -> String {
        let mut pieces: Vec<(Vec<GroundTerm>, String)> = Vec::new();
        let mut others = Vec::new();
        for fact in facts {
            match self.form_of_fact(fact) {
                Some(form) => pieces.push(placed(fact, form, dialect)),
                None => others.push(fact.display(dialect).to_string()),
            }
        }
        pieces.sort();
        let parts: Vec<String> = pieces.into_iter().map(|(_, text)| text).chain(others).collect();
        parts.join(", ")
    }

    fn form_of_fact(&self, fact: &GroundTerm) -> Option<&FactForm> {
        let mut own = self.forms.iter().filter(|form| form.is_of(&fact.name, fact.arguments.len()));
        own.find(|form| form.selects(&fact.arguments))
    }
}

/// A fact of a board, as its piece and the text of piece and coordinates: `agent (3,0)`.
fn placed(fact: &GroundTerm, form: &FactForm, dialect: Dialect) -> (Vec<GroundTerm>, String) {
    let piece = form.piece(&fact.arguments);
    let shown = |term: &GroundTerm| term.display(dialect).to_string();
    let coordinates = form.fields.iter().zip(&fact.arguments);
    let coordinates = coordinates.filter(|(field, _)| matches!(field, Field::Row | Field::Column));
    let coordinates: Vec<String> = coordinates.map(|(_, term)| shown(term)).collect();
    let name = Glyphs::key(form, &piece).iter().map(shown).collect::<Vec<_>>().join(" ");
    (piece, format!("{name} ({})", coordinates.join(",")))
}
