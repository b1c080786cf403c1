//! The literals of a program's signals, as far as they are known; and gates that the choice makes redundant.
//!
//! Many games end if a role has no legal move: `terminal :- true(control(P)) & ~hasLegalMove(P)`. The choice counts the
//! legal moves of the role that has the turn anyway, so the disjunction over all its legal moves is not built if it is
//! read together with the turn.
//!
//! A move is legal if its guard holds and some conjunction does. Often the conjunction has a member that many moves of
//! the guard share, such as the piece on the square where they start; then guard and member are combined in one literal
//! for all of them, and only the rest is computed for each move ([`legal_literals`]).

use super::choice::GuardedCandidates;
use super::circuit::{Circuit, CircuitNode, NodeLiteral, NodeOperation};
use super::wide_choice::Classes;
use super::word::Slot;
use crate::program::{GateKind, Program, Wire};
use fixedbitset::FixedBitSet;
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;
use gdl::sorting;
use ggp_game::Coding;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The literals of a program's signals.
pub(super) struct Signals<'a> {
    pub(super) program: &'a Program,
    pub(super) known: Vec<Option<NodeLiteral>>,
    /// For gates that test that a role has a move: the input that the literal replaces, and the literal once it is
    /// known.
    instead: FxHashMap<usize, (usize, Option<NodeLiteral>)>,
    /// The signals that are built as a conjunction of a move and the rest ([`super::unions`]).
    pub(super) under: FxHashMap<usize, UnderMove>,
}

/// A signal as a conjunction: a move that is made, and the rest of the condition.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnderMove {
    pub(super) chosen: NodeLiteral,
    pub(super) rest: NodeLiteral,
}

impl<'a> Signals<'a> {
    /// Signals of which some inputs are known, and the constant.
    fn new(program: &'a Program, mut known: Vec<Option<NodeLiteral>>) -> Self {
        known[program.always.signal()] = Some(NodeLiteral::TRUE.negated_if(program.always.is_negated()));
        Self { program, known, instead: FxHashMap::default(), under: FxHashMap::default() }
    }

    /// A circuit whose inputs are the bits of a state, except those of `never`, which are false; their literals are
    /// known, and no others.
    pub(super) fn of_states(program: &'a Program, never: &FixedBitSet) -> (Circuit, Self) {
        let mut circuit = Circuit::new(to_u32(program.bits()));
        let mut known = vec![None; program.signals()];
        for (slot, known) in (0..circuit.slots).zip(&mut known[..program.bits()]) {
            *known = Some(if never.contains(slot as usize) { NodeLiteral::FALSE } else { circuit.input(slot) });
        }
        (circuit, Self::new(program, known))
    }

    /// The bits of the next state that can differ from those of the state, and their slots.
    pub(super) fn next(&self, circuit: &mut Circuit, classes: &mut Classes) -> Vec<(CircuitNode, Slot)> {
        let mut changing = Vec::new();
        for (bit, &wire) in (0..).zip(&self.program.next) {
            let next = self.literal_or_class(circuit, classes, wire).unwrap_or(NodeLiteral::FALSE);
            if self.known[bit as usize] != Some(next) {
                changing.push((circuit.plain(next), bit));
            }
        }
        changing
    }

    /// As [`Signals::of_states`], with the bits of a key as inputs.
    pub(super) fn of_keys(program: &'a Program, coding: &Coding) -> (Circuit, Self) {
        let mut circuit = Circuit::new(coding.bits());
        let mut known = vec![None; program.signals()];
        for (members, bits) in coding.groups() {
            let number: Vec<NodeLiteral> = bits.map(|bit| circuit.input(bit)).collect();
            for (value, &member) in (1_u32..).zip(members) {
                let is_set = |(index, &bit): (usize, &NodeLiteral)| bit.negated_if(value >> index & 1 == 0);
                known[member as usize] = Some(circuit.all(number.iter().enumerate().map(is_set)));
            }
        }
        (circuit, Self::new(program, known))
    }

    /// As [`Signals::next`], for the bits of a key.
    pub(super) fn next_key(
        &self,
        circuit: &mut Circuit,
        classes: &mut Classes,
        coding: &Coding,
    ) -> Vec<(CircuitNode, Slot)> {
        let mut changing = Vec::new();
        for (members, bits) in coding.groups() {
            let next = |&member: &u32| {
                let wire = self.program.next[member as usize];
                self.literal_or_class(circuit, classes, wire).unwrap_or(NodeLiteral::FALSE)
            };
            let next: Vec<NodeLiteral> = members.iter().map(next).collect();
            for (index, bit) in bits.enumerate() {
                let members = (1_usize..).zip(&next).filter(|(value, _)| value >> index & 1 == 1);
                let set = circuit.any(members.map(|(_, &literal)| literal));
                let set = circuit.plain(set);
                if circuit.kind(set) != NodeOperation::Input(bit) {
                    changing.push((set, bit));
                }
            }
        }
        changing
    }

