//! `ggp completions`: completion of the command line for a shell.

use super::Failure;
use crate::repl::console::{Console, Terminal};
use clap_complete::Shell;

/// Print the completions of this program for a shell
///
/// In bash `source <(ggp completions bash)` loads them, in zsh `source <(ggp completions zsh)`, in fish `ggp completions
/// fish | source`; docs/editors.md says where to keep them.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The shell
    shell: Shell,
}

impl Arguments {
    pub(super) fn run(self, mut program: clap::Command, console: &mut Terminal) -> Result<u8, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "ggp", &mut script);
        console.data(&String::from_utf8(script)?)?;
        Ok(0)
    }
}
