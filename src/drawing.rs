//! Pictures as text: labelled trees as plain text, for Graphviz, and as SVG; graphs in columns for Graphviz and as SVG; bar charts as SVG.
//!
//! A [`Tree`] and a [`Graph`] are what is to be drawn and nothing else: this room knows no games, no searches and no networks. [`Tree::folded`] makes a large one small
//! enough to be read; [`text()`], [`dot()`] and [`svg()`] draw. [`bars()`] draws a [`BarChart`], on a logarithmic or a linear axis. A graph
//! is drawn by its methods.

mod bars;
mod document;
mod dot;
mod fold;
mod graph;
mod graphviz;
mod layout;
mod svg;
mod text;
mod tree;

pub use bars::{Axis, Bar, BarChart, BarGroup, bars};
pub use dot::dot;
pub use graph::{Figure, Graph, GraphNode, MOST_DRAWN, TooLarge};
pub use svg::svg;
pub use text::text;
pub use tree::{Node, Shape, Tree};
