//! The evaluator that touches only what changes.
//!
//! A gate is a counter: a conjunction of n inputs starts at -n, a disjunction at -1, each true input adds one, and the gate
//! is true where the counter is not negative. When an input flips, its readers' counters change by one, and those that
//! cross zero flip in turn. From one state to any other it takes the bits in which they differ. (The counters are those of
//! forward chaining, Dowling and Gallier 1984; propnet reasoners of general game playing have used them since Sancho.)
//!
//! Flips wait in a queue, so that a gate whose inputs flip one after the other is looked at once. Cycles wait until all that
//! they read has settled. Where no input fell, a cycle goes on from what it was, since a least fixpoint grows with its inputs;
//! else it is computed anew.

use super::outputs::Outputs;
use super::{BITS, Evaluator};
use crate::propnet::program::{GateKind, Program, Wire};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// A signal. Of bits, too, the counter is kept: 0 or -1.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Twice the counter, and one more where the readers have been told that it is true.
    count: i32,
    /// The bit of the outputs that has this value (or its contrary), and whether the signal feeds a cycle.
    output: u32,
    /// Where its readers begin and end in [`Wiring::readers`].
    first: u32,
    end: u32,
}

impl Node {
    fn is_true(self) -> bool {
        self.count >= 0
    }

    fn was_true(self) -> bool {
        self.count & 1 == 1
    }
}

/// In [`Node::output`]: the signal feeds a cycle.
const FEEDS_CYCLE: u32 = 1 << 31;

/// What never changes.
#[derive(Debug)]
struct Wiring {
    program: Arc<Program>,
    /// The readers of each node: twice the number, and one more where it reads the negation.
    readers: Vec<u32>,
    cycles: Vec<Cycle>,
    /// For each node that feeds cycles: which ones, and their gates as in `readers`.
    feeds: FxHashMap<u32, Vec<(u32, u32)>>,
    /// Everything at a state in which nothing holds.
    empty: Current,
}

/// A cycle.
#[derive(Debug)]
struct Cycle {
    /// Its gates, as nodes.
    nodes: Range<usize>,
    /// For each gate, where its readers outside of the cycle end; those inside stand behind them.
    outside: Vec<u32>,
}

/// What changes from state to state.
#[derive(Clone, Debug)]
struct Current {
    nodes: Vec<Node>,
    state: Vec<usize>,
    /// One word more than the outputs have: signals that are no output toggle a bit there.
    outputs: Vec<usize>,
}

/// The evaluator.
#[derive(Clone, Debug)]
pub(in crate::propnet) struct Incremental {
    wiring: Arc<Wiring>,
    current: Current,
    queue: Vec<u32>,
    /// The signals of the moves that are being made.
    made: Vec<u32>,
    /// The cycles some of whose inputs have flipped, and those some of whose inputs fell.
    touched: FixedBitSet,
    fallen: FixedBitSet,
}

impl Incremental {
    /// An evaluator at a state in which nothing holds, for the state part, or for the moves as well.
    pub(in crate::propnet) fn new(program: &Arc<Program>, outputs: &Outputs, takes_moves: bool) -> Self {
        let wiring = Wiring::new(program, outputs, takes_moves);
        Self {
            current: wiring.empty.clone(),
            queue: Vec::new(),
            made: Vec::new(),
            touched: FixedBitSet::with_capacity(wiring.cycles.len()),
            fallen: FixedBitSet::with_capacity(wiring.cycles.len()),
            wiring: Arc::new(wiring),
        }
    }

    /// Flips a bit or a move: its counter goes from 0 to -1 and back.
    fn flip(&mut self, signal: usize) {
        self.current.nodes[signal].count ^= !1;
        self.queue.push(signal as u32);
    }

    /// Tells readers about flips until nobody flips any more.
    fn settle(&mut self) {
        loop {
            self.propagate();
            let Some(cycle) = self.touched.minimum() else { return };
            self.touched.remove(cycle);
            self.close(cycle);
        }
    }

    fn propagate(&mut self) {
        let mut next = 0;
        while let Some(&place) = self.queue.get(next) {
            next += 1;
            let node = &mut self.current.nodes[place as usize];
            if node.is_true() == node.was_true() {
                continue;
            }
            node.count ^= 1;
            let node = *node;
            self.tell(place, node, node.first..node.end);
        }
        self.queue.clear();
    }

    /// Toggles the output of a node that has flipped, and moves the counters of some of its readers.
    fn tell(&mut self, place: u32, node: Node, readers: Range<u32>) {
        if node.output & FEEDS_CYCLE != 0 {
            self.feed(place, node.is_true());
        }
        let output = (node.output & !FEEDS_CYCLE) as usize;
        self.current.outputs[output / BITS] ^= 1 << (output % BITS);
        let step = if node.is_true() { 2 } else { -2 };
        for &reader in &self.wiring.readers[readers.start as usize..readers.end as usize] {
            let sign = -((reader & 1) as i32);
            let target = &mut self.current.nodes[(reader >> 1) as usize];
            let before = target.count;
            target.count += (step ^ sign) - sign;
            if (before ^ target.count) < 0 {
                self.queue.push(reader >> 1);
            }
        }
    }

