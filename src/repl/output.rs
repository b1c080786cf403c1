//! Outputs of a running command beside its answer: the files that it writes, and a [`Screen`] with its present state,
//! which a terminal shows. Files go to a folder, are compared with those that are there or, in a session without files,
//! wait in a queue from which the front end takes them.

use super::{Answer, CommandError};
use ggp_game::files::{InputLimit, OutputPath, WriteRefusal, below, of_course};
use ggp_search::SearchProgress;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Destination of the files that the commands of a session write.
#[derive(Clone, Debug)]
pub(crate) enum SessionOutputs {
    Written {
        /// The folder where relative paths start.
        folder: PathBuf,
        /// Replaces files that exist, also for commands without `--force`.
        is_forced: bool,
        /// If set, a file that exists is compared with what would be written in place of an error, and here are the notes
        /// on those that are the same.
        same: Option<OutputQueue<String>>,
        /// The files that have been written.
        written: OutputQueue<PathBuf>,
    },
    /// They wait for the front end.
    Queued(OutputQueue<Download>),
}

/// A file that a command has written in a session without files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Download {
    /// Its name, as it was given.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Downloads or notes, in their order, until the front end takes them.
#[derive(Clone, Debug)]
pub(crate) struct OutputQueue<T>(Arc<Mutex<Vec<T>>>);

impl<T> Default for OutputQueue<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> OutputQueue<T> {
    /// Removes and returns all that wait.
    pub(crate) fn take(&self) -> Vec<T> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn push(&self, item: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(item);
    }
}

/// A file that a command is to write.
#[derive(Clone, Debug)]
pub(crate) struct OutputFile {
    /// Its name, as it was given.
    pub(crate) name: String,
    place: StreamPlace,
}

#[derive(Clone, Debug)]
enum StreamPlace {
    File(OutputPath, OutputQueue<PathBuf>),
    /// A file with which the text is compared.
    Kept(PathBuf, OutputQueue<String>),
    Queue(OutputQueue<Download>),
}

impl SessionOutputs {
    /// The path of a file with this name; `None` for a download.
    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        match self {
            Self::Written { folder, .. } => Some(below(folder, name)),
            Self::Queued(_) => None,
        }
    }

    /// The file with this name, which never replaces one of the sources.
    ///
    /// # Errors
    /// [`CommandError::Unwritable`] if it may not be written.
    pub(super) fn file(
        &self,
        name: &str,
        is_forced: bool,
        sources: impl IntoIterator<Item = PathBuf>,
    ) -> Result<OutputFile, CommandError> {
        let (folder, all, kept, written) = match self {
            Self::Queued(queue) => {
                return Ok(OutputFile { name: name.to_string(), place: StreamPlace::Queue(queue.clone()) });
            }
            Self::Written { folder, is_forced, same, written } => (folder, *is_forced, same, written),
        };
        // The file is checked here, before long work.
        let path = below(folder, name);
        if let Some(notes) = kept
            && of_course(&path).is_some()
        {
            return Ok(OutputFile { name: name.to_string(), place: StreamPlace::Kept(path, notes.clone()) });
        }
        let output = OutputPath::new(path).forced(is_forced || all).sparing(sources);
        let place = match (output.check(), kept) {
            (Ok(()), _) => StreamPlace::File(output, written.clone()),
            (Err(error), Some(notes)) if WriteRefusal::find(&error) == Some(&WriteRefusal::Exists) => {
                StreamPlace::Kept(output.path().to_path_buf(), notes.clone())
            }
            (Err(error), _) => return Err(CommandError::Unwritable { file: name.to_string(), error }),
        };
        Ok(OutputFile { name: name.to_string(), place })
    }
}

impl OutputFile {
    /// Writes the file completely or not at all, or compares it with the one that is kept. Returns true if it was
    /// written.
    ///
    /// # Errors
    /// [`CommandError::Unwritable`]; for a kept file, [`CommandError::Unreadable`] and [`CommandError::Differs`].
    pub(crate) fn write(&self, text: impl Into<String>) -> Result<bool, CommandError> {
        let name = self.name.clone();
        let text = text.into();
        match &self.place {
            StreamPlace::File(output, written) => {
                output.write(text).map_err(|error| CommandError::Unwritable { file: name, error })?;
                written.push(output.path().to_path_buf());
                Ok(true)
            }
            StreamPlace::Kept(path, notes) => {
                self.compare(path, &text)?;
                notes.push(format!("{name} is as it is kept"));
                Ok(false)
            }
            StreamPlace::Queue(queue) => {
                queue.push(Download { name, text });
                Ok(true)
            }
        }
    }

    fn compare(&self, path: &Path, text: &str) -> Result<(), CommandError> {
        let kept = InputLimit::default().read(path);
        let kept = kept.map_err(|error| CommandError::Unreadable { file: self.name.clone(), error })?;
        if kept == text.as_bytes() {
            return Ok(());
        }
        // The first difference comes after the line breaks of the equal part.
        let same = kept.iter().zip(text.as_bytes()).take_while(|(kept, found)| kept == found);
        let line = 1 + same.filter(|(byte, _)| **byte == b'\n').count();
        Err(CommandError::Differs { file: self.name.clone(), line })
    }
}

/// Content of a terminal's screen while an analysis runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScreenContent {
    /// The subject of the analysis, and its progress.
    pub(crate) heading: String,
    /// The unit of the counts, in the plural: `nodes` or `visits`.
    pub(crate) unit: &'static str,
    /// The lines below.
    pub(crate) rows: String,
    /// The answer as it would be now, for programs.
    pub(crate) answer: Option<Answer>,
}

/// The last state of an analysis; nothing while no analysis runs.
#[derive(Debug, Default)]
pub struct Screen {
    shown: Mutex<Option<ScreenContent>>,
    /// True if a user watches the screen and can end the analysis.
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

    /// True if a user watches the screen and can end the analysis.
    pub(crate) fn is_watched(&self) -> bool {
        self.is_watched.load(Ordering::Relaxed)
    }

    /// Replaces the content; `None` clears the screen.
    pub(crate) fn set(&self, shown: Option<ScreenContent>) {
        // A thread that panicked while it held the lock leaves what it had set.
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = shown;
        self.progress.announce();
    }

    /// The content that is shown now.
    pub(crate) fn get(&self) -> Option<ScreenContent> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
