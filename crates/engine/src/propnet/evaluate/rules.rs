//! The machine that asks the rules of the game instead of a network.
//!
//! A network has a gate for everything that can happen, and a state needs little of it. Where a rule computes with
//! numbers, say adds those that six players name, the network has a gate for each sum and each pair of addends, and
//! the interpreter looks up one fact. So where a network is large, the rules compete with the evaluators, and states
//! stay those of the network, which lanes and keys need. The room knows the interpreter as [`RuleAnswers`] only.

use super::incremental::Incremental;
use super::machine::Machine;
use crate::program::Program;
use ggp_game::Role;
use std::fmt;
use std::sync::Arc;

/// The rules of a game, asked about states of its network: words of bits, and moves and goal values as indices into
/// [`Program::moves`] and [`Program::goals`]. An answer is `None` if the rules have none, because a limit was met or
/// because it has a fact that the network does not know.
pub(crate) trait RuleAnswers: fmt::Debug + Send + Sync {
    /// Separate answers for the same game.
    fn fork(&self) -> Box<dyn RuleAnswers>;

    /// True if a state is terminal.
    fn is_terminal(&mut self, state: &[usize]) -> Option<bool>;

    /// Replaces `moves` by the legal moves of a role in canonical order.
    fn legal_moves(&mut self, state: &[usize], role: usize, moves: &mut Vec<u32>) -> Option<()>;

    /// Writes the state after a joint move to `next`.
    fn next_state(&mut self, state: &[usize], joint_move: &[u32], next: &mut [usize]) -> Option<()>;

    /// The goal values of a role that hold.
    fn goals(&mut self, state: &[usize], role: usize) -> Option<Vec<usize>>;
}

impl Clone for Box<dyn RuleAnswers> {
    fn clone(&self) -> Self {
        self.fork()
    }
}

/// The rules at work on one game, with a machine that answers where they do not.
#[derive(Clone, Debug)]
pub(in crate::propnet) struct RulesMachine {
    program: Arc<Program>,
    rules: Box<dyn RuleAnswers>,
    network: Machine<Incremental>,
    /// Scratch: the legal moves of a role, and the state before a step.
    legal: Vec<u32>,
    before: Vec<usize>,
}

impl RulesMachine {
    /// A machine that asks these rules.
    pub(super) fn new(program: &Arc<Program>, rules: Box<dyn RuleAnswers>, network: Machine<Incremental>) -> Self {
        Self { program: Arc::clone(program), rules, network, legal: Vec::new(), before: Vec::new() }
    }

    /// As `Machine::is_terminal`.
    pub(in crate::propnet) fn is_terminal(&mut self, state: &[usize]) -> bool {
        let answer = self.rules.is_terminal(state);
        answer.unwrap_or_else(|| self.network.is_terminal(state))
    }

    /// As `Machine::each_legal_move`.
    pub(in crate::propnet) fn each_legal_move(&mut self, state: &[usize], role: usize, each: impl FnMut(u32)) {
        match self.rules.legal_moves(state, role, &mut self.legal) {
            Some(()) => self.legal.iter().copied().for_each(each),
            None => self.network.each_legal_move(state, role, each),
        }
    }

    /// As `Machine::next_state`.
    pub(in crate::propnet) fn next_state(&mut self, state: &[usize], joint_move: &[u32], next: &mut [usize]) {
        if self.rules.next_state(state, joint_move, next).is_none() {
            self.network.next_state(state, joint_move, next);
        }
    }

    /// As `Machine::random_step`.
    pub(in crate::propnet) fn random_step(
        &mut self,
        state: &mut [usize],
        joint_move: &mut Vec<u32>,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<bool, Role> {
        if self.is_terminal(state) {
            return Ok(false);
        }
        joint_move.clear();
        for role in 0..self.program.roles.len() {
            let mut legal = std::mem::take(&mut self.legal);
            if self.rules.legal_moves(state, role, &mut legal).is_none() {
                legal.clear();
                self.network.each_legal_move(state, role, |chosen| legal.push(chosen));
            }
            let chosen = (!legal.is_empty()).then(|| legal[choose(legal.len())]);
            self.legal = legal;
            joint_move.push(chosen.ok_or(Role::new(role))?);
        }
        let mut before = std::mem::take(&mut self.before);
        before.clear();
        before.extend_from_slice(state);
        self.next_state(&before, joint_move, state);
        self.before = before;
        Ok(true)
    }

    /// As `Machine::goals`.
    pub(in crate::propnet) fn goals(&mut self, state: &[usize], role: usize) -> std::vec::IntoIter<usize> {
        let answer = self.rules.goals(state, role);
        answer.unwrap_or_else(|| self.network.goals(state, role).collect()).into_iter()
    }

    /// As `Machine::features`; the rules of the game know none.
    pub(in crate::propnet) fn features(&mut self, state: &[usize], among: &[u32]) -> std::vec::IntoIter<u32> {
        let features: Vec<u32> = self.network.features(state, among).collect();
        features.into_iter()
    }
}
