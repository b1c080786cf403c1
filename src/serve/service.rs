//! Turns one request into its response.

use super::body::ResponseBody;
use super::course;
use super::guard::{Guard, Refused};
use super::page;
use super::sheets;
use super::view::{targets, view};
use super::visit::{Ticket, Visit};
use super::visits::Visits;
use super::{FirstGame, LIMITS};
use crate::diagnostic::render::Paint;
use crate::protocol::http::HeadError;
use crate::repl::output::Download;
use crate::repl::render::{self, Record, json};
use crate::repl::screen::Shown;
use crate::repl::session::{MatchStep, RecordedMatch, record};
use crate::repl::{CommandError, Session, evaluate, picture};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tracing::{debug, warn};

/// The size after which the rest of a body that is too large is not even read, in bytes.
const DISCARDED: usize = 64 << 20;
/// The time that a body may take to arrive.
const ARRIVING: Duration = Duration::from_secs(10);
/// The greatest number of lines in a request.
const LINES: usize = 2_000;
/// The time between two messages about a running command.
const PERIOD: Duration = Duration::from_millis(150);
/// The number of moves whose changes are computed.
const TARGETS: usize = 4_000;

/// What a page may do: load only the files of this server, and run no code but that in them.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// Answers requests.
pub(super) struct Service {
    pub(super) first: Option<FirstGame>,
    pub(super) guard: Guard,
    pub(super) visits: Arc<Visits>,
    pub(super) patience: Duration,
}

type Answered = Result<Response<ResponseBody>, Problem>;

/// Why a request has no answer.
#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error("there is nothing at `{0}`")]
    Unknown(String),
    #[error("this session is over: begin another")]
    NoSession,
    #[error("there are as many sessions as allowed, and all are in use")]
    Full,
    #[error("{0}")]
    Body(String),
    #[error("a request has at most {} bytes", LIMITS.body)]
    TooLarge,
    #[error("the command was stopped")]
    Stopped,
    #[error("{0}")]
    Failed(String),
}

