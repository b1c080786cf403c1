//! Commands that search for a plan of one player by the algorithms of the textbooks on artificial intelligence; `--runs`
//! repeats them in random order, `--positions` writes the states of a trace, and `--symmetry` visits one representative of
//! each symmetry class.

use super::option::{LIMITS, LIST, ROUNDS, VIEW};
use super::show::places;
use super::watch::Watch;
use super::{Arguments, Command, OptionGroup};
use crate::repl::answer::text::{joined, line};
use crate::repl::answer::{AnswerContent, NodeCount, NodePosition, SearchAnswer, SearchFound, TextStyle};
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session};
use gdl::limits::Stop;
use gdl::quantity::{counted_as, grouped};
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use ggp_draw::board::Places;
use ggp_engine::{Engine, EngineState, Feature, FeaturedState, Measure};
use ggp_game::statistics::Summary;
use ggp_game::{Heuristic, Move, ReasonError, Reasoner, Utility};
use ggp_play::ask::budget::QuestionBudget;
use ggp_play::ask::plan::HEURISTIC;
use ggp_play::ask::spec::{NamedOption, OptionRelation};
use ggp_play::ask::{PlanAlgorithm, PlanQuestion, Planned, searches};
use ggp_search::{AllPlans, Budget, Event, MOST_SYMMETRIES, NodeId, OptimalPlans, Plan, SymmetricReasoner};
use serde::Serialize;
use std::collections::HashMap;
use std::num::NonZeroU64;

pub(super) const BFS: Command = Command {
    name: "bfs",
    options: &[options_of(PlanAlgorithm::BreadthFirst), OptionGroup::own(&[PLAIN_SYMMETRY, POSITIONS]), LIMITS, VIEW],
    summary: "breadth-first search for a shortest plan to the best (or a given) utility",
    example: "bfs --goal 100",
    example_game: "three_puzzle",
    ..Command::search(|session, arguments| plan(session, PlanAlgorithm::BreadthFirst, arguments))
};

pub(super) const DFS: Command = Command {
    name: "dfs",
    options: &[options_of(PlanAlgorithm::DepthFirst), OptionGroup::own(&[RUNS, LIST, POSITIONS]), LIMITS, VIEW],
    summary: "depth-first search for any plan to the best (or a given) utility",
    example: "dfs --tree-search --stack --goal-test generation --order random --seed 7",
    example_game: "three_puzzle",
    ..Command::search(|session, arguments| plan(session, PlanAlgorithm::DepthFirst, arguments))
};

pub(super) const IDS: Command = Command {
    name: "ids",
    options: &[
        options_of(PlanAlgorithm::IterativeDeepening),
        OptionGroup::own(&[RUNS, LIST, ROUNDS, POSITIONS]),
        LIMITS,
        VIEW,
    ],
    summary: "iterative deepening: depth-first searches to the depths 0, 1, 2 …, for a shortest plan",
    example: "ids --tree-search",
    example_game: "three_puzzle",
    ..Command::search(|session, arguments| plan(session, PlanAlgorithm::IterativeDeepening, arguments))
};

pub(super) const ASTAR: Command = Command {
    name: "astar",
    options: &[options_of(PlanAlgorithm::AStar), OptionGroup::own(&[ALL, POSITIONS]), LIMITS, VIEW],
    summary: "A*: expands the state with the least number of moves so far plus estimated moves to go",
    example: "astar --heuristic blocksworld_tiles_manhattan",
    example_game: "blocksworld_tiles",
    ..Command::search(|session, arguments| plan(session, PlanAlgorithm::AStar, arguments))
};

pub(super) const IDA: Command = Command {
    name: "ida",
    options: &[options_of(PlanAlgorithm::IdaStar), OptionGroup::own(&[ROUNDS, POSITIONS]), LIMITS, VIEW],
    summary: "iterative-deepening A*: depth-first searches up to a growing estimated cost",
    example: "ida --heuristic blocksworld_tiles_manhattan",
    example_game: "blocksworld_tiles",
    ..Command::search(|session, arguments| plan(session, PlanAlgorithm::IdaStar, arguments))
};

