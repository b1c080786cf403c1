//! Many games at once: a word of a batch holds one proposition of hundreds of games, and a gate is one bitwise
//! instruction for all of them.
//!
//! There are two ways from a [`Program`] to a step of all games:
//!
//! - With machine code, `wiring` makes one `circuit` of the gates and of the choice of moves, `order` schedules its
//!   nodes, `allocate` assigns registers, `assembler` writes instructions, and `native` holds the step. If very many
//!   moves compete, the last part of the choice is made by `wide`, which records the move in the words of its
//!   `classes`.
//! - Without machine code, `plain` removes the negations from the program, `code` orders its gates and assigns slots to
//!   its signals, `evaluate` runs them, and `choice` counts and descends in a `tree`.
//!
//! Both draw a `rank` from the words of `random`, and play the same games. `batch` runs a step of either kind, `play`
//! plays games one after the other in each lane, and `rollouts` plays one game from each of many states; `ask` plays
//! nothing, and answers questions about many states. The games depend on the seed, and not on the number of lanes, the
//! vector instructions or the threads.

mod ages;
mod allocate;
mod ask;
mod assembler;
mod batch;
mod choice;
mod circuit;
mod classes;
mod code;
mod ended;
mod evaluate;
mod exclusive;
mod legality;
mod lines;
mod machine;
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
pub mod steps;
mod target;
mod tree;
mod vector;
mod wide;
mod wiring;
mod word;
mod work;

pub use ask::{Answers, NextStates, Worth};
pub use lines::Line;
pub use machine::{Extent, Function};
pub use outcomes::{Outcomes, RoleOutcomes, Stuck};
pub use rollouts::Rollouts;
pub use target::Target;
pub use work::Request;

use crate::game::Utility;
use crate::limits::{Limits, Stopped};
use crate::program::Program;
use crate::program::State;
use ask::Questions;
use batch::{Batch, Compiled};
use choice::Choices;
use code::Code;
use exclusive::Exclusive;
use rollouts::RandomGames;
use rows::Rows;
use std::sync::Arc;
use std::time::Duration;
use vector::Unit;
use wiring::Wiring;
use work::Work;

/// A game compiled for many lanes, with the memory of one batch. For another thread, take a [`Lanes::fork`].
#[derive(Debug)]
pub struct Lanes {
    compiled: Arc<Compiled>,
    /// The utility of each goal value of the program, if it is one.
    values: Arc<[Option<Utility>]>,
    unit: Unit,
    width: Width,
    is_native: bool,
    batch: Box<dyn AnyBatch>,
    questions: Questions,
}

/// The number of games in a batch.
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
    /// All widths, in ascending order.
    pub const ALL: [Self; 5] = [Self::W64, Self::W128, Self::W256, Self::W512, Self::W1024];

    /// The widths of which the fastest is chosen by measurement.
    const TRIED: [Self; 3] = [Self::W1024, Self::W512, Self::W256];

    /// The widths that are measured if the circuit is larger than the caches.
    const TRIED_IF_LARGE: [Self; 2] = [Self::W512, Self::W256];

    /// The number of games in a batch.
    pub fn lanes(self) -> usize {
        match self {
            Self::W64 => 64,
            Self::W128 => 128,
            Self::W256 => 256,
            Self::W512 => 512,
            Self::W1024 => 1024,
        }
    }

    /// The words of 64 games that one proposition takes.
    fn columns(self) -> usize {
        self.lanes() / 64
    }

    /// Splits `count` items into ranges of at most this many, each as its start and length.
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

