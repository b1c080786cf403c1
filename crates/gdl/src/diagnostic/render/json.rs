//! Diagnostics as objects for programs.

use crate::diagnostic::{Certainty, Diagnostic, Severity, TextEdit};
use crate::source::{Source, Span};

/// A problem as an object. Lines and columns count from 1, columns in characters; the end is the position after the
/// last character. They are null for problems of the sheet as a whole.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[expect(missing_docs, reason = "the fields are those of the diagnostic, with its primary place spelt out")]
pub struct JsonDiagnostic {
    pub(crate) severity: Severity,
    pub code: &'static str,
    pub(crate) name: &'static str,
    pub(crate) message: String,
    pub(crate) file: String,
    pub line: Option<u32>,
    pub(crate) column: Option<u32>,
    pub(crate) end_line: Option<u32>,
    pub(crate) end_column: Option<u32>,
    pub(crate) labels: Vec<JsonLabel>,
    pub(crate) help: Option<String>,
    /// The edits that do what the help says.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) fix: Vec<JsonEdit>,
    /// Whether the edits keep the meaning of the sheet, or are a guess.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fix_certainty: Option<Certainty>,
}

/// An edit as an object: the text between two positions is replaced.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct JsonEdit {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) end_line: u32,
    pub(crate) end_column: u32,
    pub(crate) replacement: String,
}

/// A label as an object.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct JsonLabel {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) end_line: u32,
    pub(crate) end_column: u32,
    pub(crate) message: String,
}

/// The object for one problem; serialise it with serde.
pub fn to_json(diagnostic: &Diagnostic, source: &Source) -> JsonDiagnostic {
    let labels: Vec<_> = diagnostic.labels.iter().map(|label| json_label(label.span, &label.message, source)).collect();
    let primary = labels.first();
    JsonDiagnostic {
        severity: diagnostic.code.severity,
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
