//! Commands that search for a plan of one player by the algorithms of the textbooks on artificial intelligence.

use super::found_plan::{LISTED_PLANS, found, found_plan, found_plans};
use super::option::{LIMITS, ROUNDS, VIEW};
use super::positions::{POSITIONS, PositionFormat};
use super::symmetry::{SYMMETRY, UpToSymmetry};
use super::teaching::runs::{LIST, RUNS, number_of_runs, run_all};
use super::watch::Watch;
use super::{AnswerKind, Arguments, Command, OptionGroup};
use crate::repl::answer::{NodeCount, SearchAnswer};
use crate::repl::{Answer, CommandError, Session};
use ggp_engine::{Engine, EngineState, Feature, FeaturedState, Measure};
use ggp_game::{Heuristic, Move, ReasonError};
use ggp_play::ask::budget::QuestionBudget;
use ggp_play::ask::plan::HEURISTIC;
use ggp_play::ask::searches;
use ggp_play::ask::spec::{NamedOption, OptionRelation};
use ggp_play::ask::{PlanAlgorithm, PlanQuestion};
use ggp_search::{Budget, Plan, SymmetricReasoner};

pub(super) const BFS: Command = Command {
    name: "bfs",
    options: &[options_of(PlanAlgorithm::BreadthFirst), OptionGroup::own(&[PLAIN_SYMMETRY, POSITIONS]), LIMITS, VIEW],
    summary: "breadth-first search for a shortest plan to the best (or a given) utility",
    example: "bfs --goal 100",
    example_game: "three_puzzle",
    answers: AnswerKind::Value,
    plays_openly: true,
    ..Command::run_by(|session, arguments| plan(session, PlanAlgorithm::BreadthFirst, arguments))
};

pub(super) const DFS: Command = Command {
    name: "dfs",
    options: &[options_of(PlanAlgorithm::DepthFirst), OptionGroup::own(&[RUNS, LIST, POSITIONS]), LIMITS, VIEW],
    summary: "depth-first search for any plan to the best (or a given) utility",
    example: "dfs --tree-search --stack --goal-test generation --order random --seed 7",
    example_game: "three_puzzle",
    answers: AnswerKind::Value,
    plays_openly: true,
    ..Command::run_by(|session, arguments| plan(session, PlanAlgorithm::DepthFirst, arguments))
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
    answers: AnswerKind::Value,
    plays_openly: true,
    ..Command::run_by(|session, arguments| plan(session, PlanAlgorithm::IterativeDeepening, arguments))
};

pub(super) const ASTAR: Command = Command {
    name: "astar",
    options: &[options_of(PlanAlgorithm::AStar), OptionGroup::own(&[ALL, POSITIONS]), LIMITS, VIEW],
    summary: "A*: expands the state with the least number of moves so far plus estimated moves to go",
    example: "astar --heuristic blocksworld_tiles_manhattan",
    example_game: "blocksworld_tiles",
    answers: AnswerKind::Value,
    plays_openly: true,
    ..Command::run_by(|session, arguments| plan(session, PlanAlgorithm::AStar, arguments))
};

pub(super) const IDA: Command = Command {
    name: "ida",
    options: &[options_of(PlanAlgorithm::IdaStar), OptionGroup::own(&[ROUNDS, POSITIONS]), LIMITS, VIEW],
    summary: "iterative-deepening A*: depth-first searches up to a growing estimated cost",
    example: "ida --heuristic blocksworld_tiles_manhattan",
    example_game: "blocksworld_tiles",
    answers: AnswerKind::Value,
    plays_openly: true,
    ..Command::run_by(|session, arguments| plan(session, PlanAlgorithm::IdaStar, arguments))
};

pub(super) const GREEDY: Command = Command {
    name: "greedy",
    options: &[options_of(PlanAlgorithm::Greedy), OptionGroup::own(&[POSITIONS]), LIMITS, VIEW],
    summary: "greedy best-first search: expands the state with the least estimated number of moves to go",
    example: "greedy --heuristic blocksworld_tiles_manhattan",
    example_game: "blocksworld_tiles",
    answers: AnswerKind::Value,
    plays_openly: true,
    ..Command::run_by(|session, arguments| plan(session, PlanAlgorithm::Greedy, arguments))
};

/// The options of a search beside its limits.
pub(super) const fn options_of(algorithm: PlanAlgorithm) -> OptionGroup {
    OptionGroup::own(algorithm.options())
}

const ALL: NamedOption = NamedOption::optional_number(
    "--all",
    "N",
    "go on beyond the first goal until every shortest plan is found, and list N of them; with --tree-search",
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
    if let Some(runs) = number_of_runs(arguments)? {
        return many(session, &PlanRequest { question, all, budget, watch, writing: None }, runs);
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
    /// If all plans are wanted, how many of them to list.
    all: Option<usize>,
    budget: QuestionBudget,
    watch: Watch,
    /// How the positions of the trace's nodes are written, if they are wanted.
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
