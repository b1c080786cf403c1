//! What is drawn of a position in other ways than as a board: stacks, bars, trees, hands, values.

use super::Extent;
use super::Piece;
use super::tree::{TreeNode, nodes};
use gdl::rules::GroundTerm;
use gdl::rules::picture::{self, Colour, Field, FigureKind, Glyph, Picture};
use serde::Serialize;
use std::collections::BTreeMap;

/// A figure of a position, other than a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Figure {
    /// The name of the relation, or the declared words.
    pub(crate) title: String,
    /// What is drawn.
    #[serde(flatten)]
    pub(crate) content: Content,
}

/// What a figure shows.
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
    /// Equal marks, as many as a number says.
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
        /// Each owner with what it has.
        hands: Vec<(Vec<GroundTerm>, Vec<Piece>)>,
        /// The colours of the pieces that have one.
        #[serde(skip)]
        colours: BTreeMap<Piece, Colour>,
    },
    /// A value for each owner; the name of the owner is empty if there is only one.
    Values {
        /// Each owner with its values.
        values: Vec<(Vec<GroundTerm>, Vec<Piece>)>,
        /// Whether the facts are without arguments, so that they hold or not.
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
    pub(super) fn new(declared: &picture::DeclaredFigure, extents: &[Extent], picture: &Picture) -> Self {
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
            FigureKind::Tree => Content::Tree { nodes: nodes(declared, extents) },
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

/// What the facts of each owner have, for all owners that there may be.
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
