//! The lock of a folder: one run works in it at a time.
//!
//! It is a lock of the system on the file `lock`, so it ends with its process, even if that is killed. While it is held
//! the file has the number of the process; else it is empty, and it stays, since a file that comes and goes could be
//! locked twice. Of the processes of a run the first one holds the lock, and lets the others into the folder.

use super::super::error::{SolvingError, at};
use super::super::folder::Folder;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};

/// The lock of a folder, for as long as the value lives.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Lock {
    /// Takes the lock of a folder, which is made if it does not exist. On file systems that have no locks nothing is
    /// locked.
    ///
    /// # Errors
    /// If another run has it.
    pub(super) fn take(folder: &Folder) -> Result<Self, SolvingError> {
        Folder::make(folder.root())?;
        folder.check_writable()?;
        let path = folder.lock();
        let options = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
        let mut file = options.map_err(at(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(at(&path)(error)),
            Err(TryLockError::WouldBlock) => {
                let process = fs::read_to_string(&path).ok().and_then(|number| number.trim().parse().ok());
                return Err(SolvingError::InUse { folder: folder.root().to_path_buf(), process });
            }
        }
        file.set_len(0).map_err(at(&path))?;
        file.write_all(std::process::id().to_string().as_bytes()).map_err(at(&path))?;
        Ok(Self(file))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A number that stays does not hold the lock. Closing the file might: a process that another thread starts has
        // the file as well until it runs its program.
        _ = self.0.set_len(0);
        _ = self.0.unlock();
    }
}