/// A batch of any width.
trait AnyBatch: std::fmt::Debug + Send + Sync {
    fn play(&mut self, initial: &State, work: &Work<'_>, values: &[Option<Utility>]) -> Outcomes;
    fn speed(&mut self, initial: &State, work: &Work<'_>, goals: usize) -> f64;
    fn expect(&mut self, states: &[&State]);
    fn lines(&mut self, from: &State, games: RandomGames, values: &[Option<Utility>]) -> Vec<Line>;
    fn evaluate(&mut self, states: &Rows, range: (usize, usize), worth: Worth, answers: &mut Answers);
    fn next(&mut self, states: &Rows, range: (usize, usize), joint_moves: &[u32], next: &mut Rows);
    fn roll_out(
        &mut self,
        states: &[&State],
        games: RandomGames,
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

    fn lines(&mut self, from: &State, games: RandomGames, values: &[Option<Utility>]) -> Vec<Line> {
        lines::lines(self, from, games, values)
    }

    fn evaluate(&mut self, states: &Rows, range: (usize, usize), worth: Worth, answers: &mut Answers) {
        ask::evaluate(self, states, range, worth, answers);
    }

    fn next(&mut self, states: &Rows, range: (usize, usize), joint_moves: &[u32], next: &mut Rows) {
        ask::next(self, states, range, joint_moves, next);
    }

    fn roll_out(
        &mut self,
        states: &[&State],
        games: RandomGames,
        values: &[Option<Utility>],
        rollouts: (usize, &mut Rollouts),
    ) {
        rollouts::roll_out(self, states, games, values, rollouts);
    }
}

/// Each width is measured for this long, ...
const TRIED_FOR: Duration = Duration::from_millis(3);
/// ... and this many times, alternating, since other processes may use the processor.
const TRIED_TIMES: usize = 2;
/// A circuit of at least this many nodes is large: the machine code of smaller ones fits the cache, and is the fastest
/// form.
const LARGE: usize = 20_000;

impl Lanes {
    /// Compiles a program for lanes; without a width, the one measured to be the fastest is used.
    pub fn new(program: &Program, width: Option<Width>) -> Self {
        Self::within(program, width, &Limits::none()).expect("nothing stops it")
    }

    /// As [`Lanes::new`], within limits.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the work.
    pub(crate) fn within(program: &Program, width: Option<Width>, limits: &Limits) -> Result<Self, Stopped> {
        let poll = &limits.poll();
        limits.check()?;
        let program = &Exclusive::with_implied_guards(program, poll)?;
        limits.check()?;
        let mut code = Code::new(program);
        let (candidates, exclusive) = (std::mem::take(&mut code.candidates), Exclusive::guards(program, poll)?);
        let mut moves = vec![None; program.moves.len()];
        candidates.iter().flatten().for_each(|candidate| moves[candidate.index as usize] = Some(*candidate));
        let choices = Choices::new(candidates.clone(), &exclusive);
        let apart = Choices::new(candidates, &Exclusive::default());
        let unit = Unit::detect();
        limits.check()?;
        let wiring = if unit.can_load() { Wiring::new(program, &choices, poll)? } else { None };
        let native = Default::default();
        let compiled = Arc::new(Compiled { code, choices, exclusive, apart, wiring, native, moves });
        let values = (0..program.goals.len()).map(|goal| program.utility(goal)).collect();
        let chosen = width.unwrap_or(Width::W1024);
        if width.is_some() {
            compiled.native(unit, chosen.columns(), poll)?;
        }
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
            lanes.take_fastest(program, limits)?;
        }
        Ok(lanes)
    }

    /// Makes lanes of the same game with memory of their own; the compiled code is shared.
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

    /// The same lanes with gates evaluated one by one instead of by machine code, as on processors for which there is
    /// none. The outcomes are the same.
    pub fn without_machine_code(mut self) -> Self {
        self.is_native = false;
        self.batch = self.width.batch(&self.compiled, self.unit, false);
        self
    }

    /// The number of games that are played at once.
    pub fn width(&self) -> Width {
        self.width
    }

    fn take_fastest(&mut self, program: &Program, limits: &Limits) -> Result<(), Stopped> {
        let initial = State::new(program.initial.clone());
        let size = self.compiled.wiring.as_ref().map(|wiring| wiring.circuit.len());
        let forms: &[(&[Width], bool)] = match size {
            Some(0..LARGE) => &[(&Width::TRIED, true)],
            Some(_) => &[(&Width::TRIED_IF_LARGE, true), (&Width::TRIED, false)],
            None => &[(&Width::TRIED, false)],
        };
        let forms = forms.iter().flat_map(|&(widths, is_native)| widths.iter().map(move |&width| (width, is_native)));
        let batch = |(width, is_native): (Width, bool)| {
            limits.check()?;
            if is_native {
                self.compiled.native(self.unit, width.columns(), &limits.poll())?;
            }
            Ok(width.batch(&self.compiled, self.unit, is_native))
        };
        let tried = forms.map(|form| batch(form).map(|batch| (0.0_f64, form, batch)));
        let mut tried = tried.collect::<Result<Vec<_>, Stopped>>()?;
        for _ in 0..TRIED_TIMES {
            for (best, _, batch) in &mut tried {
                limits.check()?;
                let speed = batch.speed(&initial, &Work::new(&Request::playouts(u64::MAX)), self.values.len());
                *best = speed.max(*best);
            }
        }
        if let Some((_, form, batch)) = tried.into_iter().max_by(|one, other| one.0.total_cmp(&other.0)) {
            ((self.width, self.is_native), self.batch) = (form, batch);
        }
        Ok(())
    }

    /// Plays random games from a state: each role takes each of its legal moves with the same probability.
    ///
    /// The same request for a number of games has the same outcomes, on every machine, whatever the width of the
    /// batches and the number of threads. All games of a request count, however long they take; if the request is
    /// interrupted, only those that have ended.
    pub fn playouts(&mut self, from: &State, request: &Request) -> Outcomes {
        let work = Work::new(request);
        let pool = (request.threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(request.threads).build());
        // If the system provides no threads, this one plays everything.
        let Some(Ok(pool)) = pool else { return self.batch.play(from, &work, &self.values) };
        let Self { compiled, values, unit, width, is_native, .. } = self;
        let parts = pool.broadcast(|_| width.batch(compiled, *unit, *is_native).play(from, &work, values));
        let mut outcomes = Outcomes::new(compiled.choices.roles());
        parts.into_iter().for_each(|part| outcomes.add(part));
        outcomes
    }

    /// Plays one random game from each of these states, as many at once as there are lanes. A game longer than
    /// `longest` plies is abandoned.
    ///
    /// The games depend on the seed and on the indices of the states, not on the width.
    pub fn rollouts<'a>(&mut self, from: impl IntoIterator<Item = &'a State>, seed: u64, longest: u32) -> Rollouts {
        let from: Vec<&State> = from.into_iter().collect();
        let mut rollouts = Rollouts::new(self.compiled.choices.roles(), from.len());
        self.batch.expect(&from);
        for (index, states) in from.chunks(self.width.lanes()).enumerate() {
            let first = index * self.width.lanes();
            self.batch.roll_out(states, RandomGames { seed, longest }, &self.values, (first, &mut rollouts));
        }
        rollouts
    }

    /// Plays one random game from a state in each lane and records it, for at most `longest` plies; a game in which
    /// some role has no move stops there. The game of a lane depends on the seed, not on the width.
    pub fn lines(&mut self, from: &State, seed: u64, longest: u32) -> Vec<Line> {
        self.batch.lines(from, RandomGames { seed, longest }, &self.values)
    }

    /// Evaluates these states, as many at once as there are lanes, and replaces the content of `answers`.
    pub fn evaluate<'a>(&mut self, states: impl IntoIterator<Item = &'a State>, worth: Worth, answers: &mut Answers) {
        let Self { compiled, questions: Questions { states: rows, batch, .. }, unit, width, .. } = self;
        let batch = batch.get_or_insert_with(|| width.batch(compiled, *unit, false));
        rows.take(compiled.code.always as usize, states);
        let goals = compiled.code.goals.iter().map(Vec::len).sum();
        answers.reset(rows.len(), (compiled.moves.len(), goals));
        for range in width.ranges(rows.len()) {
            batch.evaluate(rows, range, worth, answers);
        }
    }

    /// The successors of these states, each under a joint move of its own. `joint_moves` holds one move per role as
    /// indices into [`crate::program::Program::moves`], joint move after joint move. Moves are not checked to be legal;
    /// a move that is never legal has the effect of no move.
    ///
    /// # Panics
    /// If there are fewer joint moves than states.
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
