//! The flat program: a network as plain arrays of 32-bit ids, ready to be evaluated.
//!
//! Signals are numbered: first the bits of the state, then the moves, then the gates in topological order; the gates of
//! a cycle are adjacent. Negations are part of the edges. The program also maps bits, moves and goal values back to
//! terms.

mod plain_circuit;
mod reference;
mod simulation;
mod winning_lines;

pub use plain_circuit::PlainCircuit;
pub use reference::FormDifference;
pub(crate) use reference::{
    ComparedOutput, Deviation, ROUNDS, ReferencePlay, STATES_OF_ROUND, SampledPly, SampledStates, write_left_out,
    write_state,
};
pub(crate) use simulation::{OutputWires, SampledGames, SimulatedGates, WordSimulation};

use fixedbitset::FixedBitSet;
use gdl::number::{index_id, to_u32};
use gdl::rules::{GroundTerm, Utilities};
use ggp_game::{ReasonError, Role, Utility, UtilityRange};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::Range;

/// A signal or its negation.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Wire(u32);

impl Wire {
    /// The wire of a signal, not negated.
    ///
    /// # Panics
    /// If the signal does not fit into 31 bits.
    pub fn new(signal: usize) -> Self {
        assert!(signal < 1 << 31, "too many signals");
        Self(to_u32(signal) << 1)
    }

    /// The number of the signal.
    pub(crate) fn signal(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// True if the wire is the negation of its signal.
    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The negation of the wire.
    pub(crate) fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The negation if `negate` is true, else the wire itself.
    pub(crate) fn negated_if(self, negate: bool) -> Self {
        Self(self.0 ^ u32::from(negate))
    }
}

/// The function of a gate.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum GateKind {
    /// The conjunction; true without inputs.
    And,
    /// The disjunction; false without inputs.
    Or,
}

/// A gate, which reads its inputs in any order.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Gate {
    /// The function of the gate.
    pub(crate) kind: GateKind,
    /// The inputs, as a range of [`Program::wires`].
    pub(crate) inputs: Range<u32>,
}

/// The legality of a move: it is legal if both wires are true.
///
/// Whose turn it is changes with every move, and the legal moves of both roles depend on it. So a wire that many moves
/// of a role share is stored separately as their *guard*, and evaluated when the legal moves are asked for.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Legality {
    /// The part that several moves share; the constant true if there is none.
    pub guard: Wire,
    /// The rest of the condition.
    pub(crate) wire: Wire,
}

index_id! {
    /// A fluent: an index into the fluents of a network, or into [`Program::facts`].
    #[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
    pub struct FluentId
}

/// The representation of a fluent in a state.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FluentStorage {
    /// A bit of its own.
    Own,
    /// None: it holds in every reachable state (true), or in none (false).
    Always(bool),
    /// The bit of another fluent, which always has the same value.
    Same(FluentId),
}

/// A move of a role as the network knows it.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct MoveInput {
    /// The role that can make the move.
    pub role: Role,
    /// The term of the move.
    pub term: GroundTerm,
    /// It can be legal in some state; otherwise it has neither input nor output.
    pub is_possible: bool,
}

/// A goal value of a role.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct RoleGoal {
    /// The role that the value is for.
    pub role: Role,
    /// The value; the rules may make it something other than an integer.
    pub value: GroundTerm,
}

