//! The command line: arguments, exit codes, and the calls to the rooms that do the work.
//!
//! Each subcommand has a file. Exit codes: 0 for success, 1 if the answer is negative or an expectation failed, 2 for
//! invalid usage or input, 3 for a limit, 130 for an interrupt. Answers go to standard output, everything else to
//! standard error.

mod again;
mod arguments;
mod bench;
mod bench_play;
mod browser_module;
mod check;
mod compile;
mod complete;
mod completions;
mod course;
mod db;
mod doctor;
mod eval;
mod explain;
mod fmt;
mod folder;
mod gamemaster;
mod games;
mod ground;
mod lsp;
mod man;
mod match_;
mod merge;
mod new;
mod overview;
mod perf_test;
mod person;
mod player;
mod propnet;
mod query;
mod repl;
mod replay;
mod run;
mod same;
mod scramble;
mod serve;
mod server;
mod simulate;
mod solve;
mod speed;
mod stage;
mod train;
mod tune;

use crate::lsp::ServerError;
use crate::provenance::{Provenance, keep_command};
use crate::repl::command::full_view;
use crate::repl::console::Console;
use crate::repl::error::{engine_code, input_code, lanes_code, load_code, origin_code, reason_code};
use crate::repl::terminal::Terminal;
use crate::repl::{CommandError, render};
use anyhow::Context;
use clap::{CommandFactory, Parser, Subcommand};
use gdl::diagnostic::render::{Paint, report};
use gdl::mask::is_masked;
use ggp_engine::interpreter::QueryError;
use ggp_engine::lanes::Target;
use ggp_engine::simulate::SimulationError;
use ggp_engine::{self as engine, Engine, EngineOptions, Game, LoadError, ReplayError};
use ggp_play::{MatchError, SameError};
use ggp_search::solving::SolvingError;
use ground::GroundingStopped;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// A workbench for games written in GDL, the Game Description Language of General Game Playing
#[derive(Parser)]
#[command(name = "ggp", version = env!("GGP_VERSION"))]
struct Arguments {
    #[command(subcommand)]
    command: CliCommand,
}

