//! `ggp check --watch`: checks again whenever a file changes.

use super::{Arguments, Failure};
use crate::cli::folder::{folder_of, sheets};
use crate::cli::{interrupt_flag, text};
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use ggp_engine::GameOrigin;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

/// The time between two looks at the files.
const PERIOD: Duration = Duration::from_millis(300);
/// The time between two looks at the interrupt.
const SLICE: Duration = Duration::from_millis(50);

impl Arguments {
    /// Checks the files now and after each change, until the user interrupts; the exit code.
    pub(super) fn watch(&self, console: &mut Terminal) -> Result<u8, Failure> {
        let interrupt = interrupt_flag()?;
        if self.file_states().is_empty() && self.files.iter().all(|file| folder_of(file).is_none()) {
            anyhow::bail!("`--watch` needs a file or a folder: games of the library and standard input do not change");
        }
        while !interrupt.load(Ordering::Relaxed) {
            // Before the check, so that a change during the check is noticed.
            let seen = self.file_states();
            console.clear()?;
            if let Err(failure) = self.check_all(console) {
                if interrupt.load(Ordering::Relaxed) {
                    break;
                }
                console.talk(&text(&failure, console.paint()))?;
            }
            console.talk("watching for changes; Ctrl-C ends\n")?;
            while self.file_states() == seen && !interrupt.load(Ordering::Relaxed) {
                let slices = PERIOD.as_millis() / SLICE.as_millis();
                (0..slices).take_while(|_| !interrupt.load(Ordering::Relaxed)).for_each(|_| sleep(SLICE));
            }
        }
        Ok(130)
    }

    /// The files that are checked, with those in folders: the time of the last change and the size of each. A file has
    /// neither if it cannot be read, as for a moment while an editor saves it.
    fn file_states(&self) -> Vec<(PathBuf, Option<(SystemTime, u64)>)> {
        let files = self.files.iter().chain(&self.with).flat_map(|file| match folder_of(file) {
            Some(folder) => sheets(&folder).unwrap_or_default(),
            None => match GameOrigin::find(file, Path::new("")) {
                Ok(GameOrigin::File(path)) => vec![path],
                Ok(_) => Vec::new(),
                // The name of a file that is missing, which may appear.
                Err(_) => vec![PathBuf::from(file)],
            },
        });
        let state = |path: PathBuf| {
            let found = path.metadata().and_then(|found| Ok((found.modified()?, found.len())));
            (path, found.ok())
        };
        files.map(state).collect()
    }
}
