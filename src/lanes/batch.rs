//! A batch of games: the words of all signals, and one step of all lanes.
//!
//! Memory is one array of words, aligned to cache lines. Steps run as machine code if there is some for the processor
//! ([`super::native`]), else gate by gate ([`super::evaluate`]), with the same outcomes. In a step,
//! [`Batch::evaluate_state`] computes the signals that depend on the states alone, [`Batch::evaluate_goals`] the goals,, [`Batch::choose`] draws moves, and [`Batch::advance`] computes the next states and resets lanes that
//! begin a new game to the initial state.

use super::choice::Choices;
use super::code::{Candidate, Code, Final, GoalValue, Part, Source};
use super::evaluate::{evaluate, read};
use super::exclusive::Exclusive;
use super::native::Native;
use super::random::Random;
use super::tree::Scratch;
use super::vector::{Kernel, MachineCode, Unit};
use super::wiring::Wiring;
use super::word::{Word, any, none, opaque, or, without};
use crate::limits::{Limits, Poll, Stopped};
use crate::program::State;
use fixedbitset::FixedBitSet;
use std::sync::{Arc, OnceLock};

/// A compiled game, shared by all batches.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) code: Code,
    pub(super) choices: Choices,
    /// The guards whose exclusion the choices rely on.
    pub(super) exclusive: Exclusive,
    /// Choices that rely on no exclusion, for states that were set and may not be reachable.
    pub(super) apart: Choices,
    /// The step as a circuit, if machine code can be made of it.
    pub(super) wiring: Option<Wiring>,
    /// The machine code for batches of 4, 8 and 16 columns.
    pub(super) native: [OnceLock<Option<Arc<Native>>>; 3],
    /// For each move of the program, its candidate, if it can ever be legal.
    pub(super) moves: Vec<Option<Candidate>>,
}

impl Compiled {
    /// Whether it costs less to copy the state in which a game ends, and to compute its goals once for several steps,
    /// than to compute the goals in each step.
    pub(super) fn copies_ends(&self) -> bool {
        let gates = |part: &Part| part.runs.iter().map(|run| run.gates).sum::<u32>();
        gates(&self.code.goal) > COPIED_BIT * self.code.always + gates(&self.code.state) / STEPS_TOGETHER
    }

    /// The machine code for batches of this many columns, made once.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn native(&self, unit: Unit, columns: usize, poll: &Poll<'_>) -> Result<Option<Arc<Native>>, Stopped> {
        let index = [4, 8, 16].iter().position(|&known| known == columns);
        let (Some(index), Some(wiring)) = (index, &self.wiring) else { return Ok(None) };
        if let Some(known) = self.native[index].get() {
            return Ok(known.clone());
        }
        let made = Native::new(wiring, unit, columns, false, poll)?.map(Arc::new);
        Ok(self.native[index].get_or_init(|| made).clone())
    }
}

/// To copy a bit of the state costs as much as this number of gates.
const COPIED_BIT: u32 = 2;
/// Goals are computed together for about this number of steps, if the states are copied.
const STEPS_TOGETHER: u32 = 4;

/// The words of a batch of `64 * W` lanes.
#[derive(Debug)]
pub(super) struct Batch<const W: usize> {
    compiled: Arc<Compiled>,
    unit: Unit,
    native: Option<Arc<Native>>,
    memory: Vec<u64>,
    /// The index of the scratch words of machine code, ...
    scratch_start: usize,
    /// ... and that of the first word of the batch.
    first: usize,
    pub(super) random: Random<W>,
    scratch: Scratch<W>,
    /// The value of each bit in the state in which lanes begin.
    initial: Vec<bool>,
    /// The bits that are set in it.
    ones: Vec<usize>,
    /// Whether some state violates the exclusion that the choices rely on.
    is_apart: bool,
    /// For each role, the lanes in which it has no move, after [`Batch::choose`].
    pub(super) stuck: Vec<Word<W>>,
}

