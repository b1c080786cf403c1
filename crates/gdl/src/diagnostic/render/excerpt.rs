//! Excerpts: the lines of a text that a diagnostic shows, and the positions of its labels in them.

use crate::diagnostic::Label;
use crate::number::to_u32;
use crate::sorting;
use crate::source::{LineColumn, Source, Span};
use std::ops::Range;

/// A few lines of a source, each cut to a limited length.
pub(super) struct Excerpt {
    /// The lines, separated by line breaks.
    pub(super) text: String,
    /// The number of the first line.
    pub(super) first_line: u32,
    /// The labels in these lines: the index of the label, and its range of bytes in `text`.
    pub(super) labels: Vec<(usize, Range<usize>)>,
    /// If the line of its first label is cut on the left: the position of the label in the excerpt, and its position in
    /// the source.
    pub(super) moved: Option<(LineColumn, LineColumn)>,
}

/// Labels that are at most this many lines apart share an excerpt, unless they are far apart in one line.
const NEAR: u32 = 30;
/// A label that covers more lines than this is shown at its first line only.
const TALL: u32 = 8;
/// The number of bytes that are kept of a line from the start of its first label on.
const WIDE: usize = 160;
/// The number of bytes that are kept of a line before its first label; more than the renderer shows.
const BEFORE: usize = 1_000;

impl Excerpt {
    /// The excerpts for these labels: the one with the first label first, the others in the order of the text.
    pub(super) fn of_labels(labels: &[Label], source: &Source) -> Vec<Self> {
        let mut extents: Vec<LabelExtent> =
            labels.iter().enumerate().map(|(i, label)| LabelExtent::new(i, label, source)).collect();
        sorting::sort_by_key(&mut extents, |extent| (extent.first_line, extent.span.start, extent.index));
        let groups = extents.chunk_by(LabelExtent::is_near);
        let mut excerpts: Vec<Self> = groups.map(|group| Self::of_extents(group, source)).collect();
        sorting::sort_by_key(&mut excerpts, |excerpt| excerpt.labels.iter().all(|&(index, _)| index != 0));
        excerpts
    }

    fn of_extents(extents: &[LabelExtent], source: &Source) -> Self {
        let first_line = extents.iter().map(|extent| extent.first_line).min().unwrap_or(1);
        let last_line = extents.iter().map(|extent| extent.last_line).max().unwrap_or(1);
        let mut text = String::new();
        let mut lines = Vec::new();
        for line in first_line..=last_line {
            let whole = source.line_span(line);
            let labelled = extents.iter().find(|extent| extent.first_line == line || extent.last_line == line);
            let focus = labelled.map_or(whole.start, |extent| extent.span.start.max(whole.start));
            let kept = Span {
                start: floor_boundary(source.text(), (focus as usize).saturating_sub(BEFORE)).max(whole.start),
                end: floor_boundary(source.text(), focus as usize + WIDE).min(whole.end),
            };
            lines.push((kept, text.len()));
            text.push_str(source.slice(kept));
            if kept.end < whole.end {
                text.push('…');
            }
            if line < last_line {
                text.push('\n');
            }
        }
        let locate = |offset: u32, line: u32| {
            let (kept, start) = lines[(line - first_line) as usize];
            start + (offset.clamp(kept.start, kept.end) - kept.start) as usize
        };
        let labels = extents.iter().map(|extent| {
            let start = locate(extent.span.start, extent.first_line);
            (extent.index, start..locate(extent.span.end, extent.last_line).max(start))
        });
        let labels = labels.collect();
        let head = extents.iter().find(|extent| extent.index == 0).unwrap_or(&extents[0]);
        let (kept, _) = lines[(head.first_line - first_line) as usize];
        let meant = source.position(head.span.start);
        let cut = source.position(kept.start).column - 1;
        let moved = (cut > 0).then_some((LineColumn { column: meant.column - cut, ..meant }, meant));
        Self { text, first_line, labels, moved }
    }
}

/// A label with its span restricted to the text, and the lines it covers.
struct LabelExtent {
    index: usize,
    span: Span,
    first_line: u32,
    last_line: u32,
}

impl LabelExtent {
    fn new(index: usize, label: &Label, source: &Source) -> Self {
        let start = floor_boundary(source.text(), label.span.start as usize);
        let end = floor_boundary(source.text(), label.span.end as usize).max(start);
        let first_line = source.position(start).line;
        let last_byte = end.max(start + 1) - 1;
        let mut last_line = source.position(last_byte).line;
        if last_line - first_line >= TALL {
            last_line = first_line;
        }
        let end = end.min(source.line_span(last_line).end).max(start);
        Self { index, span: Span { start, end }, first_line, last_line }
    }

    /// Whether a later label can be shown together with this one.
    fn is_near(&self, later: &Self) -> bool {
        let lines = later.first_line.saturating_sub(self.last_line);
        let bytes = later.span.start.saturating_sub(self.span.start) as usize;
        if lines == 0 { bytes < WIDE } else { lines <= NEAR }
    }
}

/// The nearest start of a character at or before an offset.
fn floor_boundary(text: &str, offset: usize) -> u32 {
    to_u32(text.floor_char_boundary(offset))
}
