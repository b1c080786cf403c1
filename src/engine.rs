//! A loaded game: its text, its rules, what is wrong with them, and the engine that answers for it.
//!
//! [`load()`] takes the whole way from a name or a path to a [`Game`] that can be asked and played: [`crate::syntax`] reads
//! the text, [`crate::rules`] normalises and checks it, and an engine is made of the rules ([`EngineKind`]). Beside it stands
//! what a whole game is needed for: replaying a recorded match ([`replay()`]), measuring an engine ([`mod@bench`]).
//! Searches do not need this room: they know only [`crate::game`].

pub mod bench;
pub mod choose;
pub mod library;
pub mod load;
pub mod origin;
pub mod playout;
pub mod promise;
pub mod replay;
pub mod simulate;
pub mod trace;

pub use choose::{EngineKind, UnknownEngine};
pub use library::{LIBRARY, LibrarySheet};
pub use load::{Checked, Game, LoadError, check_text, load, load_text};
pub use origin::{Origin, OriginError};
pub use playout::{Playout, playout};
pub use promise::{instances, promised};
pub use replay::{Difference, ReplayError, Replayed, replay};
pub use simulate::simulate;
