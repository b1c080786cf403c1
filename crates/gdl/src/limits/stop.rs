//! What stopped some work: one list for loading, engines and searches.

use crate::quantity::Size;
use serde::Serialize;
use std::time::Duration;

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
    /// What is kept would exceed the limit.
    #[error("the limit of {} was reached", self.amount())]
    Memory {
        /// The limit on what is kept, in bytes.
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
        /// What is limited.
        #[serde(rename = "what")]
        kind: WorkKind,
    },
    /// The interrupt flag was set.
    #[error("interrupted")]
    Interrupted,
}

/// What an engine limits within a single answer.
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
    /// The time of the answer, in milliseconds.
    Milliseconds,
    /// The memory of the answer, in bytes.
    Bytes,
}

impl WorkKind {
    /// What is limited, in the plural.
    fn name(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::NestedRelations => "nested relations",
            Self::NestedFunctions => "nested functions",
            Self::Tuples => "tuples",
            Self::Proofs => "ways to prove a recursive relation",
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
    /// A limit on the work of one answer.
    pub fn work(kind: WorkKind, limit: impl Into<u64>) -> Self {
        Self::Work { limit: limit.into(), kind }
    }

    /// This stop of an answer, for a search that asked for it: what was given for the answer is not what was given for
    /// the search.
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
