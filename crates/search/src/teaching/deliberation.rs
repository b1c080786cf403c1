//! `deliberate`: the cost of searching the whole tree anew before each move, compared with planning once.

use crate::budget::Budget;
use crate::one_player::ordered_moves;
use crate::outcome::Halt;
use crate::{Cost, Outcome, Plan, Problem, SearchError, best_plan, max_score};
use gdl::limits::Stop;
use gdl::time::Instant;
use ggp_game::{Move, Reasoner, Role, Utility};
use serde::Serialize;

/// A game played by compulsive deliberation, beside the plan of a player that plans once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deliberation {
    /// The steps, first to last; if the search was stopped, those that were finished.
    pub steps: Vec<DeliberationStep>,
    /// The utility at the end of the game; `None` if the search was stopped before it.
    pub utility: Option<Utility>,
    /// The plan that is found once, with its utility.
    pub plan: Plan,
    /// The calls that the plan costs.
    pub planning: u64,
    /// True if planning was finished. If not, the plan is the best so far, and there are no steps.
    pub is_planned: bool,
}

/// A step of compulsive deliberation, with a move of a reasoner, or its term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DeliberationStep<M = Move> {
    /// The move that the step chose.
    #[serde(rename = "move")]
    pub chosen: M,
    /// The calls of the step, the one for its own state included.
    pub calls: u64,
    /// The utility that the move was found to reach.
    pub utility: Utility,
}

/// Choice among equally good moves.
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
/// - Guarantee: exact if the budget allows; otherwise the steps that were finished, each of them exact. The budget
///   limits all steps together.
/// - Cost: every node of the tree at the first step, and of a smaller one at each later step; with [`Ties::Costliest`]
///   the same for each line of equally good moves.
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
    let started = Instant::now();
    let cost = Cost::default();
    let mut deliberating = DeliberationRun { reasoner, problem, ties, budget, started, cost, stopped: None };
    let answer = deliberating.plan_and_deliberate()?;
    let cost = Cost { time: started.elapsed(), ..deliberating.cost };
    Ok(Outcome { answer, stopped: deliberating.stopped, cost })
}

struct DeliberationRun<'a, R: Reasoner> {
    reasoner: &'a mut R,
    problem: &'a Problem<'a, R::State>,
    ties: Ties,
    budget: &'a Budget,
    started: Instant,
    cost: Cost,
    /// The limit that was reached.
    stopped: Option<Stop>,
}

/// The rest of a game, and its cost in calls.
#[derive(Default)]
struct RestOfGame {
    /// The steps, last to first; without those that were not finished.
    steps: Vec<DeliberationStep>,
    calls: u64,
    /// The utility at the end; `None` if the search was stopped before it.
    utility: Option<Utility>,
}

impl<R: Reasoner> DeliberationRun<'_, R> {
    fn plan_and_deliberate(&mut self) -> Result<Option<Deliberation>, SearchError> {
        let problem = self.problem;
        let planned = best_plan(self.reasoner, problem, &self.left(), ())?;
        self.cost = self.cost.with(planned.cost);
        self.stopped = planned.stopped.map(|stop| self.budget.whole(stop));
        let Some(plan) = planned.answer else {
            self.stopped.get_or_insert(ENDLESS);
            return Ok(None);
        };
        let is_planned = self.stopped.is_none();
        let RestOfGame { mut steps, utility, .. } =
            if is_planned { self.rest(problem.state)? } else { RestOfGame::default() };
        steps.reverse();
        Ok(Some(Deliberation { steps, utility, plan, planning: planned.cost.nodes, is_planned }))
    }

    /// Deliberates from a state to the end of the game, or until it is stopped.
    fn rest(&mut self, state: &R::State) -> Result<RestOfGame, SearchError> {
        match self.step(state) {
            Ok(rest) => Ok(rest),
            Err(halt) => {
                self.stopped = Some(halt.stop()?);
                Ok(RestOfGame::default())
            }
        }
    }

    /// Makes one step and plays the rest of the game after it. A finished step stays, whatever stops a later one.
    fn step(&mut self, state: &R::State) -> Result<RestOfGame, Halt> {
        if self.reasoner.is_terminal(state)? {
            let utility = self.reasoner.goal(state, Role::new(0))?;
            return Ok(RestOfGame { utility: Some(utility), ..RestOfGame::default() });
        }
        let nodes_before = self.cost.nodes;
        let moves = self.scores(state)?;
        // One call for the state itself, and those of the searches after its moves.
        let calls = 1 + self.cost.nodes - nodes_before;
        let best = moves.iter().map(|&(_, utility)| utility).max();
        let equals = moves.iter().filter(|&&(_, utility)| Some(utility) == best);
        let equals: Vec<(Move, Utility)> = match self.ties {
            Ties::First => equals.take(1).copied().collect(),
            Ties::Costliest => equals.copied().collect(),
        };
        let mut worst: Option<RestOfGame> = None;
        for (chosen, utility) in equals {
            let mut rest = match self.reasoner.next_state(state, &[chosen]) {
                Ok(next) => self.rest(&next)?,
                Err(error) => {
                    self.stopped = Some(Halt::from(error).stop()?);
                    RestOfGame::default()
                }
            };
            rest.steps.push(DeliberationStep { chosen, calls, utility });
            rest.calls += calls;
            if worst.as_ref().is_none_or(|worst| rest.calls > worst.calls) {
                worst = Some(rest);
            }
            if self.stopped.is_some() {
                break;
            }
        }
        Ok(worst.expect("a state that is not terminal has a legal move"))
    }

    /// The utility that each move of a state can reach, in the order of moves.
    fn scores(&mut self, state: &R::State) -> Result<Vec<(Move, Utility)>, Halt> {
        let mut scores = Vec::new();
        for chosen in ordered_moves(self.reasoner, state, self.problem)? {
            let next = self.reasoner.next_state(state, &[chosen])?;
            let problem = Problem { state: &next, ..self.problem.clone() };
            let outcome = max_score(self.reasoner, &problem, &self.left(), ())?;
            self.cost = self.cost.with(outcome.cost);
            let (Some(utility), None) = (outcome.answer, outcome.stopped) else {
                return Err(self.budget.whole(outcome.stopped.unwrap_or(ENDLESS)).into());
            };
            scores.push((chosen, utility));
            // No later move can reach more, and the textbook examines none.
            if self.problem.is_solved_by(utility, self.reasoner.utility_range()) {
                break;
            }
        }
        Ok(scores)
    }

    /// The budget that is left.
    fn left(&self) -> Budget {
        self.budget.after(self.cost.nodes, self.started.elapsed())
    }
}

/// Limit that stopped a search which found no end although nothing stopped it: every line goes on for ever.
const ENDLESS: Stop = Stop::Depth { limit: Budget::DEPTH };
