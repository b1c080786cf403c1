//! Accepting connections, and keeping them within their limits.

use super::Limits;
use super::service::Service;
use crate::protocol::Host;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tracing::{debug, error, warn};

/// How often the server looks up from its sockets.
const LOOK: Duration = Duration::from_millis(100);

/// Answers requests until somebody sets the flag; then a match that is being played is given up.
///
/// Connections are served on this thread; whoever waits for a player's answer has a thread of its own, at most one a connection.
///
/// # Errors
/// Where the system gives no sockets or threads. What single connections do wrong is logged.
pub fn serve(listener: TcpListener, host: Arc<Host>, limits: Limits, interrupt: &AtomicBool) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(limits.connections.max(1)).build()?;
    let result = runtime.block_on(accept(listener, &host, limits, interrupt));
    host.close();
    // Who still waits for an answer gets none.
    runtime.shutdown_background();
    result
}

async fn accept(listener: TcpListener, host: &Arc<Host>, limits: Limits, interrupt: &AtomicBool) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(limits.connections.max(1)));
    while !interrupt.load(Ordering::Relaxed) {
        host.give_up_silent_match();
        let Ok(place) = timeout(LOOK, places.clone().acquire_owned()).await else {
            warn!("{} connections at a time: others wait", limits.connections);
            continue;
        };
        let (stream, peer) = match timeout(LOOK, listener.accept()).await {
            Err(_) => continue,
            Ok(Ok(accepted)) => accepted,
            Ok(Err(problem)) => {
                error!("no connection: {problem}");
                sleep(LOOK).await;
                continue;
            }
        };
        let host = host.clone();
        tokio::spawn(async move {
            connection(stream, peer, host, limits).await;
            drop(place);
        });
    }
    Ok(())
}

/// Serves one request. A peer that does not send it in time is cut off; the answer is so short that the system takes it at once,
/// whether the peer reads it or not.
async fn connection(stream: TcpStream, peer: SocketAddr, host: Arc<Host>, limits: Limits) {
    let service = Service { host, limits, peer };
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
