//! What can be wrong with the text of a message or a reply, and where.

use super::MessageKind;
use crate::suggestion::{alternatives, nearest};
use crate::syntax::{LineColumn, Source, Span};

/// A text that is no message, or not the reply that was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}: {problem}", position.line, position.column)]
pub struct MessageError {
    /// The place in the text.
    pub span: Span,
    /// Where that begins.
    pub position: LineColumn,
    /// What is wrong there.
    pub problem: MessageProblem,
}

/// What can be wrong with a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageProblem {
    /// The text is too long for positions of 32 bits.
    #[error("the text is not shorter than 4 GiB")]
    TooLong,
    /// There is nothing but blanks.
    #[error("a message is expected, such as `(info)`")]
    Empty,
    /// The text does not begin with a list.
    #[error("a message begins with `(`, as in `(info)`")]
    NotAList,
    /// The first word of a message is missing.
    #[error("a message begins with its name, as in `(info)`")]
    NoName,
    /// A parenthesis is never closed.
    #[error("this parenthesis is not closed")]
    Unclosed,
    /// A parenthesis closes nothing.
    #[error("this parenthesis closes nothing")]
    Stray,
    /// Something follows where all has been said.
    #[error("nothing more is expected here")]
    Surplus,
    /// There is no such message.
    #[error("there is no message `{name}`; {}", hint(name))]
    UnknownMessage {
        /// Its name.
        name: String,
    },
    /// A part of a message is missing, or something else stands in its place.
    #[error("`{message}` needs {part} here")]
    Expected {
        /// The message.
        message: MessageKind,
        /// What is needed.
        part: &'static str,
    },
    /// A part that has to be a term is none.
    #[error("{0}")]
    Term(String),
    /// A move or a role with a variable.
    #[error("a move or a role has no variables")]
    Variable,
    /// A reply that does not answer the message.
    #[error("`{message}` is answered with {expected}")]
    Reply {
        /// The message.
        message: MessageKind,
        /// How it is answered.
        expected: &'static str,
    },
}

impl MessageError {
    /// A problem at a place of a text.
    pub(super) fn new(text: &str, span: Span, problem: MessageProblem) -> Self {
        let position = Source::new("message", text).position(span.start);
        Self { span, position, problem }
    }
}

fn hint(name: &str) -> String {
    match &nearest(name, MessageKind::ALL.iter().map(|kind| kind.name()))[..] {
        [] => format!("there is {}", alternatives(&MessageKind::ALL)),
        near => format!("did you mean {}?", alternatives(near)),
    }
}
