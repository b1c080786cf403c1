//! Disjunctions in bodies, taken out of them.
//!
//! A disjunction leaves a body in one of two ways. Multiplied out, it is replaced by each of its branches: `a & (b |
//! c)` becomes the two bodies `a & b` and `a & c`. Named, it becomes an atom of a new relation whose clauses are the
//! branches; its arguments are the variables that the disjunction shares with the rest of the clause. Which
//! disjunctions leave, and which way, is the policy of the caller, which takes one clause after the other from an
//! [`ClauseExpansion`] and gives back those that it expands.

use super::clause::{Atom, Clause, Literal, Pattern, RelationId, VariableId};
use rustc_hash::FxHashSet;

/// The branches of the disjunction at this index of a body; none if the literal is no disjunction.
pub(crate) fn branches(body: &[Literal], index: usize) -> &[Vec<Literal>] {
    match &body[index] {
        Literal::Or(branches, _) => branches,
        _ => &[],
    }
}

/// The bodies that a body becomes if the disjunction at this index is replaced by each of its branches, in their order.
pub(crate) fn multiplied_out(body: &[Literal], index: usize) -> impl Iterator<Item = Vec<Literal>> {
    branches(body, index).iter().map(move |branch| [&body[..index], branch, &body[index + 1..]].concat())
}

/// The variables of the literal at this index that the head or another literal of the clause has too, ascending.
pub(crate) fn shared_variables(clause: &Clause, index: usize) -> Vec<VariableId> {
    let mut own = FxHashSet::default();
    clause.body[index].each_variable(&mut |variable| own.extend([variable]));
    let mut shared: Vec<VariableId> = own.intersection(&variables_outside(clause, index)).copied().collect();
    shared.sort();
    shared
}

/// The variables of a clause without those that occur in the literal at this index alone.
pub(crate) fn variables_outside(clause: &Clause, index: usize) -> FxHashSet<VariableId> {
    let mut outside = FxHashSet::default();
    let mut note = |variable| outside.extend([variable]);
    clause.head.arguments.iter().for_each(|argument| argument.each_variable(&mut note));
    let others = clause.body.iter().enumerate().filter(|&(other, _)| other != index);
    others.for_each(|(_, literal)| literal.each_variable(&mut note));
    outside
}

/// The clauses that a clause becomes while its disjunctions are taken out. Clauses are handed out depth first: all that
/// come of one branch before those of the next.
#[derive(Clone, Debug)]
pub(crate) struct ClauseExpansion {
    /// The clauses that have not been handed out, last to first.
    open: Vec<Clause>,
    /// Their size in bytes.
    bytes: usize,
}

impl ClauseExpansion {
    /// Begins with one clause.
    pub(crate) fn from_clause(clause: Clause) -> Self {
        Self { bytes: clause.bytes(), open: vec![clause] }
    }

    /// The next clause, if there is one.
    pub(crate) fn next_clause(&mut self) -> Option<Clause> {
        let clause = self.open.pop()?;
        self.bytes -= clause.bytes();
        Some(clause)
    }

    /// The number of clauses that have not been handed out.
    pub(crate) fn pending(&self) -> usize {
        self.open.len()
    }

    /// The size in bytes of the clauses that have not been handed out.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Hands out these clauses next, in their order.
    pub(crate) fn put(&mut self, clauses: Vec<Clause>) {
        self.bytes += clauses.iter().map(Clause::bytes).sum::<usize>();
        self.open.extend(clauses.into_iter().rev());
    }

    /// Hands out next, for each branch of the disjunction at this index, the clause with the branch instead.
    pub(crate) fn multiply_out(&mut self, clause: Clause, index: usize) {
        let clauses = multiplied_out(&clause.body, index).map(|body| Clause { body, ..clause.clone() });
        self.put(clauses.collect());
    }

    /// Hands out next a clause of `relation` for each branch of the disjunction at this index, and then the clause with
    /// an atom of `relation` instead of the disjunction.
    pub(crate) fn name(&mut self, mut clause: Clause, index: usize, relation: RelationId) {
        let arguments = shared_variables(&clause, index).into_iter().map(Pattern::Variable).collect();
        let head = Atom { relation, arguments, span: clause.body[index].span() };
        let own = |body: &Vec<Literal>| Clause { head: head.clone(), body: body.clone(), ..clause.clone() };
        let named = branches(&clause.body, index).iter().map(own).collect();
        clause.body[index] = Literal::Atom(head);
        self.put(vec![clause]);
        self.put(named);
    }
}
