//! `deliberate`: what it costs to search the whole tree anew before each move, compared with planning once.

use super::budget::Budget;
use super::{Cost, Outcome, Plan, Problem, SearchError, Stop, best_plan, max_score};
use crate::game::{Move, Reasoner, Role, Utility};
use std::time::Instant;

/// A game played by compulsive deliberation, beside the plan of a player that plans once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deliberation {
    /// The steps, first to last.
    pub steps: Vec<Step>,
    /// The utility at the end of the game.
    pub utility: Utility,
    /// The plan that is found once, with its utility.
    pub plan: Plan,
    /// The calls that the plan costs.
    pub planning: u64,
}

/// A step of compulsive deliberation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move that the step chose.
    pub chosen: Move,
    /// The calls of the step, the one for its own state included.
    pub calls: u64,
    /// The utility that the move was found to reach.
    pub utility: Utility,
}

/// Which of equally good moves is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The first in the order of moves, as the textbook has it.
    #[default]
    First,
    /// The one that makes the rest of the game cost most.
    Costliest,
}

/// Plays a game of one player by `bestmove` as the textbook has it: at each step it examines the whole tree below the
/// state, in the order of moves, and keeps nothing. With [`Problem::exit`] a step ends at the first move that is worth
/// the best possible utility.
///
/// - Precondition: one role, a state that is not terminal, and a finite tree.
/// - Guarantee: exact if the budget allows; otherwise there is no answer. The budget limits all steps together.
/// - Cost: every node of the tree at the first step, and of a smaller one at each later step; with
///   [`Ties::Costliest`] the same for each line of equally good moves.
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small single-player games.
pub fn deliberation<R: Reasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    ties: Ties,
    budget: &Budget,
) -> Result<Outcome<Deliberation>, SearchError> {
    SearchError::unless_one_role(reasoner.roles())?;
    if reasoner.is_terminal(problem.state)? {
        return Err(SearchError::Over);
    }
    let mut deliberating =
        Deliberating { reasoner, problem, ties, budget, started: Instant::now(), cost: Cost::default() };
    match deliberating.both() {
        Ok(answer) => Ok(Outcome { answer: Some(answer), stopped: None, cost: deliberating.total() }),
        Err(End::Stopped(stop)) => Ok(Outcome { answer: None, stopped: Some(stop), cost: deliberating.total() }),
        Err(End::Failed(error)) => Err(error),
    }
}

/// Why there is no answer.
enum End {
    Stopped(Stop),
    Failed(SearchError),
}

impl<E: Into<SearchError>> From<E> for End {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

struct Deliberating<'a, R: Reasoner> {
    reasoner: &'a mut R,
    problem: &'a Problem<'a, R::State>,
    ties: Ties,
    budget: &'a Budget,
    started: Instant,
    cost: Cost,
}

/// The rest of a game, and what it costs.
struct Rest {
    /// The steps, last to first.
    steps: Vec<Step>,
    calls: u64,
    utility: Utility,
}

impl<R: Reasoner> Deliberating<'_, R> {
    fn both(&mut self) -> Result<Deliberation, End> {
        let problem = self.problem;
        let planned = best_plan(self.reasoner, problem, &self.left(), ())?;
        self.cost = self.cost.with(planned.cost);
        let (Some(plan), None) = (planned.answer, planned.stopped) else { return Err(stopped(planned.stopped)) };
        let Rest { mut steps, utility, .. } = self.rest(problem.state)?;
        steps.reverse();
        Ok(Deliberation { steps, utility, plan, planning: planned.cost.nodes })
    }

    /// Deliberates from a state to the end of the game.
    fn rest(&mut self, state: &R::State) -> Result<Rest, End> {
        if self.reasoner.is_terminal(state)? {
            let utility = self.reasoner.goal(state, Role::new(0))?;
            return Ok(Rest { steps: Vec::new(), calls: 0, utility });
        }
        let (calls, scores) = self.scores(state)?;
        let best = scores.iter().map(|&(_, utility)| utility).max();
        let equals = scores.iter().filter(|&&(_, utility)| Some(utility) == best);
        let equals: Vec<(Move, Utility)> = match self.ties {
            Ties::First => equals.take(1).copied().collect(),
            Ties::Costliest => equals.copied().collect(),
        };
        let mut worst: Option<Rest> = None;
        for (chosen, utility) in equals {
            let next = self.reasoner.next_state(state, &[chosen])?;
            let mut rest = self.rest(&next)?;
            rest.steps.push(Step { chosen, calls, utility });
            rest.calls += calls;
            if worst.as_ref().is_none_or(|worst| rest.calls > worst.calls) {
                worst = Some(rest);
            }
        }
        Ok(worst.expect("a state that is not terminal has a legal move"))
    }

    /// The calls of one step, and what each of the moves that it examines is worth.
    fn scores(&mut self, state: &R::State) -> Result<(u64, Vec<(Move, Utility)>), End> {
        let (mut calls, mut scores) = (1, Vec::new());
        for chosen in super::problem::ordered_moves(self.reasoner, state, self.problem)? {
            let next = self.reasoner.next_state(state, &[chosen])?;
            let problem = Problem { state: &next, ..self.problem.clone() };
            let outcome = max_score(self.reasoner, &problem, &self.left(), ())?;
            self.cost = self.cost.with(outcome.cost);
            let (Some(utility), None) = (outcome.answer, outcome.stopped) else { return Err(stopped(outcome.stopped)) };
            calls += outcome.cost.nodes;
            scores.push((chosen, utility));
            if self.problem.is_solved_by(utility, self.reasoner.utility_range()) {
                break;
            }
        }
        Ok((calls, scores))
    }

    /// What is left of the budget.
    fn left(&self) -> Budget {
        self.budget.after(self.cost.nodes, self.started.elapsed())
    }

    fn total(&self) -> Cost {
        Cost { time: self.started.elapsed(), ..self.cost }
    }
}

/// The end of a search without an answer.
fn stopped(stop: Option<Stop>) -> End {
    // A search that is not stopped finds an end, or there is a move for ever; the limit on depth stops it then.
    stop.map_or(End::Stopped(Stop::Depth { limit: Budget::DEPTH }), End::Stopped)
}
