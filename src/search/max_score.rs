//! `maxscore`: the best utility that the player of a one-player game can reach.

use super::budget::Meter;
use super::outcome::Halt;
use super::{Budget, Outcome, SearchError};
use crate::game::{Move, ReasonError, Reasoner, Role, Utility};

/// The best utility that can be reached from a state by any line of moves.
///
/// - Precondition: one role.
/// - Guarantee: exact where the game tree below the state is finite and the budget allows; otherwise the best found.
/// - Cost: every node of the tree below the state, up to the first terminal one that is worth 100.
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small single-player games.
#[doc(alias = "maxscore")]
pub fn max_score<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    budget: &Budget,
) -> Result<Outcome<Utility>, SearchError> {
    SearchError::unless_one_role(reasoner.roles())?;
    let mut search = Search::start(reasoner, budget);
    let end = search.score(state, 0);
    search.meter.outcome(end, search.best)
}

/// One depth-first search, and the best utility of a terminal state that it has met.
pub(super) struct Search<'a, R> {
    pub(super) reasoner: &'a mut R,
    pub(super) meter: Meter<'a>,
    pub(super) best: Option<Utility>,
}

impl<'a, R: Reasoner> Search<'a, R> {
    /// Nothing visited yet.
    pub(super) fn start(reasoner: &'a mut R, budget: &'a Budget) -> Self {
        Self { reasoner, meter: Meter::start(budget), best: None }
    }

    /// The best utility below a state.
    pub(super) fn score(&mut self, state: &R::State, depth: u32) -> Result<Utility, Halt> {
        self.meter.visit(depth)?;
        if self.reasoner.is_terminal(state)? {
            let utility = self.reasoner.goal(state, Role::new(0))?;
            self.best = self.best.max(Some(utility));
            return Ok(utility);
        }
        let mut best = None;
        for chosen in self.expand(state)? {
            let next = self.reasoner.next_state(state, &[chosen])?;
            best = best.max(Some(self.score(&next, depth + 1)?));
            if best >= Some(Utility::MAX) {
                break;
            }
        }
        best.ok_or_else(|| no_move(self.reasoner).into())
    }

    /// The moves of a state that has been visited and is not terminal.
    pub(super) fn expand(&mut self, state: &R::State) -> Result<Vec<Move>, Halt> {
        self.meter.expand();
        let mut moves = Vec::new();
        self.reasoner.legal_moves(state, Role::new(0), &mut moves)?;
        Ok(moves)
    }
}

/// The error of a state where the one player cannot move.
pub(super) fn no_move<R: Reasoner>(reasoner: &R) -> ReasonError {
    ReasonError::NoLegalMove { role: reasoner.roles()[0].clone() }
}
