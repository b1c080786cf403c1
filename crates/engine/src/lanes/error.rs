//! Why there are no lanes.

use crate::program::FormDifference;
use gdl::limits::Stop;

/// Why lanes could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LanesError {
    /// The limits ended the work.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// Even the plainest lanes differ from the program. This is a bug of this library.
    #[error("{}", .0.report("lanes"))]
    Differ(Box<FormDifference>),
}

/// What was made without limits.
///
/// # Panics
/// If it differs from the program: a fault of this library.
pub(super) fn made<T>(made: Result<T, LanesError>) -> T {
    made.unwrap_or_else(|error| panic!("{error}"))
}
