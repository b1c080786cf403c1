//! `ggp simulate`: plays many random games at once and shows their results.

use super::engines::EngineArguments;
use super::files::{output, source_of, write};
use super::speed::{Rates, Stopwatch, Times, rate};
use super::{Failure, Warned, complete, interrupt_flag, load, set_up, shared, show_notes, warned_of_hidden_moves};
use crate::repl::command::Arguments as PromptArguments;
use crate::repl::command::option::FORCE;
use crate::repl::command::simulate::SimulationAnswer;
use crate::repl::command::simulate::{GAMES, PlayAmount, SEED, SIMULATE, SimulationRequest, TIME};
use crate::repl::console::Console;
use crate::repl::render;
use crate::repl::terminal::Terminal;
use crate::repl::{Answer, read};
use gdl::diagnostic::render::Paint;
use gdl::limits::Stop;
use gdl::quantity::Seconds;
use gdl::syntax::Dialect;
use ggp_engine::{EngineKind, EngineState, Game};
use ggp_game::Reasoner;
use serde::Serialize;
use std::ffi::OsString;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Play random games, hundreds at once, and show their results
///
/// Each role makes each of its legal moves with the same probability. The same seed and number of games give the same
/// answer on every machine and number of threads.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A game of the library, or a file
    #[arg(add = complete::game())]
    file: OsString,
    #[command(flatten)]
    engine: EngineArguments,
    #[command(flatten)]
    choice: PromptOptions,
    /// Begin in the state in which these facts hold: 'cell(1,1,x) control(oplayer) …'
    #[arg(long, value_name = "FACTS")]
    from: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The options that `simulate` also has at the prompt.
struct PromptOptions(PromptArguments);

impl clap::Args for PromptOptions {
    fn augment_args(command: clap::Command) -> clap::Command {
        let options = SIMULATE.options.iter().flat_map(|group| group.options);
        let [games, time, seed] = [GAMES, TIME, SEED].map(|option| option.name.trim_start_matches('-'));
        command
            .args(options.map(shared::argument))
            .mut_arg(games, |games| games.help("How many games to play; not with --seconds"))
            .mut_arg(time, |time| time.help(format!("How long to play [default: {TIME_TO_PLAY}, without --playouts]")))
            .mut_arg(seed, |seed| seed.help("The seed of the random choices [default: 0]"))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for PromptOptions {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        shared::arguments(&SIMULATE, matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The default time to play.
const TIME_TO_PLAY: Seconds = Seconds::new(5);

/// The results of the games, and the speed.
#[derive(Serialize)]
struct SimulationReport {
    #[serde(flatten)]
    simulated: SimulationAnswer,
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
        let choice = SimulationRequest::from_arguments(&self.choice.0, PlayAmount::Time(TIME_TO_PLAY))?;
        let force = self.choice.0.has(&FORCE);
        let picture = choice.svg.as_ref().map(|file| output(file, force, source_of(&self.file))).transpose()?;
        let loading = Instant::now();
        let options = self.engine.options().with_interrupt(interrupt.clone());
        let mut game = load(&self.file, options)?;
        set_up(&mut game, console)?;
        let start = self.start(&mut game)?;
        let mut lanes = game.lanes()?;
        show_notes(&mut game, console)?;
        let warnings = warned_of_hidden_moves(&game, console)?;
        let stopwatch = Stopwatch::start(loading);
        let request = choice.request().with_seed(choice.seed.unwrap_or(0)).with_interrupt(interrupt.clone());
        let outcomes = lanes.playouts(&start, &request);
        let times = stopwatch.stop();
        let stopped = interrupt.load(Ordering::Relaxed).then_some(Stop::Interrupted);
        let name = game.name.clone();
        let mut simulated = SimulationAnswer::from_outcomes(&name, game.engine()?, outcomes, stopped);
        if let Some(picture) = picture {
            write(&picture, simulated.svg()?)?;
            simulated.files.extend(choice.svg);
        }
        let engine = game.engine()?.kind();
        let rates = Rates::new(simulated.states, simulated.playouts, &times);
        let lanes = lanes.lanes();
        let threads = request.threads;
        let seed = request.seed;
        let measured = SimulationReport { simulated, engine, lanes, threads, seed, times, rates };
        console.answer(&match self.json {
            true => serde_json::to_string(&Warned { answer: &measured, warnings })? + "\n",
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

impl SimulationReport {
    /// The results of the simulation, and its time.
    fn text(&self, paint: Paint, dialect: Dialect) -> String {
        let mut text = render::text(&Answer::new(self.simulated.clone()), paint, dialect);
        let threads = if self.threads == 1 { "1 thread".to_string() } else { format!("{} threads", self.threads) };
        let states = rate(self.rates.states_per_second);
        let playouts = rate(self.rates.playouts_per_second);
        text += &format!(
            "{:.2} s in {} lanes on {threads}: {playouts} playouts/s, {states} states/s\n",
            self.times.seconds, self.lanes
        );
        text + &self.rates.cpu_line(&self.times)
    }
}
