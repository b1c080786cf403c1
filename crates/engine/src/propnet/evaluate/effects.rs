//! Effects: the few assignments that a joint move makes to the next state.
//!
//! Once the joint move is known, most gates between the moves and the next state are constants or equal to one of their
//! inputs, and most bits keep their values. So a joint move is compiled when it is first made: constants are propagated
//! from the moves, and what remains is an [`Effect`]: bits to set and to clear, bits to copy from the state part, and
//! the gates that could not be simplified. The effect is kept and reused. (Specialising a circuit to known inputs is
//! partial evaluation; in Boolean algebra, the cofactor.)

use super::{BITS, CycleGate, Evaluator, range, settle};
use crate::program::{GateKind, Program, Wire};
use fixedbitset::FixedBitSet;
use gdl::number::{to_index, to_u32};
use ggp_game::Role;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// Compiled effects are discarded when they take more than this many entries of eight bytes.
const MOST_ENTRIES: usize = 16 << 20;

/// If there are at most this many joint moves, effects are found by index, otherwise by a hash table.
const MOST_INDEXED: usize = 1 << 18;

/// The entry of a joint move that has no effect yet, in [`Effects::indices`].
const NOT_COMPILED: u32 = u32::MAX;

/// A gate that has to be computed.
#[derive(Clone, Debug)]
struct GateUpdate {
    signal: u32,
    kind: GateKind,
    /// The index of its cycle; [`NO_CYCLE`] if it is on none.
    cycle: u32,
    inputs: Range<u32>,
}

const NO_CYCLE: u32 = u32::MAX;

/// The assignments of one joint move, as ranges into [`Effects`].
#[derive(Clone, Debug)]
struct Effect {
    masks: Range<u32>,
    steps: Range<u32>,
    copies: Range<u32>,
}

/// A bit that is assigned the conjunction of two wires, or the negation of it. A single wire is listed twice.
#[derive(Clone, Copy, Debug)]
struct BitCopy {
    /// The word of the state that has the bit, and the bit's index in it.
    word: u32,
    bit: u16,
    is_negated: bool,
    wires: [Wire; 2],
}

/// The bits of a word that become false, and those that become true.
#[derive(Clone, Copy, Debug)]
struct Mask {
    word: u32,
    clear: usize,
    set: usize,
}

/// Compiled effects. Each fork of an engine has its own.
#[derive(Clone, Debug)]
pub(super) struct Effects {
    part: Arc<MovePart>,
    work: Overlay,
    /// The effect of each joint move by its number, if there are few joint moves; else empty, and `numbers` is used.
    indices: Vec<u32>,
    numbers: FxHashMap<u64, u32>,
    effects: Vec<Effect>,
    masks: Vec<Mask>,
    steps: Vec<GateUpdate>,
    wires: Vec<Wire>,
    copies: Vec<BitCopy>,
}

impl Effects {
    pub(super) fn new(part: Arc<MovePart>) -> Self {
        let gates = part.program.move_gates.len();
        let roles = 0..part.program.roles.len();
        let counts = roles.map(|role| part.program.moves_of(Role::new(role)).len().max(1));
        let count = counts.fold(1_usize, |product, count| product.saturating_mul(count));
        let indexed = if count <= MOST_INDEXED { count } else { 0 };
        Self {
            work: Overlay::new(gates),
            part,
            indices: vec![NOT_COMPILED; indexed],
            numbers: FxHashMap::default(),
            effects: Vec::new(),
            masks: Vec::new(),
            steps: Vec::new(),
            wires: Vec::new(),
            copies: Vec::new(),
        }
    }

    /// Applies a joint move, one index into [`Program::moves`] per role, to the current state. `next` holds the
    /// defaults, and receives the bits that differ from them.
    pub(super) fn apply<E: Evaluator>(&mut self, joint_move: &[u32], evaluator: &mut E, next: &mut [usize]) {
        let effect = self.find(joint_move);
        self.run(&effect, evaluator, next);
    }

