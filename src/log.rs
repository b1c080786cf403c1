//! What happens on the way, for who follows a program: messages of three levels, through the crate `tracing`. Without
//! the feature of this name nobody hears them.

use std::fmt::Arguments;

/// How much a message matters.
#[derive(Clone, Copy)]
enum Level {
    Debug,
    Info,
    Warn,
}

/// Tells of the results of searches, and of other details.
pub(crate) fn debug(message: Arguments<'_>) {
    tell(Level::Debug, message);
}

/// Tells of the course of a match.
pub(crate) fn info(message: Arguments<'_>) {
    tell(Level::Info, message);
}

/// Tells what went wrong without ending anything.
pub(crate) fn warn(message: Arguments<'_>) {
    tell(Level::Warn, message);
}

/// The message is written only if its level is heard.
#[cfg(feature = "tracing")]
fn tell(level: Level, message: Arguments<'_>) {
    match level {
        Level::Debug => tracing::debug!("{message}"),
        Level::Info => tracing::info!("{message}"),
        Level::Warn => tracing::warn!("{message}"),
    }
}

#[cfg(not(feature = "tracing"))]
fn tell(_: Level, _: Arguments<'_>) {}
