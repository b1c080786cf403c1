//! The nesting depth of trees.
//!
//! Infix writes some trees with fewer parentheses than prefix: `a | b & c` needs none. An infix clause that prefix
//! would have to nest beyond the limit is rejected, so that everything that is parsed can be printed in either dialect
//! and parsed again.

use super::ast::{Formula, ParsedAtom, ParsedClause, Term};

/// The depth of parentheses that prefix needs to write the clause.
pub(crate) fn of_clause(clause: &ParsedClause) -> usize {
    let head = of_atom(&clause.head);
    clause.body.as_ref().map_or(head, |body| 1 + head.max(of_formulas(body)))
}

fn of_formulas(formulas: &[Formula]) -> usize {
    formulas.iter().map(of_formula).max().unwrap_or_default()
}

fn of_formula(formula: &Formula) -> usize {
    match formula {
        Formula::Atom(atom) => of_atom(atom),
        Formula::Not { formula, .. } => 1 + of_formula(formula),
        Formula::And { formulas, .. } | Formula::Or { formulas, .. } => 1 + of_formulas(formulas),
        Formula::Distinct { left, right, .. } => 1 + of_term(left).max(of_term(right)),
    }
}

fn of_atom(atom: &ParsedAtom) -> usize {
    if atom.arguments.is_empty() { usize::from(atom.parenthesised) } else { 1 + of_terms(&atom.arguments) }
}

fn of_terms(terms: &[Term]) -> usize {
    terms.iter().map(of_term).max().unwrap_or_default()
}

fn of_term(term: &Term) -> usize {
    match term {
        Term::Symbol(_) | Term::Variable(_) => 0,
        Term::Compound { arguments, .. } => 1 + of_terms(arguments),
    }
}
