//! The answers of commands that write files.

use super::content::{AnswerContent, TextStyle};
use super::text::line;
use crate::quantity::counted_as;
use serde::Serialize;

/// A line of play has been drawn.
#[derive(Clone, Debug, Serialize)]
pub struct FilmFiles {
    /// The names of the files.
    pub(crate) files: Vec<String>,
    /// The number of frames.
    pub(crate) frames: usize,
}

impl AnswerContent for FilmFiles {
    fn kind(&self) -> &'static str {
        "filmed"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        let frames = counted_as(self.frames as u64, "frame", "frames");
        self.files.iter().map(|file| line(format!("{file}: {frames}"))).collect()
    }
}

/// The match has been written to a file.
#[derive(Clone, Debug, Serialize)]
pub struct SavedMatchFile {
    /// The name of the file.
    pub(crate) file: String,
    /// The name of the game.
    pub(crate) game: String,
    /// The number of plies of the match.
    pub(crate) plies: usize,
}

impl AnswerContent for SavedMatchFile {
    fn kind(&self) -> &'static str {
        "saved"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        let plies = counted_as(self.plies as u64, "ply", "plies");
        line(format!("{}: {}, {plies}", self.file, self.game))
    }
}

/// The rules have been written to a file.
#[derive(Clone, Debug, Serialize)]
pub struct SavedRulesFile {
    /// The name of the file.
    pub(crate) file: String,
    /// The name of the game.
    pub(crate) game: String,
    /// The number of facts and rules.
    pub(crate) clauses: usize,
}

impl AnswerContent for SavedRulesFile {
    fn kind(&self) -> &'static str {
        "saved_rules"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        line(format!("{}: {}, {} clauses", self.file, self.game, self.clauses))
    }
}
