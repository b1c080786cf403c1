//! A batch of games at work: the words of all signals, and one step of all lanes.
//!
//! Memory is one array of words, aligned to cache lines. Where the machine has code for the game ([`super::native`]), that makes
//! the steps, and else the gates one by one ([`super::evaluate`]): with the same outcomes. A step: [`Batch::look`] computes what depends on the states alone,
//! then [`Batch::value`] the goals, where a game has ended, and [`Batch::play`] chooses moves and goes on, putting lanes that are to begin
//! anew into the initial state.

use super::choice::Choices;
use super::code::{Candidate, Code, Final, GoalValue, Part, Source};
use super::evaluate::{evaluate, read};
use super::exclusive::Exclusive;
use super::native::Native;
use super::random::Random;
use super::tree::Scratch;
use super::vector::{Kernel, MachineCode, Unit};
use super::wiring::Wiring;
use super::word::{Word, and, any, count, none, or, without};
use crate::propnet::reasoner::State;
use fixedbitset::FixedBitSet;
use std::sync::{Arc, OnceLock};

/// A compiled game: what all batches share.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) code: Code,
    pub(super) choices: Choices,
    /// What the choices rely on.
    pub(super) exclusive: Exclusive,
    /// Choices that rely on nothing, for states that are set and not reached.
    pub(super) apart: Choices,
    /// The step as a circuit, where machine code can be made of it.
    pub(super) wiring: Option<Wiring>,
    /// Its machine code, for batches of 4, 8 and 16 columns.
    pub(super) native: [OnceLock<Option<Arc<Native>>>; 3],
    /// Each move of the program, where it is ever possible.
    pub(super) moves: Vec<Option<Candidate>>,
}

impl Compiled {
    fn native(&self, unit: Unit, columns: usize) -> Option<Arc<Native>> {
        let index = [4, 8, 16].iter().position(|&known| known == columns)?;
        let make = || Native::new(self.wiring.as_ref()?, unit, columns, false).map(Arc::new);
        self.native[index].get_or_init(make).clone()
    }
}

/// The lanes of a batch.
#[derive(Debug)]
pub(super) struct Batch<const W: usize> {
    compiled: Arc<Compiled>,
    unit: Unit,
    native: Option<Arc<Native>>,
    memory: Vec<u64>,
    /// Where the memory begins that machine code uses again for each vector, ...
    aside: usize,
    /// ... and where the first word of the batch is.
    first: usize,
    pub(super) random: Random<W>,
    scratch: Scratch<W>,
    /// The state in which lanes begin, by bit.
    initial: Vec<bool>,
    /// Whether what the choices rely on is not so.
    is_apart: bool,
    /// For each role the lanes that have no move, after [`Batch::choose`].
    pub(super) stuck: Vec<Word<W>>,
}

/// Words are aligned to so many bytes.
const ALIGNMENT: usize = 64;

impl<const W: usize> Batch<W> {
    pub(super) fn new(compiled: &Arc<Compiled>, unit: Unit, is_native: bool) -> Self {
        let mut batch = Self {
            compiled: Arc::clone(compiled),
            unit,
            native: is_native.then(|| compiled.native(unit, W)).flatten(),
            memory: Vec::new(),
            aside: 0,
            first: 0,
            random: Random::new(),
            scratch: Choices::scratch([&compiled.choices, &compiled.apart]),
            is_apart: false,
            initial: vec![false; compiled.code.always as usize],
            stuck: vec![none(); compiled.choices.roles()],
        };
        batch.reserve();
        batch
    }

    /// Takes as much memory as there are slots.
    fn reserve(&mut self) {
        let Code { slots, always, .. } = self.compiled.code;
        let slots = slots.max(self.native.as_ref().map_or(0, |native| native.slots));
        let padding = ALIGNMENT / size_of::<u64>();
        let aside =
            self.native.as_ref().map_or(0, |native| native.aside().next_multiple_of(ALIGNMENT)) / size_of::<u64>();
        self.memory = vec![0; aside + slots as usize * W + padding];
        self.aside = (ALIGNMENT - self.memory.as_ptr() as usize % ALIGNMENT) % ALIGNMENT / size_of::<u64>();
        self.first = self.aside + aside;
        self.slots()[always as usize] = [u64::MAX; W];
    }

