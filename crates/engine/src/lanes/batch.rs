//! A batch of games: the words of all signals, and one step of all lanes.
//!
//! In a step, [`LaneBatch::evaluate_state`] computes the signals that depend on the states alone,
//! [`LaneBatch::evaluate_goals`] the goals, [`LaneBatch::choose`] draws moves, and [`LaneBatch::advance`] computes the
//! next states and resets lanes that begin a new game to the initial state. [`super::ply`] has the parts of the circuit
//! for it.

use super::choice::Candidate;
use super::compiled_lanes::CompiledLanes;
use super::ply::{DrawKernel, Draws, Ply, PlyForm, PlyLayout, WideChoiceKernel};
use super::rank::ColumnRandom;
use super::vector::{Kernel, Unit};
use super::word::{BatchMemory, Word, and, any, copy, none, or, read, without};
use crate::program::NetworkState;
use fixedbitset::FixedBitSet;
use gdl::limits::unlimited;
use gdl::number::to_u32;
use std::ptr;
use std::sync::Arc;

/// The cost of copying a bit of the state, in steps.
const COPIED_BIT: usize = 2;
/// The number of plies for which goals are computed together on average, if the states are copied.
const STEPS_TOGETHER: usize = 4;

/// The words of a batch of `64 * W` lanes.
#[derive(Debug)]
pub(super) struct LaneBatch<const W: usize> {
    compiled: Arc<CompiledLanes>,
    form: PlyForm,
    ply: Arc<Ply>,
    /// The ply for usual states, if there is one, and whether the states are known to be usual.
    usual: Option<Arc<Ply>>,
    is_usual: bool,
    /// The rare bit that was found to be set last, which is likely to be set in the next step as well.
    last_rare: usize,
    memory: BatchMemory<W>,
    pub(super) random: ColumnRandom<W>,
    /// The value of each bit in the state in which lanes begin.
    initial: Vec<bool>,
    /// The bits in which `initial` differs from the initial state of the program, with their values in `initial`.
    differing: Vec<(usize, bool)>,
    /// For each role, the lanes in which it has no move, after [`LaneBatch::choose`].
    pub(super) stuck: Vec<Word<W>>,
    /// The lanes that keep their state in this step, after [`LaneBatch::choose`].
    pub(super) held: Word<W>,
}

impl<const W: usize> LaneBatch<W> {
    /// A batch with memory of its own; `form` is for `W` columns.
    pub(super) fn new(compiled: &Arc<CompiledLanes>, form: PlyForm) -> Self {
        let (ply, usual) = Self::plies(compiled, form);
        Self {
            compiled: Arc::clone(compiled),
            form,
            memory: Self::memory(compiled, &ply, usual.as_deref()),
            ply,
            usual,
            is_usual: false,
            last_rare: 0,
            random: ColumnRandom::new(),
            initial: vec![false; compiled.bits],
            differing: Vec::new(),
            stuck: vec![none(); compiled.choices.roles()],
            held: none(),
        }
    }

    /// A batch with memory of its own, for states of the same kind as those that this one expects.
    pub(super) fn fork(&self) -> Self {
        Self::new(&self.compiled, self.form)
    }

    /// The ply of a form, and that for usual states, if there is one.
    fn plies(compiled: &CompiledLanes, form: PlyForm) -> (Arc<Ply>, Option<Arc<Ply>>) {
        let ply = |form| unlimited(|limits| compiled.ply(form, &limits.poll()));
        (ply(form), compiled.usual_form(form).map(ply))
    }

    /// Memory for either ply.
    fn memory(compiled: &CompiledLanes, ply: &Ply, usual: Option<&Ply>) -> BatchMemory<W> {
        let slots = ply.layout.slots.max(usual.map_or(0, |usual| usual.layout.slots));
        let scratch = ply.scratch(W).max(usual.map_or(0, |usual| usual.scratch(W)));
        BatchMemory::new(slots, scratch, to_u32(compiled.bits))
    }

    /// The form in which plies run.
    pub(super) fn form(&self) -> PlyForm {
        self.form
    }

    /// Assumes that the states are usual, or not, in the next ply; false if there is no ply for usual states.
    pub(super) fn assume_usual(&mut self, is_usual: bool) -> bool {
        self.is_usual = is_usual && self.usual.is_some();
        self.is_usual == is_usual
    }

    /// The layout of the words of the ply that is right for the states.
    pub(super) fn layout(&self) -> &PlyLayout {
        &current(&self.ply, self.usual.as_ref(), self.is_usual).layout
    }

