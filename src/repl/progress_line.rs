//! Progress on a terminal: a line or several on standard error about long work, which are erased when the work is done.

use super::render::WIDTH;
use gdl::mask::masked;
use ggp_draw::fit::cut;
use ggp_game::threads;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// The time before anything is shown: most work is shorter.
const PATIENCE: Duration = Duration::from_millis(500);
/// The time between two updates of the line.
const PERIOD: Duration = Duration::from_millis(250);

/// Shows progress until it is dropped.
pub(crate) struct ProgressLine {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Starts to show the result of `text`, each line cut at the width of the terminal, if there is one, which is
    /// called several times a second on its own thread. `None` without a terminal or a thread.
    pub(crate) fn start(text: impl Fn() -> Option<String> + Send + 'static) -> Option<Self> {
        if !io::stderr().is_terminal() {
            return None;
        }
        let (stop, stopped) = channel();
        let thread = threads::start(move || {
            let style = ProgressStyle::with_template("{msg}").expect("the template is right");
            let bar = ProgressBar::new_spinner().with_style(style);
            let mut wait = PATIENCE;
            while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                wait = PERIOD;
                if let Some(text) = text() {
                    bar.set_message(cut(masked(text.trim_end()).as_ref(), talk_width()));
                }
            }
            bar.finish_and_clear();
        });
        Some(Self { stop: Some(stop), thread: Some(thread.ok()?) })
    }
}

/// What is to be told of each step of some work, and the line that shows the last of them as `text` words it.
pub(crate) fn with_progress_line<T: Copy + Send + 'static>(
    text: impl Fn(T) -> String + Send + 'static,
) -> (impl Fn(T) + Send + Sync + 'static, Option<ProgressLine>) {
    let latest = Arc::new(Mutex::new(None));
    let shown = latest.clone();
    let line = ProgressLine::start(move || shown.lock().ok()?.map(&text));
    let tell = move |step| {
        if let Ok(mut latest) = latest.lock() {
            *latest = Some(step);
        }
    };
    (tell, line)
}

/// The width of the terminal of standard error.
pub(crate) fn talk_width() -> usize {
    terminal_size::terminal_size_of(io::stderr()).map_or(WIDTH, |(width, _)| usize::from(width.0))
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        // Dropping the sender ends the thread.
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The thread can only panic while writing, and then there is nothing left to show.
            let _ = thread.join();
        }
    }
}