/// A game as a flat program.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The roles, in the order of the rule sheet.
    pub roles: Vec<GroundTerm>,
    /// Every fact that can hold, in canonical order, and how the state represents it.
    pub facts: Vec<(GroundTerm, FluentStorage)>,
    /// For each fact in [`Program::facts`], its bit, if it has one.
    pub(crate) bit_of: Vec<Option<u32>>,
    /// For each bit, the index of its fact.
    pub(crate) fact_of: Vec<u32>,
    /// Every move, by role and then in canonical order. The output of a move that is never possible is a constant.
    pub moves: Vec<MoveInput>,
    /// Every goal value, by role and then in canonical order.
    pub goals: Vec<RoleGoal>,
    /// The utilities for which goal values stand.
    #[serde(default)]
    pub utilities: Utilities,
    /// The initial state.
    #[serde(serialize_with = "serialize_bits", deserialize_with = "deserialize_bits")]
    pub(crate) initial: FixedBitSet,
    /// The gates, in the order of their signals.
    pub gates: Vec<Gate>,
    /// The gates between the joint move and the next state, as a range of `gates`; those before it depend on
    /// the state alone.
    pub(crate) move_gates: Range<u32>,
    /// The gates that only goal values and features need; they come last.
    pub goal_gates: Range<u32>,
    /// The number of gates at the start of `goal_gates` that features need.
    #[serde(skip)]
    pub(crate) feature_gates: u32,
    /// The inputs of the gates, gate after gate.
    pub wires: Vec<Wire>,
    /// The gates of each cycle, as ranges of `gates`, in order.
    pub cycles: Vec<Range<u32>>,
    /// A wire that is always true.
    pub(crate) always: Wire,
    /// For each bit, its value in the next state.
    pub next: Vec<Wire>,
    /// For each move, the condition under which it is legal.
    pub legal: Vec<Legality>,
    /// For each goal value, the wire that is true if it holds.
    pub goal: Vec<Wire>,
    /// The wire that is true in terminal states.
    pub terminal: Wire,
    /// Groups of two bits or more, each ascending, of which at most one is set in every state that legal play reaches
    /// from the initial state. Groups may overlap: a square holds one piece, and a piece is on one square.
    ///
    /// The groups are proved together, by induction over joint moves that are legal, so they also hold in every state
    /// that is reached from any other in which all of them hold ([`Program::are_groups_kept`]). There are none if the
    /// pass `exclusive` is switched off, or if the proof takes too much effort.
    #[serde(default)]
    pub groups: Vec<Vec<u32>>,
    /// Every feature that can hold, in canonical order. Only a game to which a sheet was added has any, and such a game
    /// is not kept in a file.
    #[serde(skip)]
    pub(crate) features: Vec<GroundTerm>,
    /// For each feature, the wire that is true if it holds.
    #[serde(skip)]
    pub(crate) feature: Vec<Wire>,
}

impl Program {
    /// The maximum number of signals, and of inputs of all gates: every index then fits 32 bits in every evaluator,
    /// with one or two bits to spare.
    pub(crate) const MOST_SIGNALS: usize = 1 << 28;

    /// True if at most one bit of each group is set in a state. Then this holds in all states that follow by legal
    /// moves. Linear in the sizes of the groups; lanes ask this for each state from which a game begins, so bits are
    /// counted and not branched on.
    pub fn are_groups_kept(&self, state: &NetworkState) -> bool {
        const BITS: usize = usize::BITS as usize;
        let words = state.bits().as_slice();
        let value = |&bit: &u32| words[bit as usize / BITS] >> (bit as usize % BITS) & 1;
        self.groups.iter().all(|group| group.iter().map(value).sum::<usize>() <= 1)
    }

    /// The number of bits of a state.
    pub(crate) fn bits(&self) -> usize {
        self.fact_of.len()
    }

    /// The signal of the first gate.
    pub(crate) fn first_gate(&self) -> usize {
        self.bits() + self.moves.len()
    }

    /// The number of signals.
    pub(crate) fn signals(&self) -> usize {
        self.first_gate() + self.gates.len()
    }

    /// The signal of a move.
    pub(crate) fn move_signal(&self, chosen: usize) -> usize {
        self.bits() + chosen
    }

    /// The inputs of a gate.
    pub(crate) fn inputs(&self, gate: usize) -> &[Wire] {
        let Range { start, end } = self.gates[gate].inputs;
        &self.wires[start as usize..end as usize]
    }

    /// The moves of a role, as a range of [`Program::moves`].
    pub fn moves_of(&self, role: Role) -> Range<usize> {
        let start = self.moves.partition_point(|known| known.role < role);
        let end = self.moves.partition_point(|known| known.role <= role);
        start..end
    }

    /// The goal values of a role, as a range of [`Program::goals`].
    pub fn goals_of(&self, role: Role) -> Range<usize> {
        let start = self.goals.partition_point(|goal| goal.role < role);
        let end = self.goals.partition_point(|goal| goal.role <= role);
        start..end
    }

    /// True if a wire depends on the joint move.
    pub(crate) fn depends_on_moves(&self, wire: Wire) -> bool {
        let signal = wire.signal();
        let gate = signal.checked_sub(self.first_gate());
        gate.map_or(signal >= self.bits(), |gate| self.move_gates.contains(&to_u32(gate)))
    }

