//! The limits of a piece of work: an interrupt, a deadline and memory, in one value that is passed down to the code
//! that does the work.
//!
//! ```
//! use gdl::limits::{Limits, Stop};
//! use std::time::Duration;
//!
//! let limits = Limits::new().with_time(Duration::ZERO).with_memory(1 << 30);
//! assert!(matches!(limits.check(), Err(Stop::Time { .. })));
//! assert!(matches!(limits.check_memory(2 << 30), Err(Stop::Memory { limit }) if limit == 1 << 30));
//! ```
//!
//! Loading (parsing, the checks, normalisation), the set-up of the interpreter, grounding, the optimiser and every
//! question to the interpreter accept [`Limits`], and poll them at intervals of bounded work. There are no global
//! flags: the caller that starts the work owns the flag and the clock.
//!
//! - A game: put them into `engine::EngineOptions` ([`with_interrupt`](Limits::with_interrupt) and so on exist there
//!   too); they apply while the game is loaded, while its engine is set up, and to every question that is asked of it.
//!   `engine::Game::set_limits` replaces them for a loaded game, `interpreter::Interpreter::set_limits` for one
//!   interpreter.
//! - A single step: the functions that end in `_within` (`rules::check_within`, `rules::normalise_within`,
//!   `syntax::parse_within`, `engine::check_text_within`, `interpreter::Interpreter::within`) accept them as an
//!   argument.
//! - Grounding has time and memory of its own beside the limits of its caller (`ground::GroundBudget::with_limits`).
//!
//! Whatever is stopped says why with the same [`Stop`]: loading, an engine in an answer
//! (`ReasonError::Stopped`), grounding, a search.
//!
//! A search has a `search::Budget`: limits, which it polls between nodes, and what only searches have. It is made of
//! the limits of the game (`Budget::with_limits(game.limits())`), which the engine polls inside a node, so that one
//! flag stops both.
//!
//! Interrupts and deadlines take effect within 0.3 seconds. Memory is what the allocator uses for the data that the
//! work keeps, not the resident memory of the process.

use crate::quantity::Size;
use crate::time::Instant;
use serde::Serialize;
use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The limits of some work. Cheap to clone; clones share the flag.
#[derive(Clone)]
pub struct Limits {
    interrupt: Option<Arc<AtomicBool>>,
    time: Option<TimeLimit>,
    work: Option<WorkLimit>,
    memory: u64,
    watch: Option<Arc<dyn Fn() + Send + Sync>>,
}

/// The end of some work, and the time it was given.
#[derive(Clone, Copy, Debug)]
struct TimeLimit {
    end: Deadline,
    given: Duration,
}

/// The pieces of work that are left, and those that were given.
#[derive(Clone, Debug)]
struct WorkLimit {
    left: Arc<AtomicU64>,
    given: u64,
}

impl WorkLimit {
    fn spend(&self, pieces: u64) -> Result<(), Stop> {
        // Relaxed: no other data depends on the number.
        let spent = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(pieces));
        spent.map(drop).map_err(|_| Stop::work(WorkKind::Pieces, self.given))
    }
}

impl Limits {
    /// The default limit on the memory for data that work keeps, in bytes: 1 GiB.
    pub const MEMORY: u64 = 1 << 30;

    /// The small steps of a piece of work ([`Limits::with_work`]).
    pub const STEPS_OF_PIECE: u32 = 1 << 10;

    /// No interrupt and no deadline, and [`Limits::MEMORY`].
    pub fn new() -> Self {
        Self { interrupt: None, time: None, work: None, memory: Self::MEMORY, watch: None }
    }

    /// No limits at all.
    pub fn none() -> Self {
        Self { memory: u64::MAX, ..Self::new() }
    }

    /// Stops soon after this flag is set.
    pub fn with_interrupt(self, flag: Arc<AtomicBool>) -> Self {
        Self { interrupt: Some(flag), ..self }
    }

    /// Stops at this moment. Errors name the time from now to then as the limit.
    pub fn with_deadline(self, end: Deadline) -> Self {
        Self { time: Some(TimeLimit { end, given: end.remaining() }), ..self }
    }

