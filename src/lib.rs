//! `ggp`: a workbench for games written in GDL, the Game Description Language of General Game Playing.
//!
//! The rooms of this crate form a pipeline, and imports point only downwards:
//!
//! 1. [`syntax`]: text, prefix (KIF) or infix (HRF), becomes a [`syntax::ast::Sheet`] with spans, and is printed back.
//! 2. [`rules`]: names and terms are interned, clauses normalised, dependencies computed, the restrictions of GDL
//!    checked.
//! 3. [`interpreter`]: a resolution engine answers any query straight from the rules.
//! 4. [`game`]: the trait [`game::Reasoner`], which every engine implements.
//!    [`ground`] and [`propnet`]: the rules instantiated, and compiled to a network of gates.
//! 5. [`engine`]: a loaded game; it chooses and owns its engine.
//! 6. [`search`]: every algorithm, written once, over any reasoner.
//! 7. [`play`]: players, matches between them, and their records.
//! 8. [`repl`] and [`cli`]: the user interface; only these rooms print.

#![warn(clippy::cast_possible_truncation)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::iter_over_hash_type)]

pub mod cli;
pub mod diagnostic;
pub mod drawing;
pub mod engine;
pub mod files;
pub mod game;
pub mod ground;
pub mod interpreter;
pub mod limits;
mod number;
pub mod play;
pub mod propnet;
pub mod protocol;
pub mod quantity;
pub mod repl;
pub mod rules;
pub mod search;
pub mod statistics;
pub mod suggestion;
pub mod syntax;
pub mod table;

pub use engine::{AskError, Engine, EngineError, EngineKind, EngineOptions, EngineState, Game, LoadError};
pub use game::{Chance, Move, ReasonError, Reasoner, Role, Utility};
pub use interpreter::State;
pub use rules::GroundTerm;
pub use search::{Budget, Outcome, SearchError};
