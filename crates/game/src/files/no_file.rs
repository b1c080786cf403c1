//! What is found in place of a file to read.

use std::fs;
use std::io;
use std::path::Path;

/// Why there is no file with some name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFile {
    /// There is nothing.
    #[error("no such file")]
    Missing,
    /// A folder.
    #[error("the path is a folder")]
    Folder,
    /// A symbolic link to nothing.
    #[error("the path is a symbolic link that leads nowhere")]
    BrokenLink,
    /// A symbolic link that leads back to itself.
    #[error("the path is a symbolic link that leads in a circle")]
    Circle,
    /// A named pipe. One that is meant to be read is named with its folder.
    #[error("the path is a named pipe; with `./` before its name it is read")]
    Pipe,
    /// A device or a socket.
    #[error("the path is a device or a socket")]
    Special,
}

impl NoFile {
    /// Why a path is not that of a file; `None` if it is one, or if the system does not tell.
    pub fn at(path: &Path) -> Option<Self> {
        let found = match fs::metadata(path) {
            Ok(found) => found,
            Err(error) => return Self::unless_found(path, &error),
        };
        if found.is_file() {
            return None;
        }
        #[cfg(unix)]
        if std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type()) {
            return Some(Self::Pipe);
        }
        Some(if found.is_dir() { Self::Folder } else { Self::Special })
    }

    /// Why nothing is found at the end of a path.
    fn unless_found(path: &Path, error: &io::Error) -> Option<Self> {
        let is_link = fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_symlink());
        match error.kind() {
            io::ErrorKind::PermissionDenied => None,
            io::ErrorKind::NotFound if is_link => Some(Self::BrokenLink),
            _ if is_link => Some(Self::Circle),
            _ => Some(Self::Missing),
        }
    }
}