    /// Moves the counters of gates on cycles that read a node which has flipped.
    fn feed(&mut self, place: u32, is_true: bool) {
        for &(cycle, reader) in &self.wiring.feeds[&place] {
            let rises = is_true != (reader & 1 == 1);
            self.current.nodes[(reader >> 1) as usize].count += if rises { 2 } else { -2 };
            self.touched.insert(cycle as usize);
            if !rises {
                self.fallen.insert(cycle as usize);
            }
        }
    }

    /// Brings a cycle to its least fixpoint, and tells the readers outside what flipped.
    fn close(&mut self, cycle: usize) {
        let wiring = Arc::clone(&self.wiring);
        let Cycle { nodes, outside } = &wiring.cycles[cycle];
        let told: Vec<bool> = nodes.clone().map(|node| self.current.nodes[node].was_true()).collect();
        if self.fallen.contains(cycle) {
            self.fallen.remove(cycle);
            self.reset(nodes);
        }
        let rises = |node: &Node| node.is_true() && !node.was_true();
        let mut pending: Vec<usize> = nodes.clone().filter(|&node| rises(&self.current.nodes[node])).collect();
        pending.iter().for_each(|&node| self.current.nodes[node].count |= 1);
        while let Some(place) = pending.pop() {
            let inside = outside[place - nodes.start]..self.current.nodes[place].end;
            for &reader in &wiring.readers[inside.start as usize..inside.end as usize] {
                let target = &mut self.current.nodes[(reader >> 1) as usize];
                target.count += 2;
                if rises(target) {
                    target.count |= 1;
                    pending.push((reader >> 1) as usize);
                }
            }
        }
        for (place, told) in nodes.clone().zip(told) {
            let node = self.current.nodes[place];
            if node.is_true() != told {
                self.tell(place as u32, node, node.first..outside[place - nodes.start]);
            }
        }
    }

    /// Sets the gates of a cycle to what their inputs from outside give alone.
    fn reset(&mut self, nodes: &Range<usize>) {
        let program = &self.wiring.program;
        let first_gate = program.first_gate();
        for place in nodes.clone() {
            let inputs = program.inputs(place - first_gate);
            let holds = |wire: &&Wire| !nodes.contains(&wire.signal()) && self.value(**wire);
            let count = start(program, place - first_gate) + inputs.iter().filter(holds).count() as i32;
            self.current.nodes[place].count = 2 * count;
        }
    }
}

impl Evaluator for Incremental {
    fn go_to(&mut self, state: &[usize]) {
        for (word, &wanted) in state.iter().enumerate() {
            let mut flips = self.current.state[word] ^ wanted;
            if flips == 0 {
                continue;
            }
            self.current.state[word] = wanted;
            while flips != 0 {
                let bit = word * BITS + flips.trailing_zeros() as usize;
                self.flip(bit);
                flips &= flips - 1;
            }
        }
        if !self.queue.is_empty() {
            self.settle();
        }
    }

    fn make(&mut self, joint_move: &[u32]) {
        let program = Arc::clone(&self.wiring.program);
        let signals = joint_move.iter().map(|&chosen| program.move_signal(chosen as usize) as u32);
        // What a role does again need not be undone and done.
        for (role, signal) in signals.enumerate() {
            let made = self.made.get(role).copied();
            if made != Some(signal) {
                made.into_iter().chain([signal]).for_each(|signal| self.flip(signal as usize));
            }
            match self.made.get_mut(role) {
                Some(made) => *made = signal,
                None => self.made.push(signal),
            }
        }
        self.settle();
    }

    fn value(&self, wire: Wire) -> bool {
        self.current.nodes[wire.signal()].is_true() != wire.is_negated()
    }

    fn set(&mut self, signal: usize, value: bool) {
        self.current.nodes[signal].count = if value { 0 } else { -2 };
    }

    fn state(&self) -> &[usize] {
        &self.current.state
    }

    fn outputs(&self) -> &[usize] {
        &self.current.outputs
    }
}

/// What the counter of a gate starts from when none of its inputs is true.
fn start(program: &Program, gate: usize) -> i32 {
    match program.gates[gate].kind {
        GateKind::And => -(program.inputs(gate).len() as i32),
        GateKind::Or => -1,
    }
}

