//! The renderer: diagnostics as text in rustc's style, with excerpts of the sheet, and as objects for programs.
//!
//! This is the only renderer: the check command, the loader, the prompt and the tests all show problems through it. It
//! returns strings; printing them is up to the caller.

use super::{Certainty, Diagnostic, Label, Severity, TextEdit};
use crate::mask::{masked, signed};
use crate::number::to_u32;
use crate::sorting;
use crate::source::{LineColumn, Source, Span};
use annotate_snippets::{AnnotationKind, Level, Origin, Patch, Renderer, Snippet, Title};
use anstyle::Style;
use std::borrow::Cow;
use std::ops::Range;

/// The appearance of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Without colours.
    Plain,
    /// With ANSI colours.
    Coloured,
    /// With ANSI colours for the terminal of this process, which tells them from escape sequences that a rule sheet
    /// contains.
    Signed,
}

impl Paint {
    /// A text in a style.
    pub fn styled(self, style: Style, text: &str) -> String {
        if self == Self::Plain || style == Style::new() {
            return text.to_string();
        }
        let [begin, end] = [style.render().to_string(), style.render_reset().to_string()].map(|style| match self {
            Self::Signed => signed(&style),
            _ => style,
        });
        begin + text + &end
    }
}

/// The maximum number of problems that [`report`] shows.
pub(crate) const SHOWN: usize = 100;

/// One problem, with the lines of its labels and carets below them. Ends with a line break.
///
/// The length of the text is bounded: of a very long line only the part around the label is shown, of a very long
/// clause only its beginning. Labels outside the text are shown at its end.
pub fn to_text(diagnostic: &Diagnostic, source: &Source, paint: Paint) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code.id);
    titled(title, &diagnostic.labels, diagnostic.help.as_deref(), diagnostic.edits(), source, paint)
}

/// The number of edits of a fix that are shown.
const SHOWN_EDITS: usize = 5;

/// An error that has no code, such as a mistake in a typed line, with the line and carets below the span. Ends with a
/// line break.
pub fn mistake(message: &str, span: Span, help: Option<&str>, source: &Source, paint: Paint) -> String {
    let label = Label { span, message: String::new() };
    titled(Level::ERROR.primary_title(message), &[label], help, &[], source, paint)
}

/// A title, with the lines of the labels, and below them the help or, if it has edits, their diff.
fn titled(
    title: Title<'_>,
    labels: &[Label],
    help: Option<&str>,
    fix: &[TextEdit],
    source: &Source,
    paint: Paint,
) -> String {
    let excerpts = Excerpt::of_labels(labels, source);
    let moved: Vec<_> = excerpts.iter().filter_map(|excerpt| excerpt.moved).collect();
    let name = quoted(source.name(), paint);
    let snippets = excerpts.into_iter().map(|excerpt| snippet(excerpt, labels, paint).path(name.clone()));
    let mut group = title.elements(snippets);
    if labels.is_empty() {
        group = group.element(Origin::path(name.clone()));
    }
    if let Some(help) = help
        && fix.is_empty()
    {
        group = group.element(Level::HELP.message(quoted(help, paint)));
    }
    let renderer = match paint {
        Paint::Plain => Renderer::plain(),
        Paint::Coloured | Paint::Signed => Renderer::styled(),
    };
    let help = quoted(help.unwrap_or("this fixes it"), paint);
    let mut groups = vec![group];
    if !fix.is_empty() {
        let edits = &fix[..fix.len().min(SHOWN_EDITS)];
        let spans: Vec<Label> = edits.iter().map(|edit| Label { span: edit.span, message: String::new() }).collect();
        let diffs = Excerpt::of_labels(&spans, source).into_iter().map(|excerpt| diff(excerpt, edits));
        groups.push(Level::HELP.secondary_title(help).elements(diffs));
    }
    let mut text = renderer.render(&groups) + "\n";
    // The renderer knows only the excerpt; in a cut line, its columns are not those of the source.
    for (shown, meant) in moved {
        correct(&mut text, &location(&name, shown), &location(&name, meant));
    }
    if paint == Paint::Signed { signed(&text) } else { text }
}

/// A text that the renderer takes as it is. Where styles are signed, they must be the only ones. (Titles and the lines
/// of excerpts are masked by the renderer.)
fn quoted(text: &str, paint: Paint) -> Cow<'_, str> {
    if paint == Paint::Signed { masked(text) } else { Cow::Borrowed(text) }
}

/// A position as the renderer writes it above an excerpt.
fn location(name: &str, LineColumn { line, column }: LineColumn) -> String {
    format!("{name}:{line}:{column}")
}

/// Replaces the first position that equals `shown`.
fn correct(text: &mut String, shown: &str, meant: &str) {
    // `3:1` must not be found at the beginning of `3:12`.
    let is_whole = |at: &usize| !text[at + shown.len()..].starts_with(|next: char| next.is_ascii_digit());
    let found = text.match_indices(shown).map(|(at, _)| at).find(is_whole);
    if let Some(at) = found {
        text.replace_range(at..at + shown.len(), meant);
    }
}

fn snippet<'a>(excerpt: Excerpt, labels: &'a [Label], paint: Paint) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let annotations: Vec<_> = excerpt
        .labels
        .iter()
        .map(|(index, range)| {
            let message = quoted(&labels[*index].message, paint);
            let kind = if *index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            kind.span(range.clone()).label((!message.is_empty()).then_some(message))
        })
        .collect();
    Snippet::source(excerpt.text).line_start(excerpt.first_line as usize).annotations(annotations)
}

