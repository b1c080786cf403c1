//! Log messages of three levels, written through the crate `tracing`. Without the feature of this name they are
//! dropped.

use std::fmt::Arguments;

/// How much a message matters.
#[derive(Clone, Copy)]
enum MessageLevel {
    Debug,
    Info,
    Warn,
}

/// Writes about the results of searches, and of other details.
pub(crate) fn debug(message: Arguments<'_>) {
    write(MessageLevel::Debug, message);
}

/// Writes about the course of a match.
pub(crate) fn info(message: Arguments<'_>) {
    write(MessageLevel::Info, message);
}

/// Writes what went wrong without ending anything.
pub(crate) fn warn(message: Arguments<'_>) {
    write(MessageLevel::Warn, message);
}

/// The message is formatted only if its level is switched on.
#[cfg(feature = "tracing")]
fn write(level: MessageLevel, message: Arguments<'_>) {
    match level {
        MessageLevel::Debug => tracing::debug!("{message}"),
        MessageLevel::Info => tracing::info!("{message}"),
        MessageLevel::Warn => tracing::warn!("{message}"),
    }
}

#[cfg(not(feature = "tracing"))]
fn write(_: MessageLevel, _: Arguments<'_>) {}
