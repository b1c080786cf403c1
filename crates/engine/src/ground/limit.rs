//! The budget of a grounding, its progress, and its errors in terms of the sheet's own relations.

use super::rewrite::AuxiliaryRelations;
use crate::interpreter::closure::{ClosureError, TupleLimit};
use gdl::limits::{Limits, Stop};
use gdl::rules::{RelationId, RuleSet};
use gdl::syntax::Span;
use gdl::time::Instant;
use ggp_game::ReasonError;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// The limits of one grounding.
#[derive(Clone, Debug)]
pub struct GroundBudget {
    /// The interrupt and the deadline of the caller, and the memory of the grounding.
    limits: Limits,
    /// The work of each grounding, in pieces ([`Limits::with_work`]), unless the caller has set a time.
    work: Option<u64>,
    /// The time of each grounding.
    time: Duration,
    pub(super) unrestricted: usize,
    progress: Option<Listener>,
}

/// The progress of a grounding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroundProgress {
    /// The number of possible facts, moves and views found so far.
    pub possible: usize,
    /// The number of rules that have been instantiated, which begins once all possible atoms have been found.
    pub rules_done: usize,
    /// The number of all rules.
    pub rules: usize,
}

/// The callback for the progress.
#[derive(Clone)]
struct Listener(Arc<dyn Fn(GroundProgress) + Send + Sync>);

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

impl GroundBudget {
    /// The work of a grounding for which the caller waits, in pieces: five to fifteen seconds of one core. The same sheets
    /// are given up on a busy machine.
    const WORK: u64 = 250_000;

    /// The time that this work may take. Only a machine with many other tasks needs as long.
    const TIME: Duration = Duration::from_secs(120);

    /// How many times as much a grounding may take beside an engine that answers meanwhile.
    const BESIDE: u32 = 15;

    /// The default limits: 250,000 pieces of work, which take five to fifteen seconds, at most two minutes, and 2 GiB.
    pub fn new() -> Self {
        let limits = Limits::new().with_memory(2 << 30);
        Self { limits, work: Some(Self::WORK), time: Self::TIME, unrestricted: 1 << 17, progress: None }
    }

    /// Stops after this time, however much work that is.
    pub fn with_time(self, time: Duration) -> Self {
        Self { work: None, time, ..self }
    }

    /// The budget of a grounding that runs while another engine answers: much more, unless a time is set.
    pub(crate) fn beside(mut self) -> Self {
        if self.work.is_some() {
            self.work = Some(Self::WORK * u64::from(Self::BESIDE));
            self.time = Self::TIME * Self::BESIDE;
        }
        self
    }

    /// Stops when tuples and rules take about this many bytes.
    pub fn with_memory(mut self, bytes: usize) -> Self {
        self.limits = self.limits.with_memory(bytes as u64);
        self
    }

    /// The limit on memory, in bytes.
    pub fn memory(&self) -> usize {
        usize::try_from(self.limits.memory()).unwrap_or(usize::MAX)
    }

    /// Restricts grounding to the atoms that are asked for if more than this number of tuples is possible (default
    /// 131,072; 0 always restricts). Conditions that never change and hold for more tuples than this are evaluated one
    /// variable at a time. The ground rules are equivalent in every reachable state, but finding the
    /// demands takes time as well.
    pub fn with_unrestricted(mut self, tuples: usize) -> Self {
        self.unrestricted = tuples;
        self
    }

    /// Stops soon after this flag is set.
    pub fn with_interrupt(mut self, flag: Arc<AtomicBool>) -> Self {
        self.limits = self.limits.with_interrupt(flag);
        self
    }

    /// Also stops by the interrupt or at the deadline of these limits. Their memory limit is ignored, since grounding
    /// has its own ([`GroundBudget::with_memory`]).
    pub fn with_limits(mut self, limits: &Limits) -> Self {
        self.limits = limits.clone().with_memory(self.limits.memory());
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
        self.limits.clone().with_memory(u64::MAX)
    }

    /// The limits of a grounding that begins now: the work, the memory and the time of this budget, unless the deadline of
    /// the caller is earlier.
    pub(super) fn begin(&self) -> Limits {
        let limits = self.limits.of_work(Instant::now(), Some(self.time));
        self.work.into_iter().fold(limits, Limits::with_work)
    }

    /// The limit of a closure of `most` tuples, which reports the progress. `done` counts the rules that have been
    /// instantiated, of `rules`.
    pub(super) fn tuples(&self, most: Option<usize>, done: &Arc<AtomicUsize>, rules: usize) -> TupleLimit {
        let watch = self.progress.clone().map(|Listener(tell)| -> Arc<dyn Fn(usize) + Send + Sync> {
            let done = Arc::clone(done);
            Arc::new(move |possible| tell(GroundProgress { possible, rules_done: done.load(Ordering::Relaxed), rules }))
        });
        TupleLimit { most, watch }
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
pub struct InterruptedRule {
    /// The relation that the rule defines.
    pub relation: String,
    /// The number of instances that the rule, or a part of it, has so far.
    pub count: usize,
    /// The span of the rule.
    pub span: Span,
}

impl InterruptedRule {
    fn description(&self) -> String {
        format!(": the rules for `{}` have {} instances so far", self.relation, self.count)
    }
}

/// The reason for which a game is not grounded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundError {
    /// Grounding needs more time or memory than allowed.
    #[error("grounding needs more than {}{}", limit.amount(), at.as_ref().map(InterruptedRule::description).unwrap_or_default())]
    Limit {
        /// The limit that was met.
        limit: Stop,
        /// The rule at work, if one was.
        at: Option<InterruptedRule>,
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

/// The error of a stopped grounding. `parts` has, for each rule, the heads of its parts, that of the rule last.
pub(super) fn ground_error(
    rules: &RuleSet,
    parts: &[Vec<RelationId>],
    auxiliaries: &AuxiliaryRelations,
    stop: ClosureError,
) -> GroundError {
    let limit = match stop.reason {
        ReasonError::Stopped(limit) if limit.is_of_work() => limit,
        reason => return GroundError::Reason(reason),
    };
    let at = stop.at.map(|(relation, count, span)| {
        let relation = own_relation(rules, parts, auxiliaries, relation);
        InterruptedRule { relation: relation.to_string(), count, span }
    });
    GroundError::Limit { limit, at }
}

/// The name of the relation of the sheet for which an auxiliary relation was made.
fn own_relation<'a>(
    rules: &'a RuleSet,
    parts: &[Vec<RelationId>],
    auxiliaries: &AuxiliaryRelations,
    relation: RelationId,
) -> &'a str {
    // A part that was cut out of a rule is reported under the rule's name.
    let whole = parts.iter().find(|heads| heads.contains(&relation));
    let relation = whole.and_then(|heads| heads.last()).copied().unwrap_or(relation);
    let relation = auxiliaries.demanded(relation).unwrap_or(relation);
    let known = relation.index() < rules.relations.len();
    // The parts of a view are reported under its name.
    let name = if known { rules.relation_name(relation) } else { "an auxiliary relation" };
    name.split_once('#').map_or(name, |(view, _)| view)
}
