//! Why a file is not written, although the system would allow it.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Why a file is not written. It is the source of an [`io::Error`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteRefusal {
    /// There is a file already.
    #[error("it exists; `--force` replaces it")]
    Exists,
    /// The path is a symbolic link.
    #[error("it is a symbolic link to {}; `--force` writes to where it leads", target.display())]
    Link {
        /// Where it leads.
        target: PathBuf,
    },
    /// The file is what the command reads.
    #[error("it is what the command reads, which is never replaced")]
    Source,
    /// The path is a named pipe, and no process has opened its other end within [`WriteRefusal::PATIENCE`].
    #[error("it is a pipe from which no process reads")]
    NoReader,
}

impl WriteRefusal {
    /// How long a pipe may wait for the process that reads from it.
    pub const PATIENCE: Duration = Duration::from_secs(1);

    /// The refusal that is the source of an error.
    pub fn find(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

impl From<WriteRefusal> for io::Error {
    fn from(refusal: WriteRefusal) -> Self {
        let kind = match refusal {
            WriteRefusal::Exists | WriteRefusal::Link { .. } => io::ErrorKind::AlreadyExists,
            WriteRefusal::Source => io::ErrorKind::InvalidInput,
            WriteRefusal::NoReader => io::ErrorKind::NotConnected,
        };
        Self::new(kind, refusal)
    }
}
