//! Compiled games as files, so that a large game need not be grounded again.
//!
//! A file has a first line `ggp propnet VERSION CHECKSUM LENGTH`, followed by one JSON object with the rule sheet's
//! text and the flat program. The checksum (CRC-32, in hexadecimal) and the length (in bytes) are those of the JSON
//! text. A second checksum identifies the sheet from which the program was made, and [`Program::check`] proves that
//! evaluators may run the program. The groups of exclusive bits are proved again, and those that cannot be are dropped.

use super::raise::keep_proved_groups;
use super::soundness::UnsoundProgram;
use crate::program::Program;
use gdl::limits::unlimited;
use serde::{Deserialize, Serialize};

/// The first bytes of every file.
const MAGIC: &str = "ggp propnet ";

/// The version of the format; files of other versions are rejected.
const VERSION: u32 = 2;

/// A rule sheet together with its compiled network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CompiledGame {
    /// The name of the game.
    pub(crate) name: String,
    /// The text of the rule sheet.
    pub(crate) sheet: String,
    /// The CRC-32 of the sheet from which the program was made.
    pub(crate) made_from: u32,
    /// The flat program of the network.
    pub program: Program,
}

/// The reasons for which a file cannot be read as a compiled game, or a game cannot be written to one.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The first line is not that of a compiled game.
    #[error("this is not a compiled game: it does not begin with `ggp propnet`")]
    Foreign,
    /// The file has another version of the format.
    #[error(
        "this game was compiled by another version of ggp (format {found}; this one reads {VERSION}): compile it again"
    )]
    Version {
        /// The version of the format in the file.
        found: String,
    },
    /// The end of the file is missing.
    #[error("the file is cut short: {found} bytes after the first line, where there should be {expected}")]
    Short {
        /// The number of bytes announced in the first line.
        expected: usize,
        /// The number of bytes present.
        found: usize,
    },
    /// The checksum does not match the content.
    #[error("the file is damaged: its checksum is {found:08x}, where it should be {expected:08x}")]
    Damaged {
        /// The checksum in the first line.
        expected: u32,
        /// The checksum of the content.
        found: u32,
    },
    /// The checksum matches, but the content is not valid.
    #[error("the file cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// The program was made from another sheet than the one in the file.
    #[error("the program in the file was made from another rule sheet: compile the game again")]
    OtherSheet,
    /// The game has an evaluation or a heuristic, for which the format has no place: read again, all sums would be
    /// zero.
    #[error("a game with an evaluation or a heuristic cannot be kept in a file")]
    Features,
    /// Evaluators cannot run the program safely.
    #[error("the program in the file cannot run: {0}")]
    Unsound(#[from] UnsoundProgram),
}

impl CompiledGame {
    /// Combines a sheet with the program that was made from it.
    pub fn new(name: String, sheet: String, program: Program) -> Self {
        Self { name, made_from: crc32fast::hash(sheet.as_bytes()), sheet, program }
    }

    /// Whether a file begins as compiled games do.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC.as_bytes())
    }

    /// The content of the file.
    ///
    /// # Errors
    /// [`FileError::Features`] if a sheet with features was added to the game; else only an error of the JSON writer,
    /// of which no case is known.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FileError> {
        if !self.program.features.is_empty() {
            return Err(FileError::Features);
        }
        let body = serde_json::to_vec(self)?;
        let mut bytes = format!("{MAGIC}{VERSION} {:08x} {}\n", crc32fast::hash(&body), body.len()).into_bytes();
        bytes.extend(body);
        Ok(bytes)
    }

    /// Reads the content of a file.
    ///
    /// # Errors
    /// [`FileError`] if the file is of another kind or version, cut short, damaged, paired with another sheet, or not
    /// sound.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let rest = bytes.strip_prefix(MAGIC.as_bytes()).ok_or(FileError::Foreign)?;
        let end = rest.iter().position(|&byte| byte == b'\n').ok_or(FileError::Foreign)?;
        let line = String::from_utf8_lossy(&rest[..end]);
        let body = &rest[end + 1..];
        let words: Vec<&str> = line.split(' ').collect();
        let [version, checksum, length] = words[..] else { return Err(FileError::Foreign) };
        if version != VERSION.to_string() {
            return Err(FileError::Version { found: version.to_string() });
        }
        let expected = u32::from_str_radix(checksum, 16).map_err(|_| FileError::Foreign)?;
        let length: usize = length.parse().map_err(|_| FileError::Foreign)?;
        if body.len() < length {
            return Err(FileError::Short { expected: length, found: body.len() });
        }
        let found = crc32fast::hash(body);
        if found != expected {
            return Err(FileError::Damaged { expected, found });
        }
        let mut game: Self = serde_json::from_slice(body)?;
        if crc32fast::hash(game.sheet.as_bytes()) != game.made_from {
            return Err(FileError::OtherSheet);
        }
        game.program.check()?;
        unlimited(|limits| keep_proved_groups(&mut game.program, limits));
        Ok(game)
    }
}