    /// Stops when this time has passed from now on.
    pub fn with_time(self, given: Duration) -> Self {
        Self { time: Some(TimeLimit { end: Deadline::after(given), given }), ..self }
    }

    /// The limits of work that began at this moment and may take this long by itself: its deadline is the earlier one.
    pub fn of_work(&self, begun: Instant, time: Option<Duration>) -> Self {
        let own = time.map(|given| TimeLimit { end: Deadline::since(begun, given), given });
        Self { time: self.time.into_iter().chain(own).min_by_key(|limit| limit.end), ..self.clone() }
    }

    /// Stops after this many pieces of work; clones share what is left. A piece is about a thousand small steps: the same
    /// work has the same number of pieces on every machine, whatever else that does.
    pub fn with_work(self, pieces: u64) -> Self {
        Self { work: Some(WorkLimit { left: Arc::new(AtomicU64::new(pieces)), given: pieces }), ..self }
    }

    /// Stops before the data to be kept takes more than this many bytes.
    pub fn with_memory(self, bytes: u64) -> Self {
        Self { memory: bytes, ..self }
    }

    /// Calls this function at every check, before its result is determined: the Python package asks for signals there.
    pub fn with_watch(self, watch: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self { watch: Some(watch), ..self }
    }

    /// The flag, if there is one.
    pub fn interrupt(&self) -> Option<&Arc<AtomicBool>> {
        self.interrupt.as_ref()
    }

    /// The deadline, if there is one.
    pub fn deadline(&self) -> Option<Deadline> {
        self.time.map(|limit| limit.end)
    }

    /// The limit on memory, in bytes.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// True if the flag is set. The clock is not read.
    #[inline]
    pub fn is_interrupted(&self) -> bool {
        // Relaxed: no other data depends on the flag.
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Checks whether the work may continue. Reads the clock if there is a deadline.
    ///
    /// # Errors
    /// [`Stop`] if the flag is set, the deadline has passed, or the work is used up.
    pub fn check(&self) -> Result<(), Stop> {
        self.check_after(1)
    }

    /// As [`Limits::check`], after this many pieces of work, where more is done between two checks than a [`Poll`] allows.
    ///
    /// # Errors
    /// As there.
    pub fn check_after(&self, pieces: u64) -> Result<(), Stop> {
        if let Some(watch) = &self.watch {
            // The watch may set the flag, so it comes first.
            watch();
        }
        if self.is_interrupted() {
            return Err(Stop::Interrupted);
        }
        match self.time {
            Some(limit) if limit.end.is_over() => Err(Stop::Time { limit: limit.given }),
            _ => self.work.as_ref().map_or(Ok(()), |work| work.spend(pieces)),
        }
    }

    /// Checks whether the work may keep this many bytes in total.
    ///
    /// # Errors
    /// [`Stop::Memory`] if this exceeds the limit.
    pub fn check_memory(&self, bytes: u64) -> Result<(), Stop> {
        if bytes > self.memory { Err(Stop::Memory { limit: self.memory }) } else { Ok(()) }
    }

    /// Counts small steps of work, so that not every step needs a check.
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
        let Self { interrupt, time, work, memory, watch } = self;
        write!(f, "Limits {{ interrupt: {interrupt:?}, time: {time:?}, work: {work:?}, memory: {memory}, ")?;
        write!(f, "watched: {} }}", watch.is_some())
    }
}

/// Does work without limits, which nothing stops.
pub fn unlimited<T>(work: impl FnOnce(&Limits) -> Result<T, Stop>) -> T {
    work(&Limits::none()).unwrap_or_else(|stop| unreachable!("work without limits was stopped: {stop}"))
}

/// Checks limits once every `STEPS` steps.
#[derive(Debug)]
pub struct Poll<'a> {
    limits: &'a Limits,
    left: Cell<u32>,
}

