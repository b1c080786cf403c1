//! Requests of a page of the workbench to a session, and their answers as JSON.
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
//! A page sends lines of the prompt and gets their answers ([`PageRequest::answer`]); positions come as drawings. Requests
//! and answers are the same for a server (`ggp serve`) and for a worker in the page's browser (`wasm/`), which only carry
//! the texts.

mod gesture;
mod known;
mod sealed;
mod seat;
mod sheets;
mod stepper;
mod tasks;
mod view;

use crate::repl::command::explain::ExplanationAnswer;
use crate::repl::command::option::VIEW;
use crate::repl::command::{Command, commands, find, is_search};
use crate::repl::output::{Download, Screen, ScreenContent};
use crate::repl::render::{self, Record, json};
use crate::repl::session::{MatchStep, RecordedMatch, record};
use crate::repl::{Answer, CommandError, Session, evaluate, picture, read};
use gdl::diagnostic::render::Paint;
use gdl::rules::GroundTerm;
use ggp_engine::{HEURISTICS, Measure};
use ggp_play::ask::spec::{NamedOption, NumberKind, TextValue, ValueKind};
use ggp_search::SearchProgress;
use sealed::MoveSeal;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use view::{MoveTarget, PositionView};

pub use known::Viewers;
pub use seat::{PageSeat, SeatRequest};
pub use sheets::{LanguageQuestion, SheetText, TemplateRequest, UnformattedText};
pub use stepper::{Stepper, StepperGame, StepperQuestion};
pub use tasks::NamedTask;

/// Maximum number of lines of a request that are answered.
const LINES: usize = 2_000;
/// Maximum number of legal moves for which the changed squares are computed.
const TARGETS: usize = 4_000;