/// Work that nothing stops.
fn unlimited<T>(work: impl FnOnce(&Poll<'_>) -> Result<T, Stopped>) -> T {
    work(&Limits::none().poll()).expect("nothing stops it")
}

/// The alignment of words, in bytes.
const ALIGNMENT: usize = 64;

impl<const W: usize> Batch<W> {
    pub(super) fn new(compiled: &Arc<Compiled>, unit: Unit, is_native: bool) -> Self {
        let mut batch = Self {
            compiled: Arc::clone(compiled),
            unit,
            native: is_native.then(|| unlimited(|poll| compiled.native(unit, W, poll))).flatten(),
            memory: Vec::new(),
            scratch_start: 0,
            first: 0,
            random: Random::new(),
            scratch: Choices::scratch([&compiled.choices, &compiled.apart]),
            is_apart: false,
            initial: vec![false; compiled.code.always as usize],
            ones: Vec::new(),
            stuck: vec![none(); compiled.choices.roles()],
        };
        batch.reserve();
        batch
    }

    /// A batch with memory of its own, for states of the same kind as those that this one expects.
    pub(super) fn fork(&self) -> Self {
        let mut batch = Self::new(&self.compiled, self.unit, self.native.is_some());
        batch.is_apart = self.is_apart;
        batch
    }

    /// Allocates memory for all slots.
    fn reserve(&mut self) {
        let Code { slots, always, .. } = self.compiled.code;
        let slots = slots.max(self.native.as_ref().map_or(0, |native| native.slots));
        let padding = ALIGNMENT / size_of::<u64>();
        let scratch_words =
            self.native.as_ref().map_or(0, |native| native.scratch().next_multiple_of(ALIGNMENT)) / size_of::<u64>();
        self.memory = vec![0; scratch_words + slots as usize * W + padding];
        self.scratch_start = (ALIGNMENT - self.memory.as_ptr() as usize % ALIGNMENT) % ALIGNMENT / size_of::<u64>();
        self.first = self.scratch_start + scratch_words;
        self.slots()[always as usize] = [u64::MAX; W];
    }

    /// The machine code, if it runs the next steps.
    fn native(&self) -> Option<&Native> {
        self.native.as_deref().filter(|_| !self.is_apart)
    }

    /// Whether [`Batch::made`] knows the moves only after [`Batch::advance`], and not before it.
    pub(super) fn knows_moves_late(&self) -> bool {
        self.native().is_some()
    }

    /// Keeps the moves that are made for [`Batch::made`] from now on. Must be called before any state is set.
    pub(super) fn keep_moves(&mut self) {
        if let (Some(_), Some(wiring)) = (&self.native, &self.compiled.wiring) {
            self.native = unlimited(|poll| Native::new(wiring, self.unit, W, true, poll)).map(Arc::new);
            self.reserve();
        }
    }

    /// The lanes in which a move is made.
    pub(super) fn made(&mut self, candidate: &Candidate) -> Word<W> {
        let kept = self.native().map(|native| native.moves[candidate.index as usize]);
        read(self.slots(), kept.unwrap_or(Source { slot: candidate.slot, is_negated: false }))
    }

    pub(super) fn compiled(&self) -> &Arc<Compiled> {
        &self.compiled
    }

    /// The vector instructions in use.
    pub(super) fn unit(&self) -> Unit {
        self.unit
    }

    /// The words of all signals.
    pub(super) fn slots(&mut self) -> &mut [Word<W>] {
        words(&mut self.memory, self.first)
    }

    /// The words of the states, bit by bit.
    #[inline(always)]
    pub(super) fn bits(&mut self) -> &mut [Word<W>] {
        let bits = self.initial.len();
        &mut self.slots()[..bits]
    }

    /// Prepares for games that begin in these states.
    pub(super) fn expect(&mut self, states: &[&State]) {
        self.is_apart = !states.iter().all(|state| self.compiled.exclusive.hold_from(state));
    }

    /// Sets the state in which lanes begin from now on.
    pub(super) fn set_initial(&mut self, state: &State) {
        for (bit, value) in self.initial.iter_mut().enumerate() {
            *value = state.bits().contains(bit);
        }
        self.ones = state.bits().ones().collect();
    }

    /// Puts these lanes of a column into the state in which lanes begin.
    pub(super) fn begin(&mut self, column: usize, lanes: u64) {
        let slots = words::<W>(&mut self.memory, self.first);
        for (slot, &value) in slots.iter_mut().zip(&self.initial) {
            slot[column] = if value { slot[column] | lanes } else { slot[column] & !lanes };
        }
    }

    /// Puts one lane into a state.
    pub(super) fn set(&mut self, column: usize, lane: u32, state: &State) {
        let bits = self.bits();
        bits.iter_mut().for_each(|bit| bit[column] &= !(1 << lane));
        state.bits().ones().for_each(|bit| bits[bit][column] |= 1 << lane);
    }

    /// The state of a lane.
    pub(super) fn get(&mut self, column: usize, lane: u32) -> State {
        let mut state = FixedBitSet::with_capacity(self.initial.len());
        for (bit, word) in self.bits().iter().enumerate() {
            state.set(bit, word[column] >> lane & 1 == 1);
        }
        State::new(state)
    }

    /// Runs a part of the machine code; `false` if there is none for the next steps.
    #[inline(always)]
    fn run_code(&mut self, part: impl FnOnce(&Native) -> &MachineCode) -> bool {
        let Some(native) = self.native.as_deref().filter(|_| !self.is_apart) else { return false };
        let (before, words) = self.memory.split_at_mut(self.first);
        part(native).run(words, &mut before[self.scratch_start..], W / VECTOR);
        true
    }

    /// Computes the legal moves of the states; returns the lanes whose state is terminal.
    #[inline(always)]
    pub(super) fn evaluate_state(&mut self) -> Word<W> {
        if !self.run_code(|native| &native.state) {
            let slots = words::<W>(&mut self.memory, self.first);
            self.unit.run(Evaluate { part: &self.compiled.code.state, slots });
        }
        let terminal = self.native().map_or(self.compiled.code.terminal, |native| native.terminal);
        read(self.slots(), terminal)
    }

    /// Computes the goals of the states, after [`Batch::evaluate_state`].
    #[inline(always)]
    pub(super) fn evaluate_goals(&mut self) {
        if !self.run_code(|native| &native.goal) {
            let slots = words::<W>(&mut self.memory, self.first);
            self.unit.run(Evaluate { part: &self.compiled.code.goal, slots });
        }
    }

    /// The lanes in which a goal value holds, after [`Batch::evaluate_goals`].
    #[inline(always)]
    pub(super) fn valued(&mut self, goal: &GoalValue) -> Word<W> {
        let source = self.native().map_or(goal.source, |native| native.goals[goal.index]);
        read(self.slots(), source)
    }

    /// Chooses a move for each role in the lanes of `live`.
    #[inline(always)]
    pub(super) fn choose(&mut self, live: &Word<W>) {
        let Some(native) = self.native.as_deref().filter(|_| !self.is_apart) else {
            let choices = if self.is_apart { &self.compiled.apart } else { &self.compiled.choices };
            let slots = words(&mut self.memory, self.first);
            let (random, scratch, stuck) = (&mut self.random, &mut self.scratch, &mut self.stuck);
            return self.unit.run(Choose { choices, slots, live, random, scratch, stuck });
        };
        let slots = words(&mut self.memory, self.first);
        self.unit.run(Draw { native, slots, live, random: &mut self.random, stuck: &mut self.stuck });
        if native.is_wide() && self.run_code(|native| &native.descend) {
            let Some(native) = self.native.as_deref() else { return };
            self.unit.run(ChooseWide { native, slots: words(&mut self.memory, self.first), live });
        }
    }

    /// Makes the chosen moves; lanes of `fresh` begin a new game.
    #[inline(always)]
    pub(super) fn advance(&mut self, fresh: &Word<W>) {
        if self.run_code(|native| &native.advance) {
            if any(fresh) {
                let slots = words(&mut self.memory, self.first);
                self.unit.run(Begin { slots, initial: &self.initial, ones: &self.ones, fresh });
            }
            return;
        }
        let slots = words(&mut self.memory, self.first);
        self.unit.run(Evaluate { part: &self.compiled.code.next, slots });
        self.unit.run(Advance { code: &self.compiled.code, slots, initial: &self.initial, fresh });
    }
}

/// The number of columns in a vector of machine code.
const VECTOR: usize = 4;

fn words<const W: usize>(memory: &mut [u64], first: usize) -> &mut [Word<W>] {
    memory[first..].as_chunks_mut().0
}

/// Evaluates all gates of a part.
struct Evaluate<'a, const W: usize> {
    part: &'a Part,
    slots: &'a mut [Word<W>],
}

