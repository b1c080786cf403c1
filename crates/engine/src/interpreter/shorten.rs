//! Shortens long bodies of recursive clauses.
//!
//! A recursive clause becomes a rule for each of its recursive literals, and for each question that one of them asks
//! ([`super::recursion`]): the rules of a clause with `n` such literals have `n³` parts. Here a body with more than
//! [`MOST_LITERALS`] of them is cut into groups, each the body of a relation of its own whose arguments are the
//! variables that the group shares with the rest of the clause. So the rules take memory in proportion to `n`.

use super::prepare::Auxiliaries;
use gdl::rules::{Atom, Clause, Literal, Pattern, RelationId, VariableId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The maximum number of recursive literals of a body.
const MOST_LITERALS: usize = 24;

/// The clause with a body that is not too long, and the clauses of the groups that were cut out of it. `recursive` says
/// whether a relation takes part in a recursion with the head.
pub(super) fn shorten(
    mut clause: Clause,
    recursive: &dyn Fn(RelationId) -> bool,
    auxiliaries: &mut Auxiliaries,
) -> Vec<Clause> {
    let is_long = |literal: &Literal| matches!(literal, Literal::Atom(atom) if recursive(atom.relation));
    if clause.body.iter().filter(|literal| is_long(literal)).count() <= MOST_LITERALS {
        return vec![clause];
    }
    let mut outside: FxHashMap<VariableId, usize> = FxHashMap::default();
    let mut note = |variable| *outside.entry(variable).or_default() += 1;
    clause.head.arguments.iter().for_each(|argument| argument.each_variable(&mut note));
    clause.body.iter().for_each(|literal| literal.each_variable(&mut note));
    let (mut long, rest): (Vec<Literal>, Vec<Literal>) =
        std::mem::take(&mut clause.body).into_iter().partition(is_long);
    let mut groups = Vec::new();
    while long.len() > MOST_LITERALS {
        let mut shorter = Vec::with_capacity(long.len().div_ceil(MOST_LITERALS));
        let mut waiting = long.into_iter().peekable();
        while waiting.peek().is_some() {
            let body = waiting.by_ref().take(MOST_LITERALS).collect();
            let relation = RelationId::new(auxiliaries.next);
            auxiliaries.next += 1;
            shorter.push(Literal::Atom(group(body, &clause, relation, &mut outside, &mut groups)));
        }
        long = shorter;
    }
    clause.body = rest;
    clause.body.extend(long);
    groups.push(clause);
    groups
}

/// Makes a group of literals the body of a relation; returns the atom that replaces them. `outside` has the number of
/// occurrences of each variable in the whole clause.
fn group(
    mut body: Vec<Literal>,
    clause: &Clause,
    relation: RelationId,
    outside: &mut FxHashMap<VariableId, usize>,
    groups: &mut Vec<Clause>,
) -> Atom {
    let mut own: Vec<VariableId> = Vec::new();
    let mut uses: FxHashMap<VariableId, usize> = FxHashMap::default();
    let mut note = |variable| {
        let uses = uses.entry(variable).or_default();
        if *uses == 0 {
            own.push(variable);
        }
        *uses += 1;
    };
    body.iter().for_each(|literal| literal.each_variable(&mut note));
    let shared: Vec<VariableId> = own.iter().copied().filter(|variable| outside[variable] > uses[variable]).collect();
    // In the clause, the atom is one occurrence of each.
    for variable in &own {
        outside.insert(*variable, outside[variable] - uses[variable]);
    }
    for variable in &shared {
        outside.insert(*variable, outside[variable] + 1);
    }
    // The relation's clause has variables of its own, so that it does not carry the names of all others.
    let numbers: FxHashMap<VariableId, VariableId> =
        own.iter().enumerate().map(|(number, &variable)| (variable, VariableId::new(number))).collect();
    body.iter_mut().for_each(|literal| literal.each_variable_mut(&mut |variable| *variable = numbers[&*variable]));
    let atom = |variable: &dyn Fn(&VariableId) -> VariableId| {
        let arguments = shared.iter().map(|it| Pattern::Variable(variable(it))).collect();
        Atom { relation, arguments, span: clause.span }
    };
    let variables = own.iter().map(|variable| Arc::clone(&clause.variables[variable.index()])).collect();
    groups.push(Clause { head: atom(&|variable| numbers[variable]), body, variables, span: clause.span });
    atom(&|variable| *variable)
}
