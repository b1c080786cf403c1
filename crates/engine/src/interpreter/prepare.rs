//! The preparation of clauses for compilation: disjunctions that bind variables become several clauses, and long
//! recursive bodies are cut.
//!
//! A disjunction of tests is kept if the rest of the body binds its variables. A disjunction that has to bind a
//! variable, or that takes part in a recursion, is multiplied out; if that yields too many clauses, it becomes a
//! relation of its own. A disjunction that could bind variables is multiplied out as well, as long as it yields few
//! clauses: `(or (next ?x ?y) (next ?y ?x))` finds two neighbours faster than it tests all pairs.
//!
//! A recursive clause becomes a rule for each of its recursive literals, and for each question that one of them asks
//! ([`super::recursion`]): the rules of a clause with `n` such literals have `n³` parts. So [`shorten`] cuts a body
//! with more than [`MOST_LITERALS`] of them into groups, each the body of a relation of its own whose arguments are the
//! variables that the group shares with the rest of the clause. The rules then take memory in proportion to `n`.

use gdl::limits::{Poll, Stop};
use gdl::rules::disjunction::{
    ClauseExpansion, atoms_beside, branches, is_large_multiplied_out, is_nameable, multiplied_out, shared_variables,
};
use gdl::rules::{Atom, Clause, Literal, Pattern, RelationId, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The maximum number of clauses to which one clause is multiplied out.
const MOST_CLAUSES: usize = 32;
/// The maximum number of clauses to which one clause is multiplied out if this is optional.
const MOST_CLAUSES_BY_CHOICE: usize = 8;

/// The maximum number of clauses to which one clause is multiplied out if only some branches bind a variable.
const MOST_CLAUSES_OF_MIXED: usize = 256;

/// The source of auxiliary relations: their ids follow those of the rule set.
#[derive(Clone, Debug)]
pub(super) struct Auxiliaries {
    /// The id of the next auxiliary relation.
    pub(super) next: usize,
}

impl Auxiliaries {
    /// A new relation.
    pub(super) fn make(&mut self) -> RelationId {
        self.next += 1;
        RelationId::new(self.next - 1)
    }
}

/// Multiplies out the disjunctions of a clause that cannot remain tests. `recursive` is true for a relation that takes
/// part in a recursion with the head. Clauses of auxiliary relations are added to the result.
///
/// # Errors
/// If a limit is met.
pub(super) fn expand(
    clause: &Clause,
    recursive: &dyn Fn(RelationId) -> bool,
    auxiliaries: &mut Auxiliaries,
    poll: &Poll<'_>,
) -> Result<Vec<Clause>, Stop> {
    let mut expander = Expander { recursive, auxiliaries, poll, done: Vec::new(), bytes: 0 };
    expander.expand(clause.clone(), &FxHashSet::default())?;
    Ok(expander.done)
}

struct Expander<'a> {
    recursive: &'a dyn Fn(RelationId) -> bool,
    auxiliaries: &'a mut Auxiliaries,
    poll: &'a Poll<'a>,
    done: Vec<Clause>,
    /// The size of these clauses.
    bytes: usize,
}

