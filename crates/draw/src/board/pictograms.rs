//! Which shape stands for a piece: chosen by its name, else by its declared sign.
//!
//! The words and signs are the data of `pieces.txt`. A piece without a known word keeps its text.

use super::Piece;
use super::abbreviate::{full_name, numbered, piece_words};
use crate::{Pictogram, PieceShape};
use gdl::rules::picture::{Colour, Glyph};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A colour of bodies, and that of the outline and the details on it.
type Tone = (&'static str, &'static str);

/// What `pieces.txt` says.
#[derive(Default)]
struct PieceTable {
    /// All colours by their names.
    colours: BTreeMap<&'static str, Tone>,
    /// The colours that words stand for.
    colour_words: BTreeMap<&'static str, Tone>,
    /// The shapes that words stand for, with their usual colours.
    shapes: BTreeMap<&'static str, Pictogram>,
    /// The shapes that signs of a declaration stand for, with their usual colours.
    signs: BTreeMap<&'static str, Pictogram>,
}

static TABLE: LazyLock<PieceTable> =
    LazyLock::new(|| PieceTable::read(include_str!("pieces.txt")).expect("the table is as its first lines say"));

impl PieceTable {
    fn read(text: &'static str) -> Option<Self> {
        let mut table = Self::default();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let mut words = line.split_whitespace();
            let kind = words.next()?;
            let name = words.next()?;
            if kind == "colour" {
                let tone = (words.next()?, words.next()?);
                table.colours.insert(name, tone);
                table.colour_words.extend(words.map(|word| (word, tone)));
                continue;
            }
            let usual = with(PieceShape::named(name)?, *table.colours.get(words.next()?)?);
            let known = if kind == "word" { &mut table.shapes } else { &mut table.signs };
            known.extend(words.map(|word| (word, usual)));
        }
        Some(table)
    }
}

/// The letters of chess pieces in names of two letters, such as `wp` and `bk`.
const CHESS: [(char, &str); 6] =
    [('k', "king"), ('q', "queen"), ('r', "rook"), ('b', "bishop"), ('n', "knight"), ('p', "pawn")];
/// The number of pieces with such a name that a board has before they are taken for chess pieces.
const FEWEST_CHESS: usize = 3;

/// The shapes of the pieces of a board, as far as they are known. `pieces` are all that it may ever show; if they are
/// numbered, all but zero are tiles.
pub(super) fn pictograms<'a>(
    pieces: impl Iterator<Item = (&'a Piece, &'a Glyph)> + Clone,
    are_numbered: bool,
) -> impl Iterator<Item = (Piece, Pictogram)> {
    let names = pieces.clone().map(|(piece, _)| full_name(piece));
    let is_chess = names.clone().filter(|name| chess(name).is_some()).count() >= FEWEST_CHESS;
    let is_colour = |name: &str| tone(&name.to_lowercase()).is_some();
    let letters =
        |is_wanted: &dyn Fn(&str) -> bool| names.clone().filter(|name| is_letter(name) && is_wanted(name)).count() > 1;
    let signs = Signs {
        is_chess,
        are_numbers: names.clone().filter(|name| is_number(name)).count() > 1,
        are_colours: letters(&is_colour),
        are_names: letters(&|name| !is_colour(name) && !TABLE.shapes.contains_key(&*name.to_lowercase())),
    };
    let own = move |piece, glyph| match are_numbered {
        true => (!is_zero(piece)).then(|| plain(PieceShape::Tile, "ivory")),
        false => pictogram(piece, glyph, signs),
    };
    pieces.filter_map(move |(piece, glyph)| Some((piece.clone(), own(piece, glyph)?)))
}

/// The shape that stands for words wherever they are, if there is one.
pub(super) fn of_words(words: &Piece) -> Option<Pictogram> {
    let nothing = Signs { is_chess: false, are_numbers: false, are_colours: false, are_names: false };
    pictogram(words, &Glyph::default(), nothing)
}

/// A disc of a tree, which shows its words; marked where the game is.
pub(super) fn node(is_here: bool) -> Pictogram {
    plain(PieceShape::Node, if is_here { "yellow" } else { "ivory" })
}

