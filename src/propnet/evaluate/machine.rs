//! An evaluator with everything that a game is asked: legal moves, next states, the end, goals.

use super::effects::Effects;
use super::outputs::Outputs;
use super::sparse::Sparse;
use super::{Evaluator, compute};
use crate::game::Role;
use crate::propnet::program::Program;
use std::sync::Arc;

/// What makes joint moves.
#[derive(Clone, Debug)]
pub(in crate::propnet) enum Making {
    /// The evaluator, which takes the moves as inputs like any other.
    Evaluator,
    /// What the joint move was compiled to.
    Effects(Box<Effects>),
    /// The gates that the joint move makes different.
    Sparse(Sparse),
}

/// An evaluator at work on one game.
#[derive(Clone, Debug)]
pub(in crate::propnet) struct Machine<E> {
    program: Arc<Program>,
    outputs: Arc<Outputs>,
    evaluator: E,
    making: Making,
    /// Legal moves that are being listed.
    moves: Vec<u32>,
    /// Their bits, where they are put together.
    bits: Vec<usize>,
    /// Whether the goal part has been computed for the current state.
    knows_goals: bool,
}

impl<E: Evaluator> Machine<E> {
    /// A machine whose evaluator has these outputs, and takes the moves where it makes them.
    pub(in crate::propnet) fn new(program: &Arc<Program>, outputs: Outputs, evaluator: E, making: Making) -> Self {
        let (program, outputs) = (Arc::clone(program), Arc::new(outputs));
        Self { program, outputs, evaluator, making, moves: Vec::new(), bits: Vec::new(), knows_goals: false }
    }

    /// Makes a state the current one.
    #[inline]
    fn go_to(&mut self, state: &[usize]) {
        // Word by word: states are short, and this is asked for at every turn.
        if self.evaluator.state().iter().zip(state).any(|(own, other)| own != other) {
            self.evaluator.go_to(state);
            self.knows_goals = false;
        }
    }

    /// Whether the game is over.
    pub(in crate::propnet) fn is_terminal(&mut self, state: &[usize]) -> bool {
        self.go_to(state);
        self.outputs.is_terminal(self.evaluator.outputs())
    }

    /// The legal moves of a role, in canonical order, as places in [`Program::moves`].
    pub(in crate::propnet) fn legal_moves(&mut self, state: &[usize], role: usize) -> &[u32] {
        self.go_to(state);
        self.outputs.legal.list(&self.evaluator, role, &mut self.bits, &mut self.moves);
        &self.moves
    }

    /// Writes the state after a joint move, one place in [`Program::moves`] a role, to `next`.
    pub(in crate::propnet) fn next_state(&mut self, state: &[usize], joint_move: &[u32], next: &mut [usize]) {
        self.go_to(state);
        self.make(joint_move, next);
    }

    /// Writes the state after a joint move in the current one.
    #[inline]
    fn make(&mut self, joint_move: &[u32], next: &mut [usize]) {
        let Self { outputs, evaluator, making, .. } = self;
        if matches!(making, Making::Evaluator) {
            evaluator.make(joint_move);
        }
        outputs.next(evaluator.outputs(), evaluator.state(), next);
        match making {
            Making::Evaluator => {}
            Making::Effects(effects) => effects.apply(joint_move, evaluator, next),
            Making::Sparse(sparse) => sparse.apply(joint_move, evaluator, next),
        }
    }

    /// Goes from a state to the one after a joint move that `choose` picks, role by role: it is told how many legal moves the
    /// role has, and gives the place of one. False where the game is over.
    ///
    /// # Errors
    /// A role that has no legal move.
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
            let chosen = self.outputs.legal.choose(&self.evaluator, role, &mut self.bits, choose);
            joint_move.push(chosen.ok_or(Role::new(role))?);
        }
        self.make(joint_move, state);
        Ok(true)
    }

    /// The goal values of a role that hold, as places in [`Program::goals`].
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
}
