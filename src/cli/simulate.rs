//! `ggp simulate`: random games by the hundred at once, and what they came to.

use super::engines::EngineArguments;
use super::speed::{Rates, Stopwatch, Times, rate};
use super::{Failure, interrupt_flag, load, set_up};
use crate::diagnostic::render::Paint;
use crate::engine::lanes::Request;
use crate::engine::{EngineKind, EngineState, Game};
use crate::files;
use crate::game::Reasoner;
use crate::quantity::Seconds;
use crate::repl::answer::Simulated;
use crate::repl::console::{Console, Terminal};
use crate::repl::render;
use crate::repl::{Answer, read};
use crate::search::Stop;
use crate::syntax::Dialect;
use anyhow::Context;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Play random games, hundreds at once, and show what they came to
///
/// Each role takes each of its legal moves with the same probability. The same seed and number of games give the same
/// answer on every machine, on however many threads.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of the library, or a file
    file: String,
    #[command(flatten)]
    engine: EngineArguments,
    /// How many games; without it, as many as there is time for
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "seconds")]
    playouts: Option<u64>,
    /// How long to play
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(5), value_parser = Seconds::positive)]
    seconds: Seconds,
    /// Begin in the state in which these facts hold: 'cell(1,1,x) control(oplayer) …'
    #[arg(long, value_name = "FACTS")]
    from: Option<String>,
    /// How many threads play; one for each core without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// The seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Draw the histograms of utilities and lengths to this file, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// What was played, and how fast.
#[derive(Serialize)]
struct Measured {
    #[serde(flatten)]
    simulated: Simulated,
    engine: EngineKind,
    lanes: usize,
    threads: usize,
    seed: u64,
    #[serde(flatten)]
    times: Times,
    #[serde(flatten)]
    rates: Rates,
}

impl Arguments {
    pub(super) fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        let interrupt = interrupt_flag()?;
        let loading = Instant::now();
        let options = self.engine.options().with_interrupt(interrupt.clone());
        let Some(mut game) = load(&self.file, options, console)? else { return Ok(2) };
        set_up(&mut game, console)?;
        let start = self.start(&mut game)?;
        let mut lanes = game.lanes()?;
        let threads = self.threads.map(usize::from);
        let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let stopwatch = Stopwatch::start(loading);
        let request = match self.playouts {
            Some(playouts) => Request::playouts(playouts),
            None => Request::until(stopwatch.started + self.seconds.duration()),
        };
        let request = request.with_seed(self.seed).with_threads(threads).with_interrupt(interrupt.clone());
        let outcomes = lanes.playouts(&start, &request);
        let times = stopwatch.stop();
        let stopped = interrupt.load(Ordering::Relaxed).then_some(Stop::Interrupted);
        let name = game.name.clone();
        let mut simulated = Simulated::of(&name, game.engine()?, outcomes, stopped);
        if let Some(file) = &self.svg {
            files::write(file, simulated.svg()).with_context(|| format!("cannot write {}", file.display()))?;
            simulated.files.push(file.display().to_string());
        }
        let engine = game.engine()?.kind();
        let rates = Rates::new(simulated.states, simulated.playouts, &times);
        let (lanes, threads, seed) = (lanes.lanes(), request.threads, request.seed);
        let measured = Measured { simulated, engine, lanes, threads, seed, times, rates };
        console.answer(&match self.json {
            true => serde_json::to_string(&measured)? + "\n",
            false => measured.text(console.paint(), game.sheet.dialect),
        })?;
        Ok(if stopped.is_some() { 130 } else { 0 })
    }

    fn start(&self, game: &mut Game) -> Result<EngineState, Failure> {
        let Some(facts) = &self.from else { return Ok(game.engine()?.initial_state()?) };
        let facts = read::terms(facts)?;
        let state = game.state_from_facts(&facts)?;
        Ok(game.engine_at(&state)?.1)
    }
}

impl Measured {
    /// What the simulation answers, and how long it took.
    fn text(&self, paint: Paint, dialect: Dialect) -> String {
        let mut text = render::text(&Answer::Simulated(self.simulated.clone()), paint, dialect);
        let threads = if self.threads == 1 { "1 thread".to_string() } else { format!("{} threads", self.threads) };
        let (states, playouts) = (rate(self.rates.states_per_second), rate(self.rates.playouts_per_second));
        text += &format!(
            "{:.2} s in {} lanes on {threads}: {playouts} playouts/s, {states} states/s\n",
            self.times.seconds, self.lanes
        );
        text + &self.rates.cpu_line(&self.times)
    }
}