    /// The effect of a joint move; compiles it if it is new.
    fn find(&mut self, joint_move: &[u32]) -> Effect {
        let number = self.part.number(joint_move);
        // A joint move without a number is compiled each time it is made.
        let known = match number {
            Some(number) if !self.indices.is_empty() => Some(self.indices[to_index(number)]),
            Some(number) => self.numbers.get(&number).copied(),
            None => None,
        };
        if let Some(effect) = known.filter(|&effect| effect != NOT_COMPILED) {
            return self.effects[effect as usize].clone();
        }
        // All effects are discarded together, so this comes before the new one is added.
        self.make_room();
        let effect = self.compile(joint_move);
        let index = to_u32(self.effects.len());
        self.effects.push(effect.clone());
        match number {
            Some(number) if !self.indices.is_empty() => self.indices[to_index(number)] = index,
            Some(number) => _ = self.numbers.insert(number, index),
            None => {}
        }
        effect
    }

    /// Discards all effects if they take too much memory.
    fn make_room(&mut self) {
        let entries = 4 * self.effects.len() + 3 * self.masks.len() + 2 * self.steps.len();
        if entries + self.wires.len() + self.copies.len() > MOST_ENTRIES {
            self.indices.fill(NOT_COMPILED);
            self.numbers.clear();
            self.effects.clear();
            self.masks.clear();
            self.steps.clear();
            self.wires.clear();
            self.copies.clear();
        }
    }
}

impl Effects {
    /// Writes the bits that differ from their defaults under a joint move.
    fn run<E: Evaluator>(&self, effect: &Effect, evaluator: &mut E, next: &mut [usize]) {
        for mask in &self.masks[range(&effect.masks)] {
            let word = &mut next[mask.word as usize];
            *word = (*word & !mask.clear) | mask.set;
        }
        let mut steps = &self.steps[range(&effect.steps)];
        while let [step, rest @ ..] = steps {
            if step.cycle == NO_CYCLE {
                let value = self.gate(step, evaluator);
                evaluator.set(step.signal as usize, value);
                steps = rest;
            } else {
                let (cycle, rest) = steps.split_at(steps.iter().take_while(|other| other.cycle == step.cycle).count());
                let gate = |step: &GateUpdate| {
                    let inputs = &self.wires[range(&step.inputs)];
                    CycleGate { signal: step.signal as usize, kind: step.kind, inputs }
                };
                settle(cycle.iter().map(gate), evaluator);
                steps = rest;
            }
        }
        // Bits of the same word are collected before they are written.
        for copies in self.copies[range(&effect.copies)].chunk_by(|left, right| left.word == right.word) {
            let mut written = 0;
            let mut bits = 0;
            for copy in copies {
                let [left, right] = copy.wires;
                let value = (evaluator.value(left) & evaluator.value(right)) != copy.is_negated;
                written |= 1 << copy.bit;
                bits |= usize::from(value) << copy.bit;
            }
            let word = &mut next[copies[0].word as usize];
            *word = (*word & !written) | bits;
        }
    }

    /// The value of a gate that is on no cycle.
    fn gate<E: Evaluator>(&self, step: &GateUpdate, evaluator: &E) -> bool {
        let inputs = &self.wires[range(&step.inputs)];
        match (step.kind, inputs) {
            // Most gates have two inputs; evaluating both is faster than a branch on whether the first decides.
            (GateKind::And, &[left, right]) => evaluator.value(left) & evaluator.value(right),
            (GateKind::Or, &[left, right]) => evaluator.value(left) | evaluator.value(right),
            (GateKind::And, inputs) => inputs.iter().all(|&wire| evaluator.value(wire)),
            (GateKind::Or, inputs) => inputs.iter().any(|&wire| evaluator.value(wire)),
        }
    }
}

impl Effects {
    /// Compiles a joint move: propagates its constants and schedules the gates that remain.
    fn compile(&mut self, joint_move: &[u32]) -> Effect {
        let part = Arc::clone(&self.part);
        self.propagate(&part, joint_move);
        let masks = to_u32(self.masks.len());
        let copies = to_u32(self.copies.len());
        let mut wanted = Vec::new();
        for &bit in &part.moved {
            let default = part.known(part.defaults[bit as usize]);
            match part.value(part.program.next[bit as usize], joint_move, &self.work) {
                value if value == default => {}
                PartialValue::Known(value) => self.mask(masks, bit, value),
                PartialValue::Wire(wire) => {
                    let copy = self.copy(&part, bit, wire);
                    wanted.extend(copy.wires);
                    self.copies.push(copy);
                }
            }
        }
        let steps = self.schedule(&part, wanted);
        self.work.changed.clear();
        self.work.needed.clear();
        Effect { masks: masks..to_u32(self.masks.len()), steps, copies: copies..to_u32(self.copies.len()) }
    }

