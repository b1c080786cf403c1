//! Verification of all targets that this processor has, in every form in which lanes run on them.

use super::ask::COLUMNS;
use super::back_ends::BackEnds;
use super::compiled_lanes::CompiledLanes;
use super::fastest::assume_usual_if_large;
use super::inquiry::Inquiry;
use super::machine::Function;
use super::ply_form::PlyForm;
use super::steps::Steps;
use super::target::Target;
use super::validation::ComparedQuestions;
use super::vector::MachineCode;
use super::width::{AnyBatch, Width};
use crate::program::{FormDifference, Program, ReferencePlay, STATES_OF_ROUND, SampledStates};
use gdl::limits::{Limits, Stop};
use ggp_game::Coding;
use serde::Serialize;
use std::sync::Arc;

/// A target, and how lanes on it compare with the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct VerifiedTarget {
    /// The name of the target.
    pub target: &'static str,
    /// The number of states that were compared; `None` if the target cannot run here.
    pub states: Option<usize>,
    /// The first difference between lanes on the target and the program.
    pub difference: Option<FormDifference>,
}

/// Compares lanes on all targets that this processor has with the program gate by gate, on about this many states of
/// random play, at least 1,024: random play in all forms and widths, and questions about states of any origin. The same
/// states are compared on every machine. `watch` is told the name of each target before its turn.
///
/// The lanes are made of `made_of`: the program itself, or in tests a wrong one.
///
/// # Errors
/// If the interrupt or the deadline of the limits ends the work.
pub fn verify(
    program: &Program,
    made_of: &Program,
    states: usize,
    limits: &Limits,
    watch: &dyn Fn(&'static str),
) -> Result<Vec<VerifiedTarget>, Stop> {
    let compiled = Arc::new(CompiledLanes::new(made_of, &BackEnds::default(), &[], limits)?);
    assume_usual_if_large(&compiled, Width::W512, Width::W512.form(Target::Portable), limits)?;
    let rounds = states.div_ceil(STATES_OF_ROUND);
    let verified = |target: Target| {
        watch(target.name());
        let is_here = runs_here(target);
        let difference = if is_here { difference(program, made_of, &compiled, target, rounds, limits)? } else { None };
        let states = is_here.then_some(rounds * STATES_OF_ROUND);
        Ok(VerifiedTarget { target: target.name(), states, difference })
    };
    Target::ALL.into_iter().map(verified).collect()
}

/// Whether this processor has the target, and the system lets processes generate code for it.
fn runs_here(target: Target) -> bool {
    let loads = || MachineCode::load(&Function::new(target, &Steps::default(), target.columns())?);
    target == Target::Portable || loads().is_some()
}

/// The first difference of lanes on a target.
fn difference(
    program: &Program,
    made_of: &Program,
    compiled: &Arc<CompiledLanes>,
    target: Target,
    rounds: usize,
    limits: &Limits,
) -> Result<Option<FormDifference>, Stop> {
    let poll = &limits.poll();
    let in_play = |form: PlyForm| [form, PlyForm { keeps_moves: true, ..form }];
    let mut of_play = batches(compiled, target, in_play, limits)?;
    let mut reference = ReferencePlay::new(program, SampledStates::OfPlay).with_choices(compiled.choices.contested());
    let found = reference
        .difference(rounds, poll, |samples| of_play.iter_mut().try_for_each(|batch| batch.compare(samples)))?;
    if found.is_some() {
        return Ok(found);
    }
    drop(of_play);
    let general = |form: PlyForm| PlyForm { ignores_exclusion: true, ..form };
    let mut without_exclusion = batches(compiled, target, |form| [general(form)], limits)?;
    let coding = Coding::new(program.bits(), &[]);
    let inquiry = Inquiry::on(made_of, &coding, target, COLUMNS, poll)?;
    let mut questions = ComparedQuestions::new(Arc::new(inquiry), program, &coding);
    let choices = compiled.choices(general(Width::W1024.form(target)));
    ReferencePlay::new(program, SampledStates::Any).with_choices(choices.contested()).difference(
        rounds,
        poll,
        |samples| {
            without_exclusion.iter_mut().try_for_each(|batch| batch.compare(samples))?;
            questions.compare(samples)
        },
    )
}

/// Batches of all widths that run on a target, in these forms.
fn batches<const N: usize>(
    compiled: &Arc<CompiledLanes>,
    target: Target,
    forms: impl Fn(PlyForm) -> [PlyForm; N],
    limits: &Limits,
) -> Result<Vec<Box<dyn AnyBatch>>, Stop> {
    let mut batches = Vec::new();
    let mut last = None;
    let widths = Width::ALL.map(|width| (width, width.form(target)));
    for (width, form) in widths.into_iter().filter(|(_, form)| form.target == target) {
        for form in forms(form) {
            compiled.ply_after(&mut last, form, &limits.poll())?;
            batches.push(width.batch(compiled, form));
        }
    }
    Ok(batches)
}