/// A request of a page.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageRequest {
    /// Answers lines of the prompt one after another until one of them fails.
    Lines {
        /// The lines.
        lines: Vec<String>,
        /// True if the position after them is wanted too, which saves the page a request for each move.
        #[serde(default)]
        view: bool,
        /// Who is told, if it is not the whole position; then the answers of the lines are left out too.
        #[serde(default)]
        viewers: Option<Viewers>,
    },
    /// Answers one line, while its progress is reported.
    Run {
        /// The line.
        line: String,
        /// Who is told, if it is not the whole answer but only the moves that were made, sealed.
        #[serde(default)]
        viewers: Option<Viewers>,
    },
    /// Answers lines until one of them fails, in a fork of the session ([`Session::in_fork`]), so that they change nothing.
    Question {
        /// The lines.
        lines: Vec<String>,
    },
    /// The position with its drawing, or what viewers know of it.
    View(Option<Viewers>),
    /// The legal moves, with the squares that they change, or those that viewers know of.
    Targets(Option<Viewers>),
    /// The position as a picture.
    Picture,
    /// The text of the loaded game.
    Text,
    /// The rules from the position on, as the manager of Stanford's course sends them to players.
    Ruleset,
    /// Loads a text as the game.
    Load(SheetText),
    /// The problems of a text.
    Check(SheetText),
    /// A text as `ggp fmt` writes it.
    Format(UnformattedText),
    /// A rule sheet to begin with.
    Template(TemplateRequest),
    /// A question of the editor about a text.
    Language(LanguageQuestion),
    /// The proof that the rules give for a fact of the position.
    Origin {
        /// The fact.
        fact: String,
    },
    /// The squares on which facts of the position are seen.
    Squares {
        /// The facts.
        facts: Vec<String>,
    },
    /// What can be asked about a square of the position.
    Square {
        /// Its board, row and column, from 0.
        place: (usize, usize, usize),
    },
    /// The match of a file as lines of the prompt.
    Match {
        /// The text of the file.
        text: String,
    },
    /// The card of a game of the library for the first page; null if there is none of this name.
    Card {
        /// The name of the game.
        name: String,
    },
    /// The tasks of the course.
    Tasks,
    /// A task of the course with its hints.
    Task(NamedTask),
    /// The judgement of an answer to a task.
    Judge {
        /// The task.
        #[serde(flatten)]
        task: NamedTask,
        /// The answer: what was typed, or the text that was written.
        answer: String,
    },
    /// A right answer to a task.
    Solution(NamedTask),
    /// What the command of a task answers in its position.
    Computed(NamedTask),
    /// The engine that plays.
    Engine,
    /// The searches that choose moves.
    Searches,
    /// The options of a command as controls.
    Controls {
        /// The name of the command.
        command: String,
    },
    /// The match as a record.
    Record {
        /// The players, in the order of the roles.
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
    /// Reads a request from the name of its task and a JSON object with the fields that the task needs.
    ///
    /// # Errors
    /// If there is no such task, or if the object does not have its fields.
    pub fn read(task: &str, body: &[u8]) -> serde_json::Result<Self> {
        let body = if body.is_empty() { serde_json::Value::Null } else { serde_json::from_slice(body)? };
        serde_json::from_value(serde_json::json!({ task: body }))
    }

    /// True if those who are answered may not know what the work is about, and so not its progress.
    pub fn is_for_viewers(&self) -> bool {
        matches!(self, Self::Run { viewers: Some(_), .. })
    }

    /// Answers the request in a session.
    ///
    /// # Errors
    /// If a picture is wanted and there is no position that could be drawn: the reason. All other errors are part of the
    /// JSON answer.
    pub fn answer(self, session: &mut Session) -> Result<PageAnswer, String> {
        Ok(PageAnswer::Json(match self {
            Self::Lines { lines, view: is_viewed, viewers } => {
                let answers = answers(session, &lines[..lines.len().min(LINES)], viewers.as_ref());
                if is_viewed { with_view(&answers, session, viewers.as_ref()) } else { answers }
            }
            Self::Run { line, viewers } => answers(session, &[line], viewers.as_ref()),
            Self::Question { lines } => session.in_fork(|fork| answers(fork, &lines[..lines.len().min(LINES)], None)),
            Self::View(viewers) => value_or_error("view", shown(session, viewers.as_ref())),
            Self::Targets(viewers) => value_or_error("targets", targets(session, viewers.as_ref())),
            Self::Picture => {
                return picture(session).map(PageAnswer::Picture).map_err(|error| error.to_string());
            }
            Self::Text => {
                let text = session.game().map(|game| game.source.text().to_string());
                json(&serde_json::json!({ "text": text }))
            }
            Self::Ruleset => sheets::ruleset(session),
            Self::Load(sheet) => sheets::load(session, sheet),
            Self::Check(sheet) => sheets::check(sheet),
            Self::Format(draft) => sheets::format(draft),
            Self::Template(request) => sheets::template(&request),
            Self::Language(question) => sheets::answer(question),
            Self::Origin { fact } => value_or_error("answer", origin(session, &fact)),
            Self::Squares { facts } => value_or_error("squares", view::squares(session, &facts)),
            Self::Square { place } => value_or_error("square", view::about_square(session, place)),
            Self::Match { text } => recorded(&text),
            Self::Card { name } => json(&serde_json::json!({ "card": view::card(&name) })),
            Self::Tasks => tasks::list(),
            Self::Task(task) => task.open(session),
            Self::Judge { task, answer } => task.judged(session, &answer),
            Self::Solution(task) => task.solved(session),
            Self::Computed(task) => task.computed(session),
            Self::Engine => value_or_error("engine", engine(session)),
            Self::Searches => json(&serde_json::json!({ "searches": searches() })),
            Self::Controls { command } => value_or_error("controls", controls(session, &command)),
            Self::Record { players } => value_or_error("record", record(session, players)),
        }))
    }
}

/// The position: what viewers know of it, or all of it.
fn shown(session: &mut Session, viewers: Option<&Viewers>) -> Result<PositionView, CommandError> {
    match viewers {
        Some(viewers) => known::view_for(session, viewers),
        None => view::view(session),
    }
}

/// The legal moves with their squares: those that viewers know of, or all.
fn targets(session: &mut Session, viewers: Option<&Viewers>) -> Result<Vec<MoveTarget>, CommandError> {
    match viewers.filter(|viewers| viewers.are_told_less(session)) {
        Some(viewers) => known::known_targets(session, viewers, TARGETS),
        None => view::targets(session, TARGETS),
    }
}

