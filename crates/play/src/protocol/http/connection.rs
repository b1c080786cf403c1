//! The connections of a server: their acceptance, the limits on their number, and the requests on each.
//!
//! A connection is idle before its first request has arrived, and again after each response. An idle one can be closed
//! in favour of a new one, the one that has been idle longest first; so peers that open connections and send nothing,
//! or send slowly, do not block other peers. A connection whose request is being answered is never closed.
//!
//! A head that says more than once where its body ends, or for which host the request is, means different things to
//! different readers, so a second request can hide in the first (RFC 9112, sections 3.2, 6.1 and 6.3). hyper removes
//! such lengths before it hands out the request. Therefore [`HeadReader`] parses each head as well, with the parser
//! that hyper uses, and [`check()`] refuses the request.

use super::ConnectionLimits;
use httparse::{EMPTY_HEADER, Header, Request as ParsedHead, Status};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::header::HeaderValue;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, header};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::error::Error;
use std::io;
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, ReadBuf, join};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};
use tracing::{debug, error, warn};

/// The time between two checks of the interrupt.
const TICK: Duration = Duration::from_millis(100);

/// The time for which a refused connection is read, so that its answer arrives.
const LINGER: Duration = Duration::from_secs(2);

/// The answer to a peer for which there is no slot: `busy`.
const BUSY: &[u8] = b"HTTP/1.0 503 Service Unavailable\r\nContent-Type: text/acl\r\nContent-Length: 4\r\n\r\nbusy";

