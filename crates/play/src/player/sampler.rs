//! A player that asks random games at each turn: the search that bears its name, with the same options as at the prompt.

use crate::ask::budget::QuestionBudget;
use crate::ask::{PlayoutOptions, RandomPlay, SampleQuestion, Sampling, SearchSpec};
use crate::equipment::{Equipment, Requirement};
use crate::finding::log_search;
use crate::planning::budget;
use crate::{Deadline, PlayerError, Position, Start, Strategy};
use gdl::limits::Limits;
use ggp_engine::EngineLanes;
use ggp_game::{Move, Role};

/// Makes the move that random games recommend within the clock. It keeps nothing from move to move but the lanes.
pub(crate) struct Sampler {
    sampling: Sampling,
    spec: SearchSpec,
    /// The seed of each turn, if the options have none.
    seed: u64,
    /// The memory limit of a tree, in bytes.
    memory: u64,
    /// The lanes of the engine, once they have been asked for.
    lanes: Option<Option<EngineLanes>>,
}

impl Sampler {
    /// Makes a player that asks random games with these options.
    pub(crate) fn new(sampling: Sampling, spec: SearchSpec, seed: u64, memory: u64) -> Self {
        Self { sampling, spec, seed, memory, lanes: None }
    }

    fn question(&self, role: Role) -> SampleQuestion {
        SampleQuestion::new(self.sampling, role, &self.spec, self.seed)
    }

    /// Makes lanes of the width that the prompt takes, so that the same seed finds the same, if there is time for them
    /// until `stop`; until then games are played one after the other.
    fn make_lanes(&mut self, options: PlayoutOptions, position: &Position, stop: Deadline) {
        if self.lanes.is_none() {
            let limits = Limits::new().with_interrupt(position.interrupt.clone()).with_deadline(stop);
            let made = options.lanes().map(|wanted| position.engine.lanes_of_fixed_width(wanted, &limits));
            self.lanes = made.transpose().ok().map(Option::flatten);
        }
    }
}

impl Strategy for Sampler {
    fn name(&self) -> String {
        self.sampling.name().to_string()
    }

    fn prepare(&mut self, _: &Start, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        let question = self.question(position.role);
        self.make_lanes(question.playouts, position, stop);
        Ok(())
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let question = self.question(position.role);
        self.make_lanes(question.playouts, position, Deadline::after(stop.remaining() / 2));
        let lanes = self.lanes.as_ref().and_then(Option::as_ref);
        let mut play = RandomPlay::tolerant(lanes, question.playouts, &position.engine, question.seed());
        let budget = question.limited(QuestionBudget::of_match(budget(position, stop, self.memory)));
        let Position { engine, state, .. } = position;
        let sampled = question.ask(engine, state, &mut play, &budget, &mut |_, _, _| {})?;
        log_search(self.sampling.name(), &sampled.outcome, |advice| advice.describe(engine));
        Ok(sampled.outcome.answer.and_then(|advice| advice.found()))
    }

    fn wants(&self) -> Requirement {
        Requirement::Engine
    }

    fn equipped(&mut self, equipment: Equipment, _: &mut Position) {
        if equipment == Equipment::Engine {
            self.lanes = None;
        }
    }

    fn forget(&mut self) {
        self.lanes = None;
    }
}
