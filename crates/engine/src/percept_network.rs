//! A network that answers about percepts: that of a sheet in whose states percepts are facts.
//!
//! What roles perceive of a joint move is what the next state of such a sheet holds, so percepts cost as much as a next
//! state, and every evaluator and all lanes compute them, compared with the rules as for any game. The percepts are
//! taken out of the states of this engine, so that equal states of the game are equal.

use crate::program::{FluentStorage, NetworkState, Program};
use crate::propnet::Propnet;
use crate::{Engine, EngineKind, Game, LoadError, load_text};
use fixedbitset::FixedBitSet;
use gdl::rules::GroundTerm;
use gdl::syntax::Source;
use ggp_game::{Fluent, Move, Percept, PerceptReasoner, ReasonError, Reasoner, Role, Utility, UtilityRange};

/// A network of a game with rules for `sees`, that implements [`PerceptReasoner`].
#[derive(Clone, Debug)]
pub struct PerceptNetwork {
    propnet: Propnet,
    /// The terms of all percepts that a role may have, in canonical order.
    percepts: Vec<GroundTerm>,
    /// Other terms that were asked about; they are numbered after those.
    others: Vec<GroundTerm>,
    /// For each role, the facts of the program that stand for its percepts, in the order of these.
    facts: Vec<Vec<(usize, Percept)>>,
    /// For each fact of the program, true if it stands for a percept.
    is_percept: Vec<bool>,
    /// The bits that stand for percepts alone, as a mask of all others.
    kept: FixedBitSet,
    /// The last joint move that was asked about, with the state before it and the one after it, which has percepts.
    last: Option<LastStep>,
}

#[derive(Clone, Debug)]
struct LastStep {
    before: NetworkState,
    joint_move: Vec<Move>,
    after: NetworkState,
}

impl Game {
    /// The network of this game that answers about percepts, which is built now, within the limits of the engine.
    ///
    /// # Errors
    /// If it cannot be built.
    pub fn percept_network(&self) -> Result<PerceptNetwork, LoadError> {
        let sheet = self.with_percepts();
        let mut options = self.options().clone();
        options.kind = EngineKind::Propnet;
        options.background = None;
        let source = Source::new(&self.name, sheet.text);
        let game = load_text(self.name.clone(), source, Some(self.sheet.dialect), options)?;
        match game.into_engine().map_err(|error| LoadError::Engine { name: self.name.clone(), error })? {
            Engine::Propnet(propnet) => Ok(PerceptNetwork::new(*propnet, &sheet.relation)),
            Engine::Interpreter(_) => unreachable!("the options select the network"),
        }
    }
}

impl PerceptNetwork {
    /// A network in whose states the relation stands for percepts.
    fn new(propnet: Propnet, relation: &str) -> Self {
        let program = propnet.program();
        let percept = |fact: &GroundTerm| match &fact.arguments[..] {
            [role, percept] if *fact.name == *relation => {
                let role = program.roles.iter().position(|known| known == role);
                role.map(|role| (role, percept.clone()))
            }
            _ => None,
        };
        let found: Vec<Option<(usize, GroundTerm)>> = program.facts.iter().map(|(fact, _)| percept(fact)).collect();
        let mut percepts: Vec<GroundTerm> = found.iter().flatten().map(|(_, percept)| percept.clone()).collect();
        percepts.sort();
        percepts.dedup();
        let mut facts = vec![Vec::new(); program.roles.len()];
        for (fact, found) in found.iter().enumerate() {
            if let Some((role, percept)) = found {
                let number = percepts.binary_search(percept).expect("it is one of them");
                facts[*role].push((fact, Percept::new(number)));
            }
        }
        let is_percept: Vec<bool> = found.iter().map(Option::is_some).collect();
        let mut kept = FixedBitSet::with_capacity(program.bits());
        for fact in (0..program.facts.len()).filter(|&fact| !is_percept[fact]) {
            if let Some(bit) = bit_of(program, fact) {
                kept.insert(bit);
            }
        }
        Self { propnet, percepts, others: Vec::new(), facts, is_percept, kept, last: None }
    }

    /// The network whose states hold the percepts of the last joint move, for lanes: `relation(ROLE,PERCEPT)`.
    pub fn propnet(&self) -> &Propnet {
        &self.propnet
    }

    /// Computes the state after a joint move with its percepts, unless it is the last one that was.
    fn step(&mut self, state: &NetworkState, joint_move: &[Move]) -> Result<&NetworkState, ReasonError> {
        let is_known = |last: &LastStep| last.joint_move == joint_move && last.before == *state;
        if !self.last.as_ref().is_some_and(is_known) {
            let mut last = self.last.take().unwrap_or_else(|| LastStep {
                before: state.clone(),
                joint_move: Vec::new(),
                after: state.clone(),
            });
            self.propnet.next_state_into(state, joint_move, &mut last.after)?;
            last.before.clone_from(state);
            last.joint_move.clear();
            last.joint_move.extend_from_slice(joint_move);
            self.last = Some(last);
        }
        Ok(&self.last.as_ref().expect("it has been computed").after)
    }
}

/// The bit of a fact, or of the one that represents it.
fn bit_of(program: &Program, fact: usize) -> Option<usize> {
    match program.facts[fact].1 {
        FluentStorage::Own => program.bit_of[fact].map(|bit| bit as usize),
        FluentStorage::Same(other) => bit_of(program, other.index()),
        FluentStorage::Always(_) => None,
    }
}

impl Reasoner for PerceptNetwork {
    type State = NetworkState;

    fn roles(&self) -> &[GroundTerm] {
        self.propnet.roles()
    }

