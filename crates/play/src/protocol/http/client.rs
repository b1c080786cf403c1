//! Sends messages to a player on another machine, and waits for each answer no longer than its clock.

use super::{CONTENT_TYPE, without_brackets};
use crate::Deadline;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::{Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use std::fmt;
use std::io;
use std::pin::pin;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

/// The address on which a player listens: `HOST:PORT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerAddress {
    host: String,
    port: u16,
}

/// A text that is not an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the address of a player: `HOST:PORT` is needed, such as `localhost:9147`")]
pub struct PlayerAddressError(String);

impl FromStr for PlayerAddress {
    type Err = PlayerAddressError;

    fn from_str(text: &str) -> Result<Self, PlayerAddressError> {
        let bare = text.strip_prefix("http://").unwrap_or(text).trim_end_matches('/');
        let error = || PlayerAddressError(text.to_string());
        let (host, port) = bare.rsplit_once(':').ok_or_else(error)?;
        let port = port.parse().map_err(|_| error())?;
        let plain = without_brackets(host);
        let is_host = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c) || (plain != host && c == ':');
        if plain.is_empty() || !plain.chars().all(is_host) {
            return Err(error());
        }
        Ok(Self { host: plain.to_string(), port })
    }
}

impl fmt::Display for PlayerAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, port } = self;
        if host.contains(':') { write!(formatter, "[{host}]:{port}") } else { write!(formatter, "{host}:{port}") }
    }
}

/// The error of a request without an answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// No connection could be made, so the message has not been sent.
    #[error("cannot connect: {0}")]
    Connect(#[source] io::Error),
    /// The connection broke; the message may or may not have arrived.
    #[error("the connection was lost: {0}")]
    Lost(#[source] hyper::Error),
    /// The peer has not answered by the deadline.
    #[error("no answer in time")]
    Late,
    /// The interrupt flag was set.
    #[error("interrupted")]
    Interrupted,
    /// The answer exceeds the limit on its size.
    #[error("the answer is longer than {0} bytes")]
    TooLong(usize),
    /// The player refused the request.
    #[error("{status}: {text}")]
    Refused {
        /// The HTTP status code, other than 200.
        status: u16,
        /// The text of the answer.
        text: String,
    },
}

/// Sends messages, one at a time.
pub(crate) struct Client {
    runtime: Runtime,
}

impl Client {
    /// The greatest size of an answer, in bytes.
    const ANSWER_LIMIT: usize = 64 << 10;
    /// The time between two checks of the interrupt flag.
    const POLL_INTERVAL: Duration = Duration::from_millis(50);

    /// A client; each player needs its own.
    ///
    /// # Errors
    /// If the system cannot create another event queue for sockets.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { runtime: Builder::new_current_thread().enable_all().build()? })
    }

    /// Sends a text to a player and waits for its answer.
    ///
    /// # Errors
    /// If there is no answer by the deadline, or `interrupt` is set before it.
    pub(crate) fn post(
        &self,
        address: &PlayerAddress,
        text: String,
        deadline: Deadline,
        interrupt: &AtomicBool,
    ) -> Result<String, ClientError> {
        self.runtime.block_on(async {
            let mut exchange = pin!(exchange(address, text));
            loop {
                let wait = deadline.remaining().min(Self::POLL_INTERVAL);
                match timeout(wait, exchange.as_mut()).await {
                    Ok(result) => return result,
                    Err(_) if deadline.is_over() => return Err(ClientError::Late),
                    Err(_) if interrupt.load(Ordering::Relaxed) => return Err(ClientError::Interrupted),
                    Err(_) => {}
                }
            }
        })
    }
}

async fn exchange(address: &PlayerAddress, text: String) -> Result<String, ClientError> {
    let stream = TcpStream::connect((address.host.as_str(), address.port)).await.map_err(ClientError::Connect)?;
    stream.set_nodelay(true).map_err(ClientError::Connect)?;
    // Some players recognise header names only in their usual capitalisation.
    let handshake = http1::Builder::new().title_case_headers(true).handshake(TokioIo::new(stream));
    let (mut sender, connection) = handshake.await.map_err(ClientError::Lost)?;
    let connection = tokio::spawn(connection);
    let request = Request::post("/")
        .header(header::HOST, address.to_string())
        .header(header::ACCEPT, "text/delim")
        .header("sender", "GAMESERVER")
        .header("receiver", address.to_string())
        .header(header::CONTENT_TYPE, CONTENT_TYPE)
        .body(Full::<Bytes>::from(text));
    // Addresses are checked when they are parsed; if a header is invalid even so, nothing is sent.
    let request = request.map_err(|error| ClientError::Connect(io::Error::other(error)))?;
    let response = sender.send_request(request).await.map_err(ClientError::Lost)?;
    let status = response.status();
    let body = Limited::new(response.into_body(), Client::ANSWER_LIMIT).collect().await;
    connection.abort();
    let bytes = body.map_err(|error| match error.downcast::<hyper::Error>() {
        Ok(error) => ClientError::Lost(*error),
        Err(error) if error.is::<LengthLimitError>() => ClientError::TooLong(Client::ANSWER_LIMIT),
        Err(error) => ClientError::Connect(io::Error::other(error)),
    })?;
    let text = String::from_utf8_lossy(&bytes.to_bytes()).trim().to_string();
    match status {
        StatusCode::OK => Ok(text),
        _ => Err(ClientError::Refused { status: status.as_u16(), text }),
    }
}
