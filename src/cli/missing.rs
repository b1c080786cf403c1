//! Subcommands that are not there: those that a build leaves out, with the features that bring them, and commands of
//! the prompt.

use crate::repl::command::commands;
use clap::error::{ContextKind, ContextValue};

/// The subcommands that are missing, each with its feature.
const MISSING: &[(&str, &str)] = &[
    #[cfg(not(feature = "prompt"))]
    ("repl", "prompt"),
    #[cfg(not(feature = "protocol"))]
    ("player", "protocol"),
    #[cfg(not(feature = "protocol"))]
    ("server", "protocol"),
    #[cfg(not(feature = "serve"))]
    ("serve", "serve"),
    #[cfg(not(feature = "disk"))]
    ("solve", "disk"),
    #[cfg(not(feature = "disk"))]
    ("db", "disk"),
    #[cfg(not(feature = "lsp"))]
    ("lsp", "lsp"),
];

/// The message about a missing subcommand, if one is the reason of an error in the arguments.
pub(super) fn named_in(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    if let Some((name, feature)) = MISSING.iter().find(|(name, _)| name == typed) {
        return Some(format!("`ggp {name}` is left out of this build; `cargo build --features {feature}` brings it"));
    }
    commands().any(|command| command.name == typed).then(|| {
        format!("`{typed}` is a command of the prompt: type it after `ggp repl`, or call `ggp eval GAME '{typed}'`")
    })
}
