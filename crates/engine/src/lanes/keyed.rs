//! Questions about states that are given as keys: the words of a key are a row, so no state is made.

use super::ask::{Answers, GoalStates, Questions};
use super::back_ends::BackEnds;
use super::error::LanesError;
use crate::program::Program;
use gdl::limits::Limits;
use ggp_game::Coding;

/// A game compiled for questions about states that are written in a code.
#[derive(Debug)]
pub(crate) struct KeyQuestions(Questions);

impl KeyQuestions {
    /// Compiles a program for states in this code, which have one bit at least. Linear in the gates.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the work, or if even the portable loop differs from the
    /// program.
    pub(crate) fn within(
        program: &Program,
        coding: &Coding,
        back_ends: &BackEnds,
        limits: &Limits,
    ) -> Result<Self, LanesError> {
        Questions::coded(program, coding, back_ends, limits).map(Self)
    }

    /// The same with memory of its own; the compiled parts are shared.
    pub(crate) fn fork(&self) -> Self {
        Self(self.0.fork())
    }

    /// Evaluates the states of these keys, and replaces the content of `answers`. Goal values are those of terminal
    /// states.
    pub(crate) fn evaluate(&mut self, keys: &[u64], answers: &mut Answers) {
        let (rows, bits) = self.0.rows();
        rows.take_words(bits, keys);
        self.0.evaluate_rows(GoalStates::Terminal, answers);
    }

    /// The keys of the states after joint moves, in sequence. `from` has the indices of the keys in which the joint
    /// moves are made, and `joint_moves` one move for each role, as indices into [`Program::moves`].
    pub(crate) fn next(&mut self, keys: &[u64], from: &[u32], joint_moves: &[u32]) -> &[u64] {
        let (rows, bits) = self.0.rows();
        rows.take_some(bits, keys, from);
        self.0.next_rows(joint_moves).words()
    }
}
