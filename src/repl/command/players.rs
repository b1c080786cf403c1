//! Command `players`: the players of matches, with the options of each.

use super::{Arguments, Command};
use crate::repl::answer::text::definitions;
use crate::repl::answer::{AnswerContent, TextStyle};
use crate::repl::{Answer, CommandError, Session};
use gdl::suggestion::near_or_all;
use ggp_draw::fit::paragraph;
use ggp_play::PlayerKind;
use ggp_play::ask::spec::NamedOption;
use serde::Serialize;

pub(super) const PLAYERS: Command = Command {
    name: "players",
    operands: "[PLAYER]",
    summary: "list the players of `ggp match`, or describe one of them with its options; a player with the name of a search has the options of that search",
    example: "players deepening",
    ..Command::for_rules(players)
};

fn players(_: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let name = arguments.operands();
    if name.is_empty() {
        let players = PlayerKind::ALL.iter().copied().map(ListedPlayer::in_a_line).collect();
        return Ok(Answer::new(ListedPlayers { players }));
    }
    let Some(kind) = PlayerKind::find(name) else {
        let known: Vec<&str> = PlayerKind::ALL.iter().map(|kind| kind.name()).collect();
        return Err(arguments.wrong(format!("there is no player `{name}`; {}", near_or_all(name, &known))));
    };
    Ok(Answer::new(ListedPlayers { players: vec![ListedPlayer::described(kind)] }))
}

/// Players of matches: all in a line each, or one with its options.
#[derive(Clone, Debug, Serialize)]
struct ListedPlayers {
    /// The players, in the order in which help lists them.
    players: Vec<ListedPlayer>,
}

/// A player of matches.
#[derive(Clone, Debug, Serialize)]
struct ListedPlayer {
    name: &'static str,
    /// Its way to play, in a phrase.
    summary: String,
    /// The forms of its options, if only one player is described.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    options: Vec<PlayerOption>,
}

#[derive(Clone, Debug, Serialize)]
struct PlayerOption {
    key: &'static str,
    /// The key with its value, as it is typed.
    form: String,
    /// The effect, with the default.
    help: String,
}

impl ListedPlayer {
    /// A player without its options.
    fn in_a_line(kind: PlayerKind) -> Self {
        Self { name: kind.name(), summary: kind.summary(), options: Vec::new() }
    }

    /// A player with its options.
    fn described(kind: PlayerKind) -> Self {
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
