//! A state on one line: what stands where on its boards, and its other facts.

use super::{Axes, Extent};
use crate::rules::GroundTerm;
use crate::syntax::Dialect;

/// Which relations of a game are boards.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    boards: Vec<(String, usize, Axes)>,
}

impl Places {
    /// The boards among these relations.
    pub(crate) fn of(extents: &[Extent], roles: &[GroundTerm]) -> Self {
        let board = |extent: &Extent| Some((extent.name().to_string(), extent.arity(), Axes::choose(extent, roles)?));
        Self { boards: extents.iter().filter_map(board).collect() }
    }

    /// A state on one line: each piece with its coordinates in the order of the arguments, pieces in canonical order, and
    /// the facts that stand on no board as they are.
    pub(crate) fn line(&self, facts: &[GroundTerm], dialect: Dialect) -> String {
        let mut pieces: Vec<(Vec<GroundTerm>, String)> = Vec::new();
        let mut others = Vec::new();
        for fact in facts {
            match self.axes(fact) {
                Some(axes) => pieces.push(placed(fact, axes, dialect)),
                None => others.push(fact.display(dialect).to_string()),
            }
        }
        pieces.sort();
        let parts: Vec<String> = pieces.into_iter().map(|(_, text)| text).chain(others).collect();
        parts.join(", ")
    }

    fn axes(&self, fact: &GroundTerm) -> Option<&Axes> {
        let is_it = |(name, arity, _): &&(String, usize, Axes)| **name == *fact.name && *arity == fact.arguments.len();
        self.boards.iter().find(is_it).map(|(_, _, axes)| axes)
    }
}

/// A fact of a board, as its piece and the text of piece and coordinates: `agent (3,0)`.
fn placed(fact: &GroundTerm, axes: &Axes, dialect: Dialect) -> (Vec<GroundTerm>, String) {
    let piece = axes.piece(&fact.arguments);
    let shown = |term: &GroundTerm| term.display(dialect).to_string();
    let coordinates = fact.arguments.iter().enumerate();
    let coordinates = coordinates.filter(|(index, _)| axes.rows.contains(index) || axes.columns.contains(index));
    let coordinates: Vec<String> = coordinates.map(|(_, term)| shown(term)).collect();
    let name =
        if piece.is_empty() { fact.name.to_string() } else { piece.iter().map(shown).collect::<Vec<_>>().join(" ") };
    (piece, format!("{name} ({})", coordinates.join(",")))
}
