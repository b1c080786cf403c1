//! What a sheet promises: the facts of `base`, and the moves of `input`.

use super::load::Game;
use crate::interpreter::QueryError;
use crate::rules::{GroundTerm, Keyword};
use crate::syntax::Span;
use crate::syntax::ast::{Atom, Formula, Name, Term};

/// All instances of a relation that depends on no state, such as `base` or `input`, in canonical order; `None` where the sheet
/// does not define it.
pub fn promised(game: &mut Game, keyword: Keyword) -> Result<Option<Vec<Vec<GroundTerm>>>, QueryError> {
    let relation = game.rules.keyword(keyword);
    if !game.rules.clauses.iter().any(|clause| clause.head.relation == relation) {
        return Ok(None);
    }
    let nowhere = Span::default();
    let arguments = ["X", "Y"].into_iter().take(keyword.arity() as usize);
    let arguments = arguments.map(|name| Term::Variable(Name::new(name, nowhere))).collect();
    let atom = Atom { relation: Name::new(keyword.name(), nowhere), arguments, parenthesised: false, span: nowhere };
    Ok(Some(game.reasoner.query(None, None, &[Formula::Atom(atom)])?.rows))
}
