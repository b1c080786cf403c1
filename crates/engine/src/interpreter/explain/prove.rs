//! Proofs: the reason for which a claim holds.
//!
//! The reason of a claim is the first clause of the text that derives it, with the first values of its variables in
//! canonical order. The traversal keeps its own stack, since chains of proofs may be longer than the call stack allows.
//!
//! In recursive relations no proof may rest on itself ([`Explainer::justify`]). Starting from the goal, all ways in
//! which it can hold are followed through the mutually recursive relations, breadth first. A goal is justified by a
//! conjunction whose goals of the same relations have all been justified before, so that each rests on older ones (the
//! counting of Dowling and Gallier, *Linear-time algorithms for testing the satisfiability of propositional Horn
//! formulae*, 1984). The search ends as soon as the first goal is justified.

use super::oracle::{ConjunctionPath, ConjunctionQuestion, Environment, restricted, variables};
use super::sheet::{ground, match_head, negation};
use super::{ClaimId, Explainer, FailureReason, MOST_NODES, Proof, ProofStep, Verdict};
use crate::interpreter::QueryError;
use gdl::limits::{Stop, WorkKind};
use gdl::rules::{GroundTerm, Keyword, Literal, RelationId, VariableId};
use gdl::syntax::ast::Formula;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A claim whose proof has premises.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Goal {
    /// A ground atom.
    Atom(RelationId, Vec<GroundTerm>),
    /// A disjunction, with the known values of its variables.
    Either(ConjunctionPath, Environment),
}

/// A literal of a conjunction that holds.
pub(super) enum Premise {
    Goal(Goal),
    /// The conjunction at this position fails.
    Absent(ConjunctionPath, Environment),
    /// A comparison, with its proof.
    Compared(Formula, Proof),
}

/// A reason of a goal: a conjunction with the values of its variables.
#[derive(Clone, Debug)]
pub(super) struct ReasonChoice {
    pub(super) path: ConjunctionPath,
    pub(super) environment: Environment,
}

/// A proof that waits for some of its premises.
struct OpenProof {
    goal: Goal,
    choice: ReasonChoice,
    premises: std::vec::IntoIter<Premise>,
    done: Vec<ClaimId>,
}

