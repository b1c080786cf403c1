//! Many games at once: a word of a batch holds one proposition of hundreds of games, and a gate is one bitwise
//! instruction for all of them.
//!
//! The way from a [`Program`] to a ply of all games: `wiring` makes one `circuit` of the gates and of the choice of
//! moves (`choice`, `legality`, `signals`), `stages` divides it into parts, `order` schedules their nodes, `allocate`
//! assigns registers, and the result are linear `steps`. A `target` runs them: `machine` code, or the loop in
//! `portable`. If very many moves compete, the last part of the choice is made by `wide`, which records the move in the
//! words of its `classes`. All targets play the same games.
//!
//! `ply` holds what one ply of random play needs, `still` what lanes need that make no move in it, `compiled` what is
//! known of a game, and `batch` the words of its lanes. In large games `usual` finds bits of the state that are hardly
//! ever set, for a smaller circuit without them, and `unions` what many moves have in common. Moves are drawn by `rank` from the words of `random`. `play`
//! plays games one after the other in each lane, `rollouts` one game from each of many states, and `lines` records
//! games. `ask` plays nothing, and answers questions about many states with the parts of `inquiry`; `keyed` does so for
//! states that are given as keys, and `stepped` makes the moves that it is given, and keeps the states in lanes. The
//! games depend on the seed, and not on the number of lanes, the target or the threads.

mod ages;
mod allocate;
mod arithmetic;
mod ask;
mod batch;
mod choice;
mod circuit;
mod classes;
mod compiled;
mod computed;
mod cuts;
mod ended;
mod exclusive;
mod forced;
mod form;
mod inquiry;
mod keyed;
mod legality;
mod lines;
mod machine;
mod memory;
mod order;
mod outcomes;
mod pace;
mod part;
mod play;
mod ply;
mod portable;
mod random;
mod rank;
mod rollouts;
mod rows;
mod signals;
mod source;
mod stages;
mod stepped;
pub mod steps;
mod still;
mod target;
mod translation;
mod unions;
mod usual;
mod valued;
mod vector;
mod wide;
mod wiring;
mod word;
mod work;

pub use ask::{Answers, NextStates, Questions, Worth};
pub use forced::TargetError;
pub(crate) use keyed::KeyQuestions;
pub use lines::Line;
pub use machine::{Extent, Function};
pub use outcomes::{Outcomes, RoleOutcomes, Stuck};
pub use rollouts::Rollouts;
pub use stepped::{AfterEnd, LegalLists, StepError, SteppedGames};
pub use target::Target;
pub use translation::{TranslatedPart, Translation};
pub use work::Request;

use crate::game::Utility;
use crate::limits::{Limits, Stopped};
use crate::program::{Program, State};
use batch::Batch;
use compiled::Compiled;
use fixedbitset::FixedBitSet;
use form::Form;
use rollouts::RandomGames;
use std::sync::Arc;
use std::time::Duration;
use vector::Unit;
use work::Work;

/// A game compiled for many lanes, with the memory of one batch. For another thread, take a [`Lanes::fork`].
#[derive(Debug)]
pub struct Lanes {
    compiled: Arc<Compiled>,
    /// The utility of each goal value of the program, if it is one.
    values: Arc<[Option<Utility>]>,
    width: Width,
    form: Form,
    batch: Box<dyn AnyBatch>,
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

    /// A batch of this width; `form` is for as many columns.
    fn batch(self, compiled: &Arc<Compiled>, form: Form) -> Box<dyn AnyBatch> {
        match self {
            Self::W64 => Box::new(Batch::<1>::new(compiled, form)),
            Self::W128 => Box::new(Batch::<2>::new(compiled, form)),
            Self::W256 => Box::new(Batch::<4>::new(compiled, form)),
            Self::W512 => Box::new(Batch::<8>::new(compiled, form)),
            Self::W1024 => Box::new(Batch::<16>::new(compiled, form)),
        }
    }

    /// The form of plies that runs on a target, or on a narrower one if batches of this width are too narrow for it.
    fn form(self, target: Target) -> Form {
        let (columns, unit) = (self.columns(), Unit::of(target));
        Form {
            target: target.for_columns(columns),
            unit,
            columns,
            keeps_moves: false,
            is_apart: false,
            is_usual: false,
        }
    }
}

