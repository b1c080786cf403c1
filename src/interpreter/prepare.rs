//! Prepares clauses for compilation: disjunctions that bind variables become several clauses.
//!
//! A disjunction of tests is kept if the rest of the body binds its variables. A disjunction that has to bind a
//! variable, or that takes part in a recursion, is multiplied out; if that yields too many clauses, it becomes a
//! relation of its own. A disjunction that could bind variables is multiplied out as well, as long as it yields few
//! clauses: `(or (next ?x ?y) (next ?y ?x))` finds two neighbours faster than it tests all pairs.

use super::order::{literal_variables, pattern_variables};
use crate::rules::{Atom, Clause, Literal, Pattern, RelationId, VariableId};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The maximum number of clauses to which one clause is multiplied out.
const MOST_CLAUSES: usize = 32;
/// The maximum number of clauses to which one clause is multiplied out if this is optional.
const MOST_CLAUSES_BY_CHOICE: usize = 8;

/// The source of auxiliary relations: their ids follow those of the rule set.
pub(super) struct Auxiliaries {
    /// The id of the next auxiliary relation.
    pub(super) next: usize,
}

/// Multiplies out the disjunctions of a clause that cannot stay tests. `recursive` says whether a relation takes part
/// in a recursion with the head. Clauses of auxiliary relations are added to the result.
pub(super) fn expand(
    clause: &Clause,
    recursive: &dyn Fn(RelationId) -> bool,
    auxiliaries: &mut Auxiliaries,
) -> Vec<Clause> {
    let mut done = Vec::new();
    let mut open = vec![clause.clone()];
    while let Some(mut clause) = open.pop() {
        spread_negations(&mut clause);
        let room = MOST_CLAUSES_BY_CHOICE.saturating_sub(done.len() + open.len());
        let expands = |&index: &usize| must_expand(&clause, index, recursive) || may_expand(&clause.body[index], room);
        let Some(index) = (0..clause.body.len()).find(expands) else {
            done.push(clause);
            continue;
        };
        let Literal::Or(branches, span) = clause.body.remove(index) else { unreachable!("only disjunctions expand") };
        if done.len() + open.len() + branches.len() <= MOST_CLAUSES {
            // In reverse, so that clauses come off the stack in the order of the branches.
            for branch in branches.into_iter().rev() {
                let mut body = clause.body.clone();
                body.splice(index..index, branch);
                open.push(Clause { body, ..clause.clone() });
            }
        } else {
            let shared = shared_variables(&clause, &branches);
            let relation = RelationId::new(auxiliaries.next);
            auxiliaries.next += 1;
            let head = Atom { relation, arguments: shared.into_iter().map(Pattern::Variable).collect(), span };
            open.extend(branches.into_iter().map(|body| Clause { head: head.clone(), body, ..clause.clone() }));
            clause.body.insert(index, Literal::Atom(head));
            open.push(clause);
        }
    }
    done
}

/// Applies [`spread_negation`] to a whole body. Variables that are local to a negation become local to each of its
/// parts: all parts but the first get variables of their own.
fn spread_negations(clause: &mut Clause) {
    for index in (0..clause.body.len()).rev() {
        let mut parts = spread_negation(clause.body[index].clone());
        if parts.len() > 1 {
            let mut elsewhere = FxHashSet::default();
            clause.head.arguments.iter().for_each(|argument| pattern_variables(argument, &mut elsewhere));
            let others = clause.body.iter().enumerate().filter(|&(other, _)| other != index);
            others.for_each(|(_, literal)| literal_variables(literal, &mut elsewhere));
            parts[1..].iter_mut().for_each(|part| rename_local(part, &elsewhere, &mut clause.variables));
        }
        clause.body.splice(index..=index, parts);
    }
}

/// Replaces the variables that occur nowhere else by new ones.
fn rename_local(literal: &mut Literal, elsewhere: &FxHashSet<VariableId>, names: &mut Vec<Arc<str>>) {
    let mut renamed: Vec<(VariableId, VariableId)> = Vec::new();
    literal.each_variable_mut(&mut |variable| {
        if elsewhere.contains(variable) {
            return;
        }
        let known = renamed.iter().find(|(old, _)| old == variable).map(|&(_, new)| new);
        *variable = known.unwrap_or_else(|| {
            let new = VariableId(names.len() as u32);
            names.push(Arc::clone(&names[variable.index()]));
            renamed.push((*variable, new));
            new
        });
    });
}

