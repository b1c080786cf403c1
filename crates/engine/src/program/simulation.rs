//! A network in 64 states at once, gate by gate: the plain form with which optimised forms are compared.
//!
//! A word holds one signal in 64 states, one in each bit. Nothing here is shared with the evaluators and with lanes, so
//! a fault of theirs cannot be repeated here. [`SampledGames`] plays at random on it.

use super::{FluentId, FluentStorage, Gate, GateKind, Legality, Program, Wire};
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;
use ggp_game::{Chance, Role};
use std::collections::VecDeque;
use std::ops::Range;

/// The gates of a network, and the words of its signals.
#[derive(Clone, Debug)]
pub(crate) struct WordSimulation {
    pub(crate) outputs: OutputWires,
    network: SimulatedGates,
    /// For each cycle and each of its gates, the gates of the cycle that read it.
    readers: Vec<Vec<Vec<u32>>>,
    /// The signals of the first move and the first gate.
    first_move: usize,
    first_gate: usize,
    /// The word of each signal: first the bits of the state, then the moves, then the gates.
    words: Vec<u64>,
}

/// The wires of the outputs of a network. Fluents, moves, goal values and features are numbered as in the network.
#[derive(Clone, Debug)]
pub(crate) struct OutputWires {
    /// The representation of each fluent in a state.
    pub(crate) storage: Vec<FluentStorage>,
    /// For each fluent with a bit of its own, the bit and its value in the next state.
    pub(crate) next: Vec<Option<(u32, Wire)>>,
    /// For each move that can be legal, its condition.
    pub(crate) legal: Vec<Option<Legality>>,
    pub(crate) goals: Vec<Wire>,
    pub(crate) terminal: Wire,
    pub(crate) features: Vec<Wire>,
}

/// The gates of a [`WordSimulation`].
#[derive(Clone, Debug)]
pub(crate) struct SimulatedGates {
    /// The gates after their inputs; those of a cycle are adjacent.
    pub(crate) gates: Vec<Gate>,
    /// The inputs of the gates, gate after gate.
    pub(crate) wires: Vec<Wire>,
    /// The gates of each cycle, in order.
    pub(crate) cycles: Vec<Range<u32>>,
    /// The gates that depend on the joint move.
    pub(crate) move_gates: Range<u32>,
}

impl SimulatedGates {
    fn inputs(&self, gate: u32) -> &[Wire] {
        let Range { start, end } = self.gates[gate as usize].inputs;
        &self.wires[start as usize..end as usize]
    }
}

impl WordSimulation {
    /// A network with signals for `bits` bits and `moves` moves before those of its gates.
    pub(crate) fn new(bits: usize, moves: usize, network: SimulatedGates, outputs: OutputWires) -> Self {
        let first_gate = bits + moves;
        let mut readers = Vec::with_capacity(network.cycles.len());
        for cycle in &network.cycles {
            let mut of_cycle = vec![Vec::new(); cycle.len()];
            for gate in cycle.clone() {
                for wire in network.inputs(gate) {
                    let read = wire.signal().checked_sub(first_gate + cycle.start as usize);
                    if let Some(readers) = read.and_then(|read| of_cycle.get_mut(read)) {
                        readers.push(gate);
                    }
                }
            }
            readers.push(of_cycle);
        }
        let words = vec![0; first_gate + network.gates.len()];
        Self { outputs, network, readers, first_move: bits, first_gate, words }
    }

    /// The simulation of a program.
    pub(crate) fn from_program(program: &Program) -> Self {
        let next = program.bit_of.iter().map(|bit| bit.map(|bit| (bit, program.next[bit as usize])));
        let legal = program.legal.iter().zip(&program.moves).map(|(&legal, known)| known.is_possible.then_some(legal));
        let outputs = OutputWires {
            storage: program.facts.iter().map(|&(_, storage)| storage).collect(),
            next: next.collect(),
            legal: legal.collect(),
            goals: program.goal.clone(),
            terminal: program.terminal,
            features: program.feature.clone(),
        };
        let network = SimulatedGates {
            gates: program.gates.clone(),
            wires: program.wires.clone(),
            cycles: program.cycles.clone(),
            move_gates: program.move_gates.clone(),
        };
        Self::new(program.bits(), program.moves.len(), network, outputs)
    }

    /// The number of gates and their inputs, in which the time of an evaluation is linear.
    pub(crate) fn size(&self) -> usize {
        self.network.gates.len() + self.network.wires.len()
    }

