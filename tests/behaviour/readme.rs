//! The transcript in the README is the output of a real session, and its program is the first example of the crate's
//! documentation.

use ggp::repl::{Session, Transcript, console, evaluate};
use std::sync::Arc;

#[test]
fn the_transcript_of_the_readme_is_what_a_session_prints() {
    let readme = include_str!("../../README.md");
    let shown =
        readme.split("```console\n").nth(1).and_then(|rest| rest.split("```").next()).expect("there is a session");
    let mut session = Session::new("", Arc::default());
    session.load("tic_tac_toe").expect("the game is in the library");
    evaluate(&mut session, "board on").expect("it is so at a terminal");
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

#[test]
fn the_program_of_the_readme_is_that_of_the_crate_page() {
    let readme = include_str!("../../README.md");
    let shown = readme.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).expect("there is a program");
    let page = include_str!("../../src/lib.rs").lines().map_while(|line| line.strip_prefix("//!"));
    let page: Vec<&str> = page.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let program = page.split(|line| *line == "```").nth(1).expect("the page has a program");
    let visible: Vec<&str> = program.iter().copied().filter(|line| !line.starts_with("# ")).collect();
    assert_eq!(visible.join("\n") + "\n", shown);
}
