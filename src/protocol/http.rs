//! GGP messages over HTTP: the only place of the library that knows sockets.
//!
//! [`serve()`] lets a [`super::Host`] answer requests, each on a connection of its own; [`Client`] sends messages to others. Both work
//! with one thread and no more of HTTP than the protocol uses: `POST` with the message as its body, answers in `text/acl`. [`Access`] says
//! which requests are answered.

mod access;
mod client;
mod connections;
mod server;
mod service;

pub use access::{Access, HostName, HostNameError, Origin, OriginError};
pub use client::{Address, AddressError, Client, ClientError};
pub use server::serve;

use std::time::Duration;

/// What peers may use of a player that listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of a message.
    pub body: usize,
    /// How long a peer may take to send its request: once for the head, once for the body.
    pub reading: Duration,
    /// The most connections at a time. A new one closes the oldest one whose request has not arrived; without such a connection it is
    /// answered `busy`.
    pub connections: usize,
    /// The most connections at a time from one address, in the same way.
    pub connections_per_address: usize,
}

impl Default for Limits {
    /// 2 MiB, ten seconds, 256 connections, of which 64 from one address.
    fn default() -> Self {
        Self { body: 2 << 20, reading: Duration::from_secs(10), connections: 256, connections_per_address: 64 }
    }
}

/// The type of all messages and answers.
const CONTENT_TYPE: &str = "text/acl";
