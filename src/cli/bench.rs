//! `ggp bench`: how fast an engine plays.

use super::engines::EngineArguments;
use super::usage::{cpu_time, peak_memory};
use super::{Failure, interrupt_flag, load, set_up};
use crate::engine::bench::{Played, RandomPlayer};
use crate::engine::{Engine, EngineKind};
use crate::game::{ReasonError, Reasoner};
use crate::repl::console::{Console, Terminal};
use crate::repl::render::grouped;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Play random games on one thread and measure the engine
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of the library, or a file
    file: String,
    #[command(flatten)]
    engine: EngineArguments,
    /// How long to play
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = positive)]
    seconds: f64,
    /// The seed of the random choices: the same seed plays the same games
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// What was measured. What the system does not tell is null.
#[derive(Serialize)]
struct Measured {
    game: String,
    engine: EngineKind,
    setup_seconds: f64,
    seconds: f64,
    cpu_seconds: Option<f64>,
    states: u64,
    playouts: u64,
    states_per_second: f64,
    playouts_per_second: f64,
    states_per_cpu_second: Option<f64>,
    playouts_per_cpu_second: Option<f64>,
    peak_memory_bytes: Option<u64>,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let interrupt = interrupt_flag()?;
        let started = Instant::now();
        let options = self.engine.options().with_interrupt(interrupt.clone());
        let Some(mut game) = load(&self.file, options, console)? else { return Ok(2) };
        set_up(&mut game, console)?;
        let name = game.name.clone();
        // The choice is made here and not at every question, so that it costs nothing.
        let measured = match game.into_engine()? {
            Engine::Interpreter(engine) => self.measure(name, EngineKind::Interpreter, *engine, started, &interrupt)?,
            Engine::Propnet(engine) => self.measure(name, EngineKind::Propnet, *engine, started, &interrupt)?,
        };
        console.answer(&if self.json { serde_json::to_string(&measured)? + "\n" } else { measured.text() })?;
        Ok(if interrupt.load(Ordering::Relaxed) { 130 } else { 0 })
    }

    fn measure<R: Reasoner>(
        &self,
        game: String,
        kind: EngineKind,
        engine: R,
        loading: Instant,
        interrupt: &AtomicBool,
    ) -> Result<Measured, ReasonError> {
        let mut player = RandomPlayer::new(engine, self.seed)?;
        let setup = loading.elapsed();
        let (started, cpu_started) = (Instant::now(), cpu_time());
        play_for(&mut player, Duration::from_secs_f64(self.seconds), interrupt)?;
        let seconds = started.elapsed().as_secs_f64();
        let cpu = cpu_time().zip(cpu_started).map(|(now, then)| now.saturating_sub(then).as_secs_f64());
        Ok(Measured::new(game, kind, setup, seconds, cpu, player.played()))
    }
}

/// Plays for this time, or until somebody interrupts.
pub(super) fn play_for<R: Reasoner>(
    player: &mut RandomPlayer<R>,
    time: Duration,
    interrupt: &AtomicBool,
) -> Result<(), ReasonError> {
    let started = Instant::now();
    let mut slice = 1;
    while started.elapsed() < time && !interrupt.load(Ordering::Relaxed) {
        let before = started.elapsed();
        match player.play(slice) {
            Err(ReasonError::Interrupted) => break,
            played => played?,
        }
        // Slices of a few milliseconds: long enough that the clock costs nothing, short enough to end in time.
        if started.elapsed() - before < Duration::from_millis(5) {
            slice *= 2;
        }
    }
    Ok(())
}

impl Measured {
    fn new(game: String, engine: EngineKind, setup: Duration, seconds: f64, cpu: Option<f64>, played: Played) -> Self {
        let per = |count: u64, seconds: f64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
        Self {
            game,
            engine,
            setup_seconds: setup.as_secs_f64(),
            seconds,
            cpu_seconds: cpu,
            states: played.states,
            playouts: played.playouts,
            states_per_second: per(played.states, seconds),
            playouts_per_second: per(played.playouts, seconds),
            states_per_cpu_second: cpu.map(|seconds| per(played.states, seconds)),
            playouts_per_cpu_second: cpu.map(|seconds| per(played.playouts, seconds)),
            peak_memory_bytes: peak_memory(),
        }
    }

    fn text(&self) -> String {
        let rate = |rate: f64| grouped(rate.round() as u64);
        let mut text = format!("{}, {}: set up in {:.3} s\n", self.game, self.engine, self.setup_seconds);
        text += &format!(
            "{} states and {} playouts in {:.2} s: {} states/s, {} playouts/s\n",
            grouped(self.states),
            grouped(self.playouts),
            self.seconds,
            rate(self.states_per_second),
            rate(self.playouts_per_second),
        );
        if let (Some(seconds), Some(states), Some(playouts)) =
            (self.cpu_seconds, self.states_per_cpu_second, self.playouts_per_cpu_second)
        {
            let (states, playouts) = (rate(states), rate(playouts));
            text += &format!("per second of the CPU ({seconds:.2} s): {states} states, {playouts} playouts\n");
        }
        if let Some(bytes) = self.peak_memory_bytes {
            text += &format!("peak memory {} MB\n", grouped(bytes / 1_000_000));
        }
        text
    }
}

/// A number of seconds above 0.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e6 => Ok(seconds),
        _ => Err("a number of seconds above 0 is needed".to_string()),
    }
}
