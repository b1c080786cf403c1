//! The table at which Stanford's present course plays: manager and players are pages of one browser that send each
//! other messages in the dialect with operations.
//!
//! ```
//! use ggp_play::Deadline;
//! use ggp_play::gamemaster::{ManagerMessage, ManagerSeat};
//! use std::time::Duration;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let rules = "role(a),action(go),legal(go),go :: over,goal(a,100) :- over,terminal :- over";
//! let ManagerMessage::Start(start) = ManagerMessage::read(&format!("start(a,ruleset({rules}),5,5)"))? else {
//!     unreachable!("it is a message of this kind")
//! };
//! let clock = Deadline::after(Duration::from_secs(1));
//! let mut seat = ManagerSeat::open(&start, &"legal".parse()?, 1, clock)?;
//! assert!(seat.follow(None)?.is_own);
//! assert_eq!(seat.choose(clock)?.chosen.to_string(), "go");
//! # Ok(())
//! # }
//! ```
//!
//! [`ManagerMessage`] reads what the manager sends; [`ManagerSeat`] follows a match and lets a [`Player`](crate::Player)
//! choose. Whoever carries the messages keeps the clocks of the manager: nothing here waits or starts a thread.

mod message;
mod seat;

pub use message::{ManagerMessage, ManagerMessageProblem, MatchStart};
pub use seat::{ManagerSeat, SeatChoice, SeatError, SeatTurn};
