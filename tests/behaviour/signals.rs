//! Ctrl-C ends every command with exit code 130, also while it sets itself up.
#![cfg(target_os = "linux")]

use crate::ggp::ggp;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A sheet whose grounding takes minutes: joins of thousands of tuples, many times.
fn endless() -> PathBuf {
    let mut text =
        "(role robot) (role other) (init c) (legal other noop) (<= (next c) (true c)) (goal robot 100) (goal other 0)
                    (<= terminal (not (true c)))"
            .to_string();
    for number in 0..60 {
        write!(text, "(n {number})").unwrap();
    }
    for number in 0..300 {
        write!(text, "(<= (legal robot (m{number} ?a ?b ?c)) (true c) (n ?a) (n ?b) (n ?c))").unwrap();
        write!(text, "(<= (next (f ?a)) (does robot (m{number} ?a ?b ?c)))").unwrap();
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("endless.kif");
    std::fs::write(&path, text).expect("it is written");
    path
}

fn start(arguments: &[&str]) -> Child {
    let mut command = ggp();
    command.args(arguments).current_dir(env!("CARGO_TARGET_TMPDIR"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

/// Waits until a process handles Ctrl-C itself.
fn await_handler(process: &Child) {
    let status = format!("/proc/{}/status", process.id());
    loop {
        let status = std::fs::read_to_string(&status).expect("the process runs");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("Linux lists caught signals");
        if u64::from_str_radix(caught.trim(), 16).expect("it is a mask") & 1 << (2 - 1) != 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Interrupts a process, and returns its exit code with what it says.
fn interrupted(process: Child) -> (Option<i32>, String) {
    let sent = Command::new("kill").args(["-INT", &process.id().to_string()]).status();
    assert!(sent.expect("there is a `kill`").success());
    let output = process.wait_with_output().expect("the program ends");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn an_interrupt_during_the_setup_ends_every_command() {
    let sheet = endless();
    let sheet = sheet.to_str().expect("the path is text");
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join("endless.query");
    std::fs::write(&script, format!("load {sheet}\nbfs\n")).expect("it is written");
    let commands: [&[&str]; 16] = [
        &["simulate", sheet],
        &["compile", sheet, "-o", "/dev/null"],
        &["match", sheet, "random", "random"],
        &["server", sheet, "random", "random"],
        &["tune", sheet, "random", "--option", "seed=1"],
        &["bench", sheet],
        &["check", "--simulate", "3", sheet],
        &["ground", sheet],
        &["propnet", "stats", sheet],
        &["propnet", "verify", sheet],
        &["propnet", "symmetries", sheet],
        &["perf-test", sheet, "endless.result", "1"],
        &["solve", sheet, "--dir", "endless.states"],
        &["eval", sheet, "bfs"],
        &["run", "endless.query"],
        &["eval", "tic_tac_toe", &format!("load {sheet}; simulate")],
    ];
    for arguments in commands {
        let process = start(arguments);
        await_handler(&process);
        std::thread::sleep(Duration::from_millis(50));
        let (code, said) = interrupted(process);
        assert_eq!(code, Some(130), "{arguments:?}: {said}");
    }
}

/// The last part of the set-up is the translation of the lanes.
#[test]
fn an_interrupt_at_any_moment_ends_a_simulation() {
    let arguments = ["simulate", "breakthrough_6x6", "--threads", "1"];
    let begun = Instant::now();
    let process = start(&[&arguments[..], &["--playouts", "1"]].concat());
    assert!(process.wait_with_output().expect("it ends").status.success());
    let setup = begun.elapsed();
    for part in 6..18 {
        let process = start(&[&arguments[..], &["--seconds", "600"]].concat());
        await_handler(&process);
        std::thread::sleep(setup * part / 16);
        let (code, said) = interrupted(process);
        assert_eq!(code, Some(130), "after {part} sixteenths: {said}");
    }
}
