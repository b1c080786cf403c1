//! The GGP protocol: its messages as text, a player behind a socket, and matches against players behind sockets, with
//! all kinds of network faults.

mod access;
mod connections;
#[path = "../support/effort.rs"]
mod effort;
mod faults;
#[path = "../support/ggp.rs"]
mod ggp;
mod hidden;
mod hosted;
mod left_out;
mod manager;
mod messages;
mod player;
mod program;
mod served;
mod soak;
mod stored;
mod tournament;
mod workbench;
