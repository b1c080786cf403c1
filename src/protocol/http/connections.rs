//! The open connections, and which of them is closed if there are too many.
//!
//! A connection whose request has not arrived yet can be closed in favour of a new one, the oldest first; so peers that
//! open connections and send nothing, or send slowly, do not block other peers. A connection whose request is being
//! answered is never closed.

use super::Limits;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::AbortHandle;

/// All open connections. Their numbers increase, so the first one is the oldest.
#[derive(Default)]
pub(super) struct Connections(Mutex<Open>);

#[derive(Default)]
struct Open {
    connections: BTreeMap<u64, Connection>,
    next: u64,
}

struct Connection {
    address: IpAddr,
    /// The task of the connection, until its request has arrived.
    reading: Option<AbortHandle>,
}

/// The slot of a connection; it is freed when this is dropped.
pub(super) struct Slot {
    connections: Arc<Connections>,
    number: u64,
}

impl Connections {
    /// A slot for a connection from `address`. If the address has all the connections that it may have, its oldest one
    /// that is still being read is closed; if all slots are in use, the oldest such connection of the address with the
    /// most of them. `None` if there is no such connection.
    pub(super) fn enter(self: &Arc<Self>, address: IpAddr, limits: &Limits) -> Option<Slot> {
        let mut open = self.open();
        let own = open.connections.values().filter(|connection| connection.address == address).count();
        if own >= limits.connections_per_address.max(1) {
            open.close_oldest(address)?;
        } else if open.connections.len() >= limits.connections.max(1) {
            let greediest = open.greediest()?;
            open.close_oldest(greediest)?;
        }
        let number = open.next;
        open.next += 1;
        open.connections.insert(number, Connection { address, reading: None });
        Some(Slot { connections: self.clone(), number })
    }

    /// Allows the connection with this number to be closed by aborting its task, until its request has been read.
    pub(super) fn reads(&self, number: u64, task: AbortHandle) {
        if let Some(connection) = self.open().connections.get_mut(&number) {
            connection.reading = Some(task);
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        // No code that holds the lock can panic in the middle of a change.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// Closes the oldest connection of an address that is still being read.
    fn close_oldest(&mut self, address: IpAddr) -> Option<()> {
        let oldest = |(&number, connection): (&u64, &Connection)| {
            (connection.address == address && connection.reading.is_some()).then_some(number)
        };
        let number = self.connections.iter().find_map(oldest)?;
        let task = self.connections.remove(&number)?.reading?;
        task.abort();
        Some(())
    }

    /// The address with the most connections that are still being read.
    fn greediest(&self) -> Option<IpAddr> {
        let mut counts: BTreeMap<IpAddr, usize> = BTreeMap::new();
        for connection in self.connections.values().filter(|connection| connection.reading.is_some()) {
            *counts.entry(connection.address).or_default() += 1;
        }
        counts.into_iter().max_by_key(|&(_, count)| count).map(|(address, _)| address)
    }
}

impl Slot {
    /// The number of the connection.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The request has arrived: the connection is no longer closed in favour of another.
    pub(super) fn has_been_read(&self) {
        if let Some(connection) = self.connections.open().connections.get_mut(&self.number) {
            connection.reading = None;
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.connections.open().connections.remove(&self.number);
    }
}
