//! The heads of requests as they arrive on a connection.
//!
//! A head that says more than once where its body ends, or for which host the request is, means different things to
//! different readers, so a second request can hide in the first (RFC 9112, sections 3.2, 6.1 and 6.3). hyper removes
//! such lengths before it hands out the request. Therefore [`HeadReader`] parses each head as well, with the parser
//! that hyper uses, and [`check()`] refuses the request.

use httparse::{EMPTY_HEADER, Header, Request as ParsedHead, Status};
use hyper::body::Incoming;
use hyper::{Request, header};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::Semaphore;

/// The greatest number of headers, as in hyper.
const HEADERS: usize = 100;

/// Why a request is refused for its head.
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
    unambiguous.try_acquire().map_err(|_| HeadError::Length)?.forget();
    match request.headers().get_all(header::HOST).iter().count() {
        0 | 1 => Ok(()),
        _ => Err(HeadError::Hosts),
    }
}

/// The receiving side of a connection, which finds the head of each request in what passes.
pub(super) struct HeadReader<R> {
    reader: R,
    part: RequestPart,
    /// A permit for each request whose head says once where its body ends.
    unambiguous: Arc<Semaphore>,
}

/// What the next byte belongs to.
enum RequestPart {
    /// A head, of which these bytes have arrived. hyper limits its size.
    Head(Vec<u8>),
    /// A body with this many bytes left.
    Body(u64),
    /// A request whose end is not sought. It must be the last one of its connection.
    LastRequest,
}

/// Where a body ends.
enum Length {
    Bytes(u64),
    Chunked,
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
    let length = body_length(parsed.headers);
    if length.is_some() {
        unambiguous.add_permits(1);
    }
    let part = match length {
        Some(Length::Bytes(0)) => RequestPart::Head(Vec::new()),
        Some(Length::Bytes(length)) => RequestPart::Body(length),
        Some(Length::Chunked) | None => RequestPart::LastRequest,
    };
    Some((end, part))
}

/// Where the body of a request with these headers ends, if they say it at most once.
fn body_length(headers: &[Header<'_>]) -> Option<Length> {
    let named = |header: &&Header<'_>, name: &str| header.name.eq_ignore_ascii_case(name);
    let mut lengths = headers.iter().filter(|header| named(header, "content-length"));
    let mut encodings = headers.iter().filter(|header| named(header, "transfer-encoding"));
    match (lengths.next(), encodings.next(), lengths.next().or(encodings.next())) {
        (None, None, _) => Some(Length::Bytes(0)),
        (Some(length), None, None) => str::from_utf8(length.value).ok()?.parse().ok().map(Length::Bytes),
        (None, Some(encoding), None) => encoding.value.eq_ignore_ascii_case(b"chunked").then_some(Length::Chunked),
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
