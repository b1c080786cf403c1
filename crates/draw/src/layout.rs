//! The layout of a tree.
//!
//! Leaves are placed side by side, and parents in the middle of their first and last child (the simple form of Knuth's
//! and of Wetherell and Shannon's tree drawings). No two nodes overlap, since each takes the space of its own text. A
//! tree grows downwards, or to the right if it would be too wide.

use super::tree::{DrawingNode, DrawingTree, NodeOutline};

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
pub(super) enum Direction {
    /// Each level is below the previous one.
    Down,
    /// Each level is to the right of the previous one.
    Right,
}

/// The position of each node of a tree.
pub(super) struct TreeLayout {
    /// Where each node stands.
    pub(super) places: Vec<NodePlace>,
    /// The total width in pixels.
    pub(super) width: f64,
    /// The total height in pixels.
    pub(super) height: f64,
}

/// Where a node stands, in pixels: the centre and the size of its shape, and what is drawn around it.
#[derive(Clone, Copy, Default)]
pub(super) struct NodePlace {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    /// The width of the notes on its right, and of what a wide board adds on either side.
    notes: f64,
    beside: f64,
    /// The height of the board below it.
    board: f64,
    /// What notes of many lines, or a board, add above and below.
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
pub(super) fn edge_width(edge: &str) -> f64 {
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
