//! What the work for others may cost: limits of the rules and the clocks of a message, and of the memory of what it starts.

use super::{Refusal, StartMessage};
use crate::engine::EngineOptions;
use crate::limits::Limits;
use std::time::Duration;

/// Limits of hosted work. A message beyond them is refused before any work is done for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostLimits {
    /// The most bytes of the rules of a game.
    pub rules: usize,
    /// The longest clock of a match or a preview.
    pub clock: Duration,
    /// The bytes that the engines of a match may keep. Grounding gets a half of it, the answer to one question of the interpreter an eighth:
    /// the match and its player may each ask one, and keep the states that they are given. Search trees have limits of their own
    /// ([`crate::play::PlayerOptions`]).
    pub memory: u64,
}

impl Default for HostLimits {
    /// 1 MiB of rules, clocks of an hour, 2 GiB.
    fn default() -> Self {
        Self { rules: 1 << 20, clock: Duration::from_secs(3600), memory: 2 << 30 }
    }
}

impl HostLimits {
    /// Whether a match may begin.
    pub(super) fn admit_match(&self, start: &StartMessage) -> Result<(), Refusal> {
        let clocks = start.clocks();
        self.admit(&start.rules, clocks.start.max(clocks.play))
    }

    /// Whether these rules may be worked on within this clock.
    pub(super) fn admit(&self, rules: &str, clock: Duration) -> Result<(), Refusal> {
        let Self { rules: most, clock: longest, .. } = self;
        if rules.len() > *most {
            return Err(Refusal::Limit(format!("the rules have {} bytes, and at most {most} are taken", rules.len())));
        }
        if clock > *longest {
            let (clock, longest) = (clock.as_secs(), longest.as_secs_f64());
            return Err(Refusal::Limit(format!(
                "a clock of {clock} s is longer than the {longest} s that are allowed"
            )));
        }
        Ok(())
    }

    /// The engine for hosted rules: no more memory than this, and less where it has less already.
    pub(super) fn bounded(&self, mut engine: EngineOptions) -> EngineOptions {
        let half = usize::try_from(self.memory / 2).unwrap_or(usize::MAX);
        if engine.budget.memory() > half {
            engine.budget = engine.budget.with_memory(half);
        }
        let memory = engine.limits.memory().min(self.question_memory());
        engine.with_memory(memory)
    }

    /// What holds at the end of a match, whose result is only logged.
    pub(super) fn at_the_end(&self) -> Limits {
        Limits::new().with_memory(self.question_memory()).with_time(Self::END_CLOCK)
    }

    const END_CLOCK: Duration = Duration::from_millis(500);

    fn question_memory(&self) -> u64 {
        self.memory / 8
    }
}
