//! Explanations: the proof of a literal that holds, and the reason for which a literal fails.
//!
//! The engine decides which literals hold (`oracle`); the normalised clauses of the rules are the text of the proof
//! (`sheet`). `prove` finds reasons, and `fail` finds the literal at which a rule fails. The result is a
//! [`Justification`]: claims in a list that refer to each other by number, so that a proof that is needed twice is
//! listed once. The reason of a claim refers only to earlier claims, so no proof rests on itself. [`render`] turns it
//! into text or JSON.

mod fail;
mod oracle;
mod prove;
pub mod render;
mod sheet;

use super::definitions::AnswerScope;
use super::query::unbound_names;
use super::{Interpreter, QueryError, State};
use gdl::number::to_u32;
use gdl::rules::{Atom, Clause, DependencyGraph, GroundTerm, RuleSet, Symbols};
use gdl::syntax::ast::Formula;
use gdl::syntax::operations::OperationNames;
use gdl::syntax::{Dialect, Span};
use ggp_game::Move;
pub(super) use oracle::QuestionDefinitions;
use oracle::{ConjunctionPath, ConjunctionQuestion, Oracle};
use prove::{Goal, ReasonChoice};
use rustc_hash::{FxHashMap, FxHashSet};
use sheet::ExplainedSheet;
use std::sync::Arc;

/// The maximum number of claims of one explanation; further ones are left unexplored.
const MOST_NODES: usize = 20_000;
/// The maximum depth to which proofs and failures are nested.
const MOST_NESTED: u32 = 64;

impl Interpreter {
    /// The number of levels of relations to which a failure is followed by default: the literal asked for, and those at
    /// which its rules fail.
    pub const LEVELS: u32 = 2;

    /// Explains why a literal holds in a state, or why it does not. Literals about `does`, `next` or what depends on
    /// them need a joint move. Of a literal with variables, the first solution in canonical order is explained.
    ///
    /// The reason of a claim is the first clause of the text that derives it, with the first values of its variables in
    /// canonical order; in a recursive relation, the first clause and values that do not lead back to the claim. Takes
    /// some milliseconds, or up to some hundred for a game such as chess, most of them to compile questions that are
    /// new.
    ///
    /// # Errors
    /// Those of [`Interpreter::query`].
    #[doc(alias = "explain")]
    pub fn why(
        &mut self,
        state: &State,
        joint_move: Option<&[Move]>,
        literal: &Formula,
    ) -> Result<Justification, QueryError> {
        self.why_to_level(state, joint_move, literal, Self::LEVELS)
    }

    /// As [`Interpreter::why`], with failures followed for `levels` levels of relations.
    ///
    /// # Errors
    /// Those of [`Interpreter::query`].
    pub fn why_to_level(
        &mut self,
        state: &State,
        joint_move: Option<&[Move]>,
        literal: &Formula,
        levels: u32,
    ) -> Result<Justification, QueryError> {
        self.check_owner(state)?;
        let asked = self.as_asked(std::slice::from_ref(literal));
        let (names, body, variables) = self.named_literals(&asked);
        let unbound = unbound_names(&body, &variables);
        let span = Span::default();
        let head = Atom { relation: names.keyword(gdl::rules::Keyword::Terminal), arguments: Vec::new(), span };
        let question = Clause { head, body, variables, span };
        self.machine.forget(self.queries.program().unwrap_or(&self.program), AnswerScope::Game);
        self.forget_state();
        let (mut program, questions) = self.lend_program();
        self.load(state)?;
        self.set_joint_move(joint_move.unwrap_or(&[]));
        let rules = Arc::clone(&self.rules);
        let sheet = ExplainedSheet::new(&rules, names.relations);
        let known_clauses = sheet.len();
        let mut explainer = Explainer {
            oracle: Oracle::new(&mut self.machine, Arc::make_mut(&mut program), questions, state),
            sheet,
            components: components(&rules),
            joint_move_given: joint_move.is_some(),
            nodes: Vec::new(),
            proved: FxHashMap::default(),
            failed: FxHashMap::default(),
            justified: FxHashMap::default(),
            nesting: 0,
        };
        let why = explainer.explain(literal, question, levels);
        let questions = explainer.oracle.into_questions(known_clauses);
        self.machine.forget(&program, AnswerScope::Game);
        self.queries.give_back(program, questions);
        self.forget_state();
        why.map_err(|error| error.naming(unbound))
    }
}

