//! The outermost level of a message: words and lists, with their spans.
//!
//! A list of rules or moves is one part here, whatever it contains; [`gdl::syntax`] reads the inside. Comments extend
//! from `;` to the end of the line, as in every KIF text. Time is linear in the length of the text, and nothing
//! recurses.

use super::error::{MessageError, MessageProblem};
use gdl::syntax::{Span, is_blank};

/// A part of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MessagePart {
    /// Characters up to whitespace or a parenthesis.
    Word(Span),
    /// From `(` to the `)` that closes it.
    List(Span),
}

impl MessagePart {
    /// The range of the part in the text.
    pub(super) fn span(self) -> Span {
        match self {
            Self::Word(span) | Self::List(span) => span,
        }
    }
}

/// The parts of a whole text.
pub(super) fn parts(text: &str) -> Result<Vec<MessagePart>, MessageError> {
    parts_within(text, Span::new(0, text.len()))
}

/// The parts of a list; `list` includes its parentheses.
pub(super) fn inside(text: &str, list: Span) -> Result<Vec<MessagePart>, MessageError> {
    parts_within(text, inner(list))
}

/// The range between the parentheses of a list.
pub(super) fn inner(list: Span) -> Span {
    Span { start: list.start + 1, end: list.end - 1 }
}

fn parts_within(text: &str, span: Span) -> Result<Vec<MessagePart>, MessageError> {
    let mut found = Vec::new();
    let mut open = Vec::new();
    let mut at = span.start as usize;
    let end = span.end as usize;
    while let Some(c) = text[at..end].chars().next() {
        let start = at;
        at += c.len_utf8();
        match c {
            ';' => at += length(&text[at..end], |c| !matches!(c, '\n' | '\r')),
            '(' => open.push(start),
            ')' => match open.pop() {
                Some(opened) if open.is_empty() => found.push(MessagePart::List(Span::new(opened, at))),
                Some(_) => {}
                None => return Err(MessageError::new(text, Span::new(start, at), MessageProblem::Stray)),
            },
            c if is_blank(c) => {}
            _ => {
                at += length(&text[at..end], |c| !is_blank(c) && !matches!(c, '(' | ')' | ';'));
                if open.is_empty() {
                    found.push(MessagePart::Word(Span::new(start, at)));
                }
            }
        }
    }
    match open.first() {
        Some(&opened) => Err(MessageError::new(text, Span::new(opened, opened + 1), MessageProblem::Unclosed)),
        None => Ok(found),
    }
}

/// The number of bytes of the longest prefix of such characters.
fn length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}
