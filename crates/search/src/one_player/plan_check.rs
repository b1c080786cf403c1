//! `plan check`: judges a given plan by the textbook's words.

use super::problem::PLAYER;
use crate::{Budget, Cost, Form, Outcome, Problem, SearchError, breadth_first, max_score};
use gdl::limits::Stop;
use gdl::number::to_u32;
use ggp_game::{BatchReasoner, Move, Reasoner, Utility};

/// A plan, judged. In the textbook's words a plan is *legal* if each move is legal where it is made, *complete* if it
/// leads to a terminal state, *minimal* if no state before its end is terminal, and *optimal* if no plan leads to a
/// greater utility. None of these says anything about its length: *shortest* is a further word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanCheck {
    /// The point up to which the plan can be followed.
    pub end: PlanEnd,
    /// The utility at its end, if it ends the game.
    pub utility: Option<Utility>,
    /// The greatest utility that any plan reaches, if the plan ends the game and the search found it.
    pub best: Option<Utility>,
    /// The fewest moves to a utility as good, if the plan ends the game and the search found it.
    pub fewest: Option<u32>,
    /// The limit that kept the search from finding them.
    pub stopped: Option<Stop>,
}

/// Point up to which a plan can be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanEnd {
    /// All moves are legal, and the last one ends the game.
    Complete,
    /// All moves are legal, and the game is not over.
    Open,
    /// The move with this index, from 0, is not legal.
    Illegal(usize),
    /// A state before the end of the plan is terminal, so it is not followed further.
    Over {
        /// The index, from 0, of the move that would be made in the terminal state.
        index: usize,
        /// True if the rules call this move and those after it legal, as they may.
        is_legal: bool,
    },
}

/// Follows a plan from a state, and judges if it is legal, complete, minimal, optimal and shortest.
///
/// - Precondition: one role.
/// - Guarantee: exact; whether a better or shorter plan exists is left open if the budget is too small.
/// - Cost: that of the plan, of [`breadth_first()`] up to its length and, unless its utility is the greatest that there
///   is, of [`max_score()`].
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small single-player games.
pub fn plan_check<R: BatchReasoner>(
    reasoner: &mut R,
    state: &R::State,
    plan: &[Move],
    budget: &Budget,
) -> Result<Outcome<PlanCheck>, SearchError> {
    SearchError::unless_one_role(reasoner.roles())?;
    let (end, utility) = follow(reasoner, state, plan)?;
    let mut check = PlanCheck { end, utility, best: None, fewest: None, stopped: None };
    let mut cost = Cost::default();
    if let Some(utility) = utility {
        let problem = Problem { goal: Some(utility), form: Form::Graph, ..Problem::new(state) };
        let shortest = breadth_first(reasoner, &problem, budget, ())?;
        cost = shortest.cost;
        check.fewest = shortest.answer.filter(|found| found.utility >= utility).map(|found| to_u32(found.moves.len()));
        check.stopped = if check.fewest.is_none() { shortest.stopped } else { None };
        // No plan reaches more, so no search is needed.
        if utility == reasoner.utility_range().most {
            check.best = Some(utility);
        } else {
            let best = max_score(reasoner, &Problem::new(state), budget, ())?;
            cost = cost.with(best.cost);
            check.best = if best.stopped.is_none() { best.answer } else { None };
            check.stopped = check.stopped.or(best.stopped);
        }
    }
    Ok(Outcome { stopped: check.stopped, answer: Some(check), cost })
}

fn follow<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    plan: &[Move],
) -> Result<(PlanEnd, Option<Utility>), SearchError> {
    let mut state = state.clone();
    let mut legal = Vec::new();
    for (index, &chosen) in plan.iter().enumerate() {
        reasoner.legal_moves(&state, PLAYER, &mut legal)?;
        let is_legal = legal.contains(&chosen);
        if reasoner.is_terminal(&state)? {
            let is_legal = are_legal(reasoner, state, &plan[index..])?;
            return Ok((PlanEnd::Over { index, is_legal }, None));
        }
        if !is_legal {
            return Ok((PlanEnd::Illegal(index), None));
        }
        state = reasoner.next_state(&state, &[chosen])?;
    }
    if !reasoner.is_terminal(&state)? {
        return Ok((PlanEnd::Open, None));
    }
    Ok((PlanEnd::Complete, Some(reasoner.goal(&state, PLAYER)?)))
}

/// True if each of some moves is legal where it is made, as the rules go on after the end of the game.
fn are_legal<R: Reasoner>(reasoner: &mut R, mut state: R::State, plan: &[Move]) -> Result<bool, SearchError> {
    let mut legal = Vec::new();
    for &chosen in plan {
        reasoner.legal_moves(&state, PLAYER, &mut legal)?;
        if !legal.contains(&chosen) {
            return Ok(false);
        }
        state = reasoner.next_state(&state, &[chosen])?;
    }
    Ok(true)
}
