//! Files are read up to a limit, so that an endless one is an error and not the end of the memory.

use crate::program::{Called, call, call_with_input};
use ggp::files::{InputLimit, InputTooLarge};
use ggp::quantity::Size;
use std::io;
use std::path::Path;

/// Each command that reads a file, with the file and what limits it; standard input has no end either.
#[cfg(target_os = "linux")]
const ENDLESS: [&[&str]; 13] = [
    &["check", "/dev/zero"],
    &["check", "--with", "tic_tac_toe", "/dev/zero"],
    &["fmt", "/dev/zero"],
    &["eval", "/dev/zero", "legal"],
    &["eval", "tic_tac_toe", "restore /dev/zero"],
    &["eval", "tic_tac_toe", "minimax --eval /dev/zero"],
    &["eval", "minimax_tree", "expectimax --opponents weights:file=/dev/zero"],
    &["run", "/dev/zero"],
    &["replay", "/dev/zero"],
    &["ground", "/dev/zero"],
    &["propnet", "stats", "/dev/zero"],
    &["compile", "/dev/zero", "-o", "/dev/null"],
    &["simulate", "/dev/zero"],
];

#[test]
#[cfg(target_os = "linux")]
fn endless_files_meet_the_limit() {
    for arguments in ENDLESS {
        let Called { code, answer, talk } = call(&[arguments, &["--max-input", "2M"]].concat());
        assert_eq!((code, &answer[..]), (3, ""), "{arguments:?}: {talk}");
        let expected = "/dev/zero: it is larger than 2M; `--max-input SIZE` allows more";
        assert!(talk.contains(expected), "{arguments:?}: {talk}");
    }
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join("endless.query");
    std::fs::write(&script, "load /dev/zero\n").expect("it is written");
    let script = script.to_str().expect("the path is text");
    assert_eq!(call(&["run", "--max-input", "2M", script]).code, 3);
}

/// The files of a solved game are read as far as they were written.
#[test]
#[cfg(target_os = "linux")]
fn an_endless_file_of_a_solved_game_is_damaged() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("endless_states");
    // It may be left over from an earlier run, or not exist yet.
    _ = std::fs::remove_dir_all(&folder);
    let dir = folder.to_str().expect("the path is text");
    let solved = call(&["solve", "three_puzzle", "--dir", dir, "--workers", "1"]);
    assert_eq!(solved.code, 0, "{}", solved.talk);
    let layer = std::fs::read_dir(folder.join("layers")).expect("there are layers").next().expect("there is one");
    let layer = layer.expect("it is read").path();
    let file = std::fs::read_dir(layer).expect("it has files").next().expect("it has one").expect("it is read").path();
    std::fs::remove_file(&file).expect("it is there");
    std::os::unix::fs::symlink("/dev/zero", &file).expect("a link can be made");
    let verified = call(&["db", "verify", dir]);
    assert_eq!(verified.code, 1, "{}", verified.talk);
    assert!(verified.answer.contains("it has more than "), "{}", verified.answer);
}

#[test]
fn the_limit_is_the_largest_size_that_is_read() {
    let sheet = "role(robot) init(a) legal(robot,go) terminal :- true(a) goal(robot,100)\n";
    let filled = |size: usize| format!("{sheet}{}", "%".repeat(size - sheet.len()));
    assert_eq!(call_with_input(&["eval", "-", "legal", "--max-input", "4K"], &filled(4096)).code, 0);
    let Called { code, talk, .. } = call_with_input(&["eval", "-", "legal", "--max-input", "4K"], &filled(4097));
    assert_eq!(code, 3);
    assert!(talk.contains("cannot read <stdin>: it is larger than 4K; `--max-input SIZE` allows more"), "{talk}");
    // Of a script that arrives line by line each line may have this size.
    let lines = format!("load tic_tac_toe\n%{}\nlegal\n", "%".repeat(4000)).repeat(3);
    assert_eq!(call_with_input(&["repl", "--max-input", "4K"], &lines).code, 0);
    let Called { code, talk, .. } = call_with_input(&["repl", "--max-input", "2K"], &lines);
    assert_eq!(code, 3);
    assert!(talk.contains("it is larger than 2K"), "{talk}");
    assert_eq!(call(&["check", "tic_tac_toe", "--max-input", "much"]).code, 2);
}

#[test]
fn lines_and_texts_are_read_up_to_the_limit() {
    let limit = InputLimit::new(4);
    let mut input = io::Cursor::new("abc\n\nabcd\nab");
    let mut line = || limit.line(&mut input);
    let found: Vec<Option<String>> = (0..2).map(|_| line().expect("it is short enough")).collect();
    assert_eq!(found, [Some("abc".to_string()), Some(String::new())]);
    assert_eq!(line().expect("four bytes and the end"), Some("abcd".to_string()));
    assert_eq!((line().expect("the last"), line().expect("the end")), (Some("ab".to_string()), None));
    let error = InputLimit::new(3).line(&mut io::Cursor::new("abcd\n")).expect_err("it is too long");
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<InputTooLarge>());
    assert_eq!(cause, Some(&InputTooLarge { limit: Size::new(3) }));
    assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    assert!(InputLimit::default().size().bytes() > 1_000 * 68_654, "the largest sheet of the public repository");
}
