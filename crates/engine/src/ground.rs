//! Grounding: from rules to ground rules, with every instance of a rule that can matter.
//!
//! ```
//! use ggp_engine::ground::{GroundBudget, ground};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let game = ggp_engine::Game::library("tic_tac_toe")?;
//! let grounding = ground(&game.rules, &GroundBudget::new())?;
//! assert_eq!(grounding.initial.len(), 10, "nine cells, and whose turn it is");
//! assert!(grounding.rules.len() > game.rules.clauses.len());
//! # Ok(())
//! # }
//! ```
//!
//! Facts, moves and views that are possible in *some* state are over-estimated by a least fixpoint. In it, negations of
//! relations that depend on the state count as true; relations that never change are evaluated exactly and disappear.
//! Each way to satisfy a rule's body in that estimate is one ground rule, unless auxiliary relations express the same
//! with fewer rules. This is the step from [`gdl::rules`] to networks of propositions.
//!
//! In order: `factor` turns wide conditions into chains, `general` divides views, `rewrite` prepares the conditions of
//! rules, `demand` restricts rules to the instances that are asked for, `split` cuts rules into parts, the closure
//! computes the estimate, and `write` makes the ground rules, stratum by stratum (`strata`), which `instances` defines
//! and checks. `limit` has the budget and the errors; `symmetry` works on the result.

mod demand;
mod factor;
mod general;
mod instances;
mod limit;
mod rewrite;
mod split;
mod strata;
mod symmetry;
mod write;

pub(crate) use instances::RulesByHead;
pub use instances::{AtomId, AtomKind, GroundAtom, GroundLiteral, GroundRule, Grounding};
pub use limit::{GroundBudget, GroundError, GroundProgress, InterruptedRule};
pub use symmetry::{Symmetries, Symmetry, SymmetryProgress, symmetries, symmetries_watched};

use crate::interpreter::closure::{Closure, ClosureError, OpenRule, QuestionFailure};
use gdl::limits::{Limits, Stop, WorkKind};
use gdl::rules::{DependencyGraph, Keyword, Literal, RelationId, RuleSet};
use gdl::sorting;
use ggp_game::ReasonError;
use limit::ground_error;
use rewrite::{AuxiliaryRelations, RewrittenRule, RewrittenRules};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use strata::RelationComponents;

/// The relations that are always computed, even if no rule reads them.
const ASKED: [Keyword; 3] = [Keyword::Init, Keyword::Base, Keyword::Input];

/// Grounds the rules of a game.
///
/// # Errors
/// [`GroundError`] if the budget does not suffice, with the rule that was at work; if the caller interrupts; or if the
/// result violates an invariant of all groundings.
pub fn ground(rules: &RuleSet, budget: &GroundBudget) -> Result<Grounding, GroundError> {
    ground_with(rules, budget, false)
}

/// As [`ground`], with one view for all views that have the same rules. Its facts, moves and goals are the same, but
/// some views that the rules name are missing.
///
/// # Errors
/// As [`ground`].
pub fn ground_merged(rules: &RuleSet, budget: &GroundBudget) -> Result<Grounding, GroundError> {
    ground_with(rules, budget, true)
}

fn ground_with(rules: &RuleSet, budget: &GroundBudget, merges_views: bool) -> Result<Grounding, GroundError> {
    let limits = budget.begin();
    let stopped = |stop| ground_error(rules, &[], &AuxiliaryRelations::default(), stop);
    let rules = &*factor::factor(rules, budget.unrestricted, &limits.poll()).map_err(stopped)?;
    let few = budget.unrestricted;
    let estimate = |rules: &RuleSet, scope: &EstimateScope| AtomEstimate::new(rules, budget, &limits, scope);
    // Without demands grounding is faster if few tuples are possible, so that is tried first.
    if few > 0 {
        match estimate(rules, &EstimateScope::All { most: Some(few) }) {
            Err(error) if error.is_tuple_limit() => {}
            found => return found?.instantiate(rules, budget, merges_views),
        }
    }
    let divided = general::divide(rules, &open_relations(rules), &limits.poll()).map_err(stopped)?;
    let demanded = EstimateScope::Demanded { views: None, most: None };
    let found = match &divided {
        Some(divided) if few > 0 => restricted_estimate(few, |scope| estimate(divided, scope)),
        _ => estimate(divided.as_ref().unwrap_or(rules), &demanded),
    };
    match found {
        // The literals before a demand need not bind the arguments that a relation without state needs.
        Err(EstimateError { error: GroundError::Reason(ReasonError::Unsafe), .. }) => {
            estimate(rules, &EstimateScope::All { most: None })?.instantiate(rules, budget, merges_views)
        }
        found => found?.instantiate(divided.as_ref().unwrap_or(rules), budget, merges_views),
    }
}

