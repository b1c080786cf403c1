//! What stops a run: the first failure of any of its workers, or its limits.

use super::super::error::SolvingError;
use gdl::limits::Limits;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Whether the run goes on: what stops one worker stops all.
#[derive(Debug, Default)]
pub(super) struct RunFailure {
    stop: AtomicBool,
    first: Mutex<Option<SolvingError>>,
    limits: Limits,
}

impl RunFailure {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Stops all workers of this process; the first error is kept.
    pub(super) fn set(&self, error: SolvingError) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(error, SolvingError::Stopped) && first.is_none() {
            *first = Some(error);
        }
        self.stop();
    }

    /// Stops all workers of this process.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether a worker, or another process, has failed.
    pub(super) fn is_set(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// An error if the run has to stop.
    pub(super) fn check(&self) -> Result<(), SolvingError> {
        if self.is_set() {
            return Err(SolvingError::Stopped);
        }
        self.limits.check().map_err(SolvingError::Ended)
    }

    /// The first error, once.
    pub(super) fn take(&self) -> Option<SolvingError> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
