//! Boards that are drawn without being asked for: after moves, in matches and replays, and for a person who plays.

use crate::program::{Called, call, call_with_input};
use crate::sessions::{say, session};
use ggp::diagnostic::render::Paint;
use ggp::repl::{evaluate, render};
use std::path::{Path, PathBuf};

/// A file for one test.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn positions_are_drawn_after_each_change() {
    let mut game = session(&["load tic_tac_toe"]);
    assert!(!say(&mut game, "do mark(1,1)").contains('│'), "scripts draw only what they ask for");
    let mut all = String::new();
    for line in [
        "board on",
        "do mark(2,2)",
        "next mark(3,3)",
        "set +cell(3,3,x) -cell(3,3,b)",
        "undo",
        "restart",
        "set board xxo/.o./x.. [control(oplayer)]",
        "board off",
        "undo",
        "next mark(3,3)",
        "board",
        "board perhaps",
        "board on --json",
        "undo",
    ] {
        all += &format!("> {line}\n{}", say(&mut game, line));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn json_has_the_drawn_position_only_if_boards_are_on() {
    let mut game = session(&["load tic_tac_toe"]);
    assert!(!say(&mut game, "do mark(1,1) --json").contains("drawn"));
    evaluate(&mut game, "board on").expect("it is a setting");
    for line in ["do mark(2,2) --json", "undo --json", "restart --json", "next mark(1,2) --json", "set [] --json"] {
        let json: serde_json::Value = serde_json::from_str(&say(&mut game, line)).expect("it is JSON");
        assert_eq!(json["drawn"]["boards"][0]["relation"], "cell", "{line}: {json}");
    }
}

#[test]
fn games_without_boards_and_long_lists_of_facts_stay_short() {
    let mut tree = session(&["load minimax_tree", "board on"]);
    assert_eq!(say(&mut tree, "do l").lines().count(), 1, "{}", say(&mut tree, "show"));
    let mut walk = session(&["load tests/games/without_base.gdl", "board on"]);
    let facts: Vec<String> = (1..=12).map(|number| format!("+note(f({number}))")).collect();
    let said = say(&mut walk, &format!("set {}", facts.join(" ")));
    assert!(said.lines().count() < 12, "{said}");
}

#[test]
fn what_changed_is_marked_by_colour() {
    let mut game = session(&["load tic_tac_toe", "board on"]);
    let answer = evaluate(&mut game, "do mark(2,2)").expect("it is legal");
    let marked = render::text(&answer, Paint::Coloured, game.dialect());
    let squares: Vec<&str> = marked.lines().filter(|line| line.contains('│')).collect();
    let is_marked: Vec<bool> = squares.iter().map(|line| line.contains("\x1b[4m") || line.contains(";4m")).collect();
    assert_eq!(is_marked, [false, true, false], "{marked:?}");
    // The unchanged board of a restart at the start has no marks.
    evaluate(&mut game, "restart").expect("it goes back");
    let answer = evaluate(&mut game, "restart").expect("it stays");
    let plain = render::text(&answer, Paint::Coloured, game.dialect());
    assert!(!plain.contains("\x1b[4m") && !plain.contains(";4m"), "{plain:?}");
}

#[test]
fn a_replay_is_watched() {
    let mut game = session(&["load tic_tac_toe", "do mark(1,1)"]);
    insta::assert_snapshot!(say(&mut game, "replay --watch mark(2,2) mark(3,3) --delay 2"));
    let played = say(&mut game, "replay --watch");
    assert_eq!(played.matches("1 2 3").count(), 2, "{played}");
    let json: serde_json::Value = serde_json::from_str(&say(&mut game, "replay --watch --json")).expect("it is JSON");
    assert_eq!(json["positions"].as_array().map(Vec::len), Some(2), "{json}");
    for (line, problem) in [
        ("replay", "where to? `--watch` draws here"),
        ("replay --delay 1 --svg no.svg", "`--delay` is for `--watch`"),
        ("replay --watch --svg no.svg", "`--watch` draws here, and not to files"),
        ("replay --watch --delay soon", "`--delay` takes a number of seconds, not `soon`"),
        ("replay --watch --delay -1", "`--delay` takes a number of seconds, not `-1`"),
        ("replay --watch mark(1,1)", "not legal"),
    ] {
        let said = say(&mut game, line);
        assert!(said.starts_with("error: ") && said.contains(problem), "{line}: {said}");
    }
    assert_eq!(say(&mut game, "expect count history 1"), "as expected\n");
}

#[test]
fn matches_and_records_are_watched() {
    let record = file("watched.json");
    let path = record.to_str().expect("the path is text");
    let players = ["match", "tic_tac_toe", "legal", "legal", "--watch"];
    let Called { answer: played, talk, .. } = call(&[&players[..], &["--record", path, "--force"]].concat());
    assert_eq!(talk, "");
    let boards = played.matches("  ┌").count();
    assert!(played.starts_with("ply 0\n") && played.contains("ply 7: xplayer mark(3,1)"), "{played}");
    assert_eq!(boards, 8, "{played}");
    assert!(played.contains("the game is over; xplayer: 100, oplayer: 0\n"), "{played}");
    let replayed = call(&["replay", path, "--watch"]).answer;
    let until = |text: &str| text[..text.find("the game is over").expect("it ends")].to_string();
    assert_eq!(until(&replayed), until(&played));
    // As objects, one on each line, and matches with their names.
    for arguments in [[&players[..], &["--json"]].concat(), vec!["replay", path, "--watch", "--json"]] {
        let objects = call(&arguments).answer;
        let objects: Vec<serde_json::Value> =
            objects.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
        assert_eq!(objects.len(), 9, "{objects:?}");
        assert_eq!((&objects[3]["kind"], &objects[3]["ply"]), (&"position".into(), &3.into()));
        assert!(objects[7]["result"].is_array() && objects[6]["result"].is_null(), "{objects:?}");
    }
    let both = call(&[&players[..], &["--games", "2"]].concat()).answer;
    assert!(both.starts_with("tic_tac_toe.0.1\nply 0\n") && both.contains("\ntic_tac_toe.0.2\nply 0\n"), "{both}");
    let talk = call(&["match", "tic_tac_toe", "legal", "legal", "--delay", "1"]).talk;
    assert!(talk.contains("--watch"), "{talk}");
}

#[test]
fn a_person_sees_the_board_and_is_asked_again() {
    let lines = "0\n10\nmark(4,4)\nmark(1,\n? (2,\n? x\n\n5\nmark(1,1)\n";
    let talk = call_with_input(&["match", "tic_tac_toe", "human", "legal"], lines).talk;
    // The input ends after two moves; random moves follow, which no one has to see here.
    let end = talk.match_indices("a move or its number> ").nth(9).expect("the person is asked").0;
    insta::assert_snapshot!(&talk[..end]);
}

#[test]
fn many_legal_moves_are_folded() {
    let sheet = "role(robot) index(1) succ(1,2) index(N) :- succ(M,N) & index(M) init(start)
        legal(robot,step(N,M)) :- digit(N) & digit(M)
        next(done) :- true(start) & does(robot,step(7,7))
        terminal :- ~true(start)
        goal(robot,100) :- true(done)
        goal(robot,0) :- ~true(done)
        digit(0) digit(1) digit(2) digit(3) digit(4) digit(5) digit(6) digit(7) digit(8) digit(9)";
    let path = file("many_moves.gdl");
    std::fs::write(&path, sheet).expect("the sheet can be written");
    let arguments = ["match", path.to_str().expect("the path is text"), "human"];
    let Called { answer, talk, .. } = call_with_input(&arguments, "? (7,\n?\n78\n");
    let asked: Vec<&str> = talk.split("robot, a move or its number> ").collect();
    let [first, some, all, _] = asked[..] else { panic!("{talk}") };
    assert!(first.contains("  60  step(5,9)\n") && !first.contains("step(6,0)"), "{first}");
    assert!(first.contains("… 40 more moves; `?` lists all, `? TEXT` those with TEXT\n"), "{first}");
    assert!(some.contains("78  step(7,7)") && some.matches("step(").count() == 10, "{some}");
    assert_eq!(all.matches("step(").count(), 100, "{all}");
    assert!(first.lines().all(|line| line.chars().count() <= 80), "{talk}");
    assert_eq!(answer, "your result is 100 of 100\n");
}
