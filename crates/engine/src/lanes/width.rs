//! Batches of any width, and the choice of the width and the form that are measured to be the fastest, among those that
//! agree with the program.
//!
//! Large games have a second, smaller circuit for *usual* states. Most bits of their states are set in few games or
//! none: squares far from where the pieces begin, long counts, pairs of stones that are seldom in one group. As long as
//! none of these *rare* bits is set in any lane of a batch, a circuit in which they are constants plays the same games,
//! with fewer gates. It computes the next value of those rare bits that can become set, and their disjunction
//! ([`Wiring::leaves`](super::wiring::Wiring::leaves)); if it holds in a lane, the next steps are made by the circuit
//! for all states, until no rare bit is set. Sampled play tells which bits are rare. Only the speed depends on them:
//! whatever the bits are, the games are the same.

use super::back_ends::{BackEnds, LanesError, Technique};
use super::batch::LaneBatch;
use super::compiled_lanes::CompiledLanes;
use super::outcomes::{ColumnQueue, Outcomes, Request};
use super::play;
use super::ply::PlyForm;
use super::rollouts::{self, Line, RandomGames, Rollouts};
use super::target::Target;
use super::vector::Unit;
use super::word::{Word, any};
use crate::program::{Deviation, NetworkState, Program, ROUNDS, ReferencePlay, SampledPly, SampledStates};
use fixedbitset::FixedBitSet;
use gdl::limits::{Limits, Stop};
use ggp_game::Utility;
use std::sync::Arc;
use std::time::Duration;

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

    /// The number of words of 64 bits that one proposition takes.
    pub(super) fn columns(self) -> usize {
        self.lanes() / 64
    }

    /// A batch of this width; `form` is for as many columns.
    pub(super) fn batch(self, compiled: &Arc<CompiledLanes>, form: PlyForm) -> Box<dyn AnyBatch> {
        match self {
            Self::W64 => Box::new(LaneBatch::<1>::new(compiled, form)),
            Self::W128 => Box::new(LaneBatch::<2>::new(compiled, form)),
            Self::W256 => Box::new(LaneBatch::<4>::new(compiled, form)),
            Self::W512 => Box::new(LaneBatch::<8>::new(compiled, form)),
            Self::W1024 => Box::new(LaneBatch::<16>::new(compiled, form)),
        }
    }

    /// The form of plies that runs on a target, or on a narrower one if batches of this width are too narrow for it.
    pub(super) fn form(self, target: Target) -> PlyForm {
        let columns = self.columns();
        let unit = Unit::for_target(target);
        PlyForm {
            target: target.for_columns(columns),
            unit,
            columns,
            keeps_moves: false,
            ignores_exclusion: false,
            is_usual: false,
        }
    }
}

/// A batch whose width is not known to the compiler.
pub(super) trait AnyBatch: std::fmt::Debug + Send + Sync {
    /// The form in which plies run.
    fn form(&self) -> PlyForm;
    /// [`LaneBatch::take_form`]
    fn take_form(&mut self, form: PlyForm);
    /// [`LaneBatch::compare`]
    fn compare(&mut self, samples: &[SampledPly]) -> Result<(), Deviation>;
    /// [`play::play`], from this state
    fn play(&mut self, initial: &NetworkState, work: &ColumnQueue<'_>, values: &[Option<Utility>]) -> Outcomes;
    /// [`play::speed`], from this state
    fn speed(&mut self, initial: &NetworkState, goals: usize, time: Duration) -> f64;
    fn rare(&mut self, initial: &NetworkState, goals: usize, limits: &Limits) -> Result<Option<FixedBitSet>, Stop>;
    fn expect(&mut self, states: &[&NetworkState]);
    fn lines(&mut self, from: &NetworkState, games: RandomGames, values: &[Option<Utility>]) -> Vec<Line>;
    fn roll_out(
        &mut self,
        states: &[&NetworkState],
        games: RandomGames,
        values: &[Option<Utility>],
        first: usize,
        rollouts: &mut Rollouts,
    );
}

impl<const W: usize> AnyBatch for LaneBatch<W> {
    fn form(&self) -> PlyForm {
        Self::form(self)
    }

