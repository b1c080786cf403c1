//! Calls of the program, as a shell makes them.

use crate::ggp::ggp;
use std::io::Write;
use std::process::Stdio;

/// The result of a call of the program.
pub(crate) struct Called {
    pub(crate) code: i32,
    /// What it has written to standard output.
    pub(crate) answer: String,
    /// What it has written to standard error.
    pub(crate) talk: String,
}

/// Calls the program from the package's directory, with a text on standard input.
pub(crate) fn call_with_input(arguments: &[&str], input: &str) -> Called {
    call_with(arguments, input, &[])
}

/// As [`call_with_input`], with variables of the environment.
pub(crate) fn call_with(arguments: &[&str], input: &str, variables: &[(&str, &str)]) -> Called {
    let mut child = ggp()
        .args(arguments)
        .envs(variables.iter().copied())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that does not read its input may close it, which is no failure of the test.
    let _ = child.stdin.take().expect("there is a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program writes UTF-8");
    Called { code: output.status.code().unwrap_or(-1), answer: text(output.stdout), talk: text(output.stderr) }
}

/// Calls the program from the package's directory, without input.
pub(crate) fn call(arguments: &[&str]) -> Called {
    call_with_input(arguments, "")
}
