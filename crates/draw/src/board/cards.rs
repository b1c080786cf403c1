//! Values as cards, for pictures of games that have neither boards nor stacks nor bars nor trees: a card for each
//! value, which bears the name of its relation and its owner.

use super::abbreviate::{full_name, piece_words};
use super::figure::{Content, Figure};
use super::pictograms::{lamp, of_words};
use super::sign::label;
use super::{Extent, Piece};
use crate::{Grid, Ground, Square};
use gdl::rules::GroundTerm;
use std::collections::BTreeMap;

/// The greatest number of cards.
const MOST: usize = 24;

/// A value that is shown by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueCard {
    /// What has the value.
    name: String,
    /// The value; empty if there is none.
    value: Piece,
    /// Whether it says that a fact without arguments holds.
    is_flag: bool,
}

impl ValueCard {
    /// The cards of declared values. Whose turn it is, is no card: the name of a role without an owner.
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
                if owner.is_empty() { figure.title.clone() } else { format!("{} {}", label(owner), figure.title) };
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
            owner => format!("{} {}", label(owner), extent.name()),
        };
        let is_value = values.len() <= MOST && values.values().all(|value| value.len() <= 1);
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
        // What has a shape needs no text, but for those who do not see it.
        let text = if self.is_flag { words } else { full_name(&self.value) };
        Square { text, pictogram: shape, label, ground, ..Square::default() }
    }
}

/// Cards side by side, in rows that are no longer than there are rows and one more; nothing if there are too many.
pub(super) fn grid(cards: &[ValueCard]) -> Option<Grid> {
    if cards.is_empty() || cards.len() > MOST {
        return None;
    }
    let across = (1..=cards.len()).find(|across| across * across >= cards.len()).unwrap_or(1);
    let row = |cards: &[ValueCard]| {
        let mut row: Vec<Square> = cards.iter().map(ValueCard::square).collect();
        row.resize_with(across, Square::outside);
        row
    };
    Some(Grid::from_squares(cards.chunks(across).map(row).collect()))
}
