//! Unification of patterns (Robinson, *A machine-oriented logic based on the resolution principle*, 1965).

use super::clause::{Clause, Literal, Pattern, VariableId};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// A substitution that unifies patterns. Variables of different clauses must have different numbers.
#[derive(Clone, Debug, Default)]
pub struct Unifier {
    values: Vec<Option<Pattern>>,
}

impl Unifier {
    /// Unifies two patterns, in addition to those unified before; returns whether that is possible. If not, the unifier
    /// must be discarded.
    pub(crate) fn unify(&mut self, left: &Pattern, right: &Pattern) -> bool {
        let left = self.walk(left);
        let right = self.walk(right);
        match (left, right) {
            (Pattern::Variable(left), Pattern::Variable(right)) if left == right => true,
            (Pattern::Variable(variable), other) | (other, Pattern::Variable(variable)) => self.bind(variable, other),
            (Pattern::Symbol(left), Pattern::Symbol(right)) => left == right,
            (Pattern::Compound(left, left_arguments), Pattern::Compound(right, right_arguments)) => {
                left == right && self.unify_all(&left_arguments, &right_arguments)
            }
            _ => false,
        }
    }

    /// Unifies two lists of patterns, element by element; returns whether that is possible.
    pub fn unify_all(&mut self, left: &[Pattern], right: &[Pattern]) -> bool {
        left.len() == right.len() && left.iter().zip(right).all(|(left, right)| self.unify(left, right))
    }

    /// The pattern with the values of its variables substituted.
    pub fn resolved(&self, pattern: &Pattern) -> Pattern {
        match self.walk(pattern) {
            Pattern::Compound(name, arguments) => {
                Pattern::Compound(name, arguments.iter().map(|argument| self.resolved(argument)).collect())
            }
            other => other,
        }
    }

    fn walk(&self, pattern: &Pattern) -> Pattern {
        match pattern {
            Pattern::Variable(variable) => match self.values.get(variable.index()) {
                Some(Some(value)) => self.walk(value),
                _ => pattern.clone(),
            },
            _ => pattern.clone(),
        }
    }

    fn bind(&mut self, variable: VariableId, value: Pattern) -> bool {
        // A variable inside its own value would be an infinite term.
        let mut occurs = false;
        self.resolved(&value).each_variable(&mut |other| occurs |= other == variable);
        if occurs {
            return false;
        }
        if self.values.len() <= variable.index() {
            self.values.resize(variable.index() + 1, None);
        }
        self.values[variable.index()] = Some(value);
        true
    }
}

/// The pattern with `offset` added to the numbers of all its variables.
pub fn shifted(pattern: &Pattern, offset: u32) -> Pattern {
    let mut pattern = pattern.clone();
    pattern.each_variable_mut(&mut |variable| *variable = VariableId::new(variable.index() + offset as usize));
    pattern
}

/// The clause without equalities that give a variable its value, which only `same` does: the value replaces the
/// variable. `None` if two terms cannot be equal, so that the clause derives nothing.
pub fn without_bindings(clause: &Clause) -> Option<Cow<'_, Clause>> {
    let is_equality = |literal: &Literal| matches!(literal, Literal::Equal(..));
    if !clause.body.iter().any(is_equality) {
        return Some(Cow::Borrowed(clause));
    }
    let mut bound = FxHashSet::default();
    let atoms = clause.body.iter().filter(|literal| matches!(literal, Literal::Atom(_)));
    atoms.for_each(|atom| atom.each_variable(&mut |variable| bound.extend([variable])));
    let mut unifier = Unifier::default();
    let mut solved = clause.clone();
    let mut is_possible = true;
    solved.body.retain(|literal| {
        let Literal::Equal(left, right, _) = literal else { return true };
        let mut binds = false;
        literal.each_variable(&mut |variable| binds |= !bound.contains(&variable));
        is_possible &= !binds || unifier.unify(left, right);
        !binds
    });
    if solved.body.len() < clause.body.len() {
        solved.each_pattern_mut(&mut |pattern| *pattern = unifier.resolved(pattern));
    }
    is_possible.then_some(Cow::Owned(solved))
}
