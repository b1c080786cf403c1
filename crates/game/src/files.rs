//! The files that commands write and read: one rule for each.
//!
//! **Writing.** An [`OutputPath`] is a file as a user names it. What exists is kept unless `--force` is given; what the
//! command reads is kept in any case. `-` is standard output, and so is every other name of it (`/dev/stdout`), which
//! is written by the handle that the process has: a second one would begin at the first byte of a redirected output.
//! Pipes and devices are written to directly. Everything else is written completely or not at all ([`NewFile`]).
//!
//! **Reading.** An [`InputLimit`] is the largest text that is read; `-` is standard input. The files of the course are in
//! the program: `course/tiles_1.gdl` is read wherever there is no folder `course` ([`of_course`]).
//!
//! ```
//! # fn main() -> std::io::Result<()> {
//! use ggp_game::files::{InputLimit, OutputPath};
//!
//! let path = std::env::temp_dir().join(format!("ggp_example_{}", std::process::id()));
//! let output = OutputPath::new(&path);
//! output.write("all of it\n")?;
//! assert_eq!(InputLimit::default().read_text(&path)?, "all of it\n");
//! assert_eq!(output.write("more").unwrap_err().to_string(), "it exists; `--force` replaces it");
//! output.forced(true).write("more")?;
//! std::fs::remove_file(&path)
//! # }
//! ```

mod new_file;

pub use new_file::NewFile;

use gdl::quantity::Size;
use ggp_sheets::{COURSE, LibrarySheet};
use std::fs::{File, Permissions};
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fmt, fs, io};

/// True for `-`, the name of standard input and standard output.
pub fn is_standard(name: impl AsRef<Path>) -> bool {
    name.as_ref() == Path::new("-")
}

/// The path of a file that is named relative to a folder; `-` stays as it is.
pub fn below(folder: &Path, name: impl AsRef<Path>) -> PathBuf {
    if is_standard(&name) { name.as_ref().to_path_buf() } else { folder.join(name) }
}

/// The file of the course at a path, unless the folder that it begins with exists on disk.
pub fn of_course(path: &Path) -> Option<&'static LibrarySheet> {
    let file = LibrarySheet::find_course(path)?;
    let folders = Path::new(file.name).components().count() - 1;
    let folder = path.ancestors().nth(folders)?;
    (!folder.is_dir()).then_some(file)
}

/// The names of the files in a folder, sorted; of a folder of the course if it is not on disk. `None` if there is none.
///
/// # Errors
/// Those of the system.
pub fn names_in(folder: &Path) -> io::Result<Option<Vec<String>>> {
    let mut names = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder)? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
    } else {
        let files = COURSE.iter().filter_map(|file| Path::new(file.name).file_name()?.to_str());
        names.extend(files.filter(|name| of_course(&folder.join(name)).is_some()).map(str::to_string));
    }
    // The order of a folder differs between file systems.
    names.sort();
    Ok((folder.is_dir() || !names.is_empty()).then_some(names))
}

/// Writes a file completely or not at all, and replaces what exists: for files that are changed in place.
///
/// # Errors
/// Those of the system; the file is then unchanged.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    OutputPath::new(path).forced(true).write(contents)
}

/// A file to write.
#[derive(Clone, Debug)]
pub struct OutputPath {
    path: PathBuf,
    is_forced: bool,
    /// The files that the command reads.
    sources: Vec<PathBuf>,
}

impl OutputPath {
    /// The file of this name, which does not replace anything; `-` is standard output.
    pub fn new(name: impl Into<PathBuf>) -> Self {
        Self { path: name.into(), is_forced: false, sources: Vec::new() }
    }

    /// The same output, which replaces an existing file and follows a symbolic link if `is_forced`.
    pub fn forced(self, is_forced: bool) -> Self {
        Self { is_forced, ..self }
    }

