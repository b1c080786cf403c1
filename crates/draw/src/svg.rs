//! Trees as SVG: the places of the nodes, and one file without scripts and without fonts of its own.
//!
//! Leaves are placed side by side, and parents in the middle of their first and last child (the simple form of Knuth's
//! and of Wetherell and Shannon's tree drawings). No two nodes overlap, since each takes the space of its own text. A
//! tree grows downwards, or to the right if it would be too wide.

use super::document::{Region, Words, document, escaped};
use super::grid;
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
/// its tip below a node of another side; circles are chance nodes, and boxes with a double outline are terminal nodes.
/// The best line is bold, edges to cut branches are dashed and crossed out. The root is at the top, or at the left of a
/// wide tree.
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
    // As many columns as fit into 1,200 pixels, from one to three.
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
    // The horizontal part is as long as the text, if there is room for it.
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

/// The width of a letter, the height of a line and the distances, in pixels.
const LETTER: f64 = 6.6;
/// The side of a cell of a board.
pub(super) const CELL: f64 = 14.0;
/// The width of a letter and the height of a line of a note.
const NOTE_LETTER: f64 = 6.4;
const NOTE_LINE: f64 = 12.0;
const LINE: f64 = 14.0;
const PADDING: f64 = 7.0;
const GAP: f64 = 10.0;
/// The distance between neighbours in a tree that grows to the right.
const NARROW_GAP: f64 = 8.0;
const LEVEL_GAP: f64 = 40.0;

/// The direction in which a tree grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    /// Each level is below the previous one.
    Down,
    /// Each level is to the right of the previous one.
    Right,
}

/// The position of each node of a tree.
struct TreeLayout {
    /// The place of each node.
    pub(super) places: Vec<NodePlace>,
    /// The total width in pixels.
    pub(super) width: f64,
    /// The total height in pixels.
    pub(super) height: f64,
}

/// The place of a node, in pixels: the centre and the size of its shape, and the space of its notes and its board.
#[derive(Clone, Copy, Default)]
struct NodePlace {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    /// The width of the notes on its right, and of what a wide board adds on either side.
    notes: f64,
    beside: f64,
    /// The height of the board below it.
    board: f64,
    /// The space that notes of many lines need above and below the centre.
    over: f64,
}

impl NodePlace {
    /// The lowest point of the shape and its board.
    pub(super) fn bottom(&self) -> f64 {
        self.y + self.height / 2.0 + self.board
    }

    /// The rightmost point of the shape and its notes.
    pub(super) fn right(&self) -> f64 {
        self.x + self.width / 2.0 + self.notes.max(self.beside)
    }
}

/// The space that a node takes, in pixels.
#[derive(Clone, Copy)]
struct NodeRoom {
    /// Across the direction of growth, before and after the centre of the shape.
    before: f64,
    after: f64,
    /// In the direction of growth, before and after the centre.
    above: f64,
    below: f64,
}

impl TreeLayout {
    /// Computes the position of each node.
    pub(super) fn new(tree: &DrawingTree, direction: Direction) -> Self {
        let children = tree.children();
        let sizes: Vec<NodePlace> = tree.nodes.iter().map(size).collect();
        let rooms: Vec<NodeRoom> =
            tree.nodes.iter().zip(&sizes).map(|(node, size)| room(node, size, direction)).collect();
        let levels = levels(tree);
        let starts = starts(tree, &levels, &rooms, direction);
        let spans = spans(&children, &rooms);
        let middles = middles(&children, &rooms, &spans);
        let above = |level: usize| {
            let of_level = levels.iter().zip(&rooms).filter(|(other, _)| **other == level);
            of_level.map(|(_, room)| room.above).fold(0.0, f64::max)
        };
        let tops: Vec<f64> = (0..starts.len()).map(above).collect();
        let place = |index: usize| {
            let beside = middles[index];
            let deep = starts[levels[index]] + tops[levels[index]];
            let (x, y) = if direction == Direction::Down { (beside, deep) } else { (deep, beside) };
            NodePlace { x, y, ..sizes[index] }
        };
        let places: Vec<NodePlace> = (0..sizes.len()).map(place).collect();
        let end = |end: fn(&NodePlace) -> f64| places.iter().map(end).fold(0.0, f64::max) + GAP;
        let right = end(NodePlace::right);
        let bottom = end(|place| place.bottom().max(place.y + place.over));
        let beside = spans.first().copied().unwrap_or(0.0) + 2.0 * GAP;
        match direction {
            Direction::Down => Self { places, width: beside, height: bottom },
            Direction::Right => Self { places, width: right, height: beside.max(bottom) },
        }
    }
}

/// The width of the text of an edge, in pixels.
fn edge_width(edge: &str) -> f64 {
    edge.chars().count() as f64 * LETTER
}