/// An estimate of rules whose views are divided, the first that has few tuples: of all atoms; without those of large
/// views that are not demanded; without any that are not demanded. To find the demands on a view with few tuples takes
/// longer than to compute them all.
fn restricted_estimate(
    few: usize,
    estimate: impl Fn(&EstimateScope) -> Result<AtomEstimate, EstimateError>,
) -> Result<AtomEstimate, EstimateError> {
    let counts = match estimate(&EstimateScope::All { most: Some(few) }) {
        Err(error) if error.is_tuple_limit() => error.counts,
        found => return found,
    };
    let large = counts.into_iter().filter(|&(_, count)| count > few / LARGE_PART).map(|(relation, _)| relation);
    let scope = EstimateScope::Demanded { views: Some(large.collect()), most: Some(few * MOST_DEMANDED) };
    match estimate(&scope) {
        Err(error) if error.is_tuple_limit() => estimate(&EstimateScope::Demanded { views: None, most: None }),
        found => found,
    }
}

/// For each relation, true if it depends on the state or the moves, or if the game is asked about it.
fn open_relations(rules: &RuleSet) -> Vec<bool> {
    let graph = DependencyGraph::new(rules);
    let [by_state, by_moves] = [Keyword::True, Keyword::Does].map(|it| graph.dependents(rules.keyword(it)));
    let mut open: Vec<bool> = by_state.into_iter().zip(by_moves).map(|(state, moves)| state || moves).collect();
    rules.askable_relations().iter().for_each(|relation| open[relation.index()] = true);
    open
}

/// A view with more than this part of the tuples that are tried without demands is large.
const LARGE_PART: usize = 16;

/// The maximum number of tuples if only large views have demands, as a multiple of those that are tried without demands.
const MOST_DEMANDED: usize = 16;

/// The atoms that an estimate covers.
#[derive(Debug)]
enum EstimateScope {
    /// All atoms, if there are at most `most` tuples.
    All { most: Option<usize> },
    /// Only the atoms that are demanded, or of these views of the sheet only those, if there are at most `most` tuples.
    Demanded { views: Option<FxHashSet<RelationId>>, most: Option<usize> },
}

/// The reason for which there is no estimate.
struct EstimateError {
    error: GroundError,
    /// If the atoms were being computed, the relations with the numbers of their tuples.
    counts: Vec<(RelationId, usize)>,
}

impl EstimateError {
    fn is_tuple_limit(&self) -> bool {
        let GroundError::Reason(ReasonError::Stopped(stop)) = &self.error else { return false };
        matches!(stop, Stop::Work { kind: WorkKind::Tuples, .. })
    }
}

impl From<GroundError> for EstimateError {
    fn from(error: GroundError) -> Self {
        Self { error, counts: Vec::new() }
    }
}

impl From<EstimateError> for GroundError {
    fn from(error: EstimateError) -> Self {
        error.error
    }
}

/// The estimate: the atoms that can be true in some state.
struct AtomEstimate {
    rewritten: RewrittenRules,
    /// For each rule, the heads of the parts into which it was cut, that of the rule itself last.
    parts: Vec<Vec<RelationId>>,
    closure: Closure,
    /// The number of rules that have been instantiated.
    done: Arc<AtomicUsize>,
}

