//! One connection: requests, each with its response, until the peer or a limit ends it.

use super::connections::ConnectionSlot;
use super::head::{HeadError, HeadReader, check};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::header::{self, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::error::Error;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::join;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tracing::debug;

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
