//! Arguments that several subcommands share: the engine and the limits on setting it up, files that are read and written,
//! dialects, and the level of logging.

use super::Failure;
use crate::provenance::Provenance;
use crate::repl::terminal::ProgressLine;
use anyhow::Context;
use gdl::limits::Limits;
use gdl::mask::MaskedStream;
use gdl::quantity::{Seconds, Size};
use gdl::suggestion::near_or_all;
use gdl::syntax::Dialect;
use ggp_engine::ground::GroundBudget;
use ggp_engine::propnet::{self, EvaluatorKind, PASSES};
use ggp_engine::{EngineKind, EngineOptions, GameOrigin, NetworkCache, SetupProgress};
use ggp_game::files::{InputLimit, OutputPath};
use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tracing::level_filters::LevelFilter;

/// The engine that plays and searches, with its options.
#[derive(clap::Args)]
pub(super) struct EngineArguments {
    /// The engine: `propnet`, `interpreter`, or `auto`: the propnet if it can be built, otherwise the interpreter
    #[arg(long, value_name = "NAME", default_value_t)]
    engine: EngineKind,
    #[command(flatten)]
    budget: BudgetArguments,
    /// Stop the interpreter if an answer needs more memory than this (K, M or G; MiB without a letter)
    #[arg(long, value_name = "SIZE", default_value_t = Size::new(Limits::MEMORY))]
    answer_memory: Size,
    /// The evaluator of the propnet: `full`, `incremental`, `compiled`, `sparse`, `demand`, or `auto`: the fastest for the game
    #[arg(long, value_name = "NAME", default_value_t)]
    evaluator: EvaluatorKind,
    /// Switch off a pass of the propnet's optimiser; may be repeated
    #[arg(long, value_name = "NAME", value_parser = pass)]
    no_pass: Vec<String>,
    /// Load a sheet that only breaks a rule of form (E102, E105, E106, E107), with a warning that says what it means
    #[arg(long)]
    lenient: bool,
}

/// The options for compiling a network.
#[derive(clap::Args)]
pub(super) struct CompileArguments {
    #[command(flatten)]
    budget: BudgetArguments,
    /// Switch off a pass of the propnet's optimiser; may be repeated
    #[arg(long, value_name = "NAME", value_parser = pass)]
    no_pass: Vec<String>,
}

impl CompileArguments {
    /// The engine options. No evaluator is chosen here: that is done when the network is loaded.
    pub(super) fn options(&self) -> EngineOptions {
        let propnet = propnet::NetworkOptions {
            evaluator: EvaluatorKind::Incremental,
            without: self.no_pass.clone(),
            ..Default::default()
        };
        let kind = EngineKind::Interpreter;
        let budget = self.budget.budget();
        EngineOptions { kind, budget, propnet, input: self.budget.input.limit(), ..EngineOptions::default() }
    }
}

/// The limits on reading a game and on grounding it.
#[derive(clap::Args)]
pub(super) struct BudgetArguments {
    /// Stop grounding after this time, instead of after an amount of work that does not depend on the machine
    #[arg(long, value_name = "SECONDS")]
    ground_seconds: Option<Seconds>,
    /// Stop grounding when it needs about this much memory (K, M or G; MiB without a letter)
    #[arg(long, value_name = "SIZE", default_value_t = Size::mebibytes(2048))]
    ground_memory: Size,
    #[command(flatten)]
    pub(super) input: InputArguments,
}

impl EngineArguments {
    /// The limits on building a network and the way of reading, as options of another process.
    pub(super) fn budget_options(&self) -> Vec<String> {
        let time = self.budget.ground_seconds.map(|time| format!("--ground-seconds={time}"));
        let memory = format!("--ground-memory={}", self.budget.ground_memory.bytes() >> 10) + "K";
        let lenient = self.lenient.then(|| "--lenient".to_string());
        time.into_iter().chain([memory]).chain(lenient).collect()
    }

    pub(super) fn input(&self) -> InputLimit {
        self.budget.input.limit()
    }

    pub(super) fn options(&self) -> EngineOptions {
        EngineOptions {
            kind: self.engine,
            budget: self.budget.budget(),
            propnet: propnet::NetworkOptions {
                evaluator: self.evaluator,
                without: self.no_pass.clone(),
                ..Default::default()
            },
            input: self.input(),
            limits: Limits::new().with_memory(self.answer_memory.bytes()),
            cache: cache(),
            progress: Some(progress()),
            background: None,
            is_lenient: self.lenient,
            takes_programs: false,
        }
    }
}

impl BudgetArguments {
    pub(super) fn budget(&self) -> GroundBudget {
        let budget = GroundBudget::new().with_memory(self.ground_memory.addressable());
        self.ground_seconds.into_iter().fold(budget, |budget, time| budget.with_time(time.duration()))
    }

    /// The options for loading a game without setting up a network.
    pub(super) fn loading(&self) -> EngineOptions {
        EngineOptions { input: self.input.limit(), ..EngineKind::Interpreter.into() }
    }
}

