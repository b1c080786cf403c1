//! A player of games of one role that asks a search for a plan at each turn: the search that bears its name, with the same
//! options as at the prompt.

use crate::ask::budget::QuestionBudget;
use crate::ask::options::DEPTH;
use crate::ask::plan::HEURISTIC;
use crate::ask::{ApproachError, PlanAlgorithm, PlanQuestion, Planned, SearchSpec};
use crate::equipment::Equipment;
use crate::finding::log_search;
use crate::judge::{load_sheet, set_up_limits};
use crate::{Deadline, PlayerError, Position, Start, Strategy};
use gdl::limits::Limits;
use ggp_engine::ground::GroundBudget;
use ggp_engine::{Engine, EngineState, Feature, FeaturedGame, FeaturedState, Measure, RelaxedHeuristic};
use ggp_game::{Heuristic, Move, Reasoner};
use ggp_search::Budget;
use std::sync::Arc;

/// Makes the first move of the plan that the search finds within the clock, and forgets the rest.
pub(crate) struct PlanningSearcher {
    algorithm: PlanAlgorithm,
    spec: SearchSpec,
    /// The seed of random orders, if the options have none.
    seed: u64,
    /// The memory limit, in bytes.
    memory: u64,
    guide: Guide,
}

/// What guides the search.
enum Guide {
    Nothing,
    /// The rules of a sheet.
    Sheet(Box<FeaturedGame>),
    /// What is computed from the rules of the game.
    Relaxed(Box<RelaxedHeuristic>),
}

impl PlanningSearcher {
    /// Makes a player that asks a search with these options.
    pub(crate) fn new(algorithm: PlanAlgorithm, spec: SearchSpec, seed: u64, memory: u64) -> Self {
        Self { algorithm, spec, seed, memory, guide: Guide::Nothing }
    }

    fn budget(&self, position: &Position, stop: Deadline) -> QuestionBudget {
        let budget = Budget::new().with_time(stop.remaining()).with_memory(self.memory);
        let budget = budget.with_interrupt(Arc::clone(&position.interrupt));
        QuestionBudget::of_match(match self.spec.number(&DEPTH) {
            Some(depth) => budget.with_depth(depth),
            None => budget,
        })
    }
}

impl Strategy for PlanningSearcher {
    fn name(&self) -> String {
        self.algorithm.name().to_string()
    }

    fn prepare(&mut self, start: &Start, _: &mut Position, _: Deadline) -> Result<(), PlayerError> {
        let Some(name) = self.spec.text(&HEURISTIC) else { return Ok(()) };
        self.guide = if let Some(measure) = Measure::find(name) {
            let goal = PlanQuestion::new(self.algorithm, &self.spec, self.seed).goal;
            let budget = GroundBudget::new().with_limits(&set_up_limits(start));
            Guide::Relaxed(Box::new(RelaxedHeuristic::within(&start.game.rules, measure, goal, &budget)?))
        } else {
            Guide::Sheet(Box::new(load_sheet(name, Feature::Heuristic, start)?))
        };
        Ok(())
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let question = PlanQuestion::new(self.algorithm, &self.spec, self.seed);
        let budget = self.budget(position, stop);
        let Position { engine, state, interrupt, .. } = position;
        match &mut self.guide {
            Guide::Nothing => ask(&question, engine, state, None, &budget),
            Guide::Relaxed(relaxed) => ask(&question, engine, state, Some(&mut **relaxed), &budget),
            Guide::Sheet(featured) => {
                featured.set_limits(Limits::new().with_interrupt(interrupt.clone()));
                let facts = engine.facts(state);
                let FeaturedState { engine: reasoner, state, features, .. } = featured.at(&facts, true)?;
                let chosen = ask(&question, reasoner, &state, Some(features), &budget)?;
                let term = chosen.map(|chosen| reasoner.move_term(chosen));
                Ok(term.map(|term| engine.find_move(&term)).transpose()?)
            }
        }
    }

    fn equipped(&mut self, equipment: Equipment, _: &mut Position) {
        if let (Equipment::Engine, Guide::Relaxed(relaxed)) = (equipment, &mut self.guide) {
            relaxed.change_engine();
        }
    }

    fn forget(&mut self) {
        self.guide = Guide::Nothing;
    }
}

/// The first move of the plan that a search finds.
fn ask(
    question: &PlanQuestion,
    engine: &mut Engine,
    state: &EngineState,
    heuristic: Option<&mut dyn Heuristic<Engine>>,
    budget: &QuestionBudget,
) -> Result<Option<Move>, PlayerError> {
    let (problem, _) = question.problem(engine, state).map_err(|error| match error {
        ApproachError::Move(error) => PlayerError::Order(error),
        ApproachError::Reason(error) => PlayerError::Reason(error),
    })?;
    let outcome = question.ask(engine, &problem, heuristic, budget, None)?;
    log_search(question.algorithm.name(), &outcome, |planned| format!("worth {}", planned.utility()));
    Ok(outcome.answer.as_ref().and_then(Planned::first))
}
