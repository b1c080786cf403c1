//! Questions about many states at once: legal moves, terminal and goals of each, and their successors.
//!
//! [`Inquiry`] has the parts of the circuit that answer. Nothing is chosen, and nothing relies on how the states were
//! reached. [`Questions`] loads a state into each lane, runs the parts, and reads the answers from the lanes;
//! [`super::rows`] transposes both. [`KeyQuestions`] takes states as keys: the words of a key are a row, so no state is
//! made.

use super::allocate::Memory;
use super::back_ends::{BackEnds, LanesError};
use super::circuit::{CircuitNode, NodeLiteral, nodes};
use super::cuts::mapped;
use super::order::PartOutputs;
use super::part::RunnablePart;
use super::rows::{Block, Rows};
use super::signals::Signals;
use super::stages::StagePlan;
use super::target::Target;
use super::vector::{Kernel, Unit};
use super::wide_choice::Classes;
use super::word::{BatchMemory, Slot, Word, WordSource, any, none, read};
use crate::program::{NetworkState, Program};
use gdl::limits::{Limits, Poll, Stop};
use gdl::number::to_u32;
use ggp_game::Coding;
use std::sync::Arc;

/// The answers about many states, by the index of the state.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// A bit for each state, set if the state is terminal.
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

    /// True if a state is terminal.
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

    /// The legal moves of each state, a row for each.
    pub(super) fn legal_rows(&self) -> &Rows {
        &self.legal
    }

    /// The goal values that hold in each state, a row for each.
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

    /// True if there are no states.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The state at an index, in the memory of `spare` if that has as many bits.
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

    /// The rows of the states for the next question, to be written, and the number of bits of a row.
    pub(super) fn rows(&mut self) -> (&mut Rows, usize) {
        (&mut self.states, self.bits)
    }

    /// As [`Questions::evaluate`], for the rows that have been written.
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

    /// As [`Questions::next_states`], for the rows that have been written.
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

/// Loads rows into words of lanes, one for each bit.
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

/// Stores one word of lanes for each bit into rows; `word` gives the word of a bit.
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

/// The parts that answer questions, for batches of a certain width.
#[derive(Debug)]
pub(super) struct Inquiry {
    /// The vector instructions of everything that is not part of the circuit.
    pub(super) unit: Unit,
    /// Computes the legal moves and the terminal states.
    pub(super) state: RunnablePart,
    /// Computes the goals after `state` has run.
    pub(super) goal: RunnablePart,
    /// Computes the next states from the states and the moves that are made.
    pub(super) next: RunnablePart,
    pub(super) terminal: WordSource,
    /// For each move of the program, the lanes in which it is legal.
    pub(super) legal: Vec<WordSource>,
    /// The goal values, in the order of the program.
    pub(super) goals: Vec<WordSource>,
    /// For each move of the program, the word of the lanes in which it is made, if it can be legal.
    pub(super) moves: Vec<Option<Slot>>,
    pub(super) slots: u32,
}

