//! The screen of a running analysis: its last state, which a command sets and a terminal shows.

use crate::repl::Answer;
use ggp_search::SearchProgress;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What a terminal shows while an analysis runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScreenContent {
    /// What is analysed, and how far it has come.
    pub(crate) heading: String,
    /// What is counted, in the plural: `nodes` or `visits`.
    pub(crate) what: &'static str,
    /// The lines below.
    pub(crate) rows: String,
    /// The answer as it would be now, for programs.
    pub(crate) answer: Option<Answer>,
}

/// The last state of an analysis; nothing while no analysis runs.
#[derive(Debug, Default)]
pub struct Screen {
    shown: Mutex<Option<ScreenContent>>,
    /// Whether a user watches the screen and can end the analysis.
    is_watched: AtomicBool,
    progress: Arc<SearchProgress>,
}

impl Screen {
    /// A screen whose changes are announced as this progress is.
    pub(crate) fn announced_by(progress: Arc<SearchProgress>) -> Self {
        Self { progress, ..Self::default() }
    }

    /// Says whether a user watches the screen and can end the analysis; `false` until it is called.
    pub fn set_watched(&self, is_watched: bool) {
        self.is_watched.store(is_watched, Ordering::Relaxed);
    }

    /// Whether a user watches the screen and can end the analysis.
    pub(crate) fn is_watched(&self) -> bool {
        self.is_watched.load(Ordering::Relaxed)
    }

    /// Sets what is shown from now on.
    pub(crate) fn set(&self, shown: Option<ScreenContent>) {
        // A thread that panicked while it held the lock leaves what it had set.
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = shown;
        self.progress.announce();
    }

    /// What is shown now.
    pub(crate) fn get(&self) -> Option<ScreenContent> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
