//! `players`: who plays in matches, with the options of each.

use super::{Arguments, Command};
use crate::play::PlayerKind;
use crate::repl::answer::{ListedPlayer, ListedPlayers};
use crate::repl::{Answer, CommandError, Session};
use crate::suggestion::near_or_all;

pub(super) const PLAYERS: Command = Command {
    name: "players",
    operands: "[PLAYER]",
    summary: "list the players of `ggp match`, or describe one of them with its options; a player with the name of a search asks that search, with the options that it has here",
    example: "players deepening",
    ..Command::run_by(players)
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
