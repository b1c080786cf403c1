//! `ggp compile`: writes a game with its network to a file that loads quickly.

use super::arguments::{CompileArguments, OutputArguments, source_of, write};
use super::{Failure, complete, interrupt_flag, load};
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use gdl::quantity::grouped;
use ggp_engine::EngineError;
use ggp_engine::propnet::{CompiledGame, Propnet};
use ggp_game::Reasoner;
use std::ffi::OsString;
use std::path::PathBuf;

/// Compile a game to a file that loads without grounding
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of the library, a file, or `-`
    #[arg(add = complete::game())]
    game: OsString,
    /// The file to write, usually with the extension `propnet`, or `-`; it can be loaded like any game
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    writing: OutputArguments,
    #[command(flatten)]
    compiling: CompileArguments,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let output = self.writing.output(&self.output, source_of(&self.game))?;
        let mut options = self.compiling.options();
        options = options.with_interrupt(interrupt_flag()?);
        let mut game = load(&self.game, options.clone())?;
        let propnet = Propnet::new(&game.rules, &options.budget, &options.propnet).map_err(EngineError::from)?;
        let initial = game.interpreter.initial_state()?;
        propnet.check_initial(&game.interpreter.facts(&initial)).map_err(EngineError::from)?;
        let program = propnet.program().clone();
        let compiled = CompiledGame::new(game.name, game.source.text().to_string(), program);
        let bytes = compiled.to_bytes()?;
        write(&output, &bytes)?;
        let gates = grouped(compiled.program.gates.len() as u64);
        let size = grouped(bytes.len() as u64);
        console.talk(&format!("{output}: {gates} gates, {size} bytes\n"))?;
        Ok(0)
    }
}
