//! Pictures as text: labelled trees as plain text, for Graphviz, and as SVG; bar charts as SVG.
//!
//! A [`Tree`] is what is to be drawn and nothing else: this room knows no games and no searches. [`Tree::folded`] makes a large one small
//! enough to be read; [`text()`], [`dot()`] and [`svg()`] draw. A [`BarChart`] has a logarithmic axis; [`bars()`] draws it.

mod bars;
mod dot;
mod fold;
mod layout;
mod svg;
mod text;
mod tree;

pub use bars::{Bar, BarChart, BarGroup, bars};
pub use dot::dot;
pub use svg::svg;
pub use text::text;
pub use tree::{Node, Shape, Tree};