pub(super) const GREEDY: Command = Command {
    name: "greedy",
    options: &[options_of(PlanAlgorithm::Greedy), OptionGroup::own(&[POSITIONS]), LIMITS, VIEW],
    summary: "greedy best-first search: expands the state with the least estimated number of moves to go",
    example: "greedy --heuristic blocksworld_tiles_manhattan",
    example_game: "blocksworld_tiles",
    ..Command::search(|session, arguments| plan(session, PlanAlgorithm::Greedy, arguments))
};

/// The options of a search without its limits.
pub(super) const fn options_of(algorithm: PlanAlgorithm) -> OptionGroup {
    OptionGroup::own(algorithm.options())
}

const ALL: NamedOption = NamedOption::optional_number(
    "--all",
    "N",
    "continue after the first goal until every shortest plan is found, and list N of them; with --tree-search",
)
.default("one plan; 20 without N")
.needing(&[OptionRelation::to(&["--tree-search"])
    .saying("`--all` needs `--tree-search`: a search with memory meets each state once")])
.excluding(&[OptionRelation::to(&["--goal-test generation"])]);

/// `--symmetry`, for `bfs`, of which nothing else is asked.
const PLAIN_SYMMETRY: NamedOption = SYMMETRY
    .excluding(&[OptionRelation::to(&["--tree-search", "--trace", "--tree"]), OptionRelation::to(&["--queue"])]);

fn plan(session: &mut Session, algorithm: PlanAlgorithm, arguments: &Arguments) -> Result<Answer, CommandError> {
    let watch = Watch::from_arguments(arguments, session)?;
    let budget = arguments.budget(session.budget())?;
    let question = PlanQuestion::new(algorithm, arguments, session.seed());
    let all = arguments.optional_number(&ALL, LISTED_PLANS)?;
    if let Some(runs) = arguments.number::<NonZeroU64>(&RUNS)? {
        return many(session, &PlanRequest { question, all, budget, watch, writing: None }, runs.get());
    }
    let heuristic = arguments.word(&HEURISTIC);
    let dialect = session.dialect();
    let writing = match arguments.has(&POSITIONS) {
        true => Some(PositionFormat::from_match(session.current()?, dialect)?),
        false => None,
    };
    let goal = question.goal;
    let request = PlanRequest { question, all, budget, watch, writing };
    let answer = if let Some(measure) = heuristic.and_then(Measure::find) {
        let mut relaxed = session.relaxed(measure, goal)?;
        let (reasoner, state) = session.current()?.engine()?;
        request.answer(reasoner, &state, Some(&mut relaxed))?
    } else if let Some(sheet) = heuristic {
        let FeaturedState { engine, state, features, warnings } = session.featured(sheet, Feature::Heuristic)?;
        request.answer(engine, &state, Some(features))?.warned(warnings)
    } else if arguments.has(&SYMMETRY) {
        let UpToSymmetry { reasoner, state, warnings } = UpToSymmetry::in_session(session)?;
        request.answer_up_to(reasoner, &state)?.warned(warnings)
    } else {
        let (reasoner, state) = session.current()?.engine()?;
        request.answer(reasoner, &state, None)?
    };
    Ok(Answer::new(answer))
}

/// Runs a search without a heuristic several times.
fn many(session: &mut Session, request: &PlanRequest, runs: u64) -> Result<Answer, CommandError> {
    let (reasoner, state) = session.current()?.engine()?;
    let count = request.watch.first_count().unwrap_or(NodeCount::Generated);
    let first = request.question.approach.seed().unwrap_or(0);
    let seeds = (0..runs).map(|run| first.wrapping_add(run));
    run_all(seeds, runs, count, |seed| {
        let approach = request.question.approach.clone().with_seed(seed);
        let question = PlanQuestion { approach, ..request.question.clone() };
        let PlanRequest { all, budget, watch, .. } = request;
        let again = PlanRequest { question, all: *all, budget: budget.clone(), watch: watch.clone(), writing: None };
        again.answer(reasoner, &state, None)
    })
}

