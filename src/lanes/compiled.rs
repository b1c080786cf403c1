//! A game compiled for random play in lanes, shared by all batches: its circuits, and the plies made of them.

use super::choice::Choices;
use super::exclusive::Exclusive;
use super::form::Form;
use super::ply::Ply;
use super::stages::Stage;
use super::target::Target;
use super::wiring::Wiring;
use crate::game::Role;
use crate::limits::{Limits, Poll, Stopped};
use crate::program::{Program, State};
use fixedbitset::FixedBitSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A compiled game.
#[derive(Debug)]
pub(super) struct Compiled {
    program: Program,
    /// The number of bits of a state.
    pub(super) bits: usize,
    pub(super) choices: Choices,
    /// The guards whose exclusion the choices rely on.
    exclusive: Exclusive,
    /// A ply as a circuit.
    pub(super) wiring: Wiring,
    /// The same with choices that rely on no exclusion, for states that were set and may not be reachable.
    apart: OnceLock<Wiring>,
    /// For each role, its goal values as indices into the program.
    pub(super) goals: Vec<Range<usize>>,
    plies: Mutex<Vec<(Form, Arc<Ply>)>>,
}

/// The stages of a ply, and a form that they are for.
pub(super) type Staged = (Form, Ply<Vec<Stage>>);

impl Compiled {
    /// Compiles a program.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn new(program: &Program, limits: &Limits) -> Result<Self, Stopped> {
        let poll = &limits.poll();
        limits.check()?;
        let program = Exclusive::with_implied_guards(program, poll)?;
        limits.check()?;
        let exclusive = Exclusive::guards(&program, poll)?;
        let choices = Choices::new(&program, &exclusive);
        limits.check()?;
        let wiring = Wiring::new(&program, &choices, poll)?;
        let goals = (0..program.roles.len()).map(|role| program.goals_of(Role::new(role))).collect();
        let (bits, apart, plies) = (program.bits(), OnceLock::new(), Mutex::default());
        Ok(Self { bits, choices, exclusive, wiring, apart, goals, plies, program })
    }

    /// The initial state of the program, in which the circuit begins games.
    pub(super) fn initial(&self) -> &FixedBitSet {
        &self.program.initial
    }

    /// Whether the exclusion of guards holds in all states that follow from this one.
    pub(super) fn exclusion_holds_from(&self, state: &State) -> bool {
        self.exclusive.hold_from(&self.program, state)
    }

    /// The ply of a form, made once; that of the portable loop if the form's target cannot run here.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn ply(&self, form: Form, poll: &Poll<'_>) -> Result<Arc<Ply>, Stopped> {
        self.ply_after(&mut None, form, poll)
    }

    /// As [`Compiled::ply`]. The steps are the same for every width, so `last` keeps the stages for a next form that
    /// differs in nothing else.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn ply_after(
        &self,
        last: &mut Option<Staged>,
        form: Form,
        poll: &Poll<'_>,
    ) -> Result<Arc<Ply>, Stopped> {
        let mut plies = self.plies.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = plies.iter().find(|(known, _)| *known == form) {
            return Ok(Arc::clone(known));
        }
        let ply = match self.stages(last, form, poll)?.load(form.target, form.columns) {
            Some(ply) => ply,
            None => {
                let portable = Form { target: Target::Portable, ..form };
                let ply = self.stages(last, portable, poll)?.load(Target::Portable, form.columns);
                ply.unwrap_or_else(|| unreachable!("the portable loop runs everywhere"))
            }
        };
        let ply = Arc::new(ply);
        plies.push((form, Arc::clone(&ply)));
        Ok(ply)
    }

    /// The stages of a ply, those of the last one if they are the same.
    fn stages<'a>(
        &self,
        last: &'a mut Option<Staged>,
        form: Form,
        poll: &Poll<'_>,
    ) -> Result<&'a Ply<Vec<Stage>>, Stopped> {
        let same = |last: &Staged| Form { columns: form.columns, ..last.0 } == form;
        let made = match last.take().filter(same) {
            Some(known) => known,
            None => {
                let wiring = if form.is_apart { self.apart(poll)? } else { &self.wiring };
                (form, Ply::stages(wiring, form.target, form.keeps_moves, poll)?)
            }
        };
        Ok(&last.insert(made).1)
    }

    fn apart(&self, poll: &Poll<'_>) -> Result<&Wiring, Stopped> {
        if let Some(known) = self.apart.get() {
            return Ok(known);
        }
        let made = Wiring::new(&self.program, &Choices::new(&self.program, &Exclusive::default()), poll)?;
        Ok(self.apart.get_or_init(|| made))
    }
}
