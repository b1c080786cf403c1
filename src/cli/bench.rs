//! `ggp bench`: measures the speed of an engine; `folder` measures all sheets of a folder.

mod folder;

use super::arguments::EngineArguments;
use super::folder::folder_of;
use super::speed::{Rates, Stopwatch, Times, rate};
use super::{Failure, Figures, complete, interrupt_flag, load, set_up};
use crate::repl::console::Console;
use crate::repl::terminal::Terminal;
use gdl::limits::{Limits, Stop};
use gdl::quantity::Seconds;
use gdl::quantity::grouped;
use ggp_engine::bench::{BenchGames, PlayedAmount};
use ggp_engine::{Engine, EngineKind};
use ggp_game::{ReasonError, Reasoner};
use serde::Serialize;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Play random games on one thread and measure the engine
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of the library, a file, or a folder: each of its sheets with each engine
    #[arg(add = complete::game())]
    file: OsString,
    #[command(flatten)]
    engine: EngineArguments,
    /// Time to play, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(5), value_parser = Seconds::positive)]
    seconds: Seconds,
    /// The seed of the random choices: the same seed plays the same games
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// With a folder: write the measurements to this file; rows that it has are kept, and not measured again
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Result of a measurement.
#[derive(Serialize)]
struct SpeedReport {
    game: String,
    engine: EngineKind,
    #[serde(flatten)]
    times: Times,
    states: u64,
    playouts: u64,
    #[serde(flatten)]
    rates: Rates,
    #[serde(flatten)]
    network: Option<NetworkUse>,
}

/// The network that played.
#[derive(Clone, Copy, Serialize)]
struct NetworkUse {
    gates: usize,
    /// The evaluator of single states.
    evaluator: &'static str,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let interrupt = interrupt_flag()?;
        if let Some(folder) = folder_of(&self.file) {
            anyhow::ensure!(!self.json, "--json is for a single game; --csv writes the measurements of a folder");
            return self.measure_folder(&folder, &interrupt, console);
        }
        anyhow::ensure!(self.csv.is_none(), "--csv is for a folder of sheets");
        let started = Instant::now();
        let options = self.engine.options().with_interrupt(interrupt.clone());
        let mut game = load(&self.file, options)?;
        set_up(&mut game, console)?;
        let name = game.name.clone();
        // The engine is dispatched here and not at every question, so that dispatch costs nothing.
        let mut engine = game.into_engine()?;
        engine.choose_evaluator(&Limits::none().with_interrupt(interrupt.clone())).map_err(ReasonError::from)?;
        let measured = match engine {
            Engine::Interpreter(engine) => self.measure(name, EngineKind::Interpreter, *engine, started, &interrupt)?,
            Engine::Propnet(engine) => {
                let network = NetworkUse { gates: engine.program().gates.len(), evaluator: engine.evaluator().name() };
                let measured = self.measure(name, EngineKind::Propnet, *engine, started, &interrupt)?;
                SpeedReport { network: Some(network), ..measured }
            }
        };
        console.answer(&if self.json {
            Figures::of_command(&measured, Vec::new()).to_line()?
        } else {
            measured.text()
        })?;
        Ok(if interrupt.load(Ordering::Relaxed) { 130 } else { 0 })
    }

    fn measure<R: Reasoner>(
        &self,
        game: String,
        kind: EngineKind,
        engine: R,
        loading: Instant,
        interrupt: &AtomicBool,
    ) -> Result<SpeedReport, ReasonError> {
        let mut player = BenchGames::new(engine, self.seed)?;
        let stopwatch = Stopwatch::start(loading);
        play_for(&mut player, self.seconds.duration(), interrupt)?;
        let times = stopwatch.stop();
        let PlayedAmount { states, playouts, .. } = player.played();
        let rates = Rates::new(states, playouts, &times);
        Ok(SpeedReport { game, engine: kind, times, states, playouts, rates, network: None })
    }
}

/// Plays games for this time or until the interrupt, in slices, since the clock is read only between them.
pub(super) fn play_for<R: Reasoner>(
    player: &mut BenchGames<R>,
    time: Duration,
    interrupt: &AtomicBool,
) -> Result<(), ReasonError> {
    let started = Instant::now();
    let mut slice = 1;
    while started.elapsed() < time && !interrupt.load(Ordering::Relaxed) {
        let before = started.elapsed();
        match player.play(slice) {
            Err(ReasonError::Stopped(Stop::Interrupted)) => break,
            played => played?,
        }
        // Slices of a few milliseconds: long enough that reading the clock costs nothing, short enough to end in time.
        if started.elapsed() - before < Duration::from_millis(5) {
            slice *= 2;
        }
    }
    Ok(())
}

impl SpeedReport {
    fn text(&self) -> String {
        let Self { game, engine, times, rates, .. } = self;
        let mut text = format!("{game}, {engine}: set up in {:.3} s\n", times.setup_seconds);
        text += &format!(
            "{} states and {} playouts in {:.2} s: {} states/s, {} playouts/s\n",
            grouped(self.states),
            grouped(self.playouts),
            times.seconds,
            rate(rates.states_per_second),
            rate(rates.playouts_per_second),
        );
        text += &rates.cpu_line(times);
        if let Some(NetworkUse { gates, evaluator }) = self.network {
            text += &format!("{} gates, evaluator {evaluator}\n", grouped(gates as u64));
        }
        if let Some(bytes) = rates.peak_memory_bytes {
            text += &format!("peak memory {} MB\n", grouped(bytes / 1_000_000));
        }
        text
    }
}
