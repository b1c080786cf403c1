//! Lets a host answer the messages of other machines.

use super::ConnectionLimits;
use super::acceptor::Acceptor;
use super::access::Access;
use super::connection::Connection;
use super::service::Service;
use crate::protocol::Host;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio::runtime::Builder;

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