#[derive(Subcommand)]
enum CliCommand {
    Repl(repl::Arguments),
    Run(run::Arguments),
    Eval(eval::Arguments),
    Query(query::Arguments),
    New(new::Arguments),
    Check(check::Arguments),
    Explain(explain::Arguments),
    Fmt(fmt::Arguments),
    Replay(replay::Arguments),
    Bench(bench::Arguments),
    BenchPlay(bench_play::Arguments),
    Again(again::Arguments),
    Match(match_::Arguments),
    Merge(merge::Arguments),
    Train(train::Arguments),
    Tune(Box<tune::Arguments>),
    Simulate(simulate::Arguments),
    Solve(solve::Arguments),
    Db(db::Arguments),
    Gamemaster(gamemaster::Arguments),
    Games(games::Arguments),
    Course(course::Arguments),
    Same(same::Arguments),
    Scramble(scramble::Arguments),
    Ground(ground::Arguments),
    Propnet(propnet::Arguments),
    PerfTest(perf_test::Arguments),
    Compile(compile::Arguments),
    Player(Box<player::Arguments>),
    Server(server::Arguments),
    Serve(serve::Arguments),
    Lsp(lsp::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
    Doctor(doctor::Arguments),
}

/// The error that ends a subcommand early.
type Failure = anyhow::Error;

/// Runs the program with the arguments of this process.
pub fn run() -> ExitCode {
    let code = complete::answer(std::env::args_os().collect());
    ExitCode::from(code.unwrap_or_else(|| run_with(std::env::args_os())))
}

/// Runs the program with these arguments, of which the first is its name, and returns its exit code.
///
/// For programs that contain this one, such as a script of another language.
pub fn run_with(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    keep_command(&arguments);
    if arguments.len() <= 1 {
        // If this cannot be written, there is nothing else to do.
        let _ = Terminal::new().answer(&overview::text());
        return 0;
    }
    let parsed = Arguments::try_parse_from(&arguments).or_else(|error| {
        let with_prompt = overview::with_prompt(&arguments, &error);
        with_prompt.map_or(Err(error), Arguments::try_parse_from)
    });
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => {
            if let Some(subcommand) = overview::of_prompt(&error) {
                let mut console = Terminal::new();
                let _ = console.talk(&render::headline(&subcommand, console.paint()));
                return 2;
            }
            // If this cannot be written either, the exit code tells of the error.
            let _ = if arguments.iter().any(|argument| argument.to_string_lossy().contains(is_masked)) {
                Terminal::new().talk(&error.render().to_string())
            } else {
                error.print()
            };
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    INTERRUPT.get().inspect(|flag| flag.store(false, Ordering::Relaxed));
    let mut console = Terminal::new();
    match arguments.run(&mut console) {
        Ok(code) => code,
        Err(failure) if is_broken_pipe(&failure) => 0,
        Err(failure) => {
            let _ = console.talk(&text(&failure, console.paint()));
            exit_code(&failure)
        }
    }
}

/// The error that ended a subcommand, as text. Mistakes in rule sheets, and in terms among the arguments, are shown in
/// their places.
fn text(failure: &Failure, paint: Paint) -> String {
    let headline = render::headline(&format_args!("{failure:#}"), paint);
    let of_game = failure.downcast_ref().and_then(LoadError::problems);
    let problems = of_game.or_else(|| failure.downcast_ref().and_then(MatchError::problems));
    match (problems, failure.downcast_ref()) {
        (Some((source, diagnostics)), _) => report(diagnostics, source, paint) + &headline,
        (None, Some(mistyped @ (CommandError::Syntax { .. } | CommandError::Mistyped { .. }))) => {
            render::error(mistyped, paint)
        }
        _ => headline,
    }
}

impl Arguments {
    fn run(self, console: &mut Terminal) -> Result<u8, Failure> {
        force_back_end()?;
        match self.command {
            CliCommand::Repl(arguments) => arguments.run(console),
            CliCommand::Run(arguments) => arguments.run(console),
            CliCommand::Eval(arguments) => arguments.run(console),
            CliCommand::Query(arguments) => arguments.run(console),
            CliCommand::New(arguments) => arguments.run(console),
            CliCommand::Check(arguments) => arguments.run(console),
            CliCommand::Explain(arguments) => arguments.run(console),
            CliCommand::Fmt(arguments) => arguments.run(console),
            CliCommand::Replay(arguments) => arguments.run(console),
            CliCommand::Bench(arguments) => arguments.run(console),
            CliCommand::BenchPlay(arguments) => arguments.run(console),
            CliCommand::Again(arguments) => arguments.run(console),
            CliCommand::Match(arguments) => arguments.run(console),
            CliCommand::Merge(arguments) => arguments.run(console),
            CliCommand::Train(arguments) => arguments.run(console),
            CliCommand::Tune(arguments) => arguments.run(console),
            CliCommand::Simulate(arguments) => arguments.run(console),
            CliCommand::Solve(arguments) => arguments.run(console),
            CliCommand::Db(arguments) => arguments.run(console),
            CliCommand::Gamemaster(arguments) => arguments.run(console),
            CliCommand::Games(arguments) => arguments.run(console),
            CliCommand::Course(arguments) => arguments.run(console),
            CliCommand::Same(arguments) => arguments.run(console),
            CliCommand::Scramble(arguments) => arguments.run(console),
            CliCommand::Ground(arguments) => arguments.run(console),
            CliCommand::Propnet(arguments) => arguments.run(console),
            CliCommand::PerfTest(arguments) => arguments.run(console),
            CliCommand::Compile(arguments) => arguments.run(console),
            CliCommand::Player(arguments) => arguments.run(console),
            CliCommand::Server(arguments) => arguments.run(console),
            CliCommand::Serve(arguments) => arguments.run(console),
            CliCommand::Lsp(arguments) => arguments.run(),
            CliCommand::Completions(arguments) => arguments.run(console),
            CliCommand::Man(arguments) => arguments.run(Self::command(), console),
            CliCommand::Doctor(arguments) => arguments.run(console),
        }
    }
}

/// Forces the back end of lanes that the environment variable `GGP_LANES` names, if it is set.
fn force_back_end() -> Result<(), Failure> {
    match std::env::var("GGP_LANES") {
        Ok(name) if !name.is_empty() => Ok(name.parse::<Target>().and_then(Target::force).context("GGP_LANES")?),
        _ => Ok(()),
    }
}

/// Loads a game of the library or a file.
fn load(name: impl AsRef<OsStr>, engine: impl Into<EngineOptions>) -> Result<Game, LoadError> {
    engine::load(name, Path::new(""), engine)
}

/// Sets the engine of a game up and shows its notes.
fn set_up<'a>(game: &'a mut Game, console: &mut Terminal) -> Result<&'a mut Engine, Failure> {
    game.engine()?;
    show_notes(game, console)?;
    Ok(game.engine()?)
}

