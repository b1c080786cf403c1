//! Many games at once: a word of a batch holds one proposition of hundreds of games, and a gate is one bitwise instruction for
//! all of them.
//!
//! Two ways lead from a [`Program`] to a step of all games. With machine code: `wiring` makes one `circuit` of the gates and of the choice
//! of moves, `order` puts its nodes in order, `allocate` gives them registers, `assembler` writes instructions, and `native` has the step; where very
//! many moves compete, the last part of the choice is `wide`, and notes the move in the words of its `classes`. Without: `plain` takes the signs
//! out of the program, `code` puts its gates in order and its signals in slots, `evaluate` runs that, and `choice` counts and descends in a `tree`.
//! Both draw a `rank` from the words of `random`, and play the same games. `batch` makes a step of either, `play` plays games one after the other
//! in each lane, and `rollouts` one game from each of many states; `ask` plays nothing, and answers about many states. What is played depends on the seed, and not on the number of
//! lanes, the vector instructions or the threads.

mod allocate;
mod ask;
mod assembler;
mod batch;
mod choice;
mod circuit;
mod classes;
mod code;
mod evaluate;
mod exclusive;
mod legality;
mod lines;
mod native;
mod order;
mod outcomes;
mod plain;
mod play;
mod random;
mod rank;
mod rollouts;
mod rows;
mod signals;
mod tree;
mod vector;
mod wide;
mod wiring;
mod word;
mod work;

pub use ask::{Answers, NextStates, Worth};
pub use lines::Line;
pub use outcomes::{Outcomes, RoleOutcomes, Stuck};
pub use rollouts::Rollouts;
pub use work::Request;

use crate::game::Utility;
use crate::propnet::program::Program;
use crate::propnet::reasoner::State;
use crate::rules::GroundTerm;
use ask::Questions;
use batch::{Batch, Compiled};
use choice::Choices;
use code::Code;
use exclusive::Exclusive;
use rows::Rows;
use std::sync::Arc;
use std::time::Duration;
use vector::Unit;
use wiring::Wiring;
use work::Work;

/// A game compiled for many lanes, with the memory of one batch of them. For another thread take a [`Lanes::fork`].
#[derive(Debug)]
pub struct Lanes {
    compiled: Arc<Compiled>,
    /// The number that each goal value of the program is.
    values: Arc<[Option<Utility>]>,
    unit: Unit,
    width: Width,
    is_native: bool,
    batch: Box<dyn AnyBatch>,
    questions: Questions,
}

/// How many games a batch has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 64 games.
    W64,
    /// 128 games.
    W128,
    /// 256 games.
    W256,
    /// 512 games.
    W512,
    /// 1024 games.
    W1024,
}

impl Width {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::W64, Self::W128, Self::W256, Self::W512, Self::W1024];

    /// Those among which the fastest is looked for.
    const TRIED: [Self; 3] = [Self::W1024, Self::W512, Self::W256];

    /// Those that are tried with a circuit that is larger than the caches.
    const TRIED_IF_LARGE: [Self; 2] = [Self::W512, Self::W256];

    /// The number of games.
    pub fn lanes(self) -> usize {
        match self {
            Self::W64 => 64,
            Self::W128 => 128,
            Self::W256 => 256,
            Self::W512 => 512,
            Self::W1024 => 1024,
        }
    }

    /// Ranges of so many of these, by their beginning and length.
    fn ranges(self, count: usize) -> impl Iterator<Item = (usize, usize)> {
        (0..count).step_by(self.lanes()).map(move |first| (first, self.lanes().min(count - first)))
    }

    fn batch(self, compiled: &Arc<Compiled>, unit: Unit, is_native: bool) -> Box<dyn AnyBatch> {
        match self {
            Self::W64 => Box::new(Batch::<1>::new(compiled, unit, is_native)),
            Self::W128 => Box::new(Batch::<2>::new(compiled, unit, is_native)),
            Self::W256 => Box::new(Batch::<4>::new(compiled, unit, is_native)),
            Self::W512 => Box::new(Batch::<8>::new(compiled, unit, is_native)),
            Self::W1024 => Box::new(Batch::<16>::new(compiled, unit, is_native)),
        }
    }
}

