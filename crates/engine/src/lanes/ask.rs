//! Questions about many states at once: legal moves, terminal and goals of each, and their successors.
//!
//! A state is loaded into each lane, and the answers are read from the lanes; [`super::rows`] transposes both.

use super::inquiry::Inquiry;
use super::memory::BatchMemory;
use super::rows::{Block, Rows};
use super::source::read;
use super::vector::{Kernel, Unit};
use super::word::{Word, any, none};
use crate::program::NetworkState;
use gdl::number::to_u32;
use std::sync::Arc;

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
    pub(super) fn reset(&mut self, states: usize, moves: usize, goals: usize) {
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

    /// The legal moves of each state, as rows.
    pub(super) fn legal_rows(&self) -> &Rows {
        &self.legal
    }

    /// The goal values that hold in each state, as rows.
    pub(super) fn goal_rows(&self) -> &Rows {
        &self.goals
    }

    /// The goal values that hold in a state, as a bit for each in [`crate::program::Program::goals`].
    pub(crate) fn goal_row(&self, state: usize) -> &[u64] {
        self.goals.row(state)
    }
}

/// The states whose goal values are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoalStates {
    /// Only terminal states; the goal values of others are unspecified.
    Terminal,
    /// All states.
    All,
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
    pub fn get(&self, index: usize, spare: Option<NetworkState>) -> NetworkState {
        self.0.state(index, spare)
    }
}

/// The number of columns of 64 states that are asked about at once.
pub(super) const COLUMNS: usize = 8;

/// A game compiled for questions about many states, with memory for 512 of them. Lanes answer, and nothing relies on
/// how the states were reached. Before they answer, lanes are compared with the program.
#[derive(Debug)]
pub struct Questions {
    inquiry: Arc<Inquiry>,
    unit: Unit,
    /// The number of bits of a state.
    bits: usize,
    roles: usize,
    memory: BatchMemory<COLUMNS>,
    /// The states that are asked about.
    states: Rows,
    /// The successors of these states.
    next: Rows,
}

impl Questions {
    /// Questions with memory of their own, about states of `bits` bits.
    pub(super) fn for_inquiry(inquiry: Arc<Inquiry>, bits: usize, roles: usize) -> Self {
        let memory = BatchMemory::new(inquiry.slots, inquiry.scratch(COLUMNS), to_u32(bits));
        Self { unit: inquiry.unit, inquiry, bits, roles, memory, states: Rows::default(), next: Rows::default() }
    }

    /// The same with memory of its own; the compiled parts are shared.
    pub fn fork(&self) -> Self {
        Self::for_inquiry(Arc::clone(&self.inquiry), self.bits, self.roles)
    }

    /// Evaluates these states, and replaces the content of `answers`.
    pub fn evaluate<'a>(
        &mut self,
        states: impl IntoIterator<Item = &'a NetworkState>,
        goals_of: GoalStates,
        answers: &mut Answers,
    ) {
        self.states.take(self.bits, states);
        self.evaluate_rows(goals_of, answers);
    }

    /// The rows of the states that are asked about next, and the number of bits of a row.
    pub(super) fn rows(&mut self) -> (&mut Rows, usize) {
        (&mut self.states, self.bits)
    }

    /// As [`Questions::evaluate`], for the rows as they are.
    pub(super) fn evaluate_rows(&mut self, goals_of: GoalStates, answers: &mut Answers) {
        answers.reset(self.states.len(), self.inquiry.legal.len(), self.inquiry.goals.len());
        for (first, count) in ranges(self.states.len()) {
            self.evaluate_range(first, count, goals_of, answers);
        }
    }

    fn evaluate_range(&mut self, first: usize, count: usize, goals_of: GoalStates, answers: &mut Answers) {
        self.load(first, count);
        let Self { inquiry, unit, memory, .. } = self;
        inquiry.state.run(*unit, memory);
        let terminal = read(memory.slots(), inquiry.terminal);
        unit.narrow().run(Store { rows: &mut answers.terminal, first, count, word: |_| terminal });
        let slots = memory.slots();
        let legal = |index: usize| read(slots, inquiry.legal[index]);
        unit.narrow().run(Store { rows: &mut answers.legal, first, count, word: legal });
        if goals_of == GoalStates::All || any(&terminal) {
            inquiry.goal.run(*unit, memory);
            let slots = memory.slots();
            let goals = |index: usize| read(slots, inquiry.goals[index]);
            unit.narrow().run(Store { rows: &mut answers.goals, first, count, word: goals });
        }
    }

    /// The successors of these states, each under a joint move of its own. `joint_moves` holds one move per role as
    /// indices into [`crate::program::Program::moves`], joint move after joint move. Moves are not checked to be
    /// legal; a move that is never legal has the effect of no move.
    ///
    /// # Panics
    /// If there are fewer joint moves than states.
    pub fn next_states<'a>(
        &mut self,
        states: impl IntoIterator<Item = &'a NetworkState>,
        joint_moves: &[u32],
    ) -> NextStates<'_> {
        self.states.take(self.bits, states);
        NextStates(self.next_rows(joint_moves))
    }

    /// As [`Questions::next_states`], for the rows as they are.
    pub(super) fn next_rows(&mut self, joint_moves: &[u32]) -> &Rows {
        self.next.reset(self.bits, self.states.len());
        assert!(joint_moves.len() >= self.states.len() * self.roles, "a joint move for each state");
        for (first, count) in ranges(self.states.len()) {
            self.load(first, count);
            let Self { inquiry, unit, memory, next, .. } = self;
            let slots = memory.slots();
            inquiry.moves.iter().flatten().for_each(|&slot| slots[slot as usize] = none());
            for (lane, joint_move) in joint_moves.chunks_exact(self.roles).skip(first).take(count).enumerate() {
                for slot in joint_move.iter().filter_map(|&index| inquiry.moves[index as usize]) {
                    slots[slot as usize][lane / 64] |= 1 << (lane % 64);
                }
            }
            inquiry.next.run(*unit, memory);
            let slots = memory.slots();
            unit.narrow().run(Store { rows: next, first, count, word: |bit| slots[bit] });
        }
        &self.next
    }

    fn load(&mut self, first: usize, count: usize) {
        let Self { unit, bits, memory, states, .. } = self;
        unit.narrow().run(Load { rows: states, first, count, slots: &mut memory.slots()[..*bits] });
    }
}

/// Divides states into ranges of at most as many as there are lanes, each as its start and length.
fn ranges(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).step_by(COLUMNS * 64).map(move |first| (first, (COLUMNS * 64).min(count - first)))
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
pub(super) struct Store<'a, const W: usize, F: Fn(usize) -> Word<W>> {
    pub(super) rows: &'a mut Rows,
    /// The row of the first lane.
    pub(super) first: usize,
    /// The number of lanes.
    pub(super) count: usize,
    pub(super) word: F,
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
