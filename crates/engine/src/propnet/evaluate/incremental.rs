//! The incremental evaluator, which updates only the gates that change.
//!
//! A gate is a counter: a conjunction of n inputs starts at -n, a disjunction at -1, each true input adds one, and the
//! gate is true if the counter is not negative. When an input flips, the counters of its readers change by one, and the
//! gates whose counters cross zero flip in turn. Going from one state to another starts from the bits in which they
//! differ. (The counters are those of forward chaining, Dowling and Gallier 1984; propnet reasoners of general game
//! playing have used them since Sancho.)
//!
//! Flips wait in a queue, so that a gate whose inputs flip one after the other is evaluated once. Cycles wait until
//! everything that they read has settled. If no input fell, the cycle is continued from its previous values, since a
//! least fixpoint is monotone in its inputs; otherwise it is computed anew.
//!
//! Successive states of a game differ in few bits, and few gates flip with them, so the cost is dominated by
//! mispredicted branches. So there is no branch on a counter that crosses zero: the outcome, 0 or 1, is added to the
//! length of the queue. And readers are stored in blocks. The return to the initial state, which random play needs
//! after every game, copies the counters.

use super::outputs::OutputLayout;
use super::{BITS, Evaluator, GateValues, value};
use crate::program::{GateKind, Program, Wire};
use fixedbitset::FixedBitSet;
use gdl::number::to_u32;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// A flipped bit costs about as much as copying this many counters.
const COPIED_PER_FLIP: usize = 200;

/// The treatment of moves by an evaluator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MoveTreatment {
    /// It does not evaluate them.
    Ignored,
    /// They stay made until other moves replace them, so a move that a role repeats costs nothing.
    Kept,
    /// They are undone before going to the next state, so that nothing is computed for the old moves in the new state.
    TakenBack,
}

/// Counters of all gates, updated from state to state.
#[derive(Clone, Debug)]
pub(in crate::propnet) struct Incremental {
    moves: MoveTreatment,
    wiring: Arc<EvaluatorWiring>,
    /// The values at the initial state, with no move made.
    initial: Arc<SignalValues>,
    current: SignalValues,
    /// Signals that may have flipped; entries from `length` on are scratch.
    queue: Vec<u32>,
    length: usize,
    /// The signals of the moves that are made.
    made: Vec<u32>,
    /// The cycles of which some input has flipped, and those of which some input fell.
    touched: FixedBitSet,
    fallen: FixedBitSet,
}

impl Incremental {
    /// Makes an evaluator at the initial state, for the first `gates` gates: those of the state part and, unless moves
    /// are ignored, those of the move part.
    pub(super) fn new(program: &Arc<Program>, outputs: &OutputLayout, moves: MoveTreatment, gates: usize) -> Self {
        let wiring = EvaluatorWiring::new(program, outputs, gates);
        let mut evaluator = Self {
            moves,
            current: wiring.empty.clone(),
            initial: Arc::new(wiring.empty.clone()),
            queue: Vec::new(),
            length: 0,
            made: Vec::new(),
            touched: FixedBitSet::with_capacity(wiring.cycles.len()),
            fallen: FixedBitSet::with_capacity(wiring.cycles.len()),
            wiring: Arc::new(wiring),
        };
        evaluator.move_to(program.initial.as_slice());
        debug_assert!(evaluator.is_consistent(gates), "a gate has not the value that its inputs imply");
        evaluator.initial = Arc::new(evaluator.current.clone());
        evaluator
    }

    /// True if each of the first `gates` gates has the value that its inputs imply.
    fn is_consistent(&self, gates: usize) -> bool {
        let program = &self.wiring.program;
        (0..gates).all(|gate| self.value(Wire::new(program.first_gate() + gate)) == value(program, gate, self))
    }

    /// Flips a bit or a move: its counter changes from 0 to -1 or back.
    #[expect(clippy::cast_possible_truncation, reason = "the wiring has numbered all signals in 32 bits")]
    fn flip(&mut self, signal: usize) {
        // Twice 0 and twice -1 differ in all bits but the lowest, which says what the readers have been told.
        self.current.counts[signal] ^= !1;
        make_room(&mut self.queue, self.length, 1);
        self.queue[self.length] = signal as u32;
        self.length += 1;
    }

    /// Goes to a state by flipping the bits that differ.
    fn move_to(&mut self, state: &[usize]) {
        for (word, &wanted) in state.iter().enumerate() {
            let mut flips = self.current.state[word] ^ wanted;
            self.current.state[word] = wanted;
            while flips != 0 {
                self.flip(word * BITS + flips.trailing_zeros() as usize);
                flips &= flips - 1;
            }
        }
        self.settle();
    }

    /// True if copying the initial state is faster than flipping bits.
    fn is_far_from_initial(&self) -> bool {
        let words = self.current.state.iter().zip(&self.initial.state);
        let flips: u32 = words.map(|(own, initial)| (own ^ initial).count_ones()).sum();
        flips as usize * COPIED_PER_FLIP > self.current.counts.len()
    }

