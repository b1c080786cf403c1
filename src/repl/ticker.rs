//! Progress on a terminal: how far a search has come, on a line of standard error that is gone when the search is done.

use super::render::grouped;
use crate::search::SearchProgress;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long nothing is shown: most searches are done by then.
const PATIENCE: Duration = Duration::from_millis(1_000);
/// How often the line is written anew.
const PERIOD: Duration = Duration::from_millis(250);
/// Back to the beginning of the line, and nothing on it.
const CLEAR: &str = "\r\x1b[2K";

/// Shows progress as long as it lives.
pub struct Ticker {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Begins to show these numbers on standard error, which is a terminal.
    pub fn start(progress: Arc<SearchProgress>) -> Self {
        let (stop, stopped) = channel();
        let thread = std::thread::spawn(move || {
            let (mut wait, mut is_shown) = (PATIENCE, false);
            while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                wait = PERIOD;
                if progress.nodes() > 0 {
                    write(&format!("{CLEAR}{} nodes, depth {}", grouped(progress.nodes()), progress.depth()));
                    is_shown = true;
                }
            }
            if is_shown {
                write(CLEAR);
            }
        });
        Self { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        // The thread ends when there is nobody left to send.
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It could only have panicked while writing, and then there is nothing to be shown.
            let _ = thread.join();
        }
    }
}

fn write(text: &str) {
    let mut errors = io::stderr().lock();
    // Progress that cannot be shown is no reason to end the search.
    let _ = errors.write_all(text.as_bytes()).and_then(|()| errors.flush());
}
