//! The program `ggp`, with which tests do what a user does.

use std::process::Command;

/// A call of the program. It keeps no networks, so that what one test has built changes no answer of another.
pub(crate) fn ggp() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ggp"));
    command.env("GGP_CACHE", "off");
    command
}
