//! The engines by name, and the other options for the engine of a game.

use super::{NetworkCache, SetupProgress};
use crate::ground::GroundBudget;
use crate::propnet;
use gdl::limits::{Deadline, Limits};
use gdl::suggestion::near_or_all;
use ggp_game::files::InputLimit;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// An engine to select by name, or the choice between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineKind {
    /// The propnet if it can be built within the budget, otherwise the interpreter.
    #[default]
    Auto,
    /// The rules compiled to a network of gates ([`crate::propnet`]): slow to build, fast to evaluate.
    Propnet,
    /// The resolution engine: answers straight from the rules ([`crate::interpreter`]).
    Interpreter,
}

/// The name of an engine that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no engine `{name}`; {}", hint(name))]
pub struct UnknownEngine {
    /// The name that is not an engine's.
    pub(crate) name: String,
}

impl EngineKind {
    /// All engines that can be selected.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Propnet, Self::Interpreter];
    /// The engines without [`EngineKind::Auto`], which only chooses between them.
    pub const CONCRETE: [Self; 2] = [Self::Propnet, Self::Interpreter];

    /// The name in commands and options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Propnet => "propnet",
            Self::Interpreter => "interpreter",
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for EngineKind {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownEngine { name: name.to_string() })
    }
}

/// The engine that plays a game, and the limits on setting it up. An [`EngineKind`] converts to its defaults.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// The engine, or [`EngineKind::Auto`] to choose one.
    pub kind: EngineKind,
    /// The limits on grounding the rules, for the network.
    pub budget: GroundBudget,
    /// How the network is optimised and evaluated.
    pub propnet: propnet::NetworkOptions,
    /// The largest file that is read for the game.
    pub input: InputLimit,
    /// The limits on loading, on setting up engines, and on each question.
    pub limits: Limits,
    /// Where networks are kept that take long to build; by default nowhere.
    pub cache: Option<NetworkCache>,
    /// Is told about the progress of setting up.
    pub progress: Option<SetupProgress>,
}

impl EngineOptions {
    /// Stops loading, setting up engines and each question soon after this flag is set.
    pub fn with_interrupt(self, flag: Arc<AtomicBool>) -> Self {
        let limits = self.limits.clone().with_interrupt(flag);
        self.with_limits(limits)
    }

    /// Stops loading, setting up engines and each question at this moment. `Game::set_limits` changes it later.
    pub fn with_deadline(self, at: Deadline) -> Self {
        let limits = self.limits.clone().with_deadline(at);
        self.with_limits(limits)
    }

    /// The interpreter keeps at most this many bytes for the answer to one question. Grounding has its own limit
    /// ([`GroundBudget::with_memory`]).
    pub fn with_memory(self, bytes: u64) -> Self {
        let limits = self.limits.clone().with_memory(bytes);
        self.with_limits(limits)
    }

    /// Replaces all limits. Grounding uses their interrupt and deadline.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.budget = self.budget.with_limits(&limits);
        self.limits = limits;
        self
    }
}

impl From<EngineKind> for EngineOptions {
    fn from(kind: EngineKind) -> Self {
        Self { kind, ..Self::default() }
    }
}

fn hint(name: &str) -> String {
    near_or_all(name, &EngineKind::ALL.map(EngineKind::name))
}