impl Explainer<'_> {
    /// Proves a goal that holds.
    pub(super) fn prove(&mut self, goal: Goal) -> Result<ClaimId, QueryError> {
        let mut open: Vec<OpenProof> = Vec::new();
        let mut proved = self.start(goal, &mut open)?;
        loop {
            if let Some(node) = proved.take() {
                match open.last_mut() {
                    Some(waiting) => waiting.done.push(node),
                    None => return Ok(node),
                }
            }
            let Some(premise) = open.last_mut().map(|waiting| waiting.premises.next()) else { continue };
            proved = match premise {
                Some(Premise::Goal(goal)) => self.start(goal, &mut open)?,
                Some(other) => Some(self.prove_premise(other)?),
                None => open.pop().map(|finished| self.finish(finished)),
            };
        }
    }

    fn prove_premise(&mut self, premise: Premise) -> Result<ClaimId, QueryError> {
        match premise {
            Premise::Goal(goal) => self.prove(goal),
            Premise::Absent(path, environment) => self.prove_absent(&path, &environment),
            Premise::Compared(claim, proof) => Ok(self.add(claim, Verdict::Holds(proof))),
        }
    }

    /// Proves the literals of a conjunction that holds with these values.
    pub(super) fn prove_all(
        &mut self,
        path: &ConjunctionPath,
        environment: &Environment,
    ) -> Result<Vec<ClaimId>, QueryError> {
        let premises = self.premises(path, environment);
        premises.into_iter().map(|premise| self.prove_premise(premise)).collect()
    }

    /// Opens the proof of a goal, or returns it if it is known or needs no premises.
    fn start(&mut self, goal: Goal, open: &mut Vec<OpenProof>) -> Result<Option<ClaimId>, QueryError> {
        if let Some(&known) = self.proved.get(&goal) {
            return Ok(Some(known));
        }
        let leaf = match &goal {
            Goal::Atom(relation, _) => match self.sheet.keyword_of(*relation) {
                Some(Keyword::True) => Some(Proof::Fact),
                Some(Keyword::Does) => Some(Proof::Move),
                _ => None,
            },
            Goal::Either(..) => None,
        };
        if let Some(proof) = leaf {
            let node = self.add(self.claim_of(&goal), Verdict::Holds(proof));
            self.proved.insert(goal, node);
            return Ok(Some(node));
        }
        let choice = if self.is_full() || open.len() >= MOST_NODES { None } else { self.choose(&goal)? };
        let Some(choice) = choice else {
            return Ok(Some(self.add(self.claim_of(&goal), Verdict::Holds(Proof::Unexplored))));
        };
        let premises = self.premises(&choice.path, &choice.environment).into_iter();
        open.push(OpenProof { goal, choice, premises, done: Vec::new() });
        Ok(None)
    }

    fn finish(&mut self, OpenProof { goal, choice, done, .. }: OpenProof) -> ClaimId {
        let clause = choice.path.clause;
        let step = ProofStep { bindings: self.sheet.bindings(clause, &choice.environment), premises: done };
        let proof = match (&goal, self.sheet.clause_ref(clause)) {
            (Goal::Atom(..), Some(clause)) => Proof::Clause(clause, step),
            _ => Proof::Branch(choice.path.last_step(), step),
        };
        let node = self.add(self.claim_of(&goal), Verdict::Holds(proof));
        self.proved.insert(goal, node);
        node
    }

    /// Finds the reason of a goal.
    fn choose(&mut self, goal: &Goal) -> Result<Option<ReasonChoice>, QueryError> {
        let candidates = match self.component_of(goal) {
            Some(component) => self.justify(goal, component)?.into_iter().collect(),
            None => self.alternatives(goal),
        };
        for ReasonChoice { path, environment } in candidates {
            if let Some(environment) = self.first_solution(&ConjunctionQuestion::all(path.clone()), &environment)? {
                return Ok(Some(ReasonChoice { path, environment }));
            }
        }
        Ok(None)
    }

    /// The conjunctions that could derive a goal, with the known values of their variables.
    pub(super) fn alternatives(&self, goal: &Goal) -> Vec<ReasonChoice> {
        match goal {
            Goal::Atom(relation, arguments) => {
                let clauses = self.sheet.clauses_of(*relation).iter();
                let candidate = |&clause: &usize| {
                    let environment = match_head(self.sheet.clause(clause), arguments, self.symbols())?;
                    Some(ReasonChoice { path: ConjunctionPath::body(clause), environment })
                };
                clauses.filter_map(candidate).collect()
            }
            Goal::Either(path, environment) => {
                let Some(Literal::Or(branches, _)) = self.sheet.literals(path).first() else { return Vec::new() };
                let branch = |branch| ReasonChoice { path: path.branch(branch), environment: environment.clone() };
                (0..branches.len()).map(branch).collect()
            }
        }
    }

    /// The first solution of a question in canonical order: variable by variable, the least value that is compatible
    /// with the previous ones.
    pub(super) fn first_solution(
        &mut self,
        question: &ConjunctionQuestion,
        known: &Environment,
    ) -> Result<Option<Environment>, QueryError> {
        let clause = self.sheet.clause(question.path.clause);
        let literals = question.literals(clause);
        let mut solution = known.clone();
        if literals.is_empty() {
            return Ok(Some(solution));
        }
        let mut variables = variables(&literals, question.path.literals(clause), known);
        variables.retain(|variable| known[variable.index()].is_none());
        if variables.is_empty() {
            return Ok(self.oracle.holds(question, clause, known)?.then_some(solution));
        }
        for variable in variables {
            let values = self.oracle.values(question, clause, &solution, &[variable])?;
            let Some(first) = values.into_iter().flatten().next() else { return Ok(None) };
            solution[variable.index()] = Some(first);
        }
        Ok(Some(solution))
    }

    /// The literals of a conjunction with these values, as premises.
    pub(super) fn premises(&self, path: &ConjunctionPath, environment: &Environment) -> Vec<Premise> {
        let literals = self.sheet.literals(path).iter().enumerate();
        literals.map(|(index, literal)| self.premise(path, index, literal, environment)).collect()
    }

    /// A literal of a conjunction with these values, as a premise.
    pub(super) fn premise(
        &self,
        path: &ConjunctionPath,
        index: usize,
        literal: &Literal,
        environment: &Environment,
    ) -> Premise {
        let here = || restricted(environment, std::slice::from_ref(literal));
        let claim = || self.sheet.substituted(path.clause, literal, environment, self.symbols());
        match literal {
            Literal::Atom(atom) => {
                let value = |argument| ground(argument, environment, self.symbols());
                match atom.arguments.iter().map(value).collect::<Option<_>>() {
                    Some(arguments) => Premise::Goal(Goal::Atom(atom.relation, arguments)),
                    // Only a sheet that fails the checks has an atom whose variables have no values.
                    None => Premise::Compared(claim(), Proof::Unexplored),
                }
            }
            Literal::Not(..) => Premise::Absent(path.literal(index), here()),
            Literal::Or(..) => Premise::Goal(Goal::Either(path.literal(index), here())),
            Literal::Distinct(..) => Premise::Compared(claim(), Proof::Different),
            Literal::Equal(..) => Premise::Compared(claim(), Proof::Same),
        }
    }

    /// The proof of a negation: why the conjunction at this position fails.
    fn prove_absent(&mut self, path: &ConjunctionPath, environment: &Environment) -> Result<ClaimId, QueryError> {
        let claim = self.sheet.conjunction_claim(path, environment, self.symbols());
        let fails = self.deeper(|explainer| explainer.fail(path, environment, Self::LEVELS_UNDER_NEGATION))?;
        let fails = match fails {
            Some(fails) => fails,
            None => self.add(claim.clone(), Verdict::Fails(FailureReason::Unexplored)),
        };
        Ok(self.add(negation(claim), Verdict::Holds(Proof::Absent(fails))))
    }

    /// The goal as a claim.
    fn claim_of(&self, goal: &Goal) -> Formula {
        match goal {
            Goal::Atom(relation, arguments) => self.sheet.ground_atom(*relation, arguments, self.symbols()),
            Goal::Either(path, environment) => self.sheet.conjunction_claim(path, environment, self.symbols()),
        }
    }
}

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
    fn component_of(&self, goal: &Goal) -> Option<usize> {
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

    /// True if some positive literal is of a relation of the component.
    fn mentions(&self, literals: &[Literal], component: usize) -> bool {
        literals.iter().any(|literal| match literal {
            Literal::Atom(atom) => self.component(atom.relation) == Some(component),
            Literal::Or(branches, _) => branches.iter().any(|branch| self.mentions(branch, component)),
            Literal::Not(..) | Literal::Distinct(..) | Literal::Equal(..) => false,
        })
    }

    /// A conjunction by which a goal of the component holds and that does not lead back to it. The values of some
    /// variables may be open.
    fn justify(&mut self, goal: &Goal, component: usize) -> Result<Option<ReasonChoice>, QueryError> {
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

    /// Records that a goal is justified, and then all goals that waited only for it.
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
        let mut open = variables(literals, literals, &environment);
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