    /// Propagates flips to readers until no gate flips.
    fn settle(&mut self) {
        loop {
            self.propagate();
            // The first cycle in the order of gates: later ones may read it.
            let Some(cycle) = self.touched.minimum() else { return };
            self.touched.remove(cycle);
            self.close(cycle);
        }
    }

    /// Propagates flips through all gates that are on no cycle.
    fn propagate(&mut self) {
        let mut next = 0;
        while next < self.length {
            let node = self.queue[next];
            next += 1;
            let count = &mut self.current.counts[node as usize];
            // A counter that crossed zero twice is in the queue twice, but its readers need not be notified.
            if (*count >= 0) != (*count & 1 == 1) {
                *count ^= 1;
                let is_true = *count >= 0;
                self.notify(node, is_true);
            }
        }
        self.length = 0;
    }

    /// Toggles the output of a signal that has flipped, and updates the counters of its readers, except those on its
    /// own cycle.
    #[inline]
    fn notify(&mut self, node: u32, is_true: bool) {
        let links = self.wiring.links[node as usize];
        if links.output & FEEDS_CYCLE != 0 {
            self.feed(node, is_true);
        }
        let output = (links.output & !FEEDS_CYCLE) as usize;
        self.current.outputs[output / BITS] ^= 1 << (output % BITS);
        // The change of the counter of a reader of the signal, and of a reader of its negation.
        let steps = if is_true { [2, -2] } else { [-2, 2] };
        let blocks = &self.wiring.blocks[links.first as usize..links.end as usize];
        make_room(&mut self.queue, self.length, blocks.as_flattened().len());
        let counts = self.current.counts.as_mut_slice();
        let queue = self.queue.as_mut_slice();
        let mut length = self.length;
        for block in blocks {
            for &reader in block {
                let count = &mut counts[(reader >> 1) as usize];
                let before = *count;
                *count += steps[(reader & 1) as usize];
                queue[length] = reader >> 1;
                // The signs differ exactly if the counter has crossed zero; an addition instead of a branch.
                length += usize::from((before ^ *count) < 0);
            }
        }
        self.length = length;
    }

    /// Updates the counters of gates on cycles that read a signal which has flipped.
    fn feed(&mut self, node: u32, is_true: bool) {
        for &(cycle, reader) in &self.wiring.feeds[&node] {
            let rises = is_true != (reader & 1 == 1);
            self.current.counts[(reader >> 1) as usize] += if rises { 2 } else { -2 };
            self.touched.insert(cycle as usize);
            if !rises {
                self.fallen.insert(cycle as usize);
            }
        }
    }

    /// Brings a cycle to its least fixpoint, and propagates what flipped to the readers outside.
    fn close(&mut self, cycle: usize) {
        let wiring = Arc::clone(&self.wiring);
        let GateCycle { nodes, inside } = &wiring.cycles[cycle];
        let before: Vec<bool> = nodes.clone().map(|node| self.current.counts[node] & 1 == 1).collect();
        if self.fallen.contains(cycle) {
            self.fallen.remove(cycle);
            self.reset(nodes);
        }
        let counts = &mut self.current.counts;
        let mut pending: Vec<usize> = nodes.clone().filter(|&node| rises(counts[node])).collect();
        pending.iter().for_each(|&node| counts[node] |= 1);
        while let Some(node) = pending.pop() {
            for &reader in &inside[node - nodes.start] {
                let count = &mut counts[(reader >> 1) as usize];
                *count += 2;
                if rises(*count) {
                    *count |= 1;
                    pending.push((reader >> 1) as usize);
                }
            }
        }
        // Readers on the cycle know the values; those outside are notified of gates that differ from before.
        for (node, was_true) in nodes.clone().zip(before) {
            let is_true = self.current.counts[node] >= 0;
            if is_true != was_true {
                self.notify(to_u32(node), is_true);
            }
        }
    }

    /// Sets the gates of a cycle to the values that their inputs from outside the cycle alone imply.
    fn reset(&mut self, nodes: &Range<usize>) {
        let program = &self.wiring.program;
        let first_gate = program.first_gate();
        for node in nodes.clone() {
            let inputs = program.inputs(node - first_gate);
            let holds = |wire: &&Wire| !nodes.contains(&wire.signal()) && self.value(**wire);
            let count = start(program, node - first_gate)
                + i32::try_from(inputs.iter().filter(holds).count()).expect("a gate has less than 2^31 inputs");
            self.current.counts[node] = 2 * count;
        }
    }
}

/// Extends a queue by room for `more` entries.
#[inline]
fn make_room(queue: &mut Vec<u32>, length: usize, more: usize) {
    if length + more >= queue.len() {
        queue.resize(2 * (length + more) + 16, 0);
    }
}

impl GateValues for Incremental {
    fn value(&self, wire: Wire) -> bool {
        (self.current.counts[wire.signal()] >= 0) != wire.is_negated()
    }