    fn take_form(&mut self, form: PlyForm) {
        Self::take_form(self, form);
    }

    fn compare(&mut self, samples: &[SampledPly]) -> Result<(), Deviation> {
        Self::compare(self, samples)
    }

    fn play(&mut self, initial: &NetworkState, work: &ColumnQueue<'_>, values: &[Option<Utility>]) -> Outcomes {
        self.expect(&[initial]);
        self.set_initial(initial);
        play::play(self, work, values)
    }

    fn speed(&mut self, initial: &NetworkState, goals: usize, time: Duration) -> f64 {
        self.set_initial(initial);
        play::speed(self, &ColumnQueue::new(&Request::playouts(u64::MAX)), goals, time)
    }

    fn rare(&mut self, initial: &NetworkState, goals: usize, limits: &Limits) -> Result<Option<FixedBitSet>, Stop> {
        self.set_initial(initial);
        find_rare_bits(self, goals, limits)
    }

    fn expect(&mut self, states: &[&NetworkState]) {
        Self::expect(self, states);
    }

    fn lines(&mut self, from: &NetworkState, games: RandomGames, values: &[Option<Utility>]) -> Vec<Line> {
        rollouts::lines(self, from, games, values)
    }

    fn roll_out(
        &mut self,
        states: &[&NetworkState],
        games: RandomGames,
        values: &[Option<Utility>],
        first: usize,
        rollouts: &mut Rollouts,
    ) {
        rollouts::roll_out(self, states, games, values, first, rollouts);
    }
}

/// The time of one measurement of a width.
const TRIED_FOR: Duration = Duration::from_millis(1);
/// The number of measurements of each width, in turns. The fastest counts, since other processes disturb some of them.
const TRIED_TIMES: usize = 6;
/// The least number of nodes of a large circuit: the machine code of smaller ones fits the cache, and is the fastest
/// form.
const LARGE: usize = 20_000;

/// The techniques that random play does without if lanes differ, in the order in which this is tried.
const PLAINER: [&[Technique]; 5] = {
    use Technique::{ExclusiveGuards, MachineCode, UsualStates};
    [&[], &[MachineCode], &[UsualStates], &[MachineCode, UsualStates], &[MachineCode, UsualStates, ExclusiveGuards]]
};

/// Compiles a program, and chooses a width, if none is given, and a form. Techniques with which lanes differ from the
/// program are left out. `made_of` gives the program of which lanes without some techniques are made: the program
/// itself, or in tests a wrong one.
///
/// # Errors
/// If the limits end the work, or if even the plainest lanes differ.
pub(super) fn chosen<'p>(
    program: &'p Program,
    made_of: impl Fn(&[Technique]) -> &'p Program,
    back_ends: &BackEnds,
    width: Option<Width>,
    target: Option<Target>,
    limits: &Limits,
) -> Result<(Arc<CompiledLanes>, Width, PlyForm), LanesError> {
    back_ends.first_agreeing(&PLAINER, Technique::RandomPlay, |without| {
        LanesBuilder { program, made_of: made_of(without), back_ends, without, limits }.chosen(width, target)
    })
}

/// The compilation of lanes that do without some techniques.
struct LanesBuilder<'a> {
    program: &'a Program,
    /// The program of which the lanes are made.
    made_of: &'a Program,
    back_ends: &'a BackEnds,
    without: &'a [Technique],
    limits: &'a Limits,
}

