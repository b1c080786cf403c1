//! A game compiled for random play in lanes, shared by all batches: its circuits, and the plies made of them.

use super::choice::Choices;
use super::exclusive::Exclusive;
use super::form::Form;
use super::ply::Ply;
use super::target::Target;
use super::wiring::Wiring;
use crate::limits::{Limits, Poll, Stopped};
use crate::program::Program;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A compiled game.
#[derive(Debug)]
pub(super) struct Compiled {
    program: Program,
    /// The number of bits of a state.
    pub(super) bits: usize,
    pub(super) choices: Choices,
    /// The guards whose exclusion the choices rely on.
    pub(super) exclusive: Exclusive,
    /// A ply as a circuit.
    pub(super) wiring: Wiring,
    /// The same with choices that rely on no exclusion, for states that were set and may not be reachable.
    apart: OnceLock<Wiring>,
    /// For each role, its goal values as indices into the program.
    pub(super) goals: Vec<Vec<usize>>,
    plies: Mutex<Vec<(Form, Arc<Ply>)>>,
}

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
        let mut goals = vec![Vec::new(); program.roles.len()];
        program.goals.iter().enumerate().for_each(|(index, goal)| goals[goal.role.index()].push(index));
        let (bits, apart, plies) = (program.bits(), OnceLock::new(), Mutex::default());
        Ok(Self { bits, choices, exclusive, wiring, apart, goals, plies, program })
    }

    /// The ply of a form, made once; that of the portable loop if the form's target cannot run here.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn ply(&self, form: Form, poll: &Poll<'_>) -> Result<Arc<Ply>, Stopped> {
        let mut plies = self.plies.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = plies.iter().find(|(known, _)| *known == form) {
            return Ok(Arc::clone(known));
        }
        let wiring = match form.is_apart {
            true => self.apart(poll)?,
            false => &self.wiring,
        };
        let portable = Form { target: Target::Portable, ..form };
        let ply = match Ply::new(wiring, form, poll)? {
            Some(ply) => ply,
            None => {
                Ply::new(wiring, portable, poll)?.unwrap_or_else(|| unreachable!("the portable loop runs everywhere"))
            }
        };
        let ply = Arc::new(ply);
        plies.push((form, Arc::clone(&ply)));
        Ok(ply)
    }

    fn apart(&self, poll: &Poll<'_>) -> Result<&Wiring, Stopped> {
        if let Some(known) = self.apart.get() {
            return Ok(known);
        }
        let made = Wiring::new(&self.program, &Choices::new(&self.program, &Exclusive::default()), poll)?;
        Ok(self.apart.get_or_init(|| made))
    }
}