    /// Finds the move gates whose values differ from those at rest.
    fn propagate(&mut self, part: &MovePart, joint_move: &[u32]) {
        let moves = part.program.moves.len();
        let mut pending = FixedBitSet::with_capacity(part.still.len());
        for &chosen in joint_move {
            part.readers[chosen as usize].iter().for_each(|&gate| pending.insert(gate as usize));
        }
        // In the order of gates, so that inputs have their values before a gate is simplified.
        while let Some(gate) = pending.minimum() {
            pending.remove(gate);
            let (value, inputs) = part.simplify(gate, joint_move, &mut self.work);
            if (value, &inputs) != (part.still[gate], &part.still_inputs[gate]) {
                let is_new = value != part.still[gate];
                self.work.changed.insert(gate);
                (self.work.values[gate], self.work.inputs[gate]) = (value, inputs);
                // A gate of a cycle keeps its own value, so this terminates.
                if is_new {
                    part.readers[moves + gate].iter().for_each(|&reader| pending.insert(reader as usize));
                }
            }
        }
    }

    /// The assignment of a wire to a bit; a gate of two inputs is folded into it and needs no step.
    fn copy(&self, part: &MovePart, bit: u32, wire: Wire) -> BitCopy {
        let word = bit / usize::BITS;
        let bit = (bit % usize::BITS) as u16;
        if let Some(index) = part.index(wire.signal()) {
            let gate = index - part.program.moves.len();
            let index = part.first() + gate;
            if part.program.cycle_of(index).is_none()
                && let &[left, right] = self.inputs(part, gate)
            {
                // A disjunction is the negation of the conjunction of the negated inputs.
                let is_or = part.program.gates[index].kind == GateKind::Or;
                let wires = [left.negated_if(is_or), right.negated_if(is_or)];
                return BitCopy { word, bit, is_negated: is_or != wire.is_negated(), wires };
            }
        }
        BitCopy { word, bit, is_negated: false, wires: [wire, wire] }
    }

    /// Adds a bit that is set or cleared to the masks of an effect, which begin at `first`. Bits come in ascending
    /// order.
    fn mask(&mut self, first: u32, bit: u32, value: bool) {
        let word = bit / usize::BITS;
        let bit = 1_usize << (bit as usize % BITS);
        if to_u32(self.masks.len()) == first || self.masks.last().is_some_and(|mask| mask.word != word) {
            self.masks.push(Mask { word, clear: 0, set: 0 });
        }
        let Some(mask) = self.masks.last_mut() else { return };
        *(if value { &mut mask.set } else { &mut mask.clear }) |= bit;
    }

    /// Schedules the gates that must be computed for these wires, in topological order: move gates are in such an
    /// order.
    fn schedule(&mut self, part: &MovePart, mut wanted: Vec<Wire>) -> Range<u32> {
        while let Some(wire) = wanted.pop() {
            let Some(index) = part.index(wire.signal()) else { continue };
            let gate = index - part.program.moves.len();
            if !self.work.needed.put(gate) {
                wanted.extend_from_slice(self.inputs(part, gate));
            }
        }
        let start = to_u32(self.steps.len());
        let needed: Vec<usize> = self.work.needed.ones().collect();
        for gate in needed {
            let inputs = self.inputs(part, gate).to_vec();
            let first = to_u32(self.wires.len());
            self.wires.extend(inputs);
            let inputs = first..to_u32(self.wires.len());
            let index = part.first() + gate;
            let cycle = part.program.cycle_of(index).map_or(NO_CYCLE, |cycle| to_u32(cycle));
            let kind = part.program.gates[index].kind;
            self.steps.push(GateUpdate { signal: to_u32(part.signal(gate)), kind, cycle, inputs });
        }
        start..to_u32(self.steps.len())
    }

