//! How much a grounding may cost, and what is said when it would cost more.

use super::rewrite::Auxiliaries;
use super::split::Part;
use crate::game::ReasonError;
use crate::interpreter::closure::{ClosureLimits, Unfinished};
use crate::limits::Limits;
use crate::quantity::Size;
use crate::rules::RuleSet;
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

/// How far a grounding has got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroundProgress {
    /// How many possible facts, moves and views have been found.
    pub possible: usize,
    /// How many rules have been instantiated, once all that is possible has been found.
    pub rules_done: usize,
    /// How many rules there are.
    pub rules: usize,
}

/// Somebody who wants to know how far a grounding has got.
#[derive(Clone)]
struct Listener(Arc<dyn Fn(GroundProgress) + Send + Sync>);

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

impl GroundBudget {
    /// The limits that hold without further word: 20 seconds, 2 GiB.
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

    /// How many bytes it may take.
    pub fn memory(&self) -> usize {
        self.memory
    }

    /// Grounds only what is asked for where more than this number of tuples is possible, 131,072 if nothing else is said. 0: always.
    /// Conditions that never change and hold for more tuples than this are taken one variable at a time.
    /// The ground rules mean the same for every state that can be reached, but finding out what is asked takes time, too.
    pub fn with_unrestricted(mut self, tuples: usize) -> Self {
        self.unrestricted = tuples;
        self
    }

    /// Stops soon after somebody sets this flag.
    pub fn with_interrupt(mut self, flag: Arc<AtomicBool>) -> Self {
        self.work = self.work.with_interrupt(flag);
        self
    }

    /// Stops where these limits do, by their interrupt or at their deadline, too. Their memory is not taken over: grounding has its own
    /// ([`GroundBudget::with_memory`]).
    pub fn with_limits(mut self, limits: &Limits) -> Self {
        self.work = limits.clone().with_memory(u64::MAX);
        self
    }

    /// Tells somebody, many times a second, how far the grounding has got.
    pub fn with_progress(mut self, listener: Arc<dyn Fn(GroundProgress) + Send + Sync>) -> Self {
        self.progress = Some(Listener(listener));
        self
    }

    /// How long it may take.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// Whether the flag has been set.
    pub fn is_interrupted(&self) -> bool {
        self.work.is_interrupted()
    }

    /// The interrupt and the deadline that stop the work whatever its own budget is: what the steps after grounding (building the
    /// network, its passes, lowering) have to ask as well.
    pub fn work(&self) -> Limits {
        self.work.clone()
    }

    /// The limits of a grounding that ends at the deadline. `done` counts the rules that have been instantiated, of `rules`.
    pub(super) fn limits(&self, deadline: Instant, done: &Arc<AtomicUsize>, rules: usize) -> ClosureLimits {
        let watch = self.progress.clone().map(|Listener(tell)| -> Arc<dyn Fn(usize) + Send + Sync> {
            let done = Arc::clone(done);
            Arc::new(move |possible| tell(GroundProgress { possible, rules_done: done.load(Ordering::Relaxed), rules }))
        });
        ClosureLimits { deadline: Some(deadline), memory: Some(self.memory), tuples: None, watch }
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
            Self::Limit { span, .. } => Some(*span),
            Self::Inconsistent { .. } | Self::Reason(_) => None,
        }
    }
}

/// Why a game is not grounded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundError {
    /// It would take more time or memory than was given.
    #[error("grounding needs more than {given}: the rules for `{relation}` have {count} instances so far")]
    Limit {
        /// What was given, such as `20 s`.
        given: String,
        /// The relation whose rule was at work.
        relation: String,
        /// The rule.
        span: Span,
        /// How many instances the rule, or a part of it, has so far.
        count: usize,
    },
    /// The ground rules break a law of all groundings. It is a fault of this program that no sheet should bring about.
    #[error("grounding lost something: `{atom}` {problem}; please report the sheet")]
    Inconsistent {
        /// An atom for which this is so, as it is written.
        atom: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Something else went wrong on the way.
    #[error(transparent)]
    Reason(#[from] ReasonError),
}

/// What a grounding that was stopped says.
pub(super) fn explain(
    rules: &RuleSet,
    split: &[Vec<Part>],
    auxiliaries: &Auxiliaries,
    budget: &GroundBudget,
    stop: Unfinished,
) -> GroundError {
    let (ReasonError::Limit { what, .. }, Some((relation, count, span))) = (&stop.reason, stop.at) else {
        return GroundError::Reason(stop.reason);
    };
    let given = match *what {
        "seconds" => format!("{} s", budget.time.as_secs_f64()),
        "bytes" => Size::new(budget.memory as u64).rounded(),
        _ => return GroundError::Reason(stop.reason),
    };
    // What was cut out of a rule goes by the rule's name.
    let whole = split.iter().find(|parts| parts.iter().any(|part| part.head.relation == relation));
    let relation = whole.and_then(|parts| parts.last()).map_or(relation, |whole| whole.head.relation);
    let relation = auxiliaries.demanded(relation).unwrap_or(relation);
    let known = relation.index() < rules.relations.len();
    let name = if known { rules.relation_name(relation) } else { "an auxiliary relation" };
    GroundError::Limit { given, relation: name.to_string(), span, count }
}