struct PlanRequest {
    question: PlanQuestion,
    /// The number of plans to list, if all plans are wanted.
    all: Option<usize>,
    budget: QuestionBudget,
    watch: Watch,
    /// The format of the positions of the trace's nodes, if they are wanted.
    writing: Option<PositionFormat>,
}

impl PlanRequest {
    /// Runs the search from a state.
    fn answer(
        self,
        reasoner: &mut Engine,
        state: &EngineState,
        heuristic: Option<&mut dyn Heuristic<Engine>>,
    ) -> Result<SearchAnswer, CommandError> {
        let (problem, warnings) = self.question.problem(reasoner, state)?;
        let mut watcher = self.watch.watcher();
        let found = if let Some(most) = self.all {
            let search =
                |budget: &Budget| searches::a_star_all(reasoner, &problem, heuristic, most, budget, &mut watcher);
            self.budget.run(search)?.map(found_plans(reasoner))
        } else {
            let outcome =
                self.question.ask(reasoner, &problem, heuristic, &self.budget, self.watch.observing(&mut watcher))?;
            outcome.map(|planned| found(reasoner, planned, self.question.goal))
        };
        let mut answer = self.watch.answer(watcher, reasoner, problem.state, found)?;
        if let Some(writing) = self.writing {
            writing.add_to(&mut answer, reasoner, state)?;
        }
        Ok(answer.warned(warnings))
    }

    /// Searches breadth first up to symmetries, from a state.
    fn answer_up_to(
        self,
        mut symmetric: SymmetricReasoner<Engine>,
        state: &EngineState,
    ) -> Result<SearchAnswer, CommandError> {
        // Only representatives are visited, so the search begins in one.
        let first = symmetric.representative(state)?;
        let (problem, warnings) = self.question.problem(&mut symmetric, &first)?;
        let outcome =
            self.budget.run(|budget| searches::breadth_first_up_to_symmetry(&mut symmetric, &problem, budget))?;
        let outcome = outcome.try_map(|plan| {
            let line: Vec<Vec<Move>> = plan.moves.iter().map(|&chosen| vec![chosen]).collect();
            let moves = symmetric.actual_line(state, &line)?.into_iter().flatten().collect();
            Ok::<_, ReasonError>(Plan { moves, ..plan })
        })?;
        let watcher = self.watch.watcher();
        let found = outcome.map(found_plan(&symmetric, self.question.goal));
        let answer = self.watch.answer(watcher, &symmetric, state, found)?;
        Ok(answer.up_to(symmetric.symmetries()).warned(warnings))
    }
}

/// The default number of plans that `--all` and `--optimal` list.
pub(super) const LISTED_PLANS: usize = 20;

/// The result of a search as an answer; `goal` is the requested utility.
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

fn terms<R: Reasoner>(reasoner: &R, moves: &[Move]) -> Vec<GroundTerm> {
    moves.iter().map(|&chosen| reasoner.move_term(chosen)).collect()
}

/// `--positions`, for searches of one player.
const POSITIONS: NamedOption = NamedOption::flag("--positions", "with --trace: say beside each node what stands where")
    .needing(&[OptionRelation::to(&["--trace", "--queue"])]);

/// Format of positions: the boards of the game, whose squares are named, and the dialect of other facts.
pub(super) struct PositionFormat {
    places: Places,
    dialect: Dialect,
}

impl PositionFormat {
    /// Positions of the current game, in a dialect.
    pub(super) fn from_match(current: &mut Match, dialect: Dialect) -> Result<Self, CommandError> {
        Ok(Self { places: places(current)?, dialect })
    }

    /// The facts of a state on one line.
    pub(super) fn line<R: Reasoner>(&self, reasoner: &R, state: &R::State) -> String {
        self.places.line(&reasoner.facts(state), self.dialect)
    }

