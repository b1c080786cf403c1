//! The files that commands write: on this machine or, in a session without files, on a shelf from which the front end
//! takes them.

use super::CommandError;
use crate::files::{self, InputLimit};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

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
}

/// A file that a command is to write.
#[derive(Clone, Debug)]
pub(crate) struct OutputFile {
    name: String,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    Path(PathBuf),
    Shelf(Shelf),
}

impl OutputFile {
    /// A file of this machine, by the name that a user has given it.
    pub(crate) fn at(path: PathBuf, name: &str) -> Self {
        Self { name: name.to_string(), place: Place::Path(path) }
    }

    /// A download.
    pub(crate) fn on(shelf: &Shelf, name: &str) -> Self {
        Self { name: name.to_string(), place: Place::Shelf(shelf.clone()) }
    }

    /// What the file holds now.
    ///
    /// # Errors
    /// Those of the system; of the kind `NotFound` if there is no such file.
    pub(crate) fn present(&self) -> io::Result<String> {
        match &self.place {
            Place::Path(path) => InputLimit::default().read_text(path),
            Place::Shelf(_) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Writes the file completely or not at all.
    ///
    /// # Errors
    /// [`CommandError::Unwritable`].
    pub(crate) fn write(&self, text: impl Into<String>) -> Result<(), CommandError> {
        let text = text.into();
        match &self.place {
            Place::Path(path) => {
                files::write(path, text).map_err(|error| CommandError::Unwritable { file: self.name.clone(), error })?
            }
            Place::Shelf(Shelf(shelf)) => {
                let name = self.name.clone();
                shelf.lock().unwrap_or_else(PoisonError::into_inner).push(Download { name, text });
            }
        }
        Ok(())
    }
}
