//! A loaded game: its text, its rules, the interpreter that answers questions about it, and the engine that plays it.
//!
//! Questions take and return terms, never ids of an engine. A state belongs to the game that made it: a question about
//! a state of another game, also of the same sheet loaded a second time, returns [`ReasonError::OtherGame`].

use crate::ground::{Grounding, Symmetries, ground, symmetries};
use crate::interpreter::explain::render;
use crate::interpreter::{Interpreter, Justification, QueryError, Solutions, State};
use crate::program::Program;
use crate::propnet::{Inspector, Propnet, PropnetError, build};
use crate::slot::{EngineError, EngineSlot};
use crate::{CheckedSheet, Engine, EngineOptions, EngineState};
use gdl::diagnostic::Diagnostic;
use gdl::limits::Limits;
use gdl::rules::{GroundTerm, RuleSet};
use gdl::suggestion::{did_you_mean_or, nearest};
use gdl::syntax::ast::{Formula, Sheet};
use gdl::syntax::{Source, parse_query};
use ggp_game::{Chance, JointMoves, Move, ReasonError, Reasoner, Role, Utility};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A game that can be queried and played.
///
/// Single questions, queries and explanations go to the interpreter, which is available at once. Work on many states
/// (searches, random play, replays) uses the [engine](Game::engine), which is set up when it is first needed, so a
/// question about a large game does not have to wait for grounding.
pub struct Game {
    /// The name of the game in the library, or that of the file.
    pub name: String,
    /// The text of the rule sheet; all spans refer to it.
    pub source: Source,
    /// The parsed rule sheet, with spans into `source`.
    pub sheet: Sheet,
    /// The normalised rules, from which the engines work.
    pub rules: Arc<RuleSet>,
    /// The problems of the rule sheet: warnings only.
    pub diagnostics: Vec<Diagnostic>,
    /// The engine for queries and explanations, also while the network plays.
    pub interpreter: Interpreter,
    slot: EngineSlot,
    /// The network before any pass, once [`Game::inspector`] has been called.
    inspector: Option<Arc<Inspector>>,
    /// True once [`Game::state_from_facts`] has made a state, which legal play need not reach.
    has_set_states: bool,
}

impl Game {
    /// Makes a game from a text without errors.
    pub(super) fn new(
        name: String,
        source: Source,
        CheckedSheet { sheet, rules, diagnostics }: CheckedSheet,
        options: EngineOptions,
        compiled: Option<Program>,
    ) -> Result<Self, QueryError> {
        let rules = Arc::new(rules);
        let interpreter = Interpreter::within(rules.clone(), options.limits.clone())?;
        let slot = EngineSlot::new(options, source.text(), compiled);
        Ok(Self { name, source, sheet, rules, diagnostics, interpreter, slot, inspector: None, has_set_states: false })
    }

    /// True for a text of rules without roles, which has answers and no play.
    pub fn is_program(&self) -> bool {
        self.rules.roles.is_empty()
    }

    /// The engine that plays and searches; it is set up when it is first needed, which may take the whole budget.
    ///
    /// If the kind is [`EngineKind::Auto`](crate::EngineKind::Auto) and the network cannot be built, the interpreter
    /// plays, and [`Game::take_notes`] says why. If building is interrupted, that is an error, and the interpreter
    /// plays from then on.
    ///
    /// # Errors
    /// If the options select the network and it cannot be built, or if building is interrupted.
    pub fn engine(&mut self) -> Result<&mut Engine, EngineError> {
        self.slot.engine(&mut self.interpreter)
    }

    /// Plays from now on with a network that the caller has built for this game. If building failed, or the network
    /// does not have the initial state of the rules, the consequences are those of [`Game::engine`].
    ///
    /// # Errors
    /// Those of [`Game::engine`]; the game then keeps its current engine.
    pub fn adopt(&mut self, built: Result<Propnet, PropnetError>) -> Result<&mut Engine, EngineError> {
        self.slot.adopt(&mut self.interpreter, built)
    }

