//! A game compiled for random play in lanes, shared by all batches: its circuits, and the plies made of them.

use super::back_ends::{BackEnds, Technique};
use super::choice::{Choices, Exclusive};
use super::ply::{Ply, PlyForm};
use super::stages::Stage;
use super::target::Target;
use super::wiring::Wiring;
use crate::program::{NetworkState, Program};
use fixedbitset::FixedBitSet;
use gdl::limits::{Limits, Poll, Stop};
use ggp_game::Role;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A compiled game. Plies are made when a batch first needs them, and kept.
#[derive(Debug)]
pub(super) struct CompiledLanes {
    pub(super) program: Program,
    pub(super) back_ends: BackEnds,
    /// The number of bits of a state.
    pub(super) bits: usize,
    pub(super) choices: Choices,
    /// The guards whose exclusion the choices rely on.
    exclusive: Exclusive,
    /// A ply as a circuit.
    pub(super) wiring: Wiring,
    /// The choices and the circuit that rely on no exclusion, for states that were set and may not be reachable.
    without_exclusion: OnceLock<(Choices, Wiring)>,
    /// The bits that are hardly ever set, and the circuit of a ply for states without them.
    usual: OnceLock<(FixedBitSet, Wiring)>,
    /// For each role, its goal values as indices into the program.
    pub(super) goals: Vec<Range<usize>>,
    /// The plies that have been made, by form.
    plies: Mutex<Vec<(PlyForm, Arc<Ply>)>>,
    /// The forms whose plies have been compared with the program, and those that run instead: the same, if they agree.
    compared: Mutex<Vec<(PlyForm, PlyForm)>>,
}

/// The stages of a ply, and a form that they are for.
type Staged = (PlyForm, Ply<Vec<Stage>>);

