//! The prompt, scripts and single commands: one table of commands, one evaluation path.
//!
//! [`evaluate`] takes a [`Session`] and a line and returns an [`Answer`] or a [`CommandError`]. Both are values, which
//! [`render`] turns into text or JSON. The prompt ([`interactive`]), scripts ([`script`]) and single commands of the
//! command line all use it, and only they write, through a [`Console`].

pub mod answer;
pub mod board;
pub mod command;
pub mod complete;
pub mod console;
pub mod error;
pub mod highlight;
pub mod interactive;
pub mod progress_line;
pub mod read;
pub mod render;
pub mod script;
pub mod session;
pub mod value;

pub use answer::Answer;
pub use command::{COMMANDS, Command, evaluate};
pub use console::{Console, Transcript};
pub use error::CommandError;
pub use session::Session;
