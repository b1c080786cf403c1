//! Drawing: labelled trees as plain text, for Graphviz and as SVG; graphs in columns for Graphviz and as SVG;
//! charts as SVG.
//!
//! ```
//! use ggp_draw::{DrawingNode, DrawingTree, text};
//!
//! let root = DrawingNode { label: vec!["3".into()], ..DrawingNode::default() };
//! let leaf = DrawingNode { parent: Some(0), edge: "left".into(), label: vec!["1".into()], ..DrawingNode::default() };
//! assert_eq!(text(&DrawingTree { nodes: vec![root, leaf] }), "3\n└─ left: 1\n");
//! ```
//!
//! ```text
//! tree, graph, network, chart ─┬─ text
//! game ─ board: a position ────┼─ Graphviz
//!                              └─ SVG
//! ```
//!
//! A [`DrawingTree`] and a [`Graph`] have only the data of a drawing, and no games, searches or networks; [`mod@board`]
//! draws games, and [`network_picture()`] makes a graph of a network. [`DrawingTree::folded`] reduces a large tree to a
//! readable size; [`text()`], [`dot()`] and [`svg()`] draw it, and [`panels()`] several side by side. [`charts()`]
//! draws a [`Chart`]: bars, stacked bars, histograms and scatter plots. A graph is drawn by its methods. A [`Film`] is
//! a sequence of positions, whose boards are [`Grid`]s: [`film()`], [`page()`] and [`contact_sheet()`] draw it, and
//! [`position_picture()`] draws one position.
#![warn(clippy::cast_possible_truncation)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::iter_over_hash_type)]

pub mod board;
mod chart;
mod document;
mod film;
#[doc(hidden)]
pub mod fit;
mod graph;
mod grid;
mod pictogram;
mod svg;
mod tree;

#[cfg(feature = "charts")]
pub use chart::charts;
pub use chart::{Bar, BarGroup, Chart, Plot, Scale};
#[doc(hidden)]
pub use document::Digraph;
pub use document::{THEME, escaped};
pub use film::{Film, Frame, contact_sheet, film, page, position_picture};
pub use graph::{Graph, GraphNode, GraphShape, GraphTooLarge, MOST_DRAWN, network_picture};
pub use grid::{Grid, GridLine, Ground, Square, SquareIndex, changed_squares, mark_changed};
#[doc(hidden)]
pub use pictogram::pictograms;
pub use pictogram::{Pictogram, PieceShape};
pub use svg::{panels, svg};
pub use tree::{DrawingNode, DrawingTree, NodeOutline, dot, text};
