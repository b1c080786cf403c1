//! Searches that are stopped inside an answer of the engine, and not between two nodes: they know as much.

use crate::limited::Limited;
use ggp::engine::{EngineKind, EngineOptions, load};
use ggp::game::{ReasonError, Reasoner, Role};
use ggp::interpreter::{Interpreter, State};
use ggp::limits::{Limits, Stop, WorkKind};
use ggp::repl::render::Record;
use ggp::repl::{Answer, Session, evaluate};
use ggp::search::{
    self, Budget, Contest, Opponents, Ordering, Outcome, Problem, Pruning, SearchError, SinglePlayouts, Ties, Uct,
    UctOptions,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The number of points at which each search is stopped.
const POINTS: u64 = 13;

type Engine = Limited<Interpreter>;

/// A search from a state within a budget; the answer as text, so that answers of all searches can be compared.
type Search = fn(&mut Engine, &State, &Budget) -> Result<Outcome<String>, SearchError>;

const FIRST: Role = Role::new(0);

fn said<T: std::fmt::Debug>(outcome: Outcome<T>) -> Outcome<String> {
    outcome.map(|answer| without_line_ends(&format!("{answer:?}")))
}

/// The text without where lines end: what is asked of the engine after a search is interrupted too.
fn without_line_ends(text: &str) -> String {
    let mut parts = text.split("line_ends: ");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |kept, part| kept + part.trim_start_matches(char::is_alphabetic))
}

const NO_ENHANCEMENTS: search::Enhancements =
    search::Enhancements { killers: false, history: false, null_windows: false, aspiration: false };
const TABLE: Pruning =
    Pruning { ordering: Ordering::Table, table: true, ties: search::EqualMoves::Honest, enhancements: NO_ENHANCEMENTS };
const PLAIN: Pruning = Pruning {
    ordering: Ordering::Canonical,
    table: false,
    ties: search::EqualMoves::Unknown,
    enhancements: NO_ENHANCEMENTS,
};

/// The searches of games of several players.
const CONTESTS: [(&str, Search); 12] = [
    ("minimax", |engine, state, budget| Ok(said(search::minimax(engine, Contest::new(state, FIRST), budget, ())?))),
    ("minimax --table", |engine, state, budget| {
        let contest = Contest { table: true, ..Contest::new(state, FIRST) };
        Ok(said(search::minimax(engine, contest, budget, ())?))
    }),
    ("negamax", |engine, state, budget| Ok(said(search::negamax(engine, Contest::new(state, FIRST), budget, ())?))),
    ("alphabeta", |engine, state, budget| {
        Ok(said(search::alpha_beta(engine, Contest::new(state, FIRST), PLAIN, budget, ())?))
    }),
    ("alphabeta --order table --ties", |engine, state, budget| {
        Ok(said(search::alpha_beta(engine, Contest::new(state, FIRST), TABLE, budget, ())?))
    }),
    ("paranoid", |engine, state, budget| {
        Ok(said(search::paranoid(engine, Contest::new(state, FIRST), PLAIN, budget, ())?))
    }),
    ("maxn", |engine, state, budget| Ok(said(search::max_n(engine, Contest::new(state, FIRST), budget, ())?))),
    ("expectimax", |engine, state, budget| {
        Ok(said(search::expectimax(engine, Contest::new(state, FIRST), Opponents::Uniform, budget, ())?))
    }),
    ("expectiminimax", |engine, state, budget| {
        Ok(said(search::expectimax(engine, Contest::new(state, FIRST), Opponents::Minimax, budget, ())?))
    }),
    ("nash", |engine, state, budget| Ok(said(search::nash(engine, Contest::new(state, FIRST), budget, ())?))),
    ("iterative", |engine, state, budget| {
        Ok(said(search::iterative_alpha_beta(engine, Contest::new(state, FIRST), budget, ())?))
    }),
    ("first values", |engine, state, budget| {
        Ok(said(search::first_values(engine, Contest::new(state, FIRST), budget, &mut |_, _| {})?))
    }),
];

