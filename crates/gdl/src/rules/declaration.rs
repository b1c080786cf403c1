//! Declarations: comments that begin with `!`, such as `%! utility = goal - 50`. They tell this program what the rules
//! cannot say, and every other program ignores them.

use crate::syntax::Span;
use crate::syntax::ast::Sheet;

/// A comment that begins with `!`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declaration<'a> {
    /// The first word: letters up to anything else.
    pub(super) word: &'a str,
    /// The text after the `!`, without blanks around it.
    pub(super) text: &'a str,
    /// The index of the text in the source, in bytes.
    start: usize,
    /// The span of the comment, its signs included.
    pub(super) comment: Span,
}

impl<'a> Declaration<'a> {
    /// The declarations of a sheet, in the order of the text.
    pub(super) fn all(sheet: &'a Sheet) -> impl Iterator<Item = Self> {
        sheet.comments.iter().filter_map(|comment| {
            let text = comment.text.trim_start().strip_prefix('!')?.trim_start();
            let start = comment.span.end as usize - text.len();
            let text = text.trim_end();
            let end = text.find(|letter: char| !letter.is_alphabetic()).unwrap_or(text.len());
            Some(Self { word: &text[..end], text, start, comment: comment.span })
        })
    }

    /// The span of a part of [`Declaration::text`]; if it is empty, that of the character there, or of the last one.
    pub(super) fn span(&self, part: &str) -> Span {
        let offset = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize).min(self.text.len());
        let from = if part.is_empty() && offset == self.text.len() { self.last() } else { offset };
        let length =
            if part.is_empty() { self.text[from..].chars().next().map_or(0, char::len_utf8) } else { part.len() };
        Span::new(self.start + from, self.start + (from + length).min(self.text.len()))
    }

    /// The index of the last character of the text.
    fn last(&self) -> usize {
        self.text.char_indices().next_back().map_or(0, |(index, _)| index)
    }
}