    /// The literal of a wire, if it is known.
    pub(super) fn literal(&self, wire: Wire) -> Option<NodeLiteral> {
        self.known[wire.signal()].map(|literal| literal.negated_if(wire.is_negated()))
    }

    /// The literal of a wire, if it is known or is a set of moves.
    fn literal_or_class(&self, circuit: &mut Circuit, classes: &mut Classes, wire: Wire) -> Option<NodeLiteral> {
        self.literal(wire).or_else(|| classes.literal(circuit, wire))
    }

    /// The literal of a wire that must be known by now; false if its inputs were never known.
    pub(super) fn known(&self, wire: Wire) -> NodeLiteral {
        self.literal(wire).unwrap_or(NodeLiteral::FALSE)
    }

    /// Builds every gate whose inputs are known.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn settle(&mut self, circuit: &mut Circuit, classes: &mut Classes, poll: &Poll<'_>) -> Result<(), Stop> {
        self.settle_some(circuit, classes, |_| true, poll)
    }

    /// As [`Signals::settle`], for these gates only.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn settle_some(
        &mut self,
        circuit: &mut Circuit,
        classes: &mut Classes,
        is_wanted: impl Fn(usize) -> bool,
        poll: &Poll<'_>,
    ) -> Result<(), Stop> {
        for gate in 0..self.program.gates.len() {
            let index = self.program.first_gate() + gate;
            poll.steps(1 + self.program.inputs(gate).len())?;
            if self.known[index].is_some() || !is_wanted(gate) || self.settle_under_move(circuit, gate) {
                continue;
            }
            if let Some(cycle) = self.program.cycle_of(gate) {
                if self.program.cycles[cycle].start as usize == gate {
                    self.settle_cycle(circuit, classes, cycle);
                }
                continue;
            }
            // Read as a disjunction: a conjunction is the negation of the disjunction of its negated inputs.
            let is_and = self.program.gates[gate].kind == GateKind::And;
            let (others, word) = match classes.gather(self.program, circuit, gate) {
                Some((others, _)) if others.is_empty() => continue,
                Some((others, word)) => (others, Some(word)),
                None => (self.program.inputs(gate).iter().map(|wire| wire.negated_if(is_and)).collect(), None),
            };
            let instead = self.instead.get(&gate);
            let inputs = others.iter().map(|&wire| match instead {
                Some(&(signal, literal)) if signal == wire.signal() => {
                    literal.map(|literal| literal.negated_if(wire.is_negated()))
                }
                _ => self.literal_or_class(circuit, classes, wire),
            });
            let Some(mut inputs) = inputs.chain(word.map(Some)).collect::<Option<Vec<NodeLiteral>>>() else { continue };
            // In one order, so that equal disjunctions share nodes.
            inputs.sort_by_key(|input| (input.is_negated != is_and, input.node));
            self.known[index] = Some(circuit.any(inputs).negated_if(is_and));
        }
        Ok(())
    }

    /// Builds the gates of a cycle if everything is known that they read.
    fn settle_cycle(&mut self, circuit: &mut Circuit, classes: &mut Classes, cycle: usize) {
        let program = self.program;
        let gates = program.cycles[cycle].start as usize..program.cycles[cycle].end as usize;
        let first = program.first_gate() + gates.start;
        let is_own = |wire: &Wire| (first..first + gates.len()).contains(&wire.signal());
        let others = gates.clone().flat_map(|gate| program.inputs(gate)).filter(|wire| !is_own(wire));
        let mut known = FxHashMap::default();
        for wire in others.map(|wire| Wire::new(wire.signal())) {
            let Some(literal) = self.literal_or_class(circuit, classes, wire) else { return };
            known.insert(wire.signal(), literal);
        }
        let slots = circuit.take_slots(gates.len());
        let before: Vec<NodeLiteral> = slots.clone().map(|slot| circuit.input(slot)).collect();
        let mut after = Vec::with_capacity(gates.len());
        for gate in gates.clone() {
            let is_and = program.gates[gate].kind == GateKind::And;
            let inputs = program.inputs(gate).iter().map(|wire| {
                let literal = if is_own(wire) { before[wire.signal() - first] } else { known[&wire.signal()] };
                literal.negated_if(wire.is_negated())
            });
            let inputs: Vec<NodeLiteral> = inputs.collect();
            after.push(if is_and { circuit.all(inputs) } else { circuit.any(inputs) });
        }
        circuit.add_cycle(slots, &after);
        for (index, &literal) in before.iter().enumerate() {
            self.known[first + index] = Some(literal);
        }
    }

    /// Finds the gates that test that this member has a move. They stay unknown until [`Signals::tell`].
    pub(super) fn defer(&mut self, member: &GuardedCandidates) -> Vec<usize> {
        let program = self.program;
        let guard = program.legal[member.candidates[0].index as usize].guard;
        if !member.is_guarded || member.candidates.len() < FEWEST {
            return Vec::new();
        }
        let mut moves = BTreeSet::new();
        for candidate in &member.candidates {
            self.expand(program.legal[candidate.index as usize].wire, guard, &mut moves);
        }
        let mut found = Vec::new();
        let mut known = FxHashMap::default();
        let is_plain = |gate: &usize| program.gates[*gate].kind == GateKind::And && program.cycle_of(*gate).is_none();
        for gate in (0..program.gates.len()).filter(is_plain) {
            let inputs = program.inputs(gate);
            let mut asks = |wire: &&Wire| {
                let asker = wire.signal().checked_sub(program.first_gate());
                let is_large = asker.is_some_and(|gate| program.inputs(gate).len() >= FEWEST);
                is_large
                    && *known.entry(wire.signal()).or_insert_with(|| {
                        let mut asked = BTreeSet::new();
                        self.expand(Wire::new(wire.signal()), guard, &mut asked);
                        asked == moves
                    })
            };
            if let Some(wire) = inputs.iter().find(&mut asks)
                && inputs.contains(&guard)
            {
                self.instead.insert(gate, (wire.signal(), None));
                found.push(gate);
            }
        }
        found
    }

    /// Adds wires to `into` whose disjunction equals this wire, given that the guard holds. Linear in the gates that
    /// are expanded.
    fn expand(&self, wire: Wire, guard: Wire, into: &mut BTreeSet<Wire>) {
        let program = self.program;
        let mut open = vec![wire];
        let mut seen = FxHashSet::default();
        while let Some(wire) = open.pop() {
            if !seen.insert(wire) {
                continue;
            }
            let gate = if wire.is_negated() { None } else { wire.signal().checked_sub(program.first_gate()) };
            let inputs = gate.map(|gate| (program.gates[gate].kind, program.inputs(gate)));
            match inputs {
                Some((GateKind::Or, inputs)) => open.extend(inputs),
                Some((GateKind::And, &[one, other])) if one == guard => open.push(other),
                Some((GateKind::And, &[one, other])) if other == guard => open.push(one),
                _ => _ = into.insert(wire),
            }
        }
    }

    /// Sets the literal that these deferred gates read: that the member has a move.
    pub(super) fn tell(&mut self, gates: &[usize], has_move: NodeLiteral) {
        for gate in gates {
            self.instead.entry(*gate).and_modify(|(_, literal)| *literal = Some(has_move));
        }
    }

    /// Lets all gates be built from their own inputs.
    pub(super) fn defer_nothing(&mut self) {
        self.instead.clear();
    }
}

