//! Found plans as answers.

use crate::repl::answer::SearchFound;
use gdl::rules::GroundTerm;
use ggp_game::{Move, Reasoner, Utility};
use ggp_play::ask::Planned;
use ggp_search::{AllPlans, OptimalPlans, Plan};

/// The default number of plans that `--all` and `--optimal` list.
pub(super) const LISTED_PLANS: usize = 20;

/// What a search has found as an answer; `goal` is the requested utility.
pub(super) fn found<R: Reasoner>(reasoner: &R, planned: Planned, goal: Option<Utility>) -> SearchFound {
    match planned {
        Planned::Plan(plan) => found_plan(reasoner, goal)(plan),
        Planned::Move(chosen, utility) => SearchFound::Move { chosen: reasoner.move_term(chosen), utility },
        Planned::Score(utility) => SearchFound::Score { utility },
    }
}

/// The answer for a plan, with the requested utility if the plan reaches less.
pub(super) fn found_plan<R: Reasoner>(reasoner: &R, goal: Option<Utility>) -> impl Fn(Plan) -> SearchFound {
    move |Plan { moves, utility }| SearchFound::Plan {
        plan: Plan { moves: terms(reasoner, &moves), utility },
        missed: goal.filter(|&goal| utility < goal),
    }
}

/// The answer for every shortest plan.
pub(super) fn found_plans<R: Reasoner>(reasoner: &R) -> impl Fn(AllPlans) -> SearchFound {
    move |AllPlans { count, plans, utility, length }| {
        let plans = plans.iter().map(|moves| terms(reasoner, moves)).collect();
        SearchFound::Plans(AllPlans { count, plans, utility, length })
    }
}

/// The answer for every plan to the best utility.
pub(super) fn found_optimal_plans<R: Reasoner>(reasoner: &R) -> impl Fn(OptimalPlans) -> SearchFound {
    move |OptimalPlans { lengths, plans, utility }| {
        let plans = plans.iter().map(|moves| terms(reasoner, moves)).collect();
        SearchFound::OptimalPlans(OptimalPlans { lengths, plans, utility })
    }
}

/// The moves of a plan as terms.
fn terms<R: Reasoner>(reasoner: &R, moves: &[Move]) -> Vec<GroundTerm> {
    moves.iter().map(|&chosen| reasoner.move_term(chosen)).collect()
}