fn size(node: &DrawingNode) -> NodePlace {
    let lines = node.inside();
    let letters = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let text_width = letters.max(1) as f64 * LETTER;
    let text_height = lines.len().max(1) as f64 * LINE;
    let (width, height) = match node.shape {
        // The text stands in the wide half of a triangle, and in the middle of an ellipse.
        NodeOutline::Up | NodeOutline::Down => ((text_width * 1.7 + 14.0).max(36.0), text_height * 2.2),
        NodeOutline::Round => ((text_width + 16.0).max(30.0), text_height + 16.0),
        NodeOutline::Box | NodeOutline::Double | NodeOutline::Plain => {
            (text_width + 2.0 * PADDING, text_height + PADDING)
        }
    };
    let note = node.notes.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let notes = if note > 0 { note as f64 * NOTE_LETTER + 8.0 } else { 0.0 };
    let (board_width, board_height) = node.board.size(CELL);
    let board = if board_height > 0.0 { board_height + 5.0 } else { 0.0 };
    let beside = ((board_width - width) / 2.0).max(0.0);
    let over = node.notes.len() as f64 * NOTE_LINE / 2.0;
    NodePlace { x: 0.0, y: 0.0, width, height, notes, beside, board, over }
}

fn room(node: &DrawingNode, size: &NodePlace, direction: Direction) -> NodeRoom {
    let half = size.width / 2.0;
    let left = half + size.beside;
    let right = half + size.notes.max(size.beside);
    let top = size.over.max(size.height / 2.0);
    let bottom = (size.height / 2.0 + size.board).max(size.over);
    match direction {
        Direction::Down => {
            let edge = edge_width(&node.edge) / 2.0;
            NodeRoom {
                before: left.max(edge) + GAP / 2.0,
                after: right.max(edge) + GAP / 2.0,
                above: top,
                below: bottom,
            }
        }
        Direction::Right => {
            let gap = NARROW_GAP / 2.0;
            NodeRoom { before: top.max(LINE) + gap, after: bottom + gap, above: left, below: right }
        }
    }
}

/// The depth of each node.
fn levels(tree: &DrawingTree) -> Vec<usize> {
    let mut levels = vec![0; tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate() {
        levels[index] = node.parent.map_or(0, |parent| levels[parent] + 1);
    }
    levels
}

/// The start of each level, in pixels.
fn starts(tree: &DrawingTree, levels: &[usize], rooms: &[NodeRoom], direction: Direction) -> Vec<f64> {
    let count = levels.iter().max().map_or(0, |&last| last + 1);
    let mut above = vec![0.0_f64; count];
    let mut below = vec![0.0_f64; count];
    let mut gaps = vec![LEVEL_GAP; count];
    for (index, &level) in levels.iter().enumerate() {
        above[level] = above[level].max(rooms[index].above);
        below[level] = below[level].max(rooms[index].below);
        if direction == Direction::Right {
            // The texts of edges are between the levels.
            gaps[level] = gaps[level].max(LEVEL_GAP + edge_width(&tree.nodes[index].edge));
        }
    }
    let mut start = GAP;
    let mut starts = Vec::with_capacity(count);
    for level in 0..count {
        start += if level == 0 { 0.0 } else { above[level - 1] + below[level - 1] + gaps[level] };
        starts.push(start);
    }
    starts
}

/// The space that each node takes with its whole subtree.
fn spans(children: &[Vec<usize>], rooms: &[NodeRoom]) -> Vec<f64> {
    let mut spans = vec![0.0_f64; rooms.len()];
    for index in (0..rooms.len()).rev() {
        spans[index] =
            (rooms[index].before + rooms[index].after).max(children[index].iter().map(|&child| spans[child]).sum());
    }
    spans
}

/// The centre of each node across the direction of growth.
fn middles(children: &[Vec<usize>], rooms: &[NodeRoom], spans: &[f64]) -> Vec<f64> {
    let mut middles = vec![0.0; rooms.len()];
    let mut starts = vec![GAP; rooms.len()];
    for index in 0..rooms.len() {
        let whole: f64 = children[index].iter().map(|&child| spans[child]).sum();
        let mut start = starts[index] + (spans[index] - whole) / 2.0;
        for &child in &children[index] {
            starts[child] = start;
            start += spans[child];
        }
        let NodeRoom { before, after, .. } = rooms[index];
        middles[index] = starts[index] + (spans[index] - before - after) / 2.0 + before;
    }
    for index in (0..rooms.len()).rev() {
        if let (Some(&first), Some(&last)) = (children[index].first(), children[index].last()) {
            // In the middle, but within its own space, so that it does not overlap its neighbours.
            let start = starts[index];
            let NodeRoom { before, after, .. } = rooms[index];
            let middle = f64::midpoint(middles[first], middles[last]);
            let least = start + before;
            let most = start + spans[index] - after;
            middles[index] = middle.clamp(least, most.max(least));
        }
    }
    middles
}
