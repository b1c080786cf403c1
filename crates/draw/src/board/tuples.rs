//! The tuples of a relation of the rules.

use gdl::rules::GroundTerm;
use gdl::syntax::Span;
use gdl::syntax::ast::{Formula, Name, ParsedAtom, Term};
use ggp_engine::interpreter::{Interpreter, QueryError, State};

/// The arguments with which a relation of the rules holds in a state (`None`: in the empty state).
pub fn tuples(
    reasoner: &mut Interpreter,
    state: Option<&State>,
    name: &str,
    arity: usize,
) -> Result<Vec<Vec<GroundTerm>>, QueryError> {
    let nowhere = Span::default();
    let variable = |argument: usize| Term::Variable(Name::new(format!("X{argument}"), nowhere));
    let arguments = (0..arity).map(variable).collect();
    let atom = ParsedAtom { relation: Name::new(name, nowhere), arguments, parenthesised: false, span: nowhere };
    Ok(reasoner.query(state, None, &[Formula::Atom(atom)])?.rows)
}
