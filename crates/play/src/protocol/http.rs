//! GGP messages over HTTP: the only part of the library that uses sockets.
//!
//! [`serve()`] lets a [`super::Host`] answer requests, each on its own connection; `Client` sends messages to other
//! machines. Both use one thread and only the part of HTTP that the protocol needs: `POST` with the message as its
//! body, and answers of type `text/acl`. [`Access`] decides which requests are answered. `ggp serve` accepts and serves
//! its connections with the same code (`Acceptor`, `Connection`).

mod client;
mod connection;
mod server;

pub(crate) use client::Client;
pub use client::{ClientError, PlayerAddress, PlayerAddressError};
#[doc(hidden)]
pub use connection::{Acceptor, Connection, HeadError};
pub use server::{Access, HostName, HostNameError, PageOrigin, PageOriginError, serve};

use std::time::Duration;

/// The resources that peers may use of a listening player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// The greatest size of a message, in bytes.
    pub body: usize,
    /// The time that a peer may take to send its request: once for the head, once for the body.
    pub reading: Duration,
    /// The greatest number of connections at a time. A new connection closes the one that has been idle longest; if
    /// none is idle, it is answered `busy`. A connection is idle before its first request has arrived and after each
    /// response.
    pub connections: usize,
    /// The greatest number of connections at a time from one address, enforced in the same way.
    pub connections_per_address: usize,
}

impl Default for ConnectionLimits {
    /// 2 MiB, ten seconds, and 256 connections, at most 64 of them from one address.
    fn default() -> Self {
        Self { body: 2 << 20, reading: Duration::from_secs(10), connections: 256, connections_per_address: 64 }
    }
}

/// The content type of all messages and answers.
const CONTENT_TYPE: &str = "text/acl";

/// A host without the brackets around an IPv6 address.
fn without_brackets(host: &str) -> &str {
    host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host)
}
