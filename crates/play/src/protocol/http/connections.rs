//! The open connections, and which of them is closed if there are too many.
//!
//! A connection is idle before its first request has arrived, and again after each response. An idle one can be closed
//! in favour of a new one, the one that has been idle longest first; so peers that open connections and send nothing,
//! or send slowly, do not block other peers. A connection whose request is being answered is never closed.

use super::ConnectionLimits;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::AbortHandle;

/// All open connections, by their numbers.
#[derive(Default)]
pub(super) struct Connections(Mutex<ConnectionTable>);

#[derive(Default)]
struct ConnectionTable {
    connections: BTreeMap<u64, OpenConnection>,
    /// How often a connection has become idle, new ones included.
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
    connections: Arc<Connections>,
    number: u64,
}

impl Connections {
    /// A slot for a connection from `address`. If the address has all the connections that it may have, the one of them
    /// that has been idle longest is closed; if all slots are in use, such a connection of the address with the most of
    /// them. `None` if there is no such connection.
    pub(super) fn enter(self: &Arc<Self>, address: IpAddr, limits: &ConnectionLimits) -> Option<ConnectionSlot> {
        let mut open = self.open();
        let own = open.connections.values().filter(|connection| connection.address == address).count();
        if own >= limits.connections_per_address.max(1) {
            open.close_idle(address)?;
        } else if open.connections.len() >= limits.connections.max(1) {
            let greediest = open.greediest()?;
            open.close_idle(greediest)?;
        }
        let number = open.event();
        open.connections.insert(number, OpenConnection { address, task: None, idle_since: Some(number) });
        Some(ConnectionSlot { connections: self.clone(), number })
    }

    /// Allows the connection with this number to be closed, while it is idle, by aborting its task.
    pub(super) fn served_by(&self, number: u64, task: AbortHandle) {
        if let Some(connection) = self.open().connections.get_mut(&number) {
            connection.task = Some(task);
        }
    }

    fn open(&self) -> MutexGuard<'_, ConnectionTable> {
        // No code that holds the lock can panic in the middle of a change.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionTable {
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
    /// The number of the connection.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// A request has arrived: until it is answered, the connection is not closed in favour of another.
    pub fn request_arrived(&self) {
        if let Some(connection) = self.connections.open().connections.get_mut(&self.number) {
            connection.idle_since = None;
        }
    }

    /// The response has been sent: the connection is idle.
    pub(super) fn response_sent(&self) {
        let mut open = self.connections.open();
        let event = open.event();
        if let Some(connection) = open.connections.get_mut(&self.number) {
            connection.idle_since = Some(event);
        }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.connections.open().connections.remove(&self.number);
    }
}
