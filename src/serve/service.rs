//! The response to a request of a page, and its body: whole, or lines that are sent as they are made.

use super::folder::PageFolder;
use super::guard::{Guard, RequestRefusal};
use super::page;
use super::visit::{PageVisit, PageVisits, Ticket, WAITING};
use super::{FirstGame, LIMITS};
use crate::repl::Session;
use crate::repl::output::Screen;
use crate::repl::render::json;
use crate::workbench::{self, PageAnswer};
use ggp_play::protocol::http::HeadError;
use ggp_search::SearchProgress;
use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tracing::{debug, warn};

/// Bytes of a body that is too large after which the rest is not even read.
const DISCARDED: usize = 64 << 20;
/// Time limit on the arrival of a body.
const ARRIVING: Duration = Duration::from_secs(10);
/// Time between two messages about a running command.
const PERIOD: Duration = Duration::from_millis(150);
/// Seconds after which a request may be tried again that was refused because of others.
const SOON: HeaderValue = HeaderValue::from_static("1");

/// Content security policy: a page may load only the files of this server, and run no code but theirs; it may be a part of
/// pages of this server only.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
);

/// Answers requests.
pub(super) struct PageService {
    pub(super) first: Option<FirstGame>,
    pub(super) guard: Guard,
    pub(super) visits: Arc<PageVisits>,
    pub(super) patience: Duration,
    pub(super) pages: Option<PageFolder>,
}

type Responded = Result<Response<ResponseBody>, RequestProblem>;

