//! Files that are written whole or not at all.
//!
//! A text goes to a file of a name of its own beside the one that is meant, is brought to the disk, and takes that one's name. So a full
//! disk, an interrupt or another writer leaves the old file or the new one, and nothing in between. Symbolic links are followed, so the file
//! that they lead to is replaced and they stay. What is no regular file (a pipe, a terminal, `/dev/stdout`) is written to as it is.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file whole or not at all.
///
/// # Errors
/// Those of the system; the file is then as it was before.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(contents.as_ref())?;
    file.commit()
}

/// A file that is being written, and is there from [`NewFile::commit`] on. Dropped before, it leaves everything as it was.
#[derive(Debug)]
pub struct NewFile {
    /// `None` once it has its name.
    temporary: Option<Temporary>,
    writer: BufWriter<File>,
}

/// Where a new file is until it is committed, and the name that it then takes.
#[derive(Debug)]
struct Temporary {
    path: PathBuf,
    target: PathBuf,
}

impl NewFile {
    /// Begins a file that is to be at a path, with the permissions of the one that is there.
    ///
    /// # Errors
    /// Where the file that is there may not be written, or its folder takes no other one.
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
            // Whoever may not write the file may not replace it, though the folder would allow that.
            OpenOptions::new().write(true).open(&target)?;
        }
        let (path, file) = beside(&target)?;
        let new = Self { temporary: Some(Temporary { path, target }), writer: BufWriter::new(file) };
        if let Some(known) = known {
            new.writer.get_ref().set_permissions(known.permissions())?;
        }
        Ok(new)
    }

    /// Brings what was written to the disk, under its name.
    ///
    /// # Errors
    /// Those of the system; what was there before is then still there.
    pub fn commit(mut self) -> io::Result<()> {
        self.writer.flush()?;
        let Some(Temporary { path, target }) = &self.temporary else { return Ok(()) };
        self.writer.get_ref().sync_all()?;
        fs::rename(path, target)?;
        // The file is complete under its name now; that the name is on the disk as well is as much as can be tried.
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
            // Nothing more can be done about one that cannot be removed.
            _ = fs::remove_file(&temporary.path);
        }
    }
}

/// More links than this lead in a circle.
const MOST_LINKS: usize = 40;

/// What a path leads to, if it is a symbolic link; it need not exist.
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

/// Whether a path stands for an open file of this process, such as `/dev/stdout`: others write to it as well, so it is not replaced, even where
/// it is a regular file.
fn is_descriptor(path: &Path) -> bool {
    let names = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    cfg!(unix) && names.iter().any(|name| path.starts_with(name))
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A new file in the folder of another one, and its path. No other process and no other thread takes the same.
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
            // One that a process of the same number left behind.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                let problem = format!("its folder takes no new file ({error})");
                return Err(io::Error::new(error.kind(), problem));
            }
        }
    }
}