    /// Adds the positions of all nodes to the trace of an answer, by making the moves again from the first state.
    fn add_to<R: Reasoner>(
        &self,
        answer: &mut SearchAnswer,
        reasoner: &mut R,
        first: &R::State,
    ) -> Result<(), CommandError> {
        let Some(trace) = &mut answer.trace else { return Ok(()) };
        let mut states: HashMap<NodeId, R::State> = HashMap::new();
        for event in &trace.events {
            let Event::Generated(generated) = event else { continue };
            let before = generated.parent.and_then(|parent| states.get(&parent));
            let state = match (before, generated.moves.first()) {
                (Some(before), Some(term)) => {
                    let chosen = reasoner.find_move(term)?;
                    reasoner.next_state(before, &[chosen])?
                }
                _ => first.clone(),
            };
            let facts = reasoner.facts(&state);
            let text = self.line(reasoner, &state);
            trace.positions.push(NodePosition { node: generated.node, facts, text });
            states.insert(generated.node, state);
        }
        Ok(())
    }
}

pub(super) const SYMMETRY: NamedOption = NamedOption::flag(
    "--symmetry",
    "visit one state of each symmetry class (`ggp propnet symmetries GAME` shows the symmetries of the ground rules)",
);

/// `--symmetry`, for searches of several players, which look states up in a table.
pub(super) const SYMMETRY_OF_TABLE: NamedOption = SYMMETRY
    .needing(&[OptionRelation::to(&["--table", "--order table"])
        .saying("`--symmetry` needs `--table`: without a table no state is looked up")])
    .excluding(&[
        OptionRelation::to(&["--trace", "--tree", "--stages"]),
        OptionRelation::to(&["--queue"]),
        OptionRelation::to(&["--eval"]).saying(DIFFERENT_BY_THEM),
    ]);

/// Error for `--symmetry` with a judge of states other than the rules: states that are alike by the rules may differ by
/// it.
pub(super) const DIFFERENT_BY_THEM: &str = "`--symmetry` and `--eval` or a model of the opponents cannot be combined: states that are alike by the rules may differ by them";

/// The engine up to the symmetries of the rules, and the current state.
pub(super) struct UpToSymmetry {
    pub(super) reasoner: SymmetricReasoner<Engine>,
    pub(super) state: EngineState,
    /// A note if there are too many symmetries to use all of them.
    pub(super) warnings: Vec<String>,
}

impl UpToSymmetry {
    pub(super) fn in_session(session: &mut Session) -> Result<Self, CommandError> {
        let current = session.current()?;
        let symmetries = current.game.symmetries()?;
        let group = symmetries.subgroup(MOST_SYMMETRIES);
        let warnings = symmetries.subgroup_note(&group).into_iter().collect();
        let (engine, state) = current.engine()?;
        Ok(Self { reasoner: SymmetricReasoner::new(engine.fork(), &group)?, state, warnings })
    }
}

/// `--runs N`, for searches in random order.
pub(super) const RUNS: NamedOption = NamedOption::number(
    "--runs",
    "N",
    "a number of runs from 1 on",
    "search N times, with the seed and those that follow it; needs --order random",
)
.needing(&[
    OptionRelation::to(&["--order random"]).saying("`--runs` needs `--order random`: otherwise all runs are the same")
])
.excluding(&[OptionRelation::to(&["--trace", "--tree", "--rounds"]), OptionRelation::to(&["--queue"])]);

