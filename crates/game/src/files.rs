//! The files that commands write and read: one rule for each.
//!
//! **Writing.** An [`OutputPath`] is a file as a user names it. What exists is kept unless `--force` is given; what the
//! command reads is kept in any case. `-` is standard output, and so is every other name of it (`/dev/stdout`), which
//! is written by the handle that the process has: a second one would begin at the first byte of a redirected output.
//! Pipes and devices are written to directly. Everything else is written completely or not at all ([`NewFile`]).
//!
//! **Reading.** An [`InputLimit`] is the largest text that is read; `-` is standard input.
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

mod destination;
mod input;
mod new_file;
mod no_file;
mod output;
mod refusal;

pub use input::{InputLimit, InputTooLarge, is_too_large};
pub use new_file::NewFile;
pub use no_file::NoFile;
pub use output::OutputPath;
pub use refusal::WriteRefusal;

use std::io;
use std::path::{Path, PathBuf};

/// Whether a name is that of standard input or standard output.
pub fn is_standard(name: impl AsRef<Path>) -> bool {
    name.as_ref() == Path::new("-")
}

/// The path of a file that is named relative to a folder; `-` stays as it is.
pub fn below(folder: &Path, name: impl AsRef<Path>) -> PathBuf {
    if is_standard(&name) { name.as_ref().to_path_buf() } else { folder.join(name) }
}

/// Writes a file completely or not at all, and replaces what exists: for files that are changed in place.
///
/// # Errors
/// Those of the system; the file is then unchanged.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    OutputPath::new(path).forced(true).write(contents)
}
