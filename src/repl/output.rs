//! Files that commands write: to a folder, to be compared with those that are there or, in a session without files, in
//! a queue from which the front end takes them.

use super::CommandError;
use ggp_game::files::{InputLimit, OutputPath, WriteRefusal, below};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Destination of the files that the commands of a session write.
#[derive(Clone, Debug)]
pub(crate) enum SessionOutputs {
    Written {
        /// The folder where relative paths start.
        folder: PathBuf,
        /// Replaces files that exist, also for commands without `--force`.
        is_forced: bool,
    },
    /// A file that exists is compared with what would be written, and another one is written.
    Compared {
        /// The folder where relative paths start.
        folder: PathBuf,
        /// Notes on the files that are the same.
        notes: OutputQueue<String>,
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
    File(OutputPath),
    /// A file with which the text is compared.
    Kept(PathBuf, OutputQueue<String>),
    Queue(OutputQueue<Download>),
}

impl SessionOutputs {
    /// The path of a file with this name; `None` for a download.
    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        match self {
            Self::Written { folder, .. } | Self::Compared { folder, .. } => Some(below(folder, name)),
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
        let (folder, all, kept) = match self {
            Self::Queued(queue) => {
                return Ok(OutputFile { name: name.to_string(), place: StreamPlace::Queue(queue.clone()) });
            }
            Self::Written { folder, is_forced } => (folder, *is_forced, None),
            Self::Compared { folder, notes } => (folder, false, Some(notes)),
        };
        // The file is checked here, before long work.
        let output = OutputPath::new(below(folder, name)).forced(is_forced || all).sparing(sources);
        let place = match (output.check(), kept) {
            (Ok(()), _) => StreamPlace::File(output),
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
            StreamPlace::File(output) => {
                output.write(text).map_err(|error| CommandError::Unwritable { file: name, error })?;
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
        let same = kept.iter().zip(text.as_bytes()).take_while(|(kept, found)| kept == found);
        let line = 1 + same.filter(|(byte, _)| **byte == b'\n').count();
        Err(CommandError::Differs { file: self.name.clone(), line })
    }
}