/// Searches with each of the seeds, of which there are `of`. A run that a limit stops has no count; an interrupt ends
/// all of them, and the finished ones stay.
fn run_all(
    seeds: impl Iterator<Item = u64>,
    of: u64,
    counted: NodeCount,
    mut search: impl FnMut(u64) -> Result<SearchAnswer, CommandError>,
) -> Result<Answer, CommandError> {
    let mut runs = Vec::new();
    let mut first = None;
    let mut stopped = None;
    for seed in seeds {
        let (stop, answer) = match search(seed) {
            Ok(answer) => (answer.stopped, Some(answer)),
            Err(error) => (Some(error.stop().ok_or(error)?), None),
        };
        if stop == Some(Stop::Interrupted) {
            stopped = stop;
            break;
        }
        // A run within its depth is finished: more time would not change its count.
        let is_finished = matches!(stop, None | Some(Stop::Depth { .. }));
        let count = match &answer {
            Some(answer) if is_finished => counted.count_in(&answer.cost),
            _ => None,
        };
        runs.push(Run { seed, count });
        // The first answer is shown as an example of all.
        if first.is_none() {
            first = answer.map(|answer| (seed, Box::new(answer)));
        }
    }
    if runs.is_empty() {
        return Err(CommandError::Stopped { stop: stopped.unwrap_or(Stop::Interrupted), cost: None });
    }
    let summary = Summary::from_numbers(runs.iter().filter_map(|run: &Run| run.count));
    let (shown, first) = first.unzip();
    Ok(Answer::new(Runs { counted, summary, runs, of, stopped, shown, first }))
}

/// Runs of the same search with different seeds.
#[derive(Clone, Debug, Serialize)]
struct Runs {
    /// The convention of the counts.
    counted: NodeCount,
    /// The runs, in the order of their seeds. A run that was interrupted is not among them.
    runs: Vec<Run>,
    /// The number of runs that were asked for.
    of: u64,
    /// The limit because of which not all were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stop>,
    /// The middle and the spread of the counts; `None` if there are none.
    summary: Option<Summary>,
    /// The seed of the run whose answer is shown.
    shown: Option<u64>,
    first: Option<Box<SearchAnswer>>,
}

impl Runs {
    /// The counts of the runs that no limit stopped.
    fn counts(&self) -> impl Iterator<Item = u64> {
        self.runs.iter().filter_map(|run| run.count)
    }
}

/// One run.
#[derive(Clone, Copy, Debug, Serialize)]
struct Run {
    seed: u64,
    /// Its count; `None` if a limit other than one on depth stopped it.
    count: Option<u64>,
}

impl AnswerContent for Runs {
    fn kind(&self) -> &'static str {
        "runs"
    }

    /// The counts of the runs, their middle and spread, and the first answer.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let count = |run: &Run| run.count.map_or("-".to_string(), grouped);
        let seeds = match &self.runs[..] {
            [first, .., last] => format!("seeds {} to {}", first.seed, last.seed),
            [only] => format!("seed {}", only.seed),
            [] => "no seed".to_string(),
        };
        let made = self.runs.len() as u64;
        let of = self.of;
        let number = match self.stopped {
            None => counted_as(made, "run", "runs"),
            Some(_) => format!("{} of {}", grouped(made), counted_as(of, "run", "runs")),
        };
        let name = self.counted.name();
        let mut text = line(format!("{name} of {number}, {seeds}"));
        if style.view.runs {
            text += &line(joined(self.runs.iter().map(count), " "));
        }
        let least = self.counts().min();
        let most = self.counts().max();
        if let (Some(summary), Some(least), Some(most)) = (&self.summary, least, most) {
            let [first, median, third] = summary.quartiles.map(grouped_number);
            text += &line(format!(
                "median {median}, quartiles {first} and {third}, mean {}, from {} to {}",
                grouped_number(summary.mean),
                grouped(least),
                grouped(most)
            ));
        }
        let stopped = self.runs.iter().filter(|run| run.count.is_none()).count();
        if stopped > 0 {
            text += &line(format!("{} stopped by a limit", counted_as(stopped as u64, "run", "runs")));
        }
        if let Some(stop) = self.stopped {
            text += &line(format!("{stop}: {} of {} runs were finished", grouped(made), grouped(of)));
        }
        if let (Some(seed), Some(first)) = (self.shown, &self.first) {
            text += &line(format!("with seed {seed}: {}", first.text(style).trim_end()));
        }
        text
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}

/// A number with commas, and one digit after the point unless it is whole.
fn grouped_number(number: f64) -> String {
    let tenths = format!("{number:.1}");
    match tenths.split_once('.') {
        Some((whole, "0")) => grouped(whole),
        Some((whole, tenth)) => format!("{}.{tenth}", grouped(whole)),
        None => tenths,
    }
}
