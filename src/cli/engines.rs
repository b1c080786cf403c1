//! Engines as arguments: which one, and what setting it up may cost.

use crate::engine::{EngineKind, EngineOptions, SetupProgress};
use crate::ground::GroundBudget;
use crate::limits::Limits;
use crate::propnet::{self, EvaluatorKind, PASSES};
use crate::quantity::{Seconds, Size};
use crate::repl::progress_line::ProgressLine;
use crate::suggestion::{alternatives, nearest};
use std::time::Instant;

/// Which engine plays and searches.
#[derive(clap::Args)]
pub(super) struct EngineArguments {
    /// The engine: `propnet`, `interpreter`, or `auto`: the propnet where it can be built, else the interpreter
    #[arg(long, value_name = "NAME", default_value_t)]
    engine: EngineKind,
    #[command(flatten)]
    budget: BudgetArguments,
    /// Give up a question to the interpreter when its answer takes more (K, M or G; MiB without a letter)
    #[arg(long, value_name = "SIZE", default_value_t = Size::new(Limits::MEMORY))]
    answer_memory: Size,
    /// How the propnet evaluates: `full`, `incremental`, `compiled`, `sparse`, or `auto`: what is fastest on the game
    #[arg(long, value_name = "NAME", default_value_t)]
    evaluator: EvaluatorKind,
    /// Leave a pass of the propnet's optimiser out; may be repeated
    #[arg(long, value_name = "NAME", value_parser = pass)]
    no_pass: Vec<String>,
}

/// How a network is made.
#[derive(clap::Args)]
pub(super) struct CompileArguments {
    #[command(flatten)]
    budget: BudgetArguments,
    /// Leave a pass of the propnet's optimiser out; may be repeated
    #[arg(long, value_name = "NAME", value_parser = pass)]
    no_pass: Vec<String>,
}

impl CompileArguments {
    /// The options of these arguments. What evaluates the network is found out when it is loaded.
    pub(super) fn options(&self) -> EngineOptions {
        let propnet = propnet::Options { evaluator: EvaluatorKind::Incremental, without: self.no_pass.clone() };
        let (kind, budget) = (EngineKind::Interpreter, self.budget.budget());
        EngineOptions { kind, budget, propnet, limits: Limits::new(), progress: None }
    }
}

/// What grounding may cost.
#[derive(clap::Args)]
pub(super) struct BudgetArguments {
    /// Give up grounding after this time
    #[arg(long, value_name = "SECONDS", default_value_t = Seconds::new(20))]
    ground_seconds: Seconds,
    /// Give up grounding when it takes about this much memory (K, M or G; MiB without a letter)
    #[arg(long, value_name = "SIZE", default_value_t = Size::mebibytes(2048))]
    ground_memory: Size,
}

impl EngineArguments {
    /// The engine of these arguments.
    pub(super) fn options(&self) -> EngineOptions {
        EngineOptions {
            kind: self.engine,
            budget: self.budget.budget(),
            propnet: propnet::Options { evaluator: self.evaluator, without: self.no_pass.clone() },
            limits: Limits::new().with_memory(self.answer_memory.bytes()),
            progress: Some(progress()),
        }
    }
}

impl BudgetArguments {
    /// The budget of these arguments.
    pub(super) fn budget(&self) -> GroundBudget {
        GroundBudget::new().with_time(self.ground_seconds.duration()).with_memory(self.ground_memory.addressable())
    }
}

/// On a terminal, a line that says how long the propnet has been in the making.
fn progress() -> SetupProgress {
    SetupProgress::new(|| {
        let started = Instant::now();
        let text = move || format!("building the propnet: {} s (Ctrl-C stops)", started.elapsed().as_secs());
        Box::new(ProgressLine::start(move || Some(text())))
    })
}

/// The name of a pass of the optimiser.
pub(super) fn pass(name: &str) -> Result<String, String> {
    if PASSES.iter().any(|pass| pass.name == name) {
        return Ok(name.to_string());
    }
    let names: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
    let hint = match &nearest(name, names.iter().copied())[..] {
        [] => format!("there is {}", alternatives(&names)),
        near => format!("did you mean {}?", alternatives(near)),
    };
    Err(format!("there is no pass `{name}`; {hint}"))
}
