//! Renders diagnostics as text in rustc's style, and as objects for programs.
//!
//! This is the only renderer: the check command, the loader, the prompt and the tests all show problems through it. It
//! returns strings; printing them is up to the caller.

mod excerpt;
mod json;

pub use json::{JsonDiagnostic, to_json};

use super::{Diagnostic, Label, Severity, TextEdit};
use crate::mask::{masked, signed};
use crate::source::{LineColumn, Source, Span};
use annotate_snippets::{AnnotationKind, Level, Origin, Patch, Renderer, Snippet, Title};
use anstyle::Style;
use excerpt::Excerpt;
use std::borrow::Cow;

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
    let level = match diagnostic.code.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code.id);
    let advice = HelpAndFix { help: diagnostic.help.as_deref(), fix: diagnostic.edits() };
    titled(title, &diagnostic.labels, advice, source, paint)
}

/// What is said below an excerpt: help, and the edits that do what it says.
struct HelpAndFix<'a> {
    help: Option<&'a str>,
    fix: &'a [TextEdit],
}

/// The number of edits of a fix that are shown.
const SHOWN_EDITS: usize = 5;

/// An error that has no code, such as a mistake in a typed line, with the line and carets below the span. Ends with a
/// line break.
pub fn mistake(message: &str, span: Span, help: Option<&str>, source: &Source, paint: Paint) -> String {
    let label = Label { span, message: String::new() };
    titled(Level::ERROR.primary_title(message), &[label], HelpAndFix { help, fix: &[] }, source, paint)
}

/// A title, with the lines of the labels, and below them the help or, if it has edits, their diff.
fn titled(title: Title<'_>, labels: &[Label], advice: HelpAndFix<'_>, source: &Source, paint: Paint) -> String {
    let excerpts = Excerpt::of_labels(labels, source);
    let moved: Vec<_> = excerpts.iter().filter_map(|excerpt| excerpt.moved).collect();
    let name = quoted(source.name(), paint);
    let snippets = excerpts.into_iter().map(|excerpt| snippet(excerpt, labels, paint).path(name.clone()));
    let mut group = title.elements(snippets);
    if labels.is_empty() {
        group = group.element(Origin::path(name.clone()));
    }
    if let Some(help) = advice.help
        && advice.fix.is_empty()
    {
        group = group.element(Level::HELP.message(quoted(help, paint)));
    }
    let renderer = match paint {
        Paint::Plain => Renderer::plain(),
        Paint::Coloured | Paint::Signed => Renderer::styled(),
    };
    let help = quoted(advice.help.unwrap_or("this fixes it"), paint);
    let mut groups = vec![group];
    if !advice.fix.is_empty() {
        let edits = &advice.fix[..advice.fix.len().min(SHOWN_EDITS)];
        let spans: Vec<Label> = edits.iter().map(|edit| Label { span: edit.span, message: String::new() }).collect();
        let diffs = Excerpt::of_labels(&spans, source).into_iter().map(|excerpt| diff(excerpt, edits));
        groups.push(Level::HELP.secondary_title(help).elements(diffs));
    }
    let mut text = renderer.render(&groups) + "\n";
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
