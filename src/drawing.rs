//! Pictures as text: labelled trees as plain text, for Graphviz, and as SVG; bar charts as SVG.
//!
//! A [`Tree`] is what is to be drawn and nothing else: this room knows no games and no searches. [`Tree::folded`] makes a large one small
//! enough to be read; [`text()`], [`dot()`] and [`svg()`] draw. [`bars()`] draws a [`BarChart`], on a logarithmic or a linear axis.

mod bars;
mod dot;
mod fold;
mod layout;
mod svg;
mod text;
mod tree;

pub use bars::{Axis, Bar, BarChart, BarGroup, bars};
pub use dot::dot;
pub use svg::svg;
pub use text::text;
pub use tree::{Node, Shape, Tree};
