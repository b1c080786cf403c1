//! A system that starts few threads, or none beside the first: the work is done by those that there are.

#![cfg(target_os = "linux")]

use crate::effort::is_brief;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The address space of the program, in KiB.
const SPACE: u64 = 8 << 20;

/// Calls the program in a shell that leaves room for some stacks of threads, each of a size that only address space
/// can have.
fn call_with_room_for(threads: u64, arguments: &[&str]) -> Output {
    let stack = (SPACE - (2 << 20)).checked_div(threads).unwrap_or(2 * SPACE);
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -v {SPACE} && exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_ggp")]);
    shell.args(arguments).env("GGP_CACHE", "off").env("RUST_MIN_STACK", (stack << 10).to_string());
    shell.stdin(Stdio::null()).output().expect("a shell starts")
}

/// What the program answers, which must not be a panic.
fn answered(threads: u64, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = call_with_room_for(threads, arguments);
    let [answer, talk] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(!talk.contains("panicked") && output.status.code().is_some(), "{threads}, {arguments:?}: {talk}");
    (output.status.code(), answer, talk)
}

const CLOCKS: [&str; 4] = ["--start-clock", "20", "--play-clock", "20"];

#[test]
fn matches_are_played_by_fewer_threads_or_by_the_first() {
    let budgets = ["mcts:visits=200", "montecarlo:visits=200"];
    for threads in [0, 1, 3, 4] {
        let arguments = [&["match", "tic_tac_toe"][..], &budgets, &CLOCKS, &["--games", "2", "--jobs", "2"]].concat();
        let (code, answer, talk) = answered(threads, &arguments);
        assert_eq!(code, Some(0), "{threads}: {talk}");
        assert!(answer.contains("mcts"), "{answer}");
        if is_brief() {
            break;
        }
    }
}

#[test]
fn a_player_that_is_tuned_needs_no_threads() {
    let tuned = ["tune", "tic_tac_toe", "montecarlo:visits=30,single", "--option", "visits=1,60", "--games", "2"];
    let (code, answer, talk) = answered(0, &[&tuned[..], &CLOCKS].concat());
    assert_eq!(code, Some(0), "{talk}");
    assert!(answer.contains("chosen: "), "{answer}");
}

#[test]
fn a_run_on_disk_has_fewer_workers_or_works_in_the_first_thread() {
    for threads in [0, 1, 2, 3] {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("few_threads_{threads}"));
        // It may be left over from an earlier run, or not exist yet.
        _ = std::fs::remove_dir_all(&folder);
        let dir = folder.to_str().expect("the path is text");
        let found = answered(threads, &["solve", "tic_tac_toe", "--dir", dir, "--workers", "8"]);
        assert_eq!(found.0, Some(0), "{threads}: {}", found.2);
        assert!(found.1.contains("5,478 states"), "{threads}: {}{}", found.1, found.2);
    }
}

#[test]
fn work_in_memory_is_done_by_the_first_thread() {
    let lines = "solve; do mark(2,2); mcts --visits 500; simulate --playouts 2000";
    let (code, answer, talk) = answered(0, &["eval", "tic_tac_toe", lines]);
    assert_eq!(code, Some(0), "{talk}");
    assert!(answer.contains("5,478 states") && answer.contains("games"), "{answer}");
    let (code, _, talk) = answered(0, &["simulate", "tic_tac_toe", "--playouts", "2000"]);
    assert_eq!(code, Some(0), "{talk}");
}

#[test]
fn the_language_server_says_that_it_has_no_threads() {
    for threads in [0, 2] {
        let (code, _, talk) = answered(threads, &["lsp"]);
        assert_eq!(code, Some(3), "{talk}");
        assert!(talk.contains("no more threads"), "{talk}");
    }
}
