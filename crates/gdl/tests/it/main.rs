//! Tests of the language by itself: what is read, checked, formatted and answered to editors without an engine. One
//! binary, with a module for each subject.

#[path = "../../../../tests/support/effort.rs"]
mod effort;
mod language;
mod large;
mod laws;
mod normalise;
mod rendering;
#[path = "../../../../tests/support/mod.rs"]
mod support;
mod syntax;
mod syntax_errors;
mod validation;
#[path = "../../../../tests/support/work.rs"]
mod work;
