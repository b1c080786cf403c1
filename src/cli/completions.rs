//! `ggp completions`: completion of the command line for a shell.

use super::Failure;
use super::complete::VARIABLE;
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use anyhow::Context;
use clap_complete::Shell;
use clap_complete::env::Shells;

/// Print the completions of this program for a shell
///
/// In bash `source <(ggp completions bash)` loads them, in zsh `source <(ggp completions zsh)`, in fish `ggp completions
/// fish | source`; docs/editors.md says where to keep them. They ask the program, so they know its games, and in `ggp
/// eval` the legal moves.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The shell
    shell: Shell,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let mut script = Vec::new();
        let shells = Shells::builtins();
        let shell = shells.completer(&self.shell.to_string()).context("the shell has no completions")?;
        shell.write_registration(VARIABLE, "ggp", "ggp", "ggp", &mut script)?;
        console.data(&String::from_utf8(script)?)?;
        Ok(0)
    }
}
