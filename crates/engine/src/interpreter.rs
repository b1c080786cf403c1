//! The resolution engine: answers straight from the rules.
//!
//! ```
//! use ggp_game::{Reasoner, Role, Utility};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = "role(robot) init(at(1)) legal(robot, go) next(at(2)) :- does(robot, go)
//!             terminal :- true(at(2)) goal(robot, 100) :- true(at(2))";
//! let source = gdl::syntax::Source::new("walk", text);
//! let rules = gdl::rules::normalise(&gdl::syntax::parse(&source, None).sheet);
//! let mut walk = ggp_engine::interpreter::Interpreter::new(rules.into())?;
//! let start = walk.initial_state()?;
//! let mut moves = Vec::new();
//! walk.legal_moves(&start, Role::new(0), &mut moves)?;
//! let end = walk.next_state(&start, &moves)?;
//! assert!(walk.is_terminal(&end)?);
//! assert_eq!(walk.goal(&end, Role::new(0))?, Utility::whole(100));
//! # Ok(())
//! # }
//! ```
//!
//! Rules are compiled for the kinds of calls that occur, with the literals of each body in the order that suits the
//! bindings. A question is answered by following calls, as in resolution, and answers are kept in tables, so that
//! nothing is asked twice. Relations that depend on neither `true` nor `does` are computed once. Recursive relations
//! are brought to their least fixpoint, restricted to the questions asked. Nothing is grounded, so this engine runs
//! every rule sheet that passes the checks.
//!
//! From rule to answer: `prepare` multiplies disjunctions out, `definitions` finds the clauses that can answer a call,
//! `order` and `compile` make plans, `program` holds them, `store` computes the relations that never change, `recursion` makes
//! rules that new tuples trigger, and `resolve` runs both on the data of `terms`, `index`, `database` and `table`.
//! `query` answers questions from outside, `closure` evaluates rules bottom-up for grounding. The room builds on
//! [`gdl::rules`], and implements the trait [`ggp_game::Reasoner`].

pub(crate) mod closure;
mod compile;
mod database;
mod definitions;
pub mod explain;
mod index;
mod order;
mod plan;
mod prepare;
mod program;
mod query;
mod recursion;
mod resolve;
mod store;
mod table;
mod terms;

pub use database::State;
pub use definitions::QueryError;
pub use explain::Justification;
pub(crate) use query::RelationQuestion;
pub use query::Solutions;

use database::StateOwner;
use definitions::{AnswerScope, DefinitionId, Definitions};
use gdl::limits::{Limits, Stop, WorkKind};
use gdl::rules::{GroundTerm, Keyword, RuleSet};
use ggp_game::{
    BatchReasoner, Expansions, Fluent, KeyReasoner, Move, Percept, PerceptReasoner, ReasonError, Reasoner, Role,
    Utility, UtilityRange,
};
use plan::PredicateId;
use program::{CompiledRules, Compiler, Mode};
use query::Queries;
use resolve::WorkingMemory;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use store::store_all;
use terms::{Ranks, TermId, Terms};

/// The maximum number of terms in answers that are kept for the whole game; beyond it they are discarded and computed
/// anew.
const MOST_KEPT_ANSWERS: usize = 1 << 24;

/// The resolution engine for one game.
#[derive(Clone, Debug)]
pub struct Interpreter {
    rules: Arc<RuleSet>,
    owner: StateOwner,
    program: Arc<CompiledRules>,
    machine: WorkingMemory,
    entries: Entries,
    roles: Vec<GroundTerm>,
    bounds: Arc<UtilityBounds>,
    role_terms: Vec<TermId>,
    loaded: Option<State>,
    ranks: Ranks,
    queries: Queries,
    /// Scratch: facts or moves.
    buffer: Vec<TermId>,
    /// Scratch: the joint move of a step of random play.
    joint_move: Vec<Move>,
}

