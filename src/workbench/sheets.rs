//! Rule sheets that a page sends as texts: checked, formatted, and loaded as the game of its session.

use crate::repl::answer::LoadedGame;
use crate::repl::render::json;
use crate::repl::{Answer, Session};
use gdl::diagnostic::Diagnostic;
use gdl::diagnostic::render::{JsonDiagnostic, to_json};
use gdl::limits::Limits;
use gdl::syntax::{self, Dialect, Source};
use ggp_engine::{
    EngineKind, EngineOptions, GameOriginError, LoadError, PlayAmount, check_text_within, examine, load_text,
    sheet_of_text,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The time that checking a text may take.
pub(super) const CHECKING: Duration = Duration::from_secs(10);

/// The text of a rule sheet.
#[derive(Deserialize)]
pub struct SheetText {
    pub(super) name: String,
    pub(super) text: String,
    /// Other sheets that the page has, for one of which a layout may be.
    #[serde(default)]
    opened: Vec<SheetText>,
}

/// A text that is to be formatted.
#[derive(Deserialize)]
pub struct UnformattedText {
    #[serde(flatten)]
    sheet: SheetText,
    /// The dialect that it is translated into; its own if there is none.
    dialect: Option<Dialect>,
}

/// What a page is told of a text: a JSON object.
#[derive(Default, Serialize)]
struct TextVerdict {
    /// The answer of `load`, if it has been loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    loaded: Option<Answer>,
    /// The formatted text if it has been formatted, or the rule sheet that was made of a tree or layout.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    diagnostics: Vec<JsonDiagnostic>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl TextVerdict {
    fn with(diagnostics: &[Diagnostic], source: &Source) -> Self {
        Self { diagnostics: diagnostics.iter().map(|problem| to_json(problem, source)).collect(), ..Self::default() }
    }

    fn failed(error: impl ToString) -> Self {
        Self { error: Some(error.to_string()), ..Self::default() }
    }
}

/// The problems of a text, with those that a short play shows.
pub(super) fn check(SheetText { name, text, .. }: SheetText) -> String {
    let source = Source::new(name.clone(), text);
    let limits = Limits::new().with_time(CHECKING);
    let checked = match check_text_within(&source, None, &limits) {
        Ok(checked) => checked.diagnostics,
        Err(stopped) => return json(&TextVerdict::failed(stopped)),
    };
    let options = EngineOptions { limits, ..EngineKind::Interpreter.into() };
    // What play shows is left out if the game cannot be played within the limits.
    let examined = examine(name, &source, None, options, PlayAmount::FixedWork);
    let found = examined.map_or(checked, |examined| examined.diagnostics);
    json(&TextVerdict::with(&found, &source))
}

/// A text as `ggp fmt` writes it, or its errors of syntax.
pub(super) fn format(UnformattedText { sheet: SheetText { name, text, .. }, dialect }: UnformattedText) -> String {
    let source = Source::new(name, text);
    json(&match syntax::format(&source, None, dialect) {
        Ok(text) => TextVerdict { text: Some(text), ..TextVerdict::default() },
        Err(errors) => TextVerdict::with(&errors, &source),
    })
}

/// Loads a text as the game of a session: a rule sheet, a tree in brackets or a layout, by the extension of its name.
/// If it has errors, the game stays.
pub(super) fn load(session: &mut Session, SheetText { name, text, opened }: SheetText) -> String {
    let opened: Vec<Source> = opened.into_iter().map(|sheet| Source::new(sheet.name, sheet.text)).collect();
    let given = Source::new(name.clone(), text);
    let made = match sheet_of_text(given.clone(), &opened) {
        Ok(source) => source,
        Err(GameOriginError::NoTree { source_text, diagnostics, .. }) => {
            return json(&TextVerdict::with(&diagnostics, &source_text));
        }
        Err(error) => return json(&TextVerdict::failed(error)),
    };
    let text = (made.text() != given.text()).then(|| made.text().to_string());
    let loaded = load_text(name, made, None, session.engine_options());
    json(&match loaded {
        Ok(game) => {
            let answer = Answer::new(LoadedGame::from_game(&game));
            let source = game.source.clone();
            let warnings = game.diagnostics.clone();
            let error = session.adopt(game).err().map(|error| error.to_string());
            let loaded = error.is_none().then_some(answer);
            TextVerdict { loaded, text, error, ..TextVerdict::with(&warnings, &source) }
        }
        Err(LoadError::Rejected { source_text, diagnostics }) => TextVerdict::with(&diagnostics, &source_text),
        Err(error) => TextVerdict::failed(error),
    })
}
