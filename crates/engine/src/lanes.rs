//! Many games at once: a word of a batch holds one proposition of hundreds of games, and a gate is one bitwise
//! instruction for all of them.
//!
//! ```text
//! word of `cell(1,1,x)`:  1 0 0 1 0 …   one bit a game
//! word of `cell(1,2,x)`:  1 1 0 0 0 …
//! their conjunction:      1 0 0 0 0 …   one instruction for all games
//! ```
//!
//! A [`Program`] becomes one circuit of its gates and of the choice of random moves; the circuit becomes linear steps;
//! a target runs the steps, as machine code or in a loop. All targets play the same games, which depend on the seed
//! alone, and not on the number of lanes, the target or the threads. No form is believed: each is compared with the
//! program gate by gate before it answers, and what differs is left out.
//!
//! The files, in this order:
//! - The circuit: `wiring` makes it from gates (`circuit`, `cuts`) and from the choice of moves (`choice`, `signals`,
//!   and `rank`, which draws; `wide_choice` if very many moves compete). `lane_slots` adds the lanes that make no move.
//!   `unions` makes the circuits of large games smaller, and so does `width`, for states that usually occur.
//! - The steps: `stages` divides the circuit, `order` schedules its nodes, `allocate` assigns registers, `steps` are
//!   the result.
//! - Running them: `part` runs steps on a `target`, in a loop or as `machine` code; `batch` has the `word`s of the
//!   lanes, of any `width`, which is chosen by measurement; `vector` has the unsafe code.
//! - Their uses: `ply` is one ply of random play; `play` plays games one after the other in each lane, `rollouts` plays
//!   each game once, `outcomes` has requests and outcomes, `stepped` makes the moves that it is given; `ask`
//!   answers questions about many states, which `rows` transposes.
//! - Trust: `validation` compares, `back_ends` leaves out what differs; `translation` shows code for any target.

mod allocate;
mod ask;
pub(crate) mod back_ends;
mod batch;
mod choice;
mod circuit;
mod compiled_lanes;
mod cuts;
mod lane_slots;
mod machine;
mod order;
mod outcomes;
mod part;
mod play;
mod ply;
mod rank;
mod rollouts;
mod rows;
mod signals;
mod stages;
mod stepped;
#[doc(hidden)]
pub mod steps;
mod target;
mod translation;
mod unions;
mod validation;
mod vector;
mod wide_choice;
mod width;
mod wiring;
mod word;

pub(crate) use ask::KeyQuestions;
pub use ask::{Answers, GoalStates, NextStates, Questions};
pub use back_ends::{BackEnds, LanesError, LeftOutTechnique, Technique};
pub(crate) use choice::Exclusive;
pub use machine::{Function, FunctionExtent};
pub use outcomes::{Outcomes, Request, RoleOutcomes, Stuck};
pub use rollouts::{Line, Rollouts};
pub use stepped::{AfterEnd, LegalLists, StepError, SteppedGames};
pub use target::{Target, TargetError};
pub use translation::{TranslatedPart, Translation};
pub use validation::{VerifiedTarget, verify};
pub use width::Width;

use crate::program::{NetworkState, Program};
use back_ends::made;
use compiled_lanes::CompiledLanes;
use gdl::limits::Limits;
use gdl::time::Instant;
use ggp_game::{Utility, threads};
use outcomes::ColumnQueue;
use ply::PlyForm;
use rollouts::RandomGames;
use std::sync::Arc;
use std::time::Duration;
use width::AnyBatch;

/// A game compiled for random play in many lanes, with the memory of one batch. [`Lanes::fork`] makes one for another
/// thread.
#[derive(Debug)]
pub struct Lanes {
    compiled: Arc<CompiledLanes>,
    /// The utility of each goal value of the program; `None` if its value stands for no utility.
    values: Arc<[Option<Utility>]>,
    width: Width,
    form: PlyForm,
    batch: Box<dyn AnyBatch>,
}

impl Lanes {
    /// Compiles a program for lanes; without a width, the one measured to be the fastest is used. Techniques with which
    /// lanes differ from the program gate by gate, in 4,096 states of random play, are left out of `back_ends`.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the work, or if even the plainest lanes differ.
    pub fn new(
        program: &Program,
        back_ends: &BackEnds,
        width: Option<Width>,
        limits: &Limits,
    ) -> Result<Self, LanesError> {
        Self::on_target(program, |_| program, back_ends, width, Target::forced(), limits)
    }

