//! Compiled games as files, so that a big game starts at once.
//!
//! A file is one line that says what it is, `ggp propnet VERSION CHECKSUM LENGTH`, and after it one JSON object with the rule
//! sheet's text and the flat program. The checksum (CRC-32, in hexadecimal) and the length are those of the JSON text. The
//! program names the sheet that it was made from by a checksum as well, and [`Program::check`] proves that evaluators may run on it.

use super::program::Program;
use super::soundness::Unsound;
use serde::{Deserialize, Serialize};

/// What files begin with.
const MAGIC: &str = "ggp propnet ";

/// The version of the format: files of other versions are refused.
const VERSION: u32 = 2;

/// A game with its compiled network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CompiledGame {
    /// What the game is called.
    pub name: String,
    /// The text of its rule sheet.
    pub sheet: String,
    /// The CRC-32 of the sheet from which the program was made.
    pub made_from: u32,
    /// The program.
    pub program: Program,
}

/// Why a file is no compiled game.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It does not begin as one.
    #[error("this is no compiled game: it does not begin with `ggp propnet`")]
    Foreign,
    /// Another version of the program made it.
    #[error(
        "this game was compiled by another version of ggp (format {found}; this one reads {VERSION}): compile it again"
    )]
    Version {
        /// The version of its format.
        found: String,
    },
    /// Its end is missing.
    #[error("the file is cut short: {found} bytes after the first line, where there should be {expected}")]
    Short {
        /// How many bytes there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// It is not what was written.
    #[error("the file is damaged: its checksum is {found:08x}, where it should be {expected:08x}")]
    Damaged {
        /// The checksum that was written.
        expected: u32,
        /// That of what is there.
        found: u32,
    },
    /// It cannot be read although its checksum is right.
    #[error("the file cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// The program was made from another sheet.
    #[error("the program in the file was made from another rule sheet: compile the game again")]
    OtherSheet,
    /// The program in it cannot run.
    #[error("the program in the file cannot run: {0}")]
    Unsound(#[from] Unsound),
}

impl CompiledGame {
    /// A game with the program that was made from its sheet.
    pub fn new(name: String, sheet: String, program: Program) -> Self {
        Self { name, made_from: crc32fast::hash(sheet.as_bytes()), sheet, program }
    }

    /// Whether a file begins as compiled games do.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC.as_bytes())
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// None that are known; that of the JSON writer.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FileError> {
        let body = serde_json::to_vec(self)?;
        let mut bytes = format!("{MAGIC}{VERSION} {:08x} {}\n", crc32fast::hash(&body), body.len()).into_bytes();
        bytes.extend(body);
        Ok(bytes)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// [`FileError`] where the file is foreign, of another version, cut, damaged, paired with another sheet, or not sound.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let rest = bytes.strip_prefix(MAGIC.as_bytes()).ok_or(FileError::Foreign)?;
        let end = rest.iter().position(|&byte| byte == b'\n').ok_or(FileError::Foreign)?;
        let (line, body) = (String::from_utf8_lossy(&rest[..end]), &rest[end + 1..]);
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
        let game: Self = serde_json::from_slice(body)?;
        if crc32fast::hash(game.sheet.as_bytes()) != game.made_from {
            return Err(FileError::OtherSheet);
        }
        game.program.check()?;
        Ok(game)
    }
}
