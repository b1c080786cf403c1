//! The parts of a position that are not on boards: stacks, bars, trees, hands and values, and cards in pictures.
//!
//! A [`Figure`] is what a sheet declares beside boards, or guesses from an order of things. A tree has the states of a
//! game as nodes. Cards take the place of boards in pictures of games that have neither boards nor stacks nor bars nor
//! trees: a card for each value, which bears the name of its relation and its owner.

use super::glyphs::{full_name, lamp, node, of_words, piece_words};
use super::{Extent, Piece};
use crate::{Grid, GridLine, Ground, Square};
use gdl::number::Rational;
use gdl::rules::picture::{Colour, Field, FigureKind, Glyph, Picture};
use gdl::rules::{GroundTerm, Utilities, picture};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A figure of a position, other than a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Figure {
    /// The name of the relation, or the declared words.
    pub(crate) title: String,
    /// The pieces, marks or values that are drawn.
    #[serde(flatten)]
    pub(crate) content: Content,
}

/// The content of a figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "figure", rename_all = "snake_case")]
pub(crate) enum Content {
    /// Pieces on top of each other.
    Stacks {
        /// The stacks from left to right: each with its name and its pieces from the top.
        stacks: Vec<(GroundTerm, Vec<GroundTerm>)>,
        /// All pieces in canonical order, with their signs; the first is the narrowest.
        #[serde(skip)]
        pieces: Vec<(GroundTerm, Glyph)>,
    },
    /// Rows of equal marks, whose number is a value of the state.
    Bars {
        /// Each row with its number.
        bars: Vec<(GroundTerm, GroundTerm)>,
        /// The sign of a mark.
        #[serde(skip)]
        mark: Glyph,
        /// The greatest number of marks that there may ever be in a row.
        #[serde(skip)]
        most: usize,
    },
    /// A tree, which only pictures show.
    Tree {
        /// The nodes from the root, each after the one above it.
        nodes: Vec<TreeNode>,
    },
    /// A list of pieces for each owner; the name of the owner is empty if there is only one.
    Hands {
        /// Each owner with its pieces.
        hands: Vec<(Vec<GroundTerm>, Vec<Piece>)>,
        /// The colours of the pieces that have one.
        #[serde(skip)]
        colours: BTreeMap<Piece, Colour>,
    },
    /// A value for each owner; the name of the owner is empty if there is only one.
    Values {
        /// Each owner with its values.
        values: Vec<(Vec<GroundTerm>, Vec<Piece>)>,
        /// True if the facts have no arguments, so that they hold or not.
        is_flag: bool,
    },
}

impl Figure {
    /// A fact whose arguments are an order of the same things in every state, such as pancakes: a stack, the first on
    /// top. `None` if the relation is not such an order.
    pub(super) fn permutation(extent: &Extent) -> Option<Self> {
        let holding: Vec<&[GroundTerm]> = extent.holding().collect();
        let [order] = holding[..] else { return None };
        let mut pieces = order.to_vec();
        pieces.sort();
        pieces.dedup();
        let is_order = order.len() >= FEWEST_ORDERED && pieces.len() == order.len();
        let is_same = |argument: usize| extent.range(argument).into_iter().all(|value| pieces.contains(value));
        if !is_order || !(0..extent.arity()).all(is_same) {
            return None;
        }
        let sign = |piece: GroundTerm| (piece.clone(), Glyph { text: piece.to_string(), colour: None });
        let stacks = vec![(GroundTerm::symbol(extent.name()), order.to_vec())];
        let pieces = pieces.into_iter().map(sign).collect();
        Some(Self { title: extent.name().to_string(), content: Content::Stacks { stacks, pieces } })
    }

