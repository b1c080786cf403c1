//! Files: written completely or not at all, and read up to a limit ([`InputLimit`]).
//!
//! ```
//! # fn main() -> std::io::Result<()> {
//! let path = std::env::temp_dir().join(format!("ggp_example_{}", std::process::id()));
//! ggp::files::write(&path, "all of it\n")?;
//! assert_eq!(std::fs::read_to_string(&path)?, "all of it\n");
//! std::fs::remove_file(&path)
//! # }
//! ```
//!
//! The content is written to a temporary file in the same directory, flushed to the disk, and renamed. So a full disk,
//! an interrupt or another writer leaves either the old file or the new one. Symbolic links are followed: the file to
//! which they lead is replaced, and the links stay. Anything that is not a regular file (a pipe, a terminal,
//! `/dev/stdout`) is written to directly.

mod input;

pub use input::{InputLimit, TooLarge, is_too_large};

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Whether a name is that of standard input or standard output.
pub fn is_standard(name: impl AsRef<Path>) -> bool {
    name.as_ref() == Path::new("-")
}

/// The path of a file that is named relative to a folder; `-` stays as it is.
pub fn below(folder: &Path, name: impl AsRef<Path>) -> PathBuf {
    if is_standard(&name) { name.as_ref().to_path_buf() } else { folder.join(name) }
}

/// Writes a file completely or not at all.
///
/// # Errors
/// Those of the system; the file is then unchanged.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(contents.as_ref())?;
    file.commit()
}

/// A file that appears under its name at `commit`. If it is dropped before, nothing changes.
#[derive(Debug)]
pub struct NewFile {
    /// `None` once it has its name, and for files that are written directly.
    temporary: Option<Temporary>,
    writer: BufWriter<File>,
}

/// The path of a file before it is committed, and its final path.
#[derive(Debug)]
struct Temporary {
    path: PathBuf,
    target: PathBuf,
}

impl NewFile {
    /// Begins a file for this path, with the permissions of the existing one.
    ///
    /// # Errors
    /// If the existing file is not writable, or if its directory does not allow a new file.
    pub fn create(path: &Path) -> io::Result<Self> {
        let target = follow(path)?;
        let known = match fs::metadata(&target) {
            Ok(known) => Some(known),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if known.as_ref().is_some_and(|known| !known.is_file()) || is_descriptor(&target) {
            let file = OpenOptions::new().write(true).create(true).truncate(true).open(&target)?;
            return Ok(Self { temporary: None, writer: BufWriter::new(file) });
        }
        if known.is_some() {
            // A caller that may not write the file may not replace it, even if the directory would allow that.
            OpenOptions::new().write(true).open(&target)?;
        }
        let (path, file) = beside(&target)?;
        let new = Self { temporary: Some(Temporary { path, target }), writer: BufWriter::new(file) };
        if let Some(known) = known {
            new.writer.get_ref().set_permissions(known.permissions())?;
        }
        Ok(new)
    }

    /// Flushes the content to the disk, and renames the file.
    ///
    /// # Errors
    /// Those of the system; the previous file is then unchanged.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        self.writer.flush()?;
        let Some(Temporary { path, target }) = &self.temporary else { return Ok(()) };
        self.writer.get_ref().sync_all()?;
        fs::rename(path, target)?;
        // The file is complete under its name; flushing the directory is best effort.
        if cfg!(unix) {
            _ = File::open(folder(target)).and_then(|folder| folder.sync_all());
        }
        self.temporary = None;
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // A file that cannot be removed is left.
            _ = fs::remove_file(&temporary.path);
        }
    }
}

/// Paths with more symbolic links than this are considered circular.
const MOST_LINKS: usize = 40;

/// The target of a path, if it is a symbolic link; it need not exist.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let is_link = fs::symlink_metadata(&path).is_ok_and(|known| known.file_type().is_symlink());
        if !is_link || is_descriptor(&path) {
            return Ok(path);
        }
        path = folder(&path).join(fs::read_link(&path)?);
    }
    Err(io::Error::other("its symbolic links lead in a circle"))
}

/// Whether a path is an open file of this process, such as `/dev/stdout`: others write to it as well, so it is not
/// replaced, even if it is a regular file.
fn is_descriptor(path: &Path) -> bool {
    let names = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    cfg!(unix) && names.iter().any(|name| path.starts_with(name))
}

/// The directory of a file.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a new file in the directory of another one; returns it with its path. No other process or thread uses the
/// same path.
fn beside(target: &Path) -> io::Result<(PathBuf, File)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    if target.file_name().is_none() {
        return Err(io::ErrorKind::InvalidFilename.into());
    }
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = folder(target).join(format!(".ggp-{}-{count}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            // Left behind by a process with the same id.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                let problem = format!("no file can be created in its directory ({error})");
                return Err(io::Error::new(error.kind(), problem));
            }
        }
    }
}