/// The searches of games of one player.
const PLANS: [(&str, Search); 14] = [
    ("bestplan", |engine, state, budget| Ok(said(search::best_plan(engine, &Problem::new(state), budget, ())?))),
    ("bestplan --naive", |engine, state, budget| {
        let problem = Problem { exit: false, ..Problem::textbook(state) };
        Ok(said(search::best_plan(engine, &problem, budget, ())?))
    }),
    ("bestmove", |engine, state, budget| {
        let problem = Problem { exit: false, ..Problem::new(state) };
        Ok(said(search::best_move(engine, &problem, budget, ())?))
    }),
    ("bfs", |engine, state, budget| Ok(said(search::breadth_first(engine, &Problem::new(state), budget, ())?))),
    ("dfs", |engine, state, budget| Ok(said(search::depth_first(engine, &Problem::new(state), budget, ())?))),
    ("ids", |engine, state, budget| Ok(said(search::iterative_deepening(engine, &Problem::new(state), budget, ())?))),
    ("astar", |engine, state, budget| Ok(said(search::a_star(engine, &Problem::new(state), (), budget, ())?))),
    ("idastar", |engine, state, budget| Ok(said(search::ida_star(engine, &Problem::new(state), (), budget, ())?))),
    ("greedy", |engine, state, budget| Ok(said(search::greedy(engine, &Problem::new(state), (), budget, ())?))),
    ("all plans", |engine, state, budget| Ok(said(search::all_plans(engine, &Problem::new(state), 9, budget)?))),
    ("dive", |engine, state, budget| Ok(said(search::dive(engine, &Problem::new(state), 1, budget)?))),
    ("nested", |engine, state, budget| Ok(said(search::nested(engine, &Problem::new(state), 2, 1, budget)?))),
    ("first plans", |engine, state, budget| Ok(said(search::first_plans(engine, state, budget, &mut |_, _| {})?))),
    ("deliberate", |engine, state, budget| {
        let problem = Problem { exit: false, ..Problem::textbook(state) };
        Ok(said(search::deliberation(engine, &problem, Ties::Costliest, budget)?))
    }),
];

/// The searches by random games.
const SAMPLES: [(&str, Search); 2] = [
    ("mcts", |engine, state, budget| {
        let mut tree = Uct::new(engine, state, UctOptions::default())?;
        Ok(said(tree.search(engine, FIRST, &mut SinglePlayouts::new(1), budget)?))
    }),
    ("montecarlo", |engine, state, budget| {
        Ok(said(search::monte_carlo(engine, state, FIRST, &mut SinglePlayouts::new(1), 1, budget)?))
    }),
];

fn engine(game: &str) -> (Engine, State) {
    let mut engine = Limited::new(load(game, Path::new("."), EngineKind::Interpreter).unwrap().interpreter);
    let state = engine.initial_state().unwrap();
    (engine, state)
}

