//! `tournament`: games between searches, in all seats, with the same results from the same seed.

use crate::program::call;
use ggp::diagnostic::render::Paint;
use ggp::repl::{Session, evaluate, render};
use ggp::syntax::Dialect;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn session(game: &str, interrupt: Arc<AtomicBool>) -> Session {
    let mut session = Session::new(Path::new("."), interrupt);
    evaluate(&mut session, &format!("load {game}")).expect("the game loads");
    session
}

fn text(session: &mut Session, line: &str) -> String {
    match evaluate(session, line) {
        Ok(answer) => render::text(&answer, Paint::Plain, Dialect::Infix),
        Err(error) => format!("error: {error}"),
    }
}

fn json(session: &mut Session, line: &str) -> Value {
    let answer = evaluate(session, line).unwrap_or_else(|error| panic!("{line}: {error}"));
    serde_json::to_value(answer).expect("answers are objects")
}

/// The wins, draws and losses of each player.
fn results(answer: &Value) -> Vec<[u64; 3]> {
    let count = |player: &Value| ["wins", "draws", "losses"].map(|key| player[key].as_u64().expect("a count"));
    answer["players"].as_array().expect("a list").iter().map(count).collect()
}

#[test]
fn a_table_lists_what_the_players_have_won() {
    let mut session = session("tic_tac_toe", Arc::default());
    insta::assert_snapshot!(text(
        &mut session,
        "tournament minimax:depth=2,random,(mcts --visits 20 --single) --games 6"
    ));
    assert_eq!(text(&mut session, "legal xplayer").matches("mark").count(), 9, "the position is as it was");
}

#[test]
fn players_take_all_seats_and_the_seed_decides() {
    let mut session = session("tic_tac_toe", Arc::default());
    let line = "tournament alphabeta:table,random,minimax:depth=2 --games 6 --seed 5";
    let answer = json(&mut session, line);
    let games: Vec<u64> = results(&answer).iter().map(|counts| counts.iter().sum()).collect();
    assert_eq!(games, [4, 4, 4], "each plays the others from both seats");
    assert_eq!(results(&answer)[0][2], 0, "a search does not lose to random moves here");
    let seed = text(&mut session, "seed");
    assert_eq!(json(&mut session, line), answer);
    assert_eq!(text(&mut session, "seed"), seed, "the session keeps its seed");
    let other = json(&mut session, "tournament random,random --games 40 --seed 6");
    assert_ne!(json(&mut session, "tournament random,random --games 40 --seed 60"), other);
    // The first seat is better for players who move at random; both take it equally often.
    let [first, second] = results(&other)[..] else { panic!("two players") };
    assert_eq!([first[0], first[1], first[2]], [second[2], second[1], second[0]]);
}

/// The share and its interval are those of `ggp match`: Wilson's for the share, normal for the mean.
#[test]
fn results_have_confidence_intervals() {
    let mut session = session("eight_puzzle", Arc::default());
    let answer = json(&mut session, "tournament astar:heuristic=hadd --games 3");
    let player = &answer["players"][0];
    assert_eq!((player["wins"].as_u64(), player["mean"]["value"].as_f64()), (Some(3), Some(100.0)));
    let low = player["score"]["low"].as_f64().expect("a number");
    assert!((low - 0.438_503).abs() < 1e-5, "Wilson's interval of 3 of 3: {low}");
}

#[test]
fn players_who_choose_at_once_do_not_know_each_others_moves() {
    let mut session = session("rock_paper_scissors", Arc::default());
    let answer = json(&mut session, "tournament random,random --games 60");
    let [first, second] = results(&answer)[..] else { panic!("two players") };
    assert_eq!([first[0], first[1], first[2]], [second[2], second[1], second[0]]);
    assert!(first.iter().all(|&count| count > 5), "{first:?}");
}

/// The line of a search of all roles has the moves of each.
#[test]
fn each_role_makes_its_own_move_of_a_line() {
    let mut session = session("tests/games/at_once.kif", Arc::default());
    // In `maxn` the role that asks decides first, so each expects the other to follow.
    let searches =
        [("maxn", "first top, second right", ["draws", "2"]), ("nash", "first top, second left", ["wins", "2"])];
    for (search, moves, [end, games]) in searches {
        let played = text(&mut session, &format!("play {search}"));
        assert!(played.contains(moves), "{search}: {played}");
        text(&mut session, "restart");
        let answer = json(&mut session, &format!("tournament {search},random --games 4"));
        assert_eq!(answer["games"], 4, "{search}");
        let answer = json(&mut session, &format!("compare --algorithms {search} --selfplay 2"));
        assert_eq!(answer["runs"][0][end].to_string(), games, "{search}: {answer}");
    }
}

