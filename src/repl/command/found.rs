//! Found plans as answers.

use crate::game::{Reasoner, Utility};
use crate::repl::answer::Found;
use crate::search::{AllPlans, Plan};

/// The default number of plans that `--all` and `--optimal` list.
pub(super) const LISTED_PLANS: usize = 20;

/// The answer for a plan, with the requested utility if the plan reaches less.
pub(super) fn found_plan<R: Reasoner>(reasoner: &R, goal: Option<Utility>) -> impl Fn(Plan) -> Found {
    move |plan| Found::Plan {
        moves: plan.moves.into_iter().map(|chosen| reasoner.move_term(chosen)).collect(),
        utility: plan.utility,
        missed: goal.filter(|&goal| plan.utility < goal),
    }
}

/// The answer for every shortest plan.
pub(super) fn found_plans<R: Reasoner>(reasoner: &R) -> impl Fn(AllPlans) -> Found {
    let terms = |moves: Vec<_>| moves.into_iter().map(|chosen| reasoner.move_term(chosen)).collect();
    move |AllPlans { count, plans, utility, length }| Found::Plans {
        count,
        plans: plans.into_iter().map(|plan| terms(plan.moves)).collect(),
        utility,
        length,
    }
}
