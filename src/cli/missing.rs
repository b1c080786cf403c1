//! Subcommands that a build leaves out, with the features that bring them.

use clap::error::{ContextKind, ContextValue};
use std::fmt;

/// A subcommand that is not in this build.
#[derive(Clone, Copy)]
pub(super) struct MissingSubcommand {
    name: &'static str,
    feature: &'static str,
}

impl fmt::Display for MissingSubcommand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, feature } = self;
        write!(formatter, "`ggp {name}` is left out of this build; `cargo build --features {feature}` brings it")
    }
}

/// All that are missing.
const MISSING: &[MissingSubcommand] = &[
    #[cfg(not(feature = "prompt"))]
    MissingSubcommand { name: "repl", feature: "prompt" },
    #[cfg(not(feature = "protocol"))]
    MissingSubcommand { name: "player", feature: "protocol" },
    #[cfg(not(feature = "protocol"))]
    MissingSubcommand { name: "server", feature: "protocol" },
    #[cfg(not(feature = "serve"))]
    MissingSubcommand { name: "serve", feature: "serve" },
    #[cfg(not(feature = "disk"))]
    MissingSubcommand { name: "solve", feature: "disk" },
    #[cfg(not(feature = "disk"))]
    MissingSubcommand { name: "db", feature: "disk" },
    #[cfg(not(feature = "lsp"))]
    MissingSubcommand { name: "lsp", feature: "lsp" },
];

/// The missing subcommand that is the reason of an error in the arguments.
pub(super) fn named_in(error: &clap::Error) -> Option<MissingSubcommand> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    MISSING.iter().copied().find(|missing| missing.name == typed)
}
