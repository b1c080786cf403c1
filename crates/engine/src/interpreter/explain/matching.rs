//! Clauses that could derive an atom: matching and unification of heads.

use super::conjunction::Environment;
use gdl::number::to_u32;
use gdl::rules::unify::{Unifier, shifted};
use gdl::rules::{Clause, GroundTerm, Literal, Pattern, Symbols, VariableId};

/// The values of the clause's variables for which its head is the atom with these arguments.
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

/// The pattern with its variables replaced by their values, as a term; `None` if a value is not known.
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

/// A clause whose head is unified with an atom that has variables: the clause itself with its known values if that
/// suffices, else a copy in which some variables are replaced by terms or other variables.
pub(super) struct UnifiedClause {
    /// The clause, changed or not.
    pub(super) clause: Clause,
    /// Whether the clause was changed.
    pub(super) changed: bool,
    /// The known values of its variables.
    pub(super) environment: Environment,
}

/// Unifies the head of a clause with an atom whose arguments may have variables of their own.
pub(super) fn unify_head(clause: &Clause, arguments: &[Pattern], symbols: &Symbols) -> Option<UnifiedClause> {
    let mut unifier = Unifier::default();
    let offset = to_u32(clause.variables.len());
    let arguments: Vec<Pattern> = arguments.iter().map(|argument| shifted(argument, offset)).collect();
    if !unifier.unify_all(&arguments, &clause.head.arguments) {
        return None;
    }
    let mut variables = clause.variables.len();
    arguments.iter().for_each(|argument| {
        argument.each_variable(&mut |variable| variables = variables.max(variable.index() + 1));
    });
    let mut unified = UnifiedClause { clause: clause.clone(), changed: false, environment: Vec::new() };
    for index in 0..offset {
        let value = unifier.resolved(&Pattern::Variable(VariableId::new(index as usize)));
        let known = ground(&value, &vec![None; variables], symbols);
        unified.changed |= known.is_none() && value != Pattern::Variable(VariableId::new(index as usize));
        unified.environment.push(known);
    }
    if unified.changed {
        let names = (offset..to_u32(variables)).map(|number| format!("_{number}").into());
        unified.clause.variables.extend(names);
        unified.environment.resize(variables, None);
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
