//! Positions in a text: byte spans, and sources, which convert them to lines and columns.

use crate::number::to_u32;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A half-open range of bytes, `start..end`, in the text of one [`Source`].
///
/// Texts of 4 GiB and more are rejected when they are parsed, so 32 bits suffice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The span of the bytes `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end && end <= u32::MAX as usize);
        Self { start: to_u32(start), end: to_u32(end) }
    }

    /// The same span in a text that has some more bytes before it.
    pub fn after(self, bytes: usize) -> Self {
        Self::new(self.start as usize + bytes, self.end as usize + bytes)
    }

    /// The smallest span that covers both.
    pub(crate) fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span as a range of byte offsets.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}..{}", self.start, self.end)
    }
}

/// A named text, to which positions refer. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Source {
    inner: Arc<SourceText>,
}

#[derive(Debug)]
struct SourceText {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    /// The number of characters before each block of [`BLOCK`] bytes, so that columns in very long lines are computed
    /// quickly.
    characters_before: Vec<u32>,
    /// True if some character takes two code units of UTF-16. Without one, columns need no second count.
    has_wide: bool,
}

const BLOCK: usize = 1024;

/// A line and a column, both counted from 1; the column counts characters, not bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct LineColumn {
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
}

impl Source {
    /// A source called `name` (a path, or the name of a game) with this text. Lines end at LF, CR LF or a lone CR.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let bytes = text.as_bytes();
        let mut line_starts = vec![0];
        for (at, &byte) in bytes.iter().enumerate() {
            // CR LF ends one line, at its LF.
            let ends = byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
            if ends {
                line_starts.push(to_u32(at) + 1);
            }
        }
        let mut characters = 0;
        let blocks = bytes.chunks(BLOCK).map(|block| {
            let before = characters;
            characters += count_characters(block);
            before
        });
        let characters_before = blocks.collect();
        // Exactly the characters of four bytes in UTF-8, which begin with 0xF0 or more, take two units of UTF-16.
        let has_wide = bytes.iter().any(|&byte| byte >= 0xF0);
        Self { inner: Arc::new(SourceText { name: name.into(), text, line_starts, characters_before, has_wide }) }
    }

    /// A source with the content of a file. Bytes that are not UTF-8 become U+FFFD, which is an error outside comments
    /// (`NOT_TEXT`); in comments it is tolerated, because public rule sheets have bytes of older
    /// encodings there.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        let text =
            String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Self::new(name, text)
    }

    /// The name of the source in messages.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The whole text, with its original line ends.
    pub fn text(&self) -> &str {
        &self.inner.text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        &self.inner.text[span.range()]
    }

    /// The span of a line, counted from 1, without its line end; that of the last line if there is no such line.
    pub fn line_span(&self, line: u32) -> Span {
        let starts = &self.inner.line_starts;
        let index = (line.max(1) as usize - 1).min(starts.len() - 1);
        let start = starts[index] as usize;
        let end = starts.get(index + 1).map_or(self.inner.text.len(), |&next| next as usize);
        let line = self.inner.text[start..end].trim_end_matches(['\r', '\n']);
        Span::new(start, start + line.len())
    }

    /// The line of a byte offset, counted from 1. A line that ends with CR LF ends after both.
    pub fn line(&self, offset: u32) -> u32 {
        to_u32(self.inner.line_starts.partition_point(|&start| start <= offset))
    }

    /// The line and column of a byte offset; an offset beyond the end is the position after the last character.
    pub fn position(&self, offset: u32) -> LineColumn {
        let (line, before) = self.before_in_line(offset);
        LineColumn { line: to_u32(line) + 1, column: self.characters_in(before) + 1 }
    }

    /// The line and the column of a byte offset as editors count them: both from 0, the column in UTF-16 code units. An
    /// offset beyond the end is the position after the last character.
    pub fn editor_position(&self, offset: u32) -> (u32, u32) {
        let (line, before) = self.before_in_line(offset);
        (to_u32(line), self.characters_in(before.clone()) + self.wide_in(before))
    }

    /// The index of the line of a byte offset, and the bytes of that line before it. An offset within a character
    /// counts as the beginning of the character.
    fn before_in_line(&self, offset: u32) -> (usize, Range<usize>) {
        let line = self.inner.line_starts.partition_point(|&start| start <= offset) - 1;
        let mut end = (offset as usize).min(self.inner.text.len());
        while !self.inner.text.is_char_boundary(end) {
            end -= 1;
        }
        (line, self.inner.line_starts[line] as usize..end)
    }

    /// The byte offset of a position as editors count it. A column after the end of the line is its end, a line after
    /// the last one is the end of the text, and a column within a character is its beginning.
    pub fn editor_offset(&self, line: u32, column: u32) -> u32 {
        if line as usize >= self.inner.line_starts.len() {
            return to_u32(self.inner.text.len());
        }
        let span = self.line_span(line + 1);
        let mut left = column as usize;
        for (at, character) in self.slice(span).char_indices() {
            if left < character.len_utf16() {
                return span.start + to_u32(at);
            }
            left -= character.len_utf16();
        }
        span.end
    }

    /// The number of characters in a range of bytes that are two code units of UTF-16.
    fn wide_in(&self, range: Range<usize>) -> u32 {
        if self.inner.has_wide {
            to_u32(self.inner.text.as_bytes()[range].iter().filter(|&&byte| byte >= 0xF0).count())
        } else {
            0
        }
    }

    /// The number of characters in a range of bytes. Only in long ranges is it quicker to ask the blocks.
    fn characters_in(&self, range: Range<usize>) -> u32 {
        if range.len() <= BLOCK {
            count_characters(&self.inner.text.as_bytes()[range])
        } else {
            self.characters_before(range.end) - self.characters_before(range.start)
        }
    }

    /// The number of characters before a byte offset.
    fn characters_before(&self, offset: usize) -> u32 {
        let block = (offset / BLOCK).min(self.inner.characters_before.len().saturating_sub(1));
        let counted = self.inner.characters_before.get(block).copied().unwrap_or(0);
        counted + count_characters(&self.inner.text.as_bytes()[block * BLOCK..offset])
    }
}

/// The number of characters that begin in these bytes of UTF-8.
fn count_characters(bytes: &[u8]) -> u32 {
    // All bytes of a character except the first have the form 10xxxxxx.
    to_u32(bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count())
}
