//! What a player answers, and how it is written.

use super::error::{MessageError, MessageProblem};
use super::outline::{self, Part};
use super::{MessageKind, read};
use crate::rules::GroundTerm;
use crate::syntax::{Dialect, Span};
use std::fmt;

/// An answer of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// To `info`: `((name NAME) (status available))`.
    Info {
        /// What the player is called: one word.
        name: String,
        /// Whether it could play now.
        status: Status,
    },
    /// To `start` and `preview`: `ready`.
    Ready,
    /// To `play`: the move.
    Move(GroundTerm),
    /// To `stop`: `done`.
    Done,
    /// To `abort`: `aborted`.
    Aborted,
    /// Another match is being played: `busy`.
    Busy,
}

/// Whether a player is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It could play.
    Available,
    /// It plays a match.
    Busy,
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Available => "available",
            Self::Busy => "busy",
        })
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Info { name, status } => write!(formatter, "((name {name}) (status {status}))"),
            Self::Ready => formatter.write_str("ready"),
            Self::Move(chosen) => chosen.display(Dialect::Prefix).fmt(formatter),
            Self::Done => formatter.write_str("done"),
            Self::Aborted => formatter.write_str("aborted"),
            Self::Busy => formatter.write_str("busy"),
        }
    }
}

impl Reply {
    /// Reads the answer to a message of this kind. Words are read in any case, and `busy` is never a move; for `info` a bare
    /// `available` or `busy`, as some players say it, will do as well.
    ///
    /// # Errors
    /// Where the text is not such an answer.
    pub fn parse(text: &str, message: MessageKind) -> Result<Self, MessageError> {
        let word = text.trim();
        if message != MessageKind::Info && word.eq_ignore_ascii_case("busy") {
            return Ok(Self::Busy);
        }
        let (expected, reply) = match message {
            MessageKind::Info => ("`((name …) (status available))`", info(text)),
            MessageKind::Preview | MessageKind::Start => ("`ready` or `busy`", is(word, "ready", Self::Ready)),
            MessageKind::Stop => ("`done`", is(word, "done", Self::Done)),
            MessageKind::Abort => ("`aborted`", is(word, "aborted", Self::Aborted)),
            MessageKind::Play => {
                let mut terms = read::terms(text, Span::new(0, text.len()))?;
                ("one move", if terms.len() == 1 { terms.pop().map(Self::Move) } else { None })
            }
        };
        let problem = MessageProblem::Reply { message, expected };
        reply.ok_or_else(|| MessageError::new(text, Span::new(0, text.len()), problem))
    }
}

fn is(word: &str, expected: &str, reply: Reply) -> Option<Reply> {
    word.eq_ignore_ascii_case(expected).then_some(reply)
}

fn info(text: &str) -> Option<Reply> {
    let mut parts = outline::parts(text).ok()?;
    if let [Part::List(list)] = parts[..] {
        parts = outline::inside(text, list).ok()?;
    }
    let (mut name, mut status) = (String::new(), None);
    for part in parts {
        let words: Vec<&str> = match part {
            Part::Word(span) => vec!["status", &text[span.range()]],
            Part::List(span) => {
                outline::inside(text, span).ok()?.iter().map(|part| &text[part.span().range()]).collect()
            }
        };
        match words[..] {
            [key, value] if key.eq_ignore_ascii_case("name") => name = value.to_string(),
            [key, value] if key.eq_ignore_ascii_case("status") => status = status_of(value).or(status),
            _ => {}
        }
    }
    status.map(|status| Reply::Info { name, status })
}

fn status_of(word: &str) -> Option<Status> {
    match word.to_ascii_lowercase().as_str() {
        "available" | "ready" => Some(Status::Available),
        "busy" => Some(Status::Busy),
        _ => None,
    }
}
