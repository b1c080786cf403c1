//! Graphs as SVG: the layered drawing of [`super::layers`], with the shapes of circuit diagrams.

#![expect(clippy::cast_possible_truncation, reason = "a picture has at most some thousand rows and letters")]

use super::layers::GraphLayers;
use super::{Graph, GraphNode, GraphShape};
use crate::document::{document, escaped};
use std::fmt::Write;

/// The distance of two rows, in pixels.
const ROW: i32 = 34;
/// The gap between two columns, in pixels; edges pass through it.
const GAP: i32 = 70;
/// The approximate width of a letter, in pixels.
const LETTER: i32 = 7;
/// The margin around the drawing, in pixels.
const MARGIN: i32 = 20;

const STYLE: &str = "text{font:11px sans-serif;text-anchor:middle;dominant-baseline:central}\
.edge{fill:none;stroke:#8a8f98;stroke-width:1}.wire{stroke:#8a8f98}\
.rectangle{fill:#dcebfa}.parallelogram{fill:#fdeacb}.double{fill:#dff3dd}.gate{fill:#fff}.ellipse{fill:#f1f1f1}\
.rectangle,.parallelogram,.double,.gate,.ellipse{stroke:#333;stroke-width:1}";

/// The left end and the width of a column, in pixels.
#[derive(Clone, Copy)]
struct GraphColumn {
    left: i32,
    width: i32,
}

pub(super) fn svg(graph: &Graph) -> String {
    let layers = GraphLayers::from_graph(graph);
    let columns = columns(graph, layers.columns);
    let right = columns.last().map_or(MARGIN, |column| column.left + column.width);
    let y = |height: i32| MARGIN + (height * ROW + ROW * 50) / 100;
    let mut elements = String::new();
    for edge in &layers.edges {
        let _ = writeln!(elements, "<path class=\"edge\" d=\"{}\"/>", path(edge, &columns, y));
    }
    for (node, &height) in graph.nodes.iter().zip(&layers.heights) {
        elements += &figure(node, columns[node.column], y(height));
    }
    document((right + MARGIN).into(), (2 * MARGIN + layers.height * ROW / 100).into(), STYLE, &elements)
}

/// The columns from left to right, each as wide as its widest node.
fn columns(graph: &Graph, count: usize) -> Vec<GraphColumn> {
    let mut columns = vec![GraphColumn { left: MARGIN, width: 30 }; count];
    for node in &graph.nodes {
        let letters = node.words.first().map_or(0, |words| words.chars().count()) as i32;
        let width = &mut columns[node.column].width;
        *width = (*width).max(letters * LETTER + 24);
    }
    for column in 1..count {
        columns[column].left = columns[column - 1].left + columns[column - 1].width + GAP;
    }
    columns
}

/// The line of an edge through its bends.
fn path(edge: &[(usize, i32)], columns: &[GraphColumn], y: impl Fn(i32) -> i32) -> String {
    let left = |at: usize| columns[at].left;
    let right = |at: usize| columns[at].left + columns[at].width;
    let middle = |at: usize| columns[at].left + columns[at].width / 2;
    let mut path = String::new();
    for pair in edge.windows(2) {
        let (from, start) = pair[0];
        let (to, end) = pair[1];
        let start = y(start);
        let end = y(end);
        let (x1, x2) = if from < to { (right(from), left(to)) } else { (middle(from), middle(to)) };
        let half = if from < to { (x2 - x1) / 2 } else { GAP };
        let _ = write!(path, "M{x1} {start}C{} {start} {} {end} {x2} {end}", x1 + half, x2 - half);
        // A bend is passed in a straight line.
        if edge.last() != Some(&pair[1]) {
            let _ = write!(path, "H{}", right(to));
        }
    }
    path
}

/// The figure of a node in the middle of its column, at a height; wires lead to small ones.
fn figure(node: &GraphNode, GraphColumn { left, width }: GraphColumn, y: i32) -> String {
    let words = escaped(node.words.first().map_or("", String::as_str));
    let half = width / 2;
    let right = left + width;
    let x = left + half;
    let top = y - 11;
    let bottom = y + 11;
    let label = format!("<text x=\"{x}\" y=\"{y}\">{words}</text>");
    // Gates are small: wires lead to them, and the name is written above.
    let gate = |shape: String| {
        let name =
            if words.is_empty() { String::new() } else { format!("<text x=\"{x}\" y=\"{}\">{words}</text>", y - 16) };
        format!("<path class=\"wire\" d=\"M{left} {y}H{right}\"/>{shape}{name}\n")
    };
    match node.figure {
        GraphShape::Rectangle => {
            format!("<rect class=\"rectangle\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"22\"/>{label}\n")
        }
        GraphShape::Parallelogram => {
            let inner_left = left + 8;
            let inner_right = right - 8;
            format!(
                "<path class=\"parallelogram\" d=\"M{inner_left} {top}H{right}L{inner_right} {bottom}H{left}Z\"/>{label}\n"
            )
        }
        GraphShape::Double => format!(
            "<rect class=\"double\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"22\"/>\
             <rect class=\"double\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"16\"/>{label}\n",
            left + 3,
            top + 3,
            width - 6
        ),
        GraphShape::Ellipse => {
            format!("<ellipse class=\"ellipse\" cx=\"{x}\" cy=\"{y}\" rx=\"{half}\" ry=\"11\"/>{label}\n")
        }
        GraphShape::And => gate(format!("<path class=\"gate\" d=\"M{} {}h9a9 9 0 0 1 0 18h-9Z\"/>", x - 9, y - 9)),
        GraphShape::Or => {
            gate(format!("<path class=\"gate\" d=\"M{} {}q12 0 20 9q-8 9 -20 9q6 -9 0 -18Z\"/>", x - 10, y - 9))
        }
        GraphShape::Not => gate(format!(
            "<path class=\"gate\" d=\"M{} {}l12 6l-12 6Z\"/><circle class=\"gate\" cx=\"{}\" cy=\"{y}\" r=\"3\"/>",
            x - 9,
            y - 6,
            x + 6
        )),
        GraphShape::Words => format!("{label}\n"),
    }
}
