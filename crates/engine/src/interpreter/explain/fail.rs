//! Failures: the reason for which a claim does not hold.
//!
//! For each clause that could derive the claim, the explanation has the longest prefix of its body that can be
//! satisfied, and the literal after it. If a prefix fails, so do all longer ones, so bisection finds the longest.

use super::oracle::{ConjunctionPath, ConjunctionQuestion, Environment, order_of_trial};
use super::sheet::{instantiated, unify_head};
use super::{Attempt, ClaimId, ConjunctionSource, Explainer, FailureReason, Proof, ProofStep, Verdict};
use crate::interpreter::QueryError;
use gdl::number::to_u32;
use gdl::rules::{Atom, Keyword, Literal, Pattern};
use gdl::syntax::ast::Formula;

impl Explainer<'_> {
    /// Explains why a conjunction fails. Failures are followed through `levels` levels of relations.
    pub(super) fn fail(
        &mut self,
        path: &ConjunctionPath,
        known: &Environment,
        levels: u32,
    ) -> Result<ClaimId, QueryError> {
        if self.sheet.literals(path).len() == 1 {
            return self.fail_literal(path, 0, known, levels);
        }
        let claim = self.sheet.conjunction_claim(path, known, self.symbols());
        let attempt = self.attempt(path, known, ConjunctionSource::Body, levels)?;
        Ok(self.add(claim, Verdict::Fails(FailureReason::Attempts(vec![attempt]))))
    }

    /// Explains why a literal of a conjunction fails.
    fn fail_literal(
        &mut self,
        path: &ConjunctionPath,
        index: usize,
        known: &Environment,
        levels: u32,
    ) -> Result<ClaimId, QueryError> {
        let literal = &self.sheet.literals(path)[index];
        let claim = self.sheet.substituted(path.clause, literal, known, self.symbols());
        let failure = match literal.clone() {
            Literal::Atom(atom) => return self.fail_atom(claim, &atom, known, levels),
            Literal::Not(..) => match self.deeper(|explainer| explainer.present(&path.literal(index), known))? {
                Some(present) => FailureReason::Present(present),
                None => FailureReason::Unexplored,
            },
            Literal::Or(branches, _) => {
                let mut attempts = Vec::new();
                for branch in 0..branches.len() {
                    let path = path.literal(index).branch(branch);
                    attempts.push(self.attempt(&path, known, ConjunctionSource::Branch(to_u32(branch)), levels)?);
                }
                FailureReason::Attempts(attempts)
            }
            Literal::Distinct(..) => FailureReason::Same,
            Literal::Equal(..) => FailureReason::Different,
        };
        Ok(self.add(claim, Verdict::Fails(failure)))
    }

    /// Explains why a negated conjunction holds.
    fn present(&mut self, path: &ConjunctionPath, known: &Environment) -> Result<ClaimId, QueryError> {
        let Some(solution) = self.first_solution(&ConjunctionQuestion::all(path.clone()), known)? else {
            let claim = self.sheet.conjunction_claim(path, known, self.symbols());
            return Ok(self.add(claim, Verdict::Holds(Proof::Unexplored)));
        };
        self.prove_conjunction(path, &solution)
    }

    /// The proof of a conjunction that holds with these values; if it has a single literal, the proof of that.
    pub(super) fn prove_conjunction(
        &mut self,
        path: &ConjunctionPath,
        solution: &Environment,
    ) -> Result<ClaimId, QueryError> {
        let premises = self.prove_all(path, solution)?;
        if let [only] = premises[..] {
            return Ok(only);
        }
        let claim = self.sheet.conjunction_claim(path, solution, self.symbols());
        let step = ProofStep { bindings: self.sheet.bindings(path.clause, solution), premises };
        Ok(self.add(claim, Verdict::Holds(Proof::All(step))))
    }

    fn fail_atom(
        &mut self,
        claim: Formula,
        atom: &Atom,
        known: &Environment,
        levels: u32,
    ) -> Result<ClaimId, QueryError> {
        let key = (claim.display(gdl::syntax::Dialect::Infix).to_string(), levels);
        if let Some(&failed) = self.failed.get(&key) {
            return Ok(failed);
        }
        let failure = match self.sheet.keyword_of(atom.relation) {
            Some(Keyword::True) => FailureReason::NoFact,
            Some(Keyword::Does) if self.joint_move_given => FailureReason::NoMove,
            Some(Keyword::Does) => FailureReason::NoJointMove,
            _ => self.fail_derived(atom, known, levels)?,
        };
        let node = self.add(claim, Verdict::Fails(failure));
        self.failed.insert(key, node);
        Ok(node)
    }

    /// Explains why no clause derives an atom.
    fn fail_derived(&mut self, atom: &Atom, known: &Environment, levels: u32) -> Result<FailureReason, QueryError> {
        let terms = &mut self.oracle.machine.terms;
        let mut numbers = Vec::new();
        let mut intern = |name: &str| terms.intern_symbol(name);
        let arguments: Vec<Pattern> =
            atom.arguments.iter().map(|argument| instantiated(argument, known, &mut numbers, &mut intern)).collect();
        let clauses = self.sheet.clauses_of(atom.relation).to_vec();
        let mut unified = Vec::new();
        for number in clauses {
            unified
                .extend(unify_head(self.sheet.clause(number), &arguments, self.symbols()).map(|head| (number, head)));
        }
        if unified.is_empty() {
            return Ok(FailureReason::NoClause);
        }
        if levels == 0 || self.is_full() {
            return Ok(FailureReason::Unexplored);
        }
        let mut attempts = Vec::new();
        for (number, head) in unified {
            let clause = if head.changed { self.sheet.add(head.clause, Some(number)) } else { number };
            let Some(source) = self.sheet.clause_ref(number).map(ConjunctionSource::Clause) else { continue };
            attempts.push(self.attempt(&ConjunctionPath::body(clause), &head.environment, source, levels - 1)?);
        }
        Ok(FailureReason::Attempts(attempts))
    }

    /// The longest prefix of a failing conjunction that holds, and the literal at which it fails.
    fn attempt(
        &mut self,
        path: &ConjunctionPath,
        known: &Environment,
        source: ConjunctionSource,
        levels: u32,
    ) -> Result<Attempt, QueryError> {
        let order = order_of_trial(self.sheet.literals(path), known);
        let tried = |count: usize| ConjunctionQuestion { path: path.clone(), tried: Some(order[..count].to_vec()) };
        let mut held = 0;
        let mut too_many = order.len();
        while too_many - held > 1 {
            let middle = held.midpoint(too_many);
            if self.oracle.holds(&tried(middle), self.sheet.clause(path.clause), known)? {
                held = middle;
            } else {
                too_many = middle;
            }
        }
        let solution = self.first_solution(&tried(held), known)?.unwrap_or_else(|| known.clone());
        let fails = match order.get(held) {
            Some(&literal) => self.fail_literal(path, literal, &solution, levels)?,
            // An empty conjunction does not fail.
            None => self.add(
                self.sheet.conjunction_claim(path, known, self.symbols()),
                Verdict::Fails(FailureReason::Unexplored),
            ),
        };
        let bindings = self.sheet.bindings(path.clause, &solution);
        Ok(Attempt { source, bindings, held: to_u32(held), literals: to_u32(order.len()), fails })
    }
}