/// The predicates that answer the questions of [`Reasoner`].
#[derive(Clone, Copy, Debug)]
struct Entries {
    init: PredicateId,
    legal: PredicateId,
    next: PredicateId,
    terminal: PredicateId,
    goal: PredicateId,
    /// Only if there are rules for it.
    sees: Option<PredicateId>,
}

impl Interpreter {
    /// Compiles the rules of a game. Relations that depend on neither `true` nor `does` are computed now.
    ///
    /// # Errors
    /// [`QueryError::NegativeCycle`] if a relation depends on its own negation, which the checks report as well.
    pub fn new(rules: Arc<RuleSet>) -> Result<Self, QueryError> {
        Self::within(rules, Limits::new())
    }

    /// As [`Interpreter::new`], within limits, which also apply to its questions from then on
    /// ([`Interpreter::set_limits`]).
    ///
    /// # Errors
    /// Those of [`Interpreter::new`]; [`QueryError::Reason`] if a limit is met.
    pub fn within(rules: Arc<RuleSet>, limits: Limits) -> Result<Self, QueryError> {
        let mut program = CompiledRules::new(Definitions::new(&rules, &limits)?);
        let mut machine = WorkingMemory::new(Terms::new(rules.symbols.clone()), limits);
        let asked = [Keyword::Init, Keyword::Base, Keyword::Legal, Keyword::Next, Keyword::Terminal, Keyword::Goal];
        let sees = rules.has_percepts().then_some(Keyword::Sees);
        let define = |keyword| Ok((keyword, program.definitions.define_keyword(&rules, keyword, &machine.work)?));
        let questions = asked.into_iter().chain(sees).map(define).collect::<Result<Vec<_>, QueryError>>()?;
        let listed: Vec<DefinitionId> = questions.iter().map(|&(_, definition)| definition).collect();
        store_all(&mut program, &mut machine, &listed)?;
        expect_facts(&mut program, &machine, &questions);
        let mut compiler = Compiler::new(&mut program, &mut machine);
        let mut entry = |keyword, modes: &[Mode]| compiler.predicate(definition_of(&questions, keyword), modes);
        let entries = Entries {
            init: entry(Keyword::Init, &[Mode::Free]),
            legal: entry(Keyword::Legal, &[Mode::Bound, Mode::Free]),
            next: entry(Keyword::Next, &[Mode::Free]),
            terminal: entry(Keyword::Terminal, &[]),
            goal: entry(Keyword::Goal, &[Mode::Bound, Mode::Free]),
            sees: sees.map(|keyword| entry(keyword, &[Mode::Bound, Mode::Free])),
        };
        compiler.check()?;
        let roles: Vec<GroundTerm> =
            rules.roles.iter().map(|&role| GroundTerm::symbol(Arc::clone(rules.symbols.name(role)))).collect();
        let role_terms = roles.iter().map(|role| machine.terms.keep_value(role)).collect();
        Ok(Self {
            queries: Queries::new(&rules),
            rules,
            owner: StateOwner::new(),
            program: Arc::new(program),
            machine,
            entries,
            roles,
            bounds: Arc::default(),
            role_terms,
            loaded: None,
            ranks: Ranks::default(),
            buffer: Vec::new(),
            joint_move: Vec::new(),
        })
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// Sets a flag that stops any question soon after it is set, with [`Stop::Interrupted`]. The other limits remain.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        let limits = std::mem::take(&mut self.machine.work);
        self.machine.work = limits.with_interrupt(flag);
    }

    /// Replaces the limits of all questions from now on. A question that meets a limit ends with
    /// [`ReasonError::Stopped`], and the interpreter can be asked again. Forks have the same limits.
    pub fn set_limits(&mut self, limits: Limits) {
        self.machine.work = limits;
    }

    /// Ends every question once this many candidates for literals have been tried from now on, with [`Stop::Work`];
    /// without a number, nothing does. Unlike a limit on time it ends at the same point on every machine. Queries and
    /// explanations lift it.
    pub(crate) fn limit_steps(&mut self, steps: Option<u64>) {
        self.machine.limit_steps(steps);
    }

