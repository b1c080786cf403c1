//! Trees as SVG: one file, without scripts and without fonts of its own.

use super::document::{Region, Words, document, escaped};
use super::grid;
use super::layout::{CELL, Direction, NodePlace, TreeLayout, edge_width};
use super::tree::{DrawingNode, DrawingTree, NodeOutline};
use std::fmt::Write;

const STYLE: &str = "text{font:12px sans-serif;text-anchor:middle;fill:#222}\
.edge{stroke:#777;fill:none}.cut{stroke-dasharray:4 3}.node{fill:#fff;stroke:#444;stroke-linejoin:round}.node.pale{stroke:#aaa}\
.node.up{fill:#e3eefb}.node.down{fill:#fdebdc}.node.round{fill:#eef5e4}\
.bold{stroke:#111;stroke-width:2.5}.value{font-weight:bold}.pale.value{fill:#777}\
.note{font-size:10px;text-anchor:start;fill:#555}.label{font-size:11px;fill:#333;paint-order:stroke;stroke:#fff;stroke-width:4px}\
.title{font-size:13px;font-weight:bold;text-anchor:start}";

/// The style of trees and of the boards in them.
fn style() -> String {
    [STYLE, grid::STYLE].concat()
}

/// A tree that would be wider than this many pixels grows to the right, so that it scrolls in one direction only.
const WIDEST: f64 = 1_600.0;

/// The height of the text of an edge.
const LABEL: f64 = 14.0;

/// The tree as an SVG document. A triangle with its tip above is a node in which the maximising side decides, one with
/// its tip below another side's, a circle chance's; boxes with a double outline are ends. The best line is bold, edges
/// to cut branches are dashed and crossed out. The root is at the top, or at the left of a wide tree.
pub fn svg(tree: &DrawingTree) -> String {
    let (layout, direction) = arranged(tree);
    document(layout.width.ceil(), layout.height.ceil(), &style(), &draw(tree, &layout, direction))
}

/// Trees with titles as one SVG document, in rows of panels of the same size.
pub fn panels(panels: &[(String, DrawingTree)]) -> String {
    const TITLE: f64 = 24.0;
    let layouts: Vec<(TreeLayout, Direction)> = panels.iter().map(|(_, tree)| arranged(tree)).collect();
    let width = layouts.iter().map(|(layout, _)| layout.width).fold(160.0, f64::max);
    let height = layouts.iter().map(|(layout, _)| layout.height).fold(0.0, f64::max) + TITLE;
    let columns = (1_200.0_f64 / width).floor().clamp(1.0, 3.0);
    let mut out = String::new();
    let mut column = 0.0;
    let mut row = 0.0;
    for ((title, tree), (layout, direction)) in panels.iter().zip(&layouts) {
        let x = column * width;
        let y = row * height;
        let _ = writeln!(out, "<g transform=\"translate({x:.1},{:.1})\">", y + TITLE);
        let _ = writeln!(out, "<text class=\"title\" x=\"10\" y=\"-8\">{}</text>", escaped(title));
        out += &draw(tree, layout, *direction);
        out += "</g>\n";
        column += 1.0;
        if column >= columns {
            (column, row) = (0.0, row + 1.0);
        }
    }
    let rows = if column > 0.0 { row + 1.0 } else { row };
    let used = if rows > 1.0 { columns } else { column.max(1.0) };
    document((used * width).ceil(), (rows * height).ceil(), &style(), &out)
}

fn arranged(tree: &DrawingTree) -> (TreeLayout, Direction) {
    let down = TreeLayout::new(tree, Direction::Down);
    if down.width <= WIDEST {
        (down, Direction::Down)
    } else {
        (TreeLayout::new(tree, Direction::Right), Direction::Right)
    }
}

fn draw(tree: &DrawingTree, layout: &TreeLayout, direction: Direction) -> String {
    let mut out = String::new();
    let visible = || tree.nodes.iter().zip(&layout.places).filter(|(node, _)| !node.is_hidden);
    for (node, place) in visible() {
        if let Some(parent) = node.parent {
            match direction {
                Direction::Down => edge(&mut out, node, &layout.places[parent], place),
                Direction::Right => edge_to_the_right(&mut out, node, &layout.places[parent], place),
            }
        }
    }
    for (node, place) in visible() {
        shape(&mut out, node, place);
        notes(&mut out, node, place);
        board(&mut out, node, place);
    }
    out
}