    /// The engine, without the rest of the game; an error if there is none ([`Game::engine`]).
    pub fn into_engine(mut self) -> Result<Engine, EngineError> {
        self.slot.into_engine(&mut self.interpreter)
    }

    /// The engine, and its state for a state of the game: the start of a search.
    ///
    /// Once [`Game::state_from_facts`] has made a state, the network is built without the passes that assume legal
    /// play. If the network cannot hold the state even so, the interpreter takes over, with a note.
    ///
    /// # Errors
    /// Those of [`Game::engine`].
    pub fn engine_at(&mut self, state: &State) -> Result<(&mut Engine, EngineState), EngineError> {
        self.engine_for(state, !self.has_set_states)
    }

    /// As [`Game::engine_at`], for callers that know whether legal play leads from the initial state to this one.
    pub fn engine_for(&mut self, state: &State, is_reached: bool) -> Result<(&mut Engine, EngineState), EngineError> {
        self.slot.engine_for(&mut self.interpreter, state, is_reached)
    }

    /// The symmetries of the game's rules, within the limits of its engine.
    ///
    /// # Errors
    /// If the rules cannot be grounded, or the limits end the search.
    pub fn symmetries(&self) -> Result<Symmetries, EngineError> {
        self.symmetries_within(self.limits())
    }

    /// The symmetries of the game's rules, within limits of the caller's.
    ///
    /// # Errors
    /// As [`Game::symmetries`].
    pub fn symmetries_within(&self, limits: &Limits) -> Result<Symmetries, EngineError> {
        Ok(symmetries(&self.grounding_within(limits)?, limits).map_err(ReasonError::from)?)
    }

    /// The network before any pass. It is built at the first call, within the limits of the engine, and kept.
    ///
    /// # Errors
    /// If the rules cannot be grounded, or the limits end the work.
    pub fn inspector(&mut self) -> Result<Arc<Inspector>, EngineError> {
        if let Some(inspector) = &self.inspector {
            return Ok(inspector.clone());
        }
        let inspector = Arc::new(Inspector::new(build(&self.grounding()?, self.limits())?));
        Ok(self.inspector.insert(inspector).clone())
    }

    /// The ground rules, within the limits of the engine.
    pub(super) fn grounding(&self) -> Result<Grounding, EngineError> {
        self.grounding_within(self.limits())
    }

    fn grounding_within(&self, limits: &Limits) -> Result<Grounding, EngineError> {
        let budget = self.options().budget.clone().with_limits(limits);
        Ok(ground(&self.rules, &budget).map_err(PropnetError::from)?)
    }

    /// The engine that plays, if it has been set up.
    pub fn engine_in_use(&self) -> Option<&Engine> {
        self.slot.in_use()
    }

    /// Starts to build the network beside the interpreter ([`EngineOptions::background`]), before the engine is needed.
    pub fn prepare_engine(&mut self) {
        self.slot.prepare(&self.interpreter);
    }

    /// Makes the network that is built beside the interpreter ([`EngineOptions::background`]) the engine, if it is
    /// there. States of the engine from before are of no use then, so call this between two pieces of work.
    pub fn take_built(&mut self) {
        self.slot.take_built();
    }

    /// True if a network is built beside the interpreter, which is the engine meanwhile.
    pub fn is_building(&self) -> bool {
        self.slot.is_building()
    }

    /// A separate engine for this game, for another thread: a fork of the one that plays or, if none has been set up,
    /// of the interpreter.
    pub fn fork_engine(&self) -> Engine {
        match self.slot.in_use() {
            Some(engine) => engine.fork(),
            None => Engine::Interpreter(Box::new(self.interpreter.fork())),
        }
    }

    /// Another game of the same rules, with forks of the interpreter and of the engine. Each answers for the states of
    /// the other, and a change of one does not affect the other.
    pub fn fork(&self) -> Self {
        Self {
            name: self.name.clone(),
            source: self.source.clone(),
            sheet: self.sheet.clone(),
            rules: Arc::clone(&self.rules),
            diagnostics: self.diagnostics.clone(),
            interpreter: self.interpreter.fork(),
            slot: self.slot.fork(),
            inspector: self.inspector.clone(),
            has_set_states: self.has_set_states,
        }
    }

