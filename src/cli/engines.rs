//! Arguments for engines: the kind of engine, and the limits on setting it up.

use super::files::InputArguments;
use crate::repl::terminal::ProgressLine;
use gdl::limits::Limits;
use gdl::quantity::{Seconds, Size};
use gdl::suggestion::near_or_all;
use ggp_engine::ground::GroundBudget;
use ggp_engine::propnet::{self, EvaluatorKind, PASSES};
use ggp_engine::{EngineKind, EngineOptions, NetworkCache, SetupProgress};
use ggp_game::files::InputLimit;
use std::time::Instant;

/// The engine that plays and searches, with its options.
#[derive(clap::Args)]
pub(super) struct EngineArguments {
    /// The engine: `propnet`, `interpreter`, or `auto`: the propnet if it can be built, otherwise the interpreter
    #[arg(long, value_name = "NAME", default_value_t)]
    engine: EngineKind,
    #[command(flatten)]
    budget: BudgetArguments,
    /// Stop a question to the interpreter when its answer needs more memory (K, M or G; MiB without a letter)
    #[arg(long, value_name = "SIZE", default_value_t = Size::new(Limits::MEMORY))]
    answer_memory: Size,
    /// The evaluator of the propnet: `full`, `incremental`, `compiled`, `sparse`, or `auto`: the fastest for the game
    #[arg(long, value_name = "NAME", default_value_t)]
    evaluator: EvaluatorKind,
    /// Switch off a pass of the propnet's optimiser; may be repeated
    #[arg(long, value_name = "NAME", value_parser = pass)]
    no_pass: Vec<String>,
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
    /// The options for these arguments. The evaluator is chosen when the network is loaded.
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
    /// Stop grounding after this time
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(20))]
    ground_seconds: Seconds,
    /// Stop grounding when it needs about this much memory (K, M or G; MiB without a letter)
    #[arg(long, value_name = "SIZE", default_value_t = Size::mebibytes(2048))]
    ground_memory: Size,
    #[command(flatten)]
    pub(super) input: InputArguments,
}

impl EngineArguments {
    /// The limit on what is read.
    pub(super) fn input(&self) -> InputLimit {
        self.budget.input.limit()
    }

    /// The options for these arguments.
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
        }
    }
}

impl BudgetArguments {
    /// The budget for these arguments.
    pub(super) fn budget(&self) -> GroundBudget {
        GroundBudget::new().with_time(self.ground_seconds.duration()).with_memory(self.ground_memory.addressable())
    }

    /// The options of a game that is only read here.
    pub(super) fn loading(&self) -> EngineOptions {
        EngineOptions { input: self.input.limit(), ..EngineKind::Interpreter.into() }
    }
}

/// Where networks are kept that take long to build: in the folder that the environment variable `GGP_CACHE` names, or
/// else in the user's folder for such files; nowhere if it is `off`.
pub(super) fn cache() -> Option<NetworkCache> {
    let folder = match std::env::var_os("GGP_CACHE").filter(|name| !name.is_empty()) {
        Some(name) if name == "off" => return None,
        Some(folder) => folder.into(),
        None => directories::ProjectDirs::from("", "", "ggp")?.cache_dir().to_path_buf(),
    };
    Some(NetworkCache::new(folder).with_version(env!("GGP_VERSION")))
}

/// On a terminal, a line with the time spent on building the propnet.
fn progress() -> SetupProgress {
    SetupProgress::new(|| {
        let started = Instant::now();
        let text = move || format!("building the propnet: {} s (Ctrl-C stops)", started.elapsed().as_secs());
        Box::new(ProgressLine::start(move || Some(text())))
    })
}

/// Parses the name of a pass of the optimiser.
pub(super) fn pass(name: &str) -> Result<String, String> {
    if PASSES.iter().any(|pass| pass.name == name) {
        return Ok(name.to_string());
    }
    let names: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
    Err(format!("there is no pass `{name}`; {}", near_or_all(name, &names)))
}
