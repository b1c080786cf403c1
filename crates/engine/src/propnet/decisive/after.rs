//! What signals are after a move, as functions of the state before it.

use super::GuardedChoice;
use super::gates::GateBuilder;
use crate::program::{Legality, Program, Wire};
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;
use rustc_hash::FxHashMap;

/// The most gates that are visited for all moves together.
const MOST_VISITS: usize = 1_000_000;

/// What signals are after a move, as wires of the state before it; those that are not in the map are what they were.
#[derive(Clone, Default)]
pub(super) struct SignalsAfter(FxHashMap<usize, Wire>);

impl SignalsAfter {
    /// Adds that a wire holds, so that bits that exclude it do not.
    pub(super) fn assume(&mut self, program: &Program, wire: Wire) {
        if !wire.is_negated() {
            let groups = program.groups.iter().filter(|group| group.contains(&to_u32(wire.signal())));
            self.0.extend(groups.flatten().map(|&bit| (bit as usize, program.always.negated())));
        }
        self.0.insert(wire.signal(), program.always.negated_if(wire.is_negated()));
    }

    /// The wire that has the value which this wire has after the move.
    pub(super) fn wire_for(&self, wire: Wire) -> Wire {
        self.0.get(&wire.signal()).map_or(wire, |after| after.negated_if(wire.is_negated()))
    }

    /// Adds what the gates of a cone are after the move.
    fn add(&mut self, builder: &mut GateBuilder, cone: &Cone) {
        for &gate in &cone.gates {
            let inputs = builder.program().inputs(gate);
            if inputs.iter().any(|&input| self.wire_for(input) != input) {
                let inputs: Vec<Wire> = inputs.iter().map(|&input| self.wire_for(input)).collect();
                let wire = builder.tree(builder.program().gates[gate].kind, &inputs);
                self.0.insert(builder.program().first_gate() + gate, wire);
            }
        }
    }
}

/// What some wires depend on.
struct Cone {
    bits: Vec<u32>,
    /// The gates, in topological order.
    gates: Vec<usize>,
    has_cycle: bool,
}

impl Cone {
    fn new(program: &Program, mut open: Vec<Wire>) -> Self {
        let mut reached = vec![false; program.signals()];
        while let Some(wire) = open.pop() {
            if !std::mem::replace(&mut reached[wire.signal()], true)
                && let Some(gate) = wire.signal().checked_sub(program.first_gate())
            {
                open.extend(program.inputs(gate));
            }
        }
        let gates = (0..program.gates.len()).filter(|gate| reached[program.first_gate() + gate]);
        let bits = (0..to_u32(program.bits())).filter(|&bit| reached[bit as usize]).collect();
        let has_cycle = gates.clone().any(|gate| program.cycle_of(gate).is_some());
        Self { bits, gates: gates.collect(), has_cycle }
    }
}

/// What is computed anew for each move.
pub(super) struct Changes {
    /// What is asked about the next state.
    asked: Cone,
    /// What the bits of the next state depend on that are in it.
    between: Cone,
}

impl Changes {
    /// What these wires of the next state depend on; `None` if that is a cycle or too much.
    pub(super) fn new(program: &Program, wires: Vec<Wire>, choices: &[GuardedChoice]) -> Option<Self> {
        let asked = Cone::new(program, wires);
        let between = Cone::new(program, asked.bits.iter().map(|&bit| program.next[bit as usize]).collect());
        let moves: usize = choices.iter().map(|choice| choice.moves.len()).sum();
        let visits = moves.saturating_mul(asked.gates.len() + between.gates.len());
        (!asked.has_cycle && !between.has_cycle && visits <= MOST_VISITS).then_some(Self { asked, between })
    }

    /// What is asked about the state after a move of a choice, while each other role makes its only move; `None` if
    /// there are too many gates.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn after(
        &self,
        builder: &mut GateBuilder,
        choice: &GuardedChoice,
        chosen: usize,
        poll: &Poll<'_>,
    ) -> Result<Option<SignalsAfter>, Stop> {
        let Self { asked, between } = self;
        poll.steps(1 + asked.gates.len() + between.gates.len())?;
        let mut after = choice.assumed.clone();
        for index in 0..builder.program().moves.len() {
            let is_made = if builder.program().moves[index].role == choice.role {
                builder.program().always.negated_if(index != chosen)
            } else {
                let Legality { guard, wire } = builder.program().legal[index];
                builder.and(&[choice.assumed.wire_for(guard), wire])
            };
            after.0.insert(builder.program().move_signal(index), is_made);
        }
        after.add(builder, between);
        let next = |&bit: &u32| (bit as usize, after.wire_for(builder.program().next[bit as usize]));
        let bits = asked.bits.iter().map(next).filter(|&(bit, after)| after != Wire::new(bit));
        let mut after = SignalsAfter(bits.collect());
        after.add(builder, asked);
        Ok((!builder.is_full()).then_some(after))
    }
}
