//! Accepts connections and enforces the limits on their number.

use super::ConnectionLimits;
use super::connection::Connection;
use super::connections::Connections;
use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tracing::{error, warn};

/// The time between two checks of the interrupt.
const TICK: Duration = Duration::from_millis(100);

/// The time for which a refused connection is read, so that its answer arrives.
const LINGER: Duration = Duration::from_secs(2);

/// The answer to a peer for which there is no slot: `busy`.
const BUSY: &[u8] = b"HTTP/1.0 503 Service Unavailable\r\nContent-Type: text/acl\r\nContent-Length: 4\r\n\r\nbusy";

/// Accepts connections for a server.
pub struct Acceptor {
    limits: ConnectionLimits,
    connections: Arc<Connections>,
    /// Permits for connections that are being refused; beyond them connections are closed without an answer.
    refusals: Arc<Semaphore>,
}

impl Acceptor {
    /// An acceptor without connections.
    pub fn new(limits: ConnectionLimits) -> Self {
        let refusals = Arc::new(Semaphore::new(limits.connections.max(1)));
        Self { limits, connections: Arc::default(), refusals }
    }

    /// Serves connections, each with a task of its own, until the flag is set. `tick` is called several times a second.
    ///
    /// # Errors
    /// If the system cannot watch the listener. Errors of single connections are logged.
    pub async fn run<F: Future<Output = ()> + Send + 'static>(
        &self,
        listener: TcpListener,
        interrupt: &AtomicBool,
        tick: impl Fn(),
        serve: impl Fn(Connection) -> F,
    ) -> io::Result<()> {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        while !interrupt.load(Ordering::Relaxed) {
            tick();
            match timeout(TICK, listener.accept()).await {
                Err(_) => {}
                Ok(Ok((stream, peer))) => self.admit(stream, peer, &serve),
                Ok(Err(problem)) => {
                    error!("no connection: {problem}");
                    sleep(TICK).await;
                }
            }
        }
        Ok(())
    }

    /// Serves a connection if there is a slot for it, otherwise refuses it.
    fn admit<F: Future<Output = ()> + Send + 'static>(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        serve: impl Fn(Connection) -> F,
    ) {
        if let Some(slot) = self.connections.enter(peer.ip(), &self.limits) {
            let number = slot.number();
            let reading = self.limits.reading;
            let task = tokio::spawn(serve(Connection { stream, peer, slot: Arc::new(slot), reading }));
            return self.connections.served_by(number, task.abort_handle());
        }
        warn!(%peer, "answered busy: all connections of the address are being answered");
        if let Ok(permit) = self.refusals.clone().try_acquire_owned() {
            tokio::spawn(async move {
                // If the peer is gone, it needs no answer.
                let _ = timeout(LINGER, refuse(stream)).await;
                drop(permit);
            });
        }
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
