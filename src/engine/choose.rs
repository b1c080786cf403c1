//! The engines there are, by name, and what else can be chosen about the engine of a game.

use super::Progress;
use crate::ground::GroundBudget;
use crate::limits::Limits;
use crate::propnet;
use crate::suggestion::{alternatives, nearest};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// An engine that can be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineKind {
    /// The network where it can be built within the budget, else the resolution engine.
    #[default]
    Auto,
    /// The rules compiled to a network of gates ([`crate::propnet`]): fast, once it is built.
    Propnet,
    /// The resolution engine: answers straight from the rules ([`crate::interpreter`]).
    Interpreter,
}

/// Someone asked for an engine that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no engine `{name}`; {}", hint(name))]
pub struct UnknownEngine {
    /// What was asked for.
    pub name: String,
}

impl EngineKind {
    /// All that can be asked for.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Propnet, Self::Interpreter];
    /// Those that are one engine, and not a choice between engines.
    pub const CONCRETE: [Self; 2] = [Self::Propnet, Self::Interpreter];

    /// How it is written.
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

/// Which engine plays a game, and what setting it up may cost. An [`EngineKind`] alone stands for its defaults.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// The engine.
    pub kind: EngineKind,
    /// How much time and memory may go into grounding the rules, for the network.
    pub budget: GroundBudget,
    /// How the network is optimised and evaluated.
    pub propnet: propnet::Options,
    /// What stops the work: loading, setting engines up, and each question.
    pub limits: Limits,
    /// Somebody who wants to know while it is set up.
    pub progress: Option<Progress>,
}

impl EngineOptions {
    /// Stops soon after this flag is set: loading, setting engines up, and each question.
    pub fn with_interrupt(self, flag: Arc<AtomicBool>) -> Self {
        let limits = self.limits.clone().with_interrupt(flag);
        self.with_limits(limits)
    }

    /// Loading, setting engines up, and each question end at this moment. `Game::set_limits` gives the game other limits later.
    pub fn with_deadline(self, at: Instant) -> Self {
        let limits = self.limits.clone().with_deadline(at);
        self.with_limits(limits)
    }

    /// The interpreter keeps at most this many bytes for the answer to one question. Grounding has a limit of its own
    /// ([`GroundBudget::with_memory`]).
    pub fn with_memory(self, bytes: u64) -> Self {
        let limits = self.limits.clone().with_memory(bytes);
        self.with_limits(limits)
    }

    /// All of these limits instead of those before. Grounding takes over interrupt and deadline.
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
    match &nearest(name, EngineKind::ALL.iter().map(|kind| kind.name()))[..] {
        [] => format!("there is {}", alternatives(&EngineKind::ALL)),
        near => format!("did you mean {}?", alternatives(near)),
    }
}
