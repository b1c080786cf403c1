//! The table of commands: it drives parsing, help and completion.
//!
//! To add a command, write a `Command` in one of the files of this room and add a line to [`COMMANDS`].

mod best;
mod chance;
mod compare;
mod contest;
mod count;
mod course;
mod expect;
mod explain;
mod game;
mod help;
mod judge;
mod options;
mod plan;
mod play;
mod position;
mod query;
mod rules;
mod sees;
mod selfplay;
mod settings;
mod show;
mod simulate;
mod solve;
mod watch;

use super::answer::Answer;
use super::read;
use super::{CommandError, Session};
use crate::suggestion::nearest;

/// One command.
pub struct Command {
    /// Its name: one word in small letters.
    pub name: &'static str,
    /// Its arguments, as help shows them; `[…]` may be left out.
    pub arguments: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// A line that could be typed.
    pub example: &'static str,
    /// What may follow its name.
    pub takes: Takes,
    /// What `expect` can compare its answer with.
    pub answers: Answers,
    /// Carries it out; the text is what follows the name.
    pub run: fn(&mut Session, &str) -> Result<Answer, CommandError>,
}

/// What may follow the name of a command: what completion offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing, or something that cannot be foreseen.
    Nothing,
    /// A game of the library or a file.
    Game,
    /// A file.
    File,
    /// A role.
    Role,
    /// Legal moves.
    Moves,
    /// Facts, like those that hold now.
    Fact,
    /// A relation that holds in states.
    Fluent,
    /// Another command.
    Command,
    /// An engine.
    Engine,
    /// A relation of the rules.
    Relation,
    /// A literal.
    Literal,
    /// A dialect.
    Dialect,
    /// A heuristic.
    Heuristic,
}

/// What kind of answer a command gives to `expect`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Nothing that could be compared.
    Nothing,
    /// Yes or no.
    Truth,
    /// A term or a list of terms.
    Value,
}

/// All commands, in the order in which help lists them.
pub const COMMANDS: &[&Command] = &[
    &game::LOAD,
    &game::RELOAD,
    &game::GAMES,
    &game::INFO,
    &game::CHECK,
    &rules::RULES,
    &rules::DEPENDS,
    &position::ROLES,
    &position::INIT,
    &position::STATE,
    &show::SHOW,
    &position::LEGAL,
    &position::GOAL,
    &position::TERMINAL,
    &sees::SEES,
    &play::DO,
    &play::NEXT,
    &play::UNDO,
    &play::RESTART,
    &course::HISTORY,
    &course::SET,
    &course::SAVE,
    &course::RESTORE,
    &chance::PLAYOUT,
    &simulate::SIMULATE,
    &chance::SEED,
    &explain::WHY,
    &count::TREE,
    &count::PERFT,
    &best::MAXSCORE,
    &best::BESTMOVE,
    &best::BESTPLAN,
    &plan::BFS,
    &plan::DFS,
    &plan::IDS,
    &plan::ASTAR,
    &plan::IDA,
    &plan::GREEDY,
    &judge::PLAN,
    &judge::HEURISTIC,
    &contest::MINIMAX,
    &contest::NEGAMAX,
    &contest::ALPHABETA,
    &contest::ITERATIVE,
    &contest::PARANOID,
    &contest::MAXN,
    &contest::EXPECTIMAX,
    &contest::EXPECTIMINIMAX,
    &contest::NASH,
    &solve::SOLVE,
    &compare::COMPARE,
    &expect::EXPECT,
    &settings::ENGINE,
    &settings::FORMAT,
    &settings::TIME,
    &help::HELP,
    &help::QUIT,
];

/// What words in capitals stand for in the arguments of several commands.
pub const SHARED_OPTIONS: [(&str, &str); 2] = [
    (
        "LIMITS",
        "--depth MOVES, --nodes N, --seconds S, --memory SIZE (as 500M or 2G): where to stop; an answer is exact or says why not",
    ),
    (
        "VIEW",
        "--trace [N]: the first N events of the search; --queue: with the nodes that wait; --tree text|dot|svg FILE: the explored tree; --json, with every command: the answer as an object",
    ),
];

impl Command {
    /// The name with the arguments.
    pub fn usage(&self) -> String {
        format!("{} {}", self.name, self.arguments).trim_end().to_string()
    }

    /// The error for arguments that do not fit.
    pub fn misused(&self, problem: impl Into<String>) -> CommandError {
        CommandError::usage(problem, self.usage())
    }

    /// Nothing, where nothing is given to a command that takes no arguments.
    fn takes_none(&self, arguments: &str) -> Result<(), CommandError> {
        if arguments.is_empty() { Ok(()) } else { Err(self.misused(format!("`{}` takes no arguments", self.name))) }
    }
}

/// The command that a word means: its name, or the beginning of just one name.
pub fn find(word: &str) -> Result<&'static Command, CommandError> {
    if let Some(command) = COMMANDS.iter().find(|command| command.name == word) {
        return Ok(command);
    }
    let begins: Vec<_> = COMMANDS.iter().filter(|command| !word.is_empty() && command.name.starts_with(word)).collect();
    match begins[..] {
        [command] => Ok(command),
        [] => {
            let near = nearest(word, COMMANDS.iter().map(|command| command.name));
            Err(CommandError::UnknownCommand { word: word.to_string(), near })
        }
        _ => {
            let candidates = begins.iter().map(|command| command.name).collect();
            Err(CommandError::AmbiguousCommand { word: word.to_string(), candidates })
        }
    }
}

/// Answers one line: a command, with `--json` as an object, or a query (`?- QUERY`, or a line that begins with `(` or `name(`). A comment, from `%` or
/// `#` on, is left out.
///
/// An error leaves the session as it was.
pub fn evaluate(session: &mut Session, line: &str) -> Result<Answer, CommandError> {
    let line = read::without_comment(line);
    if line.is_empty() {
        return Ok(Answer::Nothing);
    }
    if read::is_query(line) {
        return query::answer(session, line);
    }
    let (word, arguments) = read::word(line);
    let command = find(word)?;
    match read::split_at_word(arguments, "--json") {
        (before, Some(after)) => {
            let answer = (command.run)(session, format!("{before} {after}").trim())?;
            Ok(Answer::Json { answer: Box::new(answer) })
        }
        (_, None) => (command.run)(session, arguments),
    }
}
