//! `ggp lsp`: the language server, which editors start and talk to over standard input and output.
//!
//! It speaks the Language Server Protocol, version 3.17, about rule sheets in any dialect and scripts (`.query`).
//! [`gdl::language`] answers questions about a text. This room keeps the texts that are open (`texts`), converts positions
//! and answers (`convert`), and dispatches requests (`server`): to `sheets` about rule sheets, to `commands` about scripts
//! and lenses. The parent reads and writes messages. One thread answers all requests in their order. Longer work has other
//! threads: the examiner plays the games of sheets that have no errors, as `ggp check` does, and the work of a lens has a
//! thread of its own, which a cancelled request stops; so have the games of `coverage`.
//!
//! A message is a header with the length of the body, an empty line, and the body. What cannot be read is answered by an
//! error, and reading goes on at the next header. It can be found, because no body has a line that ends with
//! `Content-Length: NUMBER`: JSON escapes the line breaks in texts. A request that fails or panics gets an error as well,
//! and the server goes on.

mod commands;
mod convert;
mod coverage;
mod examiner;
mod server;
mod sheets;
mod texts;

use ggp_game::threads::{self, NoThread};
use lsp_server::{Connection, ErrorCode, Message, ProtocolError};
use lsp_types::notification::{Exit, Notification as _};
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, StdinLock, Write};
use std::thread::{Builder, JoinHandle};

/// Error that ends the server before the editor sends `exit`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServerError {
    /// The editor does not keep to the protocol, or has gone away.
    #[error("the editor has gone away or does not keep to the protocol")]
    Protocol(#[from] ProtocolError),
    /// The editor's first message cannot be read.
    #[error("the editor's first message cannot be read")]
    Initialize(#[from] serde_json::Error),
    /// Standard input or output failed.
    #[error("the editor cannot be reached")]
    Stream(#[from] io::Error),
    /// The system starts no threads.
    #[error(transparent)]
    NoThread(#[from] NoThread),
}

/// Threads that a server needs: two read and write messages, one receives them in the server, and one examines.
const THREADS: usize = 4;

/// Serves an editor over standard input and output until it sends `exit`.
///
/// # Errors
/// If the connection breaks, or the editor does not keep to the protocol.
pub(crate) fn serve() -> Result<(), ServerError> {
    if threads::available(THREADS) < THREADS {
        return Err(NoThread.into());
    }
    let (connection, threads) = connect()?;
    // After an error the threads are not joined: without `exit` the reading one may wait for ever.
    server::serve(connection)?;
    for thread in threads {
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    }
    Ok(())
}

/// Maximum length of a body in bytes. The text of a sheet is in one body; the largest public sheet has 70 KB.
const LONGEST_BODY: u64 = 64 << 20;

/// Name of the header that every message has, in lower case.
const LENGTH: &str = "content-length:";

/// Number of bytes of a line that are kept, at its end: more than any header has.
const LONGEST_LINE: usize = 4096;

/// Connects a server with standard input and output. The threads end when the editor has sent `exit` and when all
/// messages to it are written.
///
/// # Errors
/// If a thread cannot be started.
fn connect() -> io::Result<(Connection, [JoinHandle<io::Result<()>>; 2])> {
    let (server, Connection { sender, receiver }) = Connection::memory();
    let reader = Builder::new().name("lsp reader".to_string()).spawn(move || {
        let mut messages = MessageReader { input: io::stdin().lock(), length: None, is_lost: false };
        while let Some(received) = messages.receive()? {
            match received {
                Ok(message) => {
                    let is_last = matches!(&message, Message::Notification(told) if told.method == Exit::METHOD);
                    // Sending fails if the server has ended.
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
    Ok((server, [reader, writer]))
}

/// Fault of received bytes that are not a message.
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
        /// Its `id`, which the answer repeats, or null.
        id: Value,
    },
}

impl MessageFault {
    /// Sends the editor an error.
    fn answer(self, output: &mut impl Write) -> io::Result<()> {
        let code = match self {
            Self::NoHeader | Self::NotJson(_) => ErrorCode::ParseError,
            Self::TooLong(_) | Self::NoMessage { .. } => ErrorCode::InvalidRequest,
        };
        let error = json!({ "code": code as i32, "message": self.to_string() });
        let id = if let Self::NoMessage { id } = self { id } else { Value::Null };
        // `Response` of lsp-server cannot have the id null, which the protocol wants for an unknown request.
        let body = json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string();
        write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        output.flush()
    }
}

/// Reader of messages on standard input.
struct MessageReader {
    input: StdinLock<'static>,
    /// The length of the next body, once its header has been read.
    length: Option<u64>,
    /// True after a line that was no header, until the next header is found: such lines are reported once.
    is_lost: bool,
}

impl MessageReader {
    /// The next message or fault; `None` at the end of the input.
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

    /// Reads the body of a message; `None` if the input ends before it does.
    fn body(&mut self, length: u64) -> io::Result<Option<Result<Message, MessageFault>>> {
        let mut body = Vec::new();
        self.input.by_ref().take(length).read_to_end(&mut body)?;
        let is_whole = body.len() as u64 == length;
        Ok(is_whole.then(|| message(&body)))
    }

    /// The next line; `None` at the end of the input. A long one is cut at its beginning, to less than twice
    /// [`LONGEST_LINE`] bytes, so that a body without line breaks does not fill the memory.
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

/// True if a line has the form `NAME: VALUE`.
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