    /// As [`Lanes::new`], but the lanes that do without these techniques are made of another program: for tests of the
    /// comparison.
    ///
    /// # Errors
    /// As there.
    pub fn compared<'p>(
        program: &'p Program,
        made_of: impl Fn(&[Technique]) -> &'p Program,
        back_ends: &BackEnds,
        width: Option<Width>,
    ) -> Result<Self, LanesError> {
        Self::on_target(program, made_of, back_ends, width, Target::forced(), &Limits::none())
    }

    /// As [`Lanes::new`], on a certain target. A batch narrower than a vector of the target runs on the next narrower
    /// target.
    ///
    /// # Errors
    /// If this processor cannot run the target.
    ///
    /// # Panics
    /// If lanes on the target differ from the program: a fault of this library.
    pub fn on(program: &Program, width: Option<Width>, target: Target) -> Result<Self, TargetError> {
        target.check()?;
        Ok(made(Self::on_target(program, |_| program, &BackEnds::strict(), width, Some(target), &Limits::none())))
    }

    fn on_target<'p>(
        program: &'p Program,
        made_of: impl Fn(&[Technique]) -> &'p Program,
        back_ends: &BackEnds,
        width: Option<Width>,
        target: Option<Target>,
        limits: &Limits,
    ) -> Result<Self, LanesError> {
        let (compiled, width, form) = width::chosen(program, made_of, back_ends, width, target, limits)?;
        let values = (0..program.goals.len()).map(|goal| program.utility(goal)).collect();
        let batch = width.batch(&compiled, form);
        Ok(Self { batch, compiled, values, width, form })
    }

    /// True if random play has a smaller circuit for the states that usually occur.
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
        self.batch.take_form(PlyForm { target: Target::Portable, ..self.form });
        self.form = self.batch.form();
        self
    }

    /// The same lanes, whose rollouts record which moves were made ([`Rollouts::made`]), or do not. The outcomes are
    /// the same.
    pub fn keeping_moves(mut self, keeps_moves: bool) -> Self {
        self.batch.take_form(PlyForm { keeps_moves, ..self.form });
        self.form = self.batch.form();
        self
    }

    /// The number of moves among which roles choose.
    pub fn moves(&self) -> usize {
        self.compiled.choices.contested_candidates().count()
    }

    /// True if rollouts record which moves were made.
    pub fn keeps_moves(&self) -> bool {
        self.form.keeps_moves
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
    pub fn playouts(&mut self, from: &NetworkState, request: &Request) -> Outcomes {
        self.work(from, &ColumnQueue::new(request))
    }

    /// As [`Lanes::playouts`], in parts, with the same outcomes: after each part `tell` gets what has been played until
    /// then. The first part takes about `first`, and each further one twice as long as the one before, up to a second.
    /// At the end of a part threads and lanes wait for the longest game, so it takes longer as a whole.
    pub fn playouts_in_parts(
        &mut self,
        from: &NetworkState,
        request: &Request,
        first: Duration,
        mut tell: impl FnMut(&Outcomes),
    ) -> Outcomes {
        const LONGEST: Duration = Duration::from_secs(1);
        let mut outcomes = Outcomes::new(self.compiled.choices.roles());
        let mut columns = 0;
        let mut time = first;
        loop {
            let end = Instant::now() + time;
            let deadline = Some(request.deadline.map_or(end, |deadline| deadline.min(end)));
            let part = Request { deadline, ..request.clone() };
            let work = ColumnQueue::after(&part, columns);
            outcomes.add(self.work(from, &work));
            if work.ends(request) {
                return outcomes;
            }
            // If no column has begun in time, the next part needs more.
            time = if work.columns() > columns { (time * 2).min(LONGEST) } else { time * 2 };
            columns = work.columns();
            tell(&outcomes);
        }
    }

    fn work(&mut self, from: &NetworkState, work: &ColumnQueue<'_>) -> Outcomes {
        let Self { compiled, values, width, form, .. } = self;
        let play = || width.batch(compiled, *form).play(from, work, values);
        // If the system provides no threads, this one plays everything.
        let Some(parts) = threads::on_each(work.request.threads, play) else {
            return self.batch.play(from, work, &self.values);
        };
        let mut outcomes = Outcomes::new(compiled.choices.roles());
        parts.into_iter().for_each(|part| outcomes.add(part));
        outcomes
    }

    /// Plays one random game from each of these states, as many at once as there are lanes. A game longer than
    /// `longest` plies is abandoned.
    ///
    /// The games depend on the seed and on the indices of the states, not on the width.
    pub fn rollouts<'a>(
        &mut self,
        from: impl IntoIterator<Item = &'a NetworkState>,
        seed: u64,
        longest: u32,
    ) -> Rollouts {
        let from: Vec<&NetworkState> = from.into_iter().collect();
        let mut rollouts = Rollouts::new(self.compiled.choices.roles(), from.len());
        if self.form.keeps_moves {
            rollouts = rollouts.keeping(self.compiled.program.moves.len());
        }
        self.batch.expect(&from);
        for (index, states) in from.chunks(self.width.lanes()).enumerate() {
            let first = index * self.width.lanes();
            self.batch.roll_out(states, RandomGames { seed, longest }, &self.values, first, &mut rollouts);
        }
        rollouts
    }

    /// Plays one random game from a state in each lane and records it, for at most `longest` plies; a game in which
    /// some role has no move stops there. The game of a lane depends on the seed, not on the width.
    pub fn lines(&mut self, from: &NetworkState, seed: u64, longest: u32) -> Vec<Line> {
        self.batch.lines(from, RandomGames { seed, longest }, &self.values)
    }
}
