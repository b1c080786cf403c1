//! The data of an explanation: claims, each with the reason for which it holds or fails.
//!
//! Claims are kept in a list and refer to each other by number, so that a proof that is needed twice is listed once.
//! The reason of a claim refers only to earlier claims, so no proof rests on itself.

use gdl::rules::GroundTerm;
use gdl::syntax::Span;
use gdl::syntax::ast::Formula;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The answer to `why`: a proof of the question, or the reason for which there is none.
#[derive(Clone, Debug)]
pub struct Justification {
    /// The question.
    pub(crate) question: Formula,
    /// Whether the question holds.
    pub holds: bool,
    /// The values of the question's variables in the solution that is explained, the first in canonical order. Empty if
    /// the question has no variables or no solution.
    pub(crate) solution: Vec<Binding>,
    /// All claims; each refers only to earlier ones.
    pub nodes: Vec<ProofNode>,
    /// The claim that answers the question.
    pub root: ClaimId,
}

/// A claim, as an index into [`Justification::nodes`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(transparent)]
pub struct ClaimId(pub(crate) u32);

impl ClaimId {
    /// The id as an index into [`Justification::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The variable's name in infix.
    pub(crate) variable: Arc<str>,
    /// The value of the variable.
    pub(crate) value: GroundTerm,
}

/// A claim with its reason.
#[derive(Clone, Debug)]
pub struct ProofNode {
    /// A ground literal; if it fails it may have variables, and the claim is that it holds for no value of them. A tree
    /// in infix, without positions.
    pub claim: Formula,
    /// Whether the claim holds, with the reason.
    pub verdict: Verdict,
}

/// Whether a claim holds, with the reason.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The claim holds.
    Holds(Proof),
    /// The claim does not hold.
    Fails(FailureReason),
}

/// The reason for which a claim holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// `true(F)`: a fact of the state.
    Fact,
    /// `does(R, M)`: a move of the joint move.
    Move,
    /// A clause of the rule sheet derives it; without premises, the clause is a fact.
    Clause(ClauseRef, ProofStep),
    /// A disjunction, one of whose branches holds; branches are counted from 0.
    Branch(u32, ProofStep),
    /// A conjunction, all parts of which hold.
    All(ProofStep),
    /// `distinct`: the terms differ.
    Different,
    /// `not distinct`: the terms are equal.
    Same,
    /// A negation whose operand fails.
    Absent(ClaimId),
    /// Not explained, since the explanation would become too large.
    Unexplored,
}

/// A conjunction that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofStep {
    /// The values of the variables.
    pub(crate) bindings: Vec<Binding>,
    /// Its literals, in the order of the text. A disjunction that shares a variable with other literals, and does not
    /// bind it in every branch, is replaced by the literals of the branch that holds.
    pub premises: Vec<ClaimId>,
}

/// A clause of the rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClauseRef {
    /// Its index in [`gdl::rules::RuleSet::clauses`].
    pub index: usize,
    /// Its span in the text.
    pub span: Span,
}

/// The reason for which a claim fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureReason {
    /// `true(F)`: the state has no such fact.
    NoFact,
    /// `does(R, M)`: the joint move has no such move.
    NoMove,
    /// `does(R, M)`: no joint move was given.
    NoJointMove,
    /// No clause has a head of this form.
    NoClause,
    /// Every clause that could derive it, every branch of a disjunction, or the conjunction fails at some literal.
    Attempts(Vec<Attempt>),
    /// `distinct`: the terms are equal.
    Same,
    /// `not distinct`: the terms differ.
    Different,
    /// A negation whose operand holds.
    Present(ClaimId),
    /// Not explained, since the explanation would become too large or too deep.
    Unexplored,
}

/// The longest part of a conjunction that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The conjunction that is attempted.
    pub(crate) source: ConjunctionSource,
    /// Values of variables for which the longest prefix of the literals holds; the first such values in canonical
    /// order.
    pub(crate) bindings: Vec<Binding>,
    /// The number of literals that hold with these values.
    pub held: u32,
    /// The number of all literals.
    pub literals: u32,
    /// The first literal that fails. Literals are tried in the order of the text, except that tests such as negations
    /// wait until their variables have values.
    pub fails: ClaimId,
}

/// A conjunction that is attempted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConjunctionSource {
    /// The body of a clause.
    Clause(ClauseRef),
    /// A branch of a disjunction, counted from 0.
    Branch(u32),
    /// The conjunction of the question or of a negation.
    Body,
}

impl Justification {
    /// The claim with this id.
    ///
    /// # Panics
    /// If the id belongs to another explanation and is out of range.
    pub fn node(&self, id: ClaimId) -> &ProofNode {
        &self.nodes[id.index()]
    }
}

impl Justification {
    /// The facts of the state on which the proof rests without a negation, each with the clause that uses it; empty if
    /// the question does not hold.
    pub fn facts_used(&self) -> Vec<(ClaimId, ClauseRef)> {
        let mut used = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open: Vec<(ClaimId, Option<ClauseRef>)> = vec![(self.root, None)];
        while let Some((id, clause)) = open.pop() {
            let (step, clause) = match &self.node(id).verdict {
                Verdict::Holds(Proof::Fact) => {
                    used.extend(clause.map(|clause| (id, clause)));
                    continue;
                }
                Verdict::Holds(Proof::Clause(own, step)) => (step, Some(*own)),
                Verdict::Holds(Proof::Branch(_, step) | Proof::All(step)) => (step, clause),
                _ => continue,
            };
            if seen.insert(id) {
                open.extend(step.premises.iter().map(|&premise| (premise, clause)));
            }
        }
        used
    }
}

impl ProofNode {
    /// Whether the claim holds.
    pub fn holds(&self) -> bool {
        matches!(self.verdict, Verdict::Holds(_))
    }

    /// The claims to which the reason refers, in order.
    pub fn reasons(&self) -> Vec<ClaimId> {
        match &self.verdict {
            Verdict::Holds(Proof::Clause(_, step) | Proof::Branch(_, step) | Proof::All(step)) => step.premises.clone(),
            Verdict::Holds(Proof::Absent(why)) | Verdict::Fails(FailureReason::Present(why)) => vec![*why],
            Verdict::Fails(FailureReason::Attempts(attempts)) => attempts.iter().map(|attempt| attempt.fails).collect(),
            Verdict::Holds(_) | Verdict::Fails(_) => Vec::new(),
        }
    }
}
