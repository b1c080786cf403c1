//! The errors that end a solving run, each with the file or the process that it is about.

use crate::SearchError;
use gdl::limits::Stop;
use ggp_game::ReasonError;
use ggp_game::threads::NoThread;
use std::io;
use std::path::{Path, PathBuf};

/// The reason why a game was not solved on disk.
#[derive(Debug, thiserror::Error)]
pub enum SolvingError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file or the folder.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The disk is full.
    #[error("{}: no room is left on the disk; make room, and go on with --resume", path.display())]
    Full {
        /// The file that could not be written.
        path: PathBuf,
    },
    /// A file does not have the content with which it was written.
    #[error("{} is damaged: {what}; --resume makes it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The flaw, in words.
        what: String,
    },
    /// A manifest and its copy are damaged or missing. Nothing else says which files of the folder count.
    #[error("{} cannot be read: {what}; nor can {}, its copy: {what_of_copy}; begin the run again in another folder",
        path.display(), copy.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// The flaw, in words.
        what: String,
        /// Its copy.
        copy: PathBuf,
        /// The flaw of the copy.
        what_of_copy: String,
    },
    /// A manifest is of another version.
    #[error("{} is of version {found}, and this program reads version {read}; go on with the program that wrote it, \
        or begin the run again in another folder", path.display())]
    Version {
        /// The manifest.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that this program reads.
        read: u32,
    },
    /// Another run is working in the folder.
    #[error("{} is in use by {}: wait until it has ended, or choose another folder", folder.display(), holder(*process))]
    InUse {
        /// The folder.
        folder: PathBuf,
        /// The number of its process, if it can be read.
        process: Option<u32>,
    },
    /// The folder has a run already.
    #[error("{} holds a run of {game} already: go on with --resume, or choose another folder", folder.display())]
    Exists {
        /// The folder.
        folder: PathBuf,
        /// The game of the run.
        game: String,
    },
    /// The folder has no run.
    #[error("{} holds no run: it has no manifest.json", folder.display())]
    Nothing {
        /// The folder.
        folder: PathBuf,
    },
    /// The processes of a run do not have the same folder.
    #[error("{}: the first process has another folder; all processes need the same one, on a disk that they share", folder.display())]
    NotShared {
        /// The folder of this process.
        folder: PathBuf,
    },
    /// The folder has a run of other rules.
    #[error("{} holds a run of {game} with another {what}; use another folder", folder.display())]
    Other {
        /// The folder.
        folder: PathBuf,
        /// The game of the run.
        game: String,
        /// The thing that differs.
        what: &'static str,
    },
    /// The engine cannot write states as keys.
    #[error("the engine of this game has no keys for its states; solving on disk needs the propnet")]
    NoKeys,
    /// A state has too many joint moves.
    #[error("a state has more than {limit} joint moves, which is too many to expand at once")]
    TooWide {
        /// The most joint moves of a state.
        limit: usize,
    },
    /// Symmetries and keys do not fit together.
    #[error("symmetries of this game make facts that its keys do not hold; solve it without --symmetry")]
    Asymmetric,
    /// The engine cannot answer.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// The game is of a kind that has no values here.
    #[error(transparent)]
    Game(#[from] SearchError),
    /// The game has something that solving on disk does not know.
    #[error("solving on disk does not support {what}; `solve` at the prompt does, in memory")]
    Unsupported {
        /// The unsupported thing.
        what: &'static str,
    },
    /// A state that a move leads to is not in the files.
    #[error("{}: a state is missing; --resume makes the file again if it is damaged", path.display())]
    Missing {
        /// The file in which it should be.
        path: PathBuf,
    },
    /// The system starts no thread for a worker.
    #[error("{NoThread}")]
    NoThread,
    /// The limits of the run have ended it.
    #[error("{0}; all finished layers are kept, go on with --resume")]
    Ended(Stop),
    /// Another worker has failed; its error is reported.
    #[error("stopped because another worker failed")]
    Stopped,
    /// A worker has panicked.
    #[error("a worker failed: {what}")]
    Worker {
        /// The message of the panic.
        what: String,
    },
    /// A process of the run cannot be reached, or has ended.
    #[error("process {process} at {address} {what}; when all can run again, start each with --resume")]
    Peer {
        /// Its number.
        process: usize,
        /// Its host and port.
        address: String,
        /// The event, in words.
        what: String,
    },
    /// The list of hosts cannot be used.
    #[error("{}: {what}", path.display())]
    Hosts {
        /// The file.
        path: PathBuf,
        /// The flaw, in words.
        what: String,
    },
}

fn holder(process: Option<u32>) -> String {
    process.map_or("another process".to_string(), |process| format!("process {process}"))
}

/// Adds the path to errors of the system.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> SolvingError + '_ {
    move |error| match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => SolvingError::Full { path: path.to_path_buf() },
        _ => SolvingError::File { path: path.to_path_buf(), error },
    }
}
