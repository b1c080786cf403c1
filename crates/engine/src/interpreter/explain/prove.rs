//! Proofs: why a claim holds.
//!
//! The reason of a claim is the first clause of the text that derives it, with the first values of its variables in
//! canonical order; for recursive relations, [`super::justify`] chooses, so that no proof rests on itself. The
//! traversal keeps its own stack, since chains of proofs may be longer than the call stack allows.

use super::conjunction::{ConjunctionPath, Environment, restricted};
use super::matching::{ground, match_head};
use super::oracle::ConjunctionQuestion;
use super::sheet::negation;
use super::why::{ClaimId, FailureReason, Proof, ProofStep, Verdict};
use super::{Explainer, MOST_NODES};
use crate::interpreter::QueryError;
use gdl::rules::{GroundTerm, Keyword, Literal, RelationId};
use gdl::syntax::ast::Formula;

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
            proved = match (premise, open.len()) {
                (Some(Premise::Goal(goal)), _) => self.start(goal, &mut open)?,
                (Some(other), _) => Some(self.prove_premise(other)?),
                (None, _) => open.pop().map(|finished| self.finish(finished)),
            };
        }
    }

    pub(super) fn prove_premise(&mut self, premise: Premise) -> Result<ClaimId, QueryError> {
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
        let mut variables = super::conjunction::variables(&literals, question.path.literals(clause), known);
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
