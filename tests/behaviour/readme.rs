//! The transcript in the README is the output of a real session, and its program is the first example of the crate's
//! documentation.

use crate::course;
use ggp::repl::{Session, Transcript, console, evaluate};
use std::path::Path;
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

/// The commands of the README run at the root, and those of the picture in the folder of its game.
#[test]
fn the_commands_of_the_readme_and_of_its_picture_answer_as_shown() {
    let root = course::checkout("readme");
    check_commands(include_str!("../../README.md"), &root, 4);
    check_commands(include_str!("../../docs/pictures/session.md"), &root.join("examples"), 6);
}

/// The commands of the page about rules without roles run at the root.
#[test]
fn the_commands_of_the_page_about_rules_answer_as_shown() {
    check_commands(include_str!("../../docs/rules.md"), &course::checkout("rules"), 6);
}

#[test]
fn the_readme_counts_the_codes_of_problems() {
    let listed = course::output("ggp explain", Path::new(env!("CARGO_MANIFEST_DIR")));
    let is_code = |word: &str| word.len() == 4 && word.starts_with(['E', 'W']) && word[1..].parse::<u16>().is_ok();
    let count = listed.lines().filter(|line| line.split_whitespace().next().is_some_and(is_code)).count();
    let claim = format!("{count} codes of problems");
    assert!(include_str!("../../README.md").contains(&claim), "the README does not say: {claim}");
}

#[test]
fn the_game_of_the_readme_is_that_of_the_examples() {
    let readme = include_str!("../../README.md");
    let shown = readme.split("```prolog\n").nth(1).and_then(|rest| rest.split("```").next()).expect("there is a game");
    assert_eq!(shown, include_str!("../../examples/matches.gdl"));
}

#[test]
fn both_pictures_show_the_lines_of_their_session() {
    let session = include_str!("../../docs/pictures/session.md");
    let lines: Vec<&str> = sessions(session).flat_map(str::lines).filter(|line| !line.is_empty()).collect();
    for picture in
        [include_str!("../../docs/pictures/session-light.svg"), include_str!("../../docs/pictures/session-dark.svg")]
    {
        for line in &lines {
            let text = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let text = text.replace('"', "&quot;").replace('\'', "&#x27;");
            assert!(picture.contains(&format!(">{text}</text>")), "run docs/pictures/make: no `{line}`");
        }
    }
}

/// The blocks of a page that show commands of a shell with their answers.
fn sessions(page: &str) -> impl Iterator<Item = &str> {
    page.split("```shell-session\n").skip(1).map(|rest| rest.split("```").next().expect("a text has a first part"))
}

/// Runs `count` commands of a page in a folder and compares the page with what they print.
fn check_commands(page: &str, folder: &Path, count: usize) {
    let mut commands = 0;
    for shown in sessions(page) {
        let mut printed = String::new();
        for command in shown.lines().filter_map(|line| line.strip_prefix("$ ")) {
            commands += 1;
            let answer = match command.strip_prefix("cat ") {
                Some(file) => std::fs::read_to_string(folder.join(file)).expect("the file is there"),
                None => course::output(command, folder),
            };
            printed += &format!("$ {command}\n{answer}");
        }
        assert_eq!(printed, shown);
    }
    assert_eq!(commands, count);
}
