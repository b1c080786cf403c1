//! Accepts connections and enforces their limits.

use super::Limits;
use super::access::Access;
use super::connections::{Connections, Slot};
use super::service::Service;
use crate::protocol::Host;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tracing::{debug, error, warn};

/// The time between two checks of the interrupt and of the host's matches.
const TICK: Duration = Duration::from_millis(100);

/// The time for which an idle thread is kept for the next request.
const KEEP_ALIVE: Duration = Duration::from_secs(1);

/// The time for which a refused connection is read, so that its answer arrives.
const LINGER: Duration = Duration::from_secs(2);

/// The answer to a peer for which there is no slot: `busy`.
const BUSY: &[u8] = b"HTTP/1.0 503 Service Unavailable\r\nContent-Type: text/acl\r\nContent-Length: 4\r\n\r\nbusy";

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
    limits: Limits,
    interrupt: &AtomicBool,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let mut runtime = Builder::new_current_thread();
    let runtime = runtime.max_blocking_threads(limits.connections.max(1)).thread_keep_alive(KEEP_ALIVE);
    let runtime = runtime.enable_all().build()?;
    let refusals = Arc::new(Semaphore::new(limits.connections.max(1)));
    let server = Server { host, access: Arc::new(access), limits, connections: Arc::default(), refusals };
    let result = runtime.block_on(server.accept(listener, interrupt));
    server.host.close();
    // Connections that still wait for an answer are closed without one.
    runtime.shutdown_background();
    result
}

struct Server {
    host: Arc<Host>,
    access: Arc<Access>,
    limits: Limits,
    connections: Arc<Connections>,
    /// Permits for connections that are being refused; beyond them connections are closed without an answer.
    refusals: Arc<Semaphore>,
}

impl Server {
    async fn accept(&self, listener: TcpListener, interrupt: &AtomicBool) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        while !interrupt.load(Ordering::Relaxed) {
            self.host.give_up_silent_match();
            match timeout(TICK, listener.accept()).await {
                Err(_) => {}
                Ok(Ok((stream, peer))) => self.admit(stream, peer),
                Ok(Err(problem)) => {
                    error!("no connection: {problem}");
                    sleep(TICK).await;
                }
            }
        }
        Ok(())
    }

    /// Serves a connection if there is a slot for it, otherwise refuses it.
    fn admit(&self, stream: TcpStream, peer: SocketAddr) {
        let Some(slot) = self.connections.enter(peer.ip(), &self.limits) else {
            warn!(%peer, "answered busy: all connections of the address are being answered");
            if let Ok(permit) = self.refusals.clone().try_acquire_owned() {
                tokio::spawn(async move {
                    // If the peer is gone, it needs no answer.
                    let _ = timeout(LINGER, refuse(stream)).await;
                    drop(permit);
                });
            }
            return;
        };
        let (host, access, limits, number) = (self.host.clone(), self.access.clone(), self.limits, slot.number());
        let task = tokio::spawn(connection(stream, host, access, limits, peer, slot));
        self.connections.reads(number, task.abort_handle());
    }
}

/// Answers that there is no slot, and reads what the peer still sends: if a connection is closed with unread bytes, the
/// system resets it, and the answer may be lost.
async fn refuse(stream: TcpStream) -> io::Result<()> {
    // The few bytes fit into the buffers of the system.
    stream.try_write(BUSY)?;
    let stream = stream.into_std()?;
    stream.shutdown(Shutdown::Write)?;
    let stream = TcpStream::from_std(stream)?;
    let mut unread = [0; 1024];
    loop {
        stream.readable().await?;
        match stream.try_read(&mut unread) {
            Ok(0) => return Ok(()),
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
            _ => {}
        }
    }
}

/// Serves one request. A peer that does not send it in time is cut off; the answer is so short that the system buffers
/// it whole, whether or not the peer reads it.
async fn connection(
    stream: TcpStream,
    host: Arc<Host>,
    access: Arc<Access>,
    limits: Limits,
    peer: SocketAddr,
    slot: Slot,
) {
    let service = Service { host, access, limits, peer, slot };
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.reading)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service_fn(|request| service.respond(request)))
        .await;
    if let Err(problem) = served {
        debug!(%peer, "connection: {problem}");
    }
}
