//! GDL, the Game Description Language of General Game Playing: rule sheets as texts, trees and rules.
//!
//! ```
//! use gdl::rules::check_text;
//! use gdl::syntax::Source;
//!
//! let source = Source::new("sheet", "role(robot) legal(robot,wait) legal(robot,M) :- ~free(M) terminal goal(robot,100)");
//! let problems = check_text(&source, None).diagnostics;
//! assert!(problems.iter().any(|problem| problem.is_error()), "`M` is bound by nothing");
//! ```
//!
//! A text becomes a tree with positions ([`syntax`]), and the tree becomes rules whose names are interned, whose
//! dependencies are found and which every restriction of GDL is checked against ([`rules`]); what is wrong is a
//! [`diagnostic`] with its position. What editors ask about a text is [`language`].
//!
//! ```text
//! text (prefix or infix) --syntax--> tree --rules--> rule set, problems
//!                                       \--language--> completion, definitions, renames, colours
//! ```
#![warn(clippy::cast_possible_truncation)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::iter_over_hash_type)]

pub mod diagnostic;
pub mod language;
pub mod limits;
#[doc(hidden)]
pub mod mask;
#[doc(hidden)]
pub mod number;
pub mod quantity;
pub mod rules;
#[doc(hidden)]
pub mod settings;
#[doc(hidden)]
pub mod sorting;
#[doc(hidden)]
pub mod source;
#[doc(hidden)]
pub mod suggestion;
pub mod syntax;
#[doc(hidden)]
pub mod time;