/// A batch of any width.
trait AnyBatch: std::fmt::Debug + Send + Sync {
    fn play(&mut self, initial: &State, work: &Work<'_>, values: &[Option<Utility>]) -> Outcomes;
    fn speed(&mut self, initial: &State, work: &Work<'_>, goals: usize) -> f64;
    fn rare(&mut self, initial: &State, goals: usize, limits: &Limits) -> Result<Option<FixedBitSet>, Stopped>;
    fn expect(&mut self, states: &[&State]);
    fn lines(&mut self, from: &State, games: RandomGames, values: &[Option<Utility>]) -> Vec<Line>;
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

    fn rare(&mut self, initial: &State, goals: usize, limits: &Limits) -> Result<Option<FixedBitSet>, Stopped> {
        self.set_initial(initial);
        usual::rare(self, goals, limits)
    }

    fn expect(&mut self, states: &[&State]) {
        Self::expect(self, states);
    }

    fn lines(&mut self, from: &State, games: RandomGames, values: &[Option<Utility>]) -> Vec<Line> {
        lines::lines(self, from, games, values)
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
const TRIED_FOR: Duration = Duration::from_millis(1);
/// ... and this many times, alternating, of which the fastest counts: other processes use the processor for longer, so
/// that some times are not disturbed.
const TRIED_TIMES: usize = 6;
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
        Self::made(program, width, Target::forced(), limits)
    }

    /// As [`Lanes::new`], on a certain target. A batch narrower than a vector of the target runs on the next narrower
    /// target.
    ///
    /// # Errors
    /// If this processor cannot run the target.
    pub fn on(program: &Program, width: Option<Width>, target: Target) -> Result<Self, TargetError> {
        target.check()?;
        Ok(Self::made(program, width, Some(target), &Limits::none()).expect("nothing stops it"))
    }

    fn made(program: &Program, width: Option<Width>, target: Option<Target>, limits: &Limits) -> Result<Self, Stopped> {
        let compiled = Arc::new(Compiled::new(program, limits)?);
        let values = (0..program.goals.len()).map(|goal| program.utility(goal)).collect();
        let forms = match width {
            Some(width) => vec![(width, width.form(target.unwrap_or_else(Target::fastest)))],
            None => tried(target, compiled.wiring.circuit.len()),
        };
        let (mut width, mut form) = fastest(&compiled, &forms, program, limits)?;
        if compiled.wiring.circuit.len() >= LARGE && Self::assume_usual(&compiled, (width, form), program, limits)? {
            // The circuit for usual states is small, so machine code, which comes first, is its fastest form.
            let (_, Form { target, .. }) = forms[0];
            let machine: Vec<_> = forms.into_iter().filter(|(_, form)| form.target == target).collect();
            (width, form) = fastest(&compiled, &machine, program, limits)?;
        }
        let batch = width.batch(&compiled, form);
        Ok(Self { batch, compiled, values, width, form })
    }

    /// Makes a circuit for usual states, if it is much smaller and nearly all states of random play are usual; returns
    /// whether there is one.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the work.
    fn assume_usual(
        compiled: &Arc<Compiled>,
        (width, form): (Width, Form),
        program: &Program,
        limits: &Limits,
    ) -> Result<bool, Stopped> {
        let (initial, mut batch) = (State::new(program.initial.clone()), width.batch(compiled, form));
        let rare = batch.rare(&initial, program.goals.len(), limits)?;
        rare.map_or(Ok(false), |rare| compiled.assume_usual(rare, &limits.poll()))
    }

    /// Whether random play has a smaller circuit for the states that usually occur.
    pub fn has_usual_states(&self) -> bool {
        self.compiled.rare().is_some()
    }

    /// Makes lanes of the same game with memory of their own; the compiled code is shared.
    pub fn fork(&self) -> Self {
        Self {
            compiled: Arc::clone(&self.compiled),
            values: Arc::clone(&self.values),
            width: self.width,
            form: self.form,
            batch: self.width.batch(&self.compiled, self.form),
        }
    }

    /// The same lanes on the portable loop, as on processors for which there is no machine code. The outcomes are the
    /// same.
    pub fn without_machine_code(mut self) -> Self {
        self.form.target = Target::Portable;
        self.batch = self.width.batch(&self.compiled, self.form);
        self
    }

    /// The number of games that are played at once.
    pub fn width(&self) -> Width {
        self.width
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
        let Self { compiled, values, width, form, .. } = self;
        let parts = pool.broadcast(|_| width.batch(compiled, *form).play(from, &work, values));
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
}

/// The widths and forms of which the fastest is taken, for a circuit of `nodes` nodes.
fn tried(target: Option<Target>, nodes: usize) -> Vec<(Width, Form)> {
    let forms = |widths: &[Width], target: Target| widths.iter().map(|&width| (width, width.form(target))).collect();
    let fastest = Target::fastest();
    match (target, nodes) {
        (Some(target), _) => {
            let mut forms: Vec<_> = forms(&Width::TRIED, target);
            // The widest has room for every vector.
            forms.retain(|(_, form)| form.target == target);
            forms
        }
        (None, 0..LARGE) => forms(&Width::TRIED, fastest),
        (None, _) => {
            let unit = Unit::of(fastest);
            let portable: Vec<_> = forms(&Width::TRIED, Target::Portable);
            let portable = portable.into_iter().map(|(width, form)| (width, Form { unit, ..form }));
            let machine: Vec<_> = forms(&Width::TRIED_IF_LARGE, fastest);
            machine.into_iter().chain(portable).collect()
        }
    }
}

/// The width and the form that are measured to be the fastest.
fn fastest(
    compiled: &Arc<Compiled>,
    forms: &[(Width, Form)],
    program: &Program,
    limits: &Limits,
) -> Result<(Width, Form), Stopped> {
    let initial = State::new(program.initial.clone());
    if let [only] = forms {
        compiled.ply(only.1, &limits.poll())?;
        return Ok(*only);
    }
    let mut last = None;
    let batch = |&(width, form): &(Width, Form)| {
        limits.check()?;
        compiled.ply_after(&mut last, form, &limits.poll())?;
        Ok((0.0_f64, (width, form), width.batch(compiled, form)))
    };
    let mut tried = forms.iter().map(batch).collect::<Result<Vec<_>, Stopped>>()?;
    drop(last);
    for _ in 0..TRIED_TIMES {
        for (best, _, batch) in &mut tried {
            limits.check()?;
            let speed = batch.speed(&initial, &Work::new(&Request::playouts(u64::MAX)), program.goals.len());
            *best = speed.max(*best);
        }
    }
    let best = tried.into_iter().max_by(|one, other| one.0.total_cmp(&other.0));
    Ok(best.map_or_else(|| unreachable!("some width is tried"), |(_, form, _)| form))
}
