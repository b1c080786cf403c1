//! What a piece of work may cost: an interrupt, a deadline and memory, in one value that is passed down to whatever does the work.
//!
//! Loading (parsing, the checks, normalisation), the set-up of the interpreter, grounding, the optimiser and every question to the
//! interpreter take a [`Limits`], and ask it at intervals of bounded work whether to go on. There are no global flags: the caller
//! that starts the work owns the flag and the clock.
//!
//! - A game: put them into `engine::EngineOptions` ([`with_interrupt`](Limits::with_interrupt) and so on exist there too); they hold
//!   while the game is loaded, while its engine is set up, and for every question that is put to it. `engine::Game::set_limits`
//!   gives other ones to a game that is loaded, `game::Reasoner::set_limits` to one engine.
//! - A single step: the functions that end in `_within` (`rules::check_within`, `rules::normalise_within`, `syntax::parse_within`,
//!   `engine::check_text_within`, `interpreter::Interpreter::within`) take them as an argument.
//! - Grounding has a budget of its own (`ground::GroundBudget::with_limits` takes interrupt and deadline over).
//!
//! A search has a `search::Budget`, whose flag should be the same as that of the engine it asks: the budget is asked between nodes,
//! the limits of the engine inside a node.
//!
//! An interrupt is heard within 0.3 seconds, deadlines likewise. Memory is what the allocator gives for what the work keeps, not the
//! resident memory of the process.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limits of some work. Cheap to clone; clones share the flag.
#[derive(Clone)]
pub struct Limits {
    interrupt: Option<Arc<AtomicBool>>,
    deadline: Option<Deadline>,
    memory: u64,
    watch: Option<Arc<dyn Fn() + Send + Sync>>,
}

/// When work ends, and how much time it was given.
#[derive(Clone, Copy, Debug)]
struct Deadline {
    at: Instant,
    given: Duration,
}

/// Which limit stopped some work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// The flag was set.
    #[error("interrupted")]
    Interrupted,
    /// The deadline has passed.
    #[error("this needs more than the limit of {:.1} s", given.as_secs_f64())]
    Time {
        /// How much time was given.
        given: Duration,
    },
    /// What is kept would take more memory than was given.
    #[error("this needs more than the limit of {}", bytes(*limit))]
    Memory {
        /// How many bytes were given.
        limit: u64,
    },
}

impl Limits {
    /// The bytes that work may use for what it keeps, unless another limit is given: 1 GiB.
    pub const MEMORY: u64 = 1 << 30;

    /// No interrupt and no deadline, and [`Limits::MEMORY`].
    pub fn new() -> Self {
        Self { interrupt: None, deadline: None, memory: Self::MEMORY, watch: None }
    }

    /// Nothing stops the work.
    pub fn none() -> Self {
        Self { memory: u64::MAX, ..Self::new() }
    }

    /// Stops soon after this flag is set.
    pub fn with_interrupt(self, flag: Arc<AtomicBool>) -> Self {
        Self { interrupt: Some(flag), ..self }
    }

    /// Stops at this moment. Errors name the time from now to then as the limit.
    pub fn with_deadline(self, at: Instant) -> Self {
        let given = at.saturating_duration_since(Instant::now());
        Self { deadline: Some(Deadline { at, given }), ..self }
    }

    /// Stops when this time has passed from now on.
    pub fn with_time(self, time: Duration) -> Self {
        let at = Instant::now().checked_add(time);
        Self { deadline: at.map(|at| Deadline { at, given: time }), ..self }
    }

    /// Without a deadline; everything else stays.
    pub fn without_deadline(self) -> Self {
        Self { deadline: None, ..self }
    }

    /// Stops before what is kept takes more than this many bytes.
    pub fn with_memory(self, bytes: u64) -> Self {
        Self { memory: bytes, ..self }
    }

    /// Calls this function whenever the work asks whether to go on, before the answer is found: for progress, and for tests, which
    /// can so stop work at a given step.
    pub fn with_watch(self, watch: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self { watch: Some(watch), ..self }
    }

    /// The flag, if there is one.
    pub fn interrupt(&self) -> Option<&Arc<AtomicBool>> {
        self.interrupt.as_ref()
    }

    /// The deadline, if there is one.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline.map(|deadline| deadline.at)
    }

    /// How many bytes may be used.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Whether the flag is set. The clock is not read.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Whether the work may go on.
    ///
    /// # Errors
    /// [`Stopped`] where the flag is set or the deadline has passed. Costs a reading of the clock where there is a deadline.
    pub fn check(&self) -> Result<(), Stopped> {
        if let Some(watch) = &self.watch {
            watch();
        }
        if self.is_interrupted() {
            return Err(Stopped::Interrupted);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline.at => Err(Stopped::Time { given: deadline.given }),
            _ => Ok(()),
        }
    }

    /// Whether the work may keep this many bytes altogether.
    ///
    /// # Errors
    /// [`Stopped::Memory`] where they are more than were given.
    pub fn check_memory(&self, bytes: u64) -> Result<(), Stopped> {
        if bytes > self.memory { Err(Stopped::Memory { limit: self.memory }) } else { Ok(()) }
    }

    /// Counts small steps of work, so that not each of them costs a check.
    pub fn poll(&self) -> Poll<'_> {
        Poll { limits: self, left: Cell::new(Poll::STEPS) }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { interrupt, deadline, memory, watch } = self;
        write!(f, "Limits {{ interrupt: {interrupt:?}, deadline: {deadline:?}, memory: {memory}, ")?;
        write!(f, "watched: {} }}", watch.is_some())
    }
}

