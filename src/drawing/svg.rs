//! Trees as SVG: one file, without scripts and without fonts of its own.

use super::document::{document, escaped};
use super::layout::{Direction, Layout, Rectangle, edge_width};
use super::tree::{Node, Shape, Tree};
use std::fmt::Write;

const STYLE: &str = "text{font:11px monospace;text-anchor:middle;fill:#222}\
.edge{stroke:#888;fill:none}.cut{stroke-dasharray:4 3}.node{fill:#fff;stroke:#555}.node.pale{stroke:#bbb}\
.bold{stroke:#111;stroke-width:2.5}.word.pale{fill:#888}.label{fill:#444}";

/// A tree that would be wider than this many pixels grows to the right, so that it scrolls in one direction only.
const WIDEST: f64 = 1_600.0;

/// The height of the text of an edge.
const LABEL: f64 = 13.0;

/// The tree as an SVG document. The best line is bold, edges to cut branches are dashed and crossed out, chance nodes
/// are round, terminal nodes have a double outline. The root is at the top, or at the left of a wide tree.
pub fn svg(tree: &Tree) -> String {
    let layout = Layout::of(tree, Direction::Down);
    if layout.width <= WIDEST {
        return draw(tree, &layout, Direction::Down);
    }
    let in_one_line = |node: &Node| Node { label: vec![node.label.join(" · ")], ..node.clone() };
    let flat = Tree { nodes: tree.nodes.iter().map(in_one_line).collect() };
    draw(&flat, &Layout::of(&flat, Direction::Right), Direction::Right)
}

fn draw(tree: &Tree, layout: &Layout, direction: Direction) -> String {
    let mut out = String::new();
    for (node, bounds) in tree.nodes.iter().zip(&layout.boxes) {
        if let Some(parent) = node.parent {
            match direction {
                Direction::Down => edge(&mut out, node, &layout.boxes[parent], bounds),
                Direction::Right => edge_to_the_right(&mut out, node, &layout.boxes[parent], bounds),
            }
        }
    }
    for (node, bounds) in tree.nodes.iter().zip(&layout.boxes) {
        shape(&mut out, node, bounds);
    }
    document(layout.width.ceil(), layout.height.ceil(), STYLE, &out)
}

/// Draws the edge to a node below its parent; it ends at its text, which is directly above the node, so that texts do
/// not overlap.
fn edge(out: &mut String, node: &Node, from: &Rectangle, to: &Rectangle) {
    let (x1, y1) = (from.x, from.y + from.height / 2.0);
    let (x2, top) = (to.x, to.y - to.height / 2.0);
    let y2 = if node.edge.is_empty() { top } else { top - LABEL };
    let cut = if node.is_cut { " cut" } else { "" };
    let bold = if node.is_bold { " bold" } else { "" };
    let _ =
        writeln!(out, "<line class=\"edge{bold}{cut}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
    if node.is_cut {
        let (x, y) = (x1 + (x2 - x1) * 0.6, y1 + (y2 - y1) * 0.6);
        let (left, right) = (x - 6.0, x + 6.0);
        let _ =
            writeln!(out, "<line class=\"edge bold\" x1=\"{left:.1}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\"/>");
    }
    if !node.edge.is_empty() {
        let y = top - 4.0;
        let _ = writeln!(out, "<text class=\"label\" x=\"{x2:.1}\" y=\"{y:.1}\">{}</text>", escaped(&node.edge));
    }
}

/// Draws the edge to a node on the right of its parent; its last part is horizontal, with the text above it.
fn edge_to_the_right(out: &mut String, node: &Node, from: &Rectangle, to: &Rectangle) {
    let (x1, y1) = (from.x + from.width / 2.0, from.y);
    let (x2, y) = (to.x - to.width / 2.0, to.y);
    let level = (x2 - edge_width(&node.edge) - 12.0).max(x1);
    let cut = if node.is_cut { " cut" } else { "" };
    let bold = if node.is_bold { " bold" } else { "" };
    let _ = writeln!(
        out,
        "<polyline class=\"edge{bold}{cut}\" points=\"{x1:.1},{y1:.1} {level:.1},{y:.1} {x2:.1},{y:.1}\"/>"
    );
    if node.is_cut {
        let _ = writeln!(
            out,
            "<line class=\"edge bold\" x1=\"{level:.1}\" y1=\"{:.1}\" x2=\"{level:.1}\" y2=\"{:.1}\"/>",
            y - 6.0,
            y + 6.0
        );
    }
    if !node.edge.is_empty() {
        let (x, y) = (f64::midpoint(level, x2), y - 3.0);
        let _ = writeln!(out, "<text class=\"label\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(&node.edge));
    }
}

fn shape(out: &mut String, node: &Node, bounds: &Rectangle) {
    let bold = if node.is_bold { " bold" } else { "" };
    let pale = if node.is_pale { " pale" } else { "" };
    let (left, top) = (bounds.x - bounds.width / 2.0, bounds.y - bounds.height / 2.0);
    let mut rectangle = |margin: f64, corner: u32| {
        let _ = writeln!(
            out,
            "<rect class=\"node{bold}{pale}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{corner}\"/>",
            left - margin,
            top - margin,
            bounds.width + 2.0 * margin,
            bounds.height + 2.0 * margin
        );
    };
    match node.shape {
        Shape::Box => rectangle(0.0, 0),
        Shape::Soft => rectangle(0.0, 8),
        Shape::Double => {
            rectangle(0.0, 0);
            rectangle(-3.0, 0);
        }
        Shape::Round => {
            let (rx, ry) = (bounds.width / 2.0 + 4.0, bounds.height / 2.0 + 4.0);
            let _ = writeln!(
                out,
                "<ellipse class=\"node{bold}{pale}\" cx=\"{:.1}\" cy=\"{:.1}\" rx=\"{rx:.1}\" ry=\"{ry:.1}\"/>",
                bounds.x, bounds.y
            );
        }
        Shape::Plain => {}
    }
    let first = bounds.y - (node.label.len() as f64 - 1.0) * 7.0 + 4.0;
    for (at, line) in node.label.iter().enumerate() {
        let y = first + at as f64 * 14.0;
        let _ = writeln!(out, "<text class=\"word{pale}\" x=\"{:.1}\" y=\"{y:.1}\">{}</text>", bounds.x, escaped(line));
    }
}
