//! Reading texts up to a limit, so that an endless file is an error and not the end of the memory.

use super::is_standard;
use gdl::quantity::Size;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

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
        if is_standard(path) { self.read_from(io::stdin().lock()) } else { self.read_from(File::open(path)?) }
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

/// Whether a text was not read because it is larger than the limit.
pub fn is_too_large(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|cause| cause.is::<InputTooLarge>())
}
