//! The examiner: finds the problems of a sheet that only play shows, as `ggp check` does, in a thread of its own.
//!
//! It begins when a text has not changed for a while, and stops when it changes.

use super::values::{GameValues, values};
use gdl::diagnostic::Diagnostic;
use gdl::syntax::Source;
use ggp_engine::{EngineOptions, ExamineError, PlayAmount, examine};
use ggp_game::threads::{self, NoThread};
use lsp_types::Uri;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The time for which a text has not changed before it is examined.
const PAUSE: Duration = Duration::from_millis(200);

/// A text that is to be examined.
struct ExaminationTask {
    uri: Uri,
    version: i32,
    name: String,
    source: Source,
    stop: Arc<AtomicBool>,
}

/// What has been found of a version of a text.
pub(super) enum Finding {
    /// All its problems; `None` if the examination has failed.
    Problems(Option<Vec<Diagnostic>>),
    /// The values that its relations and functions can have.
    Values(GameValues),
}

/// A finding with the text that it is about.
pub(super) struct Examination {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) finding: Finding,
}

/// The examiner's end in the thread of the server.
pub(super) struct Examiner {
    tasks: Sender<ExaminationTask>,
    /// What is examined now or will be, with the flags that stop it.
    running: Vec<(Uri, Arc<AtomicBool>)>,
}

impl Examiner {
    /// Starts the thread. `tell` passes each report to the server; it returns false if the server has ended.
    ///
    /// # Errors
    /// If the system starts no thread.
    pub(super) fn start(tell: impl Fn(Examination) -> bool + Send + 'static) -> Result<Self, NoThread> {
        let (tasks, received) = channel();
        threads::start(move || work(&received, &tell))?;
        Ok(Self { tasks, running: Vec::new() })
    }

    /// Examines a version of a text, and no other version of it.
    pub(super) fn examine(&mut self, uri: Uri, version: i32, name: String, source: Source) {
        self.stop(&uri);
        let stop = Arc::new(AtomicBool::new(false));
        self.running.push((uri.clone(), stop.clone()));
        // If the thread is gone, the problems that need play are not found.
        let _ = self.tasks.send(ExaminationTask { uri, version, name, source, stop });
    }

    /// Stops the examination of a text.
    pub(super) fn stop(&mut self, uri: &Uri) {
        self.running.retain(|(other, stop)| {
            let is_it = other == uri;
            if is_it {
                stop.store(true, Ordering::Relaxed);
            }
            !is_it
        });
    }
}

impl Drop for Examiner {
    fn drop(&mut self) {
        self.running.iter().for_each(|(_, stop)| stop.store(true, Ordering::Relaxed));
    }
}

fn work(tasks: &Receiver<ExaminationTask>, tell: &dyn Fn(Examination) -> bool) {
    while let Ok(task) = tasks.recv() {
        if !waits(&task.stop) {
            continue;
        }
        // What fails is not examined; the problems that need no play are shown in any case.
        if let Ok(false) = catch_unwind(AssertUnwindSafe(|| examine_one(&task, tell))) {
            return;
        }
    }
}

/// Waits until a text has not changed for a while; false if it has.
fn waits(stop: &AtomicBool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < PAUSE {
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
    true
}

/// Examines a text and passes what is found to the server; false if the server has ended.
fn examine_one(task: &ExaminationTask, tell: &dyn Fn(Examination) -> bool) -> bool {
    let report = |finding| Examination { uri: task.uri.clone(), version: task.version, finding };
    let options = EngineOptions::default().with_interrupt(task.stop.clone());
    match examine(task.name.clone(), &task.source, None, options, PlayAmount::FixedWork) {
        Ok(examined) => {
            let is_heard = tell(report(Finding::Problems(Some(examined.diagnostics))));
            let found = examined.game.map(|mut game| values(&mut game, &task.stop));
            is_heard && found.is_none_or(|found| tell(report(Finding::Values(found))))
        }
        Err(_) if task.stop.load(Ordering::Relaxed) => true,
        Err(
            ExamineError::Reason(_) | ExamineError::Load(_) | ExamineError::Engine(_) | ExamineError::Simulation(_),
        ) => tell(report(Finding::Problems(None))),
    }
}
