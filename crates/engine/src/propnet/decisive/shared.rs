//! The program with decisive moves of a network and of its clones, which is made once for all of them: in a match each
//! player has a clone.

use super::decisive_program;
use crate::lanes::BackEnds;
use crate::program::Program;
use gdl::limits::{Limits, Stop};
use std::sync::{Arc, Mutex, OnceLock, TryLockError};
use std::thread;
use std::time::Duration;

/// A program that is made when it is first asked for.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct SharedDecisiveProgram(Arc<DecisiveProgram>);

#[derive(Debug, Default)]
struct DecisiveProgram {
    /// Held by the clone that makes it.
    maker: Mutex<()>,
    /// `None` if there is none ([`decisive_program`]).
    made: OnceLock<Option<Arc<Program>>>,
}

impl SharedDecisiveProgram {
    /// The time between two questions of a clone that waits for another one.
    const POLL_INTERVAL: Duration = Duration::from_millis(1);

    /// The program; makes it, unless a clone has made it or is about to.
    ///
    /// # Errors
    /// If the limits end the work; what is asked later begins it anew.
    pub(in super::super) fn get(
        &self,
        program: &Program,
        back_ends: &BackEnds,
        limits: &Limits,
    ) -> Result<Option<&Arc<Program>>, Stop> {
        loop {
            if let Some(made) = self.0.made.get() {
                return Ok(made.as_ref());
            }
            limits.check()?;
            let maker = match self.0.maker.try_lock() {
                Ok(maker) => maker,
                // A maker that has panicked has left nothing half made.
                Err(TryLockError::Poisoned(maker)) => maker.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    thread::sleep(Self::POLL_INTERVAL);
                    continue;
                }
            };
            if self.0.made.get().is_none() {
                let made = decisive_program(program, back_ends, limits)?;
                self.0.made.get_or_init(|| made.map(Arc::new));
            }
            drop(maker);
        }
    }
}
