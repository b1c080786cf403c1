//! Lets a host answer the messages of other machines: access control, and each request with its response.
//!
//! A player on a user's machine must not obey every web page that the user opens. Two headers that web pages cannot
//! forge decide. `Host` is the name under which the player was addressed: a page whose own name resolves to this
//! machine (DNS rebinding) sends that name. `Origin` is the page that sends the request; programs send none.

use super::connection::{Acceptor, Connection, ConnectionSlot};
use super::{CONTENT_TYPE, ConnectionLimits, HeadError, without_brackets};
use crate::protocol::{Host, Message, Refusal, Reply};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{HeaderName, HeaderValue};
use hyper::{HeaderMap, Method, Request, Response, StatusCode, Version, header};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use std::{fmt, io};
use tokio::runtime::Builder;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tracing::{debug, warn};

/// The time for which an idle thread is kept for the next request.
const KEEP_ALIVE: Duration = Duration::from_secs(1);

/// Answers requests until the flag is set, then abandons the current match.
///
/// Connections are served on this thread; a request that waits for a player's answer has its own thread, at most one
/// for each connection.
///
/// # Errors
/// If the system provides no sockets or threads. Errors of single connections are logged.
pub fn serve(
    listener: TcpListener,
    host: Arc<Host>,
    access: Access,
    limits: ConnectionLimits,
    interrupt: &AtomicBool,
) -> io::Result<()> {
    let mut runtime = Builder::new_current_thread();
    let runtime = runtime.max_blocking_threads(limits.connections.max(1)).thread_keep_alive(KEEP_ALIVE);
    let runtime = runtime.enable_all().build()?;
    let acceptor = Acceptor::new(limits);
    let access = Arc::new(access);
    let tick = || host.give_up_silent_match();
    let serve = |connection: Connection| {
        let service = Service {
            host: host.clone(),
            access: access.clone(),
            limits,
            peer: connection.peer,
            slot: connection.slot.clone(),
        };
        async move { connection.serve(false, |request, head| service.respond(request, head)).await }
    };
    let result = runtime.block_on(acceptor.run(listener, interrupt, tick, serve));
    host.close();
    // Connections that still wait for an answer are closed without one.
    runtime.shutdown_background();
    result
}

/// The allowed methods of a request.
const METHODS: HeaderValue = HeaderValue::from_static("POST, GET, OPTIONS");

pub(super) struct Service {
    pub(super) host: Arc<Host>,
    access: Arc<Access>,
    pub(super) limits: ConnectionLimits,
    pub(super) peer: SocketAddr,
    pub(super) slot: Arc<ConnectionSlot>,
}

/// The status and the body of a response.
struct HttpAnswer {
    status: StatusCode,
    text: String,
    content_type: &'static str,
}

impl Service {
    /// The response to a request, whose head has been checked.
    pub(super) async fn respond(
        &self,
        request: Request<Incoming>,
        head: Result<(), HeadError>,
    ) -> Response<Full<Bytes>> {
        let arrived = Instant::now();
        let method = request.method().clone();
        let (answer, origin) = match self.admit(&request, head) {
            Ok(origin) => (self.answer(request, arrived).await, origin),
            Err(refusal) => (refusal, None),
        };
        let peer = self.peer;
        let took = arrived.elapsed();
        if answer.status.is_success() {
            debug!(%peer, %method, ?took, "answered {}", answer.text);
        } else {
            warn!(%peer, %method, "answered {}: {}", answer.status, answer.text);
        }
        let mut response = answer.into_response();
        if let Some(origin) = origin {
            allow_origin(response.headers_mut(), origin);
        }
        response
    }

    /// Checks that the request is for this player, and from a program or an allowed page. Returns the allowed origin
    /// for the response to a page.
    fn admit(
        &self,
        request: &Request<Incoming>,
        head: Result<(), HeadError>,
    ) -> Result<Option<HeaderValue>, HttpAnswer> {
        head.map_err(|problem| refuse(StatusCode::BAD_REQUEST, &problem.to_string()))?;
        let text = |name| request.headers().get(name).map(|value| value.to_str().unwrap_or_default());
        let authority = request.uri().authority().map(|authority| authority.as_str());
        let host = text(header::HOST);
        if host.is_none() && request.version() > Version::HTTP_10 {
            return Err(refuse(StatusCode::BAD_REQUEST, "HTTP/1.1 needs the header Host"));
        }
        // Programs that use HTTP/1.0 send no host; browsers always do.
        for name in host.into_iter().chain(authority) {
            if !self.access.allows_host(name) {
                let why = format!("requests for the host `{name}` are not answered here (see --allow-host)");
                return Err(refuse(StatusCode::MISDIRECTED_REQUEST, &why));
            }
        }
        let Some(origin) = text(header::ORIGIN) else { return Ok(None) };
        match self.access.allowed_origin(origin) {
            Some(origin) => Ok(HeaderValue::try_from(origin).ok()),
            // A page may send a request that changes nothing, but the browser must not show it the answer.
            None if request.method() == Method::GET => Ok(None),
            None => {
                let why = format!("web pages of `{origin}` may not ask this player (see --allow-origin)");
                Err(refuse(StatusCode::FORBIDDEN, &why))
            }
        }
    }

