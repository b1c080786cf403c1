//! `ggp`: a workbench for games written in GDL, the Game Description Language of General Game Playing.
//!
//! ```
//! use ggp::{Ask, Budget, Game, Utility};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut game = Game::library("tic_tac_toe")?;
//! let x = game.role("xplayer")?;
//! let start = game.initial_state()?;
//! assert_eq!(game.legal(&start, x)?.len(), 9);
//!
//! let state = game.next(&start, &["mark(2,2)".parse()?, "noop".parse()?])?;
//! assert_eq!(game.query(&state, "true(cell(R,C,b))")?.rows.len(), 8);
//! println!("{}", game.why(&state, "~legal(oplayer,mark(2,2))")?);
//!
//! let line = game.playout(&state, 7)?;
//! println!("at random, x gets {} after {:?}", game.goal(&line.end, x)?, line.joint_moves);
//!
//! let best = game.minimax(&state, x, &Budget::new())?;
//! assert_eq!(best.answer.and_then(|choice| choice.worth.utility()), Some(Utility::whole(50)));
//! # Ok(())
//! # }
//! ```
//!
//! [`Game`] loads rules from the library, a file or a text, and answers questions about single states; it accepts and
//! returns states and moves as self-contained values. Algorithms that visit many states run on its [`Engine`]: searches
//! ([`search`]), players and matches ([`play`]), and your own algorithms, through the trait [`Reasoner`]. `examples/`
//! contains short programs.
//!
//! # Rooms
//!
//! The rooms (groups of modules) are those of the other crates: `gdl` (1 and 2), `ggp-game` (3), `ggp-engine` (4 to 6),
//! `ggp-search` (7), `ggp-play` (8), `ggp-draw` (9). Each crate can be used alone. A room uses only rooms that come
//! before it in this list:
//!
//! 1. [`syntax`]: text, prefix (KIF) or infix (HRF), becomes a [`syntax::ast::Sheet`] with spans, and is printed back.
//! 2. [`rules`]: names and terms are interned, clauses normalised, dependencies computed, the restrictions of GDL
//!    checked (`rules/check/`).
//!    [`language`] answers the questions of editors about a sheet, over these two.
//! 3. [`game`]: the trait [`Reasoner`], which every engine implements.
//! 4. [`interpreter`]: a resolution engine answers any query straight from the rules.
//! 5. `ground`: the instances of the rules. `program`: a network of gates as flat arrays. `lanes`: programs for
//!    hundreds of states at once. `propnet`: from instances to a network, its passes, and one state at a time. These
//!    four are rooms of the crate `ggp-engine`, and may change at any time.
//! 6. [`engine`]: a loaded game; it chooses and owns its engine, and is the door to the network.
//! 7. [`search`]: every algorithm, written once, over any reasoner. [`solving`]: the states of a game in files, layer
//!    by layer, for games that do not fit into memory.
//! 8. [`ask`]: searches with their options as questions, which all interfaces ask. [`play`]: players, matches between
//!    them, and their records. [`protocol`]: matches against players on other machines.
//! 9. [`board`]: drawings of positions, as values, text and SVG.
//! 10. [`repl`], and the command line behind [`run`]: the user interface. Only these rooms print. Answers are values
//!     (`repl::answer`), of which text and JSON are made.
//!
//!     `workbench` answers the requests of pages.
//!
//! Rooms that know no games serve the others: [`diagnostic`], [`drawing`], [`limits`], [`quantity`], the hidden `files`,
//! `threads` and `time`, and those that only the crates have: `fit`, `log`, `mask`, `number`, `sorting`, `source`, `stack`,
//! `statistics`, `suggestion`.
//!
//! # Features
//!
//! `cli`, on by default, is the program `ggp`, and [`run`]: the prompt, the workbench, the language server, the protocol,
//! solving on disk, charts, and work on all processor cores. Without it the library needs 40 crates of others in place of
//! 140, and compiles for WebAssembly too; `threads` alone brings work on all cores. Neither changes an answer.
#![warn(clippy::cast_possible_truncation)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::iter_over_hash_type)]

#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod lsp;
#[cfg(feature = "cli")]
mod provenance;
pub mod repl;
#[cfg(feature = "cli")]
mod serve;
mod table;
mod template;
#[doc(hidden)]
pub mod workbench;

#[doc(no_inline)]
pub use gdl::{diagnostic, language, limits, quantity, rules, syntax};
#[doc(no_inline)]
pub use ggp_draw as drawing;
#[doc(no_inline)]
pub use ggp_draw::board;
#[doc(no_inline)]
pub use ggp_engine as engine;
#[doc(no_inline)]
pub use ggp_engine::interpreter;
#[doc(no_inline)]
pub use ggp_game as game;
#[doc(no_inline)]
pub use ggp_play as play;
#[doc(no_inline)]
pub use ggp_play::ask;
#[cfg(feature = "cli")]
#[doc(no_inline)]
pub use ggp_play::protocol;
#[doc(no_inline)]
pub use ggp_search as search;
#[doc(no_inline)]
pub use ggp_search::solving;

#[cfg(feature = "cli")]
pub use cli::{run, run_with};
#[doc(no_inline)]
pub use gdl::rules::GroundTerm;
#[doc(no_inline)]
pub use ggp_engine::interpreter::State;
#[doc(no_inline)]
pub use ggp_engine::{AskError, Engine, EngineError, EngineKind, EngineOptions, EngineState, Game, LoadError};
#[doc(no_inline)]
pub use ggp_game::statistics::Interval;
#[doc(no_inline)]
pub use ggp_game::{Chance, Move, ReasonError, Reasoner, Role, Utility};
#[doc(no_inline)]
pub use ggp_play::ask::Ask;
#[doc(no_inline)]
pub use ggp_search::{Budget, Outcome, SearchError};
#[cfg(feature = "cli")]
pub use provenance::{VERSION, processor};
