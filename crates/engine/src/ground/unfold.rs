//! Unfolds tests of several variables to the comparisons that they consist of.
//!
//! Two cells differ if their columns or their rows differ: `different(A,B,C,D)` connects four variables, and a rule
//! that uses it cannot be cut between them. Each of the two comparisons connects two. So a rule that tests a variable
//! which its head does not need becomes one rule for each alternative, to which variable elimination applies.

use gdl::rules::{Clause, Literal, Pattern, RelationId, RuleSet, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A test with more alternatives is left as it is.
pub(super) const MOST_ALTERNATIVES: usize = 4;

/// The relations that are tests.
#[derive(Debug, Default)]
pub(super) struct TestRelations {
    alternatives: FxHashMap<RelationId, Vec<Alternative>>,
}

/// A clause of a test: its arguments, which are distinct variables, and its body.
#[derive(Debug)]
struct Alternative {
    variables: Vec<VariableId>,
    body: Vec<Literal>,
}

impl TestRelations {
    /// The relations whose clauses compare their arguments and otherwise need only relations that never change.
    pub(super) fn new(rules: &RuleSet, never_changes: impl Fn(RelationId) -> bool) -> Self {
        let mut alternatives: FxHashMap<RelationId, Vec<Option<Alternative>>> = FxHashMap::default();
        for clause in &rules.clauses {
            let relation = clause.head.relation;
            alternatives.entry(relation).or_default().push(alternative(clause, &never_changes));
        }
        let is_test = |all: &[Alternative]| {
            let compares = |literal: &Literal| matches!(literal, Literal::Distinct(..));
            let size = 2..=MOST_ALTERNATIVES;
            size.contains(&all.len()) && all.iter().all(|alternative| alternative.body.iter().any(compares))
        };
        let whole = alternatives.into_iter().filter_map(|(relation, all)| {
            let all: Vec<Alternative> = all.into_iter().collect::<Option<_>>()?;
            is_test(&all).then_some((relation, all))
        });
        Self { alternatives: whole.collect() }
    }

    /// A clause for each alternative of the first test of variables that the head does not need.
    pub(super) fn unfold(&self, clause: &Clause) -> Option<Vec<Clause>> {
        let mut wanted = FxHashSet::default();
        clause.head.arguments.iter().for_each(|argument| argument.each_variable(&mut |it| wanted.extend([it])));
        let test = |literal: &Literal| {
            let Literal::Atom(atom) = literal else { return None };
            let alternatives = self.alternatives.get(&atom.relation)?;
            let values = variables(&atom.arguments)?;
            values.iter().any(|value| !wanted.contains(value)).then_some((values, alternatives))
        };
        let (index, (values, alternatives)) =
            clause.body.iter().enumerate().find_map(|(index, literal)| Some((index, test(literal)?)))?;
        let unfolded = alternatives.iter().map(|alternative| {
            let value: FxHashMap<_, _> = alternative.variables.iter().zip(&values).collect();
            let mut body = alternative.body.clone();
            body.iter_mut()
                .for_each(|literal| literal.each_variable_mut(&mut |variable| *variable = *value[&*variable]));
            let mut chosen = clause.clone();
            chosen.body.splice(index..=index, body);
            chosen
        });
        Some(unfolded.collect())
    }
}

/// A clause as an alternative of a test.
fn alternative(clause: &Clause, never_changes: impl Fn(RelationId) -> bool) -> Option<Alternative> {
    let variables = variables(&clause.head.arguments)?;
    let is_distinct = variables.iter().collect::<FxHashSet<_>>().len() == variables.len();
    let plain = |literal: &Literal| match literal {
        Literal::Distinct(..) => true,
        Literal::Atom(atom) => atom.relation != clause.head.relation && never_changes(atom.relation),
        _ => false,
    };
    let mut own = Vec::new();
    clause.body.iter().for_each(|literal| literal.each_variable(&mut |variable| own.push(variable)));
    let is_test = is_distinct && clause.body.iter().all(plain) && own.iter().all(|it| variables.contains(it));
    is_test.then(|| Alternative { variables, body: clause.body.clone() })
}

/// The arguments, if all are variables.
fn variables(arguments: &[Pattern]) -> Option<Vec<VariableId>> {
    let variable = |argument: &Pattern| match argument {
        Pattern::Variable(variable) => Some(*variable),
        _ => None,
    };
    arguments.iter().map(variable).collect()
}