    async fn answer(&self, request: Request<Incoming>, arrived: Instant) -> HttpAnswer {
        match *request.method() {
            Method::OPTIONS => HttpAnswer { status: StatusCode::OK, text: String::new(), content_type: CONTENT_TYPE },
            Method::GET if request.uri().path() == "/" => self.information(),
            Method::POST => match self.body(request.into_body()).await {
                Ok(text) => self.message(text, arrived).await,
                Err(answer) => answer,
            },
            _ => refuse(
                StatusCode::METHOD_NOT_ALLOWED,
                "a GGP message is the body of a POST; a GET of / describes the player",
            ),
        }
    }

    /// A description of the player, for people who open the address in a browser.
    fn information(&self) -> HttpAnswer {
        let text = format!(
            "{name} is a player of General Game Playing. It is {status}.\n\
             It answers GGP messages, each the body of a POST of this address.\n",
            name = self.host.name(),
            status = self.host.status(),
        );
        HttpAnswer { status: StatusCode::OK, text, content_type: "text/plain; charset=utf-8" }
    }

    /// The text of a body, within the limits.
    async fn body(&self, body: Incoming) -> Result<String, HttpAnswer> {
        if body.is_end_stream() {
            return Err(refuse(StatusCode::LENGTH_REQUIRED, "there is no body: a GGP message is expected in it"));
        }
        let limit = self.limits.body;
        let too_large = || refuse(StatusCode::PAYLOAD_TOO_LARGE, &format!("a message has at most {limit} bytes"));
        if body.size_hint().lower() > limit as u64 {
            return Err(too_large());
        }
        match timeout(self.limits.reading, Limited::new(body, limit).collect()).await {
            // Comments of old rule sheets are not always UTF-8; elsewhere the replacement character is an error.
            Ok(Ok(bytes)) => Ok(String::from_utf8_lossy(&bytes.to_bytes()).into_owned()),
            Ok(Err(problem)) if problem.is::<LengthLimitError>() => Err(too_large()),
            Ok(Err(problem)) => Err(refuse(StatusCode::BAD_REQUEST, &format!("the body cannot be read: {problem}"))),
            Err(_) => Err(refuse(StatusCode::REQUEST_TIMEOUT, "the body takes too long to arrive")),
        }
    }

    /// The host's answer to the text of a message, computed on a thread that may block.
    async fn message(&self, text: String, arrived: Instant) -> HttpAnswer {
        self.slot.request_arrived();
        let host = self.host.clone();
        let peer = self.peer;
        let answered = spawn_blocking(move || {
            let message = match Message::parse(&text) {
                Ok(message) => message,
                Err(problem) => return refuse(StatusCode::BAD_REQUEST, &problem.to_string()),
            };
            debug!(%peer, id = message.match_id(), bytes = text.len(), "asked to {}", message.kind());
            drop(text);
            host.answer(&message, arrived).into()
        });
        answered.await.unwrap_or_else(|problem| refuse(StatusCode::INTERNAL_SERVER_ERROR, &problem.to_string()))
    }
}