/// Stops a search at a dozen questions to the engine, by an interrupt and by a limit of the engine. It answers as a
/// search that was stopped by a limit on nodes, at the node in which the engine was asked or at the one before. Returns
/// how often it knew something.
fn check(search: (&str, Search), game: &str, budget: &Budget) -> u64 {
    let (name, search) = search;
    let (mut engine, state) = engine(game);
    engine.asked = 0;
    let full = search(&mut engine, &state, budget).unwrap();
    let all = engine.asked;
    assert!(all > 2 * POINTS, "{name} on {game}: {all} questions");
    let interrupt = (ReasonError::Stopped(Stop::Interrupted), Stop::Interrupted);
    let steps = Stop::Work { limit: 7, kind: WorkKind::Steps };
    let limit = (ReasonError::Stopped(steps), steps);
    let mut answers = 0;
    for question in (1..=POINTS).map(|point| point * (all - 1) / POINTS) {
        for (error, stop) in [interrupt.clone(), limit.clone()] {
            let place = format!("{name} on {game} at question {question} of {all}: {stop}");
            (engine.asked, engine.most, engine.error) = (0, question, error);
            let found = search(&mut engine, &state, budget).unwrap_or_else(|error| panic!("{place}: {error}"));
            engine.most = u64::MAX;
            answers += u64::from(found.answer.is_some());
            if found.stopped != Some(stop) {
                // What follows the search, such as the rest of a line, may go without the engine.
                assert_eq!((found.stopped, found.cost.nodes), (full.stopped, full.cost.nodes), "{place}");
                continue;
            }
            let at_nodes = |nodes| search(&mut engine, &state, &budget.clone().with_nodes(nodes)).unwrap().answer;
            let known = [found.cost.nodes.saturating_sub(1), found.cost.nodes].map(at_nodes);
            // A search with a queue may end several lines between two nodes.
            let is_between = known[0] != known[1] && found.answer.is_some();
            let is_known = known.contains(&found.answer) || is_between;
            assert!(is_known, "{place}: {:?}, and between nodes {known:?}", found.answer);
        }
    }
    answers
}

#[test]
fn searches_of_several_players_know_as_much_inside_an_answer_as_between_nodes() {
    for (game, depth) in [("minimax_tree", None), ("tic_tac_toe", Some(2)), ("connect_four", Some(3))] {
        let budget = depth.map_or(Budget::new(), |depth| Budget::new().with_depth(depth));
        for search in CONTESTS {
            let answers = check(search, game, &budget);
            assert!(answers >= POINTS, "{} on {game} knew something {answers} times", search.0);
        }
    }
}

#[test]
fn searches_of_one_player_know_as_much_inside_an_answer_as_between_nodes() {
    for search in PLANS {
        let answers = check(search, "three_puzzle", &Budget::new().with_depth(10));
        let ends_with_its_first_plan =
            ["bestplan", "bfs", "dfs", "ids", "astar", "idastar", "greedy", "all plans", "dive", "nested"];
        assert!(answers > 0 || ends_with_its_first_plan.contains(&search.0), "{} never knew anything", search.0);
    }
}

#[test]
fn random_games_count_only_if_they_were_played_to_their_end() {
    for search in SAMPLES {
        let answers = check(search, "tic_tac_toe", &Budget::new().with_nodes(60));
        assert_eq!(answers, 2 * POINTS, "{}", search.0);
    }
}

/// What a session of the interpreter does at each of its own checks: it sets the flag, as a signal does at any moment.
struct Interrupter {
    flag: Arc<AtomicBool>,
    checks: Arc<AtomicU64>,
    at: Arc<AtomicU64>,
}

impl Interrupter {
    fn new() -> Self {
        Self { flag: Arc::default(), checks: Arc::default(), at: Arc::new(AtomicU64::new(u64::MAX)) }
    }

    fn session(&self, sheet: &str) -> Session {
        let (set, count, when) = (self.flag.clone(), self.checks.clone(), self.at.clone());
        let watch = move || {
            if count.fetch_add(1, Relaxed) == when.load(Relaxed) {
                set.store(true, Relaxed);
            }
        };
        let limits = Limits::none().with_watch(Arc::new(watch));
        let options = EngineOptions::from(EngineKind::Interpreter).with_limits(limits);
        let mut session = Session::new(std::env::temp_dir(), self.flag.clone()).with_engine(options);
        let file = format!("ggp-slow-{}-{}.gdl", std::process::id(), sheet.len());
        std::fs::write(std::env::temp_dir().join(&file), sheet).unwrap();
        evaluate(&mut session, &format!("load {file}")).unwrap();
        std::fs::remove_file(std::env::temp_dir().join(&file)).unwrap();
        session
    }

