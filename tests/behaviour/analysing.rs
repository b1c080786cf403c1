//! `analyse`: its numbers are those of the searches, however it ends.

use crate::program::call;
use crate::sessions::session;
use ggp::engine::{Engine, EngineKind, load};
use ggp::game::{Reasoner, Role};
use ggp::limits::Stop;
use ggp::repl::render::text;
use ggp::repl::{Session, evaluate};
use ggp::search::{Budget, Contest, FirstPlans, FirstValues, first_plans, first_values};
use ggp::syntax::Dialect;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn json(session: &mut Session, line: &str) -> Value {
    let line = format!("{line} --json");
    let answer = evaluate(session, &line).unwrap_or_else(|error| panic!("{line}: {error:?}"));
    let text = text(&answer, ggp::diagnostic::render::Paint::Plain, Dialect::Infix);
    serde_json::from_str(&text).expect("it is an object")
}

/// The moves of an answer with what is said of each, apart from its line.
fn values(answer: &Value) -> Vec<(String, Value)> {
    let read = |row: &Value| {
        let mut row = row.as_object().expect("a row is an object").clone();
        row.remove("line");
        (row.remove("move").expect("it has a move").to_string(), Value::Object(row))
    };
    answer["moves"].as_array().expect("it lists moves").iter().map(read).collect()
}

const CONTESTS: [(&[&str], &str); 4] = [
    (&["load tic_tac_toe", "do mark(1,1)", "do mark(1,2)"], ""),
    (&["load tic_tac_toe", "do mark(2,2)"], ""),
    (&["load connect_four", "do drop(4)"], " --eval connect_four_weights"),
    (&["load rock_paper_scissors"], ""),
];

#[test]
fn the_values_of_two_players_are_those_of_minimax_and_alphabeta() {
    for (lines, eval) in CONTESTS {
        let mut session = session(lines);
        for depth in 1..=3 {
            let mut shown =
                json(&mut session, &format!("analyse --algorithm alphabeta --depth {depth} --moves 99{eval}"));
            let forced = json(&mut session, &format!("minimax --values --depth {depth}{eval}"));
            let alphabeta = json(&mut session, &format!("alphabeta --depth {depth}{eval}"));
            let best = shown["moves"][0].take();
            for worth in ["utility", "estimate", "unknown"] {
                assert_eq!(best.get(worth), alphabeta.get(worth), "{lines:?} to depth {depth}");
            }
            shown["moves"][0] = best;
            let (mut shown, mut forced) = (values(&shown), values(&forced));
            shown.sort_by(|one, other| one.0.cmp(&other.0));
            forced.sort_by(|one, other| one.0.cmp(&other.0));
            assert_eq!(shown, forced, "{lines:?} to depth {depth}");
        }
    }
}

#[test]
fn the_plans_of_one_player_are_those_of_bestplan() {
    let mut session = session(&["load three_puzzle"]);
    for depth in 5..=8 {
        let shown = json(&mut session, &format!("analyse --depth {depth}"));
        let line = format!("bestplan --depth {depth} --json");
        match evaluate(&mut session, &line) {
            Ok(_) => {
                let plan = json(&mut session, &format!("bestplan --depth {depth}"));
                assert_eq!(shown["moves"][0]["utility"], plan["utility"], "to depth {depth}");
            }
            Err(_) => assert!(shown["moves"][0].get("utility").is_none(), "to depth {depth}"),
        }
    }
    let all = json(&mut session, "analyse");
    let shortest = json(&mut session, "bestplan --shortest");
    assert_eq!((&all["exact"], &all["depth"]), (&true.into(), &6.into()));
    assert_eq!(all["moves"][0]["length"], shortest["moves"].as_array().expect("moves").len());
}

#[test]
fn the_numbers_of_random_games_are_those_of_mcts() {
    for lines in [&["load connect_four"][..], &["load rock_paper_scissors"], &["load pig_dice"]] {
        let mut session = session(lines);
        // With more visits rock_paper_scissors is solved before they are spent.
        for visits in [1, 50, 100] {
            let shown = json(&mut session, &format!("analyse --algorithm mcts --nodes {visits} --moves 99 --seed 3"));
            let mcts = json(&mut session, &format!("mcts --visits {visits} --seed 3"));
            assert_eq!((&shown["visits"], &shown["cost"]), (&visits.into(), &mcts["cost"]));
            let number = |row: &Value| (row["visits"].clone(), row["mean"].clone());
            let numbers = |answer: &Value| {
                let mut rows: Vec<_> = values(answer).iter().map(|(name, row)| (name.clone(), number(row))).collect();
                rows.retain(|(_, (visits, _))| visits.as_u64().is_some_and(|visits| visits > 0));
                rows.sort_by(|one, other| one.0.cmp(&other.0));
                rows
            };
            assert_eq!(numbers(&shown), numbers(&mcts), "{lines:?}, {visits} visits");
            let line = mcts.get("line").cloned().unwrap_or(Value::Array(Vec::new()));
            assert_eq!(shown["moves"][0]["line"], line, "{lines:?}, {visits} visits");
        }
    }
}