/// An explanation that is being made.
struct Explainer<'a> {
    oracle: Oracle<'a>,
    sheet: ExplainedSheet<'a>,
    /// For each relation that depends on itself, the number of its component of mutually dependent relations.
    components: Vec<Option<usize>>,
    joint_move_given: bool,
    nodes: Vec<ProofNode>,
    /// The claims that are proved.
    proved: FxHashMap<Goal, ClaimId>,
    /// The claims that fail, by their text and the number of levels to which the failure is followed.
    failed: FxHashMap<(String, u32), ClaimId>,
    /// Goals of recursive relations, each with a reason that does not lead back to it.
    justified: FxHashMap<Goal, ReasonChoice>,
    nesting: u32,
}

impl Explainer<'_> {
    /// The number of levels to which the failure of a negated literal is followed.
    const LEVELS_UNDER_NEGATION: u32 = 1;

    fn explain(&mut self, literal: &Formula, question: Clause, levels: u32) -> Result<Justification, QueryError> {
        let known = vec![None; question.variables.len()];
        let path = ConjunctionPath::body(self.sheet.add(question, None));
        let solution = self.first_solution(&ConjunctionQuestion::all(path.clone()), &known)?;
        let root = match &solution {
            Some(solution) => self.prove_conjunction(&path, solution)?,
            None => self.fail(&path, &known, levels)?,
        };
        let bindings = solution.as_ref().map(|solution| self.sheet.bindings(path.clause, solution));
        let solution = bindings.unwrap_or_default();
        let holds = self.nodes[root.0 as usize].holds();
        Ok(Justification {
            question: literal.clone(),
            holds,
            solution,
            nodes: std::mem::take(&mut self.nodes),
            root,
            words: self.sheet.rules().operations.clone(),
        })
    }

    /// Adds a claim and returns its number.
    fn add(&mut self, claim: Formula, verdict: Verdict) -> ClaimId {
        self.nodes.push(ProofNode { claim, verdict });
        ClaimId(to_u32(self.nodes.len()) - 1)
    }

    fn symbols(&self) -> &Symbols {
        self.oracle.machine.terms.symbols()
    }

    /// True if the maximum number of claims is reached.
    fn is_full(&self) -> bool {
        self.nodes.len() >= MOST_NODES
    }

    /// Runs a step from a proof into a failure, or the reverse; `None` if these are nested too deeply.
    fn deeper(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<ClaimId, QueryError>,
    ) -> Result<Option<ClaimId>, QueryError> {
        if self.nesting == MOST_NESTED || self.is_full() {
            return Ok(None);
        }
        self.nesting += 1;
        let node = run(self);
        self.nesting -= 1;
        node.map(Some)
    }
}

/// The groups of relations that depend on themselves.
fn components(rules: &RuleSet) -> Vec<Option<usize>> {
    let graph = DependencyGraph::new(rules);
    let mut components = vec![None; rules.relations.len()];
    for (number, members) in graph.components().into_iter().enumerate() {
        let recursive = members.len() > 1 || graph.needs(members[0]).iter().any(|need| need.to == members[0]);
        if recursive {
            members.iter().for_each(|member| components[member.index()] = Some(number));
        }
    }
    components
}

/// The answer to `why`: a proof of the question, or the reason for which there is none.
#[derive(Clone, Debug)]
pub struct Justification {
    /// The question.
    pub(crate) question: Formula,
    /// True if the question holds.
    pub holds: bool,
    /// The values of the question's variables in the solution that is explained, the first in canonical order. Empty if
    /// the question has no variables or no solution.
    pub(crate) solution: Vec<Binding>,
    /// All claims; each refers only to earlier ones.
    pub nodes: Vec<ProofNode>,
    /// The claim that answers the question.
    pub root: ClaimId,
    /// The words of a sheet with operations.
    words: Option<Arc<OperationNames>>,
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
    /// The verdict on the claim.
    pub verdict: Verdict,
}

/// The verdict on a claim, with the reason.
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

    /// A claim as the sheet writes it: in a sheet with operations a fact of the state without `true`.
    pub(crate) fn as_written(&self, claim: &Formula) -> String {
        let written = self.words.as_ref().map(|words| words.as_written(claim));
        written.as_ref().unwrap_or(claim).display(Dialect::Infix).to_string()
    }

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
    /// True if the claim holds.
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