    /// The cycle that a gate is part of, as an index into [`Program::cycles`].
    pub(crate) fn cycle_of(&self, gate: usize) -> Option<usize> {
        let gate = to_u32(gate);
        let index = self.cycles.partition_point(|cycle| cycle.end <= gate);
        self.cycles.get(index).is_some_and(|cycle| cycle.contains(&gate)).then_some(index)
    }

    /// True if a fact holds in a state.
    pub(crate) fn holds(&self, state: &FixedBitSet, fact: usize) -> bool {
        match self.facts[fact].1 {
            FluentStorage::Always(value) => value,
            FluentStorage::Own => self.bit_of[fact].is_some_and(|bit| state.contains(bit as usize)),
            FluentStorage::Same(other) => self.holds(state, other.index()),
        }
    }

    /// The facts that hold in a state, in canonical order.
    pub(crate) fn facts_in<'a>(&'a self, state: &'a FixedBitSet) -> impl Iterator<Item = &'a GroundTerm> {
        let facts = self.facts.iter().enumerate();
        facts.filter(|&(fact, _)| self.holds(state, fact)).map(|(_, (fact, _))| fact)
    }

    /// The utility that a goal value stands for, given as an index into [`Program::goals`].
    pub(crate) fn utility(&self, goal: usize) -> Option<Utility> {
        let RoleGoal { role, value } = &self.goals[goal];
        self.utilities.value(&self.roles[role.index()], value).map(Utility::from)
    }

    /// The bounds between which all utilities lie: those of goal values from 0 to 100, and of all that can hold.
    pub(crate) fn utility_range(&self) -> UtilityRange {
        let declared = UtilityRange::from(self.utilities.range(&self.roles));
        let can_hold = |goal: &usize| self.goal[*goal] != self.always.negated();
        let players = Role::players(&self.roles).flat_map(|role| self.goals_of(role));
        let utilities = players.filter(can_hold).filter_map(|goal| self.utility(goal));
        utilities.fold(declared, UtilityRange::including)
    }

    /// The utility of a state for a role in which these goal values hold, given as indices into [`Program::goals`].
    pub(crate) fn worth(&self, role: Role, mut goals: impl Iterator<Item = usize>) -> Result<Utility, ReasonError> {
        let role_term = || self.roles[role.index()].clone();
        let value = |goal: usize| self.goals[goal].value.clone();
        let Some(only) = goals.next() else { return Err(ReasonError::GoalUndefined { role: role_term() }) };
        if let Some(second) = goals.next() {
            let values = [only, second].into_iter().chain(goals).map(value).collect();
            return Err(ReasonError::GoalNotUnique { role: role_term(), values });
        }
        self.utility(only).ok_or_else(|| ReasonError::no_utility(&self.utilities, role_term(), value(only)))
    }
}

/// Serialises a bitset as its length and the indices of its set bits.
fn serialize_bits<S: Serializer>(bits: &FixedBitSet, serializer: S) -> Result<S::Ok, S::Error> {
    (bits.len(), bits.ones().collect::<Vec<usize>>()).serialize(serializer)
}

fn deserialize_bits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FixedBitSet, D::Error> {
    let (length, ones) = <(u32, Vec<usize>)>::deserialize(deserializer)?;
    if length as usize > Program::MOST_SIGNALS {
        return Err(D::Error::custom("the state has more bits than a program may have signals"));
    }
    let mut bits = FixedBitSet::with_capacity(length as usize);
    for bit in ones {
        if bit >= bits.len() {
            return Err(D::Error::custom("the index of a set bit is beyond the length"));
        }
        bits.insert(bit);
    }
    Ok(bits)
}

/// A state: a bit for each fact that can change.
///
/// It is meaningful only to engines of the same program.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct NetworkState(FixedBitSet);

impl Clone for NetworkState {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    /// Reuses the memory of `self`.
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl NetworkState {
    /// The state in which these bits are set.
    pub(crate) fn new(bits: FixedBitSet) -> Self {
        Self(bits)
    }

    /// The bits of the state.
    pub(crate) fn bits(&self) -> &FixedBitSet {
        &self.0
    }

    /// The numbers of the bits that are set, ascending: those of the fluents that the network gives for the state.
    pub fn ones(&self) -> impl Iterator<Item = usize> {
        self.0.ones()
    }

    /// The bits of the state, to be changed.
    pub(crate) fn bits_mut(&mut self) -> &mut FixedBitSet {
        &mut self.0
    }
}
