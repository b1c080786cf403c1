//! Commands that search for a plan of one player: the algorithms of the textbooks on artificial intelligence.

use super::options::Options;
use super::search::found_plan;
use super::watch::Watch;
use super::{Answers, Command, Takes};
use crate::game::{ReasonError, Reasoner, Utility};
use crate::repl::{Answer, CommandError, Session, read};
use crate::search::{self, Budget, Form, Heuristic, MoveOrder, Observer, Outcome, Plan, Problem, SearchError};

/// An algorithm; those that are led by nothing get a heuristic all the same.
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
    arguments: OPTIONS,
    summary: "breadth-first search for a shortest plan to the best (or a given) utility",
    example: "bfs --goal 100",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: |session, arguments| plan(session, &BFS, Algorithm::BreadthFirst, arguments),
};

pub(super) const DFS: Command = Command {
    name: "dfs",
    arguments: OPTIONS,
    summary: "depth-first search for any plan to the best (or a given) utility",
    example: "dfs --tree-search --depth 20",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: |session, arguments| plan(session, &DFS, Algorithm::DepthFirst, arguments),
};

pub(super) const IDS: Command = Command {
    name: "ids",
    arguments: OPTIONS,
    summary: "iterative deepening: depth-first searches to the depths 0, 1, 2 …, for a shortest plan",
    example: "ids --tree-search",
    takes: Takes::Nothing,
    answers: Answers::Value,
    run: |session, arguments| plan(session, &IDS, Algorithm::IterativeDeepening, arguments),
};

pub(super) const ASTAR: Command = Command {
    name: "astar",
    arguments: GUIDED,
    summary: "A*: expands the state of least moves so far plus estimated moves to go",
    example: "astar --heuristic tiles_manhattan",
    takes: Takes::File,
    answers: Answers::Value,
    run: |session, arguments| plan(session, &ASTAR, Algorithm::AStar, arguments),
};

pub(super) const IDA: Command = Command {
    name: "ida",
    arguments: GUIDED,
    summary: "iterative-deepening A*: depth-first searches up to a growing estimated cost",
    example: "ida --heuristic tiles_manhattan",
    takes: Takes::File,
    answers: Answers::Value,
    run: |session, arguments| plan(session, &IDA, Algorithm::IdaStar, arguments),
};

pub(super) const GREEDY: Command = Command {
    name: "greedy",
    arguments: GUIDED,
    summary: "greedy best-first search: expands the state of least estimated moves to go",
    example: "greedy --heuristic tiles_manhattan",
    takes: Takes::File,
    answers: Answers::Value,
    run: |session, arguments| plan(session, &GREEDY, Algorithm::Greedy, arguments),
};

const OPTIONS: &str = "[--goal N] [--tree-search] [--order MOVE,…] [--depth N] [--nodes N] [--seconds S] [--memory M] [--trace N] [--queue] [--tree text|dot|svg FILE]";
const GUIDED: &str = "[--heuristic SHEET] [--goal N] [--tree-search] [--order MOVE,…] [--depth N] [--nodes N] [--seconds S] [--memory M] [--trace N] [--queue] [--tree text|dot|svg FILE]";

fn plan(
    session: &mut Session,
    command: &'static Command,
    algorithm: Algorithm,
    arguments: &str,
) -> Result<Answer, CommandError> {
    let mut options = Options::of(command, arguments);
    let watch = Watch::take(&mut options, session)?;
    let budget = options.budget(session.budget())?;
    let goal = options.number("--goal", "utility")?.map(Utility);
    let form = if options.flag("--tree-search") { Form::Tree } else { Form::Graph };
    let first = options.word("--order")?;
    options.end()?;
    let (reasoner, state) = session.current()?.engine()?;
    let order = move_order(reasoner, first.as_deref())?;
    let problem = Problem { state: &state, goal, form, order };
    let mut watcher = watch.watcher();
    let outcome = run(algorithm, reasoner, &problem, (), &budget, &mut watcher)?;
    watch.answer(watcher, reasoner, outcome, found_plan(reasoner))
}

fn run<R: Reasoner>(
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

/// Moves that come first, separated by commas.
fn move_order<R: Reasoner>(reasoner: &mut R, first: Option<&str>) -> Result<MoveOrder, CommandError> {
    let parts = read::split_outside_parentheses(first.unwrap_or_default(), ',');
    let mut order = MoveOrder::default();
    for part in parts {
        for term in read::terms(part)? {
            match reasoner.find_move(&term) {
                // What is no move of the game comes neither first nor last.
                Err(ReasonError::NoSuchMove { .. }) => {}
                found => order.first.push(found?),
            }
        }
    }
    Ok(order)
}