    /// The same output, which never replaces one of these files.
    pub fn sparing(self, sources: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { sources: sources.into_iter().collect(), ..self }
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks, before long work, that the file may be written.
    ///
    /// # Errors
    /// [`WriteRefusal`], and those of the system.
    pub fn check(&self) -> io::Result<()> {
        self.destination().map(drop)
    }

    /// Begins the file.
    ///
    /// # Errors
    /// [`WriteRefusal`], and those of the system.
    pub fn create(&self) -> io::Result<NewFile> {
        NewFile::begin(self.destination()?, self.is_forced)
    }

    /// Writes the file completely or not at all.
    ///
    /// # Errors
    /// Those of [`OutputPath::create`] and of the system; the file is then as it was.
    pub fn write(&self, contents: impl AsRef<[u8]>) -> io::Result<()> {
        let mut file = self.create()?;
        file.write_all(contents.as_ref())?;
        file.commit()
    }

    /// The destination of the bytes, if writing there is allowed.
    fn destination(&self) -> io::Result<Destination> {
        if is_standard(&self.path) {
            return Ok(Destination::StandardOutput);
        }
        let destination = Destination::from_path(&self.path)?;
        let Destination::File { target, known } = &destination else { return Ok(destination) };
        // A file may have several names, so both sides are compared by where they lead.
        if let Ok(target) = fs::canonicalize(target)
            && self.sources.iter().filter_map(|source| fs::canonicalize(source).ok()).any(|source| source == target)
        {
            return Err(WriteRefusal::Source.into());
        }
        if !self.is_forced {
            if target != &self.path {
                return Err(WriteRefusal::Link { target: target.clone() }.into());
            }
            if known.is_some() {
                return Err(WriteRefusal::Exists.into());
            }
        }
        Ok(destination)
    }
}

impl fmt::Display for OutputPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_standard(&self.path) {
            formatter.write_str("standard output")
        } else {
            self.path.display().fmt(formatter)
        }
    }
}

/// The destination of the bytes of an output, which a path leads to.
pub(super) enum Destination {
    StandardOutput,
    StandardError,
    /// A regular file that this process has open. Others write to it as well, so bytes are added at its end.
    Descriptor(PathBuf),
    Pipe(PathBuf),
    Device(PathBuf),
    /// A regular file, or none yet.
    File {
        /// Its path, behind all symbolic links.
        target: PathBuf,
        /// The permissions of the file that is there.
        known: Option<Permissions>,
    },
}

impl Destination {
    /// Resolves a path. Nothing is opened, so nothing waits.
    fn from_path(path: &Path) -> io::Result<Self> {
        if let Some(stream) = open_stream(path) {
            return Ok(stream);
        }
        let target = follow(path)?;
        let known = match fs::metadata(&target) {
            Ok(known) => known,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::File { target, known: None }),
            Err(error) => return Err(error),
        };
        if known.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt;
            let kind = known.file_type();
            if kind.is_fifo() {
                return Ok(Self::Pipe(target));
            }
            if kind.is_char_device() {
                return Ok(Self::Device(target));
            }
        }
        match known.is_file() {
            true if is_descriptor(&target) => Ok(Self::Descriptor(target)),
            true => Ok(Self::File { target, known: Some(known.permissions()) }),
            false => Err(io::Error::other("it is neither a file nor a pipe nor a terminal")),
        }
    }
}

/// The directory of a file.
pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Standard output or standard error, if the path is one of their names, or that of the file to which they go.
#[cfg(unix)]
fn open_stream(path: &Path) -> Option<Destination> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;

    let named = fs::metadata(path).ok()?;
    let is = |stream: std::os::fd::BorrowedFd<'_>| {
        let open = stream.try_clone_to_owned().and_then(|stream| fs::File::from(stream).metadata());
        open.is_ok_and(|open| (open.dev(), open.ino()) == (named.dev(), named.ino()))
    };
    match () {
        () if is(io::stdout().as_fd()) => Some(Destination::StandardOutput),
        () if is(io::stderr().as_fd()) => Some(Destination::StandardError),
        () => None,
    }
}

