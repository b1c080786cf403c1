//! What an explanation is: claims, each with the reason why it holds or fails.
//!
//! Claims are kept in a list and refer to each other by number, so that a proof that is needed twice stands there once. The
//! reason of a claim refers only to claims before it: a proof never rests on itself.

use crate::rules::GroundTerm;
use crate::syntax::Span;
use crate::syntax::ast::Formula;
use std::sync::Arc;

/// The answer to `why`: a proof of the question, or why there is none.
#[derive(Clone, Debug)]
pub struct Why {
    /// What was asked.
    pub question: Formula,
    /// Whether it holds.
    pub holds: bool,
    /// The values of the question's variables in the solution that is explained: the first in canonical order. Empty where
    /// the question has no variables, or no solution.
    pub solution: Vec<Binding>,
    /// All claims; each refers only to those before it.
    pub nodes: Vec<Node>,
    /// The claim that answers the question.
    pub root: NodeId,
}

/// A claim: its place in [`Why::nodes`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(transparent)]
pub struct NodeId(pub u32);

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The variable's name, as infix reads it.
    pub variable: Arc<str>,
    /// Its value.
    pub value: GroundTerm,
}

/// A claim with its reason.
#[derive(Clone, Debug)]
pub struct Node {
    /// A ground literal; where it fails it may have variables, and the claim is that no value of them makes it hold. It is a
    /// tree of infix, without positions.
    pub claim: Formula,
    /// Whether it holds, and why.
    pub verdict: Verdict,
}

/// Whether a claim holds, and why.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds.
    Holds(Proof),
    /// It does not hold.
    Fails(Failure),
}

/// Why a claim holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// `true(F)`: a fact of the state.
    Fact,
    /// `does(R, M)`: a move of the joint move.
    Move,
    /// A clause of the sheet gives it; without premises, a fact.
    Clause(ClauseRef, Step),
    /// A disjunction: one of its branches holds, counted from 0.
    Branch(u32, Step),
    /// A conjunction: all parts hold.
    All(Step),
    /// `distinct`: the terms differ.
    Different,
    /// `not distinct`: the terms are the same.
    Same,
    /// A negation: what it denies fails.
    Absent(NodeId),
    /// It is not explained further, since the explanation would be too large.
    Unexplored,
}

/// A conjunction that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The values of the variables.
    pub bindings: Vec<Binding>,
    /// Its literals, in the order of the text. A disjunction that shares a variable with other literals, and does not bind it in
    /// every branch, is not among them; the literals of the branch that holds stand in its place.
    pub premises: Vec<NodeId>,
}

/// A clause of the rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClauseRef {
    /// Its place in [`crate::rules::RuleSet::clauses`].
    pub index: usize,
    /// Where it stands in the text.
    pub span: Span,
}

/// Why a claim fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// `true(F)`: the state has no such fact.
    NoFact,
    /// `does(R, M)`: the joint move has no such move.
    NoMove,
    /// `does(R, M)`: no joint move was given.
    NoJointMove,
    /// There is no clause whose head could be this.
    NoClause,
    /// Every clause that could give it, every branch of a disjunction, or the one conjunction, fails at some literal.
    Attempts(Vec<Attempt>),
    /// `distinct`: the terms are the same.
    Same,
    /// `not distinct`: the terms differ.
    Different,
    /// A negation: what it denies holds.
    Present(NodeId),
    /// It is not explained further, since the explanation would be too large or too deep.
    Unexplored,
}

/// How far a conjunction gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// What is attempted.
    pub source: Source,
    /// Values of variables with which the most literals hold, one after the other: the first such in canonical order.
    pub bindings: Vec<Binding>,
    /// How many literals hold with them.
    pub held: u32,
    /// How many literals there are.
    pub literals: u32,
    /// The first literal that fails. Literals are tried in the order of the text, but for tests such as negations: they wait
    /// until their variables have values.
    pub fails: NodeId,
}

/// A conjunction that is attempted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The body of a clause.
    Clause(ClauseRef),
    /// A branch of a disjunction, counted from 0.
    Branch(u32),
    /// The conjunction that is asked for or denied itself.
    Body,
}

impl Why {
    /// A claim.
    ///
    /// # Panics
    /// Where the id is one of another explanation.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}

impl Node {
    /// Whether the claim holds.
    pub fn holds(&self) -> bool {
        matches!(self.verdict, Verdict::Holds(_))
    }

    /// The claims that the reason refers to, in order.
    pub fn reasons(&self) -> Vec<NodeId> {
        match &self.verdict {
            Verdict::Holds(Proof::Clause(_, step) | Proof::Branch(_, step) | Proof::All(step)) => step.premises.clone(),
            Verdict::Holds(Proof::Absent(why)) | Verdict::Fails(Failure::Present(why)) => vec![*why],
            Verdict::Fails(Failure::Attempts(attempts)) => attempts.iter().map(|attempt| attempt.fails).collect(),
            Verdict::Holds(_) | Verdict::Fails(_) => Vec::new(),
        }
    }
}
