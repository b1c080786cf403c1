//! What an incremental evaluator never changes: who reads whom, and how everything stands at the start.

use super::BITS;
use super::outputs::Outputs;
use crate::propnet::program::{GateKind, Program};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// Readers stand in blocks of so many. Most signals have no more than these, so the loop over the blocks of a signal nearly
/// always runs once, and the processor foresees its end.
const BLOCK: usize = 4;

/// The readers of one block, each as twice its number, and one more where it reads the negation. A block that is not full
/// ends in readers that nobody looks at.
pub(super) type Block = [u32; BLOCK];

/// Where a signal leads. Its output and its blocks lie side by side, since they are read together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Links {
    /// The bit of the outputs that has this value (or its contrary), and whether the signal feeds a cycle.
    pub(super) output: u32,
    /// Where its blocks begin and end in [`Wiring::blocks`].
    pub(super) first: u32,
    pub(super) end: u32,
}

/// In [`Links::output`]: the signal feeds a cycle.
pub(super) const FEEDS_CYCLE: u32 = 1 << 31;

/// What changes from state to state.
#[derive(Clone, Debug)]
pub(super) struct Current {
    /// By signal: twice the counter, and one more where the readers have been told that it is true. Of bits, too, it is
    /// kept: 0 or -1.
    pub(super) counts: Vec<i32>,
    pub(super) state: Vec<usize>,
    /// One word more than the outputs have: signals that are no output toggle a bit there.
    pub(super) outputs: Vec<usize>,
}

/// What never changes.
#[derive(Debug)]
pub(super) struct Wiring {
    pub(super) program: Arc<Program>,
    /// By signal.
    pub(super) links: Vec<Links>,
    pub(super) blocks: Vec<Block>,
    pub(super) cycles: Vec<Cycle>,
    /// For each signal that feeds cycles: which ones, and their gates as in blocks.
    pub(super) feeds: FxHashMap<u32, Vec<(u32, u32)>>,
    /// Everything at a state in which nothing holds.
    pub(super) empty: Current,
}

/// A cycle.
#[derive(Debug)]
pub(super) struct Cycle {
    /// Its gates, as signals.
    pub(super) nodes: Range<usize>,
    /// For each gate, its readers on the cycle; those outside of it have blocks.
    pub(super) inside: Vec<Vec<u32>>,
}

/// What the counter of a gate starts from when none of its inputs is true.
pub(super) fn start(program: &Program, gate: usize) -> i32 {
    match program.gates[gate].kind {
        GateKind::And => -(program.inputs(gate).len() as i32),
        GateKind::Or => -1,
    }
}

impl Wiring {
    /// The wiring of so many of the first gates.
    pub(super) fn new(program: &Arc<Program>, outputs: &Outputs, gates: usize) -> Self {
        let mut draft = Draft::new(program, gates);
        draft.place_outputs(outputs);
        let no_output = (outputs.words * BITS) as u32;
        let no_node = draft.readers.len() as u32;
        let (mut links, mut blocks) = (Vec::with_capacity(draft.readers.len()), Vec::new());
        let mut feeds: FxHashMap<u32, Vec<(u32, u32)>> = FxHashMap::default();
        let mut cycles: Vec<Cycle> = draft.cycles();
        for (index, own) in draft.readers.iter().enumerate() {
            let cycle = draft.cycle_of(index);
            let (mut inside, mut outside) = (Vec::new(), Vec::new());
            for &reader in own {
                match draft.cycle_of((reader >> 1) as usize) {
                    Some(target) if cycle == Some(target) => inside.push(reader),
                    Some(target) => feeds.entry(index as u32).or_default().push((target as u32, reader)),
                    None => outside.push(reader),
                }
            }
            if let Some(cycle) = cycle {
                cycles[cycle].inside.push(inside);
            }
            let first = blocks.len() as u32;
            blocks.extend(outside.chunks(BLOCK).map(|readers| block(readers, no_node)));
            let feeding = if feeds.contains_key(&(index as u32)) { FEEDS_CYCLE } else { 0 };
            let output = draft.outputs[index].unwrap_or(no_output) | feeding;
            links.push(Links { output, first, end: blocks.len() as u32 });
        }
        let mut counts: Vec<i32> = (0..draft.readers.len()).map(|index| draft.start(index)).collect();
        draft.evaluate(&mut counts);
        let mut words = vec![0; outputs.words + 1];
        for &(wire, bit) in &outputs.placed {
            let value = (counts[wire.signal()] >= 0) != wire.is_negated();
            words[bit as usize / BITS] |= usize::from(value) << (bit as usize % BITS);
        }
        counts.extend([NOBODY; BLOCK]);
        let empty = Current { counts, state: vec![0; outputs.state_words], outputs: words };
        Self { program: Arc::clone(program), links, blocks, cycles, feeds, empty }
    }
}

/// The counter of a reader that nobody looks at: far from where it would cross zero.
const NOBODY: i32 = i32::MIN / 2;

/// A block of readers; each place that is left gets a reader of its own, so that none waits for another.
fn block(readers: &[u32], no_node: u32) -> Block {
    std::array::from_fn(|index| readers.get(index).copied().unwrap_or((no_node + index as u32) << 1))
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
        nodes.map(|nodes| Cycle { nodes, inside: Vec::new() }).collect()
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
    fn evaluate(&self, counts: &mut [i32]) {
        let mut pending: Vec<usize> = Vec::new();
        // Every input that is negated counts at once: everything is false as yet.
        for readers in &self.readers {
            for &reader in readers {
                counts[(reader >> 1) as usize] += if reader & 1 == 1 { 2 } else { 0 };
            }
        }
        // Gates in order, so that what is taken back (by a negation) has not been told yet; a cycle as a whole.
        for index in 0..counts.len() {
            if rises(counts[index]) {
                pending.push(index);
            }
            while let Some(index) = pending.pop() {
                counts[index] |= 1;
                let cycle = self.cycle_of(index);
                for &reader in &self.readers[index] {
                    let target = (reader >> 1) as usize;
                    counts[target] += if reader & 1 == 1 { -2 } else { 2 };
                    if rises(counts[target]) && cycle.is_some() && self.cycle_of(target) == cycle {
                        pending.push(target);
                    }
                }
            }
        }
    }
}

/// Whether a signal is true, and its readers have not been told.
pub(super) fn rises(count: i32) -> bool {
    count >= 0 && count & 1 == 0
}
