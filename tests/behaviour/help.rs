//! `help` at the prompt: pages that fit the screen, examples that are true, and commands under the names of others.

use ggp::diagnostic::render::Paint;
use ggp::repl::{Session, commands, complete, evaluate, render};
use ggp::syntax::Dialect;
use std::sync::Arc;

fn page(topic: &str, width: usize) -> String {
    let mut session = Session::new(".", Arc::default());
    let answer = evaluate(&mut session, &format!("help {topic}")).unwrap_or_else(|error| panic!("{topic}: {error}"));
    render::text_within(&answer, Paint::Plain, Dialect::Infix, width)
}

#[test]
fn the_overview_fits_small_screens() {
    for width in [40, 80, 120] {
        let text = page("", width);
        assert!(text.lines().count() <= 24, "{} lines at {width} columns:\n{text}", text.lines().count());
        assert!(text.lines().all(|line| line.chars().count() <= width), "{width} columns:\n{text}");
        for command in commands() {
            assert!(text.split_whitespace().any(|word| word == command.name), "{} is missing", command.name);
        }
    }
    insta::assert_snapshot!(page("", 80));
}

#[test]
fn every_page_is_wrapped_between_words() {
    let mut session = Session::new(".", Arc::default());
    let (_, topics) = complete::complete(&mut session, "help ");
    assert!(topics.len() > commands().count() + 10, "{topics:?}");
    for topic in &topics {
        for width in [40, 80] {
            for line in page(topic, width).lines() {
                let is_one_word = line.split_whitespace().count() == 1;
                assert!(is_one_word || line.chars().count() <= width, "{topic} at {width} columns: {line}");
            }
        }
    }
    insta::assert_snapshot!("group", page("others", 80));
    insta::assert_snapshot!("shared_options", page("LIMITS", 80) + &page("?-", 80) + &page("plan check", 80));
    insta::assert_snapshot!("narrow", page("plan", 40));
}

#[test]
fn every_example_runs_and_shows_its_true_answer() {
    let mut session = Session::new(".", Arc::default());
    for command in commands() {
        let answer = evaluate(&mut session, &format!("help {}", command.name)).expect("each command has a page");
        let page = serde_json::to_value(answer).expect("answers are objects");
        let is_run = page["example"]["answer"].is_object();
        let is_kept_back = ["save", "restore", "replay", "quit", "time"].contains(&command.name);
        assert_ne!(is_run, is_kept_back, "{}", command.name);
    }
    assert!(page("legal", 80).contains("mark(1,1), mark(1,2)"));
    assert!(session.game_name().is_none(), "examples do not touch the session");
}

/// A move that is typed alone is not made, but said to be one.
#[test]
fn a_move_without_its_command_is_recognised() {
    let mut session = Session::new(".", Arc::default());
    assert!(evaluate(&mut session, "left").is_err_and(|error| error.to_string().contains("there is no command")));
    session.load("three_puzzle").expect("a game of the library loads");
    let error = |session: &mut Session, line: &str| evaluate(session, line).expect_err("it is no command").to_string();
    assert_eq!(error(&mut session, "right"), "`right` is a legal move and not a command; `do right` makes it");
    assert_eq!(error(&mut session, "left"), "there is no command `left`; `help` lists the commands");
    session.load("tic_tac_toe").expect("a game of the library loads");
    let said = |session: &mut Session, line: &str| evaluate(session, line).expect("it is a query").warnings().to_vec();
    assert_eq!(said(&mut session, "mark(1,1)"), ["`mark(1,1)` is a legal move; `do mark(1,1)` makes it"]);
    assert_eq!(said(&mut session, "mark(1,4)"), ["no rule defines `mark/2`; did you mean marked?"]);
    let history = evaluate(&mut session, "history").expect("a game is loaded");
    assert_eq!(serde_json::to_string(&history).expect("it is JSON"), r#"{"kind":"history","plies":[]}"#);
}

#[test]
fn names_of_other_programs_lead_to_the_command_here() {
    let mut session = Session::new(".", Arc::default());
    let mut error = |line: &str| evaluate(&mut session, line).expect_err("there is no such command").to_string();
    for (other, here) in [
        ("display", "show"),
        ("moves", "legal"),
        ("quit!", "quit"),
        ("print", "show"),
        ("go", "analyse"),
        ("takeback", "undo"),
    ] {
        assert_eq!(error(other), format!("there is no command `{other}`; did you mean {here}?"));
        assert_eq!(error(&format!("help {other}")), format!("there is no command `{other}`; did you mean {here}?"));
    }
    assert_eq!(error("lgeal"), "there is no command `lgeal`; did you mean legal?");
    assert_eq!(error("xyzzy"), "there is no command `xyzzy`; `help` lists the commands");
}
