//! Which width and form lanes take: of those that agree with the program, the one that is measured to be the fastest.

use super::back_ends::{BackEnds, Technique};
use super::compiled_lanes::CompiledLanes;
use super::error::LanesError;
use super::ply_form::PlyForm;
use super::target::Target;
use super::vector::Unit;
use super::width::{AnyBatch, Width};
use crate::program::{Deviation, NetworkState, Program, ROUNDS, ReferencePlay, SampledPly, SampledStates};
use gdl::limits::{Limits, Stop};
use std::sync::Arc;
use std::time::Duration;

/// The time for which each width is measured at once.
const TRIED_FOR: Duration = Duration::from_millis(1);
/// Each width is measured this many times, alternating, of which the fastest counts: other processes use the processor
/// for longer, so that some times are not disturbed.
const TRIED_TIMES: usize = 6;
/// A circuit of at least this many nodes is large: the machine code of smaller ones fits the cache, and is the fastest
/// form.
const LARGE: usize = 20_000;

/// What random play does without if lanes differ, in the order in which this is tried.
const PLAINER: [&[Technique]; 5] = {
    use Technique::{ExclusiveGuards, MachineCode, UsualStates};
    [&[], &[MachineCode], &[UsualStates], &[MachineCode, UsualStates], &[MachineCode, UsualStates, ExclusiveGuards]]
};

/// A compiled program, and how its batches run.
pub(super) type LanesChoice = (Arc<CompiledLanes>, Width, PlyForm);

/// Compiles a program, and chooses a width, if none is given, and a form. Techniques with which lanes differ from the
/// program are left out. Without some techniques lanes are made of `made_of`: the program itself, or in tests a wrong
/// one.
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
) -> Result<LanesChoice, LanesError> {
    back_ends.first_agreeing(&PLAINER, Technique::RandomPlay, |without| {
        LanesBuilder { program, made_of: made_of(without), back_ends, without, limits }.chosen(width, target)
    })
}

/// The making of lanes that do without some techniques.
struct LanesBuilder<'a> {
    program: &'a Program,
    /// What the lanes are made of.
    made_of: &'a Program,
    back_ends: &'a BackEnds,
    without: &'a [Technique],
    limits: &'a Limits,
}

impl LanesBuilder<'_> {
    fn chosen(&self, width: Option<Width>, target: Option<Target>) -> Result<LanesChoice, LanesError> {
        let compiled = Arc::new(CompiledLanes::new(self.made_of, self.back_ends, self.without, self.limits)?);
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
/// random play are usual; returns whether there is one.
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

/// The widths and forms of which the fastest is taken, for a circuit of `nodes` nodes.
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
