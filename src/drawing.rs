//! Pictures as text: labelled trees as plain text, for Graphviz, and as SVG.
//!
//! A [`Tree`] is what is to be drawn and nothing else: this room knows no games and no searches. [`Tree::folded`] makes a large one small
//! enough to be read; [`text()`], [`dot()`] and [`svg()`] draw.

mod dot;
mod fold;
mod layout;
mod svg;
mod text;
mod tree;

pub use dot::dot;
pub use svg::svg;
pub use text::text;
pub use tree::{Node, Shape, Tree};
