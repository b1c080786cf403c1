//! Positions that are set: single facts, whole states, and boards.

use crate::sessions::{say_with_warnings as say, session};
use ggp::engine::LIBRARY;
use ggp::repl::{Session, evaluate};
use serde_json::Value;

/// What a session says to a line, where nothing may change.
fn refused(session: &mut Session, line: &str) -> String {
    let before = (say(session, "state"), say(session, "history"));
    let problem = say(session, line);
    assert!(problem.starts_with("error"), "{line}: {problem}");
    assert_eq!((say(session, "state"), say(session, "history")), before, "{line}");
    problem
}

#[test]
fn single_facts_are_added_and_removed() {
    let mut game = session(&["load tic_tac_toe", "do mark(1,1)"]);
    let said = say(&mut game, "set +cell(2,2,o) -cell(2,2,b), - control(oplayer) + control(xplayer)");
    assert_eq!(said, "ply 2: a state of 10 facts (2 gone, 2 new)\n");
    for line in ["expect true(cell(1,1,x))", "expect true(cell(2,2,o))", "expect not true(cell(2,2,b))"] {
        assert_eq!(say(&mut game, line), "as expected\n", "{line}");
    }
    assert_eq!(say(&mut game, "expect true(control(xplayer))"), "as expected\n");
    // `undo` goes back, prefix form and a shortened command are as good, and JSON has the facts.
    say(&mut game, "undo");
    let json = say(&mut game, "set +(cell 3 3 x) -(cell 3 3 b) --json");
    assert!(json.contains(r#""change":{"added":["cell(3,3,x)"],"removed":["cell(3,3,b)"]}"#), "{json}");
}

#[test]
fn a_misspelt_board_is_named() {
    let mut game = session(&["load tic_tac_toe"]);
    let problem = refused(&mut game, "set board cel X../.../...");
    assert!(problem.contains("there is no board `cel`; did you mean cell?"), "{problem}");
    assert!(problem.contains("input:1:11"), "{problem}");
    // Squares that are words are no names.
    assert!(say(&mut game, "set board \"x . . / . . . / . . .\"").starts_with("ply 1"));
    assert!(say(&mut game, "set board x . . / . . . / . . .").starts_with("ply 2"));
}

#[test]
fn edits_that_change_nothing_are_said() {
    let mut game = session(&["load tic_tac_toe"]);
    let said = say(&mut game, "set +cell(1,1,b) -cell(1,1,x) +cell(1,1,b)");
    let expected = "warning: `cell(1,1,b)` holds already
warning: `cell(1,1,x)` does not hold, so it cannot be removed
warning: `cell(1,1,b)` holds already
ply 1: a state of 10 facts (unchanged)
";
    assert_eq!(said, expected);
}

#[test]
fn a_whole_state_says_what_is_gone() {
    let mut game = session(&["load tic_tac_toe"]);
    let said = say(&mut game, "set cell(1,1,x) cell(1,2,b) control(oplayer)");
    assert_eq!(said, "ply 1: a state of 3 facts (9 gone, 2 new)\n");
    assert!(say(&mut game, "set []").starts_with("ply 2: a state of 0 facts (3 gone, 0 new)\n"));
}

#[test]
fn mistakes_are_shown_in_the_typed_line() {
    let mut game = session(&["load tic_tac_toe", "do mark(1,1)"]);
    let mut all = String::new();
    for line in [
        "set +cell(1,1,b) cell(2,2,b)",
        "set +cell(1,1,b) -",
        "set + -cell(1,1,b)",
        "set +cell(1,1,b) -cell(1,1,b)",
        "set +cell(1,1,X)",
        "se +control(xplayer) -cell(1,1",
        "set cell(1,1,x) cell(1,X,b) control(oplayer)",
        "set control(oplayer) nonsense( --json",
        "set [cell(1,1,x), cell(1,1,]",
        "do mark(2,",
        "?- true(cell(1,1,",
        "time set +a +",
    ] {
        all += &format!("> {line}\n{}", refused(&mut game, line));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn facts_that_no_state_can_have_are_named() {
    let warned = |lines: &[&str], line: &str| {
        let said = say(&mut session(lines), line);
        said.lines().filter(|line| line.starts_with("warning")).map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(warned(&["load tic_tac_toe"], "set +cell(4,4,x)"), ["warning: `base` does not have `cell(4,4,x)`"]);
    assert_eq!(warned(&["load tic_tac_toe"], "set +cell(3,3,x)"), [""; 0]);
    // Without `base` the rules for `init` and `next` tell, and what grounding reached tells more.
    let sheet = "load tests/games/without_base.gdl";
    assert_eq!(warned(&[sheet], "set +at(9) +by(1)"), ["warning: no rule for `init` or `next` gives `by(1)`"]);
    let grounded = [sheet, "engine propnet"];
    let both = ["warning: no line of play from the initial state leads to `at(9)`, `by(1)`"];
    assert_eq!(warned(&grounded, "set +at(9) +by(1)"), both);
    assert_eq!(warned(&grounded, "set +at(3) -at(1)"), [""; 0]);
    // The state is set all the same, and facts that hold already are not named again.
    let mut game = session(&[sheet, "set +by(1)"]);
    assert_eq!(say(&mut game, "expect true(by(1))"), "as expected\n");
    assert!(!say(&mut game, "set +at(3)").contains("by(1)"));
}

#[test]
fn facts_are_completed_after_their_signs() {
    let mut game = session(&["load tic_tac_toe", "do mark(1,1)"]);
    let completed = |game: &mut Session, line: &str| ggp::repl::complete::complete(game, line).1;
    assert_eq!(completed(&mut game, "set +cell(1,1,"), ["+cell(1,1,b)", "+cell(1,1,o)"]);
    assert_eq!(completed(&mut game, "set +cell(1,1,b) -cell(1,"), ["-cell(1,1,x)", "-cell(1,2,b)", "-cell(1,3,b)"]);
    assert_eq!(completed(&mut game, "set cont"), ["control(oplayer)"]);
}

// ---- boards
// ----------------------------------------------------------------------------------------------------------

/// The joint moves of a random game from here, as the operands of `do`.
fn random_line(game: &mut Session) -> Vec<String> {
    let playout: Value = serde_json::from_str(&say(game, "playout --json")).expect("it is JSON");
    let plies = playout["plies"].as_array().expect("there are plies").iter();
    let moves = |ply: &Value| -> Vec<String> {
        let moves = ply["joint_move"].as_array().expect("each ply has its moves").iter();
        moves.map(|made| made["move"].as_str().expect("a move is text").to_string()).collect()
    };
    plies.map(|ply| moves(ply).join(" ")).collect()
}

/// `set board` takes what `fen` writes: from each of some random states of each game of the library, in the initial
/// state and in another random state.
#[test]
fn every_position_is_set_as_fen_writes_it() {
    let mut with_rows = 0;
    for sheet in LIBRARY {
        let mut game = session(&[&format!("load {}", sheet.name)]);
        let mut is_in_rows = false;
        for seed in 0..3 {
            say(&mut game, &format!("seed {seed}"));
            let line = random_line(&mut game);
            let plies = [line.len(), line.len() / 2, line.len() / 3][seed].min(30);
            for joint_move in &line[..plies] {
                evaluate(&mut game, &format!("do {joint_move}")).expect("it is legal");
            }
            let (state, fen) = (say(&mut game, "state"), say(&mut game, "fen"));
            is_in_rows |= !fen.starts_with('[');
            for elsewhere in ["restart", "undo 2", "set []"] {
                say(&mut game, elsewhere);
                let said = say(&mut game, &format!("set board {fen}"));
                assert_eq!(say(&mut game, "state"), state, "{}: {fen}{said}", sheet.name);
                assert_eq!(say(&mut game, "fen"), fen, "{}", sheet.name);
            }
            say(&mut game, "restart");
        }
        with_rows += usize::from(is_in_rows);
    }
    // So that the law says something of boards.
    assert!(2 * with_rows > LIBRARY.len(), "{with_rows} of {} games have rows", LIBRARY.len());
}

#[test]
fn positions_are_typed_as_they_are_drawn() {
    let mut puzzle = session(&["load eight_puzzle"]);
    let expected = say(&mut puzzle, "set board 123/4b5/678");
    for rows in ["\"1 2 3 / 4 5 6 / 7 b 8\"", "1 2 3 / 4 5 6 / 7 b 8", "'123/456/7b8' step(3)", "1,2,3/4,5,6/7,b,8"] {
        assert!(!expected.contains("error"), "{expected}");
        let said = say(&mut puzzle, &format!("set board {rows}"));
        assert!(said.starts_with("ply"), "{said}");
        assert_eq!(say(&mut puzzle, "expect true(cell(3,2,b))"), "as expected\n", "{rows}");
    }
    assert_eq!(say(&mut puzzle, "expect true(step(3))"), "as expected\n");
    // A sign that begins comments elsewhere begins none in quotation marks.
    let mut lights = session(&["load lights_out"]);
    say(&mut lights, "set board \"# . . / . # . / . . #\" # a comment");
    assert_eq!(say(&mut lights, "expect true(cell(3,3,on))"), "as expected\n");
    assert_eq!(say(&mut lights, "expect true(cell(1,2,off))"), "as expected\n");
    // Brackets have all other facts.
    say(&mut puzzle, "set board 123/456/78b []");
    assert_eq!(say(&mut puzzle, "expect not true(step(3))"), "as expected\n");
}

#[test]
fn mistakes_in_positions_are_shown_in_the_typed_line() {
    let mut all = String::new();
    let mut game = session(&["load eight_puzzle"]);
    for line in [
        "set board",
        "set board xx",
        "set board 123/456",
        "set board 123/456/78b/",
        "set board 123/4567/8b",
        "set board 123/45/678",
        "set board 123/456/78q",
        "set board 1 2 3 / 4 5 nine / 7 8 b",
        "set board \"123/456/78b",
        "set board 123/456/78b step(",
        "set board 123/456/78b [step(1)",
        "set board 123/456/78b 123/456/78b",
        "set board 123/456/78b step(X)",
    ] {
        all += &format!("> {line}\n{}", refused(&mut game, line));
    }
    let mut tree = session(&["load minimax_tree"]);
    all += &refused(&mut tree, "set board ab/cd");
    insta::assert_snapshot!(all);
}
