//! Players that ask a search at each turn: the one that bears their name, with the options that it has at the prompt.
//!
//! [`Searcher`] asks the searches of several players, [`PlanningSearcher`] those of one, and [`Sampler`] random games.
//! All players that search share the budget of a turn, the log line about a result, and the evaluation of states at the
//! horizon ([`Judge`]).

use super::neural::guide_for;
use crate::ask::budget::QuestionBudget;
use crate::ask::options::{DEPTH, EVALUATION, EXTEND_FORCED, GUESS, NETWORK, OPPONENTS};
use crate::ask::plan::HEURISTIC;
use crate::ask::{
    Algorithm, ApproachError, AskedPosition, ContestQuestion, OpponentSpec, PlanAlgorithm, PlanQuestion, Planned,
    PlayoutOptions, Predictor, RandomPlay, SampleQuestion, Sampling, SearchSpec, guess, options,
};
use crate::{Deadline, Equipment, PlayerError, Position, Requirement, Start, Strategy, Thought, log};
use gdl::limits::Limits;
use ggp_engine::ground::GroundBudget;
use ggp_engine::{
    Engine, EngineError, EngineLanes, EngineState, Feature, FeaturedGame, FeaturedState, Measure, RelaxedHeuristic,
};
use ggp_game::{Chance, Evaluation, Heuristic, Move, Reasoner, Role};
use ggp_learn::NeuralGuide;
use ggp_search::{Budget, Contest, Cost, LearnedEvaluation, Outcome, Pruning, SearchError};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The limits of a search from a position until a deadline. Players look beyond forced joint moves, which cost them
/// little and may decide the game.
pub(super) fn budget(position: &Position, stop: Deadline, memory: u64) -> Budget {
    plain_budget(position, stop.remaining(), memory).extending_forced()
}

/// The limits of a search from a position that looks no further than its depth.
fn plain_budget(position: &Position, time: Duration, memory: u64) -> Budget {
    Budget::new().with_time(time).with_memory(memory).with_interrupt(Arc::clone(&position.interrupt))
}

/// Logs the result and the cost of a player's search. `describe` is called only if the level is enabled.
pub(super) fn log_search<T>(search: &str, outcome: &Outcome<T>, describe: impl Fn(&T) -> String) {
    let Cost { nodes, depth, time, .. } = outcome.cost;
    let found = fmt::from_fn(|out| match &outcome.answer {
        Some(answer) => out.write_str(&describe(answer)),
        None => out.write_str("nothing"),
    });
    let end = fmt::from_fn(|out| match outcome.stopped {
        Some(stop) => write!(out, "{stop}"),
        None => out.write_str("exact"),
    });
    log::debug(format_args!("{search}: {found}; {end} nodes={nodes} depth={depth} time={time:?}"));
}

/// The network of a game and a sheet has the time before the first move divided by this to be set up; if that is not
/// enough, the interpreter evaluates.
const SHARE_FOR_NETWORK: u32 = 2;

/// The evaluation of states at the horizon.
pub(crate) enum Judge {
    /// States at the horizon have no value.
    Nothing,
    /// The goal value in the state and, with less weight, the number of legal moves.
    Guess,
    /// The sum of `evaluation(Role,Key,N)` of a rule sheet.
    Sheet(Box<FeaturedGame>),
    /// An evaluation that the player has learned in games against itself, in the engine of the position.
    Learned(Box<LearnedEvaluation>),
    /// A network of `ggp train`, in the engine of the position.
    Network(Box<NeuralGuide>),
}

impl Judge {
    /// The evaluation of a sheet, from the library or a file; `otherwise` without a sheet.
    pub(crate) fn load(sheet: Option<&str>, otherwise: Self, start: &Start) -> Result<Self, PlayerError> {
        let Some(sheet) = sheet else { return Ok(otherwise) };
        Ok(Self::Sheet(Box::new(load_sheet(sheet, Feature::Evaluation, start)?)))
    }

    /// The positions to judge come in another engine from now on.
    pub(super) fn change_engine(&mut self) {
        // The rows of a guide belong to the engine, the weights do not.
        if let Self::Network(guide) = self {
            **guide = guide.for_other_engine();
        }
    }