impl<const W: usize> Kernel for Evaluate<'_, W> {
    #[inline(always)]
    fn run(self) {
        evaluate(self.part, self.slots);
    }
}

struct Choose<'a, const W: usize> {
    choices: &'a Choices,
    slots: &'a mut [Word<W>],
    live: &'a Word<W>,
    random: &'a mut Random<W>,
    scratch: &'a mut Scratch<W>,
    stuck: &'a mut [Word<W>],
}

impl<const W: usize> Kernel for Choose<'_, W> {
    #[inline(always)]
    fn run(self) {
        self.choices.choose(self.slots, self.live, self.random, self.scratch, self.stuck);
    }
}

struct Draw<'a, const W: usize> {
    native: &'a Native,
    slots: &'a mut [Word<W>],
    live: &'a Word<W>,
    random: &'a mut Random<W>,
    stuck: &'a mut [Word<W>],
}

impl<const W: usize> Kernel for Draw<'_, W> {
    #[inline(always)]
    fn run(self) {
        self.native.draw(self.slots, self.live, self.random, self.stuck);
    }
}

struct ChooseWide<'a, const W: usize> {
    native: &'a Native,
    slots: &'a mut [Word<W>],
    live: &'a Word<W>,
}

impl<const W: usize> Kernel for ChooseWide<'_, W> {
    #[inline(always)]
    fn run(self) {
        self.native.choose_wide(self.slots, self.live);
    }
}

/// Puts lanes into the state in which they begin.
struct Begin<'a, const W: usize> {
    slots: &'a mut [Word<W>],
    initial: &'a [bool],
    ones: &'a [usize],
    fresh: &'a Word<W>,
}

impl<const W: usize> Kernel for Begin<'_, W> {
    #[inline(always)]
    fn run(self) {
        let Self { slots, initial, ones, fresh } = self;
        for index in 0..initial.len() {
            let bit = opaque(index);
            slots[bit] = without(&slots[bit], fresh);
        }
        for &bit in ones {
            slots[bit] = or(&slots[bit], fresh);
        }
    }
}

struct Advance<'a, const W: usize> {
    code: &'a Code,
    slots: &'a mut [Word<W>],
    initial: &'a [bool],
    fresh: &'a Word<W>,
}

impl<const W: usize> Kernel for Advance<'_, W> {
    #[inline(always)]
    fn run(self) {
        for &Final { bit, source } in &self.code.finals {
            let next = read(self.slots, source);
            self.slots[bit as usize] = match self.initial[bit as usize] {
                true => or(&next, self.fresh),
                false => without(&next, self.fresh),
            };
        }
    }
}
