//! Moves as they are typed: joint moves and lines after `do` and `play`, positions after `set`, values after `expect`.

use ggp::diagnostic::render::Paint;
use ggp::repl::{Session, evaluate, render};
use ggp::syntax::Dialect;
use std::sync::Arc;

/// A session with a game.
fn session(game: &str) -> Session {
    let mut session = Session::new(".", Arc::default());
    session.load(game).expect("a game of the library loads");
    session
}

/// What a line says: its warnings and its answer, or its error.
fn said(session: &mut Session, line: &str) -> String {
    match evaluate(session, line) {
        Ok(answer) => answer.warnings().concat() + &render::text(&answer, Paint::Plain, Dialect::Infix),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_line_of_one_role_is_played() {
    let mut session = session("three_puzzle");
    assert!(said(&mut session, "do right down").starts_with("ply 2: down"));
    assert_eq!(said(&mut session, "undo 2"), "ply 0\n");
    assert!(said(&mut session, "do right, down").starts_with("ply 2: down"));
    assert_eq!(said(&mut session, "undo 2"), "ply 0\n");
    assert!(said(&mut session, "do [right] [down]").starts_with("ply 2: down"));
    assert_eq!(said(&mut session, "undo 2"), "ply 0\n");
    assert!(said(&mut session, "play right down").starts_with("ply 2: down"));
    assert_eq!(said(&mut session, "undo 2"), "ply 0\n");
    let error = said(&mut session, "do right up");
    assert!(error.starts_with("move 2 of the line is not possible, so none is made: `up` is not legal"), "{error}");
    assert_eq!(said(&mut session, "history"), "no ply yet\n");
    let cut = said(&mut session, "do right down …");
    assert!(cut.contains("the line is cut off here"), "{cut}");
    assert_eq!(
        said(&mut session, "right down"),
        "`right down` is a line of legal moves and not a command; `do right down` makes it"
    );
}

#[test]
fn a_line_of_turns_is_played_by_the_role_to_move() {
    let mut session = session("tic_tac_toe");
    let end = said(&mut session, "do mark(1,1) mark(2,2) mark(3,3)");
    assert_eq!(end, "ply 3: xplayer mark(3,3), oplayer noop\n");
    assert_eq!(said(&mut session, "undo 3"), "ply 0\n");
    let joint = said(&mut session, "do [mark(1,1), noop] (noop, mark(2,2))");
    assert_eq!(joint, "ply 2: xplayer noop, oplayer mark(2,2)\n");
    assert_eq!(said(&mut session, "do mark 1 2"), "ply 3: xplayer mark(1,2), oplayer noop\n");
    assert_eq!(said(&mut session, "do noop mark(3,3)"), "ply 4: xplayer noop, oplayer mark(3,3)\n");
    assert_eq!(
        said(&mut session, "do mark 1 1"),
        "`mark(1,1)` is not legal for xplayer; did you mean mark(1,3), mark(2,1) or mark(3,1)?"
    );
}

#[test]
fn moves_that_fit_as_a_joint_move_and_as_a_line_are_a_joint_move() {
    // x alone has a choice at the start, and y alone after it.
    let sheet = "role(x) role(y) succ(0,1) succ(1,2) init(step(0)) move(a) move(b)
        legal(x,M) :- move(M) & true(step(0))
        legal(x,b) :- ~true(step(0))
        legal(y,b) :- true(step(0))
        legal(y,M) :- move(M) & ~true(step(0))
        next(step(N)) :- true(step(M)) & succ(M,N)
        terminal :- true(step(2))
        goal(x,50) goal(y,50)";
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("both_readings.gdl");
    std::fs::write(&path, sheet).expect("the sheet can be written");
    let mut session = session(path.to_str().expect("the path is text"));
    let answer = said(&mut session, "do a b");
    assert!(answer.starts_with("these moves are made at the same time, as a joint move"), "{answer}");
    assert!(answer.ends_with("ply 1: x a, y b\n"), "{answer}");
}

#[test]
fn plans_are_played_as_they_are_printed() {
    let mut session = session("three_puzzle");
    let plan = said(&mut session, "bestplan");
    let line = plan.split(": ").next().expect("there is a plan").to_string();
    let end = said(&mut session, &format!("do {line}"));
    assert!(end.contains("the game is over"), "{plan}{end}");
}

#[test]
fn positions_and_values_are_read_as_they_are_printed() {
    let mut session = session("eight_puzzle");
    assert!(said(&mut session, "set 1 2 3 / 4 5 6 / 7 8 b").contains("a state of"));
    let mut session = self::session("three_puzzle");
    assert_eq!(said(&mut session, "expect legal robot: down, right"), "as expected\n");
    assert_eq!(said(&mut session, "expect not legal robot: down"), "as expected\n");
    let goal = said(&mut session, "goal robot");
    assert_eq!(said(&mut session, &format!("expect goal {}", goal.trim())), "as expected\n");
    assert!(said(&mut session, "expect goal robot: 77").contains("expected 77"));
}

#[test]
fn codes_are_explained_at_the_prompt() {
    let mut session = session("three_puzzle");
    let text = said(&mut session, "explain E112");
    assert!(text.starts_with("E112 "), "{text}");
    assert_eq!(said(&mut session, "explain error[E112]"), text);
    assert!(said(&mut session, "explain").lines().count() > 30);
    assert!(said(&mut session, "explain E999").starts_with("there is no code `E999`"));
}