    /// Takes the states in which these fluents hold, and computes all gates that do not depend on the joint move.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(crate) fn enter(&mut self, fluents: &[u64], poll: &Poll<'_>) -> Result<(), Stop> {
        for (&fluent, next) in fluents.iter().zip(&self.outputs.next) {
            if let Some((bit, _)) = next {
                self.words[*bit as usize] = fluent;
            }
        }
        let Range { start, end } = self.network.move_gates.clone();
        let all = to_u32(self.network.gates.len());
        self.evaluate(0..start, poll)?;
        self.evaluate(end..all, poll)
    }

    /// Takes the joint moves in which these moves are made, and computes the next states.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(crate) fn advance(&mut self, moves: &[u64], poll: &Poll<'_>) -> Result<(), Stop> {
        self.words[self.first_move..self.first_gate].copy_from_slice(moves);
        self.evaluate(self.network.move_gates.clone(), poll)
    }

    /// The states in which a wire is true.
    pub(crate) fn word(&self, wire: Wire) -> u64 {
        let word = self.words[wire.signal()];
        if wire.is_negated() { !word } else { word }
    }

    /// The states in which a move is legal, after [`WordSimulation::enter`].
    pub(crate) fn legal(&self, chosen: usize) -> u64 {
        self.outputs.legal[chosen].map_or(0, |Legality { guard, wire }| self.word(guard) & self.word(wire))
    }

    /// The states after which a fluent holds, after [`WordSimulation::advance`].
    pub(crate) fn next(&self, fluent: usize) -> u64 {
        match (self.outputs.storage[fluent], self.outputs.next[fluent]) {
            (FluentStorage::Own, next) => next.map_or(0, |(_, wire)| self.word(wire)),
            (FluentStorage::Same(other), _) => self.next(other.index()),
            (FluentStorage::Always(value), _) => lanes_if(value),
        }
    }

    /// Gives fluents that have no bit the values of those that represent them.
    pub(crate) fn represent(&self, fluents: &mut [u64]) {
        for (fluent, &storage) in self.outputs.storage.iter().enumerate() {
            fluents[fluent] = match storage {
                FluentStorage::Own => fluents[fluent],
                FluentStorage::Same(other) => fluents[other.index()],
                FluentStorage::Always(value) => lanes_if(value),
            };
        }
    }

    fn evaluate(&mut self, gates: Range<u32>, poll: &Poll<'_>) -> Result<(), Stop> {
        let mut cycle = self.network.cycles.partition_point(|cycle| cycle.end <= gates.start);
        let mut gate = gates.start;
        while gate < gates.end {
            match self.network.cycles.get(cycle).filter(|cycle| cycle.start == gate) {
                Some(found) => {
                    gate = found.end;
                    self.settle(cycle, poll)?;
                    cycle += 1;
                }
                None => {
                    poll.steps(self.network.inputs(gate).len() / STEPS_OF_A_POLL)?;
                    self.words[self.first_gate + gate as usize] = self.value(gate);
                    gate += 1;
                }
            }
        }
        poll.steps(gates.len() / STEPS_OF_A_POLL)
    }

    /// Computes the least fixpoint of a cycle, from false on: a gate is evaluated again when one that it reads has
    /// changed.
    fn settle(&mut self, cycle: usize, poll: &Poll<'_>) -> Result<(), Stop> {
        let gates = self.network.cycles[cycle].clone();
        let first = gates.start;
        let mut open: VecDeque<u32> = gates.collect();
        let mut is_open = vec![true; open.len()];
        self.words[self.first_gate + first as usize..][..open.len()].fill(0);
        while let Some(gate) = open.pop_front() {
            poll.steps(1 + self.network.inputs(gate).len() / STEPS_OF_A_POLL)?;
            is_open[(gate - first) as usize] = false;
            let value = self.value(gate);
            if std::mem::replace(&mut self.words[self.first_gate + gate as usize], value) != value {
                for &reader in &self.readers[cycle][(gate - first) as usize] {
                    if !std::mem::replace(&mut is_open[(reader - first) as usize], true) {
                        open.push_back(reader);
                    }
                }
            }
        }
        Ok(())
    }

    fn value(&self, gate: u32) -> u64 {
        let inputs = self.network.inputs(gate).iter().map(|&wire| self.word(wire));
        match self.network.gates[gate as usize].kind {
            GateKind::And => inputs.fold(u64::MAX, |all, input| all & input),
            GateKind::Or => inputs.fold(0, |any, input| any | input),
        }
    }
}

/// The gates that are evaluated in about the time that a step of a poll stands for.
const STEPS_OF_A_POLL: usize = 64;