/// Wherever a limit on nodes stops it, the answer is that of the last complete depth.
#[test]
fn a_limit_leaves_the_last_complete_depth() {
    for (lines, eval) in CONTESTS {
        let mut session = session(lines);
        for nodes in [40, 60, 100, 150, 200, 300, 400, 500, 600, 800, 1000, 1200] {
            let cut = json(&mut session, &format!("analyse --algorithm alphabeta --nodes {nodes}{eval}"));
            let depth = cut["depth"].as_u64().expect("a depth");
            let whole = json(&mut session, &format!("analyse --algorithm alphabeta --depth {depth}{eval}"));
            assert_eq!(cut["moves"], whole["moves"], "{lines:?}, {nodes} nodes, depth {depth}");
        }
    }
}

#[test]
fn an_interrupt_leaves_the_last_complete_depth() {
    let mut game = load("connect_four_4x4", Path::new("."), EngineKind::default()).expect("the library has it");
    let engine = game.engine().expect("there is an engine");
    let state = engine.initial_state().expect("there is a state");
    for last in 1..=6 {
        let flag = Arc::new(AtomicBool::new(false));
        let budget = Budget::new().with_interrupt(flag.clone());
        let mut seen = None;
        let mut watch = |_: &mut Engine, values: &FirstValues| {
            seen = Some(values.clone());
            flag.store(values.depth == last, Ordering::Relaxed);
        };
        let contest = Contest::new(&state, Role::new(0));
        let outcome = first_values(engine, contest, &budget, &mut watch).expect("a search");
        assert_eq!(
            (outcome.answer.as_ref().map(|it| it.depth), outcome.stopped),
            (Some(last), Some(Stop::Interrupted))
        );
        assert_eq!(outcome.answer, seen);
    }
    let mut game = load("eight_puzzle_unlimited", Path::new("."), EngineKind::default()).expect("the library has it");
    let engine = game.engine().expect("there is an engine");
    let state = engine.initial_state().expect("there is a state");
    for last in 1..=6 {
        let flag = Arc::new(AtomicBool::new(false));
        let budget = Budget::new().with_interrupt(flag.clone());
        let mut watch = |_: &mut Engine, plans: &FirstPlans| flag.store(plans.depth == last, Ordering::Relaxed);
        let outcome = first_plans(engine, &state, &budget, &mut watch).expect("a search");
        assert_eq!((outcome.answer.map(|it| it.depth), outcome.stopped), (Some(last), Some(Stop::Interrupted)));
    }
}

/// Alpha-beta without an evaluation says nothing of a large game before it sees its ends.
#[test]
fn the_search_that_fits_the_game_is_chosen() {
    for (game, limits, algorithm) in [
        ("connect_four", "--nodes 100", "mcts"),
        ("connect_four", "--depth 2", "alphabeta"),
        ("connect_four", "--depth 2 --eval connect_four_weights", "alphabeta"),
        ("tic_tac_toe", "--nodes 100", "alphabeta"),
        ("rock_paper_scissors", "--nodes 100", "mcts"),
        ("eight_puzzle", "--nodes 100", "bestplan"),
    ] {
        let mut session = session(&[&format!("load {game}")]);
        let answer = json(&mut session, &format!("analyse {limits}"));
        assert_eq!(answer["algorithm"], algorithm, "{game} {limits}");
    }
}

/// Sealed bids for a card that only one of two sees: nothing proves the values, since both choose at once.
const SEALED_BIDS: &str = "tests/games/sealed_bids.gdl";

/// In a pipe no user can stop the analysis, so it ends by itself, and says why.
#[test]
fn an_analysis_without_terminal_and_limit_ends() {
    let begun = Instant::now();
    let called = call(&["eval", "connect_four", "analyse"]);
    assert_eq!(called.code, 0, "{}", called.talk);
    assert!(called.answer.contains("the time limit of 10 s was reached"), "{}", called.answer);
    assert!(called.talk.contains("without a limit `analyse` ends after 10 seconds"), "{}", called.talk);
    assert!(begun.elapsed() >= Duration::from_secs(10));
    let called = call(&["eval", "connect_four", "analyse --nodes 100"]);
    assert!(called.answer.contains("the limit of 100 visits was reached"), "{}", called.answer);
    assert!(!called.talk.contains("10 seconds"), "{}", called.talk);
}

/// What is proven ends an analysis, however much time is left.
#[test]
fn an_analysis_ends_when_its_values_are_proven() {
    let called = call(&["eval", SEALED_BIDS, "do draw(1); analyse"]);
    assert!(called.answer.contains("; exact") && called.answer.contains("50 proven"), "{}", called.answer);
    let moves = "do mark(1,1); do mark(2,1); do mark(1,2); do mark(2,2)";
    for options in ["", " --algorithm alphabeta", " --algorithm mcts"] {
        let called = call(&["eval", "tic_tac_toe", &format!("{moves}; analyse{options}")]);
        assert!(called.answer.contains("; exact"), "{}", called.answer);
        assert!(!called.talk.contains("10 seconds"), "{}", called.talk);
    }
}
