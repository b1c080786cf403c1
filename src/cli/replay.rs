//! `ggp replay`: a recorded game against an engine.

use super::engines::EngineArguments;
use super::{Failure, interrupt_flag, load, set_up};
use crate::engine;
use crate::repl::console::{Console, Terminal};
use anyhow::Context;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

/// Replay a recorded game and compare every state with an engine
///
/// The exit code is 1 where the engine differs from the trace; the first difference is shown.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The trace: one JSON object a line
    trace: PathBuf,
    /// The rule sheet
    #[arg(long, value_name = "FILE")]
    rules: String,
    #[command(flatten)]
    engine: EngineArguments,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let options = self.engine.options().with_interrupt(interrupt_flag()?);
        let Some(mut game) = load(&self.rules, options, console)? else { return Ok(2) };
        let engine = set_up(&mut game, console)?;
        let name = self.trace.display().to_string();
        let trace = File::open(&self.trace).with_context(|| format!("cannot read {name}"))?;
        let replayed = engine::replay(engine, BufReader::new(trace)).with_context(|| name.clone())?;
        if self.json {
            console.answer(&(serde_json::to_string(&replayed)? + "\n"))?;
        } else {
            let text = match &replayed.difference {
                None => format!("{} states and {} joint moves agree", replayed.states, replayed.transitions),
                Some(difference) => difference.to_string(),
            };
            console.answer(&format!("{name}: {text}\n"))?;
        }
        Ok(replayed.difference.is_some().into())
    }
}
