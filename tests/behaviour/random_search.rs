//! `mcts`, `montecarlo`, `dive` and `nested` at the prompt: their numbers are those of the searches, and they keep what they
//! know.

use ggp::engine::{Engine, EngineKind, EngineState, Game, load};
use ggp::game::{JointMoves, ReasonError, Reasoner, Role};
use ggp::limits::{Limits, Stop};
use ggp::play::{PlayoutKind, PlayoutOptions, RandomPlay};
use ggp::repl::render::text;
use ggp::repl::{Answer, CommandError, Session, evaluate};
use ggp::search::{Budget, Contest, PlayoutResults, Playouts, SinglePlayouts, Uct, UctOptions, minimax, monte_carlo};
use ggp::syntax::Dialect;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn session(lines: &[&str]) -> Session {
    let mut session = Session::new(folder(), Arc::default());
    lines.iter().for_each(|line| drop(asked(&mut session, line)));
    session
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

fn asked(session: &mut Session, line: &str) -> Answer {
    evaluate(session, line).unwrap_or_else(|error| panic!("{line}: {error:?}"))
}

fn answer(lines: &[&str]) -> String {
    let (last, before) = lines.split_last().expect("there is a line");
    shown(&asked(&mut session(before), last))
}

fn shown(answer: &Answer) -> String {
    text(answer, ggp::diagnostic::render::Paint::Plain, Dialect::Infix)
}

fn json(line: &str, before: &[&str]) -> serde_json::Value {
    let text = answer(&[before, &[&format!("{line} --json")]].concat());
    serde_json::from_str(&text).expect("it is an object")
}

fn library(name: &str) -> Game {
    load(name, Path::new("."), EngineKind::default()).expect("the library has it")
}

/// The moves of an answer with their visits and means.
fn moves(answer: &serde_json::Value) -> Vec<(String, u64, f64)> {
    let moves = answer["moves"].as_array().expect("it lists moves").iter();
    let read = |row: &serde_json::Value| {
        let mean = row["mean"].as_f64().unwrap_or_default();
        (row["move"].as_str().unwrap_or_default().to_string(), row["visits"].as_u64().unwrap_or_default(), mean)
    };
    moves.map(read).collect()
}

#[test]
fn the_numbers_of_mcts_are_those_of_the_search() {
    let shown = moves(&json("mcts --visits 300 --single --seed 5", &["load connect_four"]));
    let mut game = library("connect_four");
    let engine = game.engine().expect("there is an engine");
    let state = engine.initial_state().expect("there is a state");
    let options = UctOptions { seed: 5, ..UctOptions::default() };
    let mut uct = Uct::new(engine, &state, options).expect("a tree");
    let budget = Budget::new().with_nodes(300);
    let outcome = uct.search(engine, Role::new(0), &mut SinglePlayouts::new(5), &budget).expect("a search");
    let mut options = outcome.answer.expect("an answer").options;
    options.sort_by_key(|option| std::cmp::Reverse(option.visits));
    let found = options.iter().map(|it| (engine.move_term(it.chosen).to_string(), u64::from(it.visits), it.mean));
    assert_eq!(shown, found.collect::<Vec<_>>());
    assert_eq!(shown.iter().map(|(_, visits, _)| visits).sum::<u64>(), 300);
}

#[test]
fn flat_monte_carlo_recommends_the_greatest_mean() {
    let mut game = library("tic_tac_toe");
    let engine = game.engine().expect("there is an engine");
    let state = engine.initial_state().expect("there is a state");
    for seed in 0..10 {
        let budget = Budget::new().with_nodes(450);
        let mut playouts = SinglePlayouts::new(seed);
        let outcome = monte_carlo(engine, &state, Role::new(0), &mut playouts, seed, &budget).expect("a search");
        let advice = outcome.answer.expect("an answer");
        let greatest = advice.options.iter().map(|option| option.mean).fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(advice.best().mean, greatest, "seed {seed}");
        assert!(advice.options.iter().all(|option| option.visits == 50 && option.error.is_some()));
        let shown = json(&format!("montecarlo --visits 450 --single --seed {seed}"), &["load tic_tac_toe"]);
        assert_eq!(shown["mean"].as_f64(), Some(greatest), "seed {seed}");
    }
}

/// Half the width of an interval is 1.96 standard errors, which two values of 0 and 100 make easy to check.
#[test]
fn the_intervals_are_those_of_independent_games() {
    let shown = json("montecarlo --visits 900 --single", &["load tic_tac_toe"]);
    for row in shown["moves"].as_array().expect("it lists moves") {
        let (low, high) = (row["interval"]["low"].as_f64().unwrap(), row["interval"]["high"].as_f64().unwrap());
        let mean = row["mean"].as_f64().unwrap();
        assert!((low + high - 2.0 * mean).abs() < 1e-9);
        // The standard deviation of numbers from 0 to 100 is at most 50, here with n - 1 = 99 in the denominator.
        assert!(high > low && high - low <= 2.0 * 1.96 * 50.0 / 99_f64.sqrt() + 1e-9, "{row}");
    }
    assert!(json("mcts --visits 90", &["load tic_tac_toe"])["moves"][0].get("interval").is_none());
}

#[test]
fn the_same_seed_gives_the_same_answer_in_lanes_too() {
    for line in ["mcts --visits 700 --seed 3", "montecarlo --visits 700 --seed 3"] {
        let one = answer(&["load connect_four", line]);
        assert_eq!(one, answer(&["load connect_four", "mcts --visits 50", line]), "{line}");
        let other = line.replace("seed 3", "seed 4");
        assert_ne!(one, answer(&["load connect_four", &other]), "{line}");
    }
}

#[test]
fn a_forced_win_is_proven_and_a_limit_ends_the_search() {
    let before = ["load tic_tac_toe", "do mark(1,1)", "do mark(1,2)"];
    let won = json("mcts", &before);
    assert_eq!((&won["exact"], &won["proven"], won["mean"].as_f64()), (&true.into(), &true.into(), Some(100.0)));
    // By default it ends by itself.
    let open = json("mcts", &["load connect_four"]);
    assert_eq!((open["cost"]["nodes"].as_u64(), &open["stopped"]["limit"]), (Some(10_000), &"nodes".into()));
    let timed = json("mcts --seconds 0.2", &["load connect_four"]);
    assert_eq!(timed["stopped"]["limit"], "time");
    // Without a visit there is no answer.
    let error = evaluate(&mut session(&["load connect_four"]), "mcts --seconds 0").expect_err("nothing is known");
    assert!(matches!(error, CommandError::Stopped { .. }), "{error:?}");
}

/// What a tree has proved of the states after other moves is what minimax finds, and the state after the move that is made
/// is not among them.
#[test]
fn states_beside_a_move_have_their_exact_values() {
    let mut game = library("tic_tac_toe");
    let engine = game.engine().expect("there is an engine");
    let mut state = engine.initial_state().expect("there is a state");
    let mut compared = 0;
    for ply in 0..6 {
        let mut uct = Uct::new(engine, &state, UctOptions::PLAYER).expect("a tree");
        let (role, budget) = (Role::new(ply % 2), Budget::new().with_nodes(3_000));
        uct.search(engine, role, &mut SinglePlayouts::new(1), &budget).expect("a search");
        let joint_move = JointMoves::in_state(engine, &state).expect("there are moves").current().to_vec();
        let next = engine.next_state(&state, &joint_move).expect("it has a successor");
        for (beside, utilities) in uct.proven_beside(&joint_move) {
            assert!(*beside != next && !engine.is_terminal(beside).expect("it is known"));
            for (role, &utility) in utilities.iter().enumerate() {
                let contest = Contest { table: true, ..Contest::new(beside, Role::new(role)) };
                let exact = minimax(engine, contest, &Budget::new(), ()).expect("it is searched").answer;
                let exact = exact.and_then(|choice| choice.worth.utility()).map(|utility| utility.to_f64());
                assert_eq!(exact, Some(utility));
                compared += 1;
            }
        }
        state = next;
    }
    assert!(compared >= 8, "{compared}");
}

#[test]
fn an_interrupt_keeps_what_is_known() {
    let mut game = library("connect_four");
    let engine = game.engine().expect("there is an engine");
    let state = engine.initial_state().expect("there is a state");
    for batches in 1..=12_u64 {
        let flag = Arc::new(AtomicBool::new(false));
        let budget = Budget::new().with_interrupt(flag.clone());
        let mut uct = Uct::new(engine, &state, UctOptions::default()).expect("a tree");
        let mut last = 0;
        let mut watch = |_: &mut Engine, tree: &Uct<_>, visits: u64| {
            last = tree.advice(Role::new(0)).map_or(0, |advice| advice.visits());
            assert_eq!(last, visits);
            flag.store(visits >= 5 * batches, Ordering::Relaxed);
        };
        let mut playouts = SinglePlayouts::new(1);
        let outcome = uct.search_watched(engine, Role::new(0), &mut playouts, &budget, &mut watch).expect("a search");
        assert_eq!(outcome.stopped, Some(Stop::Interrupted));
        assert_eq!(outcome.answer.expect("something is known").visits(), 5 * batches);
        assert_eq!(last, 5 * batches);
    }
}

/// Random games of which some batch is abandoned, as at the end of the time.
struct Abandoned {
    games: SinglePlayouts,
    left: u64,
    flag: Arc<AtomicBool>,
}

impl Playouts<Engine> for Abandoned {
    fn width(&self) -> usize {
        8
    }

    fn play(
        &mut self,
        engine: &mut Engine,
        states: &[EngineState],
        results: &mut PlayoutResults,
        alarm: &mut dyn FnMut() -> bool,
    ) -> Result<bool, ReasonError> {
        self.flag.store(self.left == 0, Ordering::Relaxed);
        self.left = self.left.saturating_sub(1);
        Ok(!alarm() && self.games.play(engine, states, results, alarm)?)
    }
}

/// The visits of games that were not played are taken back, also in a tree that has no room left.
#[test]
fn an_abandoned_batch_leaves_no_visits() {
    let mut game = library("connect_four");
    let engine = game.engine().expect("there is an engine");
    let state = engine.initial_state().expect("there is a state");
    for memory in [u64::MAX, 3_000, 1] {
        for batches in [0, 1, 2, 5, 9] {
            let flag = Arc::new(AtomicBool::new(false));
            let mut games = Abandoned { games: SinglePlayouts::new(1), left: batches, flag: flag.clone() };
            let budget = Budget::new().with_interrupt(flag.clone()).with_memory(memory);
            let mut uct = Uct::new(engine, &state, UctOptions::default()).expect("a tree");
            let outcome = uct.search(engine, Role::new(0), &mut games, &budget).expect("a search");
            assert_eq!(outcome.stopped, Some(Stop::Interrupted));
            let visits = outcome.answer.expect("the moves are known").visits();
            assert_eq!(visits, 8 * batches, "{batches} batches, {memory} bytes");
            // The search goes on from there.
            flag.store(false, Ordering::Relaxed);
            games.left = 3;
            let outcome = uct.search(engine, Role::new(0), &mut games, &budget).expect("a search");
            assert_eq!(outcome.answer.expect("the moves are known").visits(), 8 * (batches + 3));
        }
    }
}

/// Random games on other threads: all batches that have begun count, the results come in the order of the batches, and
/// the same search gives the same answer.
#[test]
fn random_games_on_other_threads_all_count() {
    let mut game = load("connect_four_4x5", Path::new("."), EngineKind::Propnet).expect("the library has it");
    let engine = game.engine().expect("there is an engine");
    let state = engine.initial_state().expect("there is a state");
    for threads in [1, 3] {
        let options = PlayoutOptions { threads, keeps_moves: true, ..PlayoutOptions::new(PlayoutKind::Lanes, 4) };
        let uct = UctOptions { rave: 60.0, seed: 3, ..UctOptions::default() };
        let mut search = |visits: u64, stops: u64| {
            let play = RandomPlay::reproducible(options, engine, 7, &Limits::none());
            let mut play = play.expect("nothing stops it");
            let flag = Arc::new(AtomicBool::new(false));
            let budget = Budget::new().with_interrupt(flag.clone()).with_nodes(visits);
            let mut uct = Uct::new(engine, &state, uct).expect("a tree");
            let mut watch = |_: &mut Engine, _: &Uct<_>, visits: u64| flag.store(visits >= stops, Ordering::Relaxed);
            let outcome = uct.search_watched(engine, Role::new(0), &mut play, &budget, &mut watch).expect("a search");
            (outcome.stopped, outcome.answer.expect("something is known"))
        };
        let (stopped, advice) = search(20_000, u64::MAX);
        assert_eq!((stopped, advice.visits()), (Some(Stop::Nodes { limit: 20_000 }), 20_000), "{threads} threads");
        let expected = advice.options.iter().map(|option| (option.chosen, option.visits, option.mean.to_bits()));
        let again = search(20_000, u64::MAX).1;
        let again = again.options.iter().map(|option| (option.chosen, option.visits, option.mean.to_bits()));
        assert!(expected.eq(again), "{threads} threads");
        // Batches that have begun when a search is interrupted are finished.
        let (stopped, advice) = search(u64::MAX, 5_000);
        assert_eq!(stopped, Some(Stop::Interrupted));
        assert!(advice.visits() >= 5_000, "{} visits", advice.visits());
    }
}

#[test]
fn the_tree_is_drawn_with_visits_and_means() {
    let lines = ["load tic_tac_toe", "do mark(1,1)", "do mark(1,2)", "do mark(3,3)"];
    let mut session = session(&lines);
    asked(&mut session, "mcts --visits 25 --single --tree text mcts_tree.txt --force");
    let drawn = std::fs::read_to_string(folder().join("mcts_tree.txt")).expect("it was written");
    insta::assert_snapshot!("mcts_tree", drawn);
    asked(&mut session, "mcts --visits 25 --single --tree svg mcts_tree.svg --boards --force");
    let picture = std::fs::read_to_string(folder().join("mcts_tree.svg")).expect("it was written");
    assert!(picture.contains("25 visits") && picture.matches("<text").count() > 25, "{picture}");
}

/// A large tree is folded to its most visited nodes, and to nodes that say how many others there are.
#[test]
fn a_large_tree_is_folded_to_its_most_visited_nodes() {
    let mut session = session(&["load connect_four"]);
    asked(&mut session, "mcts --visits 1500 --single --tree list mcts_list.txt --force");
    asked(&mut session, "mcts --visits 1500 --single --tree dot mcts_large.dot --force");
    let list = std::fs::read_to_string(folder().join("mcts_list.txt")).expect("it was written");
    let visits = |line: &str| line.split_whitespace().last().and_then(|word| word.parse::<u64>().ok());
    let mut all: Vec<u64> = list.lines().filter_map(visits).collect();
    assert_eq!(all.len(), 1501);
    all.sort_unstable_by_key(|&visits| std::cmp::Reverse(visits));
    let drawn = std::fs::read_to_string(folder().join("mcts_large.dot")).expect("it was written");
    let shown =
        drawn.split(" visit").filter_map(|before| before.rsplit(['n', ' ', '"']).next()?.replace(',', "").parse().ok());
    let shown: Vec<u64> = shown.collect();
    assert!((295..=300).contains(&shown.len()), "{drawn}");
    // Only nodes of the best line may have fewer visits than the 300th node.
    let fewer = shown.iter().filter(|&&visits| visits < all[299]).count();
    assert!(fewer < 12, "{fewer} nodes have fewer visits than the 300th, which has {}", all[299]);
}

#[test]
fn dive_finds_a_plan() {
    let found = json("dive", &["load three_puzzle"]);
    assert_eq!((&found["exact"], &found["utility"]), (&true.into(), &100.into()));
    let plan: Vec<&str> = found["moves"].as_array().expect("moves").iter().filter_map(|it| it.as_str()).collect();
    let checked = json(&format!("plan check {}", plan.join(" ")), &["load three_puzzle"]);
    assert_eq!(checked["legal"], true, "{checked}");
    // No line of two moves ends: the answer says so, and is no error.
    let none = answer(&["load three_puzzle", "dive --lines 7 --depth 2"]);
    assert_eq!(none, "nothing found (the limit of 7 lines was reached; 7 lines, the longest of 2 moves)\n");
}

#[test]
fn nested_finds_a_plan() {
    let found = json("nested", &["load three_puzzle"]);
    assert_eq!((&found["exact"], &found["utility"]), (&true.into(), &100.into()));
    let plan: Vec<&str> = found["moves"].as_array().expect("moves").iter().filter_map(|it| it.as_str()).collect();
    let checked = json(&format!("plan check {}", plan.join(" ")), &["load three_puzzle"]);
    assert_eq!(checked["legal"], true, "{checked}");
    let none = answer(&["load three_puzzle", "nested --lines 7 --depth 2"]);
    assert_eq!(none, "nothing found (the limit of 7 lines was reached; 7 lines, the longest of 2 moves)\n");
    for (game, line, reason) in
        [("three_puzzle", "nested --level 0", "a level from 1 on"), ("tic_tac_toe", "nested", "this one has 2")]
    {
        let error = evaluate(&mut session(&[&format!("load {game}")]), line).expect_err("it is refused").to_string();
        assert!(error.contains(reason), "{line}: {error}");
    }
}
