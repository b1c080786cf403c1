//! Brackets and quotation marks without a partner: every line that has one is answered by a message about it, whatever
//! the command and the state of the session.

use ggp::diagnostic::render::Paint;
use ggp::repl::{CommandError, Session, commands, evaluate, render};
use std::sync::Arc;

fn session(game: Option<&str>) -> Session {
    let mut session = Session::new(".", Arc::default());
    if let Some(game) = game {
        session.load(game).expect("a game of the library loads");
    }
    session
}

/// The error of a line as text, without the excerpt, and its column.
fn mistake(session: &mut Session, line: &str) -> (String, u32) {
    let result = evaluate(session, line);
    let record = render::Record::new(line, &result).to_line();
    let record: serde_json::Value = serde_json::from_str(&record).expect("records are JSON");
    let column = record["column"].as_u64().unwrap_or_else(|| panic!("{line}: {record}"));
    (record["error"].as_str().expect("it fails").to_string(), u32::try_from(column).expect("lines are short"))
}

#[test]
fn every_command_is_refused_with_the_position_of_the_bracket() {
    for game in [None, Some("tic_tac_toe")] {
        let mut session = session(game);
        for command in commands() {
            let name = command.name;
            let begin = u32::try_from(name.len()).expect("names are short") + 2;
            for (rest, message, at) in [
                ("(", "this `(` is never closed", 0),
                ("mark(1,1", "this `(` is never closed", 4),
                ("[mark(1,1)", "this `[` is never closed", 0),
                ("mark(1,1))", "this `)` closes nothing", 9),
                ("[mark(1,1)) ]", "this `)` closes nothing", 10),
                ("mark(1,1]", "this `]` closes nothing", 8),
                ("\"mark", "this `\"` is never closed", 0),
                ("'mark", "this `'` is never closed", 0),
                ("\"((\" (", "this `(` is never closed", 5),
            ] {
                let line = format!("{name} {rest}");
                assert_eq!(mistake(&mut session, &line), (message.to_string(), begin + at), "{line}");
            }
            let line = format!("({name} tic_tac_toe");
            assert_eq!(mistake(&mut session, &line), ("this `(` is never closed".to_string(), 1), "{line}");
            let line = format!("{name})");
            assert_eq!(mistake(&mut session, &line), ("this `)` closes nothing".to_string(), begin - 1), "{line}");
        }
        // Nothing has happened.
        let history =
            evaluate(&mut session, "history").map(|answer| render::text(&answer, Paint::Plain, session.dialect()));
        match game {
            Some(_) => assert_eq!(history.expect("a game is loaded"), "no ply yet\n"),
            None => assert!(matches!(history, Err(CommandError::NoGame))),
        }
    }
}

#[test]
fn the_message_shows_the_bracket_and_says_what_to_do() {
    let mut session = session(None);
    let mut said = |line: &str| render::error(&evaluate(&mut session, line).expect_err("it is wrong"), Paint::Plain);
    let lines = ["(load tic_tac_toe", "do [mark(1,1), noop", "undo)", "?- (true(control(x)]", "set board \"X../..."];
    insta::assert_snapshot!(lines.map(|line| format!("> {line}\n{}", said(line))).join("\n"));
}

#[test]
fn quoted_brackets_are_text() {
    let mut session = session(Some("tic_tac_toe"));
    // A board with brackets fails because of its squares, not because of the brackets.
    for line in ["set board \"(../.../...\"", "set board '[../.../...'", "expect error \"no command\" xyzzy 1 \"(\""] {
        let result = evaluate(&mut session, line);
        let has_bracket = |error: &CommandError| error.to_string().contains("never closed");
        assert!(!result.as_ref().is_err_and(has_bracket), "{line}: {result:?}");
    }
    // The words of a quoted text belong together, and no option or comment begins in it.
    assert!(
        evaluate(&mut session, "set board \"X % . / . . . / . . .\"")
            .is_err_and(|error| { error.to_string().contains("`%` in row 1, column 2 is no piece") })
    );
    // An apostrophe within a word is none of these marks.
    assert!(evaluate(&mut session, "load don't").is_err_and(|error| error.to_string().contains("no game `don't`")));
}

#[test]
fn scripts_can_expect_the_error() {
    let mut session = session(Some("tic_tac_toe"));
    for line in [
        "expect error E002 do mark(1,1",
        "expect error E003 do mark(1,1))",
        "expect error \"never closed\" (load tic_tac_toe",
        "expect error \"never closed\" load \"tic_tac_toe",
        "time expect error E002 legal (",
    ] {
        let answer = evaluate(&mut session, line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let object = serde_json::to_value(&answer).expect("answers are objects");
        assert!(object["kind"] == "met" || object["kind"] == "timed", "{line}: {object}");
    }
    assert_eq!(mistake(&mut session, "expect legal [mark(1,1)"), ("this `[` is never closed".to_string(), 14));
}
