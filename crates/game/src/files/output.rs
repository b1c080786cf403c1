//! A file as a user names it for writing, and the rule about what it may replace.

use super::destination::Destination;
use super::refusal::WriteRefusal;
use super::{NewFile, is_standard};
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file to write.
#[derive(Clone, Debug)]
pub struct OutputPath {
    path: PathBuf,
    is_forced: bool,
    /// What the command reads.
    sources: Vec<PathBuf>,
}

impl OutputPath {
    /// The file of this name, which does not replace anything; `-` is standard output.
    pub fn new(name: impl Into<PathBuf>) -> Self {
        Self { path: name.into(), is_forced: false, sources: Vec::new() }
    }

    /// Whether an existing file is replaced, and a symbolic link followed to the file that is.
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

    /// Whether it may be written as things are: asked before long work.
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

    /// Where the bytes go, if that is allowed.
    fn destination(&self) -> io::Result<Destination> {
        if is_standard(&self.path) {
            return Ok(Destination::StandardOutput);
        }
        let destination = Destination::from_path(&self.path)?;
        let Destination::File { target, known } = &destination else { return Ok(destination) };
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
