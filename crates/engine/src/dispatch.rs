//! An engine of either kind. The kind is selected when a game is set up; each question is dispatched to the engine of
//! that kind.

use crate::interpreter::Interpreter;
use crate::lanes::LeftOutTechnique;
use crate::propnet::{LeftOut, Propnet};
use crate::{interpreter, program};
use gdl::limits::{Limits, Stop};
use gdl::rules::GroundTerm;
use gdl::suggestion::near_or_all;
use ggp_game::{
    BatchReasoner, Expansions, Fluent, KeyReasoner, Move, ReasonError, Reasoner, Role, Utility, UtilityRange,
    WinningLine,
};
use std::fmt;
use std::str::FromStr;

/// An engine that can be selected by name, or the automatic choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineKind {
    /// The propnet if it can be built within the budget, otherwise the interpreter.
    #[default]
    Auto,
    /// The rules compiled to a network of gates ([`crate::propnet`]): slow to build, fast to evaluate.
    Propnet,
    /// The resolution engine: answers straight from the rules ([`crate::interpreter`]).
    Interpreter,
}

/// The error of a name that is no engine's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no engine `{name}`; {}", hint(name))]
pub struct UnknownEngine {
    /// The unknown name.
    pub(crate) name: String,
}

impl EngineKind {
    /// All engines that can be selected.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Propnet, Self::Interpreter];
    /// The engines without [`EngineKind::Auto`], which only chooses between them.
    pub const CONCRETE: [Self; 2] = [Self::Propnet, Self::Interpreter];

    /// The name in commands and options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Propnet => "propnet",
            Self::Interpreter => "interpreter",
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for EngineKind {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownEngine { name: name.to_string() })
    }
}

fn hint(name: &str) -> String {
    near_or_all(name, &EngineKind::ALL.map(EngineKind::name))
}

/// The engine that plays and searches a game.
///
/// States, moves and fluents are valid only for the engine that made them and for its forks; between engines they are
/// converted to terms.
pub enum Engine {
    /// The resolution engine, available without set-up.
    Interpreter(Box<Interpreter>),
    /// The network of gates, available after grounding.
    Propnet(Box<Propnet>),
}

/// A state of an [`Engine`].
#[derive(Debug, PartialEq, Eq, Hash)]
pub enum EngineState {
    /// A state of the resolution engine.
    Interpreter(interpreter::State),
    /// A state of the network.
    Propnet(program::NetworkState),
}

impl Engine {
    /// The kind of this engine; never [`EngineKind::Auto`].
    pub fn kind(&self) -> EngineKind {
        match self {
            Self::Interpreter(_) => EngineKind::Interpreter,
            Self::Propnet(_) => EngineKind::Propnet,
        }
    }

    /// The passes that were left out of the network because they changed the game on this sheet.
    pub fn left_out(&self) -> &[LeftOut] {
        match self {
            Self::Interpreter(_) => &[],
            Self::Propnet(propnet) => propnet.left_out(),
        }
    }

    /// The evaluators and the techniques of lanes that were left out of the network because they changed the game on
    /// this sheet.
    pub fn techniques_left_out(&self) -> Vec<LeftOutTechnique> {
        match self {
            Self::Interpreter(_) => Vec::new(),
            Self::Propnet(propnet) => propnet.back_ends().left_out(),
        }
    }

    /// True if neither this engine nor a fork of it has found the fastest evaluator of the network yet.
    pub(super) fn is_evaluator_open(&self) -> bool {
        matches!(self, Self::Propnet(propnet) if propnet.is_evaluator_open())
    }

    /// Makes this engine take the evaluator that a fork chooses on another thread. Until the choice is made, states are
    /// computed with the current evaluator, and this engine compares none itself.
    pub fn await_evaluator(&mut self) {
        if let Self::Propnet(propnet) = self {
            propnet.await_evaluator();
        }
    }

    /// Finds the fastest evaluator of the network for this engine and its forks, unless it is known. Takes up to a
    /// second.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the work.
    pub fn choose_evaluator(&mut self, limits: &Limits) -> Result<(), Stop> {
        match self {
            Self::Propnet(propnet) => propnet.choose_evaluator(limits),
            Self::Interpreter(_) => Ok(()),
        }
    }

