//! Conjunctions of the rules: bodies of clauses, branches of disjunctions, operands of negations; their variables, and
//! the order in which their literals can be tried.

use crate::interpreter::order::{VariableSet, literal_variables, pattern_variables};
use gdl::number::to_u32;
use gdl::rules::{Clause, GroundTerm, Literal, VariableId};

/// The values of a clause's variables, as far as they are known.
pub(super) type Environment = Vec<Option<GroundTerm>>;

/// The position of a conjunction: a clause, and a path into its body.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::interpreter) struct ConjunctionPath {
    /// The number of the clause among those of the explanation.
    pub(super) clause: usize,
    /// Alternates between the index of a literal and, if that is a disjunction, the number of a branch.
    steps: Vec<u32>,
}

impl ConjunctionPath {
    /// The body of a clause.
    pub(super) fn body(clause: usize) -> Self {
        Self { clause, steps: Vec::new() }
    }

    /// A literal of this conjunction; for a negation, also the conjunction that it negates.
    pub(super) fn literal(&self, literal: usize) -> Self {
        let mut deeper = self.clone();
        deeper.steps.push(to_u32(literal));
        deeper
    }

    /// A branch of the disjunction at this position.
    pub(super) fn branch(&self, branch: usize) -> Self {
        self.literal(branch)
    }

    /// The number of the branch, if this is one.
    pub(super) fn last_step(&self) -> u32 {
        self.steps.last().copied().unwrap_or(0)
    }

    /// The literals of the conjunction.
    pub(super) fn literals<'a>(&self, clause: &'a Clause) -> &'a [Literal] {
        let mut literals = &clause.body[..];
        let mut steps = self.steps.iter().map(|&step| step as usize);
        while let Some(step) = steps.next() {
            literals = match &literals[step] {
                Literal::Not(denied, _) => denied,
                Literal::Or(branches, _) => match steps.next() {
                    Some(branch) => &branches[branch],
                    None => std::slice::from_ref(&literals[step]),
                },
                other => std::slice::from_ref(other),
            };
        }
        literals
    }
}

/// The variables of these literals, a subset of a conjunction, that they bind or that have a value already, in
/// ascending order. Variables that are local to one negation or one disjunction of the conjunction are not included.
pub(super) fn variables(literals: &[Literal], conjunction: &[Literal], known: &Environment) -> Vec<VariableId> {
    let mut direct = VariableSet::default();
    let mut nested = VariableSet::default();
    for literal in conjunction {
        let mut own = VariableSet::default();
        literal_variables(literal, &mut own);
        match literal {
            Literal::Atom(_) | Literal::Distinct(..) | Literal::Equal(..) => direct.extend(own),
            Literal::Not(..) | Literal::Or(..) => {
                direct.extend(own.into_iter().filter(|&variable| !nested.insert(variable)));
            }
        }
    }
    let given: VariableSet = literals.iter().flat_map(bindings).collect();
    let mut occurring = VariableSet::default();
    literals.iter().for_each(|literal| literal_variables(literal, &mut occurring));
    occurring.retain(|variable| {
        known[variable.index()].is_some() || (direct.contains(variable) && given.contains(variable))
    });
    let mut variables: Vec<VariableId> = occurring.into_iter().collect();
    variables.sort();
    variables
}

/// The environment without the variables that do not occur in these literals.
pub(super) fn restricted(environment: &Environment, literals: &[Literal]) -> Environment {
    let mut occurring = VariableSet::default();
    literals.iter().for_each(|literal| literal_variables(literal, &mut occurring));
    let kept = |(index, value): (usize, &Option<GroundTerm>)| {
        if occurring.contains(&VariableId::new(index)) { value.clone() } else { None }
    };
    environment.iter().enumerate().map(kept).collect()
}

/// The indices of the literals in the order in which they are tried: that of the text, except that tests wait for their
/// variables.
pub(super) fn order_of_trial(literals: &[Literal], environment: &Environment) -> Vec<usize> {
    let mut bound: VariableSet =
        (0..environment.len()).map(VariableId::new).filter(|id| environment[id.index()].is_some()).collect();
    let mut open: Vec<usize> = (0..literals.len()).collect();
    let mut order = Vec::with_capacity(open.len());
    while !open.is_empty() {
        let ready = open.iter().position(|&index| is_ready(literals, index, &bound));
        // A sheet that passes the checks always has a literal that is ready.
        let index = open.remove(ready.unwrap_or(0));
        bound.extend(bindings(&literals[index]));
        order.push(index);
    }
    order
}

fn is_ready(literals: &[Literal], index: usize, bound: &VariableSet) -> bool {
    match &literals[index] {
        Literal::Atom(_) => true,
        Literal::Equal(left, right, _) => [left, right].into_iter().any(|side| {
            let mut own = VariableSet::default();
            pattern_variables(side, &mut own);
            own.is_subset(bound)
        }),
        literal => {
            let mut elsewhere = VariableSet::default();
            let others = literals.iter().enumerate().filter(|&(other, _)| other != index);
            others.for_each(|(_, literal)| literal_variables(literal, &mut elsewhere));
            let mut needed = needs(literal);
            if let Literal::Or(..) = literal {
                // A variable that it does not certainly bind must be bound by another literal.
                literal_variables(literal, &mut needed);
                bindings(literal).iter().for_each(|variable| {
                    needed.remove(variable);
                });
                needed.extend(needs(literal));
            }
            let may_be_local = matches!(literal, Literal::Not(..) | Literal::Or(..));
            let is_local = |variable: &VariableId| may_be_local && !elsewhere.contains(variable);
            needed.iter().all(|variable| bound.contains(variable) || is_local(variable))
        }
    }
}

/// The variables that must be bound before a literal is tried.
fn needs(literal: &Literal) -> VariableSet {
    let mut own = VariableSet::default();
    match literal {
        Literal::Atom(_) | Literal::Equal(..) => {}
        Literal::Not(..) | Literal::Distinct(..) => literal_variables(literal, &mut own),
        Literal::Or(branches, _) => {
            for branch in branches {
                let given: VariableSet = branch.iter().flat_map(bindings).collect();
                own.extend(branch.iter().flat_map(needs).filter(|variable| !given.contains(variable)));
            }
        }
    }
    own
}

/// The variables that have a value once a literal holds.
pub(super) fn bindings(literal: &Literal) -> VariableSet {
    let mut own = VariableSet::default();
    match literal {
        Literal::Atom(_) | Literal::Equal(..) => literal_variables(literal, &mut own),
        Literal::Not(..) | Literal::Distinct(..) => {}
        Literal::Or(branches, _) => {
            let mut branches = branches.iter().map(|branch| branch.iter().flat_map(bindings).collect::<VariableSet>());
            own = branches.next().unwrap_or_default();
            branches.for_each(|branch| own.retain(|variable| branch.contains(variable)));
        }
    }
    own
}