/// What is counted in a hollow.
pub(super) fn seed() -> Pictogram {
    plain(PieceShape::Seed, "brown")
}

/// What says that a fact without arguments holds.
pub(super) fn lamp() -> Pictogram {
    plain(PieceShape::Lamp, "yellow")
}

/// What short names stand for, as all pieces of a board together show.
#[derive(Clone, Copy)]
struct Signs {
    /// Names of two letters are chess pieces.
    is_chess: bool,
    /// Numbers are tiles.
    are_numbers: bool,
    /// Letters are colours: `w` beside `b`, and not `b` beside `a` and `c`.
    are_colours: bool,
    /// Letters are tiles: `a` beside `b` and `c`.
    are_names: bool,
}

fn pictogram(piece: &Piece, glyph: &Glyph, signs: Signs) -> Option<Pictogram> {
    let name = full_name(piece);
    if is_number(&name) {
        return signs.are_numbers.then(|| plain(PieceShape::Tile, "ivory"));
    }
    let words: Vec<String> = match chess(&name) {
        Some(words) if signs.is_chess => words.map(str::to_string).into(),
        _ => piece_words(piece).iter().map(|word| word.to_lowercase()).collect(),
    };
    let named = words.iter().rev().find_map(|word| TABLE.shapes.get(&**word));
    let own = words.iter().find_map(|word| tone(word));
    let declared = glyph.colour.map(declared_tone);
    let coloured = |usual: Pictogram, colour: Option<Tone>| match colour {
        Some(colour) => with(usual.shape, colour),
        None => usual,
    };
    if words.iter().any(|word| word == "die" || word == "dice") {
        // A die of which nothing more is known shows five pips.
        let pips: usize = words.iter().find_map(|word| word.parse().ok()).unwrap_or(5);
        let die = plain(PieceShape::named(&format!("die{pips}"))?, "ivory");
        return Some(coloured(die, own.or(declared)));
    }
    if let Some(usual) = named {
        return Some(coloured(*usual, own.or(declared)));
    }
    // A colour alone is a disc: `red`, `white`.
    if let (Some(tone), 1) = (own, words.len())
        && (signs.are_colours || !is_letter(&name))
    {
        return Some(with(PieceShape::Disc, tone));
    }
    match TABLE.signs.get(&*glyph.text) {
        Some(usual) => Some(coloured(*usual, declared)),
        None => (signs.are_names && is_letter(&name)).then(|| plain(PieceShape::Tile, "ivory")),
    }
}

/// The colour of a word.
fn tone(word: &str) -> Option<Tone> {
    TABLE.colour_words.get(word).copied()
}

/// A shape in the colour with this name in the table.
fn plain(shape: PieceShape, colour: &str) -> Pictogram {
    with(shape, TABLE.colours[colour])
}

fn with(shape: PieceShape, (fill, ink): Tone) -> Pictogram {
    Pictogram { shape, fill, ink }
}

/// Whether a name is a number of at most three digits.
fn is_number(name: &str) -> bool {
    (1..=3).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a piece is one word with the number zero, such as `s0`.
fn is_zero(piece: &Piece) -> bool {
    numbered(&full_name(piece)).is_some_and(|(_, number)| number.bytes().all(|digit| digit == b'0'))
}

fn is_letter(name: &str) -> bool {
    name.len() == 1
}

/// The colour and the piece of a name such as `wp` or `bK`.
fn chess(name: &str) -> Option<[&'static str; 2]> {
    let lower = name.to_lowercase();
    let [colour, piece] = lower.chars().collect::<Vec<_>>()[..] else { return None };
    let colour = match colour {
        'w' => "white",
        'b' => "black",
        _ => return None,
    };
    let (_, piece) = CHESS.iter().find(|(letter, _)| *letter == piece)?;
    Some([colour, piece])
}

/// The colours of a drawn piece.
fn declared_tone(colour: Colour) -> Tone {
    TABLE.colours[colour.name()]
}
