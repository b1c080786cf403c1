//! What the subcommands that listen have in common: a socket, and the names under which it is asked.

use super::Failure;
use anyhow::Context;
use ggp_play::protocol::http::{Access, HostName};
use std::net::{IpAddr, TcpListener};

/// A socket that listens on an address of this machine; port 0 selects any free one.
pub(super) fn listen(host: IpAddr, port: u16) -> Result<TcpListener, Failure> {
    TcpListener::bind((host, port)).with_context(|| format!("cannot listen on {host}:{port}"))
}

/// Allows requests to this address, and under these names.
pub(super) fn access(host: IpAddr, names: Vec<HostName>) -> Access {
    names.into_iter().fold(Access::default().with_bound(host), Access::with_name)
}
