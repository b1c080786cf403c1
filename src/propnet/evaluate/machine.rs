//! An evaluator with everything that a game is asked: legal moves, next states, the end, goals.

use super::effects::{Effects, MovePart};
use super::outputs::Outputs;
use super::{Evaluator, compute};
use crate::propnet::program::Program;
use std::sync::Arc;

/// What machines of one program share.
#[derive(Debug)]
pub(in crate::propnet) struct Parts {
    pub(in crate::propnet) program: Arc<Program>,
    pub(in crate::propnet) outputs: Outputs,
    pub(in crate::propnet) moves: Arc<MovePart>,
}

impl Parts {
    pub(in crate::propnet) fn new(program: Program) -> Self {
        let program = Arc::new(program);
        let outputs = Outputs::new(&program);
        let moves = Arc::new(MovePart::new(&program, &outputs.moved));
        Self { program, outputs, moves }
    }
}

/// An evaluator at work on one game.
#[derive(Clone, Debug)]
pub(in crate::propnet) struct Machine<E> {
    parts: Arc<Parts>,
    evaluator: E,
    effects: Effects,
    /// The bits that change with the joint move.
    changes: Vec<usize>,
    /// Legal moves that are being listed.
    moves: Vec<u32>,
    /// Whether the goal part has been computed for the current state.
    knows_goals: bool,
}

impl<E: Evaluator> Machine<E> {
    pub(in crate::propnet) fn new(parts: &Arc<Parts>, evaluator: E) -> Self {
        Self {
            evaluator,
            effects: Effects::new(Arc::clone(&parts.moves)),
            changes: vec![0; parts.outputs.state_words],
            moves: Vec::new(),
            knows_goals: false,
            parts: Arc::clone(parts),
        }
    }

    /// Makes a state the current one.
    #[inline]
    fn go_to(&mut self, state: &[usize]) {
        if self.evaluator.state() != state {
            self.evaluator.go_to(state);
            self.knows_goals = false;
        }
    }

    /// Whether the game is over.
    pub(in crate::propnet) fn is_terminal(&mut self, state: &[usize]) -> bool {
        self.go_to(state);
        self.parts.outputs.is_terminal(self.evaluator.outputs())
    }

    /// The legal moves of a role, in canonical order, as places in [`Program::moves`].
    pub(in crate::propnet) fn legal_moves(&mut self, state: &[usize], role: usize) -> &[u32] {
        self.go_to(state);
        self.parts.outputs.legal.list(&self.evaluator, role, &mut self.moves);
        &self.moves
    }

    /// The legal move at the place that `choose` names.
    pub(in crate::propnet) fn choose(
        &mut self,
        state: &[usize],
        role: usize,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Option<u32> {
        self.go_to(state);
        self.parts.outputs.legal.choose(&self.evaluator, role, choose, &mut self.moves)
    }

    /// Writes the state after a joint move, one place in [`Program::moves`] a role, to `next`.
    pub(in crate::propnet) fn next_state(&mut self, state: &[usize], joint_move: &[u32], next: &mut [usize]) {
        self.go_to(state);
        let outputs = &self.parts.outputs;
        for (word, changes) in self.changes.iter_mut().enumerate() {
            *changes = (self.evaluator.outputs()[word] ^ state[word]) & outputs.unmoved[word];
        }
        self.effects.apply(joint_move, &mut self.evaluator, &mut self.changes);
        for (word, changes) in self.changes.iter().enumerate() {
            next[word] = state[word] ^ changes;
        }
    }

    /// The goal values of a role that hold, as places in [`Program::goals`].
    pub(in crate::propnet) fn goals(&mut self, state: &[usize], role: usize) -> impl Iterator<Item = usize> {
        self.go_to(state);
        if !self.knows_goals {
            compute(&self.parts.program, self.parts.program.goal_gates.clone(), &mut self.evaluator);
            self.knows_goals = true;
        }
        let goals = self.parts.program.goals.iter().zip(&self.parts.program.goal).enumerate();
        let of_role = goals.filter(move |(_, (goal, _))| goal.role.index() == role);
        of_role.filter(|&(_, (_, &wire))| self.evaluator.value(wire)).map(|(place, _)| place)
    }
}
