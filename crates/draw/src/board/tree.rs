//! Games whose states are the nodes of a tree, as a sheet declares it: the nodes below each other, and which one is the
//! current state.

use super::pictograms::node;
use super::sign::label;
use super::{Extent, Piece};
use crate::{Grid, GridLine, Ground, Square};
use gdl::rules::GroundTerm;
use gdl::rules::picture::{self, Field};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The greatest number of nodes that are drawn.
const MOST: usize = 200;

/// The number of letters up to which neighbouring leaves need no gap between their words.
const SHORT: usize = 3;

/// A node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct TreeNode {
    /// Its name.
    name: GroundTerm,
    /// The words of the declared layers at this node; empty if there are none.
    words: String,
    /// Whether it is the current state.
    is_here: bool,
    /// The node above it, by its index, and the words on the branch.
    above: Option<(usize, String)>,
}

/// The nodes of a declared tree from the root, each after the one above it; none if its facts are no tree. The facts
/// of the layers that are the same in every state are words, those of the state say where the game is. Without parents,
/// all nodes hang on the one node of the layers that is none of them.
pub(super) fn nodes(declared: &picture::DeclaredFigure, extents: &[Extent]) -> Vec<TreeNode> {
    let form = &declared.facts[0];
    let branches = &extents[0];
    if branches.possible().count() > MOST {
        return Vec::new();
    }
    let layers = || declared.facts[1..].iter().zip(&extents[1..]);
    let child = |form: &picture::FactForm, tuple: &[GroundTerm]| form.terms(&Field::Child, tuple).remove(0);
    let mut words = BTreeMap::new();
    let mut here = BTreeSet::new();
    let mut places = BTreeSet::new();
    for (form, extent) in layers() {
        for tuple in extent.holding() {
            let values = form.terms(&Field::Value, tuple);
            if form.is_static {
                words.insert(child(form, tuple), label(&values));
            } else {
                here.insert(child(form, tuple));
            }
        }
        if !form.is_static {
            places.extend(extent.possible().map(|tuple| child(form, tuple)));
        }
    }
    let children: BTreeSet<GroundTerm> = branches.possible().map(|tuple| child(form, tuple)).collect();
    let parent = |tuple: &[GroundTerm]| form.terms(&Field::Parent, tuple).into_iter().next();
    let known = branches.possible().filter_map(parent).chain(places);
    let roots: BTreeSet<GroundTerm> = known.filter(|name| !children.contains(name)).collect();
    let [root] = &roots.into_iter().collect::<Vec<_>>()[..] else { return Vec::new() };
    let mut below: BTreeMap<GroundTerm, Vec<(GroundTerm, Piece)>> = BTreeMap::new();
    for tuple in branches.possible() {
        let own = below.entry(parent(tuple).unwrap_or_else(|| root.clone())).or_default();
        let name = child(form, tuple);
        let values = form.terms(&Field::Value, tuple);
        match own.iter_mut().find(|(known, _)| *known == name) {
            Some((_, words)) => words.extend(values),
            None => own.push((name, values)),
        }
    }
    let mut nodes: Vec<TreeNode> = Vec::new();
    let mut open = vec![(root.clone(), None)];
    while let Some((name, above)) = open.pop() {
        if nodes.len() == MOST || nodes.iter().any(|node| node.name == name) {
            return Vec::new();
        }
        let own = below.get(&name).map_or(&[][..], Vec::as_slice);
        open.extend(own.iter().rev().map(|(child, words)| (child.clone(), Some((nodes.len(), label(words))))));
        let words = words.get(&name).cloned().unwrap_or_default();
        let is_here = here.contains(&name);
        nodes.push(TreeNode { name, words, is_here, above });
    }
    nodes
}

/// A tree as the squares of a picture: leaves side by side, each other node above the middle of those below it.
pub(super) fn grid(title: &str, nodes: &[TreeNode]) -> Option<Grid> {
    if nodes.is_empty() {
        return None;
    }
    let mut depths: Vec<usize> = Vec::new();
    for node in nodes {
        depths.push(node.above.as_ref().map_or(0, |above| depths[above.0] + 1));
    }
    let mut columns = doubled_columns(nodes);
    let is_short = |text: &str| text.chars().count() <= SHORT;
    let words = |node: &TreeNode| is_short(&shown(node)) && node.above.as_ref().is_none_or(|(_, text)| is_short(text));
    if columns.iter().all(|column| column % 2 == 0) && nodes.iter().all(words) {
        columns.iter_mut().for_each(|column| *column /= 2);
    }
    let width = columns.iter().max().map_or(1, |last| last + 1);
    let height = 2 * depths.iter().max().unwrap_or(&0) + 1;
    let at = |index: usize| (2 * depths[index], columns[index]);
    let mut squares = vec![vec![Square::outside(); width]; height];
    for (index, node) in nodes.iter().enumerate() {
        let (row, column) = at(index);
        squares[row][column] = square(node, below(nodes, index).next().is_none());
    }
    let link = |(index, node): (usize, &TreeNode)| {
        let (above, text) = node.above.clone()?;
        Some(GridLine { from: at(above), to: at(index), text })
    };
    let links = nodes.iter().enumerate().filter_map(link).collect();
    Some(Grid { title: title.to_string(), squares, links, ..Grid::default() })
}

/// The numbers of the nodes right below a node.
fn below(nodes: &[TreeNode], index: usize) -> impl DoubleEndedIterator<Item = usize> {
    (index + 1..nodes.len()).filter(move |&child| nodes[child].above.as_ref().is_some_and(|above| above.0 == index))
}

/// Twice the column of each node, so that there is a middle of any two.
fn doubled_columns(nodes: &[TreeNode]) -> Vec<usize> {
    let mut columns = vec![0; nodes.len()];
    let leaves = (0..nodes.len()).filter(|&index| below(nodes, index).next().is_none());
    for (number, leaf) in leaves.enumerate() {
        columns[leaf] = 2 * number;
    }
    for index in (0..nodes.len()).rev() {
        if let (Some(first), Some(last)) = (below(nodes, index).next(), below(nodes, index).next_back()) {
            columns[index] = usize::midpoint(columns[first], columns[last]);
        }
    }
    columns
}

/// What is written at a node.
fn shown(tree: &TreeNode) -> String {
    if tree.words.is_empty() { tree.name.to_string() } else { tree.words.clone() }
}

/// A disc with the name of the node, or with what is said of it; a leaf of which something is said is only that.
fn square(tree: &TreeNode, is_leaf: bool) -> Square {
    let text = shown(tree);
    let is_plain = is_leaf && !tree.words.is_empty() && !tree.is_here;
    let pictogram = (!is_plain).then(|| node(tree.is_here));
    Square { text, pictogram, ground: Ground::Bare, ..Square::default() }
}
