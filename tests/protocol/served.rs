//! A player that listens on a free port of this machine as long as the value lives, and plain requests to it.

use ggp::engine::{self, EngineKind, Game};
use ggp::play::{Deadline, LastTurn, Player, PlayerError, PlayerKind, PlayerSpec, Start};
use ggp::protocol::http::{Access, ConnectionLimits, PlayerAddress, serve};
use ggp::protocol::{Host, HostOptions};
use ggp::rules::GroundTerm;
use ggp::syntax::Dialect;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

pub(crate) struct Served {
    pub(crate) port: u16,
    interrupt: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    /// A player by name, on the interpreter, which is set up at once.
    pub(crate) fn player(spec: &str) -> Self {
        let spec: PlayerSpec = spec.parse().expect("there is such a player");
        Self::with(move || spec.make(7), options(), ConnectionLimits::default())
    }

    pub(crate) fn with(
        make: impl Fn() -> Box<dyn Player> + Send + Sync + 'static,
        options: HostOptions,
        limits: ConnectionLimits,
    ) -> Self {
        Self::open_to(Access::default(), make, options, limits)
    }

    /// A player that answers the requests that are allowed.
    pub(crate) fn open_to(
        access: Access,
        make: impl Fn() -> Box<dyn Player> + Send + Sync + 'static,
        options: HostOptions,
        limits: ConnectionLimits,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let port = listener.local_addr().expect("it has an address").port();
        let interrupt = Arc::new(AtomicBool::new(false));
        let flag = interrupt.clone();
        let host = Arc::new(Host::new(move |_| make(), options));
        let thread = thread::spawn(move || serve(listener, host, access, limits, &flag).expect("the server serves"));
        Self { port, interrupt, thread: Some(thread) }
    }

    pub(crate) fn address(&self) -> PlayerAddress {
        address(self.port)
    }

    /// The answer to a message: the status and the text.
    pub(crate) fn post(&self, message: &str) -> (u16, String) {
        post(self.port, message)
    }

    /// The answer to a valid message.
    pub(crate) fn say(&self, message: &str) -> String {
        let (status, text) = self.post(message);
        assert_eq!(status, 200, "{message}: {text}");
        text
    }

    /// The answer to these bytes.
    pub(crate) fn raw(&self, bytes: &[u8]) -> (u16, String) {
        response(&exchange(self.port, bytes))
    }

    /// The full response to these bytes.
    pub(crate) fn exchange(&self, bytes: &[u8]) -> String {
        exchange(self.port, bytes)
    }

    pub(crate) fn connect(&self) -> TcpStream {
        connect(self.port)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.interrupt.store(true, Ordering::Relaxed);
        let ended = self.thread.take().expect("it is dropped once").join();
        if !thread::panicking() {
            ended.expect("the server ends without a panic");
        }
    }
}

/// The answer to a message on this port: the status and the text.
pub(crate) fn post(port: u16, message: &str) -> (u16, String) {
    let head = format!("POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\r\n", message.len());
    response(&exchange(port, format!("{head}{message}").as_bytes()))
}

/// The full response to these bytes, until the other side closes the connection.
fn exchange(port: u16, bytes: &[u8]) -> String {
    let mut stream = connect(port);
    // A server that rejects the request may close before all is sent.
    let _ = stream.write_all(bytes);
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response);
    let _ = stream.shutdown(Shutdown::Both);
    String::from_utf8_lossy(&response).into_owned()
}

/// The status and the body of a response.
pub(crate) fn response(text: &str) -> (u16, String) {
    let status = text.get(9..12).and_then(|status| status.parse().ok());
    let (_, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no HTTP: {text:?}"));
    (status.unwrap_or_else(|| panic!("no status: {text:?}")), body.to_string())
}

fn connect(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout can be set");
    stream
}

pub(crate) fn address(port: u16) -> PlayerAddress {
    format!("127.0.0.1:{port}").parse().expect("this is an address")
}

pub(crate) fn options() -> HostOptions {
    HostOptions { engine: EngineKind::Interpreter.into(), ..HostOptions::default() }
}

/// The player that makes the first legal move.
pub(crate) fn legal() -> Box<dyn Player> {
    PlayerSpec::from(PlayerKind::Legal).make(0)
}

/// The rules of a game of the library, as they are sent.
pub(crate) fn kif(game: &str) -> String {
    load(game).sheet.in_dialect(Dialect::Prefix).to_string().trim_end().replace('\n', " ")
}

pub(crate) fn load(game: &str) -> Game {
    engine::load(game, Path::new(""), EngineKind::Interpreter).expect("the game loads")
}

/// The message that begins a match of tic-tac-toe.
pub(crate) fn start(id: &str, role: &str, clock: u32) -> String {
    format!("(start {id} {role} ({}) {clock} {clock})", kif("tic_tac_toe"))
}

/// Runs a function when it is asked for a move.
pub(crate) struct Odd(pub(crate) fn(Deadline) -> Result<GroundTerm, PlayerError>);

impl Player for Odd {
    fn name(&self) -> String {
        "odd".to_string()
    }

    fn start(&mut self, _: &Start, _: Deadline) -> Result<(), PlayerError> {
        Ok(())
    }

    fn play(&mut self, _: &LastTurn, deadline: Deadline) -> Result<GroundTerm, PlayerError> {
        (self.0)(deadline)
    }

    fn stop(&mut self, _: &LastTurn, _: Deadline) -> Result<(), PlayerError> {
        Ok(())
    }

    fn abort(&mut self) {}
}