    /// The machine code, where that makes the next steps.
    fn native(&self) -> Option<&Arc<Native>> {
        self.native.as_ref().filter(|_| !self.is_apart)
    }

    /// Whether [`Batch::made`] knows the moves only behind [`Batch::advance`], and not before it.
    pub(super) fn knows_moves_late(&self) -> bool {
        self.native().is_some()
    }

    /// From now on the moves that are made are kept for [`Batch::made`]. To be called before any state is set.
    pub(super) fn keep_moves(&mut self) {
        if let (Some(_), Some(wiring)) = (&self.native, &self.compiled.wiring) {
            self.native = Native::new(wiring, self.unit, W, true).map(Arc::new);
            self.reserve();
        }
    }

    /// The lanes that make a move.
    pub(super) fn made(&mut self, candidate: &Candidate) -> Word<W> {
        let kept = self.native().map(|native| native.moves[candidate.index as usize]);
        read(self.slots(), kept.unwrap_or(Source { slot: candidate.slot, is_negated: false }))
    }

    pub(super) fn compiled(&self) -> &Arc<Compiled> {
        &self.compiled
    }

    /// The vector instructions that it uses.
    pub(super) fn unit(&self) -> Unit {
        self.unit
    }

    /// The words of all signals.
    pub(super) fn slots(&mut self) -> &mut [Word<W>] {
        words(&mut self.memory, self.first)
    }

    /// Gets ready for games that begin in these states.
    pub(super) fn expect(&mut self, states: &[&State]) {
        self.is_apart = !states.iter().all(|state| self.compiled.exclusive.hold_from(state));
    }

    /// The state in which lanes begin from now on.
    pub(super) fn set_initial(&mut self, state: &State) {
        for (bit, value) in self.initial.iter_mut().enumerate() {
            *value = state.bits().contains(bit);
        }
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
        let bits = self.initial.len();
        let slots = &mut self.slots()[..bits];
        slots.iter_mut().for_each(|slot| slot[column] &= !(1 << lane));
        state.bits().ones().for_each(|bit| slots[bit][column] |= 1 << lane);
    }

    /// The state of a lane.
    pub(super) fn get(&mut self, column: usize, lane: u32) -> State {
        let bits = self.initial.len();
        let mut state = FixedBitSet::with_capacity(bits);
        for (bit, slot) in self.slots()[..bits].iter().enumerate() {
            state.set(bit, slot[column] >> lane & 1 == 1);
        }
        State::new(state)
    }

    fn run_code(&mut self, code: &MachineCode) {
        let (before, words) = self.memory.split_at_mut(self.first);
        code.run(words, &mut before[self.aside..], W / VECTOR);
    }

    /// Computes the legal moves of the states, and gives the lanes that are over.
    pub(super) fn look(&mut self) -> Word<W> {
        let terminal = match self.native().cloned() {
            Some(native) => {
                self.run_code(&native.look);
                native.terminal
            }
            None => {
                let slots = words::<W>(&mut self.memory, self.first);
                self.unit.run(Evaluate { part: &self.compiled.code.state, slots });
                self.compiled.code.terminal
            }
        };
        read(self.slots(), terminal)
    }

    /// Computes the goals of the states, after [`Batch::look`], and adds up, by the place of the goal value in the program, how
    /// many lanes of `over` have it as the only value of its role.
    pub(super) fn value(&mut self, over: &Word<W>, counts: &mut [u64]) {
        let native = self.native().cloned();
        match &native {
            Some(native) => self.run_code(&native.goal),
            None => self.evaluate_goals(),
        }
        let slots = words(&mut self.memory, self.first);
        let goals = native.as_ref().map(|native| native.goals.as_slice());
        self.unit.run(Value { code: &self.compiled.code, goals, slots, over, counts });
    }