/// The cache of networks that take long to build: in the folder that the environment variable `GGP_CACHE` names, or else
/// in the user's folder for such files. There is none if the variable is `off`.
pub(super) fn cache() -> Option<NetworkCache> {
    let folder = match std::env::var_os("GGP_CACHE").filter(|name| !name.is_empty()) {
        Some(name) if name == "off" => return None,
        Some(folder) => folder.into(),
        None => directories::ProjectDirs::from("", "", "ggp")?.cache_dir().to_path_buf(),
    };
    Some(NetworkCache::new(folder).with_version(env!("GGP_VERSION")))
}

/// Progress of building the propnet: on a terminal, a line with the time spent.
fn progress() -> SetupProgress {
    SetupProgress::new(|| {
        let started = Instant::now();
        let text = move || format!("building the propnet: {} s (Ctrl-C stops)", started.elapsed().as_secs());
        Box::new(ProgressLine::start(move || Some(text())))
    })
}

/// Checks the name of a pass of the optimiser.
pub(super) fn pass(name: &str) -> Result<String, String> {
    if PASSES.iter().any(|pass| pass.name == name) {
        return Ok(name.to_string());
    }
    let names: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
    Err(format!("there is no pass `{name}`; {}", near_or_all(name, &names)))
}

/// The limit on files that are read.
#[derive(clap::Args)]
pub(super) struct InputArguments {
    /// Refuse to read a file, or a line of standard input, that is larger than this (K, M or G; MiB without a letter)
    #[arg(long, value_name = "SIZE", default_value_t = InputLimit::default().size())]
    max_input: Size,
}

impl InputArguments {
    pub(super) fn limit(&self) -> InputLimit {
        InputLimit::new(self.max_input.bytes())
    }
}

/// Permission to replace files.
#[derive(clap::Args)]
pub(super) struct OutputArguments {
    /// Replace existing files, and write to the targets of symbolic links
    #[arg(long)]
    force: bool,
}

impl OutputArguments {
    /// The file that an argument names.
    ///
    /// # Errors
    /// If it may not be written or is one of the sources. A subcommand calls this before any work.
    pub(super) fn output(
        &self,
        file: &Path,
        sources: impl IntoIterator<Item = PathBuf>,
    ) -> Result<OutputPath, Failure> {
        output(file, self.force, sources)
    }
}

/// As [`OutputArguments::output`]; `is_forced` replaces `--force`.
pub(super) fn output(
    file: impl Into<PathBuf>,
    is_forced: bool,
    sources: impl IntoIterator<Item = PathBuf>,
) -> Result<OutputPath, Failure> {
    let output = OutputPath::new(file).forced(is_forced).sparing(sources);
    output.check().with_context(|| unwritable(&output))?;
    Ok(output)
}

/// Writes a file, completely or not at all.
pub(super) fn write(output: &OutputPath, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    output.write(contents).with_context(|| unwritable(output))
}

/// Writes a table with commas, completely or not at all, and its provenance beside it.
pub(super) fn write_figures(output: &OutputPath, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    write(output, contents)?;
    Provenance::of_command().write_beside(output.path()).with_context(|| unwritable(output))
}

/// Headline of the error for a file that cannot be written.
pub(super) fn unwritable(output: &OutputPath) -> String {
    format!("cannot write {output}")
}

/// The file of a game that an argument names; `None` for one of the library or from standard input.
pub(super) fn source_of(game: impl AsRef<OsStr>) -> Option<PathBuf> {
    GameOrigin::file_of(game, Path::new(""))
}

/// A dialect on the command line.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum DialectName {
    /// KIF: (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    Prefix,
    /// HRF: next(step(N)) :- true(step(M)) & succ(M,N)
    Infix,
    /// HRF with operations, as in Stanford's course: tick :: step(M) & succ(M,N) ==> ~step(M) & step(N)
    Operations,
}

impl From<DialectName> for Dialect {
    fn from(name: DialectName) -> Self {
        match name {
            DialectName::Prefix => Self::Prefix,
            DialectName::Infix => Self::Infix,
            DialectName::Operations => Self::Operations,
        }
    }
}

/// The level of logging; each includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(super) enum Log {
    /// Nothing
    Off,
    /// Internal errors
    Error,
    /// Also errors of peers
    Warn,
    /// Also the course of matches
    Info,
    /// Also each message with its time, and the results of searches
    Debug,
}

impl Log {
    /// Starts logging, for the rest of the process.
    pub(super) fn start(self) {
        let level = match self {
            Self::Off => LevelFilter::OFF,
            Self::Error => LevelFilter::ERROR,
            Self::Warn => LevelFilter::WARN,
            Self::Info => LevelFilter::INFO,
            Self::Debug => LevelFilter::DEBUG,
        };
        let lines = tracing_subscriber::fmt()
            .with_max_level(level)
            .with_writer(|| MaskedStream(io::stderr()))
            .with_target(false);
        // This fails only if the process has a logger already, which then stays.
        let _ = tracing::subscriber::set_global_default(lines.with_ansi(false).finish());
    }
}

impl fmt::Display for Log {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Off => "off",
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
        })
    }
}
