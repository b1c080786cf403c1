//! `ggp lsp`: the language server, which editors start and talk to over standard input and output.
//!
//! It speaks the Language Server Protocol, version 3.17, about rule sheets in either dialect and scripts (`.query`).
//! What is asked about a text is answered by [`gdl::language`]; this room keeps the texts that are open (`texts`),
//! converts positions and answers (`convert`), reads and writes messages (`messages`), and dispatches requests
//! (`server`). One thread answers all requests in their order. Two more do what takes longer: the examiner plays the
//! games of sheets that have no errors, as `ggp check` does, and what a lens starts (`command`) has a thread of its own,
//! which a cancelled request stops.
//!
//! A request that fails or panics, and what is not a message, gets an error, and the server goes on.

mod actions;
mod colours;
mod command;
mod convert;
mod examiner;
mod messages;
mod scripts;
mod server;
mod sheets;
mod texts;
mod values;

use ggp_game::threads::{self, NoThread};
use lsp_server::ProtocolError;
use std::io;

/// Why the server has ended before the editor has told it to.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServerError {
    /// The editor does not keep to the protocol, or has gone away.
    #[error("the editor has gone away or does not keep to the protocol")]
    Protocol(#[from] ProtocolError),
    /// What the editor has sent first cannot be read.
    #[error("the editor's first message cannot be read")]
    Initialize(#[from] serde_json::Error),
    /// Standard input or output failed.
    #[error("the editor cannot be reached")]
    Stream(#[from] io::Error),
    /// The system starts no threads.
    #[error(transparent)]
    NoThread(#[from] NoThread),
}

/// The threads of a server: two that read and write messages, and two that work.
const THREADS: usize = 4;

/// Serves an editor over standard input and output until it says goodbye.
///
/// # Errors
/// If the connection breaks, or the editor does not keep to the protocol.
pub(crate) fn serve() -> Result<(), ServerError> {
    if threads::available(THREADS) < THREADS {
        return Err(NoThread.into());
    }
    let (connection, threads) = messages::connect()?;
    let served = server::serve(connection);
    // Without a goodbye the reading thread may wait for ever.
    if served.is_ok() {
        threads.join()?;
    }
    served
}
