//! The workbench in a browser: an HTTP server on this machine, and the page that it serves.
//!
//! The page is a client of [`crate::repl`]: it sends lines of the prompt, and gets the same answers as JSON. Each page has
//! a session of its own ([`visit`]), in which no command reads or writes files of this machine. A request is answered
//! ([`service`]) if it carries the token that was made when the server began, names this server as its host, and does not
//! come from another page ([`guard`]). The files of the page, in `web/`, are part of the program ([`page`]).

mod folder;
mod guard;
mod page;
mod service;
mod visit;

pub(crate) use folder::PageFolder;
pub(crate) use guard::{Guard, ServerSecret};
pub(crate) use page::exported_files;

use ggp_engine::{EngineOptions, Game, LibrarySheet};
use ggp_learn::NeuralNetwork;
use ggp_play::protocol::http::{Acceptor, Connection, ConnectionLimits};
use serde::Serialize;
use service::PageService;
use std::ffi::OsStr;
use std::io;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio::runtime::Builder;
use visit::PageVisits;

/// Maximum number of connections at a time.
const CONNECTIONS: usize = 512;
/// Limits on connections. `reading` is also the time for which an idle connection is kept.
const LIMITS: ConnectionLimits = ConnectionLimits {
    body: 4 << 20,
    reading: Duration::from_secs(30),
    connections: CONNECTIONS,
    connections_per_address: CONNECTIONS,
};
/// Maximum number of commands that run at a time.
const COMMANDS: usize = 64;

/// The game that a page begins with: the name of one of the library, or the text of a rule sheet, since a page reads no
/// files.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FirstGame {
    Game(String),
    Sheet { name: String, text: String },
}

impl FirstGame {
    /// The game that was loaded by this name. A sheet is named by its file.
    pub(crate) fn from_game(name: &OsStr, game: &Game) -> Self {
        if let Some(sheet) = name.to_str().and_then(LibrarySheet::find) {
            return Self::Game(sheet.name.to_string());
        }
        let path = game.source.name();
        let file = Path::new(path).file_name().map_or(path.into(), OsStr::to_string_lossy);
        Self::Sheet { name: file.into_owned(), text: game.source.text().to_string() }
    }
}

/// Options of a server.
pub(crate) struct ServeOptions {
    /// The game that a page begins with.
    pub(crate) first: Option<FirstGame>,
    /// The options for the engines of sessions.
    pub(crate) engine: EngineOptions,
    /// Decides which requests are answered.
    pub(crate) guard: Guard,
    /// Maximum number of sessions.
    pub(crate) sessions: usize,
    /// Time limit on a command.
    pub(crate) patience: Duration,
    /// The folder with pages of players.
    pub(crate) pages: Option<PageFolder>,
    /// The networks with which pages can play.
    pub(crate) networks: Arc<[NeuralNetwork]>,
}

/// Answers requests until the flag is set.
///
/// # Errors
/// If the system provides no sockets or threads. Errors of single connections are logged.
pub(crate) fn serve(listener: TcpListener, options: ServeOptions, interrupt: &AtomicBool) -> io::Result<()> {
    let mut runtime = Builder::new_current_thread();
    let runtime = runtime.max_blocking_threads(COMMANDS).enable_all().build()?;
    let ServeOptions { first, engine, guard, sessions, patience, pages, networks } = options;
    let visits = Arc::new(PageVisits::new(sessions, engine, networks));
    let service = Arc::new(PageService { first, guard, visits: visits.clone(), patience, pages });
    let result = runtime.block_on(accept(listener, &service, interrupt));
    visits.end_all();
    // Commands that do not end in time are not waited for.
    runtime.shutdown_background();
    result
}

async fn accept(listener: TcpListener, service: &Arc<PageService>, interrupt: &AtomicBool) -> io::Result<()> {
    let serve = |connection: Connection| {
        let service = service.clone();
        let slot = connection.slot.clone();
        let respond = move |request, head| {
            // Until it is answered, no new connection takes the place of this one.
            slot.request_arrived();
            let service = service.clone();
            async move { service.respond(request, head).await }
        };
        connection.serve(true, respond)
    };
    Acceptor::new(LIMITS).run(listener, interrupt, || {}, serve).await
}
