//! The workbench that pages show: what they ask of a session, and the answers as JSON.
//!
//! ```
//! use ggp::repl::Session;
//! use ggp::workbench::{PageAnswer, PageRequest};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut session = Session::without_files(Default::default());
//! let request = PageRequest::read("lines", br#"{"lines": ["load three_puzzle", "legal"]}"#)?;
//! let PageAnswer::Json(answer) = request.answer(&mut session)? else { unreachable!("only pictures are no JSON") };
//! assert!(answer.contains("robot: down, right"));
//! # Ok(())
//! # }
//! ```
//!
//! A page sends lines of the prompt and gets their answers ([`PageRequest::answer`]); what it draws comes drawn. It
//! does so in the same way to a server (`ggp serve`) and to a worker in its own browser (`wasm/`), which only carry the
//! texts.

mod card;
mod controls;
mod editing;
mod origin;
mod sheets;
mod view;

use crate::repl::output::{Download, Screen, ScreenContent};
use crate::repl::render::{self, Record, json};
use crate::repl::session::{MatchStep, RecordedMatch, record};
use crate::repl::{CommandError, Session, evaluate, picture};
use gdl::diagnostic::render::Paint;
use ggp_search::SearchProgress;
use serde::{Deserialize, Serialize};
use std::time::Duration;

pub use editing::LanguageQuestion;
pub use sheets::{SheetText, UnformattedText};

/// The greatest number of lines in a request.
const LINES: usize = 2_000;
/// The number of moves whose changes are computed.
const TARGETS: usize = 4_000;

/// What a page asks.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageRequest {
    /// To answer lines of the prompt one after another until one of them fails.
    Lines {
        /// The lines.
        lines: Vec<String>,
        /// Whether the position after them is wanted too: one request less for each move.
        #[serde(default)]
        view: bool,
    },
    /// To answer one line, whose progress is reported.
    Run {
        /// The line.
        line: String,
    },
    /// To answer lines in a fork of the session ([`Session::in_fork`]), which ends with what they change, until one of
    /// them fails.
    Question {
        /// The lines.
        lines: Vec<String>,
    },
    /// The position as it is drawn.
    View,
    /// The legal moves, with the squares that they change.
    Targets,
    /// The position as a picture.
    Picture,
    /// The text of the loaded game.
    Text,
    /// To load a text as the game.
    Load(SheetText),
    /// The problems of a text.
    Check(SheetText),
    /// A text as `ggp fmt` writes it.
    Format(UnformattedText),
    /// What an editor asks about a text.
    Language(LanguageQuestion),
    /// Which rules made a fact of the position.
    Origin {
        /// The fact.
        fact: String,
    },
    /// The match of a file as lines of the prompt.
    Match {
        /// The text of the file.
        text: String,
    },
    /// What a game of the library shows on the first page; null if there is none of this name.
    Card {
        /// The name of the game.
        name: String,
    },
    /// The searches that choose moves.
    Searches,
    /// The options of a command as controls.
    Controls {
        /// The name of the command.
        command: String,
    },
    /// The match as a record.
    Record {
        /// Who plays the roles, in their order.
        players: Vec<String>,
    },
}

/// An answer for a page.
pub enum PageAnswer {
    /// A JSON object.
    Json(String),
    /// An SVG picture.
    Picture(String),
}

impl PageRequest {
    /// Reads a request: its task, and a JSON object with what the task needs.
    ///
    /// # Errors
    /// If there is no such task, or if its object is another.
    pub fn read(task: &str, body: &[u8]) -> serde_json::Result<Self> {
        let body = if body.is_empty() { serde_json::Value::Null } else { serde_json::from_slice(body)? };
        serde_json::from_value(serde_json::json!({ task: body }))
    }

