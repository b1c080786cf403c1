//! Moves and fluents by number: the numbers are those of the network of a game, in canonical order, and do not depend
//! on its optimisation.

use crate::failure::Failure;
use ggp::game::Fluent;
use ggp::{GroundTerm, Move, Reasoner, Role};
use ggp_engine::program::{FluentStorage, NetworkState, Program};
use ggp_engine::propnet::Propnet;
use rustc_hash::FxHashMap;
use std::hash::{BuildHasher, BuildHasherDefault};

/// The moves of each role and the fluents of a game, by number.
pub(crate) struct Network {
    /// For each role, its moves.
    pub(crate) moves: Vec<Vec<GroundTerm>>,
    /// For each role, the number of each of its moves.
    numbers: Vec<FxHashMap<GroundTerm, u32>>,
    /// For each role, the number of each move that the engine has, by the engine's number.
    of_engine: Vec<Vec<u32>>,
    /// For each role, the engine's number of each of its moves.
    in_engine: Vec<Vec<Move>>,
    /// For each role, the number of its move `noop`.
    pub(crate) idle: Vec<Option<u32>>,
    /// The facts that can hold.
    pub(crate) fluents: Vec<GroundTerm>,
    /// The fluents that hold in every state that play reaches.
    constant: Vec<u32>,
    /// For each bit of a state, the fluents that hold where it is set.
    of_bit: Vec<Vec<u32>>,
    /// For each fluent, its bit; those that mirror another have none.
    bit_of: Vec<Option<u32>>,
    /// The share of each bit in the hash of a state, and that of the constant fluents.
    hashes: Vec<u64>,
    hash: u64,
    /// A number for the list of fluents, by which states of other rules are recognised.
    pub(crate) fingerprint: u64,
}

impl Network {
    /// Reads the numbers from an engine.
    pub(crate) fn of(propnet: &mut Propnet) -> Result<Self, Failure> {
        let roles = propnet.roles().len();
        let program = propnet.program();
        let of_role = |role| program.moves[program.moves_of(Role::new(role))].iter().map(|known| known.term.clone());
        let moves: Vec<Vec<GroundTerm>> = (0..roles).map(|role| of_role(role).collect()).collect();
        let fluents: Vec<GroundTerm> = program.facts.iter().map(|(fact, _)| fact.clone()).collect();
        let bits = bits_of(propnet, &fluents);
        let Bits { constant, of_bit, bit_of } = Bits::new(propnet.program(), &bits);
        let numbered = |moves: &Vec<GroundTerm>| moves.iter().cloned().zip(0..).collect();
        let numbers = moves.iter().map(numbered).collect();
        let mut of_engine = vec![Vec::new(); roles];
        let mut in_engine = vec![Vec::new(); roles];
        for (role, moves) in moves.iter().enumerate() {
            for (number, term) in (0..).zip(moves) {
                let found = propnet.find_move(term)?;
                in_engine[role].push(found);
                if of_engine[role].len() <= found.index() {
                    of_engine[role].resize(found.index() + 1, u32::MAX);
                }
                of_engine[role][found.index()] = number;
            }
        }
        let idle = moves.iter().map(|moves| (0..).zip(moves).find(|(_, term)| term.to_string() == "noop"));
        let idle = idle.map(|found| found.map(|(number, _)| number)).collect();
        let share = |&fluent: &u32| hash(&fluents[fluent as usize]);
        let sum = |some: &[u32]| some.iter().map(share).fold(0, u64::wrapping_add);
        let hashes = of_bit.iter().map(|some| sum(some)).collect();
        let base = sum(&constant);
        let fingerprint = mixed(fluents.iter().fold(0, |sum: u64, fluent| mixed(sum).wrapping_add(hash(fluent))));
        Ok(Self {
            moves,
            numbers,
            of_engine,
            in_engine,
            idle,
            constant,
            of_bit,
            bit_of,
            hashes,
            hash: base,
            fingerprint,
            fluents,
        })
    }