    /// Lays out a declared figure, whose facts and those of its layers are these.
    pub(super) fn new(
        declared: &picture::DeclaredFigure,
        extents: &[Extent],
        picture: &Picture,
        utilities: &Utilities,
    ) -> Self {
        let form = &declared.facts[0];
        let extent = &extents[0];
        let words = || form.fields.iter().map(Field::word).collect::<Vec<_>>().join(",");
        let title = declared.title.clone().unwrap_or_else(|| match declared.kind {
            FigureKind::Stack | FigureKind::Bars | FigureKind::Tree => format!("{}({})", form.relation, words()),
            _ => form.relation.to_string(),
        });
        let one = |field: &Field, tuple: &[GroundTerm]| form.terms(field, tuple).remove(0);
        let sign = |term: &GroundTerm| {
            let plain = || Glyph { text: term.to_string(), colour: None };
            picture.glyph(std::slice::from_ref(term)).cloned().unwrap_or_else(plain)
        };
        let content = match declared.kind {
            FigureKind::Stack => {
                let mut stacks: BTreeMap<GroundTerm, Vec<GroundTerm>> =
                    extent.possible().map(|tuple| (one(&Field::Column, tuple), Vec::new())).collect();
                for tuple in extent.holding() {
                    stacks.entry(one(&Field::Column, tuple)).or_default().push(one(&Field::Piece, tuple));
                }
                stacks.values_mut().for_each(|pieces| pieces.sort());
                let order = extent.coordinates(&form.indices(&Field::Column));
                let order = order.into_iter().flatten().filter_map(|name| stacks.remove_entry(&name)).collect();
                let mut pieces: Vec<GroundTerm> = extent.possible().map(|tuple| one(&Field::Piece, tuple)).collect();
                pieces.sort();
                pieces.dedup();
                let pieces = pieces.into_iter().map(|piece| (piece.clone(), sign(&piece))).collect();
                Content::Stacks { stacks: order, pieces }
            }
            FigureKind::Bars => {
                let held: BTreeMap<GroundTerm, GroundTerm> =
                    extent.holding().map(|tuple| (one(&Field::Row, tuple), one(&Field::Count, tuple))).collect();
                let order = extent.coordinates(&form.indices(&Field::Row)).into_iter().flatten();
                let zero = GroundTerm::symbol("0");
                let bars = order.map(|row| (row.clone(), held.get(&row).unwrap_or(&zero).clone())).collect();
                let own = picture.glyph(&[GroundTerm::symbol(form.relation.clone())]);
                let counts = extent.possible().filter_map(|tuple| number(&one(&Field::Count, tuple)));
                let most = counts.max().unwrap_or(0);
                Content::Bars {
                    bars,
                    most,
                    mark: own.cloned().unwrap_or(Glyph { text: "|".to_string(), colour: None }),
                }
            }
            FigureKind::Tree => Content::Tree { nodes: tree_nodes(declared, extents, utilities) },
            FigureKind::Hand => {
                let hands =
                    grouped(extent, |tuple| (form.terms(&Field::Owner, tuple), form.terms(&Field::Piece, tuple)));
                let pieces = extent.possible().map(|tuple| form.terms(&Field::Piece, tuple));
                let colour = |piece: Piece| Some((piece.clone(), picture.glyph(&piece)?.colour?));
                Content::Hands { hands, colours: pieces.filter_map(colour).collect() }
            }
            FigureKind::Label | FigureKind::Board => {
                let values =
                    grouped(extent, |tuple| (form.terms(&Field::Owner, tuple), form.terms(&Field::Value, tuple)));
                Content::Values { values, is_flag: form.fields.is_empty() }
            }
        };
        Self { title, content }
    }
}

/// The number of marks that a term stands for, if there are not too many to draw.
pub(super) fn number(term: &GroundTerm) -> Option<usize> {
    let count: Option<usize> = if term.arguments.is_empty() { term.name.parse().ok() } else { None };
    count.filter(|&count| count <= MOST_MARKS)
}

/// The greatest number of marks in a row.
const MOST_MARKS: usize = 50;

/// The least number of things whose order is drawn.
const FEWEST_ORDERED: usize = 3;

/// The pieces or values of each owner, for all owners that there may be.
fn grouped(
    extent: &Extent,
    parts: impl Fn(&[GroundTerm]) -> (Vec<GroundTerm>, Piece),
) -> Vec<(Vec<GroundTerm>, Vec<Piece>)> {
    let mut groups: BTreeMap<Vec<GroundTerm>, Vec<Piece>> =
        extent.possible().map(|tuple| (parts(tuple).0, Vec::new())).collect();
    for tuple in extent.holding() {
        let (owner, piece) = parts(tuple);
        groups.entry(owner).or_default().push(piece);
    }
    groups.into_iter().collect()
}

/// The greatest number of nodes that are drawn.
const MOST_NODES: usize = 200;

/// The number of letters up to which neighbouring leaves need no gap between their words.
const SHORT: usize = 3;

/// The most rows between the levels of a tree.
const MOST_ROWS: usize = 7;

/// A node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct TreeNode {
    /// Its name.
    name: GroundTerm,
    /// The words of the declared layers at this node; empty if there are none.
    words: String,
    /// True if it is the current state.
    is_here: bool,
    /// The node above it, by its index, and the words on the branch.
    above: Option<(usize, String)>,
}

