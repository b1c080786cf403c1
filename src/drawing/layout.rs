//! The layout of a tree.
//!
//! Leaves are placed side by side, and parents in the middle of their first and last child (the simple form of Knuth's
//! and of Wetherell and Shannon's tree drawings). No two nodes overlap, since each takes the space of its own text. A
//! tree grows downwards, or to the right if it would be too wide.

use super::tree::Tree;

/// The width of a letter, the height of a line and the distances, in pixels.
const LETTER: f64 = 6.6;
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
pub(super) struct Layout {
    /// The box of each node.
    pub(super) boxes: Vec<Rectangle>,
    /// The total width in pixels.
    pub(super) width: f64,
    /// The total height in pixels.
    pub(super) height: f64,
}

/// A box: its centre and its size, in pixels.
#[derive(Clone, Copy, Default)]
pub(super) struct Rectangle {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The space that a node takes, in pixels.
#[derive(Clone, Copy)]
struct Room {
    /// Across the direction of growth, including the text of the edge to it.
    beside: f64,
    /// The box alone, in the same direction.
    own: f64,
    /// In the direction of growth.
    deep: f64,
}

impl Layout {
    /// Computes the position of each node.
    pub(super) fn of(tree: &Tree, direction: Direction) -> Self {
        let children = tree.children();
        let sizes: Vec<Rectangle> = tree.nodes.iter().map(|node| size(&node.label)).collect();
        let rooms: Vec<Room> = (0..sizes.len()).map(|index| room(tree, index, sizes[index], direction)).collect();
        let levels = levels(tree);
        let starts = starts(tree, &levels, &rooms, direction);
        let spans = spans(&children, &rooms);
        let middles = middles(&children, &rooms, &spans);
        let rectangle = |index: usize| {
            let (beside, deep) = (middles[index], starts[levels[index]] + rooms[index].deep / 2.0);
            let (x, y) = if direction == Direction::Down { (beside, deep) } else { (deep, beside) };
            Rectangle { x, y, ..sizes[index] }
        };
        let boxes: Vec<Rectangle> = (0..sizes.len()).map(rectangle).collect();
        let end = |end: fn(&Rectangle) -> f64| boxes.iter().map(end).fold(0.0, f64::max) + GAP;
        let (right, bottom) = (
            end(|rectangle| rectangle.x + rectangle.width / 2.0),
            end(|rectangle| rectangle.y + rectangle.height / 2.0),
        );
        let beside = spans.first().copied().unwrap_or(0.0) + 2.0 * GAP;
        match direction {
            Direction::Down => Self { boxes, width: beside, height: bottom },
            Direction::Right => Self { boxes, width: right, height: beside },
        }
    }
}

/// The width of the text of an edge, in pixels.
pub(super) fn edge_width(edge: &str) -> f64 {
    edge.chars().count() as f64 * LETTER
}

fn size(label: &[String]) -> Rectangle {
    let letters = label.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let (width, height) = (letters.max(1) as f64 * LETTER, label.len().max(1) as f64 * LINE);
    Rectangle { x: 0.0, y: 0.0, width: width + 2.0 * PADDING, height: height + PADDING }
}

fn room(tree: &Tree, index: usize, size: Rectangle, direction: Direction) -> Room {
    match direction {
        Direction::Down => {
            let beside = size.width.max(edge_width(&tree.nodes[index].edge)) + GAP;
            Room { beside, own: size.width, deep: size.height }
        }
        Direction::Right => Room { beside: size.height + NARROW_GAP, own: size.height, deep: size.width },
    }
}

/// The depth of each node.
fn levels(tree: &Tree) -> Vec<usize> {
    let mut levels = vec![0; tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate() {
        levels[index] = node.parent.map_or(0, |parent| levels[parent] + 1);
    }
    levels
}

/// The start of each level, in pixels.
fn starts(tree: &Tree, levels: &[usize], rooms: &[Room], direction: Direction) -> Vec<f64> {
    let count = levels.iter().max().map_or(0, |&last| last + 1);
    let (mut depths, mut gaps) = (vec![0.0_f64; count], vec![LEVEL_GAP; count]);
    for (index, &level) in levels.iter().enumerate() {
        depths[level] = depths[level].max(rooms[index].deep);
        if direction == Direction::Right {
            // The texts of edges are between the levels.
            gaps[level] = gaps[level].max(LEVEL_GAP + edge_width(&tree.nodes[index].edge));
        }
    }
    let mut start = GAP;
    let mut starts = Vec::with_capacity(count);
    for level in 0..count {
        start += if level == 0 { 0.0 } else { depths[level - 1] + gaps[level] };
        starts.push(start);
    }
    starts
}

/// The space that each node takes with its whole subtree.
fn spans(children: &[Vec<usize>], rooms: &[Room]) -> Vec<f64> {
    let mut spans = vec![0.0_f64; rooms.len()];
    for index in (0..rooms.len()).rev() {
        spans[index] = rooms[index].beside.max(children[index].iter().map(|&child| spans[child]).sum());
    }
    spans
}

/// The centre of each node across the direction of growth.
fn middles(children: &[Vec<usize>], rooms: &[Room], spans: &[f64]) -> Vec<f64> {
    let mut middles = vec![0.0; rooms.len()];
    let mut starts = vec![GAP; rooms.len()];
    for index in 0..rooms.len() {
        let whole: f64 = children[index].iter().map(|&child| spans[child]).sum();
        let mut start = starts[index] + (spans[index] - whole) / 2.0;
        for &child in &children[index] {
            starts[child] = start;
            start += spans[child];
        }
        middles[index] = starts[index] + spans[index] / 2.0;
    }
    for index in (0..rooms.len()).rev() {
        if let (Some(&first), Some(&last)) = (children[index].first(), children[index].last()) {
            // In the middle, but within its own space, so that it does not overlap its neighbours.
            let (start, half) = (starts[index], rooms[index].own / 2.0);
            let middle = f64::midpoint(middles[first], middles[last]);
            middles[index] = middle.clamp(start + half, (start + spans[index] - half).max(start + half));
        }
    }
    middles
}