#[test]
fn wrong_players_are_refused() {
    let mut session = session("connect_four", Arc::default());
    let problems = [
        ("tournament random", "this game needs 2 players, one for each of red, yellow"),
        ("tournament", "this game needs 2 players"),
        ("tournament random,mctss:visits=9", "there is no command `mctss`"),
        ("tournament random,solve", "`solve` is not a search"),
        ("tournament random,alphabeta:tabel", "`alphabeta` has no option `--tabel`; did you mean --table?"),
        ("tournament random,random --games 0", "`--games` takes a number of games from 1 on"),
        ("tournament random,bfs", "one"),
    ];
    for (line, problem) in problems {
        let text = text(&mut session, line);
        assert!(text.starts_with("error: ") && text.contains(problem), "{line}: {text}");
    }
}

/// An interrupt keeps the games that are over.
#[test]
fn an_interrupted_tournament_keeps_its_games() {
    let interrupt = Arc::new(AtomicBool::new(false));
    let mut session = session("tic_tac_toe", interrupt.clone());
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(600));
        interrupt.store(true, Ordering::Relaxed);
    });
    let answer = evaluate(&mut session, "tournament random,minimax:depth=3 --games 1000000");
    stopper.join().expect("it sets a flag");
    let answer = serde_json::to_value(answer.expect("it is one")).expect("answers are objects");
    assert_eq!(answer["kind"], "tournament");
    assert!(answer["games"].as_u64().expect("a count") > 0 && !answer["stopped"].is_null(), "{answer}");
    assert_eq!(text(&mut session, "legal xplayer").matches("mark").count(), 9, "the position is as it was");
}

/// A player that would play without its evaluation is another player.
#[test]
fn a_sheet_that_cannot_be_loaded_is_named_before_the_match() {
    let missing = "there is no heuristic sheet `nosuch` in the library, and no such file; `games` lists the library";
    let nothing = "blocksworld_tiles_manhattan.gdl has no rules for `evaluation` with 3 arguments";
    let other = "deepening:eval=blocksworld_tiles_manhattan";
    for (arguments, player, problem) in [
        (&["three_puzzle", "astar:heuristic=nosuch"][..], "astar:heuristic=nosuch", missing),
        (&["tic_tac_toe", "legal", "deepening:eval=nosuch"], "deepening:eval=nosuch", missing),
        (&["blocksworld_tiles", other], other, nothing),
        (
            &["tic_tac_toe", "expectimax:depth=2,opponents=greedy:eval=nosuch", "legal"],
            "expectimax:depth=2,opponents=greedy:eval=nosuch",
            missing,
        ),
        (&["tic_tac_toe", "legal", "random", "minimax:eval=nosuch", "--round-robin"], "minimax:eval=nosuch", missing),
    ] {
        let called = call(&[&["match"][..], arguments].concat());
        assert_eq!(called.code, 2, "{}", called.answer);
        assert_eq!(called.talk, format!("error: {player}: {problem}\n"));
    }
    let called = call(&["match", "tic_tac_toe", "expectimax:opponents=weights:file=nosuch", "legal"]);
    let expected = "error: expectimax:opponents=weights:file=nosuch: nosuch: ";
    assert!(called.code == 2 && called.talk.starts_with(expected), "{}", called.talk);
    let sheet = std::env::temp_dir().join(format!("ggp_half_{}.gdl", std::process::id()));
    std::fs::write(&sheet, "(<= (heuristic here 1) (true").expect("a file can be written");
    let called = call(&["match", "three_puzzle", &format!("astar:heuristic={}", sheet.display())]);
    std::fs::remove_file(&sheet).expect("it is there");
    assert!(called.talk.contains(&format!("{}:1:", sheet.display())), "{}", called.talk);
    assert!(called.code == 2 && called.talk.contains("cannot be added to the game: "), "{}", called.talk);
    let called = call(&["player", "--player", "minimax:eval=nosuch", "--port", "0"]);
    assert!(called.code == 2 && called.talk.contains(missing), "{}", called.talk);
    assert_eq!(call(&["match", "three_puzzle", "astar:heuristic=hadd"]).code, 0);
}

/// At the prompt a search that cannot be asked ends the games, and the position is as it was.
#[test]
fn a_sheet_that_cannot_be_loaded_ends_the_games_of_the_prompt() {
    let mut session = session("tic_tac_toe", Arc::default());
    let missing = "there is no heuristic sheet `nosuch` in the library, and no such file; `games` lists the library";
    for line in [
        "play minimax:depth=2,eval=nosuch",
        "tournament minimax:depth=2+eval=nosuch,random --games 2",
        "compare --algorithms minimax:depth=1+eval=nosuch --selfplay 2",
        "play expectimax:depth=2,opponents=greedy:eval=nosuch",
    ] {
        assert_eq!(text(&mut session, line), format!("error: {missing}"), "{line}");
    }
    assert_eq!(text(&mut session, "legal xplayer").matches("mark").count(), 9, "the position is as it was");
}
