//! Questions to a network about many states at once, answered in lanes; searches use this.

use super::Propnet;
use super::joint::{add_joint_moves, goal_ranges, move_ranges};
use super::keys::Keys;
use crate::lanes::{Answers, GoalStates, Questions};
use crate::program::{NetworkState, Program};
use gdl::number::to_u32;
use ggp_game::{BatchReasoner, Expansions, KeyReasoner, ReasonError, Role, Utility};
use std::ops::Range;

/// The lanes that answer, made when they are first needed, and memory for their answers.
#[derive(Debug, Default)]
pub(super) struct BatchQuestions {
    questions: Option<Box<Questions>>,
    answers: Answers,
    /// For each successor to be computed: the joint move, as indices of moves, and the index of the state in which it
    /// is made.
    joint_moves: Vec<u32>,
    from: Vec<u32>,
}

/// A clone has lanes of its own, made of the same compiled game.
impl Clone for BatchQuestions {
    fn clone(&self) -> Self {
        let questions = self.questions.as_ref().map(|questions| Box::new(questions.fork()));
        Self { questions, ..Self::default() }
    }
}

impl BatchReasoner for Propnet {
    fn batch(&self) -> usize {
        Self::BATCH
    }

    fn expand(&mut self, states: &[&NetworkState], expansions: &mut Expansions<NetworkState>) {
        if states.len() < Self::FEWEST || !self.expand_as(states, expansions, |state| state, Some) {
            expansions.fill(self, states);
        }
    }

    fn find_ends(&mut self, states: &[&NetworkState], expansions: &mut Expansions<NetworkState>) {
        if states.len() < Self::FEWEST || !self.find_ends_as(states, expansions) {
            expansions.fill_ends(self, states);
        }
    }

    fn keys(&mut self, state: &NetworkState) -> Option<Box<dyn KeyReasoner>> {
        Some(Box::new(Keys::new(self, state)?))
    }
}

impl Propnet {
    /// The number of states that are best asked about at once.
    pub(crate) const BATCH: usize = 1 << 10;

    /// Fewer states than this are better asked about one by one: lanes cost the same, however few of them are used.
    pub const FEWEST: usize = 64;

    /// As [`BatchReasoner::expand`], but only in lanes, and for callers that wrap this engine's states in a type of
    /// their own. Returns false, and does nothing, if all lanes that can be made differ from the network.
    #[must_use]
    pub fn expand_as<S>(
        &mut self,
        states: &[&NetworkState],
        expansions: &mut Expansions<S>,
        wrap: impl Fn(NetworkState) -> S,
        unwrap: impl Fn(S) -> Option<NetworkState>,
    ) -> bool {
        let Some(mut questions) = self.take_questions() else { return false };
        let mut many = std::mem::take(&mut self.many);
        questions.evaluate(states.iter().copied(), GoalStates::Terminal, &mut many.answers);
        self.write_answers(&mut many, states.len(), expansions);
        let next = questions.next_states(many.from.iter().map(|&index| states[index as usize]), &many.joint_moves);
        for index in 0..next.len() {
            let spare = expansions.take_spare().and_then(&unwrap);
            expansions.push_successor(wrap(next.get(index, spare)));
        }
        many.questions = Some(questions);
        self.many = many;
        true
    }

    /// As [`BatchReasoner::find_ends`], under the conditions of [`Propnet::expand_as`].
    #[must_use]
    pub(crate) fn find_ends_as<S>(&mut self, states: &[&NetworkState], expansions: &mut Expansions<S>) -> bool {
        let Some(mut questions) = self.take_questions() else { return false };
        let mut answers = std::mem::take(&mut self.many.answers);
        questions.evaluate(states.iter().copied(), GoalStates::Terminal, &mut answers);
        let program = self.program();
        let goals = goal_ranges(program);
        expansions.clear(program.roles.len());
        for state in 0..states.len() {
            if answers.is_terminal(state) {
                expansions.push_end(ends(program, &answers, &goals, state));
            } else {
                expansions.push_unknown_turn();
            }
        }
        self.many.questions = Some(questions);
        self.many.answers = answers;
        true
    }

    /// The lanes that answer; `None` if all that can be made differ from the network.
    fn take_questions(&mut self) -> Option<Box<Questions>> {
        self.many.questions.take().or_else(|| self.questions().map(Box::new))
    }

    /// Writes everything but the successors, and records how these are to be computed.
    fn write_answers<S>(&self, many: &mut BatchQuestions, states: usize, expansions: &mut Expansions<S>) {
        let program = self.program();
        let moves = move_ranges(program);
        let goals = goal_ranges(program);
        expansions.clear(program.roles.len());
        many.joint_moves.clear();
        many.from.clear();
        let mut legal: Vec<Vec<u32>> = vec![Vec::new(); program.roles.len()];
        for state in 0..states {
            if many.answers.is_terminal(state) {
                expansions.push_end(ends(program, &many.answers, &goals, state));
                continue;
            }
            for (role, (legal, range)) in legal.iter_mut().zip(&moves).enumerate() {
                legal.clear();
                legal.extend(many.answers.legal(state, range.clone()).map(|index| to_u32(index)));
                if legal.is_empty() {
                    return expansions.fail(ReasonError::NoLegalMove { role: program.roles[role].clone() });
                }
            }
            for legal in &legal {
                expansions.push_legal(legal.iter().map(|&index| self.move_at(index)));
            }
            let count = legal.iter().map(Vec::len).fold(1, usize::saturating_mul);
            let is_held = count <= Expansions::<S>::MOST;
            let joint_moves = if is_held { add_joint_moves(&legal, &mut many.joint_moves) } else { 0 };
            expansions.push_turn(joint_moves);
            many.from.extend(std::iter::repeat_n(to_u32(state), joint_moves));
        }
    }
}

/// The goal of each role in a terminal state.
fn ends<'a>(
    program: &'a Program,
    answers: &'a Answers,
    goals: &'a [Range<usize>],
    state: usize,
) -> impl Iterator<Item = Result<Utility, ReasonError>> + 'a {
    (0..program.roles.len()).map(move |role| program.worth(Role::new(role), answers.goals(state, goals[role].clone())))
}