/// A message about a running command, as JSON: its counts so far and, of an analysis, the present answer.
pub fn progress(progress: &SearchProgress, screen: &Screen, time: Duration) -> String {
    let shown = |ScreenContent { heading, unit, rows, answer }: ScreenContent| serde_json::json!({ "heading": heading, "unit": unit, "rows": rows, "answer": answer });
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
    /// In place of the answer, for those who may not know it: the moves that the command has made, sealed.
    #[serde(rename = "answer", skip_serializing_if = "Option::is_none")]
    sealed: Option<SealedMoves>,
    text: String,
    /// True if a limit ended the command before it had an answer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_stopped: bool,
    /// The remark of a lesson about the line, as text.
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

/// The joint move that a command has made, for those who may not know it.
#[derive(Serialize)]
struct SealedMoves {
    joint_move: Vec<SealedMove>,
}

/// The move of a role.
#[derive(Serialize)]
struct SealedMove {
    role: String,
    #[serde(rename = "move")]
    chosen: String,
}

impl SealedMoves {
    /// The last joint move of a match that had `plies` plies before it; `None` if the match has another length now.
    fn last(session: &mut Session, plies: usize, viewers: &Viewers) -> Option<Self> {
        let current = session.current().ok()?;
        let steps = current.steps();
        let (MatchStep::Played(moves), before) = steps.split_last()? else { return None };
        let seal = MoveSeal::after_steps(before, viewers.seed());
        let sealed = |(role, chosen): (usize, &GroundTerm)| SealedMove {
            role: current.roles()[role].to_string(),
            chosen: seal.name(role, &chosen.to_string()),
        };
        (before.len() == plies).then(|| Self { joint_move: moves.iter().enumerate().map(sealed).collect() })
    }
}

/// The answers to lines, with notes and files to download, as an object. Lines after an error are not answered. Viewers of
/// a game with hidden information are told the errors and the sealed moves only, and so is everybody of lines with
/// sealed moves.
fn answers(session: &mut Session, lines: &[String], viewers: Option<&Viewers>) -> String {
    let mut records = Vec::new();
    for line in lines {
        let plies = session.current().map_or(0, |current| current.ply());
        let opened = sealed::unsealed(session, line);
        let is_sealed = !matches!(opened, Ok(None));
        let result = opened.and_then(|opened| evaluate(session, opened.as_deref().unwrap_or(line)));
        let viewers = viewers.filter(|viewers| viewers.are_told_less(session));
        let is_told = viewers.is_none() && !is_sealed;
        let text = match &result {
            Ok(answer) if is_told => render::text(answer, Paint::Plain, session.dialect()),
            Ok(_) => String::new(),
            Err(error) => render::error(error, Paint::Plain),
        };
        let lesson = session.take_remark();
        let remark = lesson.as_ref().map(|said| render::remark(said, render::WIDTH)).unwrap_or_default();
        let mut record = Record::new(line, &result).with_lesson(lesson);
        record.answer = record.answer.filter(|_| is_told);
        let is_stopped = result.as_ref().err().is_some_and(|error| error.stop().is_some());
        let sealed = viewers.and_then(|viewers| SealedMoves::last(session, plies, viewers));
        records.push(json(&TextRecord { record, sealed, text, is_stopped, remark }).trim_end().to_string());
        if result.is_err() {
            break;
        }
    }
    // The records are JSON already; a map of parsed values would sort their fields.
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
fn with_view(answers: &str, session: &mut Session, viewers: Option<&Viewers>) -> String {
    let view = value_or_error("view", shown(session, viewers));
    format!("{{{},{}}}", members(answers), members(&view))
}

/// The members of an object in JSON.
fn members(object: &str) -> &str {
    let object = object.trim();
    object.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(object)
}

/// The match of a file as lines of the prompt, with the name of its game; or an error if it is no match.
fn recorded(text: &str) -> String {
    json(&match RecordedMatch::read(text) {
        Ok(RecordedMatch { game, steps, .. }) => {
            let lines: Vec<String> = steps.iter().map(MatchStep::line).collect();
            serde_json::json!({ "game": game, "lines": lines })
        }
        Err(error) => serde_json::json!({ "error": error }),
    })
}

/// The engine that plays the loaded game.
#[derive(Serialize)]
struct PlayingEngine {
    /// True if the interpreter plays until a network is built.
    is_building: bool,
    /// The reason for which there is no network, if it could not be built.
    problem: Option<String>,
}

/// The engine that plays. It is set up now, unless it is being built in the background.
///
/// # Errors
/// If no game is loaded, or if its engine cannot be set up.
fn engine(session: &mut Session) -> Result<PlayingEngine, CommandError> {
    let game = &mut session.current()?.game;
    let is_building = game.is_building();
    if !is_building {
        game.take_built();
        game.engine()?;
    }
    Ok(PlayingEngine { is_building, problem: game.why_no_propnet().map(str::to_string) })
}

/// The proof of a fact of the position: by the rules for `next` from the position and the joint move before, or by those
/// for `init`.
///
/// # Errors
/// If no game is loaded, if the text is no fact, or if a limit is met.
fn origin(session: &mut Session, fact: &str) -> Result<Answer, CommandError> {
    let current = session.current()?;
    let source = current.game.source.clone();
    let relation = if current.state_before_last().is_some() { "next" } else { "init" };
    let query = read::query(&format!("{relation}({fact})"))?;
    let [literal] = &query[..] else {
        let problem = "this is no fact".to_string();
        let usage = "a fact of the position".to_string();
        return Err(CommandError::Usage { problem, usage });
    };
    let why = match current.state_before_last() {
        Some((reasoner, state, joint_move)) => reasoner.why(state, Some(joint_move), literal)?,
        None => {
            let (reasoner, state) = current.position();
            reasoner.why(state, None, literal)?
        }
    };
    Ok(Answer::new(ExplanationAnswer {
        why: why.into(),
        history: None,
        source,
        depth: None,
        denied: false,
        warnings: Vec::new(),
    }))
}

/// An option of a command as a control of a page, made of the table from which parsing and help are made.
#[derive(Serialize)]
struct Control {
    /// The option as it is typed: `--depth`.
    name: &'static str,
    /// Its name in words.
    label: String,
    help: &'static str,
    /// Its default, in words.
    default: &'static str,
    /// The unit or the form of the value: `MOVES`.
    form: &'static str,
    #[serde(flatten)]
    kind: ControlKind,
}

/// Kind of a control.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum ControlKind {
    /// On or off; with a number if one may be given.
    Check { has_number: bool },
    /// A number, whole or not.
    Number { is_whole: bool },
    /// One of some words; with `is_bare` the option may stand without one.
    Choice { of: Vec<String>, is_bare: bool },
    /// A text.
    Text,
}

/// The searches of the prompt that choose moves.
fn searches() -> Vec<serde_json::Value> {
    let searches = commands().filter(|command| is_search(command));
    searches.map(|command| serde_json::json!({ "name": command.name, "summary": command.summary })).collect()
}

/// The options of a command that a page offers: not those that write files, and not those that show its steps, for
/// which pages have means of their own.
///
/// # Errors
/// If there is no such command.
fn controls(session: &mut Session, command: &str) -> Result<Vec<Control>, CommandError> {
    let command: &'static Command = find(command)?;
    let game = session.game().map(|game| game.name.clone()).unwrap_or_default();
    let own = command.options.iter().filter(|group| group.name != VIEW.name);
    Ok(own.flat_map(|group| group.options).filter_map(|option| control(option, &game)).collect())
}

/// The control of an option; `None` for options that a page does not offer.
fn control(option: &'static NamedOption, game: &str) -> Option<Control> {
    let (form, kind) = match option.value {
        ValueKind::Flag => ("", ControlKind::Check { has_number: false }),
        ValueKind::OptionalNumber { name } => (name, ControlKind::Check { has_number: true }),
        ValueKind::Word { of, is_optional } => {
            ("", ControlKind::Choice { of: of.iter().map(ToString::to_string).collect(), is_bare: is_optional })
        }
        ValueKind::TwoWords { .. } | ValueKind::Text { kind: TextValue::File, .. } => return None,
        ValueKind::Number { name, kind, .. } => {
            (name, ControlKind::Number { is_whole: matches!(kind, NumberKind::Integer { .. }) })
        }
        ValueKind::Text { name, kind: TextValue::Sheet, .. } => (name, sheets_and_measures(option, name, game)),
        ValueKind::Text { name, .. } | ValueKind::Search { name, .. } => (name, ControlKind::Text),
    };
    let label = option.key().replace('-', " ");
    Some(Control { name: option.name, label, help: option.help, default: option.default, form, kind })
}

/// A choice of the sheets that an option may name and of the computed heuristics that it takes. `name` lists the latter,
/// as in the help: `FILE|mobility`.
fn sheets_and_measures(option: &NamedOption, name: &str, game: &str) -> ControlKind {
    let words = name.split('|').map(str::to_string);
    let measures = words.filter(|word| Measure::ALL.iter().any(|measure| measure.name() == word));
    ControlKind::Choice { of: sheets(option.key(), game).chain(measures).collect(), is_bare: false }
}

/// The sheets of the library for a game and its variants with the rules that an option needs: those for `heuristic` for
/// `--heuristic`, those for `evaluation` for others.
fn sheets(key: &str, game: &str) -> impl Iterator<Item = String> {
    let relation = if key == "heuristic" { "heuristic(" } else { "evaluation(" };
    // Variants of a game have its first two words: `connect_four`, `connect_four_large`.
    let family: Vec<String> = game.split('_').take(2).map(str::to_string).collect();
    let is_of_family = move |name: &str| name.split('_').take(2).eq(family.iter());
    let suits = move |text: &str| text.lines().any(|line| line.starts_with(relation));
    HEURISTICS
        .iter()
        .filter(move |sheet| is_of_family(sheet.name) && suits(sheet.text))
        .map(|sheet| sheet.name.to_string())
}
