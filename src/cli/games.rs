//! `ggp games`: lists the game library.

use super::Failure;
use crate::repl::console::{Console, show};
use crate::repl::render::Record;
use crate::repl::terminal::Terminal;
use crate::repl::{Session, evaluate};
use std::sync::Arc;

/// List the games of the library
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let mut session = Session::new("", Arc::default());
        let result = evaluate(&mut session, "games");
        if self.json {
            console.answer(&Record::new("games", &result).to_line())?;
        } else {
            show(console, &mut session, &result, "")?;
        }
        Ok(0)
    }
}
