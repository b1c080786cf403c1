//! The errors of the library as exceptions of `ggp.errors`.

use ggp::diagnostic::Diagnostic;
use ggp::diagnostic::render::{Paint, report, to_json};
use ggp::engine::NoLanes;
use ggp::limits::Stop;
use ggp::repl::CommandError;
use ggp::syntax::Source;
use ggp::{AskError, EngineError, LoadError, ReasonError};
use ggp_engine::lanes::LanesError;
use ggp_game::threads::panic_text;
use pyo3::prelude::*;
use std::any::Any;

/// An exception that is yet to be made: its class in `ggp.errors`, its text and its attributes.
#[derive(Debug)]
pub(crate) struct Failure {
    class: &'static str,
    message: String,
    attributes: Vec<(&'static str, Attribute)>,
}

/// The value of an attribute of an exception.
#[derive(Debug)]
pub(crate) enum Attribute {
    Text(String),
    Number(i128),
    /// Diagnostics, as JSON.
    Diagnostics(Vec<String>),
}

impl Failure {
    pub(crate) fn new(class: &'static str, message: impl Into<String>) -> Self {
        Self { class, message: message.into(), attributes: Vec::new() }
    }

    /// An error of no particular class.
    pub(crate) fn other(message: impl Into<String>) -> Self {
        Self::new("Error", message)
    }

    /// An error in how a function was called.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new("UsageError", message)
    }

    /// True if the work was interrupted.
    pub(crate) fn is_interrupt(&self) -> bool {
        self.class == "Interrupted"
    }

    /// A mistake of the library.
    pub(crate) fn panicked(panic: &(dyn Any + Send)) -> Self {
        let text = panic_text(panic);
        Self::new("InternalError", format!("a mistake of ggp, not of the caller: {text}"))
    }

    pub(crate) fn with(mut self, name: &'static str, value: Attribute) -> Self {
        self.attributes.push((name, value));
        self
    }

    /// Wrong rules or a wrong text, with all problems and their positions.
    pub(crate) fn of_text(class: &'static str, source: &Source, diagnostics: &[Diagnostic]) -> Self {
        let text = report(diagnostics, source, Paint::Plain);
        Self::new(class, text.trim_end()).with("diagnostics", Attribute::Diagnostics(as_json(source, diagnostics)))
    }
}

/// Diagnostics as JSON objects.
pub(crate) fn as_json(source: &Source, diagnostics: &[Diagnostic]) -> Vec<String> {
    let json = |diagnostic| serde_json::to_string(&to_json(diagnostic, source)).unwrap_or_default();
    diagnostics.iter().map(json).collect()
}

impl From<Failure> for PyErr {
    fn from(Failure { class, message, attributes }: Failure) -> Self {
        let made = Python::attach(|py| {
            let exception = py.import("ggp.errors")?.getattr(class)?.call1((message,))?;
            for (name, value) in attributes {
                match value {
                    Attribute::Text(text) => exception.setattr(name, text)?,
                    Attribute::Number(number) => exception.setattr(name, number)?,
                    Attribute::Diagnostics(diagnostics) => {
                        let read = py.import("ggp.results")?.getattr("diagnostics")?;
                        exception.setattr(name, read.call1((diagnostics,))?)?;
                    }
                }
            }
            Ok(PyErr::from_value(exception))
        });
        made.unwrap_or_else(|error| error)
    }
}

impl From<ReasonError> for Failure {
    fn from(error: ReasonError) -> Self {
        let class = match &error {
            ReasonError::Stopped(Stop::Interrupted) => "Interrupted",
            ReasonError::Stopped(_) => "LimitReached",
            ReasonError::GoalUndefined { .. }
            | ReasonError::GoalNotUnique { .. }
            | ReasonError::GoalNotInteger { .. }
            | ReasonError::GoalUndeclared { .. } => "GoalError",
            ReasonError::NoLegalMove { .. } => "NoLegalMove",
            ReasonError::OtherGame => "UsageError",
            _ => "Error",
        };
        Self::new(class, error.to_string())
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Reason(error) => error.into(),
            error @ EngineError::Propnet(_) => Self::new("NoNetwork", error.to_string()),
        }
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        if let Some((source, diagnostics)) = error.problems() {
            return Self::of_text("RuleError", source, diagnostics);
        }
        match (&error, error.reason()) {
            (_, Some(reason)) => reason.into(),
            (LoadError::Origin(origin), None) => Self::new("NotFound", origin.to_string()),
            (_, None) => Self::other(error.to_string()),
        }
    }
}

impl From<LanesError> for Failure {
    fn from(error: LanesError) -> Self {
        match error {
            LanesError::Stopped(stopped) => ReasonError::from(stopped).into(),
            LanesError::Differ(_) => Self::other(error.to_string()),
        }
    }
}

impl From<NoLanes> for Failure {
    fn from(error: NoLanes) -> Self {
        match error {
            NoLanes::NoEngine(error @ EngineError::Reason(_)) => error.into(),
            error => Self::new("NoNetwork", error.to_string()),
        }
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Syntax { text, diagnostics } => Self::of_text("QueryError", &text, &diagnostics),
            AskError::UnknownRole { .. } | AskError::WrongNumber { .. } => Self::usage(error.to_string()),
            AskError::OneLiteral { .. } | AskError::Query(_) => Self::new("QueryError", error.to_string()),
            AskError::IllegalMove { ref role, ref chosen, .. } => Self::new("IllegalAction", error.to_string())
                .with("role", Attribute::Text(role.to_string()))
                .with("action", Attribute::Text(chosen.to_string())),
            AskError::Over => Self::new("GameOver", error.to_string()),
            AskError::Reason(error) => error.into(),
        }
    }
}

impl From<CommandError> for Failure {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::Syntax { text, diagnostics } => Self::of_text("QueryError", &text, &diagnostics),
            CommandError::Load(error) => error.into(),
            CommandError::Engine(error) => error.into(),
            CommandError::NoLanes(error) => error.into(),
            CommandError::Reason(error) => error.into(),
            CommandError::Network(error) => error.into(),
            CommandError::Over => Self::new("GameOver", "the game is over"),
            CommandError::Query(_) | CommandError::Mistyped { .. } => Self::new("QueryError", error.to_string()),
            CommandError::Stopped { .. } | CommandError::NoMoveFinished { .. } => {
                Self::new("LimitReached", error.to_string())
            }
            CommandError::Usage { .. }
            | CommandError::UnknownCommand { .. }
            | CommandError::AmbiguousCommand { .. }
            | CommandError::UnknownRole { .. } => Self::usage(error.to_string()),
            error => Self::other(error.to_string()),
        }
    }
}