impl LanesBuilder<'_> {
    fn chosen(
        &self,
        width: Option<Width>,
        target: Option<Target>,
    ) -> Result<(Arc<CompiledLanes>, Width, PlyForm), LanesError> {
        let compiled = Arc::new(CompiledLanes::new(self.made_of, self.back_ends, self.without, self.limits)?);
        // Without machine code all widths run on the portable loop.
        let has_machine_code = !self.without.contains(&Technique::MachineCode);
        let target = if has_machine_code { target } else { Some(Target::Portable) };
        let forms = match width {
            Some(width) => vec![(width, width.form(target.unwrap_or_else(Target::fastest)))],
            None => tried(target, compiled.wiring.circuit.len()),
        };
        // All forms are compared on the same samples.
        let mut reference =
            ReferencePlay::new(self.program, SampledStates::OfPlay).with_choices(compiled.choices.contested());
        let rounds: Vec<_> = (0..ROUNDS).map(|_| reference.round(&self.limits.poll())).collect::<Result<_, Stop>>()?;
        drop(reference);
        let (mut width, mut form) = self.fastest(&compiled, &rounds, &forms)?;
        if !self.without.contains(&Technique::UsualStates)
            && assume_usual_if_large(&compiled, width, form, self.limits)?
        {
            // The circuit for usual states is small, so machine code, which comes first, is its fastest form.
            let (_, PlyForm { target, .. }) = forms[0];
            let machine: Vec<_> = forms.into_iter().filter(|(_, form)| form.target == target).collect();
            (width, form) = self.fastest(&compiled, &rounds, &machine)?;
        }
        Ok((compiled, width, form))
    }

    /// The width and the form that are measured to be the fastest. All are compared with the program in the first round
    /// of samples before they are measured, and the fastest in the others as well.
    ///
    /// # Errors
    /// If one of them differs from the program, or the limits end the work.
    fn fastest(
        &self,
        compiled: &Arc<CompiledLanes>,
        rounds: &[Vec<SampledPly>],
        forms: &[(Width, PlyForm)],
    ) -> Result<(Width, PlyForm), LanesError> {
        let (first, others) = rounds.split_at(1);
        let mut last = None;
        let mut tried = Vec::with_capacity(forms.len());
        for &(width, form) in forms {
            self.limits.check()?;
            // Widths of one target have the same steps, so `last` saves making them again.
            compiled.ply_after(&mut last, form, &self.limits.poll())?;
            let mut batch = width.batch(compiled, form);
            self.compare(&mut *batch, first)?;
            tried.push(batch);
        }
        drop(last);
        let best = if tried.len() == 1 { 0 } else { self.measured(&mut tried)? };
        self.compare(&mut *tried[best], others)?;
        compiled.agree(forms[best].1, forms[best].1);
        Ok(forms[best])
    }

    /// Compares a batch with the program.
    ///
    /// # Errors
    /// If it differs, or the limits end the work.
    fn compare(&self, batch: &mut dyn AnyBatch, rounds: &[Vec<SampledPly>]) -> Result<(), LanesError> {
        rounds.iter().try_for_each(|samples| {
            self.limits.check()?;
            let described = |deviation: Deviation| Box::new(deviation.described(self.program, samples));
            batch.compare(samples).map_err(|deviation| LanesError::Differ(described(deviation)))
        })
    }

    /// The index of the batch that is measured to be the fastest.
    ///
    /// # Errors
    /// If the limits end the work.
    fn measured(&self, batches: &mut [Box<dyn AnyBatch>]) -> Result<usize, Stop> {
        let initial = NetworkState::new(self.program.initial.clone());
        let goals = self.program.goals.len();
        let mut speeds = vec![0.0_f64; batches.len()];
        for _ in 0..TRIED_TIMES {
            for (batch, best) in batches.iter_mut().zip(&mut speeds) {
                self.limits.check()?;
                *best = batch.speed(&initial, goals, TRIED_FOR).max(*best);
            }
        }
        let best = (0..speeds.len()).max_by(|&one, &other| speeds[one].total_cmp(&speeds[other]));
        Ok(best.unwrap_or_else(|| unreachable!("some width is tried")))
    }
}