    /// Sets the limits of every question, including those to later forks ([`Interpreter::set_limits`]). The work of the
    /// network for one state is bounded by its size, so it checks no limits.
    pub fn set_limits(&mut self, limits: Limits) {
        if let Self::Interpreter(interpreter) = self {
            interpreter.set_limits(limits);
        }
    }
}

impl Clone for EngineState {
    fn clone(&self) -> Self {
        match self {
            Self::Interpreter(state) => Self::Interpreter(state.clone()),
            Self::Propnet(state) => Self::Propnet(state.clone()),
        }
    }

    /// Reuses the memory of a state of the same engine.
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Self::Propnet(state), Self::Propnet(source)) => state.clone_from(source),
            (state, source) => *state = source.clone(),
        }
    }
}

/// Forwards a question to the engine, with a state of the same kind.
macro_rules! ask {
    ($engine:expr, $name:ident => $question:expr) => {
        match $engine {
            Engine::Interpreter($name) => $question,
            Engine::Propnet($name) => $question,
        }
    };
    ($engine:expr, $state:expr, $name:ident, $own:ident => $question:expr) => {
        match ($engine, $state) {
            (Engine::Interpreter($name), EngineState::Interpreter($own)) => $question,
            (Engine::Propnet($name), EngineState::Propnet($own)) => $question,
            _ => foreign(),
        }
    };
}

/// Panics: a state of another kind of engine is a mistake of the calling code, like an index out of bounds.
fn foreign() -> ! {
    panic!("the state belongs to another kind of engine")
}

/// Every method panics if it is given a state of another kind of engine.
impl Reasoner for Engine {
    type State = EngineState;

    fn roles(&self) -> &[GroundTerm] {
        ask!(self, engine => engine.roles())
    }

    fn initial_state(&mut self) -> Result<EngineState, ReasonError> {
        Ok(match self {
            Self::Interpreter(engine) => EngineState::Interpreter(engine.initial_state()?),
            Self::Propnet(engine) => EngineState::Propnet(engine.initial_state()?),
        })
    }

    #[inline]
    fn legal_moves(&mut self, state: &EngineState, role: Role, moves: &mut Vec<Move>) -> Result<(), ReasonError> {
        ask!(self, state, engine, state => engine.legal_moves(state, role, moves))
    }