    /// Takes the engine and the cached answers of a fork. Returns false, and changes nothing, if the fork has other
    /// rules or another kind of engine.
    pub fn take_from(&mut self, fork: Self) -> bool {
        if !Arc::ptr_eq(&self.rules, &fork.rules) || self.options().kind != fork.options().kind {
            return false;
        }
        self.interpreter = fork.interpreter;
        self.inspector = fork.inspector;
        self.has_set_states = fork.has_set_states;
        fork.slot.replace(&mut self.slot);
        true
    }

    /// The options of the engine.
    pub fn options(&self) -> &EngineOptions {
        &self.slot.options
    }

    /// Plays with other options from now on. An engine selected by name is set up at once.
    ///
    /// # Errors
    /// Those of [`Game::engine`]; the game then keeps its current engine.
    pub fn set_options(&mut self, options: EngineOptions) -> Result<(), EngineError> {
        self.slot.set_options(&mut self.interpreter, options)
    }

    /// The limits on setting up engines and on each question. They also stop a search inside a question.
    pub fn limits(&self) -> &Limits {
        &self.options().limits
    }

    /// Replaces the limits of the interpreter, of the engine, and of everything that is set up later.
    pub fn set_limits(&mut self, limits: Limits) {
        self.interpreter.set_limits(limits.clone());
        self.slot.set_limits(limits);
    }

    /// Removes and returns the notes for the user about changes of the engine.
    pub fn take_notes(&mut self) -> Vec<String> {
        self.slot.take_notes(format!("plays {}", self.name)).collect()
    }

    /// The reason for which the interpreter replaced the network, if it did.
    pub fn why_no_propnet(&self) -> Option<&str> {
        self.slot.why_no_propnet()
    }

    /// Compares the network of a compiled game with the rule sheet. Returns what differs, `roles` or `initial states`,
    /// if anything does.
    ///
    /// # Errors
    /// Those of the interpreter, if it has no initial state.
    pub(super) fn foreign_network(&mut self) -> Result<Option<&'static str>, ReasonError> {
        self.slot.foreign_network(&mut self.interpreter)
    }

    /// A function that builds the network on any thread, from the rules of the game alone. It stops soon after the flag
    /// is set.
    pub(super) fn builder(
        &self,
        interrupt: Arc<AtomicBool>,
    ) -> impl FnOnce() -> Result<Engine, EngineError> + Send + use<> {
        self.slot.builder(self.interpreter.fork(), interrupt)
    }
}

/// The reason for which a question to a [`Game`] has no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The text of a query or of a literal cannot be parsed.
    #[error("{}", diagnostics.first().map_or("this cannot be parsed", |first| first.message.as_str()))]
    Syntax {
        /// The text of the query or literal.
        text: Source,
        /// The problems of the text, with positions.
        diagnostics: Vec<Diagnostic>,
    },
    /// An explanation was requested for several literals.
    #[error("one literal can be explained at a time, and here are {found}")]
    OneLiteral {
        /// The number of literals in the text.
        found: usize,
    },
    /// The game has no role of this name.
    #[error("the game has no role `{name}`{}", did_you_mean_or(near, ""))]
    UnknownRole {
        /// The unknown name, as a term.
        name: String,
        /// Roles with a similar name.
        near: Vec<String>,
    },
    /// The number of moves differs from the number of roles.
    #[error("{found} moves for {expected} roles")]
    WrongNumber {
        /// The number of roles of the game.
        expected: usize,
        /// The number of given moves.
        found: usize,
    },
    /// A move is not legal.
    #[error("`{chosen}` is not legal for {role}{}", did_you_mean_or(near, ""))]
    IllegalMove {
        /// The role for which the move is not legal.
        role: GroundTerm,
        /// The move that is not legal.
        chosen: GroundTerm,
        /// Legal moves with a similar text.
        near: Vec<String>,
    },
    /// The state is terminal, so no move can be made.
    #[error("the game is over")]
    Over,
    /// The query cannot be answered.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The interpreter has no answer.
    #[error(transparent)]
    Reason(#[from] ReasonError),
}