/// Accepts connections for a server.
pub struct Acceptor {
    limits: ConnectionLimits,
    connections: Arc<Mutex<ConnectionTable>>,
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
        let entered = locked(&self.connections).enter(peer.ip(), &self.limits);
        if let Some(number) = entered {
            let slot = Arc::new(ConnectionSlot { connections: self.connections.clone(), number });
            let reading = self.limits.reading;
            let task = tokio::spawn(serve(Connection { stream, peer, slot, reading }));
            // From now on the connection can be closed while it is idle.
            if let Some(connection) = locked(&self.connections).connections.get_mut(&number) {
                connection.task = Some(task.abort_handle());
            }
            return;
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

/// All open connections.
#[derive(Default)]
struct ConnectionTable {
    /// The connections by their numbers.
    connections: BTreeMap<u64, OpenConnection>,
    /// The number of times that a connection has become idle, new ones included.
    events: u64,
}

struct OpenConnection {
    address: IpAddr,
    /// The task that serves it, once there is one.
    task: Option<AbortHandle>,
    /// The number of the event since which it has been idle; `None` while a request is being answered.
    idle_since: Option<u64>,
}

/// The slot of a connection; it is freed when this is dropped.
pub struct ConnectionSlot {
    connections: Arc<Mutex<ConnectionTable>>,
    number: u64,
}

/// Locks the table of connections.
fn locked(connections: &Mutex<ConnectionTable>) -> MutexGuard<'_, ConnectionTable> {
    // No code that holds the lock can panic in the middle of a change.
    connections.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ConnectionTable {
    /// The number of a new connection from `address`. If the address has all the connections that it may have, the one of
    /// them that has been idle longest is closed; if all slots are in use, such a connection of the address with the most
    /// of them. `None` if there is no such connection.
    fn enter(&mut self, address: IpAddr, limits: &ConnectionLimits) -> Option<u64> {
        // An address with too many connections loses one of its own; other addresses are left alone.
        let own = self.connections.values().filter(|connection| connection.address == address).count();
        if own >= limits.connections_per_address.max(1) {
            self.close_idle(address)?;
        } else if self.connections.len() >= limits.connections.max(1) {
            let greediest = self.greediest()?;
            self.close_idle(greediest)?;
        }
        let number = self.event();
        self.connections.insert(number, OpenConnection { address, task: None, idle_since: Some(number) });
        Some(number)
    }

    fn event(&mut self) -> u64 {
        self.events += 1;
        self.events
    }

    /// Closes the connection of an address that has been idle longest.
    fn close_idle(&mut self, address: IpAddr) -> Option<()> {
        let own = self.connections.iter().filter(|(_, connection)| connection.address == address);
        let idle = own.filter_map(|(&number, connection)| Some((connection.idle_since?, number)));
        let (_, number) = idle.min()?;
        self.connections.remove(&number)?.task?.abort();
        Some(())
    }

    /// The address with the most idle connections.
    fn greediest(&self) -> Option<IpAddr> {
        let mut counts: BTreeMap<IpAddr, usize> = BTreeMap::new();
        for connection in self.connections.values().filter(|connection| connection.idle_since.is_some()) {
            *counts.entry(connection.address).or_default() += 1;
        }
        counts.into_iter().max_by_key(|&(_, count)| count).map(|(address, _)| address)
    }
}

impl ConnectionSlot {
    /// A request has arrived: until it is answered, the connection is not closed in favour of another.
    pub fn request_arrived(&self) {
        if let Some(connection) = locked(&self.connections).connections.get_mut(&self.number) {
            connection.idle_since = None;
        }
    }

    /// The response has been sent: the connection is idle.
    fn response_sent(&self) {
        let mut open = locked(&self.connections);
        let event = open.event();
        if let Some(connection) = open.connections.get_mut(&self.number) {
            connection.idle_since = Some(event);
        }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        locked(&self.connections).connections.remove(&self.number);
    }
}

/// The greatest size of a head, in bytes; of a body, this much is read ahead.
const BUFFER: usize = 64 << 10;

/// A connection that has a slot.
pub struct Connection {
    pub(super) stream: TcpStream,
    pub(crate) peer: SocketAddr,
    /// The slot, which is free again when the connection ends.
    pub slot: Arc<ConnectionSlot>,
    /// The time that a head may take to arrive.
    pub(super) reading: Duration,
}

impl Connection {
    /// Answers requests, only one unless `keep_alive`. A peer that does not send its request in time is cut off.
    /// `respond` has to tell the slot that a request has arrived.
    pub async fn serve<F, B>(self, keep_alive: bool, respond: impl Fn(Request<Incoming>, Result<(), HeadError>) -> F)
    where
        F: Future<Output = Response<B>>,
        B: Body<Error: Into<Box<dyn Error + Send + Sync>>> + Unpin + 'static,
    {
        let Self { stream, peer, slot, reading } = self;
        let (reader, writer) = stream.into_split();
        let unambiguous = Arc::new(Semaphore::new(0));
        let stream = join(HeadReader::new(reader, unambiguous.clone()), writer);
        let service = service_fn(|request| {
            let head = check(&request, &unambiguous);
            // Where a chunked body ends, and what an ambiguous head means, is not known to the reader of heads.
            let is_last = head.is_err() || request.headers().contains_key(header::TRANSFER_ENCODING);
            let response = respond(request, head);
            let slot = slot.clone();
            async move {
                let mut response = response.await.map(|body| SlottedBody { body, slot });
                if is_last {
                    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                Ok::<_, Infallible>(response)
            }
        });
        let served = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(reading)
            .max_buf_size(BUFFER)
            .keep_alive(keep_alive)
            .serve_connection(TokioIo::new(stream), service)
            .await;
        if let Err(problem) = served {
            debug!(%peer, "connection: {problem}");
        }
    }
}

/// The body of a response. The connection is idle when this is dropped, which hyper does when it has taken all of it; a
/// peer that does not read what is left in hyper's buffer does not keep its slot.
struct SlottedBody<B> {
    body: B,
    slot: Arc<ConnectionSlot>,
}

impl<B> Drop for SlottedBody<B> {
    fn drop(&mut self) {
        self.slot.response_sent();
    }
}

impl<B: Body + Unpin> Body for SlottedBody<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The greatest number of headers, as in hyper.
const HEADERS: usize = 100;

/// A fault of a head, for which the request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeadError {
    /// There are several headers `Host`.
    #[error("a request has one header Host")]
    Hosts,
    /// The length of the body is given more than once, or in an unknown way.
    #[error("a request says once where its body ends: by Content-Length, or by Transfer-Encoding: chunked")]
    Length,
}

/// Checks the head of the next request of a connection.
pub(super) fn check(request: &Request<Incoming>, unambiguous: &Semaphore) -> Result<(), HeadError> {
    // The reader of heads has added a permit for this request, unless its head is ambiguous.
    unambiguous.try_acquire().map_err(|_| HeadError::Length)?.forget();
    match request.headers().get_all(header::HOST).iter().count() {
        0 | 1 => Ok(()),
        _ => Err(HeadError::Hosts),
    }
}

/// The receiving side of a connection, which finds the head of each request in what passes.
struct HeadReader<R> {
    reader: R,
    part: RequestPart,
    /// A permit for each request whose head says once where its body ends.
    unambiguous: Arc<Semaphore>,
}

/// The part of a request to which the next byte belongs.
enum RequestPart {
    /// A head, of which these bytes have arrived. hyper limits its size.
    Head(Vec<u8>),
    /// A body with this many bytes left.
    Body(u64),
    /// A request whose end is not sought. It must be the last one of its connection.
    LastRequest,
}

impl<R> HeadReader<R> {
    pub(super) fn new(reader: R, unambiguous: Arc<Semaphore>) -> Self {
        Self { reader, part: RequestPart::Head(Vec::new()), unambiguous }
    }

    /// Follows bytes that have arrived.
    fn follow(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            match &mut self.part {
                RequestPart::Head(head) => {
                    let begun = head.len();
                    head.extend_from_slice(bytes);
                    let Some((end, part)) = after_head(head, &self.unambiguous) else { return };
                    bytes = &bytes[end - begun..];
                    self.part = part;
                }
                RequestPart::Body(left) => {
                    let here = bytes.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                    bytes = &bytes[here..];
                    *left -= here as u64;
                    if *left == 0 {
                        self.part = RequestPart::Head(Vec::new());
                    }
                }
                RequestPart::LastRequest => return,
            }
        }
    }
}

/// The size of a head and what follows it, with a permit if it is unambiguous. `None` if the head is not complete.
fn after_head(head: &[u8], unambiguous: &Semaphore) -> Option<(usize, RequestPart)> {
    let mut headers = [EMPTY_HEADER; HEADERS];
    let mut parsed = ParsedHead::new(&mut headers);
    let end = match parsed.parse(head) {
        Ok(Status::Partial) => return None,
        Ok(Status::Complete(end)) => end,
        // hyper refuses the request.
        Err(_) => return Some((head.len(), RequestPart::LastRequest)),
    };
    let part = after_headers(parsed.headers);
    if part.is_some() {
        unambiguous.add_permits(1);
    }
    Some((end, part.unwrap_or(RequestPart::LastRequest)))
}

/// The part that follows these headers; `None` if they give the end of the body more than once, or in an unknown way.
fn after_headers(headers: &[Header<'_>]) -> Option<RequestPart> {
    let named = |header: &&Header<'_>, name: &str| header.name.eq_ignore_ascii_case(name);
    let mut lengths = headers.iter().filter(|header| named(header, "content-length"));
    let mut encodings = headers.iter().filter(|header| named(header, "transfer-encoding"));
    match (lengths.next(), encodings.next(), lengths.next().or(encodings.next())) {
        (None, None, _) => Some(RequestPart::Head(Vec::new())),
        (Some(length), None, None) => match str::from_utf8(length.value).ok()?.parse().ok()? {
            0 => Some(RequestPart::Head(Vec::new())),
            length => Some(RequestPart::Body(length)),
        },
        // The end of a chunked body is not sought.
        (None, Some(encoding), None) => {
            encoding.value.eq_ignore_ascii_case(b"chunked").then_some(RequestPart::LastRequest)
        }
        _ => None,
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for HeadReader<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.reader).poll_read(context, buffer);
        self.follow(&buffer.filled()[before..]);
        polled
    }
}
