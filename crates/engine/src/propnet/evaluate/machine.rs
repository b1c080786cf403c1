//! A machine: an evaluator with every question that a game asks (legal moves, next states, terminal, goals).

use super::effects::Effects;
use super::outputs::OutputLayout;
use super::sparse::Sparse;
use super::{Evaluator, compute};
use crate::program::Program;
use ggp_game::Role;
use std::sync::Arc;

/// The way in which joint moves are made.
#[derive(Clone, Debug)]
pub(super) enum JointMoveUse {
    /// By the evaluator, in which moves are inputs like any other.
    Evaluator,
    /// By the effect that the joint move is compiled to.
    Effects(Box<Effects>),
    /// By evaluating the gates that the joint move changes.
    Sparse(Sparse),
}

/// An evaluator at work on one game.
#[derive(Clone, Debug)]
pub(in crate::propnet) struct Machine<E> {
    program: Arc<Program>,
    outputs: Arc<OutputLayout>,
    evaluator: E,
    making: JointMoveUse,
    /// Scratch: the bits of several groups, combined.
    bits: Vec<usize>,
    /// True if the goal part has been computed for the current state.
    knows_goals: bool,
    /// True if the gates of the goal part that features need have been computed for the current state.
    knows_features: bool,
}

impl<E: Evaluator> Machine<E> {
    /// Makes a machine. The evaluator has these outputs, and evaluates moves if `making` is
    /// [`JointMoveUse::Evaluator`].
    pub(super) fn new(program: &Arc<Program>, outputs: OutputLayout, evaluator: E, making: JointMoveUse) -> Self {
        let program = Arc::clone(program);
        let outputs = Arc::new(outputs);
        Self { program, outputs, evaluator, making, bits: Vec::new(), knows_goals: false, knows_features: false }
    }

    /// Makes a state the current one.
    #[inline]
    fn go_to(&mut self, state: &[usize]) {
        // Compared word by word: states are short, and every question begins with this.
        if self.evaluator.state().iter().zip(state).any(|(own, other)| own != other) {
            self.evaluator.go_to(state);
            self.knows_goals = false;
            self.knows_features = false;
        }
    }

    #[inline]
    pub(in crate::propnet) fn is_terminal(&mut self, state: &[usize]) -> bool {
        self.go_to(state);
        self.outputs.is_terminal(self.evaluator.outputs())
    }

    /// Calls `each` for the legal moves of a role in canonical order, as indices into [`Program::moves`].
    #[inline]
    pub(in crate::propnet) fn each_legal_move(&mut self, state: &[usize], role: usize, each: impl FnMut(u32)) {
        self.go_to(state);
        self.outputs.each_legal_move(&self.evaluator, role, &mut self.bits, each);
    }

    /// Writes the state after a joint move, one index into [`Program::moves`] per role, to `next`.
    #[inline]
    pub(in crate::propnet) fn next_state(&mut self, state: &[usize], joint_move: &[u32], next: &mut [usize]) {
        self.go_to(state);
        self.make(joint_move, next);
    }

    /// Writes the successor of the current state to `next`.
    #[inline]
    fn make(&mut self, joint_move: &[u32], next: &mut [usize]) {
        let Self { outputs, evaluator, making, .. } = self;
        if matches!(making, JointMoveUse::Evaluator) {
            evaluator.make(joint_move);
        }
        // The outputs hold the next state, the defaults, or the values at rest, by the way in which moves are made.
        outputs.next(evaluator.outputs(), evaluator.state(), next);
        match making {
            JointMoveUse::Evaluator => {}
            JointMoveUse::Effects(effects) => effects.apply(joint_move, evaluator, next),
            JointMoveUse::Sparse(sparse) => sparse.apply(joint_move, evaluator, next),
        }
    }

    /// Replaces a state by its successor under a joint move that `choose` picks role by role: given the number of legal
    /// moves of the role, it returns the index of one. Returns false if the state is terminal.
    ///
    /// # Errors
    /// The first role that has no legal move.
    pub(in crate::propnet) fn random_step(
        &mut self,
        state: &mut [usize],
        joint_move: &mut Vec<u32>,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<bool, Role> {
        self.go_to(state);
        if self.outputs.is_terminal(self.evaluator.outputs()) {
            return Ok(false);
        }
        joint_move.clear();
        for role in 0..self.program.roles.len() {
            let chosen = self.outputs.choose_legal_move(&self.evaluator, role, &mut self.bits, choose);
            joint_move.push(chosen.ok_or(Role::new(role))?);
        }
        self.make(joint_move, state);
        Ok(true)
    }

    /// The goal values of a role that hold, as indices into [`Program::goals`].
    pub(in crate::propnet) fn goals(&mut self, state: &[usize], role: usize) -> impl Iterator<Item = usize> {
        self.go_to(state);
        if !self.knows_goals {
            compute(&self.program, self.program.goal_gates.clone(), &mut self.evaluator);
            self.knows_goals = true;
        }
        let goals = self.program.goals.iter().zip(&self.program.goal).enumerate();
        let of_role = goals.filter(move |(_, (goal, _))| goal.role.index() == role);
        of_role.filter(|&(_, (_, &wire))| self.evaluator.value(wire)).map(|(index, _)| index)
    }

    /// Those of some features that hold, given and returned as indices into [`Program::features`].
    pub(in crate::propnet) fn features(&mut self, state: &[usize], among: &[u32]) -> impl Iterator<Item = u32> {
        self.go_to(state);
        if !self.knows_features {
            let start = self.program.goal_gates.start;
            compute(&self.program, start..start + self.program.feature_gates, &mut self.evaluator);
            self.knows_features = true;
        }
        let holds = |feature: &u32| self.evaluator.value(self.program.feature[*feature as usize]);
        among.iter().copied().filter(holds)
    }
}
