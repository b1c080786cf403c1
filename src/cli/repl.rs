//! `ggp repl`: starts the prompt; without a terminal, runs a script from standard input.

use super::arguments::EngineArguments;
use super::{Failure, complete, interrupt_flag};
use crate::repl::answer::LoadedGame;
use crate::repl::command::drawn_now;
use crate::repl::console::{Console, show};
use crate::repl::terminal::Terminal;
use crate::repl::{Answer, Session, interactive, script};
use ggp_engine::{BackgroundBuilds, EngineOptions};
use std::ffi::OsString;
use std::io::IsTerminal;

/// Explore a game at a prompt
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of the library, or a file
    #[arg(add = complete::game())]
    game: Option<OsString>,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object for each command; only without a terminal
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let interrupt = interrupt_flag()?;
        let is_terminal = std::io::stdin().is_terminal();
        // A person does not wait for a network; a script has the same engines at each run.
        let options =
            EngineOptions { background: is_terminal.then(BackgroundBuilds::default), ..self.engine.options() };
        let mut session = Session::new("", interrupt.clone()).with_engine(options);
        if is_terminal {
            console.talk(&interactive::banner(console.width()))?;
        }
        let mut code = 0;
        if let Some(game) = &self.game {
            let loaded = session.load(game).map(|current| Answer::new(LoadedGame::from_game(&current.game)));
            code = loaded.as_ref().err().map_or(0, |error| error.exit_code());
            if is_terminal || loaded.is_err() {
                show(console, &mut session, &loaded, "")?;
            }
        }
        if is_terminal {
            session.draws_boards = std::io::stdout().is_terminal();
            if session.draws_boards
                && let Some(board) = drawn_now(&mut session)
            {
                show(console, &mut session, &Ok(Answer::new(board)), "")?;
            }
            console.set_prompt();
            interactive::run(session, &interrupt, console)?;
            return Ok(0);
        }
        // Standard input is free between two lines: `load -` reads what follows.
        let input = self.engine.input();
        let lines = std::iter::from_fn(|| input.line(&mut std::io::stdin().lock()).transpose());
        let options = script::Options { keep_going: true, echo: false, json: self.json };
        let report = script::run(&mut session, "<stdin>", lines, options, console as &mut dyn Console)?;
        Ok(if code == 0 { report.exit_code } else { code })
    }
}
