//! The budget of the searches for a question, and the meaning of an interrupt for the work that follows a search.
//!
//! Ctrl-C sets one flag, which searches and engines poll. A search that it stops answers with its best so far, and this
//! answer still has to be shown: terms are made, lines are played, positions are drawn. So the flag counts for the
//! search alone: it is cleared as soon as the search has returned, and a second Ctrl-C stops the work that follows.

use gdl::limits::Stop;
use ggp_search::{Budget, FromAllStates, Outcome};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The interrupt flag of a session.
#[derive(Clone)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// The interrupt of a session with this flag.
    pub fn new(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }

    /// The flag, for functions that poll it themselves.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    /// True if the interrupt was requested.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The budget of the searches for a question. A search gets it from [`QuestionBudget::run`], which clears the interrupt
/// that has stopped the search, or from [`QuestionBudget::prepare`], which leaves it set, since another search follows.
#[derive(Clone)]
pub struct QuestionBudget {
    budget: Budget,
    /// The interrupt that is over when the search that it has stopped returns; `None` if it stays, as that of a match
    /// does.
    interrupt: Option<Interrupt>,
}

impl QuestionBudget {
    /// A budget whose interrupt is that of a session.
    pub fn new(budget: Budget, interrupt: Interrupt) -> Self {
        Self { budget, interrupt: Some(interrupt) }
    }

    /// A budget whose interrupt, if it has one, ends all work.
    pub(crate) fn of_match(budget: Budget) -> Self {
        Self { budget, interrupt: None }
    }

    /// Runs a search. If the interrupt has stopped it, the interrupt is over when it returns.
    pub fn run<A: StoppableAnswer, E>(&self, search: impl FnOnce(&Budget) -> Result<A, E>) -> Result<A, E> {
        let answer = search(&self.budget)?;
        if let Some(interrupt) = &self.interrupt
            && answer.stopped() == Some(Stop::Interrupted)
        {
            // A second Ctrl-C can then stop the work that follows.
            interrupt.0.store(false, Ordering::Relaxed);
        }
        Ok(answer)
    }

    /// Runs a search that only prepares another: an interrupt of it stops the other as well, so it is not over.
    pub fn prepare<A>(&self, search: impl FnOnce(&Budget) -> A) -> A {
        search(&self.budget)
    }

    /// Another budget for searches of the same command.
    pub fn with(&self, change: impl FnOnce(Budget) -> Budget) -> Self {
        Self { budget: change(self.budget.clone()), interrupt: self.interrupt.clone() }
    }

    /// As [`QuestionBudget::with`], if the change does not fail.
    pub fn try_with<E>(&self, change: impl FnOnce(Budget) -> Result<Budget, E>) -> Result<Self, E> {
        Ok(Self { budget: change(self.budget.clone())?, interrupt: self.interrupt.clone() })
    }

    /// True if there is a limit on time, nodes or depth.
    pub fn is_limited(&self) -> bool {
        self.budget.is_limited()
    }

    /// The limit on time, if there is one.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.budget.time()
    }

    /// The limit on depth, if there is one.
    pub(crate) fn depth(&self) -> Option<u32> {
        self.budget.depth()
    }

    /// The limit on nodes.
    pub fn most_nodes(&self) -> u64 {
        self.budget.most_nodes()
    }

    /// The limit of this budget that stopped a search which had a part of it.
    pub fn whole(&self, stop: Stop) -> Stop {
        self.budget.whole(stop)
    }
}

/// The answer of a search that may have been stopped.
pub trait StoppableAnswer {
    /// The limit or interrupt that stopped the search.
    fn stopped(&self) -> Option<Stop>;
}

impl<T> StoppableAnswer for Outcome<T> {
    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}

impl<T: StoppableAnswer> StoppableAnswer for Vec<T> {
    fn stopped(&self) -> Option<Stop> {
        self.iter().find_map(T::stopped)
    }
}

impl<T> StoppableAnswer for Option<FromAllStates<T>> {
    fn stopped(&self) -> Option<Stop> {
        self.as_ref().and_then(|answer| answer.outcome.stopped)
    }
}
