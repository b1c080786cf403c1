//! `best`: it takes the search that fits the kind of game, its answer is that search's, and it says what it took.

use crate::sessions::{say, session};
use ggp::ask::{Ask, Belief, Question};
use ggp::diagnostic::render::Paint;
use ggp::game::Role;
use ggp::limits::Stop;
use ggp::repl::{Session, evaluate, render};
use ggp::syntax::Dialect;
use ggp::{Budget, Game};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn json(session: &mut Session, line: &str) -> Value {
    let line = format!("{line} --json");
    let answer = evaluate(session, &line).unwrap_or_else(|error| panic!("{line}: {error:?}"));
    serde_json::from_str(&render::text(&answer, Paint::Plain, Dialect::Infix)).expect("it is an object")
}

/// A game of each kind, small enough to be searched whole: who decides, the search, and a command with the same answer.
const SMALL: &[(&str, &str, &str, &str)] = &[
    ("three_puzzle", "one player", "bfs", "bfs"),
    ("tic_tac_toe", "two opponents take turns", "solve", "solve"),
    ("nim", "two opponents take turns", "solve", "solve"),
    ("rock_paper_scissors", "two opponents choose at the same time", "nash", "nash"),
    ("three_player_tree", "each role plays for itself", "maxn --table", "maxn --table"),
    ("expectimax_tree", "there is chance", "expectimax --table", "expectimax --table"),
    ("dice_race", "there is chance", "expectimax --table", "expectimax --table"),
    ("pacman_small", "two opponents take turns", "solve", "solve"),
];

#[test]
fn small_games_are_answered_exactly_by_the_search_that_fits() {
    for (game, decides, search, same) in SMALL {
        let mut session = session(&[&format!("load {game}")]);
        let found = json(&mut session, "best");
        assert_eq!((&found["game"], &found["search"]), (&(*decides).into(), &(*search).into()), "{game}");
        assert_eq!((&found["exact"], found.get("tried")), (&true.into(), None), "{game}");
        assert_eq!(found["answer"], json(&mut session, same), "{game}");
        let text = say(&mut session, "best");
        let (heading, answer) = text.split_once('\n').expect("a line before the answer");
        assert!(heading.starts_with(&format!("{decides}: {search}, ")) && heading.ends_with("(exact)"), "{heading}");
        assert_eq!(answer, say(&mut session, same), "{game}");
    }
}

#[test]
fn the_interpreter_takes_the_same_searches() {
    for (game, decides, search, _) in SMALL.iter().filter(|(game, ..)| !matches!(*game, "pacman_small" | "nim")) {
        let mut session = session(&[&format!("load {game}"), "engine interpreter"]);
        let found = json(&mut session, "best");
        assert_eq!((&found["game"], &found["search"]), (&(*decides).into(), &(*search).into()), "{game}");
    }
}

/// The move of the role that an answer recommends, as far as all kinds of answers name it.
fn first_move(answer: &Value, role: &str) -> Option<String> {
    let text = |value: &Value| value.as_str().map(str::to_string);
    let first = &answer["line"][0];
    // A line is one of choices (`solve`), or of joint moves.
    let choices = first.as_array().map_or(std::slice::from_ref(first), |joint_move| joint_move);
    let in_line = choices.iter().find(|choice| choice["role"] == role).and_then(|choice| text(&choice["move"]));
    text(&answer["move"]).or(in_line).or_else(|| text(&answer["moves"][0]))
}

