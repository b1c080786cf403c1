//! Moves and fluents by number: the numbers are those of the network of a game, in canonical order, and do not depend
//! on its optimisation.

use crate::failure::Failure;
use ggp::propnet::Propnet;
use ggp::{GroundTerm, Reasoner, Role};
use rustc_hash::FxHashMap;

/// The moves of each role and the fluents of a game, by number.
pub(crate) struct Network {
    /// For each role, its moves.
    pub(crate) moves: Vec<Vec<GroundTerm>>,
    /// For each role, the number of each of its moves.
    numbers: Vec<FxHashMap<GroundTerm, u32>>,
    /// For each role, the number of each move that the engine has, by the engine's number.
    of_engine: Vec<Vec<u32>>,
    /// The facts that can hold.
    pub(crate) fluents: Vec<GroundTerm>,
}

impl Network {
    /// Reads the numbers from an engine.
    pub(crate) fn of(propnet: &mut Propnet) -> Result<Self, Failure> {
        let roles = propnet.roles().len();
        let program = propnet.program();
        let of_role = |role| program.moves[program.moves_of(Role::new(role))].iter().map(|known| known.term.clone());
        let moves: Vec<Vec<GroundTerm>> = (0..roles).map(|role| of_role(role).collect()).collect();
        let fluents = program.facts.iter().map(|(fact, _)| fact.clone()).collect();
        let numbered = |moves: &Vec<GroundTerm>| moves.iter().cloned().zip(0..).collect();
        let numbers = moves.iter().map(numbered).collect();
        let mut of_engine = vec![Vec::new(); roles];
        for (own, moves) in of_engine.iter_mut().zip(&moves) {
            for (number, term) in (0..).zip(moves) {
                let index = propnet.find_move(term)?.index();
                if own.len() <= index {
                    own.resize(index + 1, u32::MAX);
                }
                own[index] = number;
            }
        }
        Ok(Self { moves, numbers, of_engine, fluents })
    }

    /// The number of a move of a role, if it has one.
    pub(crate) fn number(&self, role: Role, term: &GroundTerm) -> Option<u32> {
        self.numbers[role.index()].get(term).copied()
    }

    /// The number of a move of the engine that the numbers were read from, or of its forks.
    pub(crate) fn number_of(&self, role: Role, chosen: ggp::Move) -> Option<u32> {
        self.of_engine[role.index()].get(chosen.index()).copied().filter(|&number| number != u32::MAX)
    }

    /// The index of a fluent.
    pub(crate) fn fluent(&self, fact: &GroundTerm) -> Option<usize> {
        self.fluents.binary_search(fact).ok()
    }
}