    /// The number of checks of a line, and its answer.
    fn count(&self, session: &mut Session, line: &str) -> (u64, Value) {
        let before = self.checks.load(Relaxed);
        let record = json(session, line);
        (self.checks.load(Relaxed) - before, record)
    }

    /// The answer of a line that is interrupted at one of its checks.
    fn stop(&self, session: &mut Session, line: &str, check: u64) -> Value {
        self.at.store(self.checks.load(Relaxed) + check, Relaxed);
        let record = json(session, line);
        self.at.store(u64::MAX, Relaxed);
        self.flag.store(false, Relaxed);
        record
    }
}

fn json(session: &mut Session, line: &str) -> Value {
    let answer = evaluate(session, line);
    serde_json::from_str(&Record::new(line, &answer).to_line()).unwrap()
}

/// An answer without the lines in it, and without where they end.
fn without_lines(answer: &Value) -> Value {
    match answer {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| !["line", "line_ends"].contains(&name.as_str()));
            kept.map(|(name, value)| (name.clone(), without_lines(value))).collect()
        }
        Value::Array(rows) => rows.iter().map(without_lines).collect(),
        value => value.clone(),
    }
}

/// Rules that take tens of thousands of steps to find the next state.
const SLOW: &str = "move(1) move(2) move(3) init(at(0)) terminal :- true(at(end(S,M)))
    n(0) n(1) n(2) n(3) n(4) n(5) n(6) n(7) n(8)
    odd :- true(at(S)) & n(W) & n(X) & n(Y) & n(Z) & ~even(W,X,Y,Z)
    even(W,X,Y,Z) :- true(at(S)) & n(W) & n(X) & n(Y) & n(Z)";

/// Each player makes one of three moves.
const TWO_PLAYERS: &str = "role(a) role(b)
    legal(a,M) :- move(M) & true(at(0)) legal(b,wait) :- true(at(0))
    legal(b,M) :- move(M) & true(at(S)) & move(S) legal(a,wait) :- true(at(S)) & move(S)
    next(at(M)) :- does(a,M) & move(M) & ~odd next(at(end(S,M))) :- true(at(S)) & does(b,M) & move(M) & ~odd
    goal(a,100) :- true(at(end(S,S))) goal(a,0) :- true(at(end(S,M))) & distinct(S,M)
    goal(b,0) :- true(at(end(S,S))) goal(b,100) :- true(at(end(S,M))) & distinct(S,M)";

/// The player makes one of three moves twice; no plan is worth 100.
const ONE_PLAYER: &str = "role(a) legal(a,M) :- move(M)
    next(at(M)) :- does(a,M) & true(at(0)) & ~odd next(at(end(S,M))) :- true(at(S)) & move(S) & does(a,M) & ~odd
    goal(a,80) :- true(at(end(S,S))) goal(a,10) :- true(at(end(S,M))) & distinct(S,M)";

