//! Errors in the text of a message or a reply, with their positions.

use super::MessageKind;
use gdl::suggestion::near_or_all;
use gdl::syntax::{LineColumn, Source, Span};

/// A text that is not a message, or not the expected reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}: {problem}", position.line, position.column)]
pub struct MessageError {
    /// The range of the error in the text.
    pub span: Span,
    /// The line and column where it begins.
    pub position: LineColumn,
    /// What is wrong at this position.
    pub problem: MessageProblem,
}

/// What can be wrong with a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageProblem {
    /// The text is too long for 32-bit positions.
    #[error("the text has 4 GiB or more")]
    TooLong,
    /// The text is empty or only whitespace.
    #[error("a message is expected, such as `(info)`")]
    Empty,
    /// The text does not begin with a list.
    #[error("a message begins with `(`, as in `(info)`")]
    NotAList,
    /// The first word of the message is missing.
    #[error("a message begins with its name, as in `(info)`")]
    NoName,
    /// A parenthesis is never closed.
    #[error("this parenthesis is not closed")]
    Unclosed,
    /// A closing parenthesis has no opening one.
    #[error("this parenthesis has no opening one")]
    Stray,
    /// The message continues after its last part.
    #[error("nothing more is expected here")]
    Surplus,
    /// There is no message of this name.
    #[error("there is no message `{name}`; {}", hint(name))]
    UnknownMessage {
        /// The name that is not a message's.
        name: String,
    },
    /// A part of the message is missing or of the wrong kind.
    #[error("`{message}` needs {part} here")]
    Expected {
        /// The kind of message that needs the part.
        message: MessageKind,
        /// A description of the part, with an article.
        part: &'static str,
    },
    /// A part is not a term, although it must be.
    #[error("{0}")]
    Term(String),
    /// A move or a role contains a variable.
    #[error("a move or a role must not contain variables")]
    Variable,
    /// The reply does not answer the message.
    #[error("the answer to `{message}` must be {expected}")]
    Reply {
        /// The kind of message that was sent.
        message: MessageKind,
        /// The expected form of the reply.
        expected: &'static str,
    },
}

impl MessageError {
    /// A problem at `span` of a text.
    pub(super) fn new(text: &str, span: Span, problem: MessageProblem) -> Self {
        let position = Source::new("message", text).position(span.start);
        Self { span, position, problem }
    }
}

fn hint(name: &str) -> String {
    near_or_all(name, &MessageKind::ALL.map(MessageKind::name))
}