/// The explanation of a literal. Its text is a tree with one claim on each line, and the reasons indented below it.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The claims, each with the claims from which it follows.
    pub why: Justification,
    /// The text of the rules; the lines of clauses refer to it.
    source: Source,
}

impl fmt::Display for Explanation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&render::text(&self.why, &self.source, None))
    }
}

impl Game {
    /// The roles, in the order of the rule sheet, which is that of joint moves.
    pub fn roles(&self) -> &[GroundTerm] {
        self.interpreter.roles()
    }

    /// The role with this name.
    pub fn role(&self, name: &str) -> Result<Role, AskError> {
        let found = name.parse().ok().and_then(|name| self.roles().iter().position(|role: &GroundTerm| *role == name));
        found.map(Role::new).ok_or_else(|| {
            let names: Vec<String> = self.roles().iter().map(ToString::to_string).collect();
            AskError::UnknownRole { name: name.to_string(), near: similar_names(name, &names) }
        })
    }

    /// The state in which the facts of `init` hold.
    pub fn initial_state(&mut self) -> Result<State, ReasonError> {
        self.interpreter.initial_state()
    }

    /// The state in which exactly these facts hold. Play need not reach it.
    ///
    /// # Errors
    /// If a term is nested too deep.
    pub fn state_from_facts(&mut self, facts: &[GroundTerm]) -> Result<State, ReasonError> {
        let state = self.interpreter.state_from_facts(facts)?;
        self.has_set_states = true;
        Ok(state)
    }

    /// The facts of a state, in canonical order.
    ///
    /// # Panics
    /// If the state is of another game.
    pub fn facts(&self, state: &State) -> Vec<GroundTerm> {
        self.interpreter.facts(state)
    }

    /// True if the game is over in a state.
    pub fn is_terminal(&mut self, state: &State) -> Result<bool, ReasonError> {
        self.interpreter.is_terminal(state)
    }

    /// The legal moves of a role in a state, in canonical order.
    ///
    /// # Errors
    /// If a limit of the game is met.
    pub fn legal(&mut self, state: &State, role: Role) -> Result<Vec<GroundTerm>, ReasonError> {
        let mut moves = Vec::new();
        self.interpreter.legal_moves(state, role, &mut moves)?;
        Ok(moves.into_iter().map(|chosen| self.interpreter.move_term(chosen)).collect())
    }

    /// The utility of a state for a role.
    pub fn goal(&mut self, state: &State, role: Role) -> Result<Utility, ReasonError> {
        self.interpreter.goal(state, role)
    }

    /// The state after a joint move, given in the order of the roles.
    pub fn next(&mut self, state: &State, joint_move: &[GroundTerm]) -> Result<State, AskError> {
        let mut legal = self.joint_moves(state)?;
        let expected = self.roles().len();
        if joint_move.len() != expected {
            return Err(AskError::WrongNumber { expected, found: joint_move.len() });
        }
        for (index, chosen) in joint_move.iter().enumerate() {
            self.choose(&mut legal, Role::new(index), chosen)?;
        }
        Ok(self.interpreter.next_state(state, legal.current())?)
    }

    /// Plays from a state until the game is over, or for [`LONGEST_GAME`](crate::simulate::LONGEST_GAME) joint moves: each role makes each of its
    /// legal moves with the same probability. The same seed plays the same moves on every machine.
    pub fn playout(&mut self, state: &State, seed: u64) -> Result<Playout<State, GroundTerm>, ReasonError> {
        let line = playout(&mut self.interpreter, state, &mut Chance::new(seed), LONGEST_PLAYOUT)?;
        Ok(line.with_terms(&self.interpreter))
    }

    /// All solutions of a query in a state, in infix or prefix: `true(cell(R,C,x)) & ~true(cell(R,1,b))`.
    ///
    /// # Errors
    /// If the text does not parse, nothing binds a variable of a negation, or a limit of the game is met.
    pub fn query(&mut self, state: &State, query: &str) -> Result<Solutions, AskError> {
        Ok(self.interpreter.query(Some(state), None, &parsed(query)?)?)
    }

