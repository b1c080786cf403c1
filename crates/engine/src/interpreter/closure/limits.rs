//! How much work a closure may take, and why it was not completed.

use gdl::limits::{Stop, WorkKind};
use gdl::rules::RelationId;
use gdl::syntax::Span;
use ggp_game::ReasonError;
use std::sync::Arc;

/// How many tuples a closure may have, and who is told of their number.
#[derive(Clone, Default)]
pub(crate) struct TupleLimit {
    /// The approximate maximum number of tuples of the fixpoint; relations that are stored later do not count.
    pub(crate) most: Option<usize>,
    /// Called from time to time with the number of tuples.
    pub(crate) watch: Option<Arc<dyn Fn(usize) + Send + Sync>>,
}

impl TupleLimit {
    /// Whether the number of tuples is of interest to anyone.
    pub(in crate::interpreter) fn is_set(&self) -> bool {
        self.most.is_some() || self.watch.is_some()
    }

    /// Tells the number of tuples.
    ///
    /// # Errors
    /// If there are more than allowed.
    pub(in crate::interpreter) fn check(&self, tuples: usize) -> Result<(), Stop> {
        if let Some(watch) = &self.watch {
            watch(tuples);
        }
        match self.most {
            Some(limit) if tuples > limit => Err(Stop::work(WorkKind::Tuples, limit as u64)),
            _ => Ok(()),
        }
    }
}

impl std::fmt::Debug for TupleLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TupleLimit {{ most: {:?}, watched: {} }}", self.most, self.watch.is_some())
    }
}

/// The reason for which a closure was not completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClosureError {
    /// The limit or the interruption that stopped it.
    pub(crate) reason: ReasonError,
    /// The rule at work: the open relation that it defines, the number of tuples of that relation, and the span of the
    /// rule.
    pub(crate) at: Option<(RelationId, usize, Span)>,
}

impl ClosureError {
    /// The closure was stopped at this rule.
    pub(crate) fn stopped_at(rule: (RelationId, usize, Span)) -> impl Fn(Stop) -> Self {
        move |stop| Self { reason: stop.into(), at: Some(rule) }
    }
}

/// The reason for which a question to a closure was not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QuestionFailure {
    pub(crate) reason: ReasonError,
    /// The number of solutions found before.
    pub(crate) found: usize,
}

impl From<ReasonError> for QuestionFailure {
    fn from(reason: ReasonError) -> Self {
        Self { reason, found: 0 }
    }
}

impl From<ReasonError> for ClosureError {
    fn from(reason: ReasonError) -> Self {
        Self { reason, at: None }
    }
}
