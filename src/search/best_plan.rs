//! `bestplan`: a line of moves to the best utility in a one-player game.

use super::budget::Meter;
use super::max_score::no_move;
use super::outcome::Halt;
use super::{Budget, Outcome, SearchError};
use crate::game::{Move, Reasoner, Role, Utility};

/// Moves from a state to a terminal one, and what that is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The moves, the first one first.
    pub moves: Vec<Move>,
    /// The utility at its end.
    pub utility: Utility,
}

/// The first plan, in canonical order, that reaches the best utility. It need not be the shortest.
///
/// - Precondition: one role.
/// - Guarantee: exact where the game tree below the state is finite and the budget allows; otherwise the best plan found.
/// - Cost: that of [`super::max_score()`].
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small single-player games.
#[doc(alias = "bestplan")]
pub fn best_plan<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    budget: &Budget,
) -> Result<Outcome<Plan>, SearchError> {
    SearchError::unless_one_role(reasoner.roles())?;
    let mut search = Search { reasoner, meter: Meter::start(budget), line: Vec::new(), best: None };
    let end = search.explore(state);
    search.meter.best_so_far(end.err(), search.best)
}

struct Search<'a, R> {
    reasoner: &'a mut R,
    meter: Meter<'a>,
    /// The moves from the first state to the one being explored.
    line: Vec<Move>,
    /// The first of the best whole lines so far.
    best: Option<Plan>,
}

/// Whether a plan has been found that none can beat.
type Done = bool;

impl<R: Reasoner> Search<'_, R> {
    fn explore(&mut self, state: &R::State) -> Result<Done, Halt> {
        self.meter.visit(self.line.len() as u32)?;
        if self.reasoner.is_terminal(state)? {
            let utility = self.reasoner.goal(state, Role::new(0))?;
            if self.best.as_ref().is_none_or(|best| utility > best.utility) {
                self.best = Some(Plan { moves: self.line.clone(), utility });
            }
            return Ok(utility >= Utility::MAX);
        }
        self.meter.expand();
        let mut moves = Vec::new();
        self.reasoner.legal_moves(state, Role::new(0), &mut moves)?;
        if moves.is_empty() {
            return Err(no_move(self.reasoner).into());
        }
        for chosen in moves {
            let next = self.reasoner.next_state(state, &[chosen])?;
            self.line.push(chosen);
            let done = self.explore(&next)?;
            self.line.pop();
            if done {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
