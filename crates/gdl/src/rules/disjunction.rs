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
pub fn branches(body: &[Literal], index: usize) -> &[Vec<Literal>] {
    match &body[index] {
        Literal::Or(branches, _) => branches,
        _ => &[],
    }
}

/// The bodies that a body becomes if the disjunction at this index is replaced by each of its branches, in their order.
pub fn multiplied_out(body: &[Literal], index: usize) -> impl Iterator<Item = Vec<Literal>> {
    branches(body, index).iter().map(move |branch| [&body[..index], branch, &body[index + 1..]].concat())
}

/// The maximum number of clauses that one clause may become by being multiplied out, unless each branch gives only one.
const MOST_CLAUSES: usize = 32;

/// True if a disjunction only compares terms: a test of values that other literals bind.
pub fn is_comparison(branches: &[Vec<Literal>]) -> bool {
    branches.iter().flatten().all(|literal| matches!(literal, Literal::Distinct(..)))
}

/// True if multiplying a body out gives too many bodies: one for each choice of a branch in every disjunction, except
/// for comparisons.
pub fn is_large_multiplied_out(body: &[Literal]) -> bool {
    let (bodies, branches) = expansion_size(body);
    bodies > branches.max(MOST_CLAUSES)
}

/// The number of bodies when a body is multiplied out, and the number of branches in the body as it is.
fn expansion_size(body: &[Literal]) -> (usize, usize) {
    let (mut bodies, mut all_branches) = (1_usize, 0);
    for literal in body {
        let Literal::Or(branches, _) = literal else { continue };
        if is_comparison(branches) {
            continue;
        }
        let mut choices: usize = 0;
        for branch in branches {
            let (inner_bodies, inner_branches) = expansion_size(branch);
            choices = choices.saturating_add(inner_bodies);
            all_branches += 1 + inner_branches;
        }
        bodies = bodies.saturating_mul(choices);
    }
    (bodies, all_branches)
}

/// True if the disjunction at this index can become an atom: the variables that it shares with the rest of the clause
/// are `given`, or bound by each of its branches, or by the atoms beside it.
pub fn is_nameable(clause: &Clause, index: usize, given: &FxHashSet<VariableId>) -> bool {
    let mut bound = given.clone();
    let mut note = |variable| bound.extend([variable]);
    atoms_beside(&clause.body, index).for_each(|atom| atom.each_variable(&mut note));
    let shared = shared_variables(clause, index);
    branches(&clause.body, index).iter().all(|branch| {
        let within = bound_variables(branch);
        shared.iter().all(|variable| bound.contains(variable) || within.contains(variable))
    })
}

/// The atoms of a body, except for the literal at this index.
pub fn atoms_beside(body: &[Literal], index: usize) -> impl Iterator<Item = &Literal> {
    let others = body.iter().enumerate().filter(move |&(other, _)| other != index);
    others.map(|(_, literal)| literal).filter(|literal| matches!(literal, Literal::Atom(_)))
}

/// The variables that a conjunction binds: those of its atoms, and those that every branch of a disjunction binds.
fn bound_variables(conjunction: &[Literal]) -> FxHashSet<VariableId> {
    let mut bound = FxHashSet::default();
    for literal in conjunction {
        match literal {
            Literal::Atom(_) => literal.each_variable(&mut |variable| bound.extend([variable])),
            Literal::Or(branches, _) => {
                let common = branches.iter().map(|branch| bound_variables(branch));
                bound.extend(common.reduce(|left, right| &left & &right).unwrap_or_default());
            }
            Literal::Not(..) | Literal::Distinct(..) | Literal::Equal(..) => {}
        }
    }
    bound
}

/// The variables of the literal at this index that the head or another literal of the clause has too, ascending.
pub fn shared_variables(clause: &Clause, index: usize) -> Vec<VariableId> {
    let mut own = FxHashSet::default();
    clause.body[index].each_variable(&mut |variable| own.extend([variable]));
    let mut shared: Vec<VariableId> = own.intersection(&variables_outside(clause, index)).copied().collect();
    shared.sort();
    shared
}