    /// Runs a search from a position, in the engine that computes the evaluation. `search` returns the move of the
    /// role, if it has found one.
    pub(super) fn ask(
        &mut self,
        position: &mut Position,
        search: impl FnOnce(&mut Engine, Contest<'_, Engine>) -> Result<Option<Move>, SearchError>,
    ) -> Result<Option<Move>, PlayerError> {
        let engine = &mut position.engine;
        let role = position.role;
        match self {
            Self::Nothing => Ok(search(engine, Contest::new(&position.state, role))?),
            Self::Guess => {
                let mut evaluation = guess;
                let contest = Contest { state: &position.state, role, evaluation: Some(&mut evaluation), table: false };
                Ok(search(engine, contest)?)
            }
            Self::Learned(learned) => {
                let contest = Contest { state: &position.state, role, evaluation: Some(&mut **learned), table: false };
                Ok(search(engine, contest)?)
            }
            Self::Network(guide) => {
                let contest = Contest { state: &position.state, role, evaluation: Some(&mut **guide), table: false };
                Ok(search(engine, contest)?)
            }
            Self::Sheet(featured) => {
                featured.set_limits(Limits::new().with_interrupt(position.interrupt.clone()));
                let facts = engine.facts(&position.state);
                let FeaturedState { engine: reasoner, state, features, .. } = featured.at(&facts, true)?;
                let contest = Contest { state: &state, role, evaluation: Some(features), table: false };
                let chosen = search(reasoner, contest)?;
                // The engine of the sheet numbers moves in its own way.
                let term = chosen.map(|chosen| reasoner.move_term(chosen));
                Ok(term.map(|term| engine.find_move(&term)).transpose()?)
            }
        }
    }
}

/// The game with a sheet of features, from the library or a file, set up as far as the start clock allows.
fn load_sheet(sheet: &str, feature: Feature, start: &Start) -> Result<FeaturedGame, PlayerError> {
    let mut featured = FeaturedGame::load(&start.game, sheet, Path::new(""), feature)?;
    match featured.set_up_within(set_up_limits(start)) {
        Ok(()) | Err(EngineError::Reason(_)) => Ok(featured),
        Err(error @ EngineError::Propnet(_)) => Err(error.into()),
    }
}

/// The limits for setting up the engine of an evaluation: a share of the start clock.
pub(crate) fn set_up_limits(start: &Start) -> Limits {
    let time = start.clocks.start / SHARE_FOR_NETWORK;
    Limits::new().with_interrupt(start.interrupt.clone()).with_deadline(Deadline::after(time))
}

/// Makes the move that a search of several players recommends within the clock. It draws one of equally good moves, as
/// far as the search reports them, and one of the moves of a mixed strategy.
pub(crate) struct Searcher {
    algorithm: Algorithm,
    pruning: Pruning,
    /// The assumption about the others, if it was given.
    opponents: Option<OpponentSpec>,
    depth: Option<u32>,
    extends_forced: bool,
    /// The rule sheet with the evaluation.
    evaluation: Option<String>,
    guesses: bool,
    /// The file or the folder of the network that evaluates.
    network_file: Option<PathBuf>,
    /// The memory limit, in bytes.
    memory: u64,
    random: Chance,
    judge: Judge,
    /// Predicts the moves of the others in the game of the match.
    predictor: Option<Predictor>,
}

impl Searcher {
    /// The fraction of the time for the search. The rest is for the same search at a smaller depth, if the first one
    /// finds no move in time.
    const PART: (u32, u32) = (10, 11);

    /// Makes a player that asks a search with these options.
    pub(crate) fn new(algorithm: Algorithm, spec: &SearchSpec, seed: u64, memory: u64) -> Self {
        Self {
            algorithm,
            pruning: options::pruning(spec, || seed),
            opponents: spec.search(&OPPONENTS).map(OpponentSpec::from_spec),
            depth: spec.number(&DEPTH),
            extends_forced: spec.has(&EXTEND_FORCED),
            evaluation: spec.text(&EVALUATION).map(str::to_string),
            guesses: spec.has(&GUESS),
            network_file: spec.text(&NETWORK).map(PathBuf::from),
            memory,
            random: Chance::new(seed),
            judge: Judge::Nothing,
            predictor: None,
        }
    }

    fn budget(&self, position: &Position, stop: Deadline) -> QuestionBudget {
        let (part, of) = Self::PART;
        let budget = plain_budget(position, stop.remaining() * part / of, self.memory);
        let budget = self.depth.map_or(budget.clone(), |depth| budget.with_depth(depth));
        QuestionBudget::of_match(if self.extends_forced { budget.extending_forced() } else { budget })
    }
}

impl Strategy for Searcher {
    fn name(&self) -> String {
        self.algorithm.name().to_string()
    }

