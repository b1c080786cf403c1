//! The files that commands write: to a folder or, in a session without files, on a shelf from which the front end takes
//! them.

use super::CommandError;
use crate::files::{Output, below};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// What becomes of the files that the commands of a session write.
#[derive(Clone, Debug)]
pub(crate) enum Outputs {
    /// They are written.
    Written {
        /// The folder where relative paths start.
        folder: PathBuf,
    },
    /// They wait for the front end.
    Shelved(Shelf),
}

/// A file that a command has written in a session without files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Download {
    /// Its name, as it was given.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Where downloads wait for the front end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shelf(Arc<Mutex<Vec<Download>>>);

impl Shelf {
    /// Removes and returns all that wait.
    pub(crate) fn take(&self) -> Vec<Download> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn push(&self, item: Download) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(item);
    }
}

/// A file that a command is to write.
#[derive(Clone, Debug)]
pub(crate) struct OutputFile {
    /// Its name, as it was given.
    pub(crate) name: String,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    File(Output),
    Shelf(Shelf),
}

impl Outputs {
    /// The path of a file with this name; `None` for a download.
    pub(super) fn path(&self, name: &str) -> Option<PathBuf> {
        match self {
            Self::Written { folder } => Some(below(folder, name)),
            Self::Shelved(_) => None,
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
        let place = match self {
            Self::Shelved(shelf) => Place::Shelf(shelf.clone()),
            Self::Written { folder } => {
                let output = Output::new(below(folder, name)).forced(is_forced).sparing(sources);
                output.check().map_err(|error| CommandError::Unwritable { file: name.to_string(), error })?;
                Place::File(output)
            }
        };
        Ok(OutputFile { name: name.to_string(), place })
    }
}

impl OutputFile {
    /// Writes the file completely or not at all.
    ///
    /// # Errors
    /// [`CommandError::Unwritable`].
    pub(crate) fn write(&self, text: impl Into<String>) -> Result<(), CommandError> {
        let (name, text) = (self.name.clone(), text.into());
        match &self.place {
            Place::File(output) => {
                output.write(text).map_err(|error| CommandError::Unwritable { file: name, error })?;
            }
            Place::Shelf(shelf) => shelf.push(Download { name, text }),
        }
        Ok(())
    }
}
