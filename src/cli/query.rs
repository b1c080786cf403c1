//! `ggp query`: asks rules on the command line.

use super::arguments::EngineArguments;
use super::{Failure, complete, eval};
use crate::repl::terminal::Terminal;
use std::ffi::OsString;

/// Ask rules: all solutions of a query
///
/// The rules need no roles: relations, recursion, negation and functions are enough. A game is asked in its initial
/// state. The exit code is 1 if the last query has no solutions.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A file, or a game of the library; `-` reads standard input
    #[arg(add = complete::game())]
    file: OsString,
    /// Queries: literals with `&`, `|` and `~` between them, or in prefix; `?-` before them may be left out
    #[arg(required = true)]
    queries: Vec<String>,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object for each query
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let query = |text: &String| format!("?- {}", text.trim().trim_start_matches("?-"));
        let commands = self.queries.iter().map(query).collect();
        eval::answer(&self.file, commands, &self.engine, self.json, console)
    }
}