/// The least number of inputs of a disjunction that is worth deferring.
const FEWEST: usize = 8;

/// For each candidate of a member, the lanes in which it is legal.
pub(super) fn legal_literals(
    circuit: &mut Circuit,
    signals: &Signals<'_>,
    member: &GuardedCandidates,
) -> Vec<NodeLiteral> {
    let program = signals.program;
    let mut shared: FxHashMap<(Wire, Wire), u32> = FxHashMap::default();
    let legality = || member.candidates.iter().map(|candidate| program.legal[candidate.index as usize]);
    for legal in legality() {
        for &input in conjunction(program, legal.wire) {
            *shared.entry((legal.guard, input)).or_default() += 1;
        }
    }
    let mut literals = Vec::with_capacity(member.candidates.len());
    for legal in legality() {
        let guard = signals.known(legal.guard);
        let inputs = conjunction(program, legal.wire);
        let most = inputs.iter().max_by_key(|&&input| (shared[&(legal.guard, input)], input));
        let literal = match most.filter(|&&most| shared[&(legal.guard, most)] > 1) {
            Some(&most) => {
                let mut rest: Vec<NodeLiteral> =
                    inputs.iter().filter(|&&input| input != most).map(|&input| signals.known(input)).collect();
                sorting::sort_by_key(&mut rest, |input| (input.is_negated, input.node));
                let guarded = circuit.and(guard, signals.known(most));
                let rest = circuit.all(rest);
                circuit.and(guarded, rest)
            }
            None => circuit.and(guard, signals.known(legal.wire)),
        };
        literals.push(literal);
    }
    literals
}

/// The members of a conjunction; empty for any other wire.
fn conjunction(program: &Program, wire: Wire) -> &[Wire] {
    match wire.signal().checked_sub(program.first_gate()) {
        Some(gate) if !wire.is_negated() && program.gates[gate].kind == GateKind::And => program.inputs(gate),
        _ => &[],
    }
}
