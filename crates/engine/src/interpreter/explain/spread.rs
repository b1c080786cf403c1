//! Multiplies out the disjunctions that cannot be explained by themselves.
//!
//! In `(a(X,Y) | b(X)) & (c(Y) | d(X))` the two disjunctions hold together only if they agree on `Y`, which neither
//! binds in all of its branches. Such a disjunction is replaced by each of its branches, so that everything that
//! remains can be proved or refuted literal by literal.

use super::conjunction::bindings;
use crate::interpreter::order::{VariableSet, literal_variables};
use gdl::rules::disjunction::multiplied_out;
use gdl::rules::{Clause, Literal};

/// The clauses by which a clause is to be replaced; empty if it can stay as it is.
pub(super) fn spread(clause: &Clause) -> Vec<Clause> {
    if !has_disjunction(&clause.body) {
        return Vec::new();
    }
    let mut changed = false;
    let bodies = conjunctions(clause.body.clone(), &mut changed);
    if !changed {
        return Vec::new();
    }
    bodies.into_iter().map(|body| Clause { body, ..clause.clone() }).collect()
}

fn has_disjunction(literals: &[Literal]) -> bool {
    literals.iter().any(|literal| match literal {
        Literal::Or(..) => true,
        Literal::Not(denied, _) => has_disjunction(denied),
        Literal::Atom(_) | Literal::Distinct(..) | Literal::Equal(..) => false,
    })
}

/// Conjunctions of which one must hold for the conjunction of these literals to hold.
fn conjunctions(literals: Vec<Literal>, changed: &mut bool) -> Vec<Vec<Literal>> {
    let inner: Vec<Literal> = literals.into_iter().map(|literal| spread_inside(literal, changed)).collect();
    let Some(index) = (0..inner.len()).find(|&index| leaks(&inner, index)) else { return vec![inner] };
    *changed = true;
    let replaced: Vec<Vec<Literal>> = multiplied_out(&inner, index).collect();
    replaced.into_iter().flat_map(|conjunction| conjunctions(conjunction, changed)).collect()
}

/// Multiplies out the conjunctions inside a literal: a branch may become several, and a negated conjunction becomes a
/// disjunction.
fn spread_inside(literal: Literal, changed: &mut bool) -> Literal {
    match literal {
        Literal::Not(denied, span) => {
            let mut branches = conjunctions(denied, changed);
            match branches.len() {
                1 => Literal::Not(branches.remove(0), span),
                _ => Literal::Not(vec![Literal::Or(branches, span)], span),
            }
        }
        Literal::Or(branches, span) => {
            Literal::Or(branches.into_iter().flat_map(|branch| conjunctions(branch, changed)).collect(), span)
        }
        other => other,
    }
}

/// Whether this literal is a disjunction with a variable that other literals need as well, and that no literal
/// certainly binds.
fn leaks(literals: &[Literal], index: usize) -> bool {
    if !matches!(literals[index], Literal::Or(..)) {
        return false;
    }
    let mut elsewhere = VariableSet::default();
    let mut own = VariableSet::default();
    let others = literals.iter().enumerate().filter(|&(other, _)| other != index);
    others.for_each(|(_, literal)| literal_variables(literal, &mut elsewhere));
    literal_variables(&literals[index], &mut own);
    let bound: VariableSet = literals.iter().flat_map(bindings).collect();
    own.iter().any(|variable| elsewhere.contains(variable) && !bound.contains(variable))
}
