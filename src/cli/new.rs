//! `ggp new`: a rule sheet to begin with.

use super::Failure;
use super::arguments::{OutputArguments, write};
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use crate::template::{BoardSize, MOST_PLAYERS, SheetTemplate, sheet_name};
use std::path::PathBuf;

/// Write a rule sheet to begin with: it checks without problems and can be played
///
/// With one player a robot walks over a board to a corner; with several they mark cells in turn. The sheet has what every
/// game needs: roles, turns and the move of those who wait, frame rules, a counter that ends the game, goals for all
/// outcomes, `base` and `input`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The name of the game; the file is NAME.gdl in this folder
    name: String,
    /// The number of players
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=i64::from(MOST_PLAYERS)))]
    players: u8,
    /// The columns and rows of the board
    #[arg(long, value_name = "COLUMNSxROWS", default_value = "3x3", value_parser = board)]
    board: BoardSize,
    /// The moves after which the game ends at the latest [default: one for each cell, of one player twice as many]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    steps: Option<u16>,
    #[command(flatten)]
    output: OutputArguments,
}

fn board(text: &str) -> Result<BoardSize, String> {
    let sides = text.split_once('x').and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
    sides
        .and_then(|(columns, rows)| BoardSize::new(columns, rows))
        .ok_or_else(|| "a board is COLUMNSxROWS, such as 8x8: from 1 to 99, and more than one cell".to_string())
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let Self { name, players, board, steps, output } = self;
        let name = sheet_name(&name)?;
        let path = PathBuf::from(format!("{name}.gdl"));
        write(&output.output(&path, None)?, SheetTemplate { players, board, steps }.text(name))?;
        let file = path.display();
        console.answer(&format!("written: {file}\nnow: ggp check {file}; ggp repl {file}\n"))?;
        Ok(0)
    }
}
