//! Where the nodes of a tree stand.
//!
//! Leaves stand side by side from left to right, and parents in the middle above their first and last child (the simple form of Knuth's
//! and Wetherell and Shannon's drawings of trees). No two nodes overlap, since each takes the width of its own text.

use super::tree::Tree;

/// The width of a letter, the height of a line and the distances, in pixels.
const LETTER: f64 = 6.6;
const LINE: f64 = 14.0;
const PADDING: f64 = 6.0;
const GAP: f64 = 10.0;
const LEVEL_GAP: f64 = 34.0;

/// A tree with a place for each of its nodes.
pub(super) struct Layout {
    /// For each node the middle of its box.
    pub(super) boxes: Vec<Place>,
    /// The size of the whole.
    pub(super) width: f64,
    /// The size of the whole.
    pub(super) height: f64,
}

/// A box: its middle and its size.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Layout {
    /// Finds a place for each node.
    pub(super) fn of(tree: &Tree) -> Self {
        let children = tree.children();
        let mut boxes: Vec<Place> = tree.nodes.iter().map(|node| size(&node.label)).collect();
        let levels = levels(tree);
        let tops = tops(&levels, &boxes);
        let spans = spans(tree, &children, &boxes);
        let mut lefts = vec![GAP; tree.nodes.len()];
        for place in 0..tree.nodes.len() {
            let whole: f64 = children[place].iter().map(|&child| spans[child]).sum();
            let mut left = lefts[place] + (spans[place] - whole) / 2.0;
            for &child in &children[place] {
                lefts[child] = left;
                left += spans[child];
            }
            boxes[place].x = lefts[place] + spans[place] / 2.0;
            boxes[place].y = tops[levels[place]] + boxes[place].height / 2.0;
        }
        for place in (0..tree.nodes.len()).rev() {
            if let (Some(&first), Some(&last)) = (children[place].first(), children[place].last()) {
                // In the middle, but within its own room, so that it does not reach over its neighbours.
                let (left, half) = (lefts[place], boxes[place].width / 2.0);
                let middle = f64::midpoint(boxes[first].x, boxes[last].x);
                boxes[place].x = middle.clamp(left + half, (left + spans[place] - half).max(left + half));
            }
        }
        let width = spans.first().copied().unwrap_or(0.0) + 2.0 * GAP;
        let bottom = |place: &Place| place.y + place.height / 2.0;
        let height = boxes.iter().map(bottom).fold(0.0, f64::max) + GAP;
        Self { boxes, width, height }
    }
}

fn size(label: &[String]) -> Place {
    let letters = label.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let (width, height) = (letters.max(1) as f64 * LETTER, label.len().max(1) as f64 * LINE);
    Place { x: 0.0, y: 0.0, width: width + 2.0 * PADDING, height: height + PADDING }
}

/// How far each node is from the root.
fn levels(tree: &Tree) -> Vec<usize> {
    let mut levels = vec![0; tree.nodes.len()];
    for (place, node) in tree.nodes.iter().enumerate() {
        levels[place] = node.parent.map_or(0, |parent| levels[parent] + 1);
    }
    levels
}

/// Where each level begins.
fn tops(levels: &[usize], boxes: &[Place]) -> Vec<f64> {
    let mut heights = vec![0.0_f64; levels.iter().max().map_or(0, |&last| last + 1)];
    for (&level, place) in levels.iter().zip(boxes) {
        heights[level] = heights[level].max(place.height);
    }
    let mut top = GAP;
    let mut below = |height: f64| {
        let this = top;
        top += height + LEVEL_GAP;
        this
    };
    heights.into_iter().map(&mut below).collect()
}

/// How much room each node takes with all below it: no less than its own text, or what stands at the line to it.
fn spans(tree: &Tree, children: &[Vec<usize>], boxes: &[Place]) -> Vec<f64> {
    let mut spans = vec![0.0_f64; tree.nodes.len()];
    for place in (0..tree.nodes.len()).rev() {
        let edge = tree.nodes[place].edge.chars().count() as f64 * LETTER;
        let own = boxes[place].width.max(edge) + GAP;
        spans[place] = own.max(children[place].iter().map(|&child| spans[child]).sum());
    }
    spans
}
