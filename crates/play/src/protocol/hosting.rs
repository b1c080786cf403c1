//! Limits on work for other machines: the size of rules, the clocks of a message, and the memory of what it starts.

use super::{Refusal, StartMessage};
use gdl::limits::Limits;
use ggp_engine::EngineOptions;
use std::time::Duration;

/// Limits of hosted work. A message beyond them is refused before any work is done for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostLimits {
    /// The greatest size of the rules of a game, in bytes.
    pub rules: usize,
    /// The longest clock of a match or a preview.
    pub clock: Duration,
    /// The memory limit for the engines of a match, in bytes. Half of it is for grounding, an eighth for the answer to
    /// one question to the interpreter: the match and its player may each ask one, and both keep states. The rest, a
    /// quarter, is for the player's search ([`HostLimits::search_memory`]).
    pub memory: u64,
    /// How long the threads of a match or a preview may go on after its end before a new match no longer waits for
    /// them.
    pub grace: Duration,
}

impl Default for HostLimits {
    /// 1 MiB of rules, clocks up to an hour, and 2 GiB of memory, ten seconds of grace.
    fn default() -> Self {
        Self { rules: 1 << 20, clock: Duration::from_secs(3600), memory: 2 << 30, grace: Duration::from_secs(10) }
    }
}

impl HostLimits {
    /// Checks the rules and clocks of a match.
    pub(super) fn admit_match(&self, start: &StartMessage) -> Result<(), Refusal> {
        let clocks = start.clocks();
        self.admit(&start.rules, clocks.start.max(clocks.play))
    }

    /// Checks the size of the rules and the length of the clock.
    pub(super) fn admit(&self, rules: &str, clock: Duration) -> Result<(), Refusal> {
        let Self { rules: most, clock: longest, .. } = self;
        if rules.len() > *most {
            return Err(Refusal::Limit(format!("the rules have {} bytes, and the limit is {most}", rules.len())));
        }
        if clock > *longest {
            let clock = clock.as_secs();
            let longest = longest.as_secs_f64();
            return Err(Refusal::Limit(format!("a clock of {clock} s exceeds the limit of {longest} s")));
        }
        Ok(())
    }

    /// Lowers the memory limits of the engine to those of hosted work.
    pub(super) fn bounded(&self, mut engine: EngineOptions) -> EngineOptions {
        let half = usize::try_from(self.memory / 2).unwrap_or(usize::MAX);
        if engine.budget.memory() > half {
            engine.budget = engine.budget.with_memory(half);
        }
        let memory = engine.limits.memory().min(self.question_memory());
        engine.with_memory(memory)
    }

    /// The limits for computing the result at the end of a match, which is only logged.
    pub(super) fn at_the_end(&self) -> Limits {
        Limits::new().with_memory(self.question_memory()).with_time(Self::END_CLOCK)
    }

    /// The bytes that a player may keep for its search, where its options say nothing else: a quarter of the memory.
    pub fn search_memory(&self) -> u64 {
        (self.memory / 4).max(1)
    }

    const END_CLOCK: Duration = Duration::from_millis(500);

    fn question_memory(&self) -> u64 {
        self.memory / 8
    }
}