#[cfg(not(unix))]
fn open_stream(_: &Path) -> Option<Destination> {
    None
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
        path = path.parent().unwrap_or(Path::new("")).join(fs::read_link(&path)?);
    }
    Err(io::Error::other("its symbolic links lead in a circle"))
}

/// True if a path is an open file of this process, such as `/dev/fd/3`.
fn is_descriptor(path: &Path) -> bool {
    let names = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    cfg!(unix) && names.iter().any(|name| path.starts_with(name))
}

/// The reason for which a file is not written, although the system would allow it. It is the source of an
/// [`io::Error`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteRefusal {
    /// There is a file already.
    #[error("it exists; `--force` replaces it")]
    Exists,
    /// The path is a symbolic link.
    #[error("it is a symbolic link to {}; `--force` writes to where it leads", target.display())]
    Link {
        /// The file to which it leads.
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
    /// The time for which a pipe waits for the process that reads from it.
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

/// The size of the largest text that is read: a file, standard input, or a line of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputLimit(Size);

/// A text is larger than the limit. It is the source of an [`io::Error`] of the kind `FileTooLarge`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is larger than {limit}; `--max-input SIZE` allows more")]
pub struct InputTooLarge {
    /// The limit.
    pub limit: Size,
}

impl Default for InputLimit {
    /// 256 MiB: 3,900 times the largest rule sheet of the public repository, and eight times the largest compiled game
    /// that was measured.
    fn default() -> Self {
        Self(Size::mebibytes(256))
    }
}

impl InputLimit {
    /// A limit of this number of bytes.
    pub const fn new(bytes: u64) -> Self {
        Self(Size::new(bytes))
    }

    /// The number of bytes.
    pub const fn size(self) -> Size {
        self.0
    }

    /// The bytes of a file; `-` is standard input, which can be read only once.
    ///
    /// # Errors
    /// Those of the system, and [`InputTooLarge`] after reading one byte more than the limit.
    pub fn read(self, path: &Path) -> io::Result<Vec<u8>> {
        if is_standard(path) {
            return self.read_from(io::stdin().lock());
        }
        match File::open(path) {
            Ok(file) => self.read_from(file),
            Err(error) => self.read_from(of_course(path).ok_or(error)?.text.as_bytes()),
        }
    }

    /// As [`InputLimit::read`], for a text in UTF-8.
    ///
    /// # Errors
    /// Those of [`InputLimit::read`]; of the kind `InvalidData` if the file is not UTF-8.
    pub fn read_text(self, path: &Path) -> io::Result<String> {
        let text = String::from_utf8(self.read(path)?);
        text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    /// The next line without its end; `None` at the end of the input. Bytes that are not UTF-8 are replaced.
    ///
    /// # Errors
    /// Those of the system, and [`InputTooLarge`].
    pub fn line(self, input: &mut impl BufRead) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        if input.take(self.0.bytes().saturating_add(1)).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        self.check(&line)?;
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }

    /// The bytes of an open file.
    ///
    /// # Errors
    /// As [`InputLimit::read`].
    pub fn read_from(self, input: impl Read) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        input.take(self.0.bytes().saturating_add(1)).read_to_end(&mut bytes)?;
        self.check(&bytes)?;
        Ok(bytes)
    }

    fn check(self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() as u64 > self.0.bytes() {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, InputTooLarge { limit: self.0 }));
        }
        Ok(())
    }
}

/// True if a text was not read because it is larger than the limit.
pub fn is_too_large(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|cause| cause.is::<InputTooLarge>())
}

/// The thing that is found in place of a file to read.
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
    /// The thing at a path that is no file; `None` if it is a file, or if the system does not tell.
    pub fn at(path: &Path) -> Option<Self> {
        let found = match fs::metadata(path) {
            Ok(found) => found,
            Err(_) if of_course(path).is_some() => return None,
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

    /// The reason for which nothing is found at the end of a path.
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
