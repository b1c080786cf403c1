//! Progress on a terminal: a line on standard error that says how far long work has come, and is gone when the work is done.
//!
//! indicatif draws the line: it knows how wide the terminal is, cuts the line there, and clears it. When the line is shown, and what it says, is
//! decided here.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long nothing is shown: most work is done by then.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often the line is written anew.
const PERIOD: Duration = Duration::from_millis(250);

/// Shows progress until it is dropped.
pub struct ProgressLine {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Begins to show what `text` gives, if anything; it is asked several times a second, on a thread of its own. `None` where standard error is
    /// no terminal.
    pub fn start(text: impl Fn() -> Option<String> + Send + 'static) -> Option<Self> {
        if !io::stderr().is_terminal() {
            return None;
        }
        let (stop, stopped) = channel();
        let thread = std::thread::spawn(move || {
            let style = ProgressStyle::with_template("{wide_msg}").expect("the template is right");
            let bar = ProgressBar::new_spinner().with_style(style);
            let mut wait = PATIENCE;
            while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                wait = PERIOD;
                if let Some(text) = text() {
                    bar.set_message(text);
                }
            }
            bar.finish_and_clear();
        });
        Some(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        // The thread ends when nothing can be sent any more.
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It could only have panicked while writing, and then there is nothing to be shown.
            let _ = thread.join();
        }
    }
}
