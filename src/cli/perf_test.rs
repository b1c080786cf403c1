//! `ggp perf-test`: the process that the public framework gdl-perf starts to measure an engine.
//!
//! The protocol is that of the framework's README (<https://github.com/AlexLandau/gdl-perf>): random games as in
//! `ggp bench`, and a file with a line `name = value` for each result.

use super::arguments::{EngineArguments, write};
use super::bench::play_for;
use super::{Failure, interrupt_flag, set_up};
use crate::repl::terminal::Terminal;
use gdl::limits::{Limits, Stop};
use gdl::syntax::Dialect;
use ggp_engine::bench::{BenchGames, PlayedAmount};
use ggp_engine::{self as engine, Engine, GameOrigin, LoadError};
use ggp_game::files::{OutputPath, is_standard};
use ggp_game::{ReasonError, Reasoner};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Play random games for the benchmark framework gdl-perf, and write the counts to a file
///
/// The time for setting up the engine is not counted. On failure the file has a line `errorMessage`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A file with a rule sheet in the prefix dialect, or `-`
    rules: PathBuf,
    /// The file to write; its contents are replaced
    result: PathBuf,
    /// Time to play, in seconds
    // The framework's protocol has whole seconds.
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    seconds: u32,
    #[command(flatten)]
    engine: EngineArguments,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        // Fails before the work if the file cannot be written.
        self.write(&[])?;
        match self.measure(console) {
            Ok((time, PlayedAmount { states, playouts, .. })) => self.write(&[
                ("millisecondsTaken", time.as_millis().to_string()),
                ("numStateChanges", states.to_string()),
                ("numRollouts", playouts.to_string()),
            ])?,
            Err(failure) => {
                self.write(&[("errorMessage", one_line(&message(&failure)))])?;
                return Err(failure);
            }
        }
        Ok(0)
    }

    fn measure(&self, console: &mut Terminal) -> Result<(Duration, PlayedAmount), Failure> {
        let interrupt = interrupt_flag()?;
        let origin =
            if is_standard(&self.rules) { GameOrigin::StandardInput } else { GameOrigin::File(self.rules.clone()) };
        let options = self.engine.options().with_interrupt(interrupt.clone());
        let mut game =
            engine::load_text(origin.game_name(), origin.read(options.input)?, Some(Dialect::Prefix), options)?;
        set_up(&mut game, console)?;
        let time = Duration::from_secs(self.seconds.into());
        let mut engine = game.into_engine()?;
        engine.choose_evaluator(&Limits::none().with_interrupt(interrupt.clone())).map_err(ReasonError::from)?;
        let measured = match engine {
            Engine::Interpreter(engine) => play(*engine, time, &interrupt),
            Engine::Propnet(engine) => play(*engine, time, &interrupt),
        };
        Ok(measured?)
    }

    fn write(&self, results: &[(&str, String)]) -> Result<(), Failure> {
        let version = ("version", env!("CARGO_PKG_VERSION").to_string());
        let lines =
            [version].iter().chain(results).map(|(name, value)| format!("{name} = {value}\n")).collect::<String>();
        // The framework makes the file before it starts this process, so it is replaced.
        write(&OutputPath::new(&self.result).forced(true).sparing([self.rules.clone()]), lines)
    }
}

fn play<R: Reasoner>(
    engine: R,
    time: Duration,
    interrupt: &AtomicBool,
) -> Result<(Duration, PlayedAmount), ReasonError> {
    let mut player = BenchGames::new(engine, 0)?;
    let started = Instant::now();
    play_for(&mut player, time, interrupt)?;
    if interrupt.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(ReasonError::Stopped(Stop::Interrupted));
    }
    Ok((started.elapsed(), player.played()))
}

/// The error message; for a rejected rule sheet, with its first error.
fn message(failure: &Failure) -> String {
    let first = match failure.downcast_ref() {
        Some(LoadError::Rejected { diagnostics, .. }) => diagnostics.iter().find(|problem| problem.is_error()),
        _ => None,
    };
    let problem = first.map(|problem| format!(": {}: {}", problem.code.id, problem.message));
    format!("{failure:#}{}", problem.unwrap_or_default())
}

/// Joins the lines of a text, since the format has no line breaks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
