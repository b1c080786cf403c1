//! Pushes negation inward: `¬¬φ` becomes `φ`, `¬(φ ∨ ψ)` becomes `¬φ, ¬ψ`, `¬distinct` becomes an equality.

use crate::rules::clause::{Literal, VariableId};
use crate::syntax::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The same body with negations pushed inward as far as that keeps their meaning.
///
/// A variable that occurs only under one negation is local to it. If that negation is split in two, each part gets a
/// variable of its own, since the variable would no longer be local otherwise; the new ones are added to `variables`.
pub(super) fn push_inward(body: Vec<Literal>, variables: &mut Vec<Arc<str>>) -> Vec<Literal> {
    let occurrences = count(&body);
    Pusher { occurrences, variables }.conjunction(body)
}

struct Pusher<'a> {
    /// The number of occurrences of each variable in the body. The head does not count: a variable of the head that
    /// occurs only under a negation is unsafe in any case.
    occurrences: FxHashMap<VariableId, u32>,
    variables: &'a mut Vec<Arc<str>>,
}

impl Pusher<'_> {
    fn conjunction(&mut self, literals: Vec<Literal>) -> Vec<Literal> {
        literals.into_iter().flat_map(|literal| self.literal(literal)).collect()
    }

    fn literal(&mut self, literal: Literal) -> Vec<Literal> {
        match literal {
            Literal::Not(mut denied, span) => match denied.pop() {
                Some(Literal::Not(meant, _)) if denied.is_empty() => self.conjunction(meant),
                last => {
                    denied.extend(last);
                    let denied = self.conjunction(denied);
                    self.negate(denied, span)
                }
            },
            Literal::Or(branches, span) => {
                let branches = branches.into_iter().map(|branch| self.conjunction(branch)).collect();
                vec![Literal::Or(branches, span)]
            }
            other => vec![other],
        }
    }

    /// The negation of a conjunction in which all negations have been pushed inward.
    fn negate(&mut self, mut denied: Vec<Literal>, span: Span) -> Vec<Literal> {
        if denied.len() != 1 {
            return vec![Literal::Not(denied, span)];
        }
        match denied.remove(0) {
            Literal::Not(meant, _) => meant,
            Literal::Distinct(left, right, _) => vec![Literal::Equal(left, right, span)],
            Literal::Equal(left, right, _) => vec![Literal::Distinct(left, right, span)],
            Literal::Or(mut branches, _) => {
                self.rename_local(&mut branches);
                branches.into_iter().flat_map(|branch| self.negate(branch, span)).collect()
            }
            atom @ Literal::Atom(_) => vec![Literal::Not(vec![atom], span)],
        }
    }

    /// Renames, in each branch except the first, the variables that occur only in these branches.
    fn rename_local(&mut self, branches: &mut [Vec<Literal>]) {
        let mut local = count(branches.iter().flatten());
        local.retain(|variable, inside| self.occurrences.get(variable) == Some(inside));
        if local.is_empty() {
            return;
        }
        for branch in branches.iter_mut().skip(1) {
            let mut renamed = FxHashMap::default();
            for literal in branch {
                literal.each_variable_mut(&mut |variable| {
                    if local.contains_key(variable) {
                        *variable = *renamed.entry(*variable).or_insert_with(|| self.copy_variable(*variable));
                    }
                });
            }
        }
        for branch in branches {
            #[expect(
                clippy::iter_over_hash_type,
                reason = "the order does not matter: each entry is changed on its own"
            )]
            for (variable, inside) in count(branch.iter()) {
                if local.contains_key(&variable) || !self.occurrences.contains_key(&variable) {
                    self.occurrences.insert(variable, inside);
                }
            }
        }
    }

    /// A new variable with the name of another.
    fn copy_variable(&mut self, variable: VariableId) -> VariableId {
        let name = self.variables[variable.index()].clone();
        self.variables.push(name);
        VariableId::new(self.variables.len() - 1)
    }
}

fn count<'a>(literals: impl IntoIterator<Item = &'a Literal>) -> FxHashMap<VariableId, u32> {
    let mut counts = FxHashMap::default();
    for literal in literals {
        literal.each_variable(&mut |variable| *counts.entry(variable).or_insert(0) += 1);
    }
    counts
}
