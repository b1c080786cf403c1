//! Questions about many states at once: legal moves, terminal and goals of each, and their successors.
//!
//! A state is loaded into each lane, and the answers are read from the lanes; [`super::rows`] transposes both. Nothing
//! here is random, and nothing relies on how the states were reached.

use super::AnyBatch;
use super::batch::Batch;
use super::evaluate::read;
use super::rows::{Block, Rows};
use super::vector::Kernel;
use super::word::{Word, and, any, none};
use crate::program::State;

/// The answers about many states, by the index of the state.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// One bit per state: whether it is terminal.
    terminal: Rows,
    /// A bit for each move in [`crate::program::Program::moves`].
    legal: Rows,
    /// A bit for each goal value in [`crate::program::Program::goals`].
    goals: Rows,
}

impl Answers {
    /// Makes room for the answers about `states` states of a program.
    pub(super) fn reset(&mut self, states: usize, (moves, goals): (usize, usize)) {
        self.terminal.reset(1, states);
        self.legal.reset(moves, states);
        self.goals.reset(goals, states);
    }

    /// Whether a state is terminal.
    pub fn is_terminal(&self, state: usize) -> bool {
        self.terminal.row(state)[0] == 1
    }

    /// The legal moves of a state within a range of indices into [`crate::program::Program::moves`], in order.
    pub fn legal(&self, state: usize, moves: std::ops::Range<usize>) -> impl Iterator<Item = usize> {
        self.legal.ones(state, moves.start, moves.end)
    }

    /// The goal values that hold in a state, within a range of indices into [`crate::program::Program::goals`].
    pub fn goals(&self, state: usize, goals: std::ops::Range<usize>) -> impl Iterator<Item = usize> {
        self.goals.ones(state, goals.start, goals.end)
    }
}

/// The states whose goal values are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// Only terminal states; the goal values of others are unspecified.
    OfEnds,
    /// All states.
    OfAll,
}

/// The successors of several states, by the index of the state.
#[derive(Debug)]
pub struct NextStates<'a>(pub(super) &'a Rows);

impl NextStates<'_> {
    /// The number of states.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The state at an index, built in the memory of `spare` if there is one.
    pub fn get(&self, index: usize, spare: Option<State>) -> State {
        self.0.state(index, spare)
    }
}

/// The memory for questions, reused from one to the next.
#[derive(Debug, Default)]
pub(super) struct Questions {
    /// The states that are asked about.
    pub(super) states: Rows,
    /// The successors of these states.
    pub(super) next: Rows,
    /// Lanes without machine code, which computes no outputs for questions.
    pub(super) batch: Option<Box<dyn AnyBatch>>,
}

/// Answers for `count` of the states in these rows from `first` on; `count` is at most the number of lanes.
pub(super) fn evaluate<const W: usize>(
    batch: &mut Batch<W>,
    states: &Rows,
    (first, count): (usize, usize),
    worth: Worth,
    answers: &mut Answers,
) {
    load(batch, states, first, count);
    let terminal = batch.evaluate_state();
    let (compiled, unit) = (batch.compiled().clone(), batch.unit());
    unit.run(Store { rows: &mut answers.terminal, first, count, word: |_| terminal });
    if worth == Worth::OfAll || any(&terminal) {
        batch.evaluate_goals();
        let goals: Vec<_> = compiled.code.goals.iter().flatten().collect();
        let slots = batch.slots();
        unit.run(Store { rows: &mut answers.goals, first, count, word: |goal| read(slots, goals[goal].source) });
    }
    let slots = batch.slots();
    let legal = |index: usize| match &compiled.moves[index] {
        Some(candidate) => and(&read(slots, candidate.guard), &read(slots, candidate.wire)),
        None => none(),
    };
    unit.run(Store { rows: &mut answers.legal, first, count, word: legal });
}

/// The successors of `count` of the states in these rows from `first` on, each under its own joint move.
pub(super) fn next<const W: usize>(
    batch: &mut Batch<W>,
    states: &Rows,
    (first, count): (usize, usize),
    joint_moves: &[u32],
    next: &mut Rows,
) {
    load(batch, states, first, count);
    batch.evaluate_state();
    let compiled = batch.compiled().clone();
    let roles = compiled.choices.roles();
    let slots = batch.slots();
    let made = compiled.moves.iter().flatten();
    made.for_each(|candidate| slots[candidate.slot as usize] = none());
    for (lane, joint_move) in joint_moves.chunks_exact(roles).skip(first).take(count).enumerate() {
        for candidate in joint_move.iter().filter_map(|&index| compiled.moves[index as usize].as_ref()) {
            slots[candidate.slot as usize][lane / 64] |= 1 << (lane % 64);
        }
    }
    batch.advance(&none());
    let unit = batch.unit();
    let slots = batch.slots();
    unit.run(Store { rows: next, first, count, word: |bit| slots[bit] });
}

fn load<const W: usize>(batch: &mut Batch<W>, states: &Rows, first: usize, count: usize) {
    let unit = batch.unit();
    let bits = batch.compiled().code.always as usize;
    unit.run(Load { rows: states, first, count, slots: &mut batch.slots()[..bits] });
}

struct Load<'a, const W: usize> {
    rows: &'a Rows,
    first: usize,
    count: usize,
    slots: &'a mut [Word<W>],
}

impl<const W: usize> Kernel for Load<'_, W> {
    #[inline(always)]
    fn run(self) {
        for (index, slots) in self.slots.chunks_mut(64).enumerate() {
            for column in 0..self.count.div_ceil(64) {
                let block = self.rows.read(self.first + column * 64, index);
                slots.iter_mut().zip(block).for_each(|(slot, word)| slot[column] = word);
            }
        }
    }
}

/// Stores one word of lanes per bit into rows.
struct Store<'a, const W: usize, F: Fn(usize) -> Word<W>> {
    rows: &'a mut Rows,
    first: usize,
    count: usize,
    word: F,
}

impl<const W: usize, F: Fn(usize) -> Word<W>> Kernel for Store<'_, W, F> {
    #[inline(always)]
    fn run(self) {
        let bits = self.rows.bits();
        let mut words = [none(); 64];
        for index in 0..bits.div_ceil(64) {
            let start = index * 64;
            let end = bits.min(start + 64);
            words.iter_mut().zip(start..end).for_each(|(word, bit)| *word = (self.word)(bit));
            for column in 0..self.count.div_ceil(64) {
                let block: Block = words.each_ref().map(|word: &Word<W>| word[column]);
                self.rows.write(self.first + column * 64, index, block);
            }
        }
    }
}
