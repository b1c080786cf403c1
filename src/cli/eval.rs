//! `ggp eval`: runs commands given on the command line.

use super::arguments::EngineArguments;
use super::{Failure, complete, interrupt_flag};
use crate::provenance::Provenance;
use crate::repl::answer::SessionEnd;
use crate::repl::console::{Console, show, show_notes};
use crate::repl::error::stop_code;
use crate::repl::render::Record;
use crate::repl::terminal::Terminal;
use crate::repl::{Answer, CommandError, Session, evaluate, read};
use anyhow::Context;
use gdl::limits::Stop;
use std::ffi::{OsStr, OsString};

/// Answer commands about a game
///
/// The exit code is 1 if the last answer is negative: false, or a query without solutions.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of the library, a file, or a tree typed as brackets; `-` reads standard input
    #[arg(add = complete::game())]
    game: OsString,
    /// Commands of the prompt, separated by `;`
    #[arg(required = true, add = complete::command())]
    commands: Vec<String>,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object for each command
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let commands = self.commands.iter().flat_map(|text| read::split_outside_parentheses(text, ';'));
        answer(&self.game, commands.map(str::to_string).collect(), &self.engine, self.json, console)
    }
}

/// Answers commands about a game, up to the first error; the exit code.
pub(super) fn answer(
    game: &OsStr,
    commands: Vec<String>,
    engine: &EngineArguments,
    is_json: bool,
    console: &mut Terminal,
) -> Result<u8, Failure> {
    let mut session = Session::new("", interrupt_flag()?).with_engine(engine.options());
    if let Err(error) = session.load(game) {
        let code = error.exit_code();
        show(console, &mut session, &Err(error), "")?;
        return Ok(code);
    }
    let mut code = 0;
    for command in &commands {
        let line_shown = console.watch(session.progress(), session.screen());
        let result = evaluate(&mut session, command);
        drop(line_shown);
        for file in session.take_written() {
            Provenance::of_command()
                .write_beside(&file)
                .with_context(|| format!("cannot write beside {}", file.display()))?;
        }
        if is_json {
            show_notes(console, &mut session, "")?;
            let record = Record::new(command, &result).with_lesson(session.take_remark());
            console.answer(&record.to_line())?;
        } else {
            show(console, &mut session, &result, "")?;
        }
        code = exit_code(&result);
        // An error, the end of the session and an interrupt leave the rest of the commands out.
        if result.as_ref().map_or(true, Answer::is::<SessionEnd>) || code == stop_code(Stop::Interrupted) {
            break;
        }
    }
    Ok(code)
}

fn exit_code(result: &Result<Answer, CommandError>) -> u8 {
    match result {
        Ok(answer) => answer.stopped().map_or(answer.is_no().into(), stop_code),
        Err(error) => error.exit_code(),
    }
}