impl Poll<'_> {
    /// The number of steps between two checks. A step should take less than 100 microseconds.
    const STEPS: u32 = Limits::STEPS_OF_PIECE;

    /// Announces one step of work.
    ///
    /// # Errors
    /// As [`Limits::check`].
    #[inline]
    pub fn step(&self) -> Result<(), Stop> {
        self.steps(1)
    }

    /// Checks whether the work may keep this many bytes in total.
    ///
    /// # Errors
    /// As [`Limits::check_memory`].
    pub fn check_memory(&self, bytes: u64) -> Result<(), Stop> {
        self.limits.check_memory(bytes)
    }

    /// Announces work that takes as long as this many steps.
    ///
    /// # Errors
    /// As [`Limits::check`].
    #[inline]
    pub fn steps(&self, count: usize) -> Result<(), Stop> {
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

/// The memory that the allocator uses for a block of this many bytes: a header of 8, in steps of 16, at least 32;
/// nothing for no bytes. These are the figures of glibc's allocator; those of others differ little.
pub const fn heap_block(bytes: usize) -> usize {
    match bytes {
        0 => 0,
        1..=24 => 32,
        _ => (bytes + 8).next_multiple_of(16),
    }
}

/// The memory that a list takes on the heap, with the parts of its items there.
pub fn heap_of_list<T>(items: &Vec<T>, of_item: impl Fn(&T) -> usize) -> usize {
    heap_block(items.capacity() * size_of::<T>()) + items.iter().map(of_item).sum::<usize>()
}

/// Sorts items within limits, because sorting some millions takes longer than an interrupt may wait. Not stable.
///
/// # Errors
/// As [`Limits::check`].
pub fn sort_within<T: Ord>(mut items: Vec<T>, limits: &Limits) -> Result<Vec<T>, Stop> {
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
        // The two oldest runs are merged, so that runs of about the same length meet.
        runs.push_back(merge(first, second, &poll)?);
        if runs.len() == 1 {
            break;
        }
    }
    Ok(runs.pop_front().unwrap_or_default())
}

/// Merges two sorted lists.
fn merge<T: Ord>(first: Vec<T>, second: Vec<T>, poll: &Poll<'_>) -> Result<Vec<T>, Stop> {
    let mut merged = Vec::with_capacity(first.len() + second.len());
    let mut first = first.into_iter().peekable();
    let mut second = second.into_iter().peekable();
    while let (Some(left), Some(right)) = (first.peek(), second.peek()) {
        poll.step()?;
        merged.extend(if left <= right { first.next() } else { second.next() });
    }
    merged.extend(first);
    merged.extend(second);
    Ok(merged)
}

/// The limit that stopped some work, or the interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "limit", rename_all = "snake_case")]
pub enum Stop {
    /// The number of visited states has reached the limit.
    #[error("the limit of {} was reached", self.amount())]
    Nodes {
        /// The limit on nodes.
        #[serde(rename = "given")]
        limit: u64,
    },
    /// A line would be longer than the limit, or the horizon cut something off.
    #[error("the limit of {} was reached", self.amount())]
    Depth {
        /// The limit in joint moves.
        #[serde(rename = "given")]
        limit: u32,
    },
    /// The data to be kept would exceed the limit.
    #[error("the limit of {} was reached", self.amount())]
    Memory {
        /// The limit on kept data, in bytes.
        #[serde(rename = "given")]
        limit: u64,
    },
    /// The deadline has passed.
    #[error("the time limit of {} was reached", self.amount())]
    Time {
        /// The time that was given.
        #[serde(rename = "given")]
        limit: Duration,
    },
    /// A single answer of an engine met a limit of its own.
    #[error("an answer of the engine needs more than the limit of {}", self.amount())]
    #[serde(rename = "engine")]
    Work {
        /// The limit, in the unit of its kind.
        #[serde(rename = "given")]
        limit: u64,
        /// The kind of work that is limited.
        #[serde(rename = "what")]
        kind: WorkKind,
    },
    /// The interrupt flag was set.
    #[error("interrupted")]
    Interrupted,
}

/// Kinds of work that an engine limits within a single answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "&'static str")]
pub enum WorkKind {
    /// Steps of inference.
    Steps,
    /// Calls of relations within each other.
    NestedRelations,
    /// Functions within each other in a term.
    NestedFunctions,
    /// Tuples of the relations of a closure.
    Tuples,
    /// Ways to prove an instance of a recursive relation, for an explanation.
    Proofs,
    /// Pieces of a longer piece of work ([`Limits::with_work`]).
    Pieces,
    /// The time of the answer, in milliseconds.
    Milliseconds,
    /// The memory of the answer, in bytes.
    Bytes,
}