impl AtomEstimate {
    fn new(
        rules: &RuleSet,
        budget: &GroundBudget,
        limits: &Limits,
        scope: &EstimateScope,
    ) -> Result<Self, EstimateError> {
        let (EstimateScope::All { most } | EstimateScope::Demanded { most, .. }) = *scope;
        let is_restricted = matches!(scope, EstimateScope::Demanded { .. });
        let poll = &limits.poll();
        let prepare = || {
            let mut rewritten = rewrite::rewrite(rules, is_restricted, poll)?;
            let asking = match scope {
                EstimateScope::Demanded { views, .. } => demand::restrict(rules, &mut rewritten, views.as_ref(), poll)?,
                EstimateScope::All { .. } => Vec::new(),
            };
            let mut open = std::mem::take(&mut rewritten.bridges);
            let mut parts = Vec::new();
            let mut bytes = rewritten.bytes
                + asking.iter().map(RewrittenRule::bytes).sum::<usize>()
                + open.iter().map(OpenRule::bytes).sum::<usize>();
            for rule in asking.iter().chain(&rewritten.rules) {
                let at = (rule.head.relation, 0, rule.span);
                poll.check_memory((bytes + rule.bytes()) as u64).map_err(ClosureError::stopped_at(at))?;
                let cut = split::split(rule, &mut rewritten.auxiliaries, poll)?;
                parts.push(cut.iter().map(|part| part.head.relation).collect());
                for part in cut {
                    let body = part.body.into_iter().filter_map(|condition| condition.join).collect();
                    let rule = OpenRule { head: (part.head.relation, part.head.arguments), body, span: part.span };
                    bytes += rule.bytes();
                    open.push(rule);
                }
            }
            Ok((rewritten, open, parts))
        };
        let (rewritten, mut open, parts) =
            prepare().map_err(|stop| ground_error(rules, &[], &AuxiliaryRelations::default(), stop))?;
        let read: FxHashSet<RelationId> = open.iter().flat_map(|rule| &rule.body).filter_map(relation).collect();
        // A part that no other rule reads needs no tuples: its instances are found later, from the estimate.
        open.retain(|rule| read.contains(&rule.head.0));
        let done = Arc::new(AtomicUsize::new(0));
        let tuples = budget.tuples(most, &done, rewritten.rules.len());
        let mut counts = Vec::new();
        match Closure::new(rules, open, &ASKED, tuples, limits.clone(), rewritten.bytes, &mut counts) {
            Ok(closure) => Ok(Self { rewritten, parts, closure, done }),
            Err(stop) => {
                let error = ground_error(rules, &parts, &rewritten.auxiliaries, stop);
                Err(EstimateError { error, counts })
            }
        }
    }

    /// Instantiates all rules.
    fn instantiate(self, rules: &RuleSet, budget: &GroundBudget, merges_views: bool) -> Result<Grounding, GroundError> {
        let Self { mut rewritten, parts, mut closure, done } = self;
        let cut_out = parts.iter().flat_map(|heads| &heads[..heads.len() - 1]);
        // Instances are cut anew, by what each cut costs.
        cut_out.for_each(|&relation| closure.forget(relation));
        let mut writer = write::RuleWriter::new(rules, &mut closure)
            .map_err(|reason| ground_error(rules, &parts, &rewritten.auxiliaries, reason.into()))?;
        let components = RelationComponents::new(&rewritten.rules);
        // Views come before the rules that negate them, so that it is known which of their atoms have rules.
        sorting::sort_by_key(&mut rewritten.rules, |rule| components.stratum(rule.head.relation));
        for rule in &rewritten.rules {
            let auxiliaries = &mut rewritten.auxiliaries;
            let is_written = |view| !components.are_together(view, rule.head.relation);
            let mut write = || {
                for instances in split::instances(rule, auxiliaries, &mut closure)? {
                    writer.write(&instances, &is_written, auxiliaries, &mut closure)?;
                }
                Ok(())
            };
            write().map_err(|QuestionFailure { reason, found }| {
                let stop = ClosureError { reason, at: Some((rule.head.relation, found, rule.span)) };
                ground_error(rules, &parts, &rewritten.auxiliaries, stop)
            })?;
            done.fetch_add(1, Ordering::Relaxed);
        }
        let work = budget.work();
        let stopped = |stop| match stop {
            Stop::Memory { .. } => GroundError::Limit { limit: stop, at: None },
            _ => ReasonError::from(stop).into(),
        };
        let grounding = writer.finish(merges_views, &mut closure, &work.poll()).map_err(stopped)?;
        // The closure may be large, and the checks do not need it.
        drop(closure);
        work.check().map_err(ReasonError::from)?;
        grounding.check()?;
        Ok(grounding)
    }
}

fn relation(literal: &Literal) -> Option<RelationId> {
    match literal {
        Literal::Atom(atom) => Some(atom.relation),
        _ => None,
    }
}
