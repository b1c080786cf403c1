//! `ggp simulate`: plays many random games at once and shows their results.

use super::arguments::{EngineArguments, output, source_of, write};
use super::speed::{Rates, Stopwatch, Times, rate};
use super::{Failure, Figures, complete, interrupt_flag, load, set_up, show_notes, warned_of_hidden_moves};
use crate::repl::command::option::{FORCE, SVG};
use crate::repl::command::simulate::{
    GAMES, SEED, SIMULATE, SimulationAnswer, SimulationLength, SimulationRequest, TIME,
};
use crate::repl::command::{Arguments as PromptArguments, Command};
use crate::repl::console::Console;
use crate::repl::render;
use crate::repl::terminal::Terminal;
use crate::repl::{Answer, CommandError, read};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches};
use gdl::diagnostic::render::Paint;
use gdl::limits::Stop;
use gdl::quantity::Seconds;
use gdl::syntax::Dialect;
use ggp_engine::{EngineKind, EngineState, Game};
use ggp_game::Reasoner;
use ggp_play::ask::spec::{NamedOption, ValueKind};
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

/// The options that the subcommand shares with `simulate` at the prompt. Their arguments are made from the table of that
/// command.
struct PromptOptions(PromptArguments);

impl clap::Args for PromptOptions {
    fn augment_args(command: clap::Command) -> clap::Command {
        let options = SIMULATE.options.iter().flat_map(|group| group.options);
        let [games, time, seed] = [GAMES, TIME, SEED].map(|option| option.name.trim_start_matches('-'));
        command
            .args(options.map(argument))
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
        prompt_arguments(&SIMULATE, matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Time to play if neither a time nor a number of games is given.
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
        let choice = SimulationRequest::from_arguments(&self.choice.0, SimulationLength::Time(TIME_TO_PLAY))?;
        let force = self.choice.0.has(&FORCE);
        let svg = self.choice.0.word(&SVG);
        let picture = svg.map(|file| output(file, force, source_of(&self.file))).transpose()?;
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
            simulated.files.extend(svg.map(str::to_string));
        }
        let engine = game.engine()?.kind();
        let rates = Rates::new(simulated.states, simulated.playouts, &times);
        let lanes = lanes.lanes();
        let threads = request.threads;
        let seed = request.seed;
        let measured = SimulationReport { simulated, engine, lanes, threads, seed, times, rates };
        console.answer(&match self.json {
            true => Figures::of_command(&measured, warnings).to_line()?,
            false => measured.text(console.paint(), game.sheet.dialect),
        })?;
        Ok(if stopped.is_some() { 130 } else { 0 })
    }

    /// The initial state, or that of `--from`.
    fn start(&self, game: &mut Game) -> Result<EngineState, Failure> {
        let Some(facts) = &self.from else { return Ok(game.engine()?.initial_state()?) };
        let facts = read::terms(facts)?;
        let state = game.state_from_facts(&facts)?;
        Ok(game.engine_at(&state)?.1)
    }
}

impl SimulationReport {
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

/// An option of the prompt as an argument of the shell.
fn argument(option: &NamedOption) -> Arg {
    let id = option.key();
    let argument = Arg::new(id).long(id).help(capitalised(&option.meaning())).required(option.is_required);
    match option.value {
        ValueKind::Flag => argument.action(ArgAction::SetTrue),
        ValueKind::Text { name, .. } | ValueKind::Number { name, .. } | ValueKind::Search { name, .. } => {
            argument.value_name(name)
        }
        ValueKind::OptionalNumber { name } => argument.value_name(name).num_args(0..=1),
        ValueKind::Word { of, is_optional } => {
            argument.value_parser(of.to_vec()).num_args(usize::from(!is_optional)..=1)
        }
        ValueKind::TwoWords { names } => argument.value_names(names.split(' ')).num_args(1..=2),
    }
}

/// The arguments of the prompt for a command, from those of the shell. Defaults are left to the command.
fn prompt_arguments(command: &'static Command, matches: &ArgMatches) -> Result<PromptArguments, clap::Error> {
    let given = command.options.iter().flat_map(|group| group.options).filter_map(|option| {
        let id = option.key();
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            return None;
        }
        let values = match option.value {
            ValueKind::Flag => Vec::new(),
            _ => matches.get_many::<String>(id).into_iter().flatten().cloned().collect(),
        };
        Some((*option, values))
    });
    let wrong = |error: CommandError| clap::Error::raw(clap::error::ErrorKind::ValueValidation, format!("{error}\n"));
    PromptArguments::of_values(command, given).map_err(wrong)
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