    /// The limits of its questions.
    pub fn limits(&self) -> &Limits {
        &self.machine.work
    }

    /// Makes a state the current one; does nothing if it is already.
    ///
    /// # Errors
    /// As [`Interpreter::check_owner`].
    fn load(&mut self, state: &State) -> Result<(), ReasonError> {
        // Searches ask several questions about one state; comparing the addresses of its facts is enough to detect
        // that.
        if self.loaded.as_ref().is_some_and(|loaded| loaded.is(state)) {
            return Ok(());
        }
        self.check_owner(state)?;
        self.forget_state();
        self.learn_terms(state);
        self.machine.facts.set(state.facts(), &self.machine.terms);
        self.loaded = Some(state.clone());
        Ok(())
    }

    /// Checks that this interpreter or a fork made a state.
    ///
    /// # Errors
    /// [`ReasonError::OtherGame`].
    pub fn check_owner(&self, state: &State) -> Result<(), ReasonError> {
        if state.owner() == self.owner { Ok(()) } else { Err(ReasonError::OtherGame) }
    }

    /// Adds the terms that another fork has made, if a state has such terms, so that its facts can be named.
    pub(crate) fn learn_terms(&mut self, state: &State) {
        if state.facts().last().is_some_and(|last| last.index() >= self.machine.terms.kept_len()) {
            self.machine.terms.synchronise();
        }
    }

    fn forget_state(&mut self) {
        let machine = &mut self.machine;
        machine.does.clear();
        // Any table may contain scratch terms.
        let all = machine.terms.has_scratch() || machine.kept_answers(&self.program) > MOST_KEPT_ANSWERS;
        machine.forget(
            self.queries.program().unwrap_or(&self.program),
            if all { AnswerScope::Game } else { AnswerScope::State },
        );
        machine.terms.clear_scratch();
        self.loaded = None;
    }

    fn set_joint_move(&mut self, joint_move: &[Move]) {
        // A fork may have made the moves, and their terms are then missing here.
        let last = joint_move.iter().map(|chosen| chosen.index()).max();
        if last.is_some_and(|last| last >= self.machine.terms.kept_len()) {
            self.machine.terms.synchronise();
        }
        let pairs = self.role_terms.iter().zip(joint_move);
        let pairs = pairs.map(|(&role, chosen)| [role, TermId::kept(chosen.index())]);
        if !self.machine.does.iter().copied().eq(pairs.clone()) {
            self.machine.does.clear();
            self.machine.does.extend(pairs);
            self.machine.forget(self.queries.program().unwrap_or(&self.program), AnswerScope::JointMove);
        }
    }

    /// Keeps a term from outside. If it was a scratch term before, everything known about the state is discarded.
    fn keep_value(&mut self, value: &GroundTerm) -> Result<TermId, ReasonError> {
        let limit = TermId::MOST_DEPTH;
        if depth(value) > u64::from(limit) {
            return Err(Stop::work(WorkKind::NestedFunctions, limit).into());
        }
        let before = self.machine.terms.kept_len();
        let term = self.machine.terms.keep_value(value);
        if self.machine.terms.kept_len() != before {
            self.forget_state();
        }
        Ok(term)
    }

    /// Chooses a legal move for each role: the one at the index that `choose` returns.
    fn choose_all(
        &mut self,
        state: &State,
        choose: &mut dyn FnMut(usize) -> usize,
        joint_move: &mut Vec<Move>,
    ) -> Result<(), ReasonError> {
        for index in 0..self.roles.len() {
            let legal = self.terms_of_role(state, self.entries.legal, Role::new(index))?;
            let chosen = (!legal.is_empty()).then(|| Move::new(legal[choose(legal.len())].index()));
            joint_move.push(chosen.ok_or_else(|| ReasonError::NoLegalMove { role: self.roles[index].clone() })?);
        }
        Ok(())
    }