impl WorkKind {
    /// The unit, in the plural.
    fn name(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::NestedRelations => "nested relations",
            Self::NestedFunctions => "nested functions",
            Self::Tuples => "tuples",
            Self::Proofs => "ways to prove a recursive relation",
            Self::Pieces => "pieces of work",
            Self::Milliseconds => "milliseconds",
            Self::Bytes => "bytes of memory",
        }
    }
}

impl From<WorkKind> for &'static str {
    fn from(kind: WorkKind) -> Self {
        kind.name()
    }
}

impl Stop {
    /// True for a limit of a whole piece of work: its time, its memory, or the work itself. The others end one answer, or a
    /// search.
    pub fn is_of_work(&self) -> bool {
        matches!(self, Self::Time { .. } | Self::Memory { .. } | Self::Work { kind: WorkKind::Pieces, .. })
    }

    /// A limit on the work of one answer.
    pub fn work(kind: WorkKind, limit: impl Into<u64>) -> Self {
        Self::Work { limit: limit.into(), kind }
    }

    /// The stop of an answer as the stop of the search that asked for it. The limits of an answer are not those of the
    /// search, so time and memory become kinds of work.
    pub fn of_answer(self) -> Self {
        match self {
            Self::Time { limit } => {
                let milliseconds = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
                Self::work(WorkKind::Milliseconds, milliseconds)
            }
            Self::Memory { limit } => Self::work(WorkKind::Bytes, limit),
            stop => stop,
        }
    }

    /// The message of a search that had a share of a limit.
    pub fn of_share(self) -> String {
        match self {
            Self::Time { .. } => format!("its share of the time, {}, was used up", self.amount()),
            Self::Nodes { limit } => format!("its share of the nodes, {limit}, was used up"),
            stop => stop.to_string(),
        }
    }

    /// The limit with its unit, such as `20 s`.
    pub fn amount(&self) -> String {
        match *self {
            Self::Nodes { limit } => format!("{limit} {}", if limit == 1 { "node" } else { "nodes" }),
            Self::Depth { limit } => format!("{limit} {} ahead", if limit == 1 { "move" } else { "moves" }),
            Self::Memory { limit } | Self::Work { limit, kind: WorkKind::Bytes } => {
                format!("{} of memory", Size::new(limit).rounded())
            }
            Self::Time { limit } => format!("{} s", in_milliseconds(limit).as_secs_f64()),
            Self::Work { limit, kind } => format!("{limit} {}", kind.name()),
            Self::Interrupted => "none".to_string(),
        }
    }
}

/// A time to the millisecond, if it is as long as that: a part of a limit has more digits than are of use.
fn in_milliseconds(time: Duration) -> Duration {
    match u64::try_from(time.as_millis()) {
        Ok(millis @ 1..) => Duration::from_millis(millis),
        _ => time,
    }
}

/// The moment by which work must end, or an answer must arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    /// This much time from now.
    pub fn after(time: Duration) -> Self {
        Self::since(Instant::now(), time)
    }

    /// This much time from a moment on.
    pub(crate) fn since(begun: Instant, time: Duration) -> Self {
        // A time that the system's clock cannot represent is replaced by a century.
        Self(begun.checked_add(time).unwrap_or_else(|| begun + Duration::from_secs(100 * 365 * 86_400)))
    }

    /// The deadline postponed by this much time.
    pub fn later(self, time: Duration) -> Self {
        Self(self.0.checked_add(time).unwrap_or(self.0))
    }

    /// Earlier by this time.
    pub fn earlier(self, time: Duration) -> Self {
        Self(self.0.checked_sub(time).unwrap_or(self.0))
    }

    /// The deadline as a moment of the system's monotonic clock.
    pub fn at(self) -> Instant {
        self.0
    }

    /// The time left; zero if the deadline has passed.
    pub fn remaining(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// True if the deadline has passed.
    pub fn is_over(self) -> bool {
        Instant::now() >= self.0
    }
}