/// Error that a request gets instead of an answer.
#[derive(Debug, thiserror::Error)]
enum RequestProblem {
    #[error(transparent)]
    Refused(#[from] RequestRefusal),
    #[error("there is nothing at `{0}`")]
    Unknown(String),
    #[error("this session is over: begin another")]
    NoSession,
    #[error("there are as many sessions as allowed, and all are in use")]
    Full,
    #[error("{WAITING} requests wait for this session already")]
    Busy,
    #[error("{0}")]
    Body(String),
    #[error("a request has at most {} bytes", LIMITS.body)]
    TooLarge,
    #[error("the command was stopped")]
    Stopped,
    #[error("{0}")]
    Failed(String),
}

impl RequestProblem {
    fn status(&self) -> StatusCode {
        match self {
            Self::Refused(refused) => refused.status(),
            Self::Unknown(_) => StatusCode::NOT_FOUND,
            Self::NoSession => StatusCode::GONE,
            Self::Full => StatusCode::SERVICE_UNAVAILABLE,
            Self::Busy => StatusCode::TOO_MANY_REQUESTS,
            Self::Body(_) => StatusCode::BAD_REQUEST,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Stopped => StatusCode::REQUEST_TIMEOUT,
            Self::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl PageService {
    /// The response to a request, whose head has been checked.
    pub(super) async fn respond(
        self: &Arc<Self>,
        request: Request<Incoming>,
        head: Result<(), HeadError>,
    ) -> Response<ResponseBody> {
        let method = request.method().clone();
        let path = request.uri().path().to_string();
        let response = self.answer(request, head).await.unwrap_or_else(|problem| {
            warn!(%method, path, "{}: {problem}", problem.status());
            let mut response = object(&serde_json::json!({ "error": problem.to_string() }));
            *response.status_mut() = problem.status();
            if matches!(problem, RequestProblem::Busy | RequestProblem::Full) {
                response.headers_mut().insert(header::RETRY_AFTER, SOON);
            }
            response
        });
        debug!(%method, path, "{}", response.status());
        secured(response)
    }

    /// The file at a path: of the page, of the course, or in the folder with pages of players.
    fn file(&self, path: String) -> Responded {
        if let Some(file) = page::file(&path) {
            return Ok(typed(file.content_type, file.bytes));
        }
        let file = self.pages.as_ref().and_then(|pages| pages.file(&path)).ok_or(RequestProblem::Unknown(path))?;
        let mut response = typed(file.content_type, file.bytes);
        response.extensions_mut().insert(PlayerFile);
        Ok(response)
    }

    /// The answer to a request. A path outside `/api/` is a file, which needs no token.
    async fn answer(self: &Arc<Self>, request: Request<Incoming>, head: Result<(), HeadError>) -> Responded {
        head.map_err(RequestRefusal::from)?;
        self.guard.admit(request.uri(), request.headers())?;
        let path = request.uri().path().to_string();
        let Some(task) = path.strip_prefix("/api/") else {
            return match request.method() {
                &Method::GET => self.file(path),
                _ => Err(RequestProblem::Unknown(path)),
            };
        };
        self.guard.authorise(request.headers())?;
        match (request.method().clone(), &task.split('/').collect::<Vec<_>>()[..]) {
            (Method::POST, ["sessions"]) => {
                let name = self.visits.begin().map_err(|error| RequestProblem::Failed(error.to_string()))?;
                let name = name.ok_or(RequestProblem::Full)?;
                Ok(object(&serde_json::json!({ "session": name, "first": self.first })))
            }
            // These tasks are about their text alone: a session of their own keeps them out of the queue of the page.
            (Method::POST, [task @ ("check" | "match" | "format" | "language" | "card" | "template")]) => {
                let request = read(task, &arrived_within(request.into_body()).await?)?;
                let text = spawn_blocking(move || request.answer(&mut Session::without_files(Arc::default()))).await;
                answered(text.map_err(|failure| RequestProblem::Failed(failure.to_string()))?)
            }
            (Method::DELETE, ["sessions", name]) => {
                self.visits.end(name);
                Ok(object(&serde_json::json!({})))
            }
            (method, ["sessions", name, task]) => {
                let visit = self.visits.find(name).ok_or(RequestProblem::NoSession)?;
                self.visited(visit, method, task, &path, request.into_body()).await
            }
            _ => Err(RequestProblem::Unknown(path)),
        }
    }

    /// The answer to a request about a session.
    async fn visited(
        &self,
        visit: Arc<PageVisit>,
        method: Method,
        task: &str,
        path: &str,
        sent: Incoming,
    ) -> Responded {
        let task = match (&method, task) {
            (&Method::POST, "run") => {
                let request = read("run", &arrived_within(sent).await?)?;
                return run(visit, request, self.patience);
            }
            (&Method::POST, "sheet") => "load",
            (&Method::GET, "sheet") => "text",
            (
                &Method::POST,
                "lines" | "view" | "targets" | "question" | "record" | "origin" | "squares" | "square" | "controls"
                | "task" | "judge" | "solution" | "computed",
            )
            | (&Method::GET, "view" | "targets" | "picture" | "searches" | "ruleset" | "tasks" | "engine") => task,
            _ => return Err(RequestProblem::Unknown(path.to_string())),
        };
        // A GET takes no body; one that was sent is not read.
        let body = if method == Method::POST { arrived_within(sent).await? } else { Vec::new() };
        let request = read(task, &body)?;
        answered(self.work(&visit, |session| request.answer(session)).await?)
    }

    /// Works on a session, within the time for a command. If the browser goes away, this future and with it the ticket are
    /// dropped, so that the work stops.
    async fn work<T: Send + 'static>(
        &self,
        visit: &Arc<PageVisit>,
        work: impl FnOnce(&mut Session) -> T + Send + 'static,
    ) -> Result<T, RequestProblem> {
        let (ticket, task) = visit.ticket().ok_or(RequestProblem::Busy)?;
        let done = timeout(self.patience, task.run(work)).await;
        drop(ticket);
        match done {
            Ok(Ok(result)) => result.ok_or(RequestProblem::NoSession),
            Ok(Err(failure)) => Err(RequestProblem::Failed(failure.to_string())),
            Err(_) => Err(RequestProblem::Stopped),
        }
    }
}

/// Marks the response with a file of a player, whose scripts are not those of the page.
#[derive(Clone, Copy)]
struct PlayerFile;

/// Reads a request of a page.
fn read(task: &str, body: &[u8]) -> Result<workbench::PageRequest, RequestProblem> {
    workbench::PageRequest::read(task, body).map_err(|error| RequestProblem::Body(error.to_string()))
}

/// The response with an answer of the workbench.
fn answered(answer: Result<PageAnswer, String>) -> Responded {
    match answer.map_err(RequestProblem::Body)? {
        PageAnswer::Json(text) => Ok(typed("application/json", text)),
        PageAnswer::Picture(text) => Ok(typed("image/svg+xml", text)),
    }
}

/// Answers a line, with a message about its progress several times a second before the answer. If the browser closes
/// the connection, the command stops.
fn run(visit: Arc<PageVisit>, request: workbench::PageRequest, patience: Duration) -> Responded {
    let (lines, body) = ResponseBody::lines();
    let (ticket, task) = visit.ticket().ok_or(RequestProblem::Busy)?;
    let is_for_viewers = request.is_for_viewers();
    tokio::spawn(async move {
        let mut work = pin!(task.run(|session| request.answer(session)));
        let started = Instant::now();
        let mut ticket: Option<Ticket> = Some(ticket);
        loop {
            match timeout(PERIOD, &mut work).await {
                Ok(done) => {
                    let text = match done {
                        Ok(Some(Ok(PageAnswer::Json(text) | PageAnswer::Picture(text)))) => text,
                        Ok(Some(Err(problem))) => json(&serde_json::json!({ "error": problem })),
                        Ok(None) => json(&serde_json::json!({ "error": RequestProblem::NoSession.to_string() })),
                        Err(failure) => json(&serde_json::json!({ "error": failure.to_string() })),
                    };
                    // If the browser has gone away, it needs no answer.
                    let _ = lines.send(format!("{}\n", text.trim_end()).into()).await;
                    return;
                }
                Err(_) => {
                    let is_heard = lines.send(progress(&visit, is_for_viewers, started).into()).await.is_ok();
                    if !is_heard || started.elapsed() > patience {
                        // Stops the work, whose answer is then what it has found.
                        drop(ticket.take());
                    }
                    if !is_heard {
                        return;
                    }
                }
            }
        }
    });
    Ok(typed_body("application/x-ndjson", body))
}

/// A message about a running command. Viewers are told the time alone, since counts may depend on what is hidden.
fn progress(visit: &PageVisit, is_for_viewers: bool, started: Instant) -> String {
    match is_for_viewers {
        true => workbench::progress(&SearchProgress::default(), &Screen::default(), started.elapsed()),
        false => workbench::progress(&visit.progress, &visit.screen, started.elapsed()),
    }
}

/// The bytes of a body, which must arrive within [`ARRIVING`].
async fn arrived_within(sent: Incoming) -> Result<Vec<u8>, RequestProblem> {
    let late = || RequestProblem::Body("the body takes too long to arrive".to_string());
    timeout(ARRIVING, arrived(sent)).await.map_err(|_| late())?
}

/// The bytes of a body. Those beyond the limit are read as well, but not kept: if a connection is closed with unread
/// bytes, the browser does not get the answer.
async fn arrived(mut sent: Incoming) -> Result<Vec<u8>, RequestProblem> {
    let mut bytes = Vec::new();
    let mut length = 0;
    while let Some(frame) = sent.frame().await {
        let frame = frame.map_err(|problem| RequestProblem::Body(format!("the body cannot be read: {problem}")))?;
        let Some(data) = frame.data_ref() else { continue };
        length += data.len();
        if length <= LIMITS.body {
            bytes.extend_from_slice(data);
        }
        if length > DISCARDED {
            break;
        }
    }
    if length > LIMITS.body { Err(RequestProblem::TooLarge) } else { Ok(bytes) }
}

fn object(value: &serde_json::Value) -> Response<ResponseBody> {
    typed("application/json", value.to_string())
}

fn typed(content_type: &'static str, bytes: impl Into<Bytes>) -> Response<ResponseBody> {
    typed_body(content_type, ResponseBody::whole(bytes))
}

fn typed_body(content_type: &'static str, body: ResponseBody) -> Response<ResponseBody> {
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

/// The response with the headers that keep other pages and old copies out.
fn secured(mut response: Response<ResponseBody>) -> Response<ResponseBody> {
    let is_of_player = response.extensions().get::<PlayerFile>().is_some();
    let headers: [(HeaderName, HeaderValue); 4] = [
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    for (name, value) in headers {
        response.headers_mut().insert(name, value);
    }
    if !is_of_player {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, POLICY);
    }
    response
}

/// Maximum number of lines that wait to be sent; then the sender waits for the browser.
const UNSENT: usize = 4;

/// Body of a response.
pub(super) enum ResponseBody {
    /// Known in advance; taken when it has been sent.
    Whole(Option<Bytes>),
    /// Made while it is sent. If the browser closes the connection, the sender learns it with the next line.
    Lines(Receiver<Bytes>),
}

impl ResponseBody {
    fn whole(bytes: impl Into<Bytes>) -> Self {
        Self::Whole(Some(bytes.into()))
    }

    /// A body of lines, and the sender of the lines.
    fn lines() -> (Sender<Bytes>, Self) {
        let (sender, receiver) = channel(UNSENT);
        (sender, Self::Lines(receiver))
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut *self {
            Self::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Self::Lines(lines) => lines.poll_recv(context).map(|line| line.map(|line| Ok(Frame::data(line)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
            Self::Lines(_) => SizeHint::default(),
        }
    }
}
