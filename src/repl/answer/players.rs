//! The answer of `players`.

use super::content::{AnswerContent, TextStyle};
use super::text::definitions;
use crate::ask::spec::NamedOption;
use crate::fit::paragraph;
use crate::play::PlayerKind;
use serde::Serialize;

/// Players of matches: all in a line each, or one with its options.
#[derive(Clone, Debug, Serialize)]
pub struct ListedPlayers {
    /// The players, in the order in which help lists them.
    pub(crate) players: Vec<ListedPlayer>,
}

/// A player of matches.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ListedPlayer {
    /// Its name.
    pub(crate) name: &'static str,
    /// How it plays, in a phrase.
    pub(crate) summary: String,
    /// The forms of its options, if only one player is described.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) options: Vec<PlayerOption>,
}

/// An option of a player.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PlayerOption {
    /// The key.
    pub(crate) key: &'static str,
    /// The key with its value, as it is typed.
    pub(crate) form: String,
    /// The effect, with the default.
    pub(crate) help: String,
}

impl ListedPlayer {
    /// A player without its options.
    pub(crate) fn in_a_line(kind: PlayerKind) -> Self {
        Self { name: kind.name(), summary: kind.summary(), options: Vec::new() }
    }

    /// A player with its options.
    pub(crate) fn described(kind: PlayerKind) -> Self {
        let options = kind.signature().every_option();
        let described =
            |option: &NamedOption| PlayerOption { key: option.key(), form: option.form(), help: option.meaning() };
        Self { options: options.map(described).collect(), ..Self::in_a_line(kind) }
    }
}

impl AnswerContent for ListedPlayers {
    fn kind(&self) -> &'static str {
        "players"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let [only] = &self.players[..] else {
            let rows = self.players.iter().map(|player| (player.name.to_string(), player.summary.clone()));
            return definitions(rows, 0, style.width);
        };
        let rows = only.options.iter().map(|option| (option.form.clone(), option.help.clone()));
        paragraph(&format!("{}: {}", only.name, only.summary), "", "  ", style.width)
            + &definitions(rows, 2, style.width)
    }
}