    /// Asks a question whose answers are single terms. The answers are kept for the whole game and left in the buffer.
    fn ask_terms(&mut self, predicate: PredicateId, inputs: &[TermId]) -> Result<(), ReasonError> {
        let answers = self.machine.ask(&self.program, predicate, inputs)?;
        let scope = self.program.predicates[predicate.index()].scope;
        self.buffer.clear();
        self.buffer.extend_from_slice(self.machine.answers(scope, answers, 1));
        let before = self.machine.terms.kept_len();
        for index in 0..self.buffer.len() {
            self.buffer[index] = self.machine.terms.promote(self.buffer[index]);
        }
        if self.machine.terms.kept_len() != before {
            // A term that was scratch is kept now: tables that have its old id must be discarded.
            self.forget_state();
        }
        Ok(())
    }

    /// All goal values of a role that the rules give, in canonical order.
    pub(crate) fn goal_values(&mut self, state: &State, role: Role) -> Result<Vec<GroundTerm>, ReasonError> {
        let values = self.terms_of_role(state, self.entries.goal, role)?.to_vec();
        Ok(values.into_iter().map(|value| self.machine.terms.value(value)).collect())
    }

    /// The legal moves or the goal values of a role, in canonical order.
    fn terms_of_role(&mut self, state: &State, relation: PredicateId, role: Role) -> Result<&[TermId], ReasonError> {
        self.load(state)?;
        self.ask_terms(relation, &[self.role_terms[role.index()]])?;
        self.ranks.sort(&mut self.buffer, &self.machine.terms);
        Ok(&self.buffer)
    }
}

/// States are expanded one after the other.
impl BatchReasoner for Interpreter {
    fn batch(&self) -> usize {
        1
    }

    fn expand(&mut self, states: &[&State], expansions: &mut Expansions<State>) {
        expansions.fill(self, states);
    }

    fn find_ends(&mut self, states: &[&State], expansions: &mut Expansions<State>) {
        expansions.fill_ends(self, states);
    }

    /// There are no keys, because the facts of a game are not known in advance.
    fn keys(&mut self, _: &State) -> Option<Box<dyn KeyReasoner>> {
        None
    }
}

impl Reasoner for Interpreter {
    type State = State;

    fn roles(&self) -> &[GroundTerm] {
        &self.roles
    }

    fn initial_state(&mut self) -> Result<State, ReasonError> {
        self.forget_state();
        self.ask_terms(self.entries.init, &[])?;
        Ok(State::new(self.owner, &mut self.buffer))
    }

    fn legal_moves(&mut self, state: &State, role: Role, moves: &mut Vec<Move>) -> Result<(), ReasonError> {
        let legal = self.terms_of_role(state, self.entries.legal, role)?;
        moves.clear();
        moves.extend(legal.iter().map(|term| Move::new(term.index())));
        Ok(())
    }

    fn random_step(&mut self, state: &mut State, choose: &mut dyn FnMut(usize) -> usize) -> Result<bool, ReasonError> {
        if self.is_terminal(state)? {
            return Ok(false);
        }
        // The buffer is taken out of `self` while `self` is used, and put back even if there is an error.
        let mut joint_move = std::mem::take(&mut self.joint_move);
        joint_move.clear();
        let chosen = self.choose_all(state, choose, &mut joint_move);
        let next = chosen.and_then(|()| self.next_state(state, &joint_move));
        self.joint_move = joint_move;
        *state = next?;
        Ok(true)
    }

    fn next_state(&mut self, state: &State, joint_move: &[Move]) -> Result<State, ReasonError> {
        self.load(state)?;
        self.set_joint_move(joint_move);
        self.ask_terms(self.entries.next, &[])?;
        Ok(State::new(self.owner, &mut self.buffer))
    }

    fn next_state_into(&mut self, state: &State, joint_move: &[Move], next: &mut State) -> Result<(), ReasonError> {
        *next = self.next_state(state, joint_move)?;
        Ok(())
    }

    fn successors_at_once(&self) -> usize {
        1
    }