impl Problem {
    fn status(&self) -> StatusCode {
        match self {
            Self::Refused(refused) => refused.status(),
            Self::Unknown(_) => StatusCode::NOT_FOUND,
            Self::NoSession => StatusCode::GONE,
            Self::Full => StatusCode::SERVICE_UNAVAILABLE,
            Self::Body(_) => StatusCode::BAD_REQUEST,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Stopped => StatusCode::REQUEST_TIMEOUT,
            Self::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// Lines of the prompt, answered one after another until one of them fails.
#[derive(Deserialize)]
struct Lines {
    lines: Vec<String>,
}

/// One line whose progress is told.
#[derive(Deserialize)]
struct WatchedLine {
    line: String,
}

/// The text of a file with a match.
#[derive(Deserialize)]
struct MatchFile {
    text: String,
}

/// Who plays the roles of a match, in their order.
#[derive(Deserialize)]
struct Players {
    players: Vec<String>,
}

impl Service {
    /// The response to a request, whose head has been checked.
    pub(super) async fn respond(
        self: &Arc<Self>,
        request: Request<Incoming>,
        head: Result<(), HeadError>,
    ) -> Response<ResponseBody> {
        let (method, path) = (request.method().clone(), request.uri().path().to_string());
        let response = self.answer(request, head).await.unwrap_or_else(|problem| {
            warn!(%method, path, "{}: {problem}", problem.status());
            let mut response = object(&serde_json::json!({ "error": problem.to_string() }));
            *response.status_mut() = problem.status();
            response
        });
        debug!(%method, path, "{}", response.status());
        secured(response)
    }

    async fn answer(self: &Arc<Self>, request: Request<Incoming>, head: Result<(), HeadError>) -> Answered {
        head.map_err(Refused::from)?;
        self.guard.admit(request.uri(), request.headers())?;
        let path = request.uri().path().to_string();
        let Some(task) = path.strip_prefix("/api/") else {
            return match request.method() {
                &Method::GET => page(path),
                _ => Err(Problem::Unknown(path)),
            };
        };
        self.guard.authorise(request.headers())?;
        match (request.method().clone(), &task.split('/').collect::<Vec<_>>()[..]) {
            (Method::POST, ["sessions"]) => {
                let name = self.visits.begin().map_err(|error| Problem::Failed(error.to_string()))?;
                let name = name.ok_or(Problem::Full)?;
                Ok(object(&serde_json::json!({ "session": name, "first": self.first })))
            }
            (Method::POST, ["check"]) => {
                let sheet = body(request.into_body()).await?;
                aside(move || sheets::check(sheet)).await
            }
            (Method::POST, ["match"]) => {
                let file = body(request.into_body()).await?;
                aside(move || recorded(&file)).await
            }
            (Method::POST, ["format"]) => {
                let draft = body(request.into_body()).await?;
                aside(move || sheets::format(draft)).await
            }
            (Method::DELETE, ["sessions", name]) => {
                self.visits.end(name);
                Ok(object(&serde_json::json!({})))
            }
            (method, ["sessions", name, task]) => {
                let visit = self.visits.find(name).ok_or(Problem::NoSession)?;
                self.visited(visit, method, (task, &path), request.into_body()).await
            }
            _ => Err(Problem::Unknown(path)),
        }
    }

    /// The answer to a request about a session.
    async fn visited(&self, visit: Arc<Visit>, method: Method, (task, path): (&str, &str), sent: Incoming) -> Answered {
        match (method, task) {
            (Method::POST, "lines") => {
                let Lines { mut lines } = body(sent).await?;
                lines.truncate(LINES);
                self.work(&visit, move |session| answers(session, &lines)).await
            }
            (Method::POST, "run") => {
                let WatchedLine { line } = body(sent).await?;
                Ok(run(visit, line, self.patience))
            }
            (Method::POST, "sheet") => {
                let sheet = body(sent).await?;
                self.work(&visit, move |session| sheets::load(session, sheet)).await
            }
            (Method::GET, "sheet") => {
                let text = |session: &mut Session| session.game().map(|game| game.source.text().to_string());
                self.work(&visit, move |session| json(&serde_json::json!({ "text": text(session) }))).await
            }
            (Method::GET, "view") => self.work(&visit, |session| told("view", view(session))).await,
            (Method::GET, "targets") => self.work(&visit, |session| told("targets", targets(session, TARGETS))).await,
            (Method::POST, "record") => {
                let Players { players } = body(sent).await?;
                self.work(&visit, |session| told("record", record(session, players))).await
            }
            (Method::GET, "picture") => {
                let picture = self.text(&visit, |session| picture(session).map_err(|error| error.to_string())).await?;
                Ok(typed("image/svg+xml", picture.map_err(Problem::Body)?))
            }
            _ => Err(Problem::Unknown(path.to_string())),
        }
    }

    /// The JSON object that some work on a session makes.
    async fn work(&self, visit: &Arc<Visit>, work: impl FnOnce(&mut Session) -> String + Send + 'static) -> Answered {
        self.text(visit, work).await.map(|text| typed("application/json", text))
    }

    /// What some work on a session makes, within the time for a command. If the browser goes away, it is stopped.
    async fn text<T: Send + 'static>(
        &self,
        visit: &Arc<Visit>,
        work: impl FnOnce(&mut Session) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let (ticket, task) = visit.ticket();
        let done = timeout(self.patience, spawn_blocking(move || task.run(work))).await;
        drop(ticket);
        match done {
            Ok(Ok(result)) => result.ok_or(Problem::NoSession),
            Ok(Err(failure)) => Err(Problem::Failed(failure.to_string())),
            Err(_) => Err(Problem::Stopped),
        }
    }
}

/// The match of a file as lines of the prompt, with the name of its game; or why it is no match.
fn recorded(file: &MatchFile) -> String {
    json(&match RecordedMatch::read(&file.text) {
        Ok(RecordedMatch { game, steps, .. }) => {
            let lines: Vec<String> = steps.iter().map(MatchStep::line).collect();
            serde_json::json!({ "game": game, "lines": lines })
        }
        Err(error) => serde_json::json!({ "error": error }),
    })
}

/// What lies at a path of the page, or of the course.
fn page(path: String) -> Answered {
    if let Some(text) = path.strip_prefix("/course/").and_then(course::page) {
        return Ok(typed("text/html; charset=utf-8", text));
    }
    page::file(&path).map(|file| typed(file.content_type, file.bytes)).ok_or(Problem::Unknown(path))
}

/// The JSON object that work without a session makes.
async fn aside(work: impl FnOnce() -> String + Send + 'static) -> Answered {
    let text = spawn_blocking(work).await.map_err(|failure| Problem::Failed(failure.to_string()))?;
    Ok(typed("application/json", text))
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
fn told<T: Serialize>(name: &str, result: Result<T, CommandError>) -> String {
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

/// Answers a line, with a message about its progress several times a second before the answer. If the browser closes
/// the connection, the command stops.
fn run(visit: Arc<Visit>, line: String, patience: Duration) -> Response<ResponseBody> {
    let (lines, body) = ResponseBody::lines();
    let (ticket, task) = visit.ticket();
    let work = spawn_blocking(move || task.run(|session| answers(session, &[line])));
    tokio::spawn(async move {
        let (mut work, started, mut ticket) = (work, Instant::now(), Some(ticket));
        loop {
            match timeout(PERIOD, &mut work).await {
                Ok(done) => {
                    let text = match done {
                        Ok(Some(text)) => text,
                        Ok(None) => json(&serde_json::json!({ "error": Problem::NoSession.to_string() })),
                        Err(failure) => json(&serde_json::json!({ "error": failure.to_string() })),
                    };
                    // If the browser has gone away, it needs no answer.
                    let _ = lines.send(format!("{}\n", text.trim_end()).into()).await;
                    return;
                }
                Err(_) => {
                    let is_heard = lines.send(progress(&visit, started).into()).await.is_ok();
                    if !is_heard || started.elapsed() > patience {
                        stop(&mut ticket);
                    }
                    if !is_heard {
                        return;
                    }
                }
            }
        }
    });
    typed_body("application/x-ndjson", body)
}

/// Stops the work of a ticket; the answer is what it has found.
fn stop(ticket: &mut Option<Ticket>) {
    drop(ticket.take());
}

/// A message about a running command.
fn progress(visit: &Visit, started: Instant) -> String {
    let shown = |Shown { heading, rows, answer, .. }: Shown| serde_json::json!({ "heading": heading, "rows": rows, "answer": answer });
    let shown = visit.screen.get().map(shown);
    let (nodes, depth, seconds) = (visit.progress.nodes(), visit.progress.depth(), started.elapsed().as_secs_f64());
    json(&serde_json::json!({ "progress": { "nodes": nodes, "depth": depth, "seconds": seconds, "shown": shown } }))
}

/// The JSON object that is the body of a request.
async fn body<T: DeserializeOwned>(sent: Incoming) -> Result<T, Problem> {
    match timeout(ARRIVING, arrived(sent)).await {
        Ok(bytes) => serde_json::from_slice(&bytes?).map_err(|error| Problem::Body(error.to_string())),
        Err(_) => Err(Problem::Body("the body takes too long to arrive".to_string())),
    }
}

/// The bytes of a body. What is too much is read as well, but not kept: if a connection is closed with unread bytes, the
/// browser does not get the answer.
async fn arrived(mut sent: Incoming) -> Result<Vec<u8>, Problem> {
    let (mut bytes, mut length) = (Vec::new(), 0);
    while let Some(frame) = sent.frame().await {
        let frame = frame.map_err(|problem| Problem::Body(format!("the body cannot be read: {problem}")))?;
        let Some(data) = frame.data_ref() else { continue };
        length += data.len();
        if length <= LIMITS.body {
            bytes.extend_from_slice(data);
        }
        if length > DISCARDED {
            break;
        }
    }
    if length > LIMITS.body { Err(Problem::TooLarge) } else { Ok(bytes) }
}

fn object(value: &serde_json::Value) -> Response<ResponseBody> {
    typed("application/json", value.to_string())
}

fn typed(content_type: &'static str, bytes: impl Into<hyper::body::Bytes>) -> Response<ResponseBody> {
    typed_body(content_type, ResponseBody::whole(bytes))
}

fn typed_body(content_type: &'static str, body: ResponseBody) -> Response<ResponseBody> {
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

/// The response with the headers that keep other pages and old copies out.
fn secured(mut response: Response<ResponseBody>) -> Response<ResponseBody> {
    let headers: [(HeaderName, HeaderValue); 5] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    for (name, value) in headers {
        response.headers_mut().insert(name, value);
    }
    response
}