/// Draws the edge to a node below its parent; it ends at its text, which is directly above the node, so that texts do
/// not overlap.
fn edge(out: &mut String, node: &DrawingNode, from: &NodePlace, to: &NodePlace) {
    let x1 = from.x;
    let y1 = from.bottom();
    let x2 = to.x;
    let top = to.y - to.height / 2.0;
    let y2 = if node.edge.is_empty() { top } else { top - LABEL };
    let class = class(node);
    let _ = writeln!(out, "<line class=\"edge{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
    if node.is_cut {
        let x = x1 + (x2 - x1) * 0.6;
        let y = y1 + (y2 - y1) * 0.6;
        let left = x - 6.0;
        let right = x + 6.0;
        let _ =
            writeln!(out, "<line class=\"edge bold\" x1=\"{left:.1}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\"/>");
    }
    if !node.edge.is_empty() {
        Words::new("label", x2, top - 4.0, &node.edge).draw(out);
    }
}

/// Draws the edge to a node on the right of its parent; its last part is horizontal, with the text above it.
fn edge_to_the_right(out: &mut String, node: &DrawingNode, from: &NodePlace, to: &NodePlace) {
    let x1 = from.right().max(from.x + from.width / 2.0);
    let y1 = from.y;
    let x2 = to.x - to.width / 2.0;
    let y = to.y;
    let level = (x2 - edge_width(&node.edge) - 12.0).max(x1);
    let class = class(node);
    let _ =
        writeln!(out, "<polyline class=\"edge{class}\" points=\"{x1:.1},{y1:.1} {level:.1},{y:.1} {x2:.1},{y:.1}\"/>");
    if node.is_cut {
        let above = y - 6.0;
        let below = y + 6.0;
        let _ = writeln!(
            out,
            "<line class=\"edge bold\" x1=\"{level:.1}\" y1=\"{above:.1}\" x2=\"{level:.1}\" y2=\"{below:.1}\"/>"
        );
    }
    if !node.edge.is_empty() {
        let x = f64::midpoint(level, x2);
        let y = y - 5.0;
        Words::new("label", x, y, &node.edge).draw(out);
    }
}

/// The CSS classes of the edge to a node.
fn class(node: &DrawingNode) -> String {
    let bold = if node.is_bold { " bold" } else { "" };
    let cut = if node.is_cut { " cut" } else { "" };
    format!("{bold}{cut}")
}

fn shape(out: &mut String, node: &DrawingNode, place: &NodePlace) {
    let bold = if node.is_bold { " bold" } else { "" };
    let pale = if node.is_pale { " pale" } else { "" };
    let NodePlace { x, y, width, height, .. } = *place;
    let left = x - width / 2.0;
    let right = x + width / 2.0;
    let top = y - height / 2.0;
    let bottom = y + height / 2.0;
    let mut rectangle = |margin: f64| {
        let width = width - 2.0 * margin;
        let height = height - 2.0 * margin;
        let area = Region { left: left + margin, top: top + margin, width, height };
        area.draw(out, &format!("node{bold}{pale}"));
    };
    match node.shape {
        NodeOutline::Box => rectangle(0.0),
        NodeOutline::Double => {
            rectangle(0.0);
            rectangle(3.0);
        }
        NodeOutline::Up => {
            let points = format!("{x:.1},{top:.1} {right:.1},{bottom:.1} {left:.1},{bottom:.1}");
            let _ = writeln!(out, "<polygon class=\"node up{bold}{pale}\" points=\"{points}\"/>");
        }
        NodeOutline::Down => {
            let points = format!("{left:.1},{top:.1} {right:.1},{top:.1} {x:.1},{bottom:.1}");
            let _ = writeln!(out, "<polygon class=\"node down{bold}{pale}\" points=\"{points}\"/>");
        }
        NodeOutline::Round => {
            let rx = width / 2.0;
            let ry = height / 2.0;
            let _ = writeln!(
                out,
                "<ellipse class=\"node round{bold}{pale}\" cx=\"{x:.1}\" cy=\"{y:.1}\" rx=\"{rx:.1}\" ry=\"{ry:.1}\"/>"
            );
        }
        NodeOutline::Plain => {}
    }
    let lines = node.inside();
    // The wide part of a triangle is where its text stands.
    let middle = match node.shape {
        NodeOutline::Up => y + height / 5.0,
        NodeOutline::Down => y - height / 5.0,
        _ => y,
    };
    let first = middle - (lines.len() as f64 - 1.0) * 7.0 + 4.0;
    for (at, line) in lines.iter().enumerate() {
        let y = first + at as f64 * 14.0;
        Words::new(&format!("value{pale}"), x, y, line).draw(out);
    }
}

/// Draws the text on the right of a shape.
fn notes(out: &mut String, node: &DrawingNode, place: &NodePlace) {
    let first = place.y - (node.notes.len() as f64 - 1.0) * 6.0 + 4.0;
    for (at, line) in node.notes.iter().enumerate() {
        let x = place.x + place.width / 2.0 + 3.0;
        let y = first + at as f64 * 12.0;
        Words::new("note", x, y, line).draw(out);
    }
}

/// Draws the board below a shape.
fn board(out: &mut String, node: &DrawingNode, place: &NodePlace) {
    let (width, _) = node.board.size(CELL);
    node.board.draw(out, place.x - width / 2.0, place.y + place.height / 2.0 + 3.0, CELL);
}
