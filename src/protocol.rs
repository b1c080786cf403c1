//! The GGP protocol: matches against players on other machines.
//!
//! A manager sends [`Message`]s to players, which answer with [`Reply`]s, both written in KIF. A [`Host`] lets a player
//! of [`crate::play`] answer messages. A [`RemotePlayer`] is a player of that room that answers on another machine, so
//! that its matches can be managed here. Only [`http`] uses sockets. This room uses [`crate::play`].

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
