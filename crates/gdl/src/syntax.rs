//! Syntax: from text to an abstract syntax tree with spans, and back.
//!
//! ```
//! use gdl::syntax::{Dialect, Source, format, parse};
//!
//! let source = Source::new("step", "next(at(Y)) :- does(robot, right) & true(at(X)) & succ(X, Y)");
//! let parsed = parse(&source, None);
//! assert!(parsed.errors.is_empty() && parsed.sheet.clauses.len() == 1);
//! let prefix = format(&source, None, Some(Dialect::Prefix)).expect("the text has no errors");
//! assert!(prefix.starts_with("(<= (next (at ?y))"));
//! ```
//!
//! GDL is written in three dialects: prefix (KIF), infix (HRF), and infix with operations, which [`operations`]
//! translates to clauses. All are parsed to the same tree, [`ast::Sheet`], and print to each other. This
//! room does not know what a relation means or whether a clause is allowed;
//! [`crate::rules`], which builds on it, does.

pub mod ast;
pub mod brackets;
mod characters;
pub(crate) mod dialect;
pub mod error;
mod failure;
mod foreign;
pub mod format;
mod infix;
mod infix_layout;
pub mod layout;
pub mod operations;
mod parse;
mod prefix;
pub(crate) mod print;
mod token;
mod unclosed;
pub(crate) mod uses;

/// The name of the role of chance, of GDL-II.
pub const CHANCE: &str = "random";

pub use crate::source::{LineColumn, Source, Span};
#[doc(hidden)]
pub use characters::is_blank;
pub use dialect::Dialect;
pub use failure::NESTING_LIMIT;
pub use format::format;
pub(crate) use parse::tokens;
pub use parse::{ParsedText, parse, parse_query, parse_term, parse_terms, parse_within};
#[doc(hidden)]
pub use print::infix_variables;
pub(crate) use token::{Logic, Token, TokenKind, TokenList};