    fn initial_state(&mut self) -> Result<NetworkState, ReasonError> {
        self.propnet.initial_state()
    }

    fn legal_moves(&mut self, state: &NetworkState, role: Role, moves: &mut Vec<Move>) -> Result<(), ReasonError> {
        self.propnet.legal_moves(state, role, moves)
    }

    fn next_state(&mut self, state: &NetworkState, joint_move: &[Move]) -> Result<NetworkState, ReasonError> {
        let mut next = self.step(state, joint_move)?.clone();
        next.bits_mut().intersect_with(&self.kept);
        Ok(next)
    }

    fn next_state_into(
        &mut self,
        state: &NetworkState,
        joint_move: &[Move],
        next: &mut NetworkState,
    ) -> Result<(), ReasonError> {
        next.clone_from(self.step(state, joint_move)?);
        next.bits_mut().intersect_with(&self.kept);
        Ok(())
    }

    fn successors_at_once(&self) -> usize {
        self.propnet.successors_at_once()
    }

    fn random_step(
        &mut self,
        state: &mut NetworkState,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<bool, ReasonError> {
        let has_played = self.propnet.random_step(state, choose)?;
        state.bits_mut().intersect_with(&self.kept);
        Ok(has_played)
    }

    fn is_terminal(&mut self, state: &NetworkState) -> Result<bool, ReasonError> {
        self.propnet.is_terminal(state)
    }

    fn goal(&mut self, state: &NetworkState, role: Role) -> Result<Utility, ReasonError> {
        self.propnet.goal(state, role)
    }

    fn utility_range(&self) -> UtilityRange {
        self.propnet.utility_range()
    }

    fn heap_bytes(&self, state: &NetworkState) -> usize {
        self.propnet.heap_bytes(state)
    }

    fn facts(&self, state: &NetworkState) -> Vec<GroundTerm> {
        let program = self.propnet.program();
        let facts = program.facts.iter().enumerate().filter(|&(fact, _)| !self.is_percept[fact]);
        facts.filter(|&(fact, _)| program.holds(state.bits(), fact)).map(|(_, (fact, _))| fact.clone()).collect()
    }

    fn state_from_facts(&mut self, facts: &[GroundTerm]) -> Result<NetworkState, ReasonError> {
        let program = self.propnet.program();
        let mut state = FixedBitSet::with_capacity(program.bits());
        let mut given = FixedBitSet::with_capacity(program.facts.len());
        for fact in facts {
            let known = program.facts.binary_search_by(|(known, _)| known.cmp(fact)).ok();
            let Some(index) = known.filter(|&index| !self.is_percept[index]) else {
                return Err(ReasonError::OutOfReach { fact: fact.clone(), holds: true });
            };
            given.insert(index);
            if let Some(bit) = bit_of(program, index) {
                state.insert(bit);
            }
        }
        for index in (0..program.facts.len()).filter(|&index| !self.is_percept[index]) {
            let holds = given.contains(index);
            if holds != program.holds(&state, index) {
                return Err(ReasonError::OutOfReach { fact: program.facts[index].0.clone(), holds });
            }
        }
        Ok(NetworkState::new(state))
    }

    fn fluents(&self, state: &NetworkState, fluents: &mut Vec<Fluent>) {
        self.propnet.fluents(state, fluents);
    }

    fn fluent_words(&self, state: &NetworkState, words: &mut Vec<u64>) {
        self.propnet.fluent_words(state, words);
    }

    fn state_from_fluents(&mut self, fluents: &[Fluent]) -> Result<NetworkState, ReasonError> {
        self.propnet.state_from_fluents(fluents)
    }

    fn fluent_term(&self, fluent: Fluent) -> GroundTerm {
        self.propnet.fluent_term(fluent)
    }

    fn find_fluent(&mut self, fact: &GroundTerm) -> Result<Option<Fluent>, ReasonError> {
        self.propnet.find_fluent(fact)
    }

    fn move_term(&self, chosen: Move) -> GroundTerm {
        self.propnet.move_term(chosen)
    }

    fn find_move(&mut self, term: &GroundTerm) -> Result<Move, ReasonError> {
        self.propnet.find_move(term)
    }

    fn fork(&self) -> Self {
        self.clone()
    }
}

impl PerceptReasoner for PerceptNetwork {
    fn has_percepts(&self) -> bool {
        true
    }

    fn percepts(
        &mut self,
        state: &NetworkState,
        joint_move: &[Move],
        role: Role,
        percepts: &mut Vec<Percept>,
    ) -> Result<(), ReasonError> {
        percepts.clear();
        self.step(state, joint_move)?;
        let program = self.propnet.program();
        let after = &self.last.as_ref().expect("it has been computed").after;
        let held = self.facts[role.index()].iter().filter(|&&(fact, _)| program.holds(after.bits(), fact));
        percepts.extend(held.map(|&(_, percept)| percept));
        Ok(())
    }

    fn percept_term(&self, percept: Percept) -> GroundTerm {
        match percept.index().checked_sub(self.percepts.len()) {
            Some(other) => self.others[other].clone(),
            None => self.percepts[percept.index()].clone(),
        }
    }

    fn find_percept(&mut self, term: &GroundTerm) -> Result<Percept, ReasonError> {
        Ok(Percept::new(self.percepts.binary_search(term).unwrap_or_else(|_| {
            let known = self.others.iter().position(|other| other == term);
            self.percepts.len()
                + known.unwrap_or_else(|| {
                    self.others.push(term.clone());
                    self.others.len() - 1
                })
        })))
    }
}
