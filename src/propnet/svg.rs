//! Networks as pictures: a layered drawing ([`super::layout`]) as SVG, written without other programs.

use super::describe::Labels;
use super::layout::draw;
use super::network::{Component, Network};
use petgraph::graph::NodeIndex;
use std::fmt::Write;

/// The maximum number of components of a picture; larger ones would be unreadable.
pub const MOST_DRAWN: usize = 500;

/// A picture would show more than [`MOST_DRAWN`] components.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} components are too many to draw (at most {MOST_DRAWN})")]
pub struct TooLarge(pub usize);

/// Pixels from a row to the next.
const ROW: i32 = 34;
/// Pixels between two columns, for the edges.
const GAP: i32 = 70;
/// Approximate width of a letter, in pixels.
const LETTER: i32 = 7;
/// Pixels around the drawing.
const MARGIN: i32 = 20;

/// Draws some components of a network and the edges between them as SVG; data flows from left to right. Bases are
/// boxes, inputs parallelograms, outputs boxes with a double border, views ellipses; conjunctions and disjunctions have
/// the shapes of circuit diagrams, negations are circles.
///
/// # Errors
/// [`TooLarge`] if there are more than [`MOST_DRAWN`] components.
pub fn svg(network: &Network, nodes: &[NodeIndex]) -> Result<String, TooLarge> {
    if nodes.len() > MOST_DRAWN {
        return Err(TooLarge(nodes.len()));
    }
    let (labels, drawing) = (Labels::new(network), draw(network, nodes));
    let text_of = |node| labels.proposition(node).unwrap_or_default();
    // The start and the width of each column.
    let mut widths = vec![30; drawing.columns];
    for &(node, column, _) in &drawing.nodes {
        widths[column] = widths[column].max(text_of(node).chars().count() as i32 * LETTER + 24);
    }
    let mut starts = vec![MARGIN; drawing.columns + 1];
    for column in 0..drawing.columns {
        starts[column + 1] = starts[column] + widths[column] + GAP;
    }
    let middle = |column: usize| starts[column] + widths[column] / 2;
    let height_of = |place: i32| MARGIN + (place * ROW + ROW * 50) / 100;
    let (width, height) = (starts[drawing.columns] - GAP + MARGIN, 2 * MARGIN + drawing.height * ROW / 100);
    let mut text = header(width.max(2 * MARGIN), height);
    for edge in &drawing.edges {
        let ends = |column: usize| (starts[column], starts[column] + widths[column]);
        let mut path = String::new();
        for pair in edge.windows(2) {
            let ((from, from_place), (to, to_place)) = (pair[0], pair[1]);
            let (start, end) = (height_of(from_place), height_of(to_place));
            let (left, right) = if from < to { (ends(from).1, ends(to).0) } else { (middle(from), middle(to)) };
            let bend = (right - left) / 2;
            let half = if from < to { bend } else { GAP };
            let _ = write!(path, "M{left} {start}C{} {start} {} {end} {right} {end}", left + half, right - half);
            // A bend is passed in a straight line.
            if edge.last() != Some(&pair[1]) {
                let _ = write!(path, "H{}", ends(to).1);
            }
        }
        let _ = writeln!(text, "<path class=\"edge\" d=\"{path}\"/>");
    }
    for &(node, column, place) in &drawing.nodes {
        let (x, y) = (middle(column), height_of(place));
        text += &figure(
            network.component(node),
            x,
            y,
            widths[column],
            &text_of(node),
            (starts[column], starts[column] + widths[column]),
        );
    }
    Ok(text + "</svg>\n")
}

fn header(width: i32, height: i32) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <style>text{{font:11px sans-serif;text-anchor:middle;dominant-baseline:central}}\
         .edge{{fill:none;stroke:#8a8f98;stroke-width:1}}.wire{{stroke:#8a8f98}}\
         .base{{fill:#dcebfa}}.input{{fill:#fdeacb}}.output{{fill:#dff3dd}}.gate{{fill:#ffffff}}.view{{fill:#f1f1f1}}\
         .base,.input,.output,.gate,.view{{stroke:#333;stroke-width:1}}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    )
}

/// The shape of a component around a point, with wires to the ends of its column.
fn figure(component: &Component, x: i32, y: i32, width: i32, words: &str, ends: (i32, i32)) -> String {
    let words = escape(words);
    let half = width / 2;
    let (left, right, top, bottom) = (x - half, x + half, y - 11, y + 11);
    let label = format!("<text x=\"{x}\" y=\"{y}\">{words}</text>");
    // Gates are small: wires lead to them, and the name is written above.
    let gate = |shape: String| {
        let (from, to) = (ends.0, ends.1);
        let name =
            if words.is_empty() { String::new() } else { format!("<text x=\"{x}\" y=\"{}\">{words}</text>", y - 16) };
        format!("<path class=\"wire\" d=\"M{from} {y}H{to}\"/>{shape}{name}\n")
    };
    match component {
        Component::Base(_) => {
            format!("<rect class=\"base\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"22\"/>{label}\n")
        }
        Component::Input(_) => {
            let (inner_left, inner_right) = (left + 8, right - 8);
            format!("<path class=\"input\" d=\"M{inner_left} {top}H{right}L{inner_right} {bottom}H{left}Z\"/>{label}\n")
        }
        Component::Output(_) => format!(
            "<rect class=\"output\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"22\"/>\
             <rect class=\"output\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"16\"/>{label}\n",
            left + 3,
            top + 3,
            width - 6
        ),
        Component::View => format!("<ellipse class=\"view\" cx=\"{x}\" cy=\"{y}\" rx=\"{half}\" ry=\"11\"/>{label}\n"),
        Component::And => gate(format!("<path class=\"gate\" d=\"M{} {}h9a9 9 0 0 1 0 18h-9Z\"/>", x - 9, y - 9)),
        Component::Or => {
            gate(format!("<path class=\"gate\" d=\"M{} {}q12 0 20 9q-8 9 -20 9q6 -9 0 -18Z\"/>", x - 10, y - 9))
        }
        Component::Not => gate(format!(
            "<path class=\"gate\" d=\"M{} {}l12 6l-12 6Z\"/><circle class=\"gate\" cx=\"{}\" cy=\"{y}\" r=\"3\"/>",
            x - 9,
            y - 6,
            x + 6
        )),
        Component::Constant(value) => {
            format!("<text x=\"{x}\" y=\"{y}\">{}</text>\n", if *value { "always" } else { "never" })
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