impl Expander<'_> {
    /// Expands a clause whose callers have values for the variables that are `given`.
    fn expand(&mut self, clause: Clause, given: &FxHashSet<VariableId>) -> Result<(), Stop> {
        let mut own = 0;
        let mut expansion = ClauseExpansion::from_clause(clause);
        while let Some(mut clause) = expansion.next_clause() {
            self.poll.steps(1 + clause.body.len())?;
            self.poll.check_memory((self.bytes + expansion.bytes() + clause.bytes()) as u64)?;
            self.spread_negations(&mut clause)?;
            let others = own + expansion.pending();
            let room = MOST_CLAUSES_BY_CHOICE.saturating_sub(others);
            let expands = |&index: &usize| {
                must_expand(&clause, index, given, self.recursive) || may_expand(&clause.body[index], room)
            };
            let nameable = |&index: &usize| is_nameable(&clause, index, given);
            let mut indices = (0..clause.body.len()).filter(expands);
            let Some(index) = indices.next() else {
                own += 1;
                self.bytes += clause.bytes();
                self.done.push(clause);
                continue;
            };
            if others + branches(&clause.body, index).len() <= MOST_CLAUSES {
                expansion.multiply_out(clause, index);
                continue;
            }
            let named = [index].into_iter().chain(indices).find(nameable);
            if named.is_none() && others < MOST_CLAUSES_OF_MIXED {
                expansion.multiply_out(clause, index);
            } else {
                // Beyond the maximum, questions that need the value of such a variable have no answer.
                expansion.name(clause, named.unwrap_or(index), self.auxiliaries.make(), given);
            }
        }
        Ok(())
    }

    /// Applies [`spread_negation`] to a whole body, to the branches of its disjunctions and within its negations.
    /// Variables that are local to a negation become local to each of its parts: all parts but the first get variables
    /// of their own.
    fn spread_negations(&mut self, clause: &mut Clause) -> Result<(), Stop> {
        if !clause.body.iter().any(holds_negation) {
            return Ok(());
        }
        let mut occurrences = FxHashMap::default();
        let mut count = |variable| *occurrences.entry(variable).or_default() += 1;
        clause.head.arguments.iter().for_each(|argument| argument.each_variable(&mut count));
        clause.body.iter().for_each(|literal| literal.each_variable(&mut count));
        self.spread_within(&mut clause.body, &occurrences, &mut clause.variables)
    }

    /// `in_clause` counts the variables of the whole clause.
    fn spread_within(
        &mut self,
        body: &mut Vec<Literal>,
        in_clause: &FxHashMap<VariableId, u32>,
        names: &mut Vec<Arc<str>>,
    ) -> Result<(), Stop> {
        // From the end, since a negation may be replaced by several literals.
        for index in (0..body.len()).rev() {
            match &mut body[index] {
                Literal::Or(branches, _) => {
                    for branch in branches {
                        self.spread_within(branch, in_clause, names)?;
                    }
                }
                negation @ Literal::Not(..) => {
                    if let Literal::Not(denied, _) = negation {
                        self.spread_within(denied, in_clause, names)?;
                    }
                    let mut local = FxHashMap::default();
                    negation.each_variable(&mut |variable| *local.entry(variable).or_default() += 1);
                    local.retain(|variable, count| in_clause.get(variable) == Some(count));
                    let negation = self.name_denied(negation.clone(), &local, names)?;
                    let mut parts = spread_negation(negation);
                    if parts.len() > 1 {
                        parts[1..].iter_mut().for_each(|part| rename_local(part, &local, names));
                    }
                    body.splice(index..=index, parts);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// If spreading a negation would give very many literals, its operand becomes an atom of a new relation. The
    /// arguments are the variables that are not local to the negation; these have a value wherever it is evaluated.
    fn name_denied(
        &mut self,
        negation: Literal,
        local: &FxHashMap<VariableId, u32>,
        names: &[Arc<str>],
    ) -> Result<Literal, Stop> {
        let Literal::Not(denied, span) = negation else { return Ok(negation) };
        if !is_large_multiplied_out(&denied) {
            return Ok(Literal::Not(denied, span));
        }
        let mut shared = variables_in(&denied);
        shared.retain(|variable| !local.contains_key(variable));
        let mut arguments: Vec<VariableId> = shared.iter().copied().collect();
        arguments.sort();
        let arguments = arguments.into_iter().map(Pattern::Variable).collect();
        let head = Atom { relation: self.auxiliaries.make(), arguments, span };
        self.expand(Clause { head: head.clone(), body: denied, variables: names.to_vec(), span }, &shared)?;
        Ok(Literal::Not(vec![Literal::Atom(head)], span))
    }
}

fn holds_negation(literal: &Literal) -> bool {
    match literal {
        Literal::Not(..) => true,
        Literal::Or(branches, _) => branches.iter().flatten().any(holds_negation),
        _ => false,
    }
}

/// Replaces local variables by new ones.
fn rename_local(literal: &mut Literal, local: &FxHashMap<VariableId, u32>, names: &mut Vec<Arc<str>>) {
    let mut renamed: Vec<(VariableId, VariableId)> = Vec::new();
    literal.each_variable_mut(&mut |variable| {
        if !local.contains_key(variable) {
            return;
        }
        let known = renamed.iter().find(|(old, _)| old == variable).map(|&(_, new)| new);
        *variable = known.unwrap_or_else(|| {
            let new = VariableId::new(names.len());
            names.push(Arc::clone(&names[variable.index()]));
            renamed.push((*variable, new));
            new
        });
    });
}

/// Rewrites `¬(φ ∧ (ψ ∨ χ))` to `¬(φ ∧ ψ) ∧ ¬(φ ∧ χ)` if the disjunction would have to bind a variable.
fn spread_negation(literal: Literal) -> Vec<Literal> {
    let Literal::Not(body, span) = literal else { return vec![literal] };
    let binding = |index: &usize| matches!(&body[*index], Literal::Or(branches, _) if has_atoms(branches));
    let Some(index) = (0..body.len()).find(binding) else { return vec![Literal::Not(body, span)] };
    let spread = multiplied_out(&body, index).map(|body| Literal::Not(body, span));
    spread.flat_map(spread_negation).collect()
}

/// True if an atom stands in one of these branches, or in a disjunction within them.
fn has_atoms(branches: &[Vec<Literal>]) -> bool {
    branches.iter().flatten().any(|literal| match literal {
        Literal::Atom(_) => true,
        Literal::Or(inner, _) => has_atoms(inner),
        _ => false,
    })
}

fn must_expand(
    clause: &Clause,
    index: usize,
    given: &FxHashSet<VariableId>,
    recursive: &dyn Fn(RelationId) -> bool,
) -> bool {
    let Literal::Or(branches, _) = &clause.body[index] else { return false };
    if branches.iter().flatten().any(|literal| literal.mentions(recursive)) {
        return true;
    }
    let mut bound = bound_by_atoms(&clause.body, index);
    bound.extend(given);
    shared_variables(clause, index).iter().any(|variable| !bound.contains(variable)) || binds_within(branches, &bound)
}

/// True if a disjunction within one of these branches has to bind a variable for the rest of its branch.
fn binds_within(branches: &[Vec<Literal>], outside: &FxHashSet<VariableId>) -> bool {
    let must_bind = |branch: &[Literal], index: usize| {
        let Literal::Or(inner, _) = &branch[index] else { return false };
        let mut bound = bound_by_atoms(branch, index);
        bound.extend(outside);
        let is_free = |variable: &VariableId| !bound.contains(variable);
        let others = branch.iter().enumerate().filter(|&(other, _)| other != index);
        let elsewhere = variables_in(others.map(|(_, literal)| literal));
        variables_in([&branch[index]]).intersection(&elsewhere).any(is_free) || binds_within(inner, &bound)
    };
    branches.iter().any(|branch| (0..branch.len()).any(|index| must_bind(branch, index)))
}

/// The variables that the atoms of a body bind, except for the literal at this index.
fn bound_by_atoms(body: &[Literal], index: usize) -> FxHashSet<VariableId> {
    variables_in(atoms_beside(body, index))
}

fn variables_in<'a>(literals: impl IntoIterator<Item = &'a Literal>) -> FxHashSet<VariableId> {
    let mut variables = FxHashSet::default();
    literals.into_iter().for_each(|literal| literal.each_variable(&mut |variable| variables.extend([variable])));
    variables
}

/// True if each branch of a disjunction could bind variables, and there is room for a clause for each.
fn may_expand(literal: &Literal, room: usize) -> bool {
    let Literal::Or(branches, _) = literal else { return false };
    let binds =
        |literal: &Literal| matches!(literal, Literal::Atom(atom) if !atom.arguments.iter().all(Pattern::is_ground));
    branches.len() <= room && branches.iter().all(|branch| branch.iter().any(binds))
}

/// A clause for a query: its head has the query's variables as arguments.
pub(super) fn query_clause(
    relation: RelationId,
    variables: Vec<Arc<str>>,
    answers: &[VariableId],
    body: Vec<Literal>,
) -> Clause {
    let span = gdl::syntax::Span::default();
    let arguments = answers.iter().map(|&variable| Pattern::Variable(variable)).collect();
    Clause { head: Atom { relation, arguments, span }, body, variables, span }
}

/// The maximum number of recursive literals of a body.
const MOST_LITERALS: usize = 24;

/// Shortens the body of a clause; returns the clause, preceded by the clauses of the groups that were cut out of it.
/// `recursive` is true for a relation that takes part in a recursion with the head.
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
    // The atoms of the groups are recursive themselves, so they are grouped again until they are few.
    while long.len() > MOST_LITERALS {
        let mut shorter = Vec::with_capacity(long.len().div_ceil(MOST_LITERALS));
        let mut waiting = long.into_iter().peekable();
        while waiting.peek().is_some() {
            let body = waiting.by_ref().take(MOST_LITERALS).collect();
            let relation = auxiliaries.make();
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
    // The atom that replaces the group is one occurrence of each shared variable.
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
