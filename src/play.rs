//! Play: players, matches between them, and records of matches.
//!
//! A [`Player`] takes part in a match: it is told to start, asked for a move again and again, and told when the match is over, each
//! time with a [`Deadline`]. Moves go in and out as terms, so that it does not matter whether a player lives in this process or
//! on another machine. Players of this room are a [`Participant`] (which keeps the position, the clock and a legal move at hand)
//! around a [`Strategy`] (which chooses); [`PlayerSpec`] makes them by name: `legal`, `random:seed=1`. This room stands above
//! [`crate::engine`] and [`crate::search`]: it plays with what they find, and searches nothing itself that they can search.

pub mod clock;
pub mod kind;
pub mod options;
pub mod participant;
pub mod player;
pub mod position;

pub use clock::{Clocks, Deadline, Margin};
pub use kind::PlayerKind;
pub use options::{OptionKind, PlayerOptions, PlayerSpec, SpecError};
pub use participant::{Participant, Strategy};
pub use player::{Player, PlayerError, Start};
pub use position::Position;
