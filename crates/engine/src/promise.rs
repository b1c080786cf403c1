//! All instances of a relation: what a rule sheet declares with `base` and `input`, and what a role `sees`.

use super::Game;
use crate::interpreter::{Interpreter, QueryError, State};
use gdl::rules::{GroundTerm, Keyword};
use gdl::syntax::Span;
use gdl::syntax::ast::{Formula, Name, ParsedAtom, Term};
use ggp_game::Move;

/// The facts of `base`, or the roles with their moves of `input`, in canonical order; `None` if the rule sheet does not
/// define the relation.
pub fn promised(game: &mut Game, keyword: Keyword) -> Result<Option<Vec<Vec<GroundTerm>>>, QueryError> {
    instances(&mut game.interpreter, keyword, None, None)
}

/// The arguments of all instances of a keyword's relation, in canonical order, in `state` (`None`: the empty state) and
/// with `joint_move` (`None`: no moves); `None` if the rule sheet does not define the relation.
pub fn instances(
    interpreter: &mut Interpreter,
    keyword: Keyword,
    state: Option<&State>,
    joint_move: Option<&[Move]>,
) -> Result<Option<Vec<Vec<GroundTerm>>>, QueryError> {
    let rules = interpreter.rules();
    let relation = rules.keyword(keyword);
    if !rules.clauses.iter().any(|clause| clause.head.relation == relation) {
        return Ok(None);
    }
    let nowhere = Span::default();
    let arguments = ["X", "Y"].into_iter().take(keyword.arity() as usize);
    let arguments = arguments.map(|name| Term::Variable(Name::new(name, nowhere))).collect();
    let atom =
        ParsedAtom { relation: Name::new(keyword.name(), nowhere), arguments, parenthesised: false, span: nowhere };
    Ok(Some(interpreter.query(state, joint_move, &[Formula::Atom(atom)])?.rows))
}
