//! `ggp lsp`: the language server.

use super::Failure;
use crate::lsp;

/// Serve an editor: problems, completion, definitions and more of rule sheets and scripts, as they are typed
///
/// Editors start this and talk to it over standard input and output in the Language Server Protocol;
/// docs/editors.md says how to set them up.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Accepted because some editors add it: there is no other way to talk to the server
    #[arg(long = "stdio")]
    _stdio: bool,
}

impl Arguments {
    pub(super) fn run(self) -> Result<u8, Failure> {
        lsp::serve()?;
        Ok(0)
    }
}