/// Rewrites `¬(φ ∧ (ψ ∨ χ))` to `¬(φ ∧ ψ) ∧ ¬(φ ∧ χ)` if the disjunction would have to bind a variable.
fn spread_negation(literal: Literal) -> Vec<Literal> {
    let Literal::Not(body, span) = literal else { return vec![literal] };
    let binding = |index: &usize| {
        let Literal::Or(branches, _) = &body[*index] else { return false };
        branches.iter().flatten().any(|literal| matches!(literal, Literal::Atom(_)))
    };
    let Some(index) = (0..body.len()).find(binding) else { return vec![Literal::Not(body, span)] };
    let Literal::Or(branches, _) = &body[index] else { unreachable!("found as a disjunction") };
    let spread = branches.iter().map(|branch| {
        let mut body = body.clone();
        body.splice(index..=index, branch.iter().cloned());
        Literal::Not(body, span)
    });
    spread.flat_map(spread_negation).collect()
}

fn must_expand(clause: &Clause, index: usize, recursive: &dyn Fn(RelationId) -> bool) -> bool {
    let Literal::Or(branches, _) = &clause.body[index] else { return false };
    if branches.iter().flatten().any(|literal| mentions(literal, recursive)) {
        return true;
    }
    let mut bound = FxHashSet::default();
    for (other, literal) in clause.body.iter().enumerate() {
        if other != index && matches!(literal, Literal::Atom(_)) {
            literal_variables(literal, &mut bound);
        }
    }
    shared_variables_except(clause, index, branches).iter().any(|variable| !bound.contains(variable))
}

/// Whether each branch of a disjunction could bind variables, and there is room for a clause for each.
fn may_expand(literal: &Literal, room: usize) -> bool {
    let Literal::Or(branches, _) = literal else { return false };
    let binds =
        |literal: &Literal| matches!(literal, Literal::Atom(atom) if !atom.arguments.iter().all(Pattern::is_ground));
    branches.len() <= room && branches.iter().all(|branch| branch.iter().any(binds))
}

fn mentions(literal: &Literal, wanted: &dyn Fn(RelationId) -> bool) -> bool {
    match literal {
        Literal::Atom(atom) => wanted(atom.relation),
        Literal::Not(body, _) => body.iter().any(|literal| mentions(literal, wanted)),
        Literal::Or(branches, _) => branches.iter().flatten().any(|literal| mentions(literal, wanted)),
        Literal::Distinct(..) | Literal::Equal(..) => false,
    }
}

/// The variables of a disjunction that the rest of the clause needs as well, ascending.
fn shared_variables(rest: &Clause, branches: &[Vec<Literal>]) -> Vec<VariableId> {
    let mut outside = FxHashSet::default();
    rest.head.arguments.iter().for_each(|argument| pattern_variables(argument, &mut outside));
    rest.body.iter().for_each(|literal| literal_variables(literal, &mut outside));
    let mut inside = FxHashSet::default();
    branches.iter().flatten().for_each(|literal| literal_variables(literal, &mut inside));
    let mut shared: Vec<VariableId> = inside.intersection(&outside).copied().collect();
    shared.sort_unstable();
    shared
}

fn shared_variables_except(clause: &Clause, index: usize, branches: &[Vec<Literal>]) -> Vec<VariableId> {
    let mut rest = clause.clone();
    rest.body.remove(index);
    shared_variables(&rest, branches)
}

/// A clause for a query: its head has the query's variables as arguments.
pub(super) fn query_clause(
    relation: RelationId,
    variables: Vec<Arc<str>>,
    answers: &[VariableId],
    body: Vec<Literal>,
) -> Clause {
    let span = crate::syntax::Span::default();
    let arguments = answers.iter().map(|&variable| Pattern::Variable(variable)).collect();
    Clause { head: Atom { relation, arguments, span }, body, variables, span }
}
