//! The immutable part of an incremental evaluator: the readers of each signal, and the values at the start.

use super::BITS;
use super::outputs::OutputLayout;
use crate::program::{GateKind, Program};
use gdl::number::to_u32;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// The number of readers in a block. Most signals have no more readers than this, so the loop over a signal's blocks
/// nearly always runs once, and its branch is predicted.
const BLOCK: usize = 4;

/// The readers of one block, each as twice its signal, plus one if it reads the negation. A block that is not full is
/// padded with readers that are never used.
pub(super) type ReaderBlock = [u32; BLOCK];

/// The output and the blocks of readers of a signal, stored together because they are read together.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignalLinks {
    /// The output bit that has this value (or its negation); [`FEEDS_CYCLE`] is set if the signal feeds a cycle.
    pub(super) output: u32,
    /// The range of its blocks in [`EvaluatorWiring::blocks`].
    pub(super) first: u32,
    pub(super) end: u32,
}

/// Flag in [`SignalLinks::output`]: the signal feeds a cycle.
pub(super) const FEEDS_CYCLE: u32 = 1 << 31;

/// The values that change from state to state.
#[derive(Clone, Debug)]
pub(super) struct SignalValues {
    /// For each signal, twice its counter, plus one if its readers have been told that it is true. Bits and moves have
    /// counters, too: 0 or -1.
    pub(super) counts: Vec<i32>,
    pub(super) state: Vec<usize>,
    /// One word longer than the outputs: signals that are no output toggle a bit of the last word.
    pub(super) outputs: Vec<usize>,
}

/// The immutable part of the evaluator.
#[derive(Debug)]
pub(super) struct EvaluatorWiring {
    pub(super) program: Arc<Program>,
    /// Output and readers of each signal.
    pub(super) links: Vec<SignalLinks>,
    pub(super) blocks: Vec<ReaderBlock>,
    pub(super) cycles: Vec<GateCycle>,
    /// For each signal that feeds cycles, the cycles and the gates on them that read it, encoded as in blocks.
    pub(super) feeds: FxHashMap<u32, Vec<(u32, u32)>>,
    /// The values at the state in which nothing holds.
    pub(super) empty: SignalValues,
}

/// A strongly connected group of gates.
#[derive(Debug)]
pub(super) struct GateCycle {
    /// The signals of its gates.
    pub(super) nodes: Range<usize>,
    /// For each gate, its readers on the cycle; readers outside are in blocks.
    pub(super) inside: Vec<Vec<u32>>,
}

/// The counter of a gate none of whose inputs is true.
pub(super) fn start(program: &Program, gate: usize) -> i32 {
    match program.gates[gate].kind {
        GateKind::And => -i32::try_from(program.inputs(gate).len()).expect("a gate has less than 2^31 inputs"),
        GateKind::Or => -1,
    }
}

impl EvaluatorWiring {
    /// Wires the first `gates` gates.
    pub(super) fn new(program: &Arc<Program>, outputs: &OutputLayout, gates: usize) -> Self {
        let mut draft = WiringDraft::new(program, gates);
        draft.place_outputs(outputs);
        let no_output = to_u32(outputs.words * BITS);
        let no_node = to_u32(draft.readers.len());
        let mut links = Vec::with_capacity(draft.readers.len());
        let mut blocks = Vec::new();
        let mut feeds: FxHashMap<u32, Vec<(u32, u32)>> = FxHashMap::default();
        let mut cycles: Vec<GateCycle> = draft.cycles();
        for (index, own) in draft.readers.iter().enumerate() {
            let cycle = draft.cycle_of(index);
            let mut inside = Vec::new();
            let mut outside = Vec::new();
            for &reader in own {
                match draft.cycle_of((reader >> 1) as usize) {
                    Some(target) if cycle == Some(target) => inside.push(reader),
                    Some(target) => feeds.entry(to_u32(index)).or_default().push((to_u32(target), reader)),
                    None => outside.push(reader),
                }
            }
            if let Some(cycle) = cycle {
                cycles[cycle].inside.push(inside);
            }
            let first = to_u32(blocks.len());
            blocks.extend(outside.chunks(BLOCK).map(|readers| block(readers, no_node)));
            let feeding = if feeds.contains_key(&to_u32(index)) { FEEDS_CYCLE } else { 0 };
            let output = draft.outputs[index].unwrap_or(no_output) | feeding;
            links.push(SignalLinks { output, first, end: to_u32(blocks.len()) });
        }
        let mut counts: Vec<i32> = (0..draft.readers.len()).map(|index| draft.start(index)).collect();
        draft.evaluate(&mut counts);
        let mut words = vec![0; outputs.words + 1];
        for &(wire, bit) in &outputs.placed {
            let value = (counts[wire.signal()] >= 0) != wire.is_negated();
            words[bit as usize / BITS] |= usize::from(value) << (bit as usize % BITS);
        }
        counts.extend([PADDING; BLOCK]);
        let empty = SignalValues { counts, state: vec![0; outputs.state_words], outputs: words };
        Self { program: Arc::clone(program), links, blocks, cycles, feeds, empty }
    }
}

