//! Log messages of three levels, written through the crate `tracing`. Without the feature of this name they are
//! dropped.
//!
//! A message is formatted only if its level is switched on.

use std::fmt::Arguments;

/// Writes about the results of searches, and about other details.
pub(crate) fn debug(message: Arguments<'_>) {
    #[cfg(feature = "tracing")]
    tracing::debug!("{message}");
    _ = message;
}

/// Writes about the course of a match.
pub(crate) fn info(message: Arguments<'_>) {
    #[cfg(feature = "tracing")]
    tracing::info!("{message}");
    _ = message;
}

/// Writes about an error that ends nothing.
pub(crate) fn warn(message: Arguments<'_>) {
    #[cfg(feature = "tracing")]
    tracing::warn!("{message}");
    _ = message;
}