    /// Explains why a literal such as `legal(x,mark(1,1))` holds in a state, or why it does not. Of a literal with
    /// variables the first solution is explained.
    pub fn why(&mut self, state: &State, literal: &str) -> Result<Explanation, AskError> {
        match &parsed(literal)?[..] {
            [literal] => {
                let why = self.interpreter.why(state, None, literal)?;
                Ok(Explanation { why, source: self.source.clone() })
            }
            several => Err(AskError::OneLiteral { found: several.len() }),
        }
    }

    /// The joint moves of a state.
    pub fn joint_moves(&mut self, state: &State) -> Result<JointMoves, AskError> {
        if self.is_terminal(state)? {
            return Err(AskError::Over);
        }
        Ok(JointMoves::in_state(&mut self.interpreter, state)?)
    }

    /// Sets a role's move in a joint move.
    pub fn choose(&self, legal: &mut JointMoves, role: Role, term: &GroundTerm) -> Result<(), AskError> {
        if let Some(index) = self.move_index(legal, role, term) {
            legal.choose(role, index);
            return Ok(());
        }
        let moves = legal.legal(role).iter().map(|&chosen| self.interpreter.move_term(chosen).to_string());
        let near = similar_names(&term.to_string(), &moves.collect::<Vec<String>>());
        Err(AskError::IllegalMove { role: self.roles()[role.index()].clone(), chosen: term.clone(), near })
    }

    /// The index of a move among a role's legal moves.
    pub fn move_index(&self, legal: &JointMoves, role: Role, term: &GroundTerm) -> Option<usize> {
        legal.legal(role).iter().position(|&chosen| self.interpreter.move_term(chosen) == *term)
    }
}

fn parsed(query: &str) -> Result<Vec<Formula>, AskError> {
    let text = Source::new("query", query);
    parse_query(&text, None).map_err(|diagnostics| AskError::Syntax { text, diagnostics })
}

fn similar_names(name: &str, known: &[String]) -> Vec<String> {
    nearest(name, known.iter().map(String::as_str)).into_iter().map(str::to_string).collect()
}

/// The greatest number of joint moves of a random line.
pub(crate) const LONGEST_PLAYOUT: usize = 5_000;

/// A random line of play. Moves are those of the reasoner that played, or terms.
#[derive(Clone, Debug)]
pub struct Playout<S, M = Move> {
    /// The joint moves, first to last.
    pub joint_moves: Vec<Vec<M>>,
    /// The last state of the line.
    pub end: S,
    /// True if that state is terminal, false if the line was cut off.
    pub is_over: bool,
}

impl<S> Playout<S> {
    /// The same line with the terms of its moves.
    fn with_terms(self, reasoner: &impl Reasoner) -> Playout<S, GroundTerm> {
        let terms = |moves: &Vec<Move>| moves.iter().map(|&chosen| reasoner.move_term(chosen)).collect();
        let joint_moves = self.joint_moves.iter().map(terms).collect();
        Playout { joint_moves, end: self.end, is_over: self.is_over }
    }
}

/// Plays from a state until the game is over, or for `longest` joint moves: each role makes each of its legal moves
/// with the same probability. The same random numbers lead to the same moves on every engine and machine.
///
/// # Errors
/// If a role has no legal move, or the reasoner has no answer.
pub fn playout<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    random: &mut Chance,
    longest: usize,
) -> Result<Playout<R::State>, ReasonError> {
    let mut line = Playout { joint_moves: Vec::new(), end: state.clone(), is_over: reasoner.is_terminal(state)? };
    while !line.is_over && line.joint_moves.len() < longest {
        let mut joint_moves = JointMoves::in_state(reasoner, &line.end)?;
        for index in 0..reasoner.roles().len() {
            let role = Role::new(index);
            joint_moves.choose(role, random.below(joint_moves.legal(role).len()));
        }
        line.end = reasoner.next_state(&line.end, joint_moves.current())?;
        line.joint_moves.push(joint_moves.current().to_vec());
        line.is_over = reasoner.is_terminal(&line.end)?;
    }
    Ok(line)
}