impl Wiring {
    fn new(program: &Arc<Program>, outputs: &Outputs, takes_moves: bool) -> Self {
        let gates = if takes_moves { program.move_gates.end } else { program.move_gates.start };
        let mut draft = Draft::new(program, gates as usize);
        draft.place_outputs(outputs);
        let no_output = (outputs.words * BITS) as u32;
        let mut nodes = Vec::with_capacity(draft.readers.len());
        let mut readers = Vec::new();
        let mut feeds: FxHashMap<u32, Vec<(u32, u32)>> = FxHashMap::default();
        let mut cycles: Vec<Cycle> = draft.cycles();
        for (place, own) in draft.readers.iter().enumerate() {
            let cycle = draft.cycle_of(place);
            let (mut inside, mut outside) = (Vec::new(), Vec::new());
            for &reader in own {
                let target = draft.cycle_of((reader >> 1) as usize);
                if target.is_some() && target == cycle {
                    inside.push(reader);
                    continue;
                }
                match target {
                    Some(target) => feeds.entry(place as u32).or_default().push((target as u32, reader)),
                    None => outside.push(reader),
                }
            }
            let first = readers.len() as u32;
            readers.extend(outside);
            if let Some(cycle) = cycle {
                cycles[cycle].outside.push(readers.len() as u32);
            }
            readers.extend(inside);
            let feeding = if feeds.contains_key(&(place as u32)) { FEEDS_CYCLE } else { 0 };
            let output = draft.outputs[place].unwrap_or(no_output) | feeding;
            nodes.push(Node { count: draft.start(place), output, first, end: readers.len() as u32 });
        }
        let state = vec![0; outputs.state_words];
        let mut empty = Current { nodes, state, outputs: vec![0; outputs.words + 1] };
        draft.evaluate(&mut empty);
        for &(wire, bit) in &outputs.placed {
            let value = empty.nodes[wire.signal()].is_true() != wire.is_negated();
            empty.outputs[bit as usize / BITS] |= usize::from(value) << (bit as usize % BITS);
        }
        Self { program: Arc::clone(program), readers, cycles, feeds, empty }
    }
}

/// The wiring while it is made.
struct Draft<'a> {
    program: &'a Program,
    /// By node: first all signals of the program, then copies that hang on a signal with more than one output.
    readers: Vec<Vec<u32>>,
    outputs: Vec<Option<u32>>,
    /// The gates that are kept up to date, as signals.
    wired: Range<usize>,
}

impl<'a> Draft<'a> {
    fn new(program: &'a Program, gates: usize) -> Self {
        let wired = program.first_gate()..program.first_gate() + gates;
        let mut readers = vec![Vec::new(); program.signals()];
        for gate in 0..gates {
            for wire in program.inputs(gate) {
                let reader = (program.first_gate() + gate) as u32;
                readers[wire.signal()].push(reader << 1 | u32::from(wire.is_negated()));
            }
        }
        Self { program, outputs: vec![None; readers.len()], readers, wired }
    }

    fn place_outputs(&mut self, outputs: &Outputs) {
        for &(wire, bit) in &outputs.placed {
            let mut node = wire.signal();
            if self.outputs[node].is_some() {
                let copy = self.readers.len();
                self.readers[node].push((copy as u32) << 1);
                self.readers.push(Vec::new());
                self.outputs.push(None);
                node = copy;
            }
            self.outputs[node] = Some(bit);
        }
    }

    fn cycles(&self) -> Vec<Cycle> {
        let first = self.program.first_gate();
        let wired = self.program.cycles.iter().filter(|cycle| self.wired.contains(&(first + cycle.start as usize)));
        let nodes = wired.map(|cycle| first + cycle.start as usize..first + cycle.end as usize);
        nodes.map(|nodes| Cycle { nodes, outside: Vec::new() }).collect()
    }

    fn cycle_of(&self, node: usize) -> Option<usize> {
        let is_gate = self.wired.contains(&node);
        is_gate.then(|| self.program.cycle_of(node - self.wired.start)).flatten()
    }

    /// What is kept of a node at first: the counter that no true input has touched.
    fn start(&self, node: usize) -> i32 {
        match self.wired.contains(&node) {
            true => 2 * start(self.program, node - self.wired.start),
            // Bits and moves that do not hold, gates of other parts, and copies of what is not true yet.
            false => -2,
        }
    }

    /// Computes all values where nothing holds.
    fn evaluate(&self, current: &mut Current) {
        let mut pending: Vec<usize> = Vec::new();
        // Every input that is negated counts at once: everything is false as yet.
        for node in 0..current.nodes.len() {
            for &reader in &self.readers[node] {
                current.nodes[(reader >> 1) as usize].count += if reader & 1 == 1 { 2 } else { 0 };
            }
        }
        // Gates in order, so that what is taken back (by a negation) has not been told yet; a cycle as a whole.
        for place in 0..current.nodes.len() {
            if current.nodes[place].is_true() && !current.nodes[place].was_true() {
                pending.push(place);
            }
            while let Some(place) = pending.pop() {
                current.nodes[place].count |= 1;
                let cycle = self.cycle_of(place);
                for &reader in &self.readers[place] {
                    let target = (reader >> 1) as usize;
                    current.nodes[target].count += if reader & 1 == 1 { -2 } else { 2 };
                    let turned = current.nodes[target].is_true() && !current.nodes[target].was_true();
                    if turned && cycle.is_some() && self.cycle_of(target) == cycle {
                        pending.push(target);
                    }
                }
            }
        }
    }
}
