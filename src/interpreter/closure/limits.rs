//! How much work a closure may take, and why it was not completed.

use crate::game::ReasonError;
use crate::rules::RelationId;
use crate::syntax::Span;
use std::sync::Arc;
use std::time::Instant;

/// The name of the limit on tuples in [`ReasonError::Limit`].
pub(crate) const TUPLES: &str = "tuples";

/// The limits of a closure, and the observer of its progress.
#[derive(Clone, Default)]
pub(crate) struct ClosureLimits {
    pub(crate) deadline: Option<Instant>,
    /// In bytes, approximate.
    pub(crate) memory: Option<usize>,
    /// The approximate maximum number of tuples of the fixpoint; relations that are stored later do not count.
    pub(crate) tuples: Option<usize>,
    /// Called from time to time with the number of tuples.
    pub(crate) watch: Option<Arc<dyn Fn(usize) + Send + Sync>>,
}

impl ClosureLimits {
    pub(in crate::interpreter) fn are_set(&self) -> bool {
        self.deadline.is_some() || self.memory.is_some() || self.tuples.is_some()
    }

    /// Returns an error if the deadline has passed, or if there are more bytes or tuples than allowed.
    pub(in crate::interpreter) fn check(&self, bytes: usize, tuples: usize) -> Result<(), ReasonError> {
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(ReasonError::Limit { what: "seconds", limit: 0 });
        }
        match self.memory {
            Some(limit) if bytes > limit => return Err(ReasonError::Limit { what: "bytes", limit: limit as u64 }),
            _ => {}
        }
        match self.tuples {
            Some(limit) if tuples > limit => Err(ReasonError::Limit { what: TUPLES, limit: limit as u64 }),
            _ => Ok(()),
        }
    }
}

impl std::fmt::Debug for ClosureLimits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { deadline, memory, tuples, watch } = self;
        let watched = watch.is_some();
        write!(
            f,
            "ClosureLimits {{ deadline: {deadline:?}, memory: {memory:?}, tuples: {tuples:?}, watched: {watched} }}"
        )
    }
}

/// The reason for which a closure was not completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unfinished {
    /// The limit or the interruption that stopped it.
    pub(crate) reason: ReasonError,
    /// The rule at work: the open relation that it defines, the number of tuples of that relation, and the span of the
    /// rule.
    pub(crate) at: Option<(RelationId, usize, Span)>,
}

/// The reason for which a question to a closure was not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stopped {
    pub(crate) reason: ReasonError,
    /// The number of solutions found before.
    pub(crate) found: usize,
}

impl From<ReasonError> for Stopped {
    fn from(reason: ReasonError) -> Self {
        Self { reason, found: 0 }
    }
}

impl From<ReasonError> for Unfinished {
    fn from(reason: ReasonError) -> Self {
        Self { reason, at: None }
    }
}
