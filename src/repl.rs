//! The prompt, scripts and single commands: one table of commands, one evaluation path.
//!
//! ```
//! use ggp::diagnostic::render::Paint;
//! use ggp::repl::{Session, evaluate, render};
//! use ggp::syntax::Dialect;
//! use std::sync::Arc;
//!
//! let mut session = Session::new(".", Arc::default());
//! evaluate(&mut session, "load three_puzzle").expect("the library has it");
//! let answer = evaluate(&mut session, "legal").expect("a game is loaded");
//! assert_eq!(render::text(&answer, Paint::Plain, Dialect::Infix), "robot: down, right\n");
//! assert!(evaluate(&mut session, "do nothing").is_err());
//! ```
//!
//! [`evaluate`] takes a [`Session`] and a line and returns an [`Answer`] or a [`CommandError`]. Both are values, which
//! [`render`] turns into text or JSON. The prompt (`interactive`), scripts (`script`) and single commands of the
//! command line all use it, and only they write, through a `Console`.

pub mod answer;
#[doc(hidden)]
pub mod command;
#[doc(hidden)]
pub mod complete;
#[doc(hidden)]
pub mod console;
#[cfg(feature = "cli")]
pub(crate) mod continuation;
#[doc(hidden)]
pub mod course;
pub(crate) mod error;
#[doc(hidden)]
pub mod highlight;
#[cfg(feature = "cli")]
pub(crate) mod interactive;
#[doc(hidden)]
pub mod lesson;
pub(crate) mod output;
pub(crate) mod read;
pub mod render;
#[doc(hidden)]
pub mod script;
pub(crate) mod session;
#[cfg(feature = "cli")]
pub(crate) mod terminal;

pub use answer::Answer;
pub use command::{CommandCall, call, commands, evaluate, full_view, picture};
pub(crate) use console::Console;
pub use console::Transcript;
pub use error::CommandError;
pub(crate) use output::SessionOutputs;
pub use session::Session;
