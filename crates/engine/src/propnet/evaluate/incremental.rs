//! The evaluator that updates only what changes.
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
//! mispredicted branches. Therefore whether a counter crosses zero is added to the length of the queue instead of
//! branched on, and readers are stored in blocks. The return to the initial state, which random play needs after every
//! game, copies the counters.

use super::outputs::OutputLayout;
use super::wiring::{EvaluatorWiring, FEEDS_CYCLE, GateCycle, SignalValues, rises, start};
use super::{BITS, Evaluator, value};
use crate::program::{Program, Wire};
use fixedbitset::FixedBitSet;
use gdl::number::to_u32;
use std::ops::Range;
use std::sync::Arc;

/// A flipped bit costs about as much as copying this many counters.
const COPIED_PER_FLIP: usize = 200;

/// How an evaluator treats moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::propnet) enum MoveTreatment {
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
    pub(in crate::propnet) fn new(
        program: &Arc<Program>,
        outputs: &OutputLayout,
        moves: MoveTreatment,
        gates: usize,
    ) -> Self {
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

    /// Whether each of the first `gates` gates has the value that its inputs imply.
    fn is_consistent(&self, gates: usize) -> bool {
        let program = &self.wiring.program;
        (0..gates).all(|gate| self.value(Wire::new(program.first_gate() + gate)) == value(program, gate, self))
    }

    /// Flips a bit or a move: its counter changes from 0 to -1 or back.
    #[expect(clippy::cast_possible_truncation, reason = "the wiring has numbered all signals in 32 bits")]
    fn flip(&mut self, signal: usize) {
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

    /// Whether copying the initial state is faster than flipping bits.
    fn is_far_from_initial(&self) -> bool {
        let words = self.current.state.iter().zip(&self.initial.state);
        let flips: u32 = words.map(|(own, initial)| (own ^ initial).count_ones()).sum();
        flips as usize * COPIED_PER_FLIP > self.current.counts.len()
    }

    /// Propagates flips to readers until no gate flips.
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
        while next < self.length {
            let node = self.queue[next];
            next += 1;
            let count = &mut self.current.counts[node as usize];
            if (*count >= 0) != (*count & 1 == 1) {
                *count ^= 1;
                let is_true = *count >= 0;
                self.tell(node, is_true);
            }
        }
        self.length = 0;
    }

    /// Toggles the output of a signal that has flipped, and updates the counters of its readers, except those on its
    /// own cycle.
    #[inline]
    fn tell(&mut self, node: u32, is_true: bool) {
        let links = self.wiring.links[node as usize];
        if links.output & FEEDS_CYCLE != 0 {
            self.feed(node, is_true);
        }
        let output = (links.output & !FEEDS_CYCLE) as usize;
        self.current.outputs[output / BITS] ^= 1 << (output % BITS);
        // What to add for a reader of the signal, and for a reader of its negation.
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
        let told: Vec<bool> = nodes.clone().map(|node| self.current.counts[node] & 1 == 1).collect();
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
        for (node, told) in nodes.clone().zip(told) {
            let is_true = self.current.counts[node] >= 0;
            if is_true != told {
                self.tell(to_u32(node), is_true);
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

    fn value(&self, wire: Wire) -> bool {
        (self.current.counts[wire.signal()] >= 0) != wire.is_negated()
    }

    fn set(&mut self, signal: usize, value: bool) {
        self.current.counts[signal] = if value { 0 } else { -2 };
    }

    fn state(&self) -> &[usize] {
        &self.current.state
    }

    fn outputs(&self) -> &[usize] {
        &self.current.outputs
    }
}
