//! Renders answers and errors as text for people, and as JSON for programs. Nothing here prints.

use super::CommandError;
use super::answer::{Answer, AnswerContent, AnswerView, MatchPosition, TextStyle};
use super::command::QuerySolutions;
use super::lesson::{self, LessonRemark};
use gdl::diagnostic::render::{Paint, mistake, report};
use gdl::syntax::Dialect;
use ggp_engine::{FeatureError, GameOriginError, LoadError};
use serde::Serialize;

pub(crate) use super::answer::text::json;
pub use ggp_draw::fit::WIDTH;

/// An answer as text, with its terms in a dialect: whole lines, or the empty text. Prose is wrapped, and boards are
/// cut, at [`WIDTH`].
pub fn text(answer: &Answer, paint: Paint, dialect: Dialect) -> String {
    text_within(answer, paint, dialect, WIDTH)
}

/// As [`text()`], with prose wrapped, and boards cut, at a width.
pub fn text_within(answer: &Answer, paint: Paint, dialect: Dialect, width: usize) -> String {
    answer.text(&TextStyle { view: AnswerView::PLAIN, paint, dialect, width })
}

/// The solutions of a query, of many only the first ones, for a terminal of this width.
pub(crate) fn cut_solutions(solutions: &QuerySolutions, paint: Paint, dialect: Dialect, width: usize) -> String {
    solutions.cut_text(&TextStyle { view: AnswerView::PLAIN, paint, dialect, width })
}

/// A position as text, in a width.
pub(crate) fn position(position: &MatchPosition, paint: Paint, dialect: Dialect, width: usize) -> String {
    position.text(&TextStyle { view: AnswerView::PLAIN, paint, dialect, width })
}

/// The verdict of a lesson on a line: whole lines, after an empty one.
pub fn remark(remark: &LessonRemark, width: usize) -> String {
    lesson::remark_text(remark, width)
}

/// An error as text: whole lines. Problems of a rule sheet or a query are shown with carets.
pub fn error(error: &CommandError, paint: Paint) -> String {
    match error {
        CommandError::Load(LoadError::Rejected { source_text, diagnostics })
        | CommandError::Load(LoadError::Origin(GameOriginError::NoTree { source_text, diagnostics, .. }))
        | CommandError::Feature(FeatureError::Rejected { source_text, diagnostics }) => {
            report(diagnostics, source_text, paint) + &headline(error, paint)
        }
        CommandError::Mistyped { text, span, problem, help } => mistake(problem, *span, help.as_deref(), text, paint),
        CommandError::Syntax { text, diagnostics } if !diagnostics.is_empty() => report(diagnostics, text, paint),
        _ => headline(error, paint),
    }
}

/// A line that begins with `error:`.
pub(crate) fn headline(error: &dyn std::fmt::Display, paint: Paint) -> String {
    talk("error", anstyle::AnsiColor::Red, error, paint)
}

/// A line that begins with `note:`.
pub fn note(note: &dyn std::fmt::Display, paint: Paint) -> String {
    talk("note", anstyle::AnsiColor::Cyan, note, paint)
}

/// A line that begins with `warning:`.
pub fn warning(warning: &dyn std::fmt::Display, paint: Paint) -> String {
    talk("warning", anstyle::AnsiColor::Yellow, warning, paint)
}

fn talk(kind: &str, colour: anstyle::AnsiColor, message: &dyn std::fmt::Display, paint: Paint) -> String {
    let style = anstyle::Style::new().bold().fg_color(Some(colour.into()));
    format!("{}: {message}\n", paint.styled(style, kind))
}

/// A command and its result as one JSON object.
#[derive(Serialize)]
pub struct Record<'a> {
    /// The file that contains the command, if it is in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<&'a str>,
    /// The line in the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
    /// The text of the command.
    pub(crate) command: &'a str,
    /// The answer, if the command succeeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<&'a Answer>,
    /// The error, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    /// The column of the command at which the error is, from 1, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<u32>,
    /// The verdict of the running lesson.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lesson: Option<LessonRemark>,
}

impl<'a> Record<'a> {
    /// The record of a command that is not in a file.
    pub fn new(command: &'a str, result: &'a Result<Answer, CommandError>) -> Self {
        let error = result.as_ref().err().map(ToString::to_string);
        let column = result.as_ref().err().and_then(|error| error.column(command));
        Self { file: None, line: None, command, answer: result.as_ref().ok(), error, column, lesson: None }
    }

    /// The record with what a lesson says of the command.
    pub(crate) fn with_lesson(self, lesson: Option<LessonRemark>) -> Self {
        Self { lesson, ..self }
    }

    /// The JSON object on one line.
    pub fn to_line(&self) -> String {
        json(self)
    }
}
