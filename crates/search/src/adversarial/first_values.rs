//! The values of all first moves of a role, depth by depth: an analysis of a game of several players.

use super::alpha_beta::{AlphaBetaSearch, EqualMoves, Pruning};
use super::contest::{Contest, ContestSearch};
use super::turn::{PlaceSpan, RoleTurn};
use crate::outcome::Halt;
use crate::{Budget, Choice, Ordering, Outcome, SearchError, Value};
use gdl::sorting;
use ggp_game::{Move, Reasoner};
use std::cmp::Reverse;

/// The first moves of a role with their values at one depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstValues {
    /// The depth of the search, in joint moves.
    pub depth: u32,
    /// All first moves, the best first, those of equal value in canonical order; each with the line that follows it. If
    /// the first round was stopped, those that it had finished.
    pub moves: Vec<Choice>,
}

/// A first move with its value.
struct RatedFirst {
    value: Value,
    choice: Choice,
}

/// Searches after each first move of a role by alpha-beta to depth 1, then 2, and so on, until the answer is exact or a
/// limit is reached; `watch` sees the reasoner and the first moves after each complete round. All rounds share one
/// table of states.
///
/// - Guarantee: each value is that of [`super::alpha_beta()`] from the state behind the move, to one joint move less:
///   so the best is that of the first state at the depth of the round.
/// - Cost: at most that of [`super::iterative_alpha_beta()`] after each first move.
/// - Source: the several principal variations of chess programs, as in the Universal Chess Interface's `MultiPV`.
pub fn first_values<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    watch: &mut dyn FnMut(&mut R, &FirstValues),
) -> Result<Outcome<FirstValues>, SearchError> {
    if reasoner.is_terminal(contest.state)? {
        return Err(SearchError::Over);
    }
    let (search, state) = ContestSearch::start(reasoner, contest, budget, ());
    let last = search.task.horizon.unwrap_or(Budget::DEPTH).max(1);
    let pruning = Pruning { ordering: Ordering::Table, table: true, ties: EqualMoves::Unknown, ..Pruning::default() };
    let mut rounds = ValueRounds { alpha_beta: AlphaBetaSearch::new(search, pruning, budget), state };
    let mut answer: Option<FirstValues> = None;
    let mut halt = None;
    for depth in 1..=last {
        let (mut rated, end) = rounds.round(depth);
        sorting::sort_by_key(&mut rated, |rated| Reverse(rated.value));
        let values = FirstValues { depth, moves: rated.into_iter().map(|rated| rated.choice).collect() };
        match end {
            Ok(_) => watch(rounds.alpha_beta.search.reasoner, answer.insert(values)),
            Err(_) => answer = answer.or(Some(values).filter(|values| !values.moves.is_empty())),
        }
        match end {
            Ok(true) => {}
            Ok(false) => {
                rounds.alpha_beta.search.is_cut = false;
                break;
            }
            Err(error) => {
                halt = Some(error);
                break;
            }
        }
    }
    let mut outcome = rounds.alpha_beta.search.outcome(halt, answer, false)?;
    // The searches begin behind the first moves.
    outcome.cost.depth += u32::from(outcome.cost.nodes > 0);
    Ok(outcome)
}

/// The rounds of the search.
struct ValueRounds<'a, R: Reasoner> {
    alpha_beta: AlphaBetaSearch<'a, R, ()>,
    state: &'a R::State,
}

impl<R: Reasoner> ValueRounds<'_, R> {
    /// The first moves that could be searched to a depth, and whether the horizon cut something off.
    fn round(&mut self, depth: u32) -> (Vec<RatedFirst>, Result<bool, Halt>) {
        let mut rated = Vec::new();
        let mut turn = match self.alpha_beta.search.turn(self.state) {
            Ok(turn) => turn,
            Err(error) => return (rated, Err(error)),
        };
        self.alpha_beta.search.task.horizon = Some(depth - self.alpha_beta.search.step(&turn.choosing));
        let mut is_cut = false;
        for (replies, _) in turn.span().parts(turn.replies()) {
            match self.option(&mut turn, replies) {
                Ok(found) => rated.push(found),
                Err(error) => return (rated, Err(error)),
            }
            is_cut |= self.alpha_beta.search.is_cut;
        }
        self.alpha_beta.search.is_cut = is_cut;
        (rated, Ok(is_cut))
    }

    /// A first move with the value of the others' best reply.
    fn option(&mut self, turn: &mut RoleTurn<R::State>, replies: PlaceSpan) -> Result<RatedFirst, Halt> {
        let mut worst: Option<(Value, Vec<Move>, Choice)> = None;
        let mut is_cut = false;
        for (reply, _) in replies.parts(1) {
            let next = turn.make(self.alpha_beta.search.reasoner, self.state, reply.first())?;
            let mut end = self.alpha_beta.run(next.state, self.alpha_beta.first_window());
            self.alpha_beta.continue_line(next.state, &mut end);
            let found = end?;
            is_cut |= self.alpha_beta.search.is_cut;
            if worst.as_ref().is_none_or(|(value, ..)| found.value < *value) {
                let choice = self.alpha_beta.search.choice(next.state, &found);
                worst = Some((found.value, next.joint_move.to_vec(), choice));
            }
        }
        self.alpha_beta.search.is_cut = is_cut;
        let (value, joint_move, choice) = worst.expect("there is a joint move for each move of the role");
        let chosen = Some(joint_move[self.alpha_beta.search.task.role.index()]);
        let line = std::iter::once(joint_move).chain(choice.line).collect();
        Ok(RatedFirst { value, choice: Choice { chosen, line, ..choice } })
    }
}
