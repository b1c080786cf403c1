//! From one request to its response.

use super::{CONTENT_TYPE, Limits, path};
use crate::protocol::{Host, Message, Refusal, Reply};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE as CONTENT_TYPE_HEADER, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tracing::{debug, warn};

/// Lets pages of any origin ask, as the players of ggp-base do.
const CROSS_ORIGIN: [(&str, &str); 5] = [
    ("access-control-allow-origin", "*"),
    ("access-control-allow-methods", "POST, GET, OPTIONS"),
    ("access-control-allow-headers", "Content-Type"),
    ("access-control-allow-age", "86400"),
    ("access-control-max-age", "86400"),
];

/// What serves one connection.
pub(super) struct Service {
    pub(super) host: Arc<Host>,
    pub(super) limits: Limits,
    pub(super) peer: SocketAddr,
}

/// What is said to a peer.
struct Answer {
    status: StatusCode,
    text: String,
}

impl Service {
    /// The response to a request. There always is one.
    pub(super) async fn respond(&self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
        let arrived = Instant::now();
        let answer = match *request.method() {
            Method::OPTIONS => Answer { status: StatusCode::OK, text: String::new() },
            Method::GET => self.answer(path::decode(request.uri().path()), arrived).await,
            Method::POST => match self.body(request.into_body()).await {
                Ok(text) => self.answer(text, arrived).await,
                Err(answer) => answer,
            },
            _ => refuse(StatusCode::METHOD_NOT_ALLOWED, "a GGP message is the body of a POST"),
        };
        let peer = self.peer;
        if answer.status.is_success() {
            debug!(%peer, "answered {}", answer.text);
        } else {
            warn!(%peer, "answered {}: {}", answer.status, answer.text);
        }
        Ok(answer.into_response())
    }

    /// The text of a body, within the limits.
    async fn body(&self, body: Incoming) -> Result<String, Answer> {
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

    /// What the host answers to the text of a message, on a thread where it can be waited for.
    async fn answer(&self, text: String, arrived: Instant) -> Answer {
        let host = self.host.clone();
        let answered = spawn_blocking(move || match Message::parse(&text) {
            Ok(message) => host.answer(&message, arrived).into(),
            Err(problem) => refuse(StatusCode::BAD_REQUEST, &problem.to_string()),
        });
        answered.await.unwrap_or_else(|problem| refuse(StatusCode::INTERNAL_SERVER_ERROR, &problem.to_string()))
    }
}

impl From<Result<Reply, Refusal>> for Answer {
    fn from(result: Result<Reply, Refusal>) -> Self {
        let refusal = match result {
            Ok(reply) => return Self { status: StatusCode::OK, text: reply.to_string() },
            Err(refusal) => refusal,
        };
        let status = match refusal {
            Refusal::Rules(_) | Refusal::Role(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Refusal::Moves(_) => StatusCode::CONFLICT,
            Refusal::NotReady => StatusCode::SERVICE_UNAVAILABLE,
            Refusal::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        refuse(status, &refusal.to_string())
    }
}

/// Says why not, in a comment of KIF, so that nobody takes the words for a move.
fn refuse(status: StatusCode, why: &str) -> Answer {
    Answer { status, text: format!("; {}", why.replace(['\n', '\r'], " ")) }
}

impl Answer {
    fn into_response(self) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::from(self.text));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE_HEADER, HeaderValue::from_static(CONTENT_TYPE));
        for (name, value) in CROSS_ORIGIN {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if self.status == StatusCode::METHOD_NOT_ALLOWED {
            headers.insert(ALLOW, HeaderValue::from_static("POST, GET, OPTIONS"));
        }
        response
    }
}