/// A batch of whatever width.
trait AnyBatch: std::fmt::Debug + Send + Sync {
    fn play(&mut self, initial: &State, work: &Work<'_>, values: &[Option<Utility>]) -> Outcomes;
    fn speed(&mut self, initial: &State, work: &Work<'_>, goals: usize) -> f64;
    fn expect(&mut self, states: &[&State]);
    fn lines(&mut self, from: &State, limits: (u64, u32), values: &[Option<Utility>]) -> Vec<Line>;
    fn look(&mut self, states: &Rows, range: (usize, usize), worth: Worth, answers: &mut Answers);
    fn next(&mut self, states: &Rows, range: (usize, usize), joint_moves: &[u32], next: &mut Rows);
    fn roll_out(
        &mut self,
        states: &[&State],
        limits: (u64, u32),
        values: &[Option<Utility>],
        rollouts: (usize, &mut Rollouts),
    );
}

impl<const W: usize> AnyBatch for Batch<W> {
    fn play(&mut self, initial: &State, work: &Work<'_>, values: &[Option<Utility>]) -> Outcomes {
        self.expect(&[initial]);
        self.set_initial(initial);
        play::play(self, work, values)
    }

    fn speed(&mut self, initial: &State, work: &Work<'_>, goals: usize) -> f64 {
        self.set_initial(initial);
        play::speed(self, work, goals, TRIED_FOR)
    }

    fn expect(&mut self, states: &[&State]) {
        Self::expect(self, states);
    }

    fn lines(&mut self, from: &State, limits: (u64, u32), values: &[Option<Utility>]) -> Vec<Line> {
        lines::lines(self, from, limits, values)
    }

    fn look(&mut self, states: &Rows, range: (usize, usize), worth: Worth, answers: &mut Answers) {
        ask::look(self, states, range, worth, answers);
    }

    fn next(&mut self, states: &Rows, range: (usize, usize), joint_moves: &[u32], next: &mut Rows) {
        ask::next(self, states, range, joint_moves, next);
    }

    fn roll_out(
        &mut self,
        states: &[&State],
        limits: (u64, u32),
        values: &[Option<Utility>],
        rollouts: (usize, &mut Rollouts),
    ) {
        rollouts::roll_out(self, states, limits, values, rollouts);
    }
}

/// Each width is tried for so long, ...
const TRIED_FOR: Duration = Duration::from_millis(3);
/// ... and so often, in turns, since somebody else may have had the processor meanwhile.
const TRIED_TIMES: usize = 2;
/// A circuit of more nodes than this is large: the machine code of fewer fits the cache, and is faster than anything else.
const LARGE: usize = 20_000;

impl Lanes {
    /// Lanes of a program; without a width, of that which is measured to be the fastest.
    pub fn new(program: &Program, width: Option<Width>) -> Self {
        let program = &Exclusive::with_implied_guards(program);
        let mut code = Code::new(program);
        let (candidates, exclusive) = (std::mem::take(&mut code.candidates), Exclusive::guards(program));
        let mut moves = vec![None; program.moves.len()];
        candidates.iter().flatten().for_each(|candidate| moves[candidate.index as usize] = Some(*candidate));
        let choices = Choices::new(candidates.clone(), &exclusive);
        let apart = Choices::new(candidates, &Exclusive::default());
        let unit = Unit::detect();
        let wiring = unit.can_load().then(|| Wiring::new(program, &choices)).flatten();
        let native = Default::default();
        let compiled = Arc::new(Compiled { code, choices, exclusive, apart, wiring, native, moves });
        let value =
            |term: &GroundTerm| term.arguments.is_empty().then(|| term.name.parse().ok()).flatten().map(Utility);
        let values = program.goals.iter().map(|goal| value(&goal.value)).collect();
        let chosen = width.unwrap_or(Width::W1024);
        let batch = chosen.batch(&compiled, unit, width.is_some());
        let mut lanes = Self {
            batch,
            is_native: width.is_some(),
            compiled,
            values,
            unit,
            width: chosen,
            questions: Questions::default(),
        };
        if width.is_none() {
            lanes.take_fastest(program);
        }
        lanes
    }

    /// Another one of the same game.
    pub fn fork(&self) -> Self {
        Self {
            compiled: Arc::clone(&self.compiled),
            values: Arc::clone(&self.values),
            unit: self.unit,
            width: self.width,
            is_native: self.is_native,
            batch: self.width.batch(&self.compiled, self.unit, self.is_native),
            questions: Questions::default(),
        }
    }

    /// The same lanes with the gates one by one instead of machine code, as on machines for which there is none. The outcomes are the
    /// same.
    pub fn without_machine_code(mut self) -> Self {
        self.is_native = false;
        self.batch = self.width.batch(&self.compiled, self.unit, false);
        self
    }

    /// How many games are played at once.
    pub fn width(&self) -> Width {
        self.width
    }

    fn take_fastest(&mut self, program: &Program) {
        let initial = State::new(program.initial.clone());
        let size = self.compiled.wiring.as_ref().map(|wiring| wiring.circuit.len());
        let forms: &[(&[Width], bool)] = match size {
            Some(0..LARGE) => &[(&Width::TRIED, true)],
            Some(_) => &[(&Width::TRIED_IF_LARGE, true), (&Width::TRIED, false)],
            None => &[(&Width::TRIED, false)],
        };
        let forms = forms.iter().flat_map(|&(widths, is_native)| widths.iter().map(move |&width| (width, is_native)));
        let batch = |(width, is_native): (Width, bool)| width.batch(&self.compiled, self.unit, is_native);
        let mut tried: Vec<_> = forms.map(|form| (0.0, form, batch(form))).collect();
        for _ in 0..TRIED_TIMES {
            for (best, _, batch) in &mut tried {
                let speed = batch.speed(&initial, &Work::new(&Request::playouts(u64::MAX)), self.values.len());
                *best = speed.max(*best);
            }
        }
        if let Some((_, form, batch)) = tried.into_iter().max_by(|one, other| one.0.total_cmp(&other.0)) {
            ((self.width, self.is_native), self.batch) = (form, batch);
        }
    }

    /// Plays random games from a state: each role takes each of its legal moves with the same probability.
    ///
    /// The same request for a number of games gives the same outcomes, on every machine and however wide the batches are and however many threads play. All
    /// games of a request count, however long they take; but where it is interrupted, those that have ended by then.
    pub fn playouts(&mut self, from: &State, request: &Request) -> Outcomes {
        let work = Work::new(request);
        let pool = (request.threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(request.threads).build());
        // Where the system gives no threads, this one plays everything.
        let Some(Ok(pool)) = pool else { return self.batch.play(from, &work, &self.values) };
        let Self { compiled, values, unit, width, is_native, .. } = self;
        let parts = pool.broadcast(|_| width.batch(compiled, *unit, *is_native).play(from, &work, values));
        let mut outcomes = Outcomes::new(compiled.choices.roles());
        parts.into_iter().for_each(|part| outcomes.add(part));
        outcomes
    }

    /// Plays one random game from each of these states, so many at once as there are lanes. A game that is longer than `longest`
    /// plies is broken off.
    ///
    /// What is played depends on the seed and on the places of the states, not on the width.
    pub fn rollouts<'a>(&mut self, from: impl IntoIterator<Item = &'a State>, seed: u64, longest: u32) -> Rollouts {
        let from: Vec<&State> = from.into_iter().collect();
        let mut rollouts = Rollouts::new(self.compiled.choices.roles(), from.len());
        self.batch.expect(&from);
        for (index, states) in from.chunks(self.width.lanes()).enumerate() {
            let first = index * self.width.lanes();
            self.batch.roll_out(states, (seed, longest), &self.values, (first, &mut rollouts));
        }
        rollouts
    }

    /// Plays one random game from a state in each lane and writes it down, `longest` plies or fewer; a game in which some role has no
    /// move stops there. What is played in a lane depends on the seed, and not on the width.
    pub fn lines(&mut self, from: &State, seed: u64, longest: u32) -> Vec<Line> {
        self.batch.lines(from, (seed, longest), &self.values)
    }

    /// Writes what holds in these states to `answers`, instead of what it held. So many are looked at at once as there are lanes.
    pub fn look<'a>(&mut self, states: impl IntoIterator<Item = &'a State>, worth: Worth, answers: &mut Answers) {
        let Self { compiled, questions: Questions { states: rows, batch, .. }, unit, width, .. } = self;
        let batch = batch.get_or_insert_with(|| width.batch(compiled, *unit, false));
        rows.take(compiled.code.always as usize, states);
        let goals = compiled.code.goals.iter().map(Vec::len).sum();
        answers.reset(rows.len(), (compiled.moves.len(), goals));
        for range in width.ranges(rows.len()) {
            batch.look(rows, range, worth, answers);
        }
    }

    /// The states that follow from these, each by a joint move of its own: one move for each role, as places in
    /// [`crate::propnet::Program::moves`], one joint move behind the other. Moves are not checked to be legal; one that never is leads
    /// where no move would.
    ///
    /// # Panics
    /// Where there are fewer joint moves than states.
    pub fn next_states<'a>(
        &mut self,
        states: impl IntoIterator<Item = &'a State>,
        joint_moves: &[u32],
    ) -> NextStates<'_> {
        let Self { compiled, questions: Questions { states: rows, next, batch }, unit, width, .. } = self;
        let batch = batch.get_or_insert_with(|| width.batch(compiled, *unit, false));
        let bits = compiled.code.always as usize;
        rows.take(bits, states);
        next.reset(bits, rows.len());
        assert!(joint_moves.len() >= rows.len() * compiled.choices.roles(), "a joint move for each state");
        for range in width.ranges(rows.len()) {
            batch.next(rows, range, joint_moves, next);
        }
        NextStates(next)
    }
}
