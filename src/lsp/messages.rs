//! The messages on standard input and output: a header with the length of the body, an empty line, and the body.
//!
//! What cannot be read is answered by an error, and reading goes on at the next header. It can be found, because no body
//! has a line that ends with `Content-Length: NUMBER`: inside a text of JSON a line break is escaped.

use lsp_server::{Connection, ErrorCode, Message};
use lsp_types::notification::{Exit, Notification as _};
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};
use std::thread::{Builder, JoinHandle};

/// The greatest length of a body in bytes. The text of a sheet is in one body; the largest public sheet has 70 KB.
const LONGEST_BODY: u64 = 64 << 20;

/// The header that every message has, in lower case.
const LENGTH: &str = "content-length:";

/// The number of bytes that are kept of a line: more than any header has.
const LONGEST_LINE: usize = 4096;

/// The threads that read and write messages.
pub(super) struct MessageThreads {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl MessageThreads {
    /// Waits until the editor has said goodbye, and all messages are written.
    pub(super) fn join(self) -> io::Result<()> {
        for thread in [self.reader, self.writer] {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        Ok(())
    }
}

/// Connects the server with standard input and output.
///
/// # Errors
/// If a thread cannot be started.
pub(super) fn connect() -> io::Result<(Connection, MessageThreads)> {
    let (server, Connection { sender, receiver }) = Connection::memory();
    let reader = Builder::new().name("lsp reader".to_string()).spawn(move || {
        let mut messages = MessageReader::new(io::stdin().lock());
        while let Some(received) = messages.receive()? {
            match received {
                Ok(message) => {
                    let is_last = matches!(&message, Message::Notification(told) if told.method == Exit::METHOD);
                    // The server may have ended.
                    if sender.send(message).is_err() || is_last {
                        break;
                    }
                }
                Err(fault) => fault.answer(&mut io::stdout().lock())?,
            }
        }
        Ok(())
    })?;
    let writer = Builder::new()
        .name("lsp writer".to_string())
        .spawn(move || receiver.into_iter().try_for_each(|message| message.write(&mut io::stdout().lock())))?;
    Ok((server, MessageThreads { reader, writer }))
}

/// Why something that was received is not a message.
#[derive(Debug, thiserror::Error)]
enum MessageFault {
    #[error("a message begins with `Content-Length: NUMBER`; what stands before the next one is skipped")]
    NoHeader,
    #[error("a message of {0} bytes is too long: the limit is {LONGEST_BODY}; it is skipped")]
    TooLong(u64),
    #[error("the message is not JSON: {0}")]
    NotJson(#[from] serde_json::Error),
    #[error("the message is neither a request nor a response nor a notification")]
    NoMessage {
        /// Its number or name, or null.
        id: Value,
    },
}

impl MessageFault {
    /// Tells the editor.
    fn answer(self, output: &mut impl Write) -> io::Result<()> {
        let code = match self {
            Self::NoHeader | Self::NotJson(_) => ErrorCode::ParseError,
            Self::TooLong(_) | Self::NoMessage { .. } => ErrorCode::InvalidRequest,
        };
        let error = json!({ "code": code as i32, "message": self.to_string() });
        let id = if let Self::NoMessage { id } = self { id } else { Value::Null };
        // `Response` has no null for the number of a request that is not known.
        let body = json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string();
        write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        output.flush()
    }
}

/// Reads messages.
struct MessageReader<R> {
    input: R,
    /// The length of the next body, once its header has been read.
    length: Option<u64>,
    /// Whether the next header is searched, after something that was no header.
    is_lost: bool,
}

impl<R: BufRead> MessageReader<R> {
    fn new(input: R) -> Self {
        Self { input, length: None, is_lost: false }
    }

    /// The next message, or why there is none; `None` at the end of the input.
    fn receive(&mut self) -> io::Result<Option<Result<Message, MessageFault>>> {
        while let Some(line) = self.line()? {
            let line = String::from_utf8_lossy(&line).trim_end().to_ascii_lowercase();
            let is_junk = match (line.rfind(LENGTH), self.length) {
                (Some(at), _) => {
                    self.length = line[at + LENGTH.len()..].trim().parse().ok();
                    at > 0 || self.length.is_none()
                }
                (None, Some(length)) if line.is_empty() => {
                    (self.length, self.is_lost) = (None, length > LONGEST_BODY);
                    return match self.is_lost {
                        true => Ok(Some(Err(MessageFault::TooLong(length)))),
                        false => self.body(length),
                    };
                }
                (None, _) => !line.is_empty() && !is_header(&line),
            };
            if is_junk && !std::mem::replace(&mut self.is_lost, true) {
                return Ok(Some(Err(MessageFault::NoHeader)));
            }
        }
        Ok(None)
    }

    fn body(&mut self, length: u64) -> io::Result<Option<Result<Message, MessageFault>>> {
        let mut body = Vec::new();
        self.input.by_ref().take(length).read_to_end(&mut body)?;
        let is_whole = body.len() as u64 == length;
        Ok(is_whole.then(|| message(&body)))
    }

    /// The next line, or the end of a very long one; `None` at the end of the input.
    fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        loop {
            let read = self.input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line)?;
            if read == 0 || line.last() == Some(&b'\n') {
                return Ok(Some(line).filter(|line| !line.is_empty()));
            }
            line.drain(..line.len().saturating_sub(LONGEST_LINE));
        }
    }
}

/// Whether a line is `NAME: VALUE`.
fn is_header(line: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '-');
    line.split_once(':').is_some_and(|(name, _)| is_name(name))
}

fn message(body: &[u8]) -> Result<Message, MessageFault> {
    serde_json::from_slice(body).or_else(|_| {
        let mut value: Value = serde_json::from_slice(body)?;
        let id = value.get_mut("id").map(Value::take).filter(|id| id.is_number() || id.is_string());
        Err(MessageFault::NoMessage { id: id.unwrap_or_default() })
    })
}
