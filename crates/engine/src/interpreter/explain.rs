//! Explanations: the proof of a literal that holds, and the reason for which a literal fails.
//!
//! The engine decides what holds (`oracle`); the normalised clauses of the rules are the text of the proof. `prove`
//! finds reasons, `justify` those of recursive relations, and `fail` finds the literal at which a rule fails. The
//! result is [`Justification`]; [`render`] turns it into text or JSON.

mod conjunction;
mod fail;
mod justify;
mod matching;
mod oracle;
mod prove;
pub mod render;
mod sheet;
mod spread;
mod why;

use gdl::number::to_u32;
pub(super) use oracle::QuestionDefinitions;
pub use why::{
    Attempt, Binding, ClaimId, ClauseRef, ConjunctionSource, FailureReason, Justification, Proof, ProofNode, ProofStep,
    Verdict,
};

use super::definitions::AnswerScope;
use super::{Interpreter, QueryError, State};
use conjunction::ConjunctionPath;
use gdl::rules::{Atom, Clause, DependencyGraph, RuleSet, Symbols};
use gdl::syntax::Span;
use gdl::syntax::ast::Formula;
use ggp_game::Move;
use oracle::{ConjunctionQuestion, Oracle};
use prove::{Goal, ReasonChoice};
use rustc_hash::FxHashMap;
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

    /// Why a literal holds in a state, or why it does not. Literals about `does`, `next` or what depends on them need a
    /// joint move. For a literal with variables, the first solution in canonical order is explained.
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
        let (names, body, variables) = self.named_literals(std::slice::from_ref(literal));
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
        why
    }
}

/// An explanation that is being made.
struct Explainer<'a> {
    oracle: Oracle<'a>,
    sheet: ExplainedSheet<'a>,
    /// For each relation that depends on itself, the group of relations that it needs and that need it.
    components: Vec<Option<usize>>,
    joint_move_given: bool,
    nodes: Vec<ProofNode>,
    proved: FxHashMap<Goal, ClaimId>,
    /// By the text of the claim and the number of levels.
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
        Ok(Justification { question: literal.clone(), holds, solution, nodes: std::mem::take(&mut self.nodes), root })
    }

    /// Adds a claim and returns its number.
    fn add(&mut self, claim: Formula, verdict: Verdict) -> ClaimId {
        self.nodes.push(ProofNode { claim, verdict });
        ClaimId(to_u32(self.nodes.len()) - 1)
    }

    fn symbols(&self) -> &Symbols {
        self.oracle.machine.terms.symbols()
    }

    /// Whether the maximum number of claims is reached.
    fn is_full(&self) -> bool {
        self.nodes.len() >= MOST_NODES
    }

    /// Runs a step from a proof into a failure, or back; `None` if that is nested too deeply.
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