/// Shows the notes about the engine of a game.
fn show_notes(game: &mut Game, console: &mut Terminal) -> Result<(), Failure> {
    for note in game.take_notes() {
        console.talk(&render::note(&note, console.paint()))?;
    }
    Ok(())
}

/// Figures in JSON, with their provenance; warnings are listed if there are any.
#[derive(serde::Serialize)]
struct Figures<'a, T> {
    #[serde(flatten)]
    answer: &'a T,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    provenance: Provenance,
}

impl<'a, T: serde::Serialize> Figures<'a, T> {
    /// The figures of the command that runs.
    fn of_command(answer: &'a T, warnings: Vec<String>) -> Self {
        Self { answer, warnings, provenance: Provenance::of_command() }
    }

    /// The same, written to this file.
    fn in_file(self, file: &Path) -> Self {
        Self { provenance: self.provenance.in_file(file), ..self }
    }

    /// A line of JSON.
    fn to_line(&self) -> Result<String, Failure> {
        Ok(serde_json::to_string(self)? + "\n")
    }
}

/// Warns, and returns the warning, if roles of the game do not see the whole state, as players and searches do.
fn warned_of_hidden_moves(game: &Game, console: &mut Terminal) -> Result<Vec<String>, Failure> {
    let warning = full_view(game);
    if let Some(warning) = &warning {
        console.talk(&render::warning(warning, console.paint()))?;
    }
    Ok(warning.into_iter().collect())
}

/// The exit code of a subcommand that ended early. After an interrupt that is 130, whichever error it has led to.
fn exit_code(failure: &Failure) -> u8 {
    if INTERRUPT.get().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
        return 130;
    }
    let codes = [
        failure.downcast_ref().map(CommandError::exit_code),
        failure.downcast_ref().map(load_code),
        failure.downcast_ref().map(|_: &GroundingStopped| 3),
        failure.downcast_ref().map(origin_code),
        failure.downcast_ref().map(input_code),
        failure.downcast_ref().map(engine_code),
        failure.downcast_ref().map(lanes_code),
        failure.downcast_ref().map(reason_code),
        failure.downcast_ref().map(simulation_code),
        failure.downcast_ref().map(|error| match error {
            SameError::Engine(error) => engine_code(error),
            SameError::Reason(error) => reason_code(error),
        }),
        failure.downcast_ref().and_then(|error| matches!(error, SolvingError::NoThread).then_some(3)),
        failure.downcast_ref().and_then(|error| matches!(error, ServerError::NoThread(_)).then_some(3)),
        failure.downcast_ref().map(|error| match error {
            ReplayError::Reason { error, .. } => reason_code(error),
            ReplayError::Trace(_) => 2,
        }),
        failure.downcast_ref().map(|error| if let MatchError::Reason(error) = error { reason_code(error) } else { 2 }),
    ];
    codes.into_iter().flatten().next().unwrap_or(2)
}

/// The exit code if the checks by simulation have no answer.
fn simulation_code(error: &SimulationError) -> u8 {
    match error {
        SimulationError::Engine(error) => engine_code(error),
        SimulationError::Reason(error) | SimulationError::Query(QueryError::Reason(error)) => reason_code(error),
        SimulationError::Query(_) => 2,
    }
}

/// The flag of this process that Ctrl-C sets, once a subcommand has asked for it.
static INTERRUPT: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The flag that Ctrl-C sets. A second Ctrl-C ends the program, unless the flag was cleared before. Without the flag
/// the first one ends it.
fn interrupt_flag() -> io::Result<Arc<AtomicBool>> {
    if let Some(flag) = INTERRUPT.get() {
        return Ok(flag.clone());
    }
    let flag = INTERRUPT.get_or_init(Arc::default).clone();
    signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGINT, 130, flag.clone())?;
    signal_hook::flag::register(signal_hook::consts::SIGINT, flag.clone())?;
    Ok(flag)
}

/// The reader of the output has closed it, which is not an error.
fn is_broken_pipe(failure: &Failure) -> bool {
    failure
        .chain()
        .any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe))
}