/// Checks limits once every [`Poll::STEPS`] steps.
#[derive(Debug)]
pub struct Poll<'a> {
    limits: &'a Limits,
    left: Cell<u32>,
}

impl Poll<'_> {
    /// The steps between two checks. A step is meant to take less than 100 microseconds.
    pub const STEPS: u32 = 1 << 10;

    /// A step of work is about to be done.
    ///
    /// # Errors
    /// As [`Limits::check`].
    #[inline]
    pub fn step(&self) -> Result<(), Stopped> {
        self.steps(1)
    }

    /// Work as long as this many steps is about to be done.
    ///
    /// # Errors
    /// As [`Limits::check`].
    #[inline]
    pub fn steps(&self, count: usize) -> Result<(), Stopped> {
        match self.left.get().checked_sub(u32::try_from(count).unwrap_or(u32::MAX)) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                self.left.set(Self::STEPS);
                self.limits.check()
            }
        }
    }
}

/// What the allocator takes for a block of this many bytes: a header of 8, in steps of 16, at least 32; nothing for no bytes. These are
/// the figures of glibc's allocator; those of others differ little.
pub const fn heap_block(bytes: usize) -> usize {
    match bytes {
        0 => 0,
        1..=24 => 32,
        _ => (bytes + 8).next_multiple_of(16),
    }
}

/// The items in order, within limits: sorting some millions takes longer than an interrupt may wait. Equal items stay in any order.
///
/// # Errors
/// As [`Limits::check`].
pub fn sort_within<T: Ord>(mut items: Vec<T>, limits: &Limits) -> Result<Vec<T>, Stopped> {
    const RUN: usize = 1 << 14;
    if items.len() <= RUN {
        items.sort();
        return Ok(items);
    }
    let mut runs = VecDeque::with_capacity(items.len().div_ceil(RUN));
    while !items.is_empty() {
        let mut run = items.split_off(items.len().saturating_sub(RUN));
        run.sort();
        runs.push_back(run);
        limits.check()?;
    }
    drop(items);
    let poll = limits.poll();
    while let (Some(first), Some(second)) = (runs.pop_front(), runs.pop_front()) {
        runs.push_back(merge(first, second, &poll)?);
        if runs.len() == 1 {
            break;
        }
    }
    Ok(runs.pop_front().unwrap_or_default())
}

/// Two sorted lists as one.
fn merge<T: Ord>(first: Vec<T>, second: Vec<T>, poll: &Poll<'_>) -> Result<Vec<T>, Stopped> {
    let mut merged = Vec::with_capacity(first.len() + second.len());
    let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
    while let (Some(left), Some(right)) = (first.peek(), second.peek()) {
        poll.step()?;
        merged.extend(if left <= right { first.next() } else { second.next() });
    }
    merged.extend(first);
    merged.extend(second);
    Ok(merged)
}

/// A number of bytes, in MiB where it is a whole number of them.
fn bytes(bytes: u64) -> String {
    if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) {
        format!("{} MiB of memory", bytes >> 20)
    } else {
        format!("{bytes} bytes of memory")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_checked_at_intervals_and_large_steps_at_once() {
        let flag = Arc::new(AtomicBool::new(true));
        let limits = Limits::new().with_interrupt(flag);
        let poll = limits.poll();
        let taken = (0..).take_while(|_| poll.step().is_ok()).count();
        assert_eq!(taken, Poll::STEPS as usize);
        assert_eq!(limits.poll().steps(usize::MAX), Err(Stopped::Interrupted));
    }

    #[test]
    fn a_limit_says_what_was_given() {
        let limits = Limits::new().with_memory(3 << 20).with_time(Duration::ZERO);
        assert_eq!(limits.check(), Err(Stopped::Time { given: Duration::ZERO }));
        let stopped = limits.check_memory((3 << 20) + 1).unwrap_err();
        assert_eq!(stopped.to_string(), "this needs more than the limit of 3 MiB of memory");
        assert_eq!(Limits::none().check_memory(u64::MAX), Ok(()));
    }

    #[test]
    fn a_watcher_sees_every_check_before_it_is_answered() {
        let flag = Arc::new(AtomicBool::new(false));
        let set = flag.clone();
        let limits =
            Limits::new().with_interrupt(flag).with_watch(Arc::new(move || set.store(true, Ordering::Relaxed)));
        assert_eq!(limits.check(), Err(Stopped::Interrupted));
    }
}