    /// Answers the request in a session.
    ///
    /// # Errors
    /// If there is no position that could be drawn: why.
    pub fn answer(self, session: &mut Session) -> Result<PageAnswer, String> {
        Ok(PageAnswer::Json(match self {
            Self::Lines { lines, view: is_viewed } => {
                let answers = answers(session, &lines[..lines.len().min(LINES)]);
                if is_viewed { with_view(&answers, session) } else { answers }
            }
            Self::Run { line } => answers(session, &[line]),
            Self::Question { lines } => session.in_fork(|fork| answers(fork, &lines[..lines.len().min(LINES)])),
            Self::View => value_or_error("view", view::view(session)),
            Self::Targets => value_or_error("targets", view::targets(session, TARGETS)),
            Self::Picture => {
                return picture(session).map(PageAnswer::Picture).map_err(|error| error.to_string());
            }
            Self::Text => {
                let text = session.game().map(|game| game.source.text().to_string());
                json(&serde_json::json!({ "text": text }))
            }
            Self::Load(sheet) => sheets::load(session, sheet),
            Self::Check(sheet) => sheets::check(sheet),
            Self::Format(draft) => sheets::format(draft),
            Self::Language(question) => editing::answer(question),
            Self::Origin { fact } => value_or_error("answer", origin::origin(session, &fact)),
            Self::Match { text } => recorded(&text),
            Self::Card { name } => json(&serde_json::json!({ "card": card::card(&name) })),
            Self::Searches => json(&serde_json::json!({ "searches": controls::searches() })),
            Self::Controls { command } => value_or_error("controls", controls::controls(session, &command)),
            Self::Record { players } => value_or_error("record", record(session, players)),
        }))
    }
}

/// A message about a running command: what it has counted, and what it shows, if that is an analysis.
pub fn progress(progress: &SearchProgress, screen: &Screen, time: Duration) -> String {
    let shown = |ScreenContent { heading, rows, answer, .. }: ScreenContent| serde_json::json!({ "heading": heading, "rows": rows, "answer": answer });
    let nodes = progress.nodes();
    let depth = progress.depth();
    let seconds = time.as_secs_f64();
    let shown = screen.get().map(shown);
    json(&serde_json::json!({ "progress": { "nodes": nodes, "depth": depth, "seconds": seconds, "shown": shown } }))
}

/// A record of the prompt, with the answer as text.
#[derive(Serialize)]
struct TextRecord<'a> {
    #[serde(flatten)]
    record: Record<'a>,
    text: String,
    /// What a lesson says of the line, as text.
    #[serde(skip_serializing_if = "String::is_empty")]
    remark: String,
}

/// An object with the value under this name, or with the error.
fn value_or_error<T: Serialize>(name: &str, result: Result<T, CommandError>) -> String {
    match result {
        Ok(value) => json(&serde_json::json!({ name: value })),
        Err(error) => json(&serde_json::json!({ "error": error.to_string() })),
    }
}

/// The answers to lines, as an object. After an error the rest is not begun.
fn answers(session: &mut Session, lines: &[String]) -> String {
    let mut records = Vec::new();
    for line in lines {
        let result = evaluate(session, line);
        let text = match &result {
            Ok(answer) => render::text(answer, Paint::Plain, session.dialect()),
            Err(error) => render::error(error, Paint::Plain),
        };
        let lesson = session.take_remark();
        let remark = lesson.as_ref().map(|said| render::remark(said, render::WIDTH)).unwrap_or_default();
        let record = Record::new(line, &result).with_lesson(lesson);
        records.push(json(&TextRecord { record, text, remark }).trim_end().to_string());
        if result.is_err() {
            break;
        }
    }
    let notes = json(&session.take_notes());
    let files: Vec<_> = session.take_downloads().into_iter().map(|Download { name, text }| [name, text]).collect();
    format!(
        "{{\"records\":[{}],\"notes\":{},\"files\":{}}}",
        records.join(","),
        notes.trim_end(),
        json(&files).trim_end()
    )
}

/// The object of some answers, with the position after them.
fn with_view(answers: &str, session: &mut Session) -> String {
    let view = value_or_error("view", view::view(session));
    format!("{{{},{}}}", members(answers), members(&view))
}

/// The members of an object in JSON.
fn members(object: &str) -> &str {
    let object = object.trim();
    object.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(object)
}

/// The match of a file as lines of the prompt, with the name of its game; or why it is no match.
fn recorded(text: &str) -> String {
    json(&match RecordedMatch::read(text) {
        Ok(RecordedMatch { game, steps, .. }) => {
            let lines: Vec<String> = steps.iter().map(MatchStep::line).collect();
            serde_json::json!({ "game": game, "lines": lines })
        }
        Err(error) => serde_json::json!({ "error": error }),
    })
}