    /// The number of a move of a role, if it has one.
    pub(crate) fn number(&self, role: Role, term: &GroundTerm) -> Option<u32> {
        self.numbers[role.index()].get(term).copied()
    }

    /// The number of a move of the engine that the numbers were read from, or of its forks.
    pub(crate) fn number_of(&self, role: Role, chosen: Move) -> Option<u32> {
        self.of_engine[role.index()].get(chosen.index()).copied().filter(|&number| number != u32::MAX)
    }

    /// The move of the engine with a number.
    pub(crate) fn chosen(&self, role: Role, number: u32) -> Move {
        self.in_engine[role.index()][number as usize]
    }

    /// The index of a fluent.
    pub(crate) fn fluent(&self, fact: &GroundTerm) -> Option<usize> {
        self.fluents.binary_search(fact).ok()
    }

    /// The indices of the fluents that hold in a state that play reaches, in no order.
    pub(crate) fn holding(&self, state: &NetworkState) -> impl Iterator<Item = usize> {
        let of_bits = state.ones().flat_map(|bit| &self.of_bit[bit]);
        self.constant.iter().chain(of_bits).map(|&fluent| fluent as usize)
    }

    /// The bits of the state in which these fluents hold.
    pub(crate) fn bits(&self, fluents: impl Iterator<Item = usize>) -> Vec<Fluent> {
        fluents.filter_map(|fluent| self.bit_of[fluent]).map(|bit| Fluent::new(bit as usize)).collect()
    }

    /// The hash of a state: that of [`hash_of`] of its facts.
    pub(crate) fn hash(&self, state: &NetworkState) -> u64 {
        state.ones().fold(self.hash, |sum, bit| sum.wrapping_add(self.hashes[bit]))
    }
}

/// A hash of a set of facts that does not depend on their order, or on what represents them: the sum of those of all.
pub(crate) fn hash_of(facts: &[GroundTerm]) -> u64 {
    facts.iter().map(hash).fold(0, u64::wrapping_add)
}

fn hash(fact: &GroundTerm) -> u64 {
    mixed(BuildHasherDefault::<rustc_hash::FxHasher>::default().hash_one(fact))
}

/// The output function of SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) fn mixed(counter: u64) -> u64 {
    let bits = (counter ^ (counter >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// For each bit of a state, the index of its fact.
fn bits_of(propnet: &Propnet, fluents: &[GroundTerm]) -> Vec<usize> {
    let bits = propnet.program().next.len();
    let of_bit = |bit| fluents.binary_search(&propnet.fluent_term(Fluent::new(bit)));
    (0..bits).map(|bit| of_bit(bit).expect("the fact of a bit is one of the program")).collect()
}

/// Mapping between the bits of a state and fluents.
struct Bits {
    constant: Vec<u32>,
    of_bit: Vec<Vec<u32>>,
    bit_of: Vec<Option<u32>>,
}

impl Bits {
    fn new(program: &Program, fact_of: &[usize]) -> Self {
        let mut bit_of = vec![None; program.facts.len()];
        for (bit, &fact) in (0..).zip(fact_of) {
            bit_of[fact] = Some(bit);
        }
        let mut constant = Vec::new();
        let mut of_bit = vec![Vec::new(); fact_of.len()];
        for (fact, (_, storage)) in (0_u32..).zip(&program.facts) {
            let mut kept = (fact as usize, *storage);
            while let FluentStorage::Same(other) = kept.1 {
                kept = (other.index(), program.facts[other.index()].1);
            }
            match kept {
                (_, FluentStorage::Always(true)) => constant.push(fact),
                (own, FluentStorage::Own) => {
                    bit_of[own].into_iter().for_each(|bit: u32| of_bit[bit as usize].push(fact))
                }
                _ => {}
            }
        }
        Self { constant, of_bit, bit_of }
    }
}
