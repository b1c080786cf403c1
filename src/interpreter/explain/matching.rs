//! Which clauses could give an atom: heads matched against it.

use super::conjunction::Environment;
use crate::rules::{Clause, GroundTerm, Literal, Pattern, Symbols, VariableId};

/// The values of the clause's variables with which its head is the atom with these arguments.
pub(super) fn match_head(clause: &Clause, arguments: &[GroundTerm], symbols: &Symbols) -> Option<Environment> {
    let mut environment = vec![None; clause.variables.len()];
    let matches = clause.head.arguments.iter().zip(arguments);
    let matches = matches.map(|(pattern, term)| match_term(pattern, term, symbols, &mut environment));
    matches.into_iter().all(|matched| matched).then_some(environment)
}

fn match_term(pattern: &Pattern, term: &GroundTerm, symbols: &Symbols, environment: &mut Environment) -> bool {
    match pattern {
        Pattern::Variable(variable) => match &environment[variable.index()] {
            Some(value) => value == term,
            None => {
                environment[variable.index()] = Some(term.clone());
                true
            }
        },
        Pattern::Symbol(name) => term.arguments.is_empty() && *symbols.name(*name) == term.name,
        Pattern::Compound(name, arguments) => {
            *symbols.name(*name) == term.name
                && arguments.len() == term.arguments.len()
                && arguments.iter().zip(&term.arguments).all(|(p, t)| match_term(p, t, symbols, environment))
        }
    }
}

/// The pattern with what is known put in the place of its variables, as a term; `None` where something is not known.
pub(super) fn ground(pattern: &Pattern, environment: &Environment, symbols: &Symbols) -> Option<GroundTerm> {
    match pattern {
        Pattern::Variable(variable) => environment[variable.index()].clone(),
        Pattern::Symbol(name) => Some(GroundTerm::symbol(symbols.name(*name).clone())),
        Pattern::Compound(name, arguments) => {
            let arguments =
                arguments.iter().map(|argument| ground(argument, environment, symbols)).collect::<Option<_>>();
            Some(GroundTerm { name: symbols.name(*name).clone(), arguments: arguments? })
        }
    }
}

/// A clause whose head is made equal to an atom that has variables: the clause itself with its known values where that is
/// enough, or else a copy in which some variables have become terms or other variables.
pub(super) struct Unified {
    /// The clause, changed or not.
    pub(super) clause: Clause,
    /// Whether it has been changed.
    pub(super) changed: bool,
    /// The known values.
    pub(super) environment: Environment,
}

/// Makes the head of a clause equal to an atom whose arguments may have variables of their own.
pub(super) fn unify_head(clause: &Clause, arguments: &[Pattern], symbols: &Symbols) -> Option<Unified> {
    let mut unifier = Unifier { values: vec![None; clause.variables.len()] };
    let offset = clause.variables.len() as u32;
    for (argument, head) in arguments.iter().zip(&clause.head.arguments) {
        let mut argument = argument.clone();
        argument.each_variable_mut(&mut |variable| variable.0 += offset);
        if !unifier.unify(&argument, head) {
            return None;
        }
    }
    let mut unified = Unified { clause: clause.clone(), changed: false, environment: Vec::new() };
    for index in 0..offset {
        let value = unifier.resolved(&Pattern::Variable(VariableId(index)));
        let known = ground(&value, &vec![None; unifier.values.len()], symbols);
        unified.changed |= known.is_none() && value != Pattern::Variable(VariableId(index));
        unified.environment.push(known);
    }
    if unified.changed {
        let names = (offset..unifier.values.len() as u32).map(|number| format!("_{number}").into());
        unified.clause.variables.extend(names);
        unified.environment.resize(unifier.values.len(), None);
        let resolve = |pattern: &mut Pattern| *pattern = unifier.resolved(pattern);
        unified.clause.head.arguments.iter_mut().for_each(resolve);
        unified.clause.body.iter_mut().for_each(|literal| each_pattern(literal, &resolve));
    }
    Some(unified)
}

fn each_pattern(literal: &mut Literal, visit: &impl Fn(&mut Pattern)) {
    match literal {
        Literal::Atom(atom) => atom.arguments.iter_mut().for_each(visit),
        Literal::Not(denied, _) => denied.iter_mut().for_each(|literal| each_pattern(literal, visit)),
        Literal::Or(branches, _) => branches.iter_mut().flatten().for_each(|literal| each_pattern(literal, visit)),
        Literal::Distinct(left, right, _) | Literal::Equal(left, right, _) => {
            visit(left);
            visit(right);
        }
    }
}

/// Robinson's unification, over the variables of a clause and those of an atom behind them.
struct Unifier {
    values: Vec<Option<Pattern>>,
}

impl Unifier {
    fn unify(&mut self, left: &Pattern, right: &Pattern) -> bool {
        let (left, right) = (self.walk(left), self.walk(right));
        match (left, right) {
            (Pattern::Variable(left), Pattern::Variable(right)) if left == right => true,
            (Pattern::Variable(variable), other) | (other, Pattern::Variable(variable)) => self.bind(variable, other),
            (Pattern::Symbol(left), Pattern::Symbol(right)) => left == right,
            (Pattern::Compound(left, left_arguments), Pattern::Compound(right, right_arguments)) => {
                left == right
                    && left_arguments.len() == right_arguments.len()
                    && left_arguments.iter().zip(&right_arguments).all(|(left, right)| self.unify(left, right))
            }
            _ => false,
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

    fn resolved(&self, pattern: &Pattern) -> Pattern {
        match self.walk(pattern) {
            Pattern::Compound(name, arguments) => {
                Pattern::Compound(name, arguments.iter().map(|argument| self.resolved(argument)).collect())
            }
            other => other,
        }
    }
}
