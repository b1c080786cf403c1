//! The signs of the pieces of a board: declared ones, and short names for the others.

use super::Piece;
use super::abbreviate::{full_name, names, numbered};
use super::pictograms::pictograms;
use crate::Pictogram;
use gdl::rules::GroundTerm;
use gdl::rules::picture::{FactForm, Glyph, Picture};
use std::collections::BTreeMap;

/// The sign of a square on which nothing stands, of one on which nothing ever can, and of a fact without a piece.
const EMPTY: &str = ".";
const WALL: &str = "#";
const MARK: &str = "*";

/// The signs of all pieces that a board may ever show, so that they stay the same during a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Glyphs {
    known: BTreeMap<Piece, Glyph>,
    /// The shapes of the pieces that have one.
    pictograms: BTreeMap<Piece, Pictogram>,
    /// The sign of a square on which nothing stands.
    pub(crate) empty: Glyph,
    /// The sign of a square on which nothing can ever stand.
    pub(crate) wall: Glyph,
    /// Whether all pieces are one word with different numbers, as `s0` to `s48`: in pictures only their numbers are
    /// drawn.
    is_numbered: bool,
    /// The piece that is taken for a blank, though no declaration says so.
    guessed_blank: Option<Piece>,
}

impl Glyphs {
    /// The signs of these pieces; `mark` is the only one that stands for facts without a piece. `is_full` says that
    /// each square begins with a fact, so that `b`, `blank` and `empty` are blanks; if the board is declared, they are
    /// what its sheet says.
    pub(super) fn new(
        mut pieces: Vec<Piece>,
        mark: Option<&Piece>,
        picture: &Picture,
        is_full: bool,
        is_declared: bool,
    ) -> Self {
        pieces.sort();
        pieces.dedup();
        let plain = |text: &str| Glyph { text: text.to_string(), colour: None };
        let empty = picture.empty.clone().unwrap_or_else(|| plain(EMPTY));
        let wall = picture.wall.clone().unwrap_or_else(|| plain(WALL));
        let mut glyphs = Self {
            known: BTreeMap::new(),
            pictograms: BTreeMap::new(),
            empty,
            wall,
            is_numbered: is_numbered(&others_of(&pieces, picture)),
            guessed_blank: None,
        };
        let mut others = Vec::new();
        for piece in pieces {
            let is_blank = !is_declared && is_full && matches!(&full_name(&piece)[..], "b" | "blank" | "empty");
            match picture.glyph(&piece) {
                Some(glyph) => {
                    glyphs.known.insert(piece, glyph.clone());
                }
                None if is_blank => {
                    let glyph = glyphs.empty.clone();
                    glyphs.guessed_blank = Some(piece.clone());
                    glyphs.known.insert(piece, glyph);
                }
                None if Some(&piece) == mark => {
                    glyphs.known.insert(piece, plain(MARK));
                }
                None => others.push(piece),
            }
        }
        let short = names(&others);
        let is_taken = |text: &str| {
            let mut taken = glyphs.known.values().chain([&glyphs.empty, &glyphs.wall]);
            taken.any(|glyph| glyph.text == text)
        };
        let is_unique = short.values().all(|name| !is_taken(name));
        let name = |piece: &Piece| if is_unique { short[piece].clone() } else { full_name(piece) };
        let named: Vec<(Piece, Glyph)> = others.iter().map(|piece| (piece.clone(), plain(&name(piece)))).collect();
        glyphs.known.extend(named);
        let seen = glyphs.known.iter().filter(|(piece, _)| !glyphs.is_blank(piece));
        glyphs.pictograms = pictograms(seen, glyphs.is_numbered).collect();
        glyphs
    }

    /// What stands for a piece of these facts here: the piece, or, for facts without one, the name of their relation.
    pub(super) fn key(form: &FactForm, piece: &Piece) -> Piece {
        if piece.is_empty() { vec![GroundTerm::symbol(form.relation.clone())] } else { piece.clone() }
    }

    /// The sign of a piece of the board.
    pub(crate) fn glyph(&self, key: &Piece) -> &Glyph {
        self.known.get(key).unwrap_or(&self.empty)
    }

    /// The shape of a piece, if it has one.
    pub(super) fn pictogram(&self, key: &Piece) -> Option<Pictogram> {
        self.pictograms.get(key).copied()
    }

    /// The text of a piece in pictures: its sign, or its number if that is what tells the pieces apart.
    pub(super) fn drawn_text(&self, key: &Piece) -> String {
        match (&key[..], self.is_numbered) {
            ([term], true) => {
                numbered(&term.name).map_or_else(|| term.name.to_string(), |(_, number)| number.to_string())
            }
            _ => self.glyph(key).text.clone(),
        }
    }

    /// Whether a piece is drawn like an empty square, or not at all.
    pub(crate) fn is_blank(&self, key: &Piece) -> bool {
        let text = &self.glyph(key).text;
        *text == self.empty.text || text.trim().is_empty()
    }

    /// The meaning of a sign, if it does not show it.
    pub(super) fn meaning(&self, key: &Piece) -> Option<String> {
        let glyph = self.glyph(key);
        let full = full_name(key);
        let is_evident =
            glyph.text.eq_ignore_ascii_case(&full) || self.is_blank(key) && self.guessed_blank.as_ref() != Some(key);
        (!is_evident).then(|| format!("{} = {full}", glyph.text))
    }

    /// All signs of pieces.
    pub(super) fn all(&self) -> impl Iterator<Item = &Glyph> {
        self.known.values()
    }
}

/// The pieces of which no sign is declared.
fn others_of<'a>(pieces: &'a [Piece], picture: &Picture) -> Vec<&'a Piece> {
    pieces.iter().filter(|piece| picture.glyph(piece).is_none()).collect()
}

/// The least number of names of one word with different numbers that are taken for numbers.
const FEWEST_NUMBERED: usize = 5;

/// Whether all names are one word with different numbers.
fn is_numbered(pieces: &[&Piece]) -> bool {
    let word = |piece: &&Piece| match &piece[..] {
        [term] if term.arguments.is_empty() => numbered(&term.name).map(|(word, _)| word.to_string()),
        _ => None,
    };
    let words: Option<Vec<String>> = pieces.iter().map(word).collect();
    words.is_some_and(|words| words.len() >= FEWEST_NUMBERED && words.windows(2).all(|pair| pair[0] == pair[1]))
}