/// Interrupts each line at a dozen checks of the engine, or at all if there are fewer. It answers with what it knows or
/// says that it knows nothing, and the session goes on. Returns for each line how often it knew something.
fn interrupt(rules: &str, lines: &[&'static str]) -> Vec<(&'static str, u64)> {
    let interrupter = Interrupter::new();
    let mut session = interrupter.session(&format!("{rules}\n{SLOW}"));
    let mut known = Vec::new();
    for &line in lines {
        evaluate(&mut session, line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let (all, truth) = interrupter.count(&mut session, line);
        assert!(all > 4, "{line}: {all} checks");
        let mut answers = 0;
        let checks: BTreeSet<u64> = (1..=POINTS).map(|point| point * (all - 1) / POINTS).collect();
        for check in checks {
            let place = format!("{line} at check {check} of {all}");
            let record = interrupter.stop(&mut session, line, check);
            match record["error"].as_str() {
                Some(error) => assert!(error.contains("interrupted"), "{place}: {error}"),
                // What follows a search, such as its line, is interrupted too.
                None if record["answer"]["exact"] == true => {
                    assert_eq!(without_lines(&record["answer"]), without_lines(&truth["answer"]), "{place}");
                }
                None if record["answer"] == truth["answer"] => {}
                None => {
                    answers += 1;
                    let answer = &record["answer"];
                    let stopped = answer["stopped"]["limit"] == "interrupted";
                    let of_row = |row: &Value| row["stopped"]["limit"] == "interrupted";
                    let in_row = answer["rows"].as_array().is_some_and(|rows| rows.iter().any(of_row));
                    assert!(stopped || in_row, "{place}: {answer}");
                }
            }
            evaluate(&mut session, "legal").unwrap_or_else(|error| panic!("{place}: {error}"));
        }
        known.push((line, answers));
    }
    known
}

#[test]
fn interrupted_searches_of_several_players_answer_and_the_session_goes_on() {
    let searches = [
        "minimax a --values",
        "negamax a",
        "alphabeta a",
        "iterative a",
        "maxn a",
        "expectimax a --values",
        "nash a",
        "analyse --algorithm alphabeta",
        "mcts a --visits 9 --single",
        "montecarlo a --visits 9 --single",
        "compare --algorithms minimax,negamax --selfplay 2",
        "estimate 5",
        "playout 5",
    ];
    for (line, answers) in interrupt(TWO_PLAYERS, &searches) {
        assert!(answers > 0, "{line} never knew anything");
    }
}

#[test]
fn interrupted_searches_of_one_player_answer_and_the_session_goes_on() {
    let searches = [
        "bestplan --naive",
        "bestmove --naive --exit no",
        "maxscore --values",
        "dfs",
        "analyse",
        "deliberate --exit no",
        "dfs --tree-search --order random --runs 5",
        "compare --algorithms dfs:tree-search+order=random --runs 5",
        "dive --lines 5",
        "nested --lines 50",
    ];
    for (line, answers) in interrupt(ONE_PLAYER, &searches) {
        assert!(answers > 0, "{line} never knew anything");
    }
}

/// A search that an interrupt has stopped ends it, so that what the command says next is not interrupted as well. An
/// interrupt that comes again then is another.
#[test]
fn an_interrupt_ends_with_the_search_that_it_has_stopped() {
    let of_two = ["minimax a", "maxn a", "nash a", "mcts a --visits 9 --single", "montecarlo a --visits 9 --single"];
    let of_one = ["bestplan", "deliberate --exit no", "dive --lines 5", "perft 2", "tree"];
    let all = [(TWO_PLAYERS, &of_two[..]), (ONE_PLAYER, &of_one[..])];
    for (rules, line) in all.into_iter().flat_map(|(rules, lines)| lines.iter().map(move |line| (rules, line))) {
        let interrupter = Interrupter::new();
        let mut session = interrupter.session(&format!("{rules}\n{SLOW}"));
        evaluate(&mut session, line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let (all, _) = interrupter.count(&mut session, line);
        let mut stopped = 0;
        for check in (1..=POINTS).map(|point| point * (all - 1) / POINTS) {
            interrupter.at.store(interrupter.checks.load(Relaxed) + check, Relaxed);
            let record = json(&mut session, line);
            interrupter.at.store(u64::MAX, Relaxed);
            if record["answer"]["stopped"]["limit"] == "interrupted" {
                stopped += 1;
                assert!(!interrupter.flag.load(Relaxed), "{line} at check {check} of {all}");
            }
            interrupter.flag.store(false, Relaxed);
        }
        assert!(stopped > 0, "{line} was never stopped");
    }
}

#[test]
fn runs_and_games_that_were_finished_before_an_interrupt_are_kept() {
    for (rules, line, what, tenths) in [
        (ONE_PLAYER, "dfs --tree-search --order random --runs 5 --list", "runs", [4, 6]),
        (ONE_PLAYER, "compare --algorithms dfs:tree-search+order=random,bfs --runs 5", "runs", [4, 6]),
        (TWO_PLAYERS, "compare --algorithms minimax,negamax --selfplay 5", "games", [2, 4]),
    ] {
        let interrupter = Interrupter::new();
        let mut session = interrupter.session(&format!("{rules}\n{SLOW}"));
        evaluate(&mut session, line).unwrap();
        let (all, truth) = interrupter.count(&mut session, line);
        // The comparisons are interrupted in the runs of the first algorithm.
        for check in tenths.map(|tenths| all * tenths / 10) {
            interrupter.at.store(interrupter.checks.load(Relaxed) + check, Relaxed);
            let found = evaluate(&mut session, line);
            interrupter.at.store(u64::MAX, Relaxed);
            interrupter.flag.store(false, Relaxed);
            let record: Value = serde_json::from_str(&Record::new(line, &found).to_line()).unwrap();
            let (answer, truth) = (&record["answer"], &truth["answer"]);
            assert_eq!(answer["stopped"]["limit"], "interrupted", "{line}: {record}");
            let is_compared = answer["of"].is_null();
            let of = |answer: &Value| if is_compared { answer["runs"][0].clone() } else { answer.clone() };
            let list = if what == "games" { "played" } else { "runs" };
            let (made, full) =
                (of(answer)[list].as_array().unwrap().clone(), of(truth)[list].as_array().unwrap().clone());
            assert!(made.len() < full.len() && made[..] == full[..made.len()], "{line}: {answer}");
            assert_eq!(of(answer)["of"], 5, "{line}: {answer}");
            let said = shown(&found.unwrap());
            let words = format!("interrupted: {} of 5 {what}", made.len());
            assert!(said.contains(&words), "{words}: {said}");
        }
    }
}

fn shown(answer: &Answer) -> String {
    ggp::repl::render::text(answer, ggp::diagnostic::render::Paint::Plain, ggp::syntax::Dialect::Infix)
}

#[test]
fn a_limit_of_the_engine_is_said_with_the_best_so_far() {
    // After the third move a table needs more memory than after the first two.
    let wide = "move(1) move(2) move(3) init(at(0)) terminal :- true(at(end(S,M)))
        n(0) n(1) n(2) n(3) n(4) n(5) n(6) n(7) n(8) n(9) n(10) n(11) n(12)
        n(13) n(14) n(15) n(16) n(17) n(18) n(19) n(20) n(21) n(22) n(23) n(24)
        odd :- reach(X,Y,Z) & ~n(X) reach(X,Y,Z) :- reach(Y,Z,X)
        reach(X,Y,Z) :- true(at(3)) & n(X) & n(Y) & n(Z)";
    let file = format!("ggp-wide-{}.gdl", std::process::id());
    std::fs::write(std::env::temp_dir().join(&file), format!("{TWO_PLAYERS}\n{wide}")).unwrap();
    let limits = Limits::new().with_memory(100_000);
    let options = EngineOptions::from(EngineKind::Interpreter).with_limits(limits);
    let mut session = Session::new(std::env::temp_dir(), Arc::default()).with_engine(options);
    evaluate(&mut session, &format!("load {file}")).unwrap();
    std::fs::remove_file(std::env::temp_dir().join(&file)).unwrap();
    for search in ["minimax a", "negamax a", "alphabeta a", "paranoid a", "maxn a", "expectimax a"] {
        let record = json(&mut session, search);
        let answer = &record["answer"];
        assert_eq!(answer["stopped"]["limit"], "engine", "{record}");
        assert_eq!((&answer["finished"]["moves"], &answer["finished"]["of"]), (&2.into(), &3.into()), "{answer}");
    }
    let text = shown(&evaluate(&mut session, "minimax a").unwrap());
    let words = "(best of 2 of 3 moves, an answer of the engine needs more than the limit of 97.7 KiB of memory;";
    assert!(text.contains(words), "{text}");
}