impl Inquiry {
    /// Compiles the parts for a target, for states that are written in this code; for the portable loop if there is no
    /// room for machine code, or a batch is too large for its offsets. Linear in the gates.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn on(
        program: &Program,
        coding: &Coding,
        target: Target,
        columns: usize,
        poll: &Poll<'_>,
    ) -> Result<Self, Stop> {
        if let Some(inquiry) = Self::new(program, coding, target.for_columns(columns), columns, poll)? {
            return Ok(inquiry);
        }
        let portable = Self::new(program, coding, Target::Portable, columns, poll)?;
        Ok(portable.unwrap_or_else(|| unreachable!("the portable loop runs everywhere")))
    }

    /// Compiles the parts. `None` if the target cannot run here. Linear in the gates.
    ///
    /// # Errors
    /// If the limits end the work.
    fn new(
        program: &Program,
        coding: &Coding,
        target: Target,
        columns: usize,
        poll: &Poll<'_>,
    ) -> Result<Option<Self>, Stop> {
        let (mut circuit, mut signals) = Signals::of_keys(program, coding);
        let mut moves = Vec::with_capacity(program.moves.len());
        for (index, known) in program.moves.iter().enumerate() {
            let slot = known.is_possible.then(|| circuit.take_slots(1).start);
            let made = slot.map_or(NodeLiteral::FALSE, |slot| circuit.input(slot));
            signals.known[program.move_signal(index)] = Some(made);
            moves.push(slot);
        }
        let classes = &mut Classes::default();
        signals.settle(&mut circuit, classes, poll)?;
        let legal = program.legal.iter().zip(&program.moves).map(|(legal, known)| match known.is_possible {
            true => circuit.and(signals.known(legal.guard), signals.known(legal.wire)),
            false => NodeLiteral::FALSE,
        });
        let legal: Vec<NodeLiteral> = legal.collect();
        let goals: Vec<NodeLiteral> = program.goal.iter().map(|&wire| signals.known(wire)).collect();
        let terminal = signals.known(program.terminal);
        let finals = signals.next_key(&mut circuit, classes, coding);

        let asked = [nodes(&legal), vec![terminal.node]].concat();
        let valued = nodes(&goals);
        let wanted: Vec<CircuitNode> =
            asked.iter().chain(&valued).copied().chain(finals.iter().map(|&(node, _)| node)).collect();
        let circuit = mapped(&circuit, &wanted, target, poll)?;
        let mut memory = Memory::new(&circuit, circuit.slots);
        let state = StagePlan::new(&circuit, &memory.computed, PartOutputs { kept: &asked, finals: &[] });
        let mut after_state = memory.computed.clone();
        state.add_to(&circuit, &mut after_state);
        let goal = StagePlan::new(&circuit, &after_state, PartOutputs { kept: &valued, finals: &[] });
        let next = StagePlan::new(&circuit, &memory.computed, PartOutputs { kept: &[], finals: &finals });
        // The next states are asked for without the rest, so they share nothing with it but the inputs.
        let mut next_memory = memory.clone();
        let registers = usize::from(target.registers());
        let mut is_asked = vec![false; circuit.len()];
        asked.iter().for_each(|&node| is_asked[node as usize] = true);
        let mut is_shared = is_asked.clone();
        goal.mark_read(&circuit, &after_state, &mut is_shared);
        let state = state.stages(&circuit, &mut memory, &is_shared, registers, poll)?;
        let goal = goal.stages(&circuit, &mut memory, &is_asked, registers, poll)?;
        let next = next.stages(&circuit, &mut next_memory, &vec![false; circuit.len()], registers, poll)?;
        let source = |&literal: &NodeLiteral| memory.source(literal);
        let slots = memory.slots.max(next_memory.slots);
        // Machine code may be refused, and then all parts are made for the portable loop.
        let part = |stages: &[_]| RunnablePart::new(stages, target, columns);
        let (Some(state), Some(goal), Some(next)) = (part(&state), part(&goal), part(&next)) else { return Ok(None) };
        Ok(Some(Self {
            unit: Unit::for_target(target),
            state,
            goal,
            next,
            terminal: source(&terminal),
            legal: legal.iter().map(source).collect(),
            goals: goals.iter().map(source).collect(),
            moves,
            slots,
        }))
    }

    /// The number of words of 64 bits of scratch memory for batches of `columns` columns.
    pub(super) fn scratch(&self, columns: usize) -> usize {
        let parts = [&self.state, &self.goal, &self.next].map(|part| part.scratch(columns));
        parts.into_iter().max().unwrap_or_default()
    }
}

/// A game compiled for questions about states that are written in a code.
#[derive(Debug)]
pub(crate) struct KeyQuestions(Questions);

impl KeyQuestions {
    /// Compiles a program for states in this code, which have one bit at least. Linear in the gates.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the work, or if even the portable loop differs from the
    /// program.
    pub(crate) fn within(
        program: &Program,
        coding: &Coding,
        back_ends: &BackEnds,
        limits: &Limits,
    ) -> Result<Self, LanesError> {
        Questions::coded(program, coding, back_ends, limits).map(Self)
    }

    /// The same with memory of its own; the compiled parts are shared.
    pub(crate) fn fork(&self) -> Self {
        Self(self.0.fork())
    }

    /// Evaluates the states of these keys, and replaces the content of `answers`. Goal values are those of terminal
    /// states.
    pub(crate) fn evaluate(&mut self, keys: &[u64], answers: &mut Answers) {
        let (rows, bits) = self.0.rows();
        rows.take_words(bits, keys);
        self.0.evaluate_rows(GoalStates::Terminal, answers);
    }

    /// The keys of the states after joint moves, in sequence. `from` has the indices of the keys in which the joint
    /// moves are made, and `joint_moves` one move for each role, as indices into [`Program::moves`].
    pub(crate) fn next(&mut self, keys: &[u64], from: &[u32], joint_moves: &[u32]) -> &[u64] {
        let (rows, bits) = self.0.rows();
        rows.take_some(bits, keys, from);
        self.0.next_rows(joint_moves).words()
    }
}