    /// All words.
    pub(super) fn slots(&mut self) -> &mut [Word<W>] {
        self.memory.slots()
    }

    /// The lanes in which a move has been made, after [`LaneBatch::advance`].
    pub(super) fn made(&mut self, candidate: &Candidate) -> Word<W> {
        let made = self.ply.layout.moves[candidate.index as usize];
        read(self.memory.slots(), made)
    }

    pub(super) fn compiled(&self) -> &Arc<CompiledLanes> {
        &self.compiled
    }

    /// The vector instructions of everything that is not part of the circuit.
    pub(super) fn unit(&self) -> Unit {
        self.form.unit
    }

    /// The words of the states, bit by bit.
    #[inline(always)]
    pub(super) fn bits(&mut self) -> &mut [Word<W>] {
        &mut self.memory.slots()[..self.compiled.bits]
    }

    /// Sets the state in which lanes begin from now on.
    pub(super) fn set_initial(&mut self, state: &NetworkState) {
        for (bit, value) in self.initial.iter_mut().enumerate() {
            *value = state.bits().contains(bit);
        }
        let usual = self.compiled.initial();
        let differing = state.bits().symmetric_difference(usual);
        self.differing = differing.map(|bit| (bit, state.bits().contains(bit))).collect();
    }

    /// Puts these lanes of a column into the state in which lanes begin.
    pub(super) fn begin(&mut self, column: usize, lanes: u64) {
        self.is_usual = false;
        for (slot, &value) in self.memory.slots().iter_mut().zip(&self.initial) {
            slot[column] = if value { slot[column] | lanes } else { slot[column] & !lanes };
        }
    }

    /// Puts the first lanes into these states, of which neighbours may be the same, and clears all others.
    pub(super) fn set_all(&mut self, states: &[&NetworkState]) {
        self.is_usual = false;
        let bits = self.bits();
        bits.fill(none());
        for (column, states) in states.chunks(64).enumerate() {
            let mut lanes = 0;
            for same in states.chunk_by(|one, next| ptr::eq(*one, *next)) {
                let first = lanes;
                lanes += same.len();
                // A run of equal states is set with one word for each bit.
                let these = u64::MAX >> (64 - same.len()) << first;
                same[0].bits().ones().for_each(|bit| bits[bit][column] |= these);
            }
        }
    }

    /// The lanes in which some role has no move, after [`LaneBatch::choose`].
    #[inline(always)]
    pub(super) fn stuck_lanes(&self) -> Word<W> {
        self.stuck.iter().fold(none(), |all, lanes| or(&all, lanes))
    }

    /// The state of a lane.
    pub(super) fn get(&mut self, column: usize, lane: u32) -> NetworkState {
        let mut state = FixedBitSet::with_capacity(self.initial.len());
        for (bit, word) in self.bits().iter().enumerate() {
            state.set(bit, word[column] >> lane & 1 == 1);
        }
        NetworkState::new(state)
    }

