//! The replies of a player, and how they are written.

use super::error::{MessageError, MessageProblem};
use super::outline::{self, MessagePart};
use super::{MessageKind, read};
use gdl::rules::GroundTerm;
use gdl::syntax::{Dialect, Span};
use std::fmt;

/// A reply of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// To `info`: `((name NAME) (status available))`.
    Info {
        /// The name of the player: one word.
        name: String,
        /// Whether the player is free for a match.
        status: Status,
    },
    /// To `start` and `preview`: `ready`.
    Ready,
    /// To `play`: the chosen move.
    Move(GroundTerm),
    /// To `stop`: the player has left the match.
    Done,
    /// To `abort`: the player has left the match.
    Aborted,
    /// To any message: another match is being played, `busy`.
    Busy,
}

/// Whether a player is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The player is free for a match.
    Available,
    /// The player is in a match.
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
    /// Parses the reply to a message of this kind. Keywords are read in any case, and `busy` is never a move. For
    /// `info`, a plain `available` or `busy`, as some players send it, is accepted as well.
    ///
    /// # Errors
    /// If the text is not such a reply.
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
    if let [MessagePart::List(list)] = parts[..] {
        parts = outline::inside(text, list).ok()?;
    }
    let mut name = String::new();
    let mut status = None;
    for part in parts {
        let words: Vec<&str> = match part {
            MessagePart::Word(span) => vec!["status", &text[span.range()]],
            MessagePart::List(span) => {
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