/// A word that has all bits set, or none.
fn lanes_if(value: bool) -> u64 {
    if value { u64::MAX } else { 0 }
}

/// 64 games of random play. The games of the lower half end in terminal states, as games do; those of the upper half go
/// on while every role has a legal move. Then a game begins anew.
#[derive(Clone, Debug)]
pub(crate) struct SampledGames {
    initial: Vec<bool>,
    /// The games in whose state each fluent holds.
    pub(crate) state: Vec<u64>,
    /// The games in which each move is made.
    pub(crate) moves: Vec<u64>,
    /// The moves of each role.
    roles: Vec<Range<usize>>,
    /// The games in which some role has no legal move.
    pub(crate) stuck: u64,
    chance: Chance,
}

/// The games that end in terminal states: the lower half.
const ENDING: u64 = u64::MAX >> 32;

impl SampledGames {
    /// Games in the initial state. `initial` is true for the fluents that hold there, and `roles` has the moves of each
    /// role.
    pub(crate) fn new(initial: Vec<bool>, roles: Vec<Range<usize>>, seed: u64) -> Self {
        let state = initial.iter().map(|&holds| lanes_if(holds)).collect();
        let moves = vec![0; roles.last().map_or(0, |moves| moves.end)];
        Self { initial, state, moves, roles, stuck: 0, chance: Chance::new(seed) }
    }

    /// Games of a program, from its initial state.
    pub(crate) fn from_program(program: &Program, seed: u64) -> Self {
        let initial = (0..program.facts.len()).map(|fact| program.holds(&program.initial, fact)).collect();
        let roles = (0..program.roles.len()).map(|role| program.moves_of(Role::new(role))).collect();
        Self::new(initial, roles, seed)
    }

    /// Chooses a legal move for each role in each game.
    pub(crate) fn choose(&mut self, simulation: &WordSimulation) {
        self.stuck = 0;
        for role in self.roles.clone() {
            let mut counts = [0_usize; 64];
            for chosen in role.clone() {
                // Clears the moves of the ply before.
                self.moves[chosen] = 0;
                ones(simulation.legal(chosen)).for_each(|lane| counts[lane] += 1);
            }
            // The chosen move is counted down to: 0 stands for no move, n for the n-th legal one.
            let mut left = counts.map(|count| if count == 0 { 0 } else { self.chance.below(count) + 1 });
            self.stuck |= (0..64).filter(|&lane| counts[lane] == 0).fold(0, |lanes, lane| lanes | 1 << lane);
            for chosen in role {
                for lane in ones(simulation.legal(chosen)) {
                    // 1 at the chosen move, 0 after it.
                    self.moves[chosen] |= u64::from(left[lane] == 1) << lane;
                    left[lane] = left[lane].saturating_sub(1);
                }
            }
        }
    }

    /// The games that begin anew after this ply.
    pub(crate) fn over(&self, simulation: &WordSimulation) -> u64 {
        self.stuck | simulation.word(simulation.outputs.terminal) & ENDING
    }

    /// Takes the next states, after [`WordSimulation::advance`]; games that are over begin anew.
    pub(crate) fn advance(&mut self, simulation: &WordSimulation) {
        let fresh = self.over(simulation);
        for (fluent, state) in self.state.iter_mut().enumerate() {
            *state = simulation.next(fluent) & !fresh | lanes_if(self.initial[fluent]) & fresh;
        }
    }

    /// Changes some fluents in a quarter of the games, to states that need not be reachable.
    pub(crate) fn mutate(&mut self) {
        for state in &mut self.state {
            *state ^= (0..4).fold(MUTATED, |lanes, _| lanes & self.chance.word());
        }
    }

    /// The fluents that hold in a game.
    pub(crate) fn fluents(&self, lane: u32) -> impl Iterator<Item = FluentId> {
        self.state
            .iter()
            .enumerate()
            .filter(move |(_, word)| *word >> lane & 1 == 1)
            .map(|(index, _)| FluentId::new(index))
    }

    /// The moves that are made in a game.
    pub(crate) fn joint_move(&self, lane: u32) -> impl Iterator<Item = usize> {
        self.moves.iter().enumerate().filter(move |(_, word)| *word >> lane & 1 == 1).map(|(index, _)| index)
    }
}

/// The games in which [`SampledGames::mutate`] changes fluents.
const MUTATED: u64 = 0xffff << 48;

/// The indices of the set bits of a word.
pub(super) fn ones(word: u64) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)))
        .take_while(|&word| word != 0)
        .map(|word| word.trailing_zeros() as usize)
}
