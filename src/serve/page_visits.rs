//! The sessions of all pages, by their names.

use super::visit::PageVisit;
use ggp_engine::EngineOptions;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The sessions of all pages. If there are as many as allowed, a new one ends the one that was unused for longest; its
/// page begins another with the same moves.
pub(super) struct PageVisits {
    most: usize,
    engine: EngineOptions,
    visits: Mutex<BTreeMap<String, Arc<PageVisit>>>,
}

impl PageVisits {
    pub(super) fn new(most: usize, engine: EngineOptions) -> Self {
        Self { most, engine, visits: Mutex::default() }
    }

    /// Begins a session and returns its name; `None` if there are as many as allowed, and requests are worked on in all
    /// of them.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub(super) fn begin(&self) -> io::Result<Option<String>> {
        let name = super::ServerSecret::random()?.to_string();
        let mut visits = self.open();
        if visits.len() >= self.most.max(1) {
            let idle = visits.iter().filter_map(|(name, visit)| Some((visit.idle_since()?, name)));
            let Some((_, oldest)) = idle.min() else { return Ok(None) };
            let oldest = oldest.clone();
            // A request may have found it a moment ago.
            visits.remove(&oldest).inspect(|visit| visit.end());
        }
        visits.insert(name.clone(), Arc::new(PageVisit::new(self.engine.clone())));
        Ok(Some(name))
    }

    /// The session of this name.
    pub(super) fn find(&self, name: &str) -> Option<Arc<PageVisit>> {
        self.open().get(name).cloned()
    }

    /// Ends the session of this name.
    pub(super) fn end(&self, name: &str) {
        if let Some(visit) = self.open().remove(name) {
            visit.end();
        }
    }

    /// Ends all sessions.
    pub(super) fn end_all(&self) {
        std::mem::take(&mut *self.open()).values().for_each(|visit| visit.end());
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<String, Arc<PageVisit>>> {
        // No code that holds the lock can panic in the middle of a change.
        self.visits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