/// The lines of an excerpt as they are, and as the edits make them.
fn diff<'a>(excerpt: Excerpt, edits: &'a [TextEdit]) -> Snippet<'a, Patch<'a>> {
    let patches = excerpt.labels.iter().map(|(index, range)| Patch::new(range.clone(), &edits[*index].replacement));
    let patches: Vec<_> = patches.collect();
    Snippet::source(excerpt.text).line_start(excerpt.first_line as usize).patches(patches)
}

/// Many problems, with an empty line after each; beyond `SHOWN` only their number. Empty if there are none.
pub fn report(diagnostics: &[Diagnostic], source: &Source, paint: Paint) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics.iter().take(SHOWN) {
        text.push_str(&to_text(diagnostic, source, paint));
        text.push('\n');
    }
    if diagnostics.len() > SHOWN {
        text.push_str(&format!("… and {} more\n\n", diagnostics.len() - SHOWN));
    }
    text
}

/// The number of errors and warnings in words: `2 errors, 1 warning`; `no problems` if there are none.
pub fn count(diagnostics: &[Diagnostic]) -> String {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    let warnings = diagnostics.len() - errors;
    let plural = |number, word| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
    match (errors, warnings) {
        (0, 0) => "no problems".to_string(),
        (_, 0) => plural(errors, "error"),
        (0, _) => plural(warnings, "warning"),
        _ => format!("{}, {}", plural(errors, "error"), plural(warnings, "warning")),
    }
}

/// A problem as an object. Lines and columns count from 1, columns in characters; the end is the position after the
/// last character. They are null for problems of the sheet as a whole.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[expect(missing_docs, reason = "the fields are those of the diagnostic, with its primary place spelt out")]
pub struct JsonDiagnostic {
    severity: Severity,
    pub code: &'static str,
    name: &'static str,
    message: String,
    file: String,
    pub line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
    labels: Vec<JsonLabel>,
    help: Option<String>,
    /// The edits that do what the help says.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fix: Vec<JsonEdit>,
    /// Certainty that the edits keep the meaning of the sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix_certainty: Option<Certainty>,
}

/// An edit as an object: the text between two positions is replaced.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
struct JsonEdit {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    replacement: String,
}

/// A label as an object.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
struct JsonLabel {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    message: String,
}

/// The object for one problem; serialise it with serde.
pub fn to_json(diagnostic: &Diagnostic, source: &Source) -> JsonDiagnostic {
    let labels: Vec<_> = diagnostic.labels.iter().map(|label| json_label(label.span, &label.message, source)).collect();
    let primary = labels.first();
    JsonDiagnostic {
        severity: diagnostic.severity,
        code: diagnostic.code.id,
        name: diagnostic.code.name,
        message: diagnostic.message.clone(),
        file: source.name().to_string(),
        line: primary.map(|label| label.line),
        column: primary.map(|label| label.column),
        end_line: primary.map(|label| label.end_line),
        end_column: primary.map(|label| label.end_column),
        labels,
        help: diagnostic.help.clone(),
        fix: diagnostic.edits().iter().map(|edit| json_edit(edit, source)).collect(),
        fix_certainty: diagnostic.fix.as_ref().map(|fix| fix.certainty),
    }
}

fn json_edit(edit: &TextEdit, source: &Source) -> JsonEdit {
    let start = source.position(edit.span.start);
    let end = source.position(edit.span.end);
    JsonEdit {
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        replacement: edit.replacement.clone(),
    }
}

fn json_label(span: Span, message: &str, source: &Source) -> JsonLabel {
    let start = source.position(span.start);
    let end = source.position(span.end);
    JsonLabel {
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        message: message.to_string(),
    }
}

/// A few lines of a source, each cut to a limited length.
struct Excerpt {
    /// The lines, separated by line breaks.
    text: String,
    /// The number of the first line.
    first_line: u32,
    /// The labels in these lines: the index of the label, and its range of bytes in `text`.
    labels: Vec<(usize, Range<usize>)>,
    /// If the line of its first label is cut on the left: the position of the label in the excerpt, and its position in
    /// the source.
    moved: Option<(LineColumn, LineColumn)>,
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
    fn of_labels(labels: &[Label], source: &Source) -> Vec<Self> {
        let mut extents: Vec<LabelExtent> =
            labels.iter().enumerate().map(|(i, label)| LabelExtent::new(i, label, source)).collect();
        sorting::sort_by_key(&mut extents, |extent| (extent.first_line, extent.span.start, extent.index));
        let groups = extents.chunk_by(LabelExtent::is_near);
        let mut excerpts: Vec<Self> = groups.map(|group| Self::of_extents(group, source)).collect();
        // The sort is stable: the excerpt of the primary label comes first, the others keep their order.
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
        // A label that ends with a line break does not reach into the next line.
        let last_byte = end.max(start + 1) - 1;
        let mut last_line = source.position(last_byte).line;
        if last_line - first_line >= TALL {
            last_line = first_line;
        }
        let end = end.min(source.line_span(last_line).end).max(start);
        Self { index, span: Span { start, end }, first_line, last_line }
    }

    /// True if a later label can be shown in the same excerpt.
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
