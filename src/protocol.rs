//! The GGP protocol: matches against players on other machines.
//!
//! A manager tells players what happens, and they answer: [`Message`]s and [`Reply`]s, written in KIF. This part of the room is pure;
//! what a player does with the messages is in `host`, and sockets are in `http` alone. The room stands above [`crate::play`]: it
//! makes one of its players answer messages, and makes whoever answers messages elsewhere one of its players.

pub mod error;
pub mod message;
mod outline;
mod read;
pub mod reply;

pub use error::{MessageError, MessageProblem};
pub use message::{Message, MessageKind};
pub use reply::{Reply, Status};
