//! The session that the README shows is a real one.

use ggp::repl::{Session, Transcript, console, evaluate};
use std::sync::Arc;

#[test]
fn the_transcript_of_the_readme_is_what_a_session_prints() {
    let readme = include_str!("../../README.md");
    let shown =
        readme.split("```console\n").nth(1).and_then(|rest| rest.split("```").next()).expect("there is a session");
    let mut session = Session::new("", Arc::default());
    session.load("tic_tac_toe").expect("the game is in the library");
    let mut console = Transcript::default();
    for line in shown.lines() {
        let Some((prompt, command)) = line.split_once("> ") else { continue };
        assert_eq!(Some(prompt), session.game_name(), "before {command}");
        console.text += &format!("{line}\n");
        let result = evaluate(&mut session, command);
        console::show(&mut console, &mut session, &result, "").expect("a transcript can be written");
    }
    assert_eq!(console.text, shown);
}
