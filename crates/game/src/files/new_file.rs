//! Atomic writes: a file is written completely or not at all.
//!
//! The content is written to a temporary file in the same directory, flushed to the disk, and renamed. So a full disk,
//! an interrupt or another writer leaves either the old file or the new one. Symbolic links are followed: the file to
//! which they lead is replaced, and the links stay. Streams, pipes and devices are written to directly.

use super::{Destination, WriteRefusal, folder};
use gdl::mask::MaskedStream;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A file that appears under its name at `commit`. If it is dropped before, nothing changes.
#[derive(Debug)]
pub struct NewFile {
    /// `None` once it has its name, and for what is written to directly.
    temporary: Option<TemporaryFile>,
    writer: OpenedOutput,
}

/// The path of a file before it is committed, and its final path.
#[derive(Debug)]
struct TemporaryFile {
    path: PathBuf,
    target: PathBuf,
    /// True if a file that has this name by then is replaced.
    replaces: bool,
}

#[derive(Debug)]
enum OpenedOutput {
    File(BufWriter<File>),
    StandardOutput(MaskedStream<io::Stdout>),
    StandardError(MaskedStream<io::Stderr>),
}

impl NewFile {
    /// Begins to write to a destination. A file that replaces another takes over its permissions.
    ///
    /// # Errors
    /// If the existing file is not writable, or if its directory does not allow a new file.
    pub(super) fn begin(destination: Destination, replaces: bool) -> io::Result<Self> {
        let direct = |writer| Ok(Self { temporary: None, writer });
        let opened = |file: io::Result<File>| direct(OpenedOutput::File(BufWriter::new(file?)));
        match destination {
            Destination::StandardOutput => direct(OpenedOutput::StandardOutput(MaskedStream(io::stdout()))),
            Destination::StandardError => direct(OpenedOutput::StandardError(MaskedStream(io::stderr()))),
            Destination::Descriptor(path) => opened(OpenOptions::new().append(true).open(path)),
            Destination::Device(path) => opened(OpenOptions::new().write(true).open(path)),
            Destination::Pipe(path) => opened(open_pipe(&path)),
            Destination::File { target, known } => Self::temporary_file(target, known, replaces),
        }
    }

    /// Begins the temporary file.
    fn temporary_file(target: PathBuf, known: Option<Permissions>, replaces: bool) -> io::Result<Self> {
        if known.is_some() {
            // A caller that may not write the file may not replace it, even if the directory would allow that.
            OpenOptions::new().write(true).open(&target)?;
        }
        let (path, file) = temporary_file(&target)?;
        let temporary = Some(TemporaryFile { path, target, replaces });
        let permitted = known.map_or(Ok(()), |known| file.set_permissions(known));
        let new = Self { temporary, writer: OpenedOutput::File(BufWriter::new(file)) };
        permitted.map(|()| new)
    }

    /// Flushes the content to the disk, and renames the file.
    ///
    /// # Errors
    /// Those of the system; the previous file is then unchanged.
    pub fn commit(mut self) -> io::Result<()> {
        self.flush()?;
        let (Some(temporary), OpenedOutput::File(file)) = (&self.temporary, &self.writer) else { return Ok(()) };
        file.get_ref().sync_all()?;
        temporary.rename()?;
        // The file is complete under its name; flushing the directory is best effort.
        if cfg!(unix) {
            _ = File::open(folder(&temporary.target)).and_then(|folder| folder.sync_all());
        }
        self.temporary = None;
        Ok(())
    }
}

impl TemporaryFile {
    /// Gives the file its final name.
    fn rename(&self) -> io::Result<()> {
        if !self.replaces {
            match fs::hard_link(&self.path, &self.target) {
                // Renaming would replace a file that another process has made since.
                Ok(()) => return fs::remove_file(&self.path),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(WriteRefusal::Exists.into());
                }
                // Not every file system has hard links.
                Err(_) => {}
            }
        }
        fs::rename(&self.path, &self.target)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.writer {
            OpenedOutput::File(file) => file.write(bytes),
            OpenedOutput::StandardOutput(stream) => unless_closed(stream.write(bytes), bytes.len()),
            OpenedOutput::StandardError(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.writer {
            OpenedOutput::File(file) => file.flush(),
            OpenedOutput::StandardOutput(stream) => unless_closed(stream.flush(), ()),
            OpenedOutput::StandardError(stream) => stream.flush(),
        }
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

/// The result of writing to standard output. It is no error if the reader has closed it.
fn unless_closed<T>(result: io::Result<T>, done: T) -> io::Result<T> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(done),
        result => result,
    }
}

/// Creates a new file in the directory of another one; returns it with its path. No other process or thread uses the
/// same path.
fn temporary_file(target: &Path) -> io::Result<(PathBuf, File)> {
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

/// Opens a named pipe as soon as a process reads from it. Opening it in the usual way would wait without end, and not
/// even Ctrl-C would end that.
#[cfg(unix)]
fn open_pipe(path: &Path) -> io::Result<File> {
    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    use std::os::unix::fs::OpenOptionsExt;
    use std::time::{Duration, Instant};

    let until = Instant::now() + WriteRefusal::PATIENCE;
    loop {
        match OpenOptions::new().write(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(path) {
            Ok(file) => {
                // A reader may be slow.
                fcntl(&file, FcntlArg::F_SETFL(OFlag::empty()))?;
                return Ok(file);
            }
            Err(error) if error.raw_os_error() != Some(nix::errno::Errno::ENXIO as i32) => return Err(error),
            Err(_) if Instant::now() >= until => return Err(WriteRefusal::NoReader.into()),
            Err(_) => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// Opens a named pipe, which waits for a reader.
#[cfg(not(unix))]
fn open_pipe(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}