/// The library asks the same question as the prompt: the same search answers, with the same move and as exactly.
#[test]
fn the_library_finds_what_the_prompt_finds() {
    let questions = [
        ("three_puzzle", ""),
        ("eight_puzzle", ":nodes=200,heuristic=hadd"),
        ("eight_puzzle", ":nodes=200"),
        ("tic_tac_toe", ""),
        ("connect_four", ":depth=3,eval=connect_four_weights"),
        ("connect_four", ":nodes=3000,eval=connect_four_weights"),
        ("breakthrough", ":nodes=2000"),
        ("three_player_tree", ""),
        ("rock_paper_scissors", ""),
        ("dice_race", ""),
    ];
    for (name, options) in questions {
        let question: Question = format!("best{options}").parse().expect("it is a question");
        let mut game = Game::library(name).expect("the game loads");
        let state = game.initial_state().expect("it begins");
        let role = game.roles()[0].to_string();
        let found = game.ask(&state, Role::new(0), &question, &Budget::new()).expect("it is answered");
        let mut session = session(&[&format!("load {name}")]);
        let shown = json(&mut session, &format!("best{} {role}", options.replace([':', ','], " --").replace('=', " ")));
        let is_exact = found.is_exact();
        let answer = found.answer.expect("something is found");
        let search = answer.search.split(':').next();
        assert_eq!(shown["search"].as_str().and_then(|line| line.split(' ').next()), search, "{name} {options}");
        assert_eq!(shown["exact"], is_exact && answer.belief == Belief::Proven, "{name} {options}: {answer:?}");
        if name != "rock_paper_scissors" {
            let chosen = answer.chosen.map(|chosen| chosen.to_string());
            assert_eq!(chosen, first_move(&shown["answer"], &role), "{name} {options}: {shown}");
        }
    }
}

#[test]
fn the_library_refuses_what_the_prompt_refuses() {
    let mut game = Game::library("tic_tac_toe").expect("the game loads");
    let state = game.initial_state().expect("it begins");
    for (text, problem) in [
        ("best:heuristic=hadd", "`heuristic` is for games of one player"),
        ("best:eval=no_such_sheet", "no_such_sheet"),
    ] {
        let question: Question = text.parse().expect("it is a question");
        let error = game.ask(&state, Role::new(0), &question, &Budget::new()).expect_err("it is refused").to_string();
        assert!(error.contains(problem), "{text}: {error}");
    }
    let error = "best:depht=3".parse::<Question>().expect_err("there is no such option").to_string();
    assert!(error.contains("depth"), "{error}");
    // Without time nothing is found, and the limit is that which was given.
    let question: Question = "best:seconds=0".parse().expect("it is a question");
    let outcome = game.ask(&state, Role::new(0), &question, &Budget::new()).expect("a limit is no error");
    assert_eq!(outcome.answer, None);
    assert!(matches!(outcome.stopped, Some(Stop::Time { limit }) if limit.is_zero()), "{:?}", outcome.stopped);
}

/// Each search has a share of the limits, and the answer says so.
#[test]
fn the_limits_are_those_that_were_given() {
    let mut session = session(&["load connect_four"]);
    let answer = json(&mut session, "best --nodes 3000");
    let ends: Vec<&str> =
        answer["tried"].as_array().expect("a list").iter().filter_map(|it| it["end"].as_str()).collect();
    assert_eq!(ends, ["its share of the nodes, 1500, was used up", "its share of the nodes, 750, was used up"]);
    assert_eq!(answer["answer"]["stopped"]["given"], 3000);
    let weighted = say(&mut session, "best --nodes 3000 --eval connect_four_weights");
    assert!(weighted.contains("the limit of 3000 nodes was reached"), "{weighted}");
    // A slow machine may leave no time for an answer.
    let timed = evaluate(&mut session, "best --seconds 0.3");
    let timed = timed.map_or_else(|error| error.to_string(), |it| render::text(&it, Paint::Plain, Dialect::Infix));
    assert!(timed.contains("the time limit of 0.3 s was reached"), "{timed}");
    let error = evaluate(&mut session, "best --seconds 0").expect_err("no search has time").to_string();
    assert!(error.starts_with("there is no answer: the time limit of 0 s was reached"), "{error}");
    // A limit of the search itself is no share.
    say(&mut session, "load peg_solitaire");
    let lines = say(&mut session, "best --nodes 3000");
    assert!(lines.contains("the limit of 1,000 lines was reached"), "{lines}");
}