/// The nodes of a declared tree from the root, each after the one above it; none if its facts are no tree. Facts of
/// static layers are the words of nodes, or name their owners, and facts of other layers mark the current node. If the
/// facts have no parents, the root is the only node of the layers that is no node of the facts.
fn tree_nodes(declared: &picture::DeclaredFigure, extents: &[Extent], utilities: &Utilities) -> Vec<TreeNode> {
    let form = &declared.facts[0];
    let branches = &extents[0];
    if branches.possible().count() > MOST_NODES {
        return Vec::new();
    }
    let layers = || declared.facts[1..].iter().zip(&extents[1..]);
    let child = |form: &picture::FactForm, tuple: &[GroundTerm]| form.terms(&Field::Child, tuple).remove(0);
    let mut words = BTreeMap::new();
    let mut of_chance = BTreeSet::new();
    let mut here = BTreeSet::new();
    let mut places = BTreeSet::new();
    for (form, extent) in layers() {
        for tuple in extent.holding() {
            if form.is_static {
                if form.terms(&Field::Owner, tuple).iter().any(GroundTerm::is_chance) {
                    of_chance.insert(child(form, tuple));
                }
                let values = shown_values(form, tuple, utilities);
                if !values.is_empty() {
                    words.insert(child(form, tuple), values);
                }
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
        if nodes.len() == MOST_NODES || nodes.iter().any(|node| node.name == name) {
            return Vec::new();
        }
        let own = below.get(&name).map_or(&[][..], Vec::as_slice);
        // In reverse order, so that the first child is taken next.
        let all = own.iter().map(|(_, moves)| moves.len()).sum();
        let branch = |(child, moves): &(GroundTerm, Piece)| {
            let text = match of_chance.contains(&name) {
                true => share(moves.len(), all),
                false => full_name(moves),
            };
            // A node that shows its name needs it only once.
            let is_named = text == child.to_string() && !words.contains_key(child);
            (child.clone(), Some((nodes.len(), if is_named { String::new() } else { text })))
        };
        open.extend(own.iter().rev().map(branch));
        let words = words.get(&name).cloned().unwrap_or_default();
        let is_here = here.contains(&name);
        nodes.push(TreeNode { name, words, is_here, above });
    }
    nodes
}

/// The values of a fact as words: goal values as the utilities that they stand for.
fn shown_values(form: &picture::FactForm, tuple: &[GroundTerm], utilities: &Utilities) -> String {
    let value = |(field, term): (&Field, &GroundTerm)| match field {
        Field::Value => Some(term.to_string()),
        Field::Utility(role) => {
            Some(utilities.value(role, term).map_or_else(|| term.to_string(), |utility| utility.to_string()))
        }
        _ => None,
    };
    form.fields.iter().zip(tuple).filter_map(value).collect::<Vec<_>>().join(",")
}

/// The probability of some equal moves of chance among all.
fn share(moves: usize, all: usize) -> String {
    let share = i128::try_from(moves).ok().zip(u128::try_from(all).ok());
    share.and_then(|(moves, all)| Rational::new(moves, all)).map_or(String::new(), |share| share.to_string())
}

/// A tree as the squares of a picture: leaves side by side, each other node above the middle of those below it.
pub(super) fn tree_grid(title: &str, nodes: &[TreeNode]) -> Option<Grid> {
    if nodes.is_empty() {
        return None;
    }
    let mut depths: Vec<usize> = Vec::new();
    for node in nodes {
        depths.push(node.above.as_ref().map_or(0, |above| depths[above.0] + 1));
    }
    let mut columns = doubled_columns(nodes);
    let levels = depths.iter().max().copied().unwrap_or(0);
    let leaves = columns.iter().max().map_or(1, |last| last / 2 + 1);
    // A tree that is far wider than high is drawn higher, so that its branches are apart.
    let rows = (leaves / (3 * levels.max(1))).clamp(2, MOST_ROWS);
    let is_short = |text: &str, most: usize| text.chars().count() <= most;
    // The words on branches are nearer to the leaves where these are lower.
    let on_branch = if rows > 3 { SHORT + 1 } else { SHORT };
    let words = |node: &TreeNode| {
        is_short(&shown(node), SHORT + usize::from(node.above.is_none()))
            && node.above.as_ref().is_none_or(|(_, text)| is_short(text, on_branch))
    };
    if columns.iter().all(|column| column % 2 == 0) && nodes.iter().all(words) {
        columns.iter_mut().for_each(|column| *column /= 2);
    }
    let width = columns.iter().max().map_or(1, |last| last + 1);
    let height = rows * levels + 1;
    let at = |index: usize| (rows * depths[index], columns[index]);
    let mut squares = vec![vec![Square::outside(); width]; height];
    for (index, node) in nodes.iter().enumerate() {
        let (row, column) = at(index);
        squares[row][column] = node_square(node, below(nodes, index).next().is_none());
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
    // Children come after their parents, so their columns are known.
    for index in (0..nodes.len()).rev() {
        if let (Some(first), Some(last)) = (below(nodes, index).next(), below(nodes, index).next_back()) {
            columns[index] = usize::midpoint(columns[first], columns[last]);
        }
    }
    columns
}

/// The text at a node.
fn shown(tree: &TreeNode) -> String {
    if tree.words.is_empty() { tree.name.to_string() } else { tree.words.clone() }
}

/// A disc with the text of the node; a leaf with words is these words without a disc.
fn node_square(tree: &TreeNode, is_leaf: bool) -> Square {
    let text = shown(tree);
    let is_plain = is_leaf && !tree.words.is_empty() && !tree.is_here;
    let pictogram = (!is_plain).then(|| node(tree.is_here));
    Square { text, pictogram, ground: Ground::Bare, ..Square::default() }
}

/// The greatest number of cards.
const MOST_CARDS: usize = 24;

/// A value that is shown by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueCard {
    /// The name of the value.
    name: String,
    /// The value; empty if there is none.
    value: Piece,
    /// True if it says that a fact without arguments holds.
    is_flag: bool,
}

impl ValueCard {
    /// The cards of declared values. The role whose turn it is, a role without an owner, gets no card.
    pub(super) fn of_figure(figure: &Figure, roles: &[GroundTerm]) -> Vec<Self> {
        let Content::Values { values, is_flag } = &figure.content else { return Vec::new() };
        if *is_flag {
            let value =
                values.iter().flat_map(|(_, values)| values).map(|_| GroundTerm::symbol(&*figure.title)).collect();
            return vec![Self { name: figure.title.clone(), value, is_flag: true }];
        }
        let is_turn = |(owner, values): &(Piece, Vec<Piece>)| {
            owner.is_empty() && !values.is_empty() && values.iter().flatten().all(|value| roles.contains(value))
        };
        let card = |(owner, values): &(Piece, Vec<Piece>)| {
            let name =
                if owner.is_empty() { figure.title.clone() } else { format!("{} {}", full_name(owner), figure.title) };
            Self { name, value: values.iter().flatten().cloned().collect(), is_flag: false }
        };
        values.iter().filter(|of_owner| !is_turn(of_owner)).map(card).collect()
    }

    /// The cards of a relation of which nothing is declared, if its facts are values: at most one holds for each
    /// combination of all arguments but the last. `None` otherwise.
    pub(super) fn of_relation(extent: &Extent, roles: &[GroundTerm]) -> Option<Vec<Self>> {
        let Some(last) = extent.arity().checked_sub(1) else {
            let value = extent.holding().map(|_| GroundTerm::symbol(extent.name())).collect();
            return Some(vec![Self { name: extent.name().to_string(), value, is_flag: true }]);
        };
        if extent.range(last).into_iter().all(|value| roles.contains(value)) {
            return None;
        }
        let mut values: BTreeMap<&[GroundTerm], Piece> =
            extent.possible().map(|tuple| (&tuple[..last], Vec::new())).collect();
        for tuple in extent.holding() {
            values.entry(&tuple[..last]).or_default().push(tuple[last].clone());
        }
        let name = |owner: &[GroundTerm]| match owner {
            [] => extent.name().to_string(),
            owner => format!("{} {}", full_name(owner), extent.name()),
        };
        let is_value = values.len() <= MOST_CARDS && values.values().all(|value| value.len() <= 1);
        let cards =
            || values.iter().map(|(owner, value)| Self { name: name(owner), value: value.clone(), is_flag: false });
        is_value.then(|| cards().collect())
    }

    fn square(&self) -> Square {
        let label = self.name.clone();
        let ground = Ground::Card;
        if self.value.is_empty() {
            return Square { label, ground, ..Square::default() };
        }
        let words = piece_words(&self.value).concat();
        let sentence: Piece = self.name.split_whitespace().map(GroundTerm::symbol).collect();
        let shape = if self.is_flag { of_words(&sentence).or(Some(lamp())) } else { of_words(&self.value) };
        // A shape replaces the text for those who see it; programs that read the picture aloud use the text.
        let text = if self.is_flag { words } else { full_name(&self.value) };
        Square { text, pictogram: shape, label, ground, ..Square::default() }
    }
}

/// Cards side by side, in rows that are no longer than there are rows and one more; nothing if there are too many.
pub(super) fn card_grid(cards: &[ValueCard]) -> Option<Grid> {
    if cards.is_empty() || cards.len() > MOST_CARDS {
        return None;
    }
    // The side of the smallest square that holds all cards.
    let across = (1..=cards.len()).find(|across| across * across >= cards.len()).unwrap_or(1);
    let row = |cards: &[ValueCard]| {
        let mut row: Vec<Square> = cards.iter().map(ValueCard::square).collect();
        row.resize_with(across, Square::outside);
        row
    };
    Some(Grid::from_squares(cards.chunks(across).map(row).collect()))
}