    /// The remaining inputs of a move gate.
    fn inputs<'a>(&'a self, part: &'a MovePart, gate: usize) -> &'a [Wire] {
        if self.work.changed.contains(gate) { &self.work.inputs[gate] } else { &part.still_inputs[gate] }
    }
}

/// The value of a wire for a given joint move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PartialValue {
    Known(bool),
    /// The value of a wire of the state part, or of a move gate that has to be computed.
    Wire(Wire),
}

impl PartialValue {
    fn negated_if(self, negate: bool) -> Self {
        match self {
            Self::Known(value) => Self::Known(value != negate),
            Self::Wire(wire) => Self::Wire(wire.negated_if(negate)),
        }
    }
}

/// The part of a program that depends on the moves, prepared for compiling joint moves, and simplified under one of
/// them.
#[derive(Debug)]
pub(super) struct MovePart {
    program: Arc<Program>,
    /// For each move and each move gate, the move gates that read it, by index among the move gates.
    readers: Vec<Vec<u32>>,
    /// The values of the move gates if no role moves, on which each joint move is compiled.
    still: Vec<PartialValue>,
    /// The remaining inputs of those move gates that are not simplified.
    still_inputs: Vec<Vec<Wire>>,
    /// The bits of the next state that depend on the joint move.
    moved: Vec<u32>,
    /// The value of each bit of the next state unless an effect assigns another.
    defaults: Vec<Wire>,
    /// The gates of the state part by kind and inputs, so that a simplified gate that equals one of them needs no step.
    state_gates: FxHashMap<(GateKind, Box<[Wire]>), Wire>,
    /// For each role, its first move and its weight in the number of a joint move; `None` if that number may exceed 64
    /// bits.
    weights: Option<Vec<(u32, u64)>>,
}

impl MovePart {
    /// Prepares a program. `defaults` has, for each bit of the next state, the wire of the state part that is its value
    /// unless an effect assigns another.
    pub(super) fn new(program: &Arc<Program>, defaults: Vec<Wire>) -> Self {
        let gates = program.move_gates.len();
        let bits = 0..to_u32(program.bits());
        let mut part = Self {
            program: Arc::clone(program),
            readers: vec![Vec::new(); program.moves.len() + gates],
            still: vec![PartialValue::Known(false); gates],
            still_inputs: vec![Vec::new(); gates],
            moved: bits.filter(|&bit| program.depends_on_moves(program.next[bit as usize])).collect(),
            defaults,
            state_gates: state_gates(program),
            weights: weights(program),
        };
        let mut work = Overlay::new(gates);
        for gate in 0..gates {
            for wire in program.inputs(part.first() + gate) {
                if let Some(index) = part.index(wire.signal()) {
                    part.readers[index].push(to_u32(gate));
                }
            }
        }
        for gate in 0..gates {
            let (value, inputs) = part.simplify(gate, &[], &mut work);
            (part.still[gate], part.still_inputs[gate]) = (value, inputs);
        }
        part
    }

    /// The index of the first move gate among all gates.
    fn first(&self) -> usize {
        self.program.move_gates.start as usize
    }

    fn signal(&self, gate: usize) -> usize {
        self.program.first_gate() + self.first() + gate
    }

    /// The index of a signal among the moves followed by the move gates; `None` for a signal of the state part.
    fn index(&self, signal: usize) -> Option<usize> {
        let chosen = signal.checked_sub(self.program.bits())?;
        if chosen < self.program.moves.len() {
            return Some(chosen);
        }
        let gate = (signal - self.program.first_gate()).checked_sub(self.first())?;
        Some(self.program.moves.len() + gate)
    }

    /// The number of a joint move, unique among all of them; `None` if it may exceed 64 bits.
    fn number(&self, joint_move: &[u32]) -> Option<u64> {
        let weights = self.weights.as_ref()?;
        let digits = joint_move.iter().zip(weights);
        Some(digits.map(|(&chosen, &(first, weight))| u64::from(chosen - first) * weight).sum())
    }

