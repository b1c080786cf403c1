//! Renders diagnostics as text in rustc's style, and as objects for programs.
//!
//! This is the only renderer: the check command, the loader, the prompt and the tests all show problems through it. It
//! returns strings; printing them is up to the caller.

mod excerpt;
mod json;

pub use json::{JsonDiagnostic, to_json};

use super::{Diagnostic, Label, Severity};
use crate::syntax::{LineColumn, Source, Span};
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet, Title};
use excerpt::Excerpt;

/// The appearance of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Without colours.
    Plain,
    /// With ANSI colours.
    Coloured,
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
    titled(title, &diagnostic.labels, diagnostic.help.as_deref(), source, paint)
}

/// An error that has no code, such as a mistake in a typed line, with the line and carets below the span. Ends with a
/// line break.
pub(crate) fn mistake(message: &str, span: Span, help: Option<&str>, source: &Source, paint: Paint) -> String {
    let label = Label { span, message: String::new() };
    titled(Level::ERROR.primary_title(message), &[label], help, source, paint)
}

/// A title, with the lines of the labels and the help below it.
fn titled(title: Title<'_>, labels: &[Label], help: Option<&str>, source: &Source, paint: Paint) -> String {
    let excerpts = Excerpt::of_labels(labels, source);
    let moved: Vec<_> = excerpts.iter().filter_map(|excerpt| excerpt.moved).collect();
    let snippets = excerpts.into_iter().map(|excerpt| snippet(excerpt, labels).path(source.name()));
    let mut group = title.elements(snippets);
    if labels.is_empty() {
        group = group.element(Origin::path(source.name()));
    }
    if let Some(help) = help {
        group = group.element(Level::HELP.message(help));
    }
    let renderer = match paint {
        Paint::Plain => Renderer::plain(),
        Paint::Coloured => Renderer::styled(),
    };
    let mut text = renderer.render(&[group]) + "\n";
    for (shown, meant) in moved {
        correct(&mut text, &location(source, shown), &location(source, meant));
    }
    text
}

/// A position as the renderer writes it above an excerpt.
fn location(source: &Source, LineColumn { line, column }: LineColumn) -> String {
    format!("{}:{line}:{column}", source.name())
}

/// Replaces the first position that equals `shown`.
fn correct(text: &mut String, shown: &str, meant: &str) {
    let is_whole = |at: &usize| !text[at + shown.len()..].starts_with(|next: char| next.is_ascii_digit());
    let found = text.match_indices(shown).map(|(at, _)| at).find(is_whole);
    if let Some(at) = found {
        text.replace_range(at..at + shown.len(), meant);
    }
}

fn snippet<'a>(excerpt: Excerpt, labels: &'a [Label]) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let annotations: Vec<_> = excerpt
        .labels
        .iter()
        .map(|(index, range)| {
            let message = labels[*index].message.as_str();
            let kind = if *index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            kind.span(range.clone()).label((!message.is_empty()).then_some(message))
        })
        .collect();
    Snippet::source(excerpt.text).line_start(excerpt.first_line as usize).annotations(annotations)
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
