//! Accepting connections, and keeping them within their limits.

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

/// How often the server checks its interrupt and the host's matches.
const TICK: Duration = Duration::from_millis(100);

/// How long a thread that has waited for an answer is kept for the next one.
const KEEP_ALIVE: Duration = Duration::from_secs(1);

/// How long a refused connection is read, so that its answer arrives.
const LINGER: Duration = Duration::from_secs(2);

/// What a peer is told for which there is no place: the answer `busy` of the protocol.
const BUSY: &[u8] = b"HTTP/1.0 503 Service Unavailable\r\nContent-Type: text/acl\r\nContent-Length: 4\r\n\r\nbusy";

/// Answers requests until the flag is set; then a match that is being played is given up.
///
/// Connections are served on this thread; a request that waits for a player's answer has a thread of its own, at most one a connection.
///
/// # Errors
/// If the system gives no sockets or threads. What single connections do wrong is logged.
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
    // Connections that still wait for an answer get none.
    runtime.shutdown_background();
    result
}

/// What all connections share.
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

    /// Serves a connection where there is a place for it.
    fn admit(&self, stream: TcpStream, peer: SocketAddr) {
        let Some(slot) = self.connections.enter(peer.ip(), &self.limits) else {
            warn!(%peer, "answered busy: all connections of the address are being answered");
            if let Ok(permit) = self.refusals.clone().try_acquire_owned() {
                tokio::spawn(async move {
                    // A peer that is gone needs no answer.
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

/// Answers that there is no place, and reads what the peer still sends: if a connection is closed with unread bytes, the system resets
/// it, and the answer may be lost.
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

/// Serves one request. A peer that does not send it in time is cut off; the answer is so short that the system takes it at once,
/// whether the peer reads it or not.
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