    fn is_terminal(&mut self, state: &State) -> Result<bool, ReasonError> {
        self.load(state)?;
        Ok(self.machine.ask(&self.program, self.entries.terminal, &[])?.count > 0)
    }

    fn goal(&mut self, state: &State, role: Role) -> Result<Utility, ReasonError> {
        let values = self.terms_of_role(state, self.entries.goal, role)?.to_vec();
        let role = || self.roles[role.index()].clone();
        let value = |&term: &TermId| self.machine.terms.value(term);
        match values.as_slice() {
            [] => Err(ReasonError::GoalUndefined { role: role() }),
            [only] => {
                let role = role();
                let value = value(only);
                let utilities = &self.rules.utilities;
                let utility = utilities.value(&role, &value).map(Utility::from);
                utility.ok_or_else(|| ReasonError::no_utility(utilities, role, value))
            }
            several => Err(ReasonError::GoalNotUnique { role: role(), values: several.iter().map(value).collect() }),
        }
    }

    fn utility_range(&self) -> UtilityRange {
        self.bounds.range(&self.rules)
    }

    fn heap_bytes(&self, state: &State) -> usize {
        state.heap_bytes()
    }

    /// # Panics
    /// If the state is of another game, whose terms have other numbers.
    fn facts(&self, state: &State) -> Vec<GroundTerm> {
        assert!(state.owner() == self.owner, "the state is of another game");
        let mut facts: Vec<GroundTerm> = state.facts().iter().map(|&fact| self.machine.terms.value(fact)).collect();
        facts.sort();
        facts
    }

    fn state_from_facts(&mut self, facts: &[GroundTerm]) -> Result<State, ReasonError> {
        let mut ids: Vec<TermId> = facts.iter().map(|fact| self.keep_value(fact)).collect::<Result<_, _>>()?;
        // A goal value may be computed from numbers in facts, so facts from outside may widen the range of utilities.
        if self.rules.computes_goals() {
            facts.iter().for_each(|fact| self.bounds.include(&self.rules, &self.roles, fact));
        }
        Ok(State::new(self.owner, &mut ids))
    }

    fn fluents(&self, state: &State, fluents: &mut Vec<Fluent>) {
        fluents.clear();
        fluents.extend(state.facts().iter().map(|fact| Fluent::new(fact.index())));
    }

    fn fluent_words(&self, state: &State, words: &mut Vec<u64>) {
        words.clear();
        for fact in state.facts() {
            let word = fact.index() / 64;
            words.resize(words.len().max(word + 1), 0);
            words[word] |= 1 << (fact.index() % 64);
        }
    }

    fn state_from_fluents(&mut self, fluents: &[Fluent]) -> Result<State, ReasonError> {
        let mut ids: Vec<TermId> = fluents.iter().map(|fluent| TermId::kept(fluent.index())).collect();
        Ok(State::new(self.owner, &mut ids))
    }

    fn fluent_term(&self, fluent: Fluent) -> GroundTerm {
        self.machine.terms.value(TermId::kept(fluent.index()))
    }

    fn find_fluent(&mut self, fact: &GroundTerm) -> Result<Option<Fluent>, ReasonError> {
        Ok(Some(Fluent::new(self.keep_value(fact)?.index())))
    }

    fn move_term(&self, chosen: Move) -> GroundTerm {
        self.machine.terms.value(TermId::kept(chosen.index()))
    }

    fn find_move(&mut self, term: &GroundTerm) -> Result<Move, ReasonError> {
        Ok(Move::new(self.keep_value(term)?.index()))
    }

    fn fork(&self) -> Self {
        self.clone()
    }
}

impl PerceptReasoner for Interpreter {
    fn has_percepts(&self) -> bool {
        self.entries.sees.is_some()
    }

