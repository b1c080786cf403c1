//! Sessions in files: the game, and all plies.
//!
//! The file is JSON. It does not contain the rules but a hash of their text, so that a session is only restored with
//! the rules with which it was played.

use super::{Match, MatchStep, Session};
use crate::repl::{CommandError, read};
use gdl::rules::GroundTerm;
use gdl::syntax::brackets;
use ggp_engine::LibrarySheet;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::io;
use std::path::Path;

/// The first field of every file: the kind of file and its version.
const FORMAT: &str = "ggp session 1";

/// The contents of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedSession {
    format: String,
    /// The name of the game, for people.
    game: String,
    /// The name by which it is loaded: a name of the library, or an absolute path.
    source: String,
    /// The hash of the rule sheet's text.
    hash: String,
    plies: Vec<SavedPly>,
}

/// A ply, with its terms in infix syntax.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SavedPly {
    Do(Vec<String>),
    /// A jump to a state.
    Set(Vec<String>),
}

impl Session {
    /// Writes the current match to a file. The session's own saved matches are replaced, other files only if that is
    /// forced.
    pub(crate) fn save(&mut self, file: &str, is_forced: bool) -> Result<&Match, CommandError> {
        let output = self.output(file, is_forced || self.has_saved(file), &[])?;
        let directory = self.directory().map(Path::to_path_buf).unwrap_or_default();
        let current = self.current()?;
        if current.is_from_standard_input() {
            return Err(CommandError::OnceOnly);
        }
        if current.is_amended {
            return Err(CommandError::UnsavedRules);
        }
        let nameless = || {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "the name of the game's file is not UTF-8");
            CommandError::Unwritable { file: file.to_string(), error }
        };
        let saved = SavedSession {
            format: FORMAT.to_string(),
            game: current.game.name.clone(),
            source: found_from_anywhere(&current.loaded_as, &directory).ok_or_else(nameless)?,
            hash: hash(current.game.source.text()),
            plies: current.steps().iter().map(SavedPly::from_step).collect(),
        };
        let text = serde_json::to_string_pretty(&saved).expect("names and lists can be written as JSON");
        if output.write(text + "\n")? {
            self.saves.extend(self.outputs.path(file));
        }
        self.current().map(|current| &*current)
    }

    /// Whether the session has saved to a file, or restored from it.
    pub(super) fn has_saved(&self, file: &str) -> bool {
        self.outputs.path(file).is_some_and(|path| self.saves.contains(&path))
    }
}

/// A match that has been saved.
pub(super) struct SavedMatch {
    pub(super) game: String,
    /// The name by which the game is loaded.
    pub(super) source: String,
    /// The hash of the rule sheet's text.
    pub(super) hash: String,
    pub(super) steps: Vec<MatchStep>,
}

impl SavedMatch {
    /// Whether a text is a saved match, of any version, even if it is damaged.
    pub(super) fn is_one(text: &str) -> bool {
        text.trim_start().starts_with('{') && text.contains("\"format\"")
    }

    /// Reads a saved match.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let saved: SavedSession = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if saved.format != FORMAT {
            return Err(format!("its format is `{}`, not `{FORMAT}`", saved.format));
        }
        let steps: Result<Vec<_>, _> = saved.plies.iter().map(SavedPly::step).collect();
        let steps = steps.map_err(|error| error.to_string())?;
        Ok(Self { game: saved.game, source: saved.source, hash: saved.hash, steps })
    }
}

impl SavedPly {
    fn from_step(step: &MatchStep) -> Self {
        let texts = |terms: &[GroundTerm]| terms.iter().map(ToString::to_string).collect();
        match step {
            MatchStep::Played(moves) => Self::Do(texts(moves)),
            MatchStep::Set(facts) => Self::Set(texts(facts)),
        }
    }

    fn step(&self) -> Result<MatchStep, CommandError> {
        let terms = |texts: &[String]| texts.iter().map(|text| read::term(text)).collect::<Result<_, _>>();
        Ok(match self {
            Self::Do(moves) => MatchStep::Played(terms(moves)?),
            Self::Set(facts) => MatchStep::Set(terms(facts)?),
        })
    }
}

/// A name of the library and a tree unchanged; a path made absolute, if the operating system can resolve the session's
/// directory.
///
/// `None` if it is not UTF-8.
fn found_from_anywhere(name: &OsStr, directory: &Path) -> Option<String> {
    if let Some(name) = name.to_str()
        && (LibrarySheet::find(name).is_some() || brackets::is_tree(name))
    {
        return Some(name.to_string());
    }
    let path = std::path::absolute(directory.join(name)).ok();
    path.as_deref().and_then(Path::to_str).or_else(|| name.to_str()).map(str::to_string)
}

/// The 64-bit FNV-1a hash, which distinguishes texts that differ by accident or by editing.
///
/// Source: Fowler, Noll, Vo; <http://www.isthe.com/chongo/tech/comp/fnv/>.
pub(super) fn hash(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("fnv1a64:{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}
