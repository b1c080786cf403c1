//! `plan check`: evaluates a given plan.

use super::{Budget, Form, Outcome, Problem, SearchError, Stop, breadth_first};
use crate::game::{BatchReasoner, Move, Reasoner, Role, Utility};
use crate::number::to_u32;

/// The result of checking a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanCheck {
    /// How far the plan can be followed.
    pub end: PlanEnd,
    /// The utility at its end, if it ends the game.
    pub utility: Option<Utility>,
    /// The fewest moves to a utility as good, if the plan ends the game and the search found it.
    pub fewest: Option<u32>,
    /// The limit that kept the search from finding it.
    pub stopped: Option<Stop>,
}

/// How far a plan can be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanEnd {
    /// All moves are legal, and the last one ends the game.
    Complete,
    /// All moves are legal, and the game is not over.
    Open,
    /// The move with this index, from 0, is not legal.
    Illegal(usize),
    /// The game is over before the move with this index, from 0.
    Over(usize),
}

/// Follows a plan from a state: is it legal, does it end the game, what is its utility, and is there a shorter plan for
/// as good a utility?
///
/// - Precondition: one role.
/// - Guarantee: exact; whether a shorter plan exists is left open if the budget is too small.
/// - Cost: that of the plan, and of [`breadth_first()`] up to its length.
pub fn plan_check<R: BatchReasoner>(
    reasoner: &mut R,
    state: &R::State,
    plan: &[Move],
    budget: &Budget,
) -> Result<Outcome<PlanCheck>, SearchError> {
    SearchError::unless_one_role(reasoner.roles())?;
    let (end, utility) = follow(reasoner, state, plan)?;
    let Some(utility) = utility else {
        let check = PlanCheck { end, utility, fewest: None, stopped: None };
        return Ok(Outcome { answer: Some(check), stopped: None, cost: super::Cost::default() });
    };
    let problem = Problem { goal: Some(utility), form: Form::Graph, ..Problem::new(state) };
    let Outcome { answer, stopped, cost } = breadth_first(reasoner, &problem, budget, ())?;
    let fewest = answer.filter(|found| found.utility >= utility).map(|found| to_u32(found.moves.len()));
    let check = PlanCheck { end, utility: Some(utility), fewest, stopped: stopped.filter(|_| fewest.is_none()) };
    Ok(Outcome { stopped: check.stopped, answer: Some(check), cost })
}

fn follow<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    plan: &[Move],
) -> Result<(PlanEnd, Option<Utility>), SearchError> {
    let player = Role::new(0);
    let (mut state, mut legal) = (state.clone(), Vec::new());
    for (index, &chosen) in plan.iter().enumerate() {
        if reasoner.is_terminal(&state)? {
            return Ok((PlanEnd::Over(index), None));
        }
        reasoner.legal_moves(&state, player, &mut legal)?;
        if !legal.contains(&chosen) {
            return Ok((PlanEnd::Illegal(index), None));
        }
        state = reasoner.next_state(&state, &[chosen])?;
    }
    if !reasoner.is_terminal(&state)? {
        return Ok((PlanEnd::Open, None));
    }
    Ok((PlanEnd::Complete, Some(reasoner.goal(&state, player)?)))
}