impl CompiledLanes {
    /// Compiles a program without some techniques.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn new(
        program: &Program,
        back_ends: &BackEnds,
        without: &[Technique],
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let poll = &limits.poll();
        limits.check()?;
        let (program, exclusive) = match without.contains(&Technique::ExclusiveGuards) {
            true => (program.clone(), Exclusive::default()),
            false => {
                let program = Exclusive::with_implied_guards(program, poll)?;
                limits.check()?;
                let exclusive = Exclusive::guards(&program, poll)?;
                (program, exclusive)
            }
        };
        let choices = Choices::new(&program, &exclusive);
        limits.check()?;
        let wiring = Wiring::new(&program, &choices, poll)?;
        let goals = (0..program.roles.len()).map(|role| program.goals_of(Role::new(role))).collect();
        Ok(Self {
            bits: program.bits(),
            back_ends: back_ends.clone(),
            choices,
            exclusive,
            wiring,
            without_exclusion: OnceLock::new(),
            usual: OnceLock::new(),
            goals,
            plies: Mutex::default(),
            compared: Mutex::default(),
            program,
        })
    }

    /// The form that runs in place of one that has been compared with the program; `None` if it has not been.
    pub(super) fn agreed(&self, form: PlyForm) -> Option<PlyForm> {
        let compared = self.compared.lock().unwrap_or_else(PoisonError::into_inner);
        compared.iter().find(|(known, _)| *known == form).map(|&(_, agreed)| agreed)
    }

    /// Records that a form has been compared with the program, and the form that runs in its place.
    pub(super) fn agree(&self, form: PlyForm, instead: PlyForm) {
        self.compared.lock().unwrap_or_else(PoisonError::into_inner).push((form, instead));
    }

    /// The choices of a ply of this form, which must have been made.
    pub(super) fn choices(&self, form: PlyForm) -> &Choices {
        let other = if form.ignores_exclusion { self.without_exclusion.get() } else { None };
        other.map_or(&self.choices, |(choices, _)| choices)
    }

    /// Makes a circuit for the states in which none of these bits is set, for the batches that are made from now on;
    /// false if it has more than half as many nodes as the circuit for all states, and is not used. None of the bits
    /// may be set in the initial state.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn assume_usual(&self, rare: FixedBitSet, poll: &Poll<'_>) -> Result<bool, Stop> {
        let wiring = self.wiring.for_usual(&self.program, &self.choices, &rare, poll)?;
        let is_small = wiring.circuit.len() * 2 <= self.wiring.circuit.len();
        if is_small {
            self.usual.get_or_init(|| (rare, wiring));
            // Batches have another ply from now on.
            self.compared.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
        Ok(is_small)
    }

    /// The bits that are not set in usual states, if there is a circuit for these.
    pub(super) fn rare(&self) -> Option<&FixedBitSet> {
        self.usual.get().map(|(rare, _)| rare)
    }

    /// The form of the ply for usual states that goes with the ply of this form, if there is one.
    pub(super) fn usual_form(&self, form: PlyForm) -> Option<PlyForm> {
        // The circuit for usual states neither keeps moves nor starts from states of any origin.
        let is_general = form.keeps_moves || form.ignores_exclusion;
        (!is_general && self.usual.get().is_some()).then_some(PlyForm { is_usual: true, ..form })
    }

    /// The initial state of the program, in which the circuit begins games.
    pub(super) fn initial(&self) -> &FixedBitSet {
        &self.program.initial
    }

    /// True if the exclusion of guards holds in all states that follow from this one.
    pub(super) fn exclusion_holds_from(&self, state: &NetworkState) -> bool {
        self.exclusive.hold_from(&self.program, state)
    }

    /// The ply of a form, made once; that of the portable loop if the target of the form cannot run here.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn ply(&self, form: PlyForm, poll: &Poll<'_>) -> Result<Arc<Ply>, Stop> {
        self.ply_after(&mut None, form, poll)
    }

    /// As [`CompiledLanes::ply`]. The steps are the same for every width, so `last` keeps the stages for a next form
    /// that differs in nothing else.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn ply_after(
        &self,
        last: &mut Option<Staged>,
        form: PlyForm,
        poll: &Poll<'_>,
    ) -> Result<Arc<Ply>, Stop> {
        // The lock is held while a ply is made, so that two threads do not make the same.
        let mut plies = self.plies.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = plies.iter().find(|(known, _)| *known == form) {
            return Ok(Arc::clone(known));
        }
        let ply = match self.stages(last, form, poll)?.load(form.target, form.columns) {
            Some(ply) => ply,
            None => {
                let portable = PlyForm { target: Target::Portable, ..form };
                let ply = self.stages(last, portable, poll)?.load(Target::Portable, form.columns);
                ply.unwrap_or_else(|| unreachable!("the portable loop runs everywhere"))
            }
        };
        let ply = Arc::new(ply);
        plies.push((form, Arc::clone(&ply)));
        Ok(ply)
    }

    /// The stages of a ply: those in `last` if their form differs in nothing but the width.
    fn stages<'a>(
        &self,
        last: &'a mut Option<Staged>,
        form: PlyForm,
        poll: &Poll<'_>,
    ) -> Result<&'a Ply<Vec<Stage>>, Stop> {
        let same = |last: &Staged| PlyForm { columns: form.columns, ..last.0 } == form;
        let made = match last.take().filter(same) {
            Some(known) => known,
            None => {
                let wiring = match self.usual.get() {
                    Some((_, usual)) if form.is_usual => usual,
                    _ if form.ignores_exclusion => self.wiring_without_exclusion(poll)?,
                    _ => &self.wiring,
                };
                (form, Ply::stages(wiring, form.target, form.keeps_moves, poll)?)
            }
        };
        Ok(&last.insert(made).1)
    }

    fn wiring_without_exclusion(&self, poll: &Poll<'_>) -> Result<&Wiring, Stop> {
        if let Some((_, known)) = self.without_exclusion.get() {
            return Ok(known);
        }
        let choices = Choices::new(&self.program, &Exclusive::default());
        let wiring = Wiring::new(&self.program, &choices, poll)?;
        Ok(&self.without_exclusion.get_or_init(|| (choices, wiring)).1)
    }
}