    fn percepts(
        &mut self,
        state: &State,
        joint_move: &[Move],
        role: Role,
        percepts: &mut Vec<Percept>,
    ) -> Result<(), ReasonError> {
        percepts.clear();
        let Some(sees) = self.entries.sees else { return Ok(()) };
        self.load(state)?;
        self.set_joint_move(joint_move);
        self.ask_terms(sees, &[self.role_terms[role.index()]])?;
        self.ranks.sort(&mut self.buffer, &self.machine.terms);
        percepts.extend(self.buffer.iter().map(|term| Percept::new(term.index())));
        Ok(())
    }

    fn percept_term(&self, percept: Percept) -> GroundTerm {
        self.machine.terms.value(TermId::kept(percept.index()))
    }

    fn find_percept(&mut self, term: &GroundTerm) -> Result<Percept, ReasonError> {
        Ok(Percept::new(self.keep_value(term)?.index()))
    }
}

fn depth(value: &GroundTerm) -> u64 {
    1 + value.arguments.iter().map(depth).max().unwrap_or(0)
}

/// The definition that answers one of the game's own questions.
fn definition_of(questions: &[(Keyword, DefinitionId)], keyword: Keyword) -> DefinitionId {
    let found = questions.iter().find(|(other, _)| *other == keyword);
    found.map(|&(_, definition)| definition).expect("every question is defined")
}

/// Estimates the number of facts of each functor in a state, from `init` and `base`.
fn expect_facts(program: &mut CompiledRules, machine: &WorkingMemory, questions: &[(Keyword, DefinitionId)]) {
    // `base` has all facts of the game; a state is taken to have a third of them.
    const SHARE_OF_BASE: usize = 3;
    for (keyword, share) in [(Keyword::Init, 1), (Keyword::Base, SHARE_OF_BASE)] {
        let Some(stored) = program.stored_of(definition_of(questions, keyword)) else { continue };
        let mut counts: FxHashMap<_, usize> = FxHashMap::default();
        for &fact in &program.stored[stored as usize].tuples.tuples {
            *counts.entry(machine.terms.functor(fact)).or_default() += 1;
        }
        #[expect(clippy::iter_over_hash_type, reason = "the order does not matter: each entry is changed on its own")]
        for (functor, count) in counts {
            let expected = program.expected_facts.entry(functor).or_default();
            *expected = (*expected).max(count / share);
        }
    }
}

/// The bounds of utilities: those of the rules, and those of facts that came from outside. All forks of an interpreter
/// share them.
#[derive(Debug)]
struct UtilityBounds {
    /// The bounds of the rules, computed at the first question.
    of_rules: OnceLock<UtilityRange>,
    /// The least and the greatest utility of a number in a fact from outside, in millionths.
    least_given: AtomicI64,
    most_given: AtomicI64,
}

impl Default for UtilityBounds {
    fn default() -> Self {
        let least_given = AtomicI64::new(i64::MAX);
        let most_given = AtomicI64::new(i64::MIN);
        Self { of_rules: OnceLock::new(), least_given, most_given }
    }
}

impl UtilityBounds {
    /// The range of utilities.
    fn range(&self, rules: &RuleSet) -> UtilityRange {
        let UtilityRange { least, most } = *self.of_rules.get_or_init(|| rules.utility_range().into());
        let given = |bound: &AtomicI64| Utility::from_millionths(bound.load(Ordering::Relaxed));
        UtilityRange { least: least.min(given(&self.least_given)), most: most.max(given(&self.most_given)) }
    }

    /// Includes the numbers in a fact from outside, which the rules may use as goal values of these roles.
    fn include(&self, rules: &RuleSet, roles: &[GroundTerm], fact: &GroundTerm) {
        fact.arguments.iter().for_each(|argument| self.include(rules, roles, argument));
        for role in roles.iter().filter(|role| !role.is_chance()) {
            if let Some(utility) = rules.utilities.value(role, fact) {
                self.least_given.fetch_min(utility.millionths(), Ordering::Relaxed);
                self.most_given.fetch_max(utility.millionths(), Ordering::Relaxed);
            }
        }
    }
}