impl From<Result<Reply, Refusal>> for HttpAnswer {
    fn from(result: Result<Reply, Refusal>) -> Self {
        let refusal = match result {
            Ok(reply) => {
                return Self { status: StatusCode::OK, text: reply.to_string(), content_type: CONTENT_TYPE };
            }
            Err(refusal) => refusal,
        };
        let status = match refusal {
            Refusal::Rules(_) | Refusal::Role(_) | Refusal::Limit(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Refusal::Moves(_) => StatusCode::CONFLICT,
            Refusal::NotReady => StatusCode::SERVICE_UNAVAILABLE,
            Refusal::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        refuse(status, &refusal.to_string())
    }
}

/// A refusal with its reason as a KIF comment, so that no manager mistakes the words for a move.
fn refuse(status: StatusCode, why: &str) -> HttpAnswer {
    HttpAnswer { status, text: format!("; {}", why.replace(['\n', '\r'], " ")), content_type: CONTENT_TYPE }
}

/// Tells the browser that the page may send requests and read the answers.
fn allow_origin(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("Content-Type"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
}

impl HttpAnswer {
    fn into_response(self) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::from(self.text));
        *response.status_mut() = self.status;
        let mut say = |name: HeaderName, value| response.headers_mut().insert(name, value);
        say(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        say(header::VARY, HeaderValue::from_static("Origin"));
        if self.status == StatusCode::METHOD_NOT_ALLOWED {
            say(header::ALLOW, METHODS);
        }
        response
    }
}

/// The names under which a player may be addressed, and the web pages that may send requests.
///
/// The default allows the names of this machine's loopback interface and no web page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    bound: Option<IpAddr>,
    names: Vec<HostName>,
    origins: Vec<PageOrigin>,
}

/// A host as in a `Host` header, without the port: a name or an IP address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName(String);

/// A text that is not the name of a host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the name of a host: letters, digits, `.`, `-` and `_` are allowed, or an IP address; no port")]
pub struct HostNameError(String);

impl FromStr for HostName {
    type Err = HostNameError;

    fn from_str(text: &str) -> Result<Self, HostNameError> {
        let plain = without_brackets(text);
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        let is_host = plain.parse::<IpAddr>().is_ok() || (!text.is_empty() && text.chars().all(is_name));
        if is_host { Ok(Self(normal(plain))) } else { Err(HostNameError(text.to_string())) }
    }
}

/// The web pages of one origin (`http://host:port`), or of any (`*`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageOrigin {
    /// All web pages, written `*`.
    Any,
    /// The pages of this origin.
    One(String),
}

/// A text that is not an origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not the origin of web pages: `SCHEME://HOST` or `SCHEME://HOST:PORT` without a path is needed, or `*`"
)]
pub struct PageOriginError(String);

impl FromStr for PageOrigin {
    type Err = PageOriginError;

    fn from_str(text: &str) -> Result<Self, PageOriginError> {
        if text == "*" {
            return Ok(Self::Any);
        }
        let error = || PageOriginError(text.to_string());
        let (scheme, authority) = text.split_once("://").ok_or_else(error)?;
        let is_scheme = !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
        let is_authority =
            !authority.is_empty() && authority.chars().all(|c| c.is_ascii_graphic() && !"/?#@*".contains(c));
        if is_scheme && is_authority { Ok(Self::One(text.to_ascii_lowercase())) } else { Err(error()) }
    }
}

impl fmt::Display for PageOrigin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => formatter.write_str("*"),
            Self::One(origin) => formatter.write_str(origin),
        }
    }
}

impl Access {
    /// Allows requests to the address on which the player listens. If that is all addresses of the machine (`0.0.0.0`,
    /// `::`), allows requests to any IP address, since DNS rebinding needs a name.
    pub fn with_bound(mut self, address: IpAddr) -> Self {
        self.bound = Some(address);
        self
    }

    /// Allows requests under another name.
    pub fn with_name(mut self, name: HostName) -> Self {
        self.names.push(name);
        self
    }

    /// Allows requests from web pages of this origin.
    pub fn with_origin(mut self, origin: PageOrigin) -> Self {
        self.origins.push(origin);
        self
    }

    /// True if a request under this authority (`HOST` or `HOST:PORT`) is for this player.
    pub fn allows_host(&self, authority: &str) -> bool {
        let host = normal(host_of(authority));
        let address: Option<IpAddr> = host.parse().ok();
        host == "localhost"
            || self.names.iter().any(|name| name.0 == host)
            || address.is_some_and(|address| {
                address.is_loopback() || self.bound.is_some_and(|bound| bound.is_unspecified() || bound == address)
            })
    }

    /// The value of the header `Access-Control-Allow-Origin` for pages of this origin, if they may send requests.
    fn allowed_origin(&self, origin: &str) -> Option<String> {
        let found = self.origins.iter().find(|allowed| match allowed {
            PageOrigin::Any => true,
            PageOrigin::One(allowed) => allowed.eq_ignore_ascii_case(origin),
        });
        found.map(PageOrigin::to_string)
    }
}

/// The host of an authority: the part before the port.
fn host_of(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        // The last colon of `[::1]` is inside the brackets.
        Some((host, port)) if !port.contains(']') => without_brackets(host),
        _ => without_brackets(authority),
    }
}

/// A host in lower case, without the full stop that may end a complete name.
fn normal(host: &str) -> String {
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}
