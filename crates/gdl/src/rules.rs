//! Rules: interning of names, normalised clauses, dependencies, and the checks of all restrictions.
//!
//! ```
//! use gdl::rules::{check, normalise};
//! use gdl::syntax::{Source, parse};
//!
//! let text = "role(robot) p :- ~q q :- ~p legal(robot,a) goal(robot,0) terminal";
//! let sheet = parse(&Source::new("circle", text), None).sheet;
//! let rules = normalise(&sheet);
//! assert_eq!(rules.clauses.len(), 6);
//! let problems = check(&sheet, &rules);
//! assert!(problems.iter().any(|problem| problem.code.name == "negative-cycle"));
//! ```
//!
//! A parsed [`crate::syntax::ast::Sheet`] becomes a [`RuleSet`] here. This room knows the meaning of GDL's relations
//! and which clauses are allowed; it does not know how they are evaluated. `ggp_engine::interpreter` builds on it.

#[doc(hidden)]
pub mod check;
mod checked;
mod clause;
mod declaration;
#[doc(hidden)]
pub mod dependency;
pub mod depends;
#[doc(hidden)]
pub mod disjunction;
mod goal_range;
pub mod listing;
mod normalise;
#[doc(hidden)]
pub mod picture;
#[doc(hidden)]
pub mod range;
mod renaming;
pub mod rewrite;
mod strata;
#[doc(hidden)]
pub mod symbol;
#[doc(hidden)]
pub mod term;
#[doc(hidden)]
pub mod unify;
pub(crate) mod uses;
pub(crate) mod utilities;

pub use check::{check, check_within, codes, find_code};
pub use checked::{CheckedSheet, check_text, check_text_within};
pub use clause::{Atom, Clause, Keyword, Literal, Pattern, Relation, RelationId, RuleSet, VariableId};
pub use dependency::DependencyGraph;
pub use normalise::normalise;
#[doc(hidden)]
pub use normalise::{normalise_query, normalise_within};
pub use renaming::{Renaming, renaming};
pub use strata::{NegativeCycle, Strata, stratify};
pub use symbol::{SymbolId, Symbols};
pub use term::{GroundTerm, NoGroundTerm};
pub use utilities::Utilities;
