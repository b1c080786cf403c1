//! GGP messages over HTTP: the only place of the library that knows sockets.
//!
//! [`serve()`] lets a [`super::Host`] answer requests, each on a connection of its own; [`Client`] sends messages to others. Both work
//! with one thread and no more of HTTP than the protocol uses: `POST` with the message as its body (a `GET` with the message
//! as its path is understood too), answers in `text/acl`.

mod client;
mod path;
mod server;
mod service;

pub use client::{Address, AddressError, Client, ClientError};
pub use server::serve;

use std::time::Duration;

/// What strangers may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of a message.
    pub body: usize,
    /// How long a peer may take to send its request: once for the head, once for the body.
    pub reading: Duration,
    /// The most connections at a time; more have to wait.
    pub connections: usize,
}

impl Default for Limits {
    /// 8 MiB, ten seconds, 256 connections.
    fn default() -> Self {
        Self { body: 8 << 20, reading: Duration::from_secs(10), connections: 256 }
    }
}

/// The type of all messages and answers.
const CONTENT_TYPE: &str = "text/acl";
