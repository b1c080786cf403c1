//! The body of a response: whole, or lines that are sent as they are made.

use hyper::body::{Body, Bytes, Frame, SizeHint};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Lines that wait to be sent; more of them wait for the browser.
const WAITING: usize = 4;

/// The body of a response.
pub(super) enum ResponseBody {
    /// Known in advance; taken when it has been sent.
    Whole(Option<Bytes>),
    /// Made while it is sent. If the browser closes the connection, the sender learns it with the next line.
    Lines(Receiver<Bytes>),
}

impl ResponseBody {
    pub(super) fn whole(bytes: impl Into<Bytes>) -> Self {
        Self::Whole(Some(bytes.into()))
    }

    /// A body of lines, and where to send them.
    pub(super) fn lines() -> (Sender<Bytes>, Self) {
        let (sender, receiver) = channel(WAITING);
        (sender, Self::Lines(receiver))
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut *self {
            Self::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Self::Lines(lines) => lines.poll_recv(context).map(|line| line.map(|line| Ok(Frame::data(line)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
            Self::Lines(_) => SizeHint::default(),
        }
    }
}