    /// Computes the goals of the states, after [`Batch::look`].
    pub(super) fn evaluate_goals(&mut self) {
        let slots = words::<W>(&mut self.memory, self.first);
        self.unit.run(Evaluate { part: &self.compiled.code.goal, slots });
    }

    /// The lanes of a column that have a goal value, after [`Batch::value`].
    pub(super) fn valued(&mut self, goal: &GoalValue, column: usize) -> u64 {
        let source = self.native().map_or(goal.source, |native| native.goals[goal.index]);
        read(self.slots(), source)[column]
    }

    /// Chooses a move for each role in the lanes of `live`.
    pub(super) fn choose(&mut self, live: &Word<W>) {
        let native = self.native().cloned();
        let slots = words(&mut self.memory, self.first);
        let (random, scratch, stuck) = (&mut self.random, &mut self.scratch, &mut self.stuck);
        if let Some(native) = &native {
            self.unit.run(Draw { native, slots, live, random, stuck });
            if native.is_wide() {
                self.run_code(&native.descend);
                let slots = words(&mut self.memory, self.first);
                self.unit.run(ChooseWide { native, slots, live });
            }
            return;
        }
        let choices = if self.is_apart { &self.compiled.apart } else { &self.compiled.choices };
        self.unit.run(Choose { choices, slots, live, random, scratch, stuck });
    }

    /// Makes the moves that were chosen; lanes of `fresh` begin anew.
    pub(super) fn advance(&mut self, fresh: &Word<W>) {
        if let Some(native) = self.native().cloned() {
            self.run_code(&native.advance);
            if any(fresh) {
                let slots = words(&mut self.memory, self.first);
                self.unit.run(Begin { slots, initial: &self.initial, fresh });
            }
            return;
        }
        let slots = words(&mut self.memory, self.first);
        self.unit.run(Evaluate { part: &self.compiled.code.next, slots });
        self.unit.run(Advance { code: &self.compiled.code, slots, initial: &self.initial, fresh });
    }

    /// Runs a kernel with the instructions of this batch.
    pub(super) fn run(&self, kernel: impl Kernel) {
        self.unit.run(kernel);
    }
}

/// The columns of a vector of machine code.
const VECTOR: usize = 4;

fn words<const W: usize>(memory: &mut [u64], first: usize) -> &mut [Word<W>] {
    memory[first..].as_chunks_mut().0
}

/// All gates of a part.
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

/// The lanes of each goal value.
struct Value<'a, const W: usize> {
    code: &'a Code,
    /// Where machine code has put the goal values, as in the program.
    goals: Option<&'a [Source]>,
    slots: &'a [Word<W>],
    over: &'a Word<W>,
    counts: &'a mut [u64],
}

impl<const W: usize> Kernel for Value<'_, W> {
    #[inline(always)]
    fn run(self) {
        let source = |goal: &GoalValue| self.goals.map_or(goal.source, |goals| goals[goal.index]);
        for goals in &self.code.goals {
            let (mut seen, mut twice) = (none(), none());
            for goal in goals {
                let valued = and(self.over, &read(self.slots, source(goal)));
                twice = or(&twice, &and(&seen, &valued));
                seen = or(&seen, &valued);
            }
            let once = without(self.over, &twice);
            for goal in goals {
                self.counts[goal.index] += count(&and(&once, &read(self.slots, source(goal))));
            }
        }
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
    fresh: &'a Word<W>,
}

impl<const W: usize> Kernel for Begin<'_, W> {
    #[inline(always)]
    fn run(self) {
        for (slot, &initial) in self.slots.iter_mut().zip(self.initial) {
            *slot = if initial { or(slot, self.fresh) } else { without(slot, self.fresh) };
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