/// The variables of a clause without those that occur in the literal at this index alone.
pub fn variables_outside(clause: &Clause, index: usize) -> FxHashSet<VariableId> {
    let mut outside = FxHashSet::default();
    let mut note = |variable| outside.extend([variable]);
    clause.head.arguments.iter().for_each(|argument| argument.each_variable(&mut note));
    let others = clause.body.iter().enumerate().filter(|&(other, _)| other != index);
    others.for_each(|(_, literal)| literal.each_variable(&mut note));
    outside
}

/// The arguments of the relation that the disjunction at this index becomes, and the bodies of its clauses.
fn named_branches(clause: &Clause, index: usize, given: &FxHashSet<VariableId>) -> (Vec<Pattern>, Vec<Vec<Literal>>) {
    let shared = shared_variables(clause, index);
    let bodies = branches(&clause.body, index).iter().map(|branch| {
        let mut bound = bound_variables(branch);
        bound.extend(given);
        let mut body = branch.clone();
        for atom in atoms_beside(&clause.body, index) {
            let mut binds = false;
            atom.each_variable(&mut |variable| binds |= shared.contains(&variable) && !bound.contains(&variable));
            if binds {
                atom.each_variable(&mut |variable| bound.extend([variable]));
                body.push(atom.clone());
            }
        }
        body
    });
    (shared.iter().copied().map(Pattern::Variable).collect(), bodies.collect())
}

/// The clauses that a clause becomes while its disjunctions are taken out. Clauses are handed out depth first: all that
/// come of one branch before those of the next.
#[derive(Clone, Debug)]
pub struct ClauseExpansion {
    /// The clauses that have not been handed out, last to first.
    open: Vec<Clause>,
    /// Their size in bytes.
    bytes: usize,
}

impl ClauseExpansion {
    /// Begins with one clause.
    pub fn from_clause(clause: Clause) -> Self {
        Self { bytes: clause.bytes(), open: vec![clause] }
    }

    /// The next clause, if there is one.
    pub fn next_clause(&mut self) -> Option<Clause> {
        let clause = self.open.pop()?;
        self.bytes -= clause.bytes();
        Some(clause)
    }

    /// The number of clauses that have not been handed out.
    pub fn pending(&self) -> usize {
        self.open.len()
    }

    /// The size in bytes of the clauses that have not been handed out.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Hands out these clauses next, in their order.
    pub fn put(&mut self, clauses: Vec<Clause>) {
        self.bytes += clauses.iter().map(Clause::bytes).sum::<usize>();
        // The list is a stack: its last clause is handed out first.
        self.open.extend(clauses.into_iter().rev());
    }

    /// Hands out next, for each branch of the disjunction at this index, the clause with the branch instead.
    pub fn multiply_out(&mut self, clause: Clause, index: usize) {
        let clauses = multiplied_out(&clause.body, index).map(|body| Clause { body, ..clause.clone() });
        self.put(clauses.collect());
    }

    /// Hands out next a clause of `relation` for each branch of the disjunction at this index, and then the clause with
    /// an atom of `relation` instead of the disjunction. An argument that is not `given`, and that a branch does not
    /// bind, is bound in its clause by a copy of an atom beside the disjunction, if there is one.
    pub fn name(&mut self, mut clause: Clause, index: usize, relation: RelationId, given: &FxHashSet<VariableId>) {
        let (arguments, bodies) = named_branches(&clause, index, given);
        let head = Atom { relation, arguments, span: clause.body[index].span() };
        let named = bodies.into_iter().map(|body| Clause {
            head: head.clone(),
            body,
            variables: clause.variables.clone(),
            span: clause.span,
        });
        let named = named.collect();
        clause.body[index] = Literal::Atom(head);
        // The branches are put last, so they are handed out before the clause that uses them.
        self.put(vec![clause]);
        self.put(named);
    }
}