    fn random_step(
        &mut self,
        state: &mut EngineState,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<bool, ReasonError> {
        ask!(self, state, engine, state => engine.random_step(state, choose))
    }

    fn next_state(&mut self, state: &EngineState, joint_move: &[Move]) -> Result<EngineState, ReasonError> {
        Ok(match (self, state) {
            (Self::Interpreter(engine), EngineState::Interpreter(state)) => {
                EngineState::Interpreter(engine.next_state(state, joint_move)?)
            }
            (Self::Propnet(engine), EngineState::Propnet(state)) => {
                EngineState::Propnet(engine.next_state(state, joint_move)?)
            }
            _ => foreign(),
        })
    }

    #[inline]
    fn next_state_into(
        &mut self,
        state: &EngineState,
        joint_move: &[Move],
        next: &mut EngineState,
    ) -> Result<(), ReasonError> {
        match (self, state, next) {
            (Self::Interpreter(engine), EngineState::Interpreter(state), EngineState::Interpreter(next)) => {
                engine.next_state_into(state, joint_move, next)
            }
            (Self::Propnet(engine), EngineState::Propnet(state), EngineState::Propnet(next)) => {
                engine.next_state_into(state, joint_move, next)
            }
            _ => foreign(),
        }
    }

    fn successors_at_once(&self) -> usize {
        ask!(self, engine => engine.successors_at_once())
    }

    #[inline]
    fn is_terminal(&mut self, state: &EngineState) -> Result<bool, ReasonError> {
        ask!(self, state, engine, state => engine.is_terminal(state))
    }

    fn goal(&mut self, state: &EngineState, role: Role) -> Result<Utility, ReasonError> {
        ask!(self, state, engine, state => engine.goal(state, role))
    }

    fn utility_range(&self) -> UtilityRange {
        ask!(self, engine => engine.utility_range())
    }

    fn heap_bytes(&self, state: &EngineState) -> usize {
        ask!(self, state, engine, state => engine.heap_bytes(state))
    }

    fn facts(&self, state: &EngineState) -> Vec<GroundTerm> {
        ask!(self, state, engine, state => engine.facts(state))
    }

    fn state_from_facts(&mut self, facts: &[GroundTerm]) -> Result<EngineState, ReasonError> {
        Ok(match self {
            Self::Interpreter(engine) => EngineState::Interpreter(engine.state_from_facts(facts)?),
            Self::Propnet(engine) => EngineState::Propnet(engine.state_from_facts(facts)?),
        })
    }

    fn fluents(&self, state: &EngineState, fluents: &mut Vec<Fluent>) {
        ask!(self, state, engine, state => engine.fluents(state, fluents))
    }

    fn fluent_words(&self, state: &EngineState, words: &mut Vec<u64>) {
        ask!(self, state, engine, state => engine.fluent_words(state, words))
    }

    fn state_from_fluents(&mut self, fluents: &[Fluent]) -> Result<EngineState, ReasonError> {
        Ok(match self {
            Self::Interpreter(engine) => EngineState::Interpreter(engine.state_from_fluents(fluents)?),
            Self::Propnet(engine) => EngineState::Propnet(engine.state_from_fluents(fluents)?),
        })
    }

    fn fluent_term(&self, fluent: Fluent) -> GroundTerm {
        ask!(self, engine => engine.fluent_term(fluent))
    }

    fn find_fluent(&mut self, fact: &GroundTerm) -> Result<Option<Fluent>, ReasonError> {
        ask!(self, engine => engine.find_fluent(fact))
    }

    fn move_term(&self, chosen: Move) -> GroundTerm {
        ask!(self, engine => engine.move_term(chosen))
    }

    fn find_move(&mut self, term: &GroundTerm) -> Result<Move, ReasonError> {
        ask!(self, engine => engine.find_move(term))
    }

    fn fork(&self) -> Self {
        match self {
            Self::Interpreter(engine) => Self::Interpreter(Box::new(engine.fork())),
            Self::Propnet(engine) => Self::Propnet(Box::new(engine.fork())),
        }
    }
}

/// The network expands many states at once.
impl BatchReasoner for Engine {
    fn batch(&self) -> usize {
        ask!(self, engine => engine.batch())
    }

    fn expand(&mut self, states: &[&EngineState], expansions: &mut Expansions<EngineState>) {
        let Self::Propnet(propnet) = self else { return expansions.fill(self, states) };
        // Few states are expanded faster one by one.
        if states.len() < Propnet::FEWEST {
            return expansions.fill(self, states);
        }
        let unwrap = |state| match state {
            EngineState::Propnet(state) => Some(state),
            EngineState::Interpreter(_) => None,
        };
        if !propnet.expand_as(&of_network(states), expansions, EngineState::Propnet, unwrap) {
            expansions.fill(self, states);
        }
    }

    fn find_ends(&mut self, states: &[&EngineState], expansions: &mut Expansions<EngineState>) {
        let is_found = match self {
            Self::Propnet(propnet) if states.len() >= Propnet::FEWEST => {
                propnet.find_ends_as(&of_network(states), expansions)
            }
            _ => false,
        };
        if !is_found {
            expansions.fill_ends(self, states);
        }
    }

    fn keys(&mut self, state: &EngineState) -> Option<Box<dyn KeyReasoner>> {
        ask!(self, state, engine, state => engine.keys(state))
    }
}

/// The states of the network in these states.
fn of_network<'a>(states: &[&'a EngineState]) -> Vec<&'a program::NetworkState> {
    let own = states.iter().map(|state| match state {
        EngineState::Propnet(state) => state,
        EngineState::Interpreter(_) => foreign(),
    });
    own.collect()
}

impl Engine {
    /// The lines of two to eight fluents with which a role wins; none for an interpreter, or where the ways to win are
    /// too many to be listed.
    pub fn winning_lines(&self) -> Vec<WinningLine> {
        match self {
            Self::Propnet(propnet) => propnet.program().winning_lines(),
            Self::Interpreter(_) => Vec::new(),
        }
    }
}