    /// Clears all bits of all states.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        match self.compiled.rare() {
            Some(rare) if self.is_usual => rare.zeroes().for_each(|bit| self.memory.slots()[bit] = none()),
            _ => self.bits().fill(none()),
        }
        self.is_usual = self.usual.is_some();
    }

    /// Copies the states of these lanes of another batch into lanes that are clear.
    #[inline(always)]
    pub(super) fn add(&mut self, from: &mut Self, lanes: &Word<W>) {
        let to = self.memory.slots();
        let usual = if from.is_usual { self.compiled.rare() } else { None };
        match usual {
            Some(rare) => {
                let from = from.memory.slots();
                rare.zeroes().for_each(|bit| to[bit] = or(&to[bit], &and(&from[bit], lanes)));
            }
            None => {
                copy(&mut to[..self.compiled.bits], from.bits(), lanes);
                self.is_usual = false;
            }
        }
    }

    /// Computes the legal moves of the states; returns the lanes whose state is terminal.
    pub(super) fn evaluate_state(&mut self) -> Word<W> {
        let Self { memory, form, .. } = self;
        let ply = current(&self.ply, self.usual.as_ref(), self.is_usual);
        ply.state.run(form.unit, memory);
        read(memory.slots(), ply.layout.terminal)
    }

    /// Computes the goals of the states, after [`LaneBatch::evaluate_state`].
    #[inline(always)]
    pub(super) fn evaluate_goals(&mut self) {
        current(&self.ply, self.usual.as_ref(), self.is_usual).goal.run(self.form.unit, &mut self.memory);
    }

    /// The lanes in which a goal value holds, given as an index into the program, after [`LaneBatch::evaluate_goals`].
    #[inline(always)]
    pub(super) fn valued(&mut self, goal: usize) -> Word<W> {
        let goal = current(&self.ply, self.usual.as_ref(), self.is_usual).layout.goals[goal];
        read(self.memory.slots(), goal)
    }

    /// True if it costs less to copy the state in which a game ends, and to compute its goals once for several steps,
    /// than to compute the goals in each step.
    pub(super) fn copies_ends(&self) -> bool {
        let goal = self.ply.goal.steps();
        let state = self.ply.state.steps();
        goal > COPIED_BIT * self.compiled.bits + state / STEPS_TOGETHER
    }

    /// Chooses a move for each role in the lanes of `live`.
    pub(super) fn choose(&mut self, live: &Word<W>, draws: Draws) {
        self.draw(live, draws);
        self.descend(live);
    }

    /// Draws the ranks of the moves for [`LaneBatch::choose`].
    pub(super) fn draw(&mut self, live: &Word<W>, draws: Draws) {
        let Self { memory, random, stuck, held, form: PlyForm { unit, .. }, .. } = self;
        let ply = current(&self.ply, self.usual.as_ref(), self.is_usual);
        let layout = &ply.layout;
        unit.run(DrawKernel { layout, slots: memory.slots(), live, random, draws, stuck, held });
    }

    /// Finds the moves of wide choices, after [`LaneBatch::draw`]; the circuit finds those of others in
    /// [`LaneBatch::advance`].
    pub(super) fn descend(&mut self, live: &Word<W>) {
        let Self { memory, form: PlyForm { unit, .. }, .. } = self;
        let ply = current(&self.ply, self.usual.as_ref(), self.is_usual);
        if ply.layout.is_wide() {
            ply.descend.run(*unit, memory);
            unit.run(WideChoiceKernel { layout: &ply.layout, slots: memory.slots(), live });
        }
    }

    /// Makes the chosen moves; lanes of `fresh` begin a new game.
    pub(super) fn advance(&mut self, fresh: &Word<W>) {
        let Self { memory, held, differing, form: PlyForm { unit, .. }, .. } = self;
        let ply = current(&self.ply, self.usual.as_ref(), self.is_usual);
        let going = ply.layout.going;
        let slots = memory.slots();
        slots[going.goes as usize] = without(&[u64::MAX; W], &or(held, fresh));
        slots[going.fresh as usize] = *fresh;
        if let Some(holds) = going.holds {
            slots[holds as usize] = without(held, fresh);
        }
        ply.advance.run(*unit, memory);
        if !differing.is_empty() && any(fresh) {
            unit.run(BeginKernel { slots: memory.slots(), differing, fresh });
        }
        if let Some(rare) = self.compiled.rare()
            && self.usual.is_some()
        {
            let slots = self.memory.slots();
            // A game that begins with a rare bit set makes the states unusual in whatever lane it begins.
            let begin_usually = !self.differing.iter().any(|&(bit, value)| value && rare.contains(bit));
            self.is_usual = begin_usually
                && match self.is_usual {
                    // The smaller circuit computes the disjunction of the rare bits; after the other one they are
                    // searched.
                    true => !any(&read(slots, ply.layout.leaves)),
                    false => {
                        let last = Some(self.last_rare).filter(|&bit| rare.contains(bit));
                        let found = last.into_iter().chain(rare.ones()).find(|&bit| any(&slots[bit]));
                        self.last_rare = found.unwrap_or_default();
                        found.is_none()
                    }
                };
        }
    }
}

/// The ply that is right for the states.
fn current<'a>(ply: &'a Arc<Ply>, usual: Option<&'a Arc<Ply>>, is_usual: bool) -> &'a Ply {
    match usual {
        Some(usual) if is_usual => usual,
        _ => ply,
    }
}

/// Corrects the bits of lanes that the circuit has put into the initial state of the program, if they begin in another.
struct BeginKernel<'a, const W: usize> {
    slots: &'a mut [Word<W>],
    /// The bits that differ, and their values in the state in which lanes begin.
    differing: &'a [(usize, bool)],
    fresh: &'a Word<W>,
}

impl<const W: usize> Kernel for BeginKernel<'_, W> {
    #[inline(always)]
    fn run(self) {
        let Self { slots, differing, fresh } = self;
        for &(bit, value) in differing {
            slots[bit] = if value { or(&slots[bit], fresh) } else { without(&slots[bit], fresh) };
        }
    }
}
