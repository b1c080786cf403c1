//! What a path leads to: an open stream of this process, a pipe, a device or a file.

use std::fs::{self, Permissions};
use std::io;
use std::path::{Path, PathBuf};

/// Where the bytes of an output go.
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
    pub(super) fn from_path(path: &Path) -> io::Result<Self> {
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

/// Whether a path is an open file of this process, such as `/dev/fd/3`.
fn is_descriptor(path: &Path) -> bool {
    let names = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    cfg!(unix) && names.iter().any(|name| path.starts_with(name))
}
