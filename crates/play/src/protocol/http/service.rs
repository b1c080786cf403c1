//! Turns one request into its response.

use super::access::Access;
use super::connections::ConnectionSlot;
use super::{CONTENT_TYPE, ConnectionLimits, HeadError};
use crate::protocol::{Host, Message, Refusal, Reply};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{HeaderMap, Method, Request, Response, StatusCode, Version};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tracing::{debug, warn};

/// The allowed methods of a request.
const METHODS: HeaderValue = HeaderValue::from_static("POST, GET, OPTIONS");

pub(super) struct Service {
    pub(super) host: Arc<Host>,
    pub(super) access: Arc<Access>,
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