/// Makes a circuit for usual states, if the one for all states is large and much larger, and nearly all states of
/// random play are usual; false if there is none.
///
/// # Errors
/// If the interrupt or the deadline of the limits ends the work.
pub(super) fn assume_usual_if_large(
    compiled: &Arc<CompiledLanes>,
    width: Width,
    form: PlyForm,
    limits: &Limits,
) -> Result<bool, Stop> {
    if compiled.wiring.circuit.len() < LARGE {
        return Ok(false);
    }
    let initial = NetworkState::new(compiled.initial().clone());
    let mut batch = width.batch(compiled, form);
    let rare = batch.rare(&initial, compiled.program.goals.len(), limits)?;
    rare.map_or(Ok(false), |rare| compiled.assume_usual(rare, &limits.poll()))
}

/// The widths and forms among which the fastest is chosen, for a circuit of `nodes` nodes.
fn tried(target: Option<Target>, nodes: usize) -> Vec<(Width, PlyForm)> {
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
            let unit = Unit::for_target(fastest);
            let portable: Vec<_> = forms(&Width::TRIED, Target::Portable);
            let portable = portable.into_iter().map(|(width, form)| (width, PlyForm { unit, ..form }));
            let machine: Vec<_> = forms(&Width::TRIED_IF_LARGE, fastest);
            machine.into_iter().chain(portable).collect()
        }
    }
}

/// The number of steps of each sample. A bit that is set in some lane in a sample is not rare in the next.
const SAMPLES: [usize; 4] = [128, 128, 256, 512];
/// A sample may have a rare bit in at most one of this many steps.
const SELDOM: usize = 16;

/// The bits that are set in no lane of a batch in nearly all steps of random play from the initial state of the
/// program; `None` if they are fewer than half of all. Plays a thousand steps at most. `goals` is the number of goal
/// values.
///
/// # Errors
/// If the limits end the work.
fn find_rare_bits<const W: usize>(
    batch: &mut LaneBatch<W>,
    goals: usize,
    limits: &Limits,
) -> Result<Option<FixedBitSet>, Stop> {
    let mut sampling = BitSampling {
        common: FixedBitSet::with_capacity(batch.compiled().bits),
        sampled: FixedBitSet::with_capacity(batch.compiled().bits),
        lengths: &SAMPLES,
        steps: 0,
        leaving: 0,
    };
    let mut stopped = Ok(());
    play::watch(batch, goals, |bits| {
        stopped = limits.check();
        stopped.is_ok() && sampling.add(bits)
    });
    stopped?;
    let mut rare = sampling.sampled;
    rare.toggle_range(..);
    Ok((!sampling.lengths.is_empty()).then_some(rare))
}

/// The search for rare bits in samples of play.
struct BitSampling {
    /// The bits that were set in the samples before this one.
    common: FixedBitSet,
    /// The bits that have been set so far.
    sampled: FixedBitSet,
    /// The lengths of this sample and of those after it.
    lengths: &'static [usize],
    /// The number of steps of this sample, and of those among them with a bit that is not common.
    steps: usize,
    leaving: usize,
}

impl BitSampling {
    /// Adds a step; false if no other is needed. In the end lengths are left only if the bits that have not been set
    /// are rare, and at least half of all.
    fn add<const W: usize>(&mut self, bits: &[Word<W>]) -> bool {
        let Some((&length, rest)) = self.lengths.split_first() else { return false };
        let set = self.common.zeroes().filter(|&bit| any(&bits[bit]));
        let mut is_leaving = false;
        set.for_each(|bit| {
            is_leaving = true;
            self.sampled.insert(bit);
        });
        self.leaving += usize::from(is_leaving);
        self.steps += 1;
        if self.steps < length {
            return true;
        }
        // In the first sample all bits count as rare, so it says only which are not.
        let is_first = self.common.is_clear();
        let are_many = self.sampled.count_ones(..) * 2 <= self.sampled.len();
        if are_many && !is_first && self.leaving * SELDOM <= length {
            return false;
        }
        self.lengths = if are_many { rest } else { &[] };
        (self.steps, self.leaving) = (0, 0);
        self.common.clone_from(&self.sampled);
        !self.lengths.is_empty()
    }
}
