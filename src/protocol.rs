//! The GGP protocol: matches against players on other machines.
//!
//! A manager tells players what happens, and they answer: [`Message`]s and [`Reply`]s, written in KIF. A [`Host`] makes a player of
//! [`crate::play`] answer messages, and a [`RemotePlayer`] is a player of that room that answers somewhere else, so that the matches
//! of that room are the manager's. Sockets are in [`http`] alone. This room stands above [`crate::play`].

pub mod error;
pub mod host;
pub mod hosting;
pub mod http;
pub mod message;
mod outline;
mod read;
pub mod refusal;
pub mod remote;
pub mod reply;
mod table;
mod works;

pub use error::{MessageError, MessageProblem};
pub use host::{Host, HostOptions};
pub use hosting::HostLimits;
pub use message::{Message, MessageKind, StartMessage};
pub use refusal::Refusal;
pub use remote::{RemoteError, RemotePlayer};
pub use reply::{Reply, Status};