    fn set(&mut self, signal: usize, value: bool) {
        self.current.counts[signal] = if value { 0 } else { -2 };
    }
}

impl Evaluator for Incremental {
    fn go_to(&mut self, state: &[usize]) {
        // Compared word by word: states are short.
        let is_initial = state.iter().zip(&self.initial.state).all(|(wanted, initial)| wanted == initial);
        if is_initial && self.is_far_from_initial() {
            self.current.counts.copy_from_slice(&self.initial.counts);
            self.current.state.copy_from_slice(&self.initial.state);
            self.current.outputs.copy_from_slice(&self.initial.outputs);
            self.made.clear();
        } else {
            if self.moves == MoveTreatment::TakenBack {
                while let Some(signal) = self.made.pop() {
                    self.flip(signal as usize);
                }
            }
            self.move_to(state);
        }
    }

    fn make(&mut self, joint_move: &[u32]) {
        let first = to_u32(self.wiring.program.bits());
        for (role, &chosen) in joint_move.iter().enumerate() {
            let signal = first + chosen;
            // A move that the role repeats is not undone and made again.
            match self.made.get_mut(role) {
                Some(made) if *made == signal => {}
                Some(made) => {
                    let undone = std::mem::replace(made, signal);
                    self.flip(undone as usize);
                    self.flip(signal as usize);
                }
                None => {
                    self.made.push(signal);
                    self.flip(signal as usize);
                }
            }
        }
        self.settle();
    }

    fn state(&self) -> &[usize] {
        &self.current.state
    }

    fn outputs(&self) -> &[usize] {
        &self.current.outputs
    }
}

/// The number of readers in a block. Most signals have no more readers than this, so the loop over a signal's blocks
/// nearly always runs once, and its branch is predicted.
const BLOCK: usize = 4;

/// The output and the blocks of readers of a signal, stored together because they are read together.
#[derive(Clone, Copy, Debug)]
struct SignalLinks {
    /// The output bit that has this value (or its negation); [`FEEDS_CYCLE`] is set if the signal feeds a cycle.
    output: u32,
    /// The range of its blocks in [`EvaluatorWiring::blocks`].
    first: u32,
    end: u32,
}

/// Flag in [`SignalLinks::output`]: the signal feeds a cycle.
const FEEDS_CYCLE: u32 = 1 << 31;

/// The values that change from state to state.
#[derive(Clone, Debug)]
struct SignalValues {
    /// For each signal, twice its counter, plus one if its readers have been notified that it is true. Bits and moves
    /// have counters, too: 0 or -1.
    counts: Vec<i32>,
    state: Vec<usize>,
    /// One word longer than the outputs: signals that are no output toggle a bit of the last word.
    outputs: Vec<usize>,
}

/// The immutable part of the evaluator.
#[derive(Debug)]
struct EvaluatorWiring {
    program: Arc<Program>,
    /// Output and readers of each signal.
    links: Vec<SignalLinks>,
    /// Readers, each as twice its signal, plus one if it reads the negation. A block that is not full is padded with
    /// readers that are never used.
    blocks: Vec<[u32; BLOCK]>,
    cycles: Vec<GateCycle>,
    /// For each signal that feeds cycles, the cycles and the gates on them that read it, encoded as in blocks.
    feeds: FxHashMap<u32, Vec<(u32, u32)>>,
    /// The values at the state in which nothing holds.
    empty: SignalValues,
}

/// A strongly connected group of gates.
#[derive(Debug)]
struct GateCycle {
    /// The signals of its gates.
    nodes: Range<usize>,
    /// For each gate, its readers on the cycle; readers outside are in blocks.
    inside: Vec<Vec<u32>>,
}

/// The counter of a gate none of whose inputs is true.
fn start(program: &Program, gate: usize) -> i32 {
    match program.gates[gate].kind {
        GateKind::And => -i32::try_from(program.inputs(gate).len()).expect("a gate has less than 2^31 inputs"),
        GateKind::Or => -1,
    }
}

impl EvaluatorWiring {
    /// Wires the first `gates` gates.
    fn new(program: &Arc<Program>, outputs: &OutputLayout, gates: usize) -> Self {
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
fn block(readers: &[u32], no_node: u32) -> [u32; BLOCK] {
    std::array::from_fn(|index| readers.get(index).copied().unwrap_or((no_node + to_u32(index)) << 1))
}

/// The wiring while it is built, with a list of readers for each node.
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

    /// Assigns the output bits. A signal with several outputs gets copies, which read it and have one output each.
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
        // Gates are processed in order, so that the inputs of a gate are final before its readers are notified; a cycle
        // as a whole.
        for index in 0..counts.len() {
            if rises(counts[index]) {
                pending.push(index);
            }
            while let Some(index) = pending.pop() {
                // On a cycle a gate waits here once for each input that rose, and its readers are notified once.
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

/// True if a signal is true and its readers have not been notified.
fn rises(count: i32) -> bool {
    count >= 0 && count & 1 == 0
}
