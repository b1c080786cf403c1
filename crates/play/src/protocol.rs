//! The GGP protocol: matches against players on other machines.
//!
//! ```
//! use ggp_play::PlayerSpec;
//! use ggp_play::protocol::{Host, HostOptions, Message, Reply};
//! use std::time::Instant;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let player: PlayerSpec = "legal".parse()?;
//! let host = Host::new(move |seed| player.make(seed), HostOptions::default());
//! let rules = "(role a) (legal a go) (<= (next over) (does a go)) (<= terminal (true over)) (goal a 100)";
//! let start = Message::parse(&format!("(start m a ({rules}) 5 5)"))?;
//! assert_eq!(host.answer(&start, Instant::now())?, Reply::Ready);
//! let reply = host.answer(&Message::parse("(play m nil)")?, Instant::now())?;
//! assert_eq!(reply.to_string(), "go");
//! # Ok(())
//! # }
//! ```
//!
//! A manager sends [`Message`]s to players, which answer with [`Reply`]s, both written in KIF. A [`Host`] lets a
//! [`Player`](crate::Player) answer messages. A [`RemotePlayer`] is a player that answers on another machine, so that
//! its matches can be managed here. Only [`http`] uses sockets.

pub(crate) mod host;
mod hosted_match;
pub mod http;
pub(crate) mod message;
pub(crate) mod remote;

pub use host::{Host, HostOptions};
pub use hosted_match::{HostLimits, Refusal};
pub use message::{Message, MessageError, MessageKind, MessageProblem, Reply, StartMessage, Status};
pub use remote::{RemoteError, RemotePlayer};
