//! Proofs of recursive relations that do not rest on themselves.
//!
//! Starting from the goal, all ways in which it can hold are followed through the mutually recursive relations, breadth
//! first. A goal is justified by a conjunction whose goals of the same relations have all been justified before, so
//! that each rests on older ones (the counting of Dowling and Gallier, *Linear-time algorithms for testing the
//! satisfiability of propositional Horn formulae*, 1984). The search ends as soon as the first goal is justified.

use super::Explainer;
use super::oracle::ConjunctionQuestion;
use super::prove::{Goal, Premise, ReasonChoice};
use crate::interpreter::QueryError;
use gdl::limits::{Stop, WorkKind};
use gdl::rules::{Literal, RelationId, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The maximum number of conjunctions that are tried to justify one goal.
const MOST_INSTANCES: usize = 200_000;

/// A conjunction that would derive a goal.
struct Instance {
    goal: Goal,
    choice: ReasonChoice,
    /// The number of its goals that are not justified yet.
    missing: usize,
}

/// The state of the search for one goal.
#[derive(Default)]
struct GoalSearch {
    instances: Vec<Instance>,
    /// For each goal that is not justified, the instances that need it.
    waiting: FxHashMap<Goal, Vec<usize>>,
    seen: FxHashSet<Goal>,
    queue: VecDeque<Goal>,
}

impl Explainer<'_> {
    /// The component of mutually recursive relations to which a goal belongs; `None` if it cannot rest on itself.
    pub(super) fn component_of(&self, goal: &Goal) -> Option<usize> {
        match goal {
            Goal::Atom(relation, _) => self.component(*relation),
            Goal::Either(path, _) => {
                let head = self.sheet.clause_ref(path.clause)?.index;
                let component = self.component(self.sheet.clause(head).head.relation)?;
                self.mentions(self.sheet.literals(path), component).then_some(component)
            }
        }
    }

    fn component(&self, relation: RelationId) -> Option<usize> {
        self.components.get(relation.index()).copied().flatten()
    }

    /// Whether some positive literal is of a relation of the component.
    fn mentions(&self, literals: &[Literal], component: usize) -> bool {
        literals.iter().any(|literal| match literal {
            Literal::Atom(atom) => self.component(atom.relation) == Some(component),
            Literal::Or(branches, _) => branches.iter().any(|branch| self.mentions(branch, component)),
            Literal::Not(..) | Literal::Distinct(..) | Literal::Equal(..) => false,
        })
    }

    /// A way in which a goal of the component holds that does not lead back to it; the values of some variables may be
    /// open.
    pub(super) fn justify(&mut self, goal: &Goal, component: usize) -> Result<Option<ReasonChoice>, QueryError> {
        let mut search = GoalSearch::default();
        search.meet(goal);
        while !self.justified.contains_key(goal)
            && let Some(next) = search.queue.pop_front()
        {
            self.expand(&next, component, &mut search)?;
            if search.instances.len() > MOST_INSTANCES {
                return Err(Stop::work(WorkKind::Proofs, MOST_INSTANCES as u64).into());
            }
        }
        Ok(self.justified.get(goal).cloned())
    }

    /// Adds the instances that would derive a goal, until it is justified.
    fn expand(&mut self, goal: &Goal, component: usize, search: &mut GoalSearch) -> Result<(), QueryError> {
        for choice in self.alternatives(goal) {
            for choice in self.instances(choice, component)? {
                let mut needed = self.goals_within(&choice, component);
                needed.retain(|needed| !self.justified.contains_key(needed));
                if needed.is_empty() {
                    self.spread(goal.clone(), choice, search);
                    return Ok(());
                }
                needed.iter().for_each(|needed| search.meet(needed));
                let number = search.instances.len();
                search.instances.push(Instance { goal: goal.clone(), choice, missing: needed.len() });
                needed.into_iter().for_each(|needed| search.waiting.entry(needed).or_default().push(number));
            }
        }
        Ok(())
    }

    /// Records that a goal is justified, and all goals that waited only for it.
    fn spread(&mut self, goal: Goal, choice: ReasonChoice, search: &mut GoalSearch) {
        let mut fresh = vec![(goal, choice)];
        while let Some((goal, choice)) = fresh.pop() {
            if self.justified.contains_key(&goal) {
                continue;
            }
            self.justified.insert(goal.clone(), choice);
            for number in search.waiting.remove(&goal).unwrap_or_default() {
                let instance = &mut search.instances[number];
                instance.missing -= 1;
                if instance.missing == 0 {
                    fresh.push((instance.goal.clone(), instance.choice.clone()));
                }
            }
        }
    }

    /// The ways in which a conjunction holds, distinguished by the values in its literals of the component.
    fn instances(&mut self, choice: ReasonChoice, component: usize) -> Result<Vec<ReasonChoice>, QueryError> {
        let ReasonChoice { path, environment } = choice;
        let clause = self.sheet.clause(path.clause);
        let literals = path.literals(clause);
        if literals.is_empty() {
            return Ok(vec![ReasonChoice { path, environment }]);
        }
        // All variables of these literals; otherwise the goals that are justified would not be those that the proof
        // needs.
        let mut open = super::conjunction::variables(literals, literals, &environment);
        let within = |variable: &VariableId| {
            let own = literals.iter().filter(|literal| self.mentions(std::slice::from_ref(literal), component));
            let mut found = false;
            own.for_each(|literal| literal.each_variable(&mut |other| found |= other == *variable));
            found
        };
        open.retain(|variable| environment[variable.index()].is_none() && within(variable));
        let rows = self.oracle.values(&ConjunctionQuestion::all(path.clone()), clause, &environment, &open)?;
        let choice = |row: Vec<_>| {
            let mut environment = environment.clone();
            open.iter().zip(row).for_each(|(variable, value)| environment[variable.index()] = Some(value));
            ReasonChoice { path: path.clone(), environment }
        };
        Ok(rows.into_iter().map(choice).collect())
    }

    /// The goals of the component that a conjunction needs, without duplicates.
    fn goals_within(&self, choice: &ReasonChoice, component: usize) -> Vec<Goal> {
        let mut goals = Vec::new();
        for (index, literal) in self.sheet.literals(&choice.path).iter().enumerate() {
            if !self.mentions(std::slice::from_ref(literal), component) {
                continue;
            }
            if let Premise::Goal(goal) = self.premise(&choice.path, index, literal, &choice.environment)
                && !goals.contains(&goal)
            {
                goals.push(goal);
            }
        }
        goals
    }
}

impl GoalSearch {
    /// Enqueues a goal, unless it has been seen.
    fn meet(&mut self, goal: &Goal) {
        if self.seen.insert(goal.clone()) {
            self.queue.push_back(goal.clone());
        }
    }
}