/// The counter of a padding reader: too far from zero to cross it.
const PADDING: i32 = i32::MIN / 2;

/// A block of readers; each unused entry gets a padding reader of its own, so that no update waits for another.
fn block(readers: &[u32], no_node: u32) -> ReaderBlock {
    std::array::from_fn(|index| readers.get(index).copied().unwrap_or((no_node + to_u32(index)) << 1))
}

/// The wiring while it is built.
struct WiringDraft<'a> {
    program: &'a Program,
    /// The readers of each node: first all signals of the program, then copies for signals with more than one output.
    readers: Vec<Vec<u32>>,
    outputs: Vec<Option<u32>>,
    /// The signals of the gates that are kept up to date.
    wired: Range<usize>,
}

impl<'a> WiringDraft<'a> {
    fn new(program: &'a Program, gates: usize) -> Self {
        let wired = program.first_gate()..program.first_gate() + gates;
        let mut readers = vec![Vec::new(); program.signals()];
        for gate in 0..gates {
            for wire in program.inputs(gate) {
                let reader = to_u32(program.first_gate() + gate);
                readers[wire.signal()].push(reader << 1 | u32::from(wire.is_negated()));
            }
        }
        Self { program, outputs: vec![None; readers.len()], readers, wired }
    }

    fn place_outputs(&mut self, outputs: &OutputLayout) {
        for &(wire, bit) in &outputs.placed {
            let mut node = wire.signal();
            if self.outputs[node].is_some() {
                let copy = self.readers.len();
                self.readers[node].push(to_u32(copy) << 1);
                self.readers.push(Vec::new());
                self.outputs.push(None);
                node = copy;
            }
            self.outputs[node] = Some(bit);
        }
    }

    fn cycles(&self) -> Vec<GateCycle> {
        let first = self.program.first_gate();
        let wired = self.program.cycles.iter().filter(|cycle| self.wired.contains(&(first + cycle.start as usize)));
        let nodes = wired.map(|cycle| first + cycle.start as usize..first + cycle.end as usize);
        nodes.map(|nodes| GateCycle { nodes, inside: Vec::new() }).collect()
    }

    fn cycle_of(&self, node: usize) -> Option<usize> {
        let is_gate = self.wired.contains(&node);
        is_gate.then(|| self.program.cycle_of(node - self.wired.start)).flatten()
    }

    /// The initial entry of a node in [`SignalValues::counts`], with no input true.
    fn start(&self, node: usize) -> i32 {
        match self.wired.contains(&node) {
            true => 2 * start(self.program, node - self.wired.start),
            // Bits and moves that do not hold, gates of other parts, and copies of signals that are not true yet.
            false => -2,
        }
    }

    /// Computes all values for the state in which nothing holds.
    fn evaluate(&self, counts: &mut [i32]) {
        let mut pending: Vec<usize> = Vec::new();
        // Negated inputs count from the start, since everything is false so far.
        for readers in &self.readers {
            for &reader in readers {
                counts[(reader >> 1) as usize] += if reader & 1 == 1 { 2 } else { 0 };
            }
        }
        // Gates are processed in order, so that the inputs of a gate are final before its readers are told; a cycle as
        // a whole.
        for index in 0..counts.len() {
            if rises(counts[index]) {
                pending.push(index);
            }
            while let Some(index) = pending.pop() {
                // On a cycle a gate waits here once for each input that rose, and its readers are told once.
                if !rises(counts[index]) {
                    continue;
                }
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

/// Whether a signal is true and its readers have not been told.
pub(super) fn rises(count: i32) -> bool {
    count >= 0 && count & 1 == 0
}