    fn prepare(&mut self, start: &Start, _: &mut Position, _: Deadline) -> Result<(), PlayerError> {
        let otherwise = match guide_for(self.network_file.as_deref(), start)? {
            Some(guide) => Judge::Network(Box::new(guide)),
            None if self.guesses => Judge::Guess,
            None => Judge::Nothing,
        };
        self.judge = Judge::load(self.evaluation.as_deref(), otherwise, start)?;
        let has_chance = Role::chance(start.game.interpreter.roles()).is_some();
        let opponents = self.opponents.clone().or_else(|| self.algorithm.usual_opponents(has_chance));
        let predictor = |spec| Predictor::new(&spec, &start.game, Path::new(""), set_up_limits(start));
        self.predictor = opponents.map(predictor).transpose()?;
        Ok(())
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let algorithm = self.algorithm;
        let role = position.role;
        let budget = self.budget(position, stop);
        let predictor = self.predictor.as_mut();
        let opponents = predictor.as_ref().map(|predictor| predictor.spec().clone());
        let question = ContestQuestion { algorithm, role, pruning: self.pruning, opponents, is_watched: false };
        let mut thought = None;
        let chosen = self.judge.ask(position, |engine, Contest { state, evaluation, .. }| {
            // A borrow of a trait object is shortened only where the trait object is made again.
            let evaluation = evaluation.map(|evaluation| evaluation as &mut dyn Evaluation<Engine>);
            let mut asked = AskedPosition { reasoner: &mut *engine, state, evaluation, predictor };
            let answered = question.ask(&mut asked, &budget, None, &mut |_, _| {})?;
            log_search(algorithm.name(), &answered.outcome, |found| found.describe(engine));
            let value = answered.outcome.answer.as_ref().and_then(|found| found.value(role));
            thought = Some(Thought::of_search(&answered.outcome, value));
            Ok(answered.outcome.answer.and_then(|found| found.draw(role, &mut self.random)))
        })?;
        position.thought = thought;
        Ok(chosen)
    }

    fn equipped(&mut self, equipment: Equipment, _: &mut Position) {
        if equipment == Equipment::Engine {
            self.judge.change_engine();
        }
    }
}

/// Makes the first move of the plan that a search of one player finds within the clock, and forgets the rest.
pub(crate) struct PlanningSearcher {
    algorithm: PlanAlgorithm,
    spec: SearchSpec,
    /// The seed of random orders, if the options have none.
    seed: u64,
    /// The memory limit, in bytes.
    memory: u64,
    guide: Guide,
}

/// The heuristic of the search.
enum Guide {
    Nothing,
    /// The rules of a sheet.
    Sheet(Box<FeaturedGame>),
    /// A heuristic computed from the rules of the game.
    Relaxed(Box<RelaxedHeuristic>),
}

impl PlanningSearcher {
    /// Makes a player that asks a search with these options.
    pub(crate) fn new(algorithm: PlanAlgorithm, spec: SearchSpec, seed: u64, memory: u64) -> Self {
        Self { algorithm, spec, seed, memory, guide: Guide::Nothing }
    }

    fn budget(&self, position: &Position, stop: Deadline) -> QuestionBudget {
        let budget = plain_budget(position, stop.remaining(), self.memory);
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
    /// Judges in place of random games.
    guide: Option<NeuralGuide>,
}

impl Sampler {
    /// Makes a player that asks random games with these options.
    pub(crate) fn new(sampling: Sampling, spec: SearchSpec, seed: u64, memory: u64) -> Self {
        Self { sampling, spec, seed, memory, lanes: None, guide: None }
    }

    fn question(&self, role: Role) -> SampleQuestion {
        SampleQuestion::new(self.sampling, role, &self.spec, self.seed).guided_by(self.guide.clone())
    }

    /// Makes lanes, if there is time for them until `stop`; without lanes games are played one after the other. The
    /// width is that of the prompt, so that the same seed gives the same result.
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

    fn prepare(&mut self, start: &Start, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        self.guide = guide_for(self.spec.text(&NETWORK).map(Path::new), start)?;
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
        position.thought = Thought::of_playouts(&sampled.outcome, play.repeats());
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