#[test]
fn large_games_are_searched_within_the_nodes() {
    let deepening = "iterative --killers --null-windows";
    let weighted = "iterative --killers --null-windows --eval connect_four_weights";
    for (game, nodes, options, search, tried) in [
        ("connect_four", 4_000, "", "mcts", &["solve", deepening][..]),
        ("connect_four", 4_000, " --eval connect_four_weights", weighted, &["solve"]),
        ("connect_four", 4_000, " --eval connect_four_weights --depth 3", weighted, &[]),
        ("pig_dice", 4_000, "", "mcts", &["expectimax --table"]),
        ("eight_puzzle_unlimited", 4_000, "", "dive", &["bfs", "astar --heuristic hadd"]),
        ("three_puzzle", 4_000, " --heuristic hadd", "astar --heuristic hadd", &[]),
    ] {
        let mut session = session(&[&format!("load {game}")]);
        let found = json(&mut session, &format!("best --nodes {nodes}{options}"));
        assert_eq!(found["search"], search, "{game}{options}");
        let before: Vec<&str> = found["tried"]
            .as_array()
            .map_or(&[][..], |all| all)
            .iter()
            .filter_map(|it| it["search"].as_str())
            .collect();
        assert_eq!(before, tried, "{game}{options}");
        assert!(found["answer"]["cost"]["nodes"].as_u64().expect("a cost") <= nodes, "{game}{options}");
        assert_eq!(found, json(&mut session, &format!("best --nodes {nodes}{options}")), "the same on every run");
    }
}

#[test]
fn searches_with_a_horizon_go_deeper_until_the_nodes_are_used() {
    let sheet = "--eval tests/games/pig_dice_points.gdl";
    let mut session = session(&["load pig_dice"]);
    let found = json(&mut session, &format!("best --nodes 3000 {sheet}"));
    assert_eq!((&found["search"], &found["exact"]), (&format!("expectimax --table {sheet}").into(), &false.into()));
    let depth = found["answer"]["stopped"]["given"].as_u64().expect("a horizon");
    assert!(depth > 2, "{found}");
    assert_eq!(found["answer"], json(&mut session, &format!("expectimax --table --depth {depth} {sheet}")));
}

#[test]
fn its_move_can_be_played_and_its_value_expected() {
    let mut session = session(&["load tic_tac_toe", "play best", "expect count legal oplayer 8"]);
    assert_eq!(say(&mut session, "expect best [50, 50]"), "as expected\n");
    for game in ["three_puzzle", "rock_paper_scissors", "dice_race", "connect_four", "pacman_small"] {
        let mut session = self::session(&[&format!("load {game}")]);
        let text = say(&mut session, "play best --nodes 2000");
        assert!(!text.starts_with("error"), "{game}: {text}");
        assert_eq!(say(&mut session, "expect count history 1"), "as expected\n", "{game}");
    }
}

#[test]
fn wrong_input_is_named_and_changes_nothing() {
    let mut session = session(&["load tic_tac_toe", "do mark(1,1)"]);
    let state = say(&mut session, "state");
    for (line, problem) in [
        ("best zplayer", "the game has no role `zplayer`"),
        ("best xplayer oplayer", "only one role at a time"),
        ("best --nodes many", "`--nodes` takes a number of nodes, not `many`"),
        ("best --seconds -1", "`--seconds` takes a number of seconds, not `-1`"),
        ("best --heuristic hadd", "`--heuristic` is for games of one player"),
        ("best --eval no_such_sheet", "no_such_sheet"),
        ("best --depht 3", "`best` has no option `--depht`; did you mean --depth?"),
    ] {
        let text = say(&mut session, line);
        assert!(text.starts_with("error: ") && text.contains(problem), "{line}: {text}");
        assert_eq!(say(&mut session, "state"), state, "{line}");
    }
    let mut alone = self::session(&["load three_puzzle"]);
    assert!(say(&mut alone, "best --eval connect_four_weights").contains("`--eval` is for games of several players"));
    let mut empty = self::session(&[]);
    assert!(say(&mut empty, "best").starts_with("error: no game is loaded"));
}

#[test]
fn the_end_of_a_game_has_its_value() {
    let mut ended = session(&["load three_puzzle", "do down", "do right", "do up", "do left", "do down", "do right"]);
    let found = json(&mut ended, "best");
    assert_eq!((&found["answer"]["utility"], &found["exact"]), (&100.into(), &true.into()));
}

#[test]
fn an_interrupt_ends_all_searches() {
    let flag = Arc::new(AtomicBool::new(false));
    let mut session = Session::new(Path::new(env!("CARGO_MANIFEST_DIR")), flag.clone());
    session.load("connect_four").expect("it is in the library");
    flag.store(true, Ordering::Relaxed);
    let error = evaluate(&mut session, "best").expect_err("it was interrupted");
    assert!(error.to_string().contains("interrupted"), "{error}");
    flag.store(false, Ordering::Relaxed);
    assert!(!say(&mut session, "best --nodes 2000").starts_with("error"));
}
