//! Commands that search for a plan of one player by the algorithms of the textbooks on artificial intelligence.

use super::option::{GOAL, HEURISTIC, LIMITS, ORDER_MOVES, VIEW};
use super::watch::Watch;
use super::{Answers, Arguments, Command, CommandOption, OptionGroup, Takes};
use crate::engine::{Feature, FeaturedState, Measure};
use crate::game::{BatchReasoner, Heuristic, ReasonError, Reasoner, Utility};
use crate::repl::answer::Found;
use crate::repl::{Answer, CommandError, Session, read};
use crate::search::{self, Budget, Form, MoveOrder, Observer, Outcome, Plan, Problem, SearchError};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Algorithm {
    BreadthFirst,
    DepthFirst,
    IterativeDeepening,
    AStar,
    IdaStar,
    Greedy,
}

pub(super) const BFS: Command = Command {
    name: "bfs",
    operands: "",
    options: OPTIONS,
    summary: "breadth-first search for a shortest plan to the best (or a given) utility",
    example: "bfs --goal 100",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: |session, arguments| plan(session, Algorithm::BreadthFirst, arguments),
};

pub(super) const DFS: Command = Command {
    name: "dfs",
    operands: "",
    options: OPTIONS,
    summary: "depth-first search for any plan to the best (or a given) utility",
    example: "dfs --tree-search --depth 20",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: |session, arguments| plan(session, Algorithm::DepthFirst, arguments),
};

pub(super) const IDS: Command = Command {
    name: "ids",
    operands: "",
    options: OPTIONS,
    summary: "iterative deepening: depth-first searches to the depths 0, 1, 2 …, for a shortest plan",
    example: "ids --tree-search",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: |session, arguments| plan(session, Algorithm::IterativeDeepening, arguments),
};

pub(super) const ASTAR: Command = Command {
    name: "astar",
    operands: "",
    options: GUIDED,
    summary: "A*: expands the state with the least number of moves so far plus estimated moves to go",
    example: "astar --heuristic blocksworld_tiles_manhattan",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: |session, arguments| plan(session, Algorithm::AStar, arguments),
};

pub(super) const IDA: Command = Command {
    name: "ida",
    operands: "",
    options: GUIDED,
    summary: "iterative-deepening A*: depth-first searches up to a growing estimated cost",
    example: "ida --heuristic blocksworld_tiles_manhattan",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: |session, arguments| plan(session, Algorithm::IdaStar, arguments),
};

pub(super) const GREEDY: Command = Command {
    name: "greedy",
    operands: "",
    options: GUIDED,
    summary: "greedy best-first search: expands the state with the least estimated number of moves to go",
    example: "greedy --heuristic blocksworld_tiles_manhattan",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: |session, arguments| plan(session, Algorithm::Greedy, arguments),
};

const OPTIONS: &[OptionGroup] = &[OptionGroup::own(&[GOAL, TREE_SEARCH, ORDER_MOVES]), LIMITS, VIEW];
const GUIDED: &[OptionGroup] = &[OptionGroup::own(&[HEURISTIC, GOAL, TREE_SEARCH, ORDER_MOVES]), LIMITS, VIEW];

const TREE_SEARCH: CommandOption =
    CommandOption::flag("--tree-search", "remember no states: one that is reached twice is searched twice");

fn plan(session: &mut Session, algorithm: Algorithm, arguments: &Arguments) -> Result<Answer, CommandError> {
    let watch = Watch::of(arguments, session)?;
    let budget = arguments.budget(session.budget())?;
    let goal = arguments.number(&GOAL)?;
    let form = if arguments.has(&TREE_SEARCH) { Form::Tree } else { Form::Graph };
    let heuristic = arguments.word(&HEURISTIC);
    let request = Request { algorithm, goal, form, first: arguments.word(&ORDER_MOVES), budget, watch };
    if let Some(measure) = heuristic.and_then(Measure::find) {
        let relaxed = session.relaxed(measure, goal)?;
        let (reasoner, state) = session.current()?.engine()?;
        return request.answer(reasoner, &state, relaxed);
    }
    match heuristic {
        Some(sheet) => {
            let FeaturedState { engine, state, features, warnings } = session.featured(sheet, Feature::Heuristic)?;
            Ok(request.answer(engine, &state, features)?.warned(warnings))
        }
        None => {
            let (reasoner, state) = session.current()?.engine()?;
            request.answer(reasoner, &state, ())
        }
    }
}

struct Request<'a> {
    algorithm: Algorithm,
    goal: Option<Utility>,
    form: Form,
    first: Option<&'a str>,
    budget: Budget,
    watch: Watch,
}

impl Request<'_> {
    /// Runs the search from a state.
    fn answer<R: BatchReasoner>(
        self,
        reasoner: &mut R,
        state: &R::State,
        heuristic: impl Heuristic<R>,
    ) -> Result<Answer, CommandError> {
        let (order, warnings) = move_order(reasoner, self.first)?;
        let problem = Problem { state, goal: self.goal, form: self.form, order };
        let mut watcher = self.watch.watcher();
        let outcome = run(self.algorithm, reasoner, &problem, heuristic, &self.budget, &mut watcher)?;
        let answer = self.watch.answer(watcher, reasoner, outcome, found_plan(reasoner, self.goal))?;
        Ok(answer.warned(warnings))
    }
}

fn run<R: BatchReasoner>(
    algorithm: Algorithm,
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    heuristic: impl Heuristic<R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Plan>, SearchError> {
    match algorithm {
        Algorithm::BreadthFirst => search::breadth_first(reasoner, problem, budget, observer),
        Algorithm::DepthFirst => search::depth_first(reasoner, problem, budget, observer),
        Algorithm::IterativeDeepening => search::iterative_deepening(reasoner, problem, budget, observer),
        Algorithm::AStar => search::a_star(reasoner, problem, heuristic, budget, observer),
        Algorithm::IdaStar => search::ida_star(reasoner, problem, heuristic, budget, observer),
        Algorithm::Greedy => search::greedy(reasoner, problem, heuristic, budget, observer),
    }
}

/// The moves to try first, separated by commas, and a warning for each that is not a move of the game.
pub(super) fn move_order<R: Reasoner>(
    reasoner: &mut R,
    first: Option<&str>,
) -> Result<(MoveOrder, Vec<String>), CommandError> {
    let parts = read::split_outside_parentheses(first.unwrap_or_default(), ',');
    let (mut order, mut warnings) = (MoveOrder::default(), Vec::new());
    for part in parts {
        for term in read::terms(part)? {
            match reasoner.find_move(&term) {
                Err(ReasonError::NoSuchMove { .. }) => warnings.push(format!("`{term}` is not a move of this game")),
                found => order.first.push(found?),
            }
        }
    }
    Ok((order, warnings))
}

/// The answer for a plan, with the requested utility if the plan reaches less.
pub(super) fn found_plan<R: Reasoner>(reasoner: &R, goal: Option<Utility>) -> impl Fn(Plan) -> Found {
    move |plan| Found::Plan {
        moves: plan.moves.into_iter().map(|chosen| reasoner.move_term(chosen)).collect(),
        utility: plan.utility,
        missed: goal.filter(|&goal| plan.utility < goal),
    }
}
