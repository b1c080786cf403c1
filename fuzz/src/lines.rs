//! Lines of the prompt: each has an answer or an error, whatever came before, and both can be shown.
//!
//! The session's directory does not exist, so commands that write or read files find none. Lines that name a path
//! outside it, or standard input, are skipped.

use ggp::diagnostic::render::Paint;
use ggp::engine::EngineOptions;
use ggp::repl::render::{self, Record};
use ggp::repl::{Session, evaluate};
use ggp::syntax::Dialect;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// The maximum number of lines that are used of an input.
const MOST_LINES: usize = 12;
const MOST_BYTES: usize = 1 << 10;

/// A line that takes longer is interrupted.
const LINE: Duration = Duration::from_millis(100);

/// Evaluates the input line by line.
///
/// # Panics
/// If evaluating a line or showing its answer panics.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let is_kept = |line: &&str| !line.contains(['/', '\\']) && !line.split_whitespace().any(|word| word == "-");
    let flag = Arc::new(AtomicBool::new(false));
    let options = EngineOptions::default().with_interrupt(flag.clone()).with_memory(64 << 20);
    let mut session = Session::new("no such folder", flag.clone()).with_engine(options);
    for line in text.lines().filter(|line| line.len() <= MOST_BYTES).filter(is_kept).take(MOST_LINES) {
        flag.store(false, Ordering::Relaxed);
        let result = interrupted_after(LINE, &flag, || evaluate(&mut session, line));
        Record::new(line, &result).to_line();
        match &result {
            Ok(answer) => {
                [Dialect::Prefix, Dialect::Infix].map(|dialect| render::text(answer, Paint::Plain, dialect)).concat()
            }
            Err(error) => render::error(error, Paint::Plain),
        };
        session.take_notes();
    }
}

/// Runs some work, and sets its flag if it takes longer than `time`.
fn interrupted_after<T>(time: Duration, flag: &Arc<AtomicBool>, work: impl FnOnce() -> T) -> T {
    let (done, is_done) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if is_done.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout) {
                flag.store(true, Ordering::Relaxed);
            }
        });
        let result = work();
        drop(done);
        result
    })
}
