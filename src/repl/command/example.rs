//! Examples of commands: where the example line of a command runs, and what it answers there.

use super::{Command, answer_line};
use crate::repl::{Answer, Session};
use serde::Serialize;

/// The game, and the commands before the example, if it does not run at the start of tic-tac-toe.
struct ExampleSetting {
    commands: &'static [&'static str],
    game: &'static str,
    before: &'static [&'static str],
}

const SETTINGS: &[ExampleSetting] = &[
    ExampleSetting {
        commands: &["maxscore", "bestmove", "bestplan", "deliberate", "plan", "bfs", "dfs", "ids", "dive", "expect"],
        game: "three_puzzle",
        before: &[],
    },
    ExampleSetting { commands: &["astar", "ida", "greedy", "heuristic"], game: "blocksworld_tiles", before: &[] },
    ExampleSetting {
        commands: &["negamax", "alphabeta", "iterative", "compare", "analyse"],
        game: "connect_four",
        before: &[],
    },
    ExampleSetting { commands: &["paranoid", "maxn"], game: "three_player_tree", before: &[] },
    ExampleSetting { commands: &["expectimax"], game: "minimax_tree", before: &[] },
    ExampleSetting { commands: &["expectiminimax"], game: "dice_race", before: &[] },
    ExampleSetting { commands: &["nash"], game: "rock_paper_scissors", before: &[] },
    ExampleSetting { commands: &["sees"], game: "monty_hall", before: &["do hide(2)", "do choose(1)", "do open(3)"] },
    ExampleSetting { commands: &["history"], game: "tic_tac_toe", before: &["do mark(2,2)", "do mark(1,2)"] },
    ExampleSetting {
        commands: &["undo", "restart", "minimax"],
        game: "tic_tac_toe",
        before: &["do mark(2,2)", "do mark(1,2)"],
    },
    ExampleSetting { commands: &["redo"], game: "tic_tac_toe", before: &["do mark(2,2)", "undo"] },
    ExampleSetting { commands: &["evaluation"], game: "connect_four", before: &["do drop(4)"] },
    ExampleSetting { commands: &["replan"], game: "pacman_corridor", before: &[] },
    ExampleSetting { commands: &["why"], game: "tic_tac_toe", before: &["do mark(1,1)"] },
];

/// Commands whose examples write files, end the session, or answer with the time they took.
const WITHOUT_ANSWER: &[&str] = &["save", "restore", "replay", "quit", "time"];

/// The example of a command, with its answer in a session of its own, which the interrupt flag of `session` stops.
pub(super) fn example(command: &'static Command, session: &Session) -> Example {
    let line = command.example;
    if WITHOUT_ANSWER.contains(&command.name) {
        return Example { line, game: None, before: &[], answer: None };
    }
    let setting = SETTINGS.iter().find(|setting| setting.commands.contains(&command.name));
    let (game, before) = setting.map_or(("tic_tac_toe", &[][..]), |setting| (setting.game, setting.before));
    Example { line, game: Some(game), before, answer: answer(game, before, line, session) }
}

/// An example of a query.
pub(super) fn query_example(session: &Session) -> Example {
    let game = "tic_tac_toe";
    let before = &["do mark(2,2)"][..];
    let line = "?- true(cell(X,X,b))";
    Example { line, game: Some(game), before, answer: answer(game, before, line, session) }
}

/// The answer to a line in a session of its own; `None` if it fails or is interrupted.
fn answer(game: &str, before: &[&str], line: &str, session: &Session) -> Option<Answer> {
    let flag = session.interrupt().flag();
    let mut own = match session.directory() {
        Ok(directory) => Session::new(directory, flag),
        Err(_) => Session::without_files(flag),
    };
    own.load(game).ok()?;
    for earlier in before {
        answer_line(&mut own, earlier).ok()?;
    }
    answer_line(&mut own, line).ok()
}

/// An example of a command.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Example {
    /// The line.
    pub(super) line: &'static str,
    /// The game in which it was tried; `None` if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) game: Option<&'static str>,
    /// The lines before it.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) before: &'static [&'static str],
    /// Its answer there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<Answer>,
}