    /// The value of a move gate under a joint move, and the remaining inputs if it has to be computed.
    fn simplify(&self, gate: usize, joint_move: &[u32], work: &mut Overlay) -> (PartialValue, Vec<Wire>) {
        let index = self.first() + gate;
        let kind = self.program.gates[index].kind;
        let own = PartialValue::Wire(Wire::new(self.signal(gate)));
        // The value of an input that decides the gate, whatever the other inputs are.
        let decisive = kind == GateKind::Or;
        // A gate on a cycle stays a gate, whatever its inputs: only the whole cycle has a least fixpoint.
        let is_cyclic = self.program.cycle_of(index).is_some();
        let mut left = Vec::new();
        for &wire in self.program.inputs(index) {
            match self.value(wire, joint_move, work) {
                PartialValue::Known(value) if value == decisive && !is_cyclic => {
                    return (PartialValue::Known(value), Vec::new());
                }
                PartialValue::Known(value) if value == decisive => {
                    return (own, vec![self.program.always.negated_if(!value)]);
                }
                PartialValue::Known(_) => {}
                PartialValue::Wire(wire) => left.push(wire),
            }
        }
        left.sort_unstable();
        left.dedup();
        match left[..] {
            _ if is_cyclic => (own, left),
            [] => (PartialValue::Known(!decisive), Vec::new()),
            [only] => (PartialValue::Wire(only), Vec::new()),
            _ if left.windows(2).any(|pair| pair[0].negated() == pair[1]) => {
                (PartialValue::Known(decisive), Vec::new())
            }
            _ => match self.state_gates.get(&(kind, left.as_slice().into())) {
                Some(&known) => (PartialValue::Wire(known), Vec::new()),
                None => (own, left),
            },
        }
    }

    /// The value of a wire of the state part.
    fn known(&self, wire: Wire) -> PartialValue {
        let always = self.program.always;
        if wire.signal() == always.signal() { PartialValue::Known(wire == always) } else { PartialValue::Wire(wire) }
    }

    /// The value of a wire under a joint move, as far as it has been propagated.
    fn value(&self, wire: Wire, joint_move: &[u32], work: &Overlay) -> PartialValue {
        let Some(index) = self.index(wire.signal()) else { return self.known(wire) };
        let value = match index.checked_sub(self.program.moves.len()) {
            None => PartialValue::Known(joint_move.contains(&to_u32(index))),
            Some(gate) if self.program.cycle_of(self.first() + gate).is_some() => {
                PartialValue::Wire(Wire::new(wire.signal()))
            }
            Some(gate) if work.changed.contains(gate) => work.values[gate],
            Some(gate) => self.still[gate],
        };
        value.negated_if(wire.is_negated())
    }
}

/// The gates of the state part by kind and sorted inputs.
pub(super) fn state_gates(program: &Program) -> FxHashMap<(GateKind, Box<[Wire]>), Wire> {
    let gates = 0..program.move_gates.start as usize;
    let key = |gate: usize| {
        let mut inputs = program.inputs(gate).to_vec();
        inputs.sort_unstable();
        (program.gates[gate].kind, inputs.into_boxed_slice())
    };
    gates.map(|gate| (key(gate), Wire::new(program.first_gate() + gate))).collect()
}

/// For each role, its first move and its weight in the number of a joint move.
fn weights(program: &Program) -> Option<Vec<(u32, u64)>> {
    let mut weight = 1_u64;
    let mut weights = Vec::new();
    for role in 0..program.roles.len() {
        let moves = program.moves_of(Role::new(role));
        weights.push((to_u32(moves.start), weight));
        weight = weight.checked_mul(moves.len().max(1) as u64)?;
    }
    Some(weights)
}

/// The values that differ under the joint move that is being compiled; scratch.
#[derive(Clone, Debug)]
struct Overlay {
    changed: FixedBitSet,
    values: Vec<PartialValue>,
    inputs: Vec<Vec<Wire>>,
    needed: FixedBitSet,
}

impl Overlay {
    fn new(gates: usize) -> Self {
        Self {
            changed: FixedBitSet::with_capacity(gates),
            values: vec![PartialValue::Known(false); gates],
            inputs: vec![Vec::new(); gates],
            needed: FixedBitSet::with_capacity(gates),
        }
    }
}
