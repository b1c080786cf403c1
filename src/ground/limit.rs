//! The budget of a grounding, its progress, and its errors.

use crate::game::ReasonError;
use crate::interpreter::closure::{ClosureLimits, Unfinished};
use crate::limits::{Limits, Poll, Stopped};
use crate::rules::RelationId;
use crate::syntax::Span;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The limits of one grounding.
#[derive(Clone, Debug)]
pub struct GroundBudget {
    pub(super) time: Duration,
    pub(super) memory: usize,
    pub(super) unrestricted: usize,
    work: Limits,
    progress: Option<Listener>,
}

/// The progress of a grounding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroundProgress {
    /// The number of possible facts, moves and views found so far.
    pub(crate) possible: usize,
    /// The number of rules that have been instantiated, which begins once all possible atoms have been found.
    pub(crate) rules_done: usize,
    /// The number of all rules.
    pub rules: usize,
}

/// The callback that is told about the progress.
#[derive(Clone)]
struct Listener(Arc<dyn Fn(GroundProgress) + Send + Sync>);

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

impl GroundBudget {
    /// The default limits: 20 seconds, 2 GiB.
    pub fn new() -> Self {
        let (time, memory) = (Duration::from_secs(20), 2 << 30);
        Self { time, memory, unrestricted: 1 << 17, work: Limits::none(), progress: None }
    }

    /// Stops after this time.
    pub fn with_time(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// Stops when tuples and rules take about this many bytes.
    pub fn with_memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// The limit on memory, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.memory
    }

    /// Restricts grounding to the atoms that are asked for if more than this number of tuples is possible (default
    /// 131,072; 0 always restricts). Conditions that never change and hold for more tuples than this are evaluated one
    /// variable at a time. The ground rules are equivalent in every reachable state, but finding out what is asked for
    /// takes time as well.
    pub fn with_unrestricted(mut self, tuples: usize) -> Self {
        self.unrestricted = tuples;
        self
    }

    /// Stops soon after this flag is set.
    pub fn with_interrupt(mut self, flag: Arc<AtomicBool>) -> Self {
        self.work = self.work.with_interrupt(flag);
        self
    }

    /// Also stops by the interrupt or at the deadline of these limits. Their memory limit is ignored, since grounding
    /// has its own ([`GroundBudget::with_memory`]).
    pub fn with_limits(mut self, limits: &Limits) -> Self {
        self.work = limits.clone().with_memory(u64::MAX);
        self
    }

    /// Calls a listener many times a second with the progress of the grounding.
    pub fn with_progress(mut self, listener: Arc<dyn Fn(GroundProgress) + Send + Sync>) -> Self {
        self.progress = Some(Listener(listener));
        self
    }

    /// The time after which grounding stops.
    pub(crate) fn time(&self) -> Duration {
        self.time
    }

    /// The interrupt and the deadline that stop the work independently of the budget; the steps after grounding
    /// (building the network, its passes, lowering) must poll them as well.
    pub(crate) fn work(&self) -> Limits {
        self.work.clone()
    }

    /// [`GroundBudget::work`], and this deadline where there is no earlier one.
    pub(super) fn work_until(&self, deadline: Instant) -> Limits {
        let work = self.work();
        if work.deadline().is_some_and(|own| own < deadline) { work } else { work.with_deadline(deadline) }
    }

    /// The limits of a closure that ends at the deadline. `done` counts the rules that have been instantiated, of
    /// `rules`.
    pub(super) fn limits(&self, deadline: Instant, done: &Arc<AtomicUsize>, rules: usize) -> ClosureLimits {
        let watch = self.progress.clone().map(|Listener(tell)| -> Arc<dyn Fn(usize) + Send + Sync> {
            let done = Arc::clone(done);
            Arc::new(move |possible| tell(GroundProgress { possible, rules_done: done.load(Ordering::Relaxed), rules }))
        });
        ClosureLimits { deadline: Some(deadline), memory: Some(self.memory), tuples: None, watch }
    }
}

/// The limits of what is done with rules before the closure, which asks its own: rewriting, demands, cutting.
pub(super) struct Preparation<'a> {
    poll: Poll<'a>,
    deadline: Instant,
    memory: usize,
}

/// A rule at work: the relation that it gives, how many rules have been made of it, and where it stands.
pub(super) type At = (RelationId, usize, Span);

impl<'a> Preparation<'a> {
    /// Within a budget that ends at the deadline; `work` is [`GroundBudget::work_until`] then.
    pub(super) fn new(budget: &GroundBudget, work: &'a Limits, deadline: Instant) -> Self {
        Self { poll: work.poll(), deadline, memory: budget.memory }
    }

    /// Work of this many steps is about to be done for a rule.
    ///
    /// # Errors
    /// [`Unfinished`] if the time is up or the caller interrupts.
    pub(super) fn steps(&self, steps: usize, at: At) -> Result<(), Unfinished> {
        self.poll.steps(steps).map_err(|stopped| {
            let is_own = matches!(stopped, Stopped::Time { .. }) && Instant::now() >= self.deadline;
            let reason = if is_own { ReasonError::Limit { what: "seconds", limit: 0 } } else { stopped.into() };
            Unfinished { reason, at: Some(at) }
        })
    }

    /// What has been made of rules takes about this many bytes.
    ///
    /// # Errors
    /// [`Unfinished`] if that is more than was given.
    pub(super) fn keep(&self, bytes: usize, at: At) -> Result<(), Unfinished> {
        let reason = ReasonError::Limit { what: "bytes", limit: self.memory as u64 };
        if bytes > self.memory { Err(Unfinished { reason, at: Some(at) }) } else { Ok(()) }
    }
}

impl Default for GroundBudget {
    fn default() -> Self {
        Self::new()
    }
}

impl GroundError {
    /// The rule that was at work when the budget was used up.
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::Limit { at, .. } => at.as_ref().map(|at| at.span),
            Self::Inconsistent { .. } | Self::Reason(_) => None,
        }
    }
}

/// The rule at work when the budget was used up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtWork {
    /// The relation that the rule defines.
    pub relation: String,
    /// The number of instances that the rule, or a part of it, has so far.
    pub count: usize,
    /// The span of the rule.
    pub span: Span,
}

impl AtWork {
    fn said(&self) -> String {
        format!(": the rules for `{}` have {} instances so far", self.relation, self.count)
    }
}

/// The reason for which a game is not grounded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundError {
    /// Grounding needs more time or memory than allowed.
    #[error("grounding needs more than {given}{}", at.as_ref().map(AtWork::said).unwrap_or_default())]
    Limit {
        /// The limit that was met, such as `20 s`.
        given: String,
        /// The rule at work, if one was.
        at: Option<AtWork>,
    },
    /// The ground rules violate an invariant of all groundings. This is a bug of this program that no rule sheet should
    /// cause.
    #[error("the ground rules are inconsistent: `{atom}` {problem}; please report the sheet")]
    Inconsistent {
        /// The first atom that violates an invariant.
        atom: String,
        /// The invariant that it violates.
        problem: &'static str,
    },
    /// Another error occurred on the way.
    #[error(transparent)]
    Reason(#[from] ReasonError),
}
