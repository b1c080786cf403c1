//! Which shape stands for a piece: chosen by its name, else by its declared sign.
//!
//! The table of words is that of docs/boards.md. A piece without a known word keeps its text.

use super::Piece;
use super::abbreviate::{full_name, numbered, piece_words};
use crate::drawing::{Pictogram, PieceShape};
use crate::rules::picture::{Colour, Glyph};

/// A colour of bodies, and that of the outline and the details on it.
type Tone = (&'static str, &'static str);

const WHITE: Tone = ("#fbf7ec", "#2b2a27");
const BLACK: Tone = ("#3a3d42", "#0e0f11");
const RED: Tone = ("#cf4034", "#5c1410");
const YELLOW: Tone = ("#efc13a", "#6a4c06");
const GREEN: Tone = ("#3c9a5a", "#0f3f20");
const BLUE: Tone = ("#3c7fc4", "#0f2f55");
const CYAN: Tone = ("#2fa3ad", "#0b4348");
const MAGENTA: Tone = ("#a653b5", "#43134c");
const GREY: Tone = ("#9aa0a8", "#3d4147");
const BROWN: Tone = ("#b07a45", "#4e3010");
const CHARRED: Tone = ("#d8773a", "#3f3833");
const ORANGE: Tone = ("#e58a34", "#643107");
const IVORY: Tone = ("#f6e7c8", "#4a3a1c");

/// Words for colours.
const TONES: [(&str, Tone); 19] = [
    ("white", WHITE),
    ("w", WHITE),
    ("light", WHITE),
    ("black", BLACK),
    ("b", BLACK),
    ("dark", BLACK),
    ("red", RED),
    ("r", RED),
    ("yellow", YELLOW),
    ("y", YELLOW),
    ("green", GREEN),
    ("blue", BLUE),
    ("cyan", CYAN),
    ("teal", CYAN),
    ("magenta", MAGENTA),
    ("purple", MAGENTA),
    ("grey", GREY),
    ("brown", BROWN),
    ("orange", ORANGE),
];

/// Words for shapes, with the colour that they have if none is named.
const SHAPES: [(&str, PieceShape, Tone); 69] = [
    ("king", PieceShape::King, IVORY),
    ("queen", PieceShape::Queen, IVORY),
    ("rook", PieceShape::Rook, IVORY),
    ("castle", PieceShape::Rook, IVORY),
    ("bishop", PieceShape::Bishop, IVORY),
    ("knight", PieceShape::Knight, IVORY),
    ("horse", PieceShape::Knight, IVORY),
    ("pawn", PieceShape::Pawn, IVORY),
    ("crowned", PieceShape::Crowned, IVORY),
    ("dame", PieceShape::Crowned, IVORY),
    ("man", PieceShape::Disc, IVORY),
    ("checker", PieceShape::Disc, IVORY),
    ("disc", PieceShape::Disc, IVORY),
    ("disk", PieceShape::Disc, IVORY),
    ("counter", PieceShape::Disc, IVORY),
    ("token", PieceShape::Disc, IVORY),
    ("peg", PieceShape::Disc, BROWN),
    ("stone", PieceShape::Stone, GREY),
    ("x", PieceShape::Cross, BLUE),
    ("cross", PieceShape::Cross, BLUE),
    ("o", PieceShape::Ring, RED),
    ("circle", PieceShape::Ring, RED),
    ("nought", PieceShape::Ring, RED),
    ("ring", PieceShape::Ring, RED),
    ("wall", PieceShape::Wall, BROWN),
    ("brick", PieceShape::Wall, BROWN),
    ("box", PieceShape::Block, BROWN),
    ("crate", PieceShape::Block, BROWN),
    ("block", PieceShape::Block, BROWN),
    ("pellet", PieceShape::Pellet, YELLOW),
    ("food", PieceShape::Pellet, YELLOW),
    ("dot", PieceShape::Pellet, YELLOW),
    ("power", PieceShape::Stone, MAGENTA),
    ("ghost", PieceShape::Ghost, RED),
    ("monster", PieceShape::Ghost, RED),
    ("blinky", PieceShape::Ghost, RED),
    ("inky", PieceShape::Ghost, CYAN),
    ("pacman", PieceShape::Eater, YELLOW),
    ("door", PieceShape::Door, BROWN),
    ("exit", PieceShape::Door, BROWN),
    ("gate", PieceShape::Door, BROWN),
    ("opened", PieceShape::OpenDoor, BROWN),
    ("car", PieceShape::Car, RED),
    ("rock", PieceShape::Rock, GREY),
    ("paper", PieceShape::Paper, WHITE),
    ("scissors", PieceShape::Scissors, CYAN),
    ("fist", PieceShape::Fist, IVORY),
    ("lamp", PieceShape::Lamp, YELLOW),
    ("lit", PieceShape::Lamp, YELLOW),
    ("on", PieceShape::Lamp, YELLOW),
    ("treasure", PieceShape::Gem, CYAN),
    ("gold", PieceShape::Gem, YELLOW),
    ("gem", PieceShape::Gem, CYAN),
    ("diamond", PieceShape::Gem, CYAN),
    ("coin", PieceShape::Gem, YELLOW),
    ("robot", PieceShape::Person, GREEN),
    ("agent", PieceShape::Person, GREEN),
    ("person", PieceShape::Person, GREEN),
    ("player", PieceShape::Person, GREEN),
    ("explorer", PieceShape::Person, GREEN),
    ("runner", PieceShape::Person, GREEN),
    ("runners", PieceShape::Person, GREEN),
    ("hunter", PieceShape::Person, GREEN),
    // What an arrow has hit, as in Amazons.
    ("arrow", PieceShape::Burnt, CHARRED),
    ("burnt", PieceShape::Burnt, CHARRED),
    ("north", PieceShape::ArrowUp, BLUE),
    ("south", PieceShape::ArrowDown, BLUE),
    ("west", PieceShape::ArrowLeft, BLUE),
    ("east", PieceShape::ArrowRight, BLUE),
];

/// Signs of a declaration that stand for shapes.
const SIGNS: [(&str, PieceShape, Tone); 19] = [
    ("X", PieceShape::Cross, BLUE),
    ("O", PieceShape::Ring, RED),
    ("@", PieceShape::Person, GREEN),
    ("●", PieceShape::Disc, BLACK),
    ("○", PieceShape::Ring, RED),
    ("♔", PieceShape::King, WHITE),
    ("♕", PieceShape::Queen, WHITE),
    ("♖", PieceShape::Rook, WHITE),
    ("♗", PieceShape::Bishop, WHITE),
    ("♘", PieceShape::Knight, WHITE),
    ("♙", PieceShape::Pawn, WHITE),
    ("♚", PieceShape::King, BLACK),
    ("♛", PieceShape::Queen, BLACK),
    ("♜", PieceShape::Rook, BLACK),
    ("♝", PieceShape::Bishop, BLACK),
    ("♞", PieceShape::Knight, BLACK),
    ("♟", PieceShape::Pawn, BLACK),
    ("◆", PieceShape::Gem, CYAN),
    ("■", PieceShape::Block, BROWN),
];

const DICE: [PieceShape; 6] =
    [PieceShape::Die1, PieceShape::Die2, PieceShape::Die3, PieceShape::Die4, PieceShape::Die5, PieceShape::Die6];

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
        are_names: letters(&|name| !is_colour(name) && find(&SHAPES, &name.to_lowercase()).is_none()),
    };
    let own = move |piece, glyph| match are_numbered {
        true => (!is_zero(piece)).then_some(with(PieceShape::Tile, IVORY)),
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
    with(PieceShape::Node, if is_here { YELLOW } else { IVORY })
}

/// What is counted in a hollow.
pub(super) fn seed() -> Pictogram {
    with(PieceShape::Seed, BROWN)
}

/// What says that a fact without arguments holds.
pub(super) fn lamp() -> Pictogram {
    with(PieceShape::Lamp, YELLOW)
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
        return signs.are_numbers.then_some(with(PieceShape::Tile, IVORY));
    }
    let words: Vec<String> = match chess(&name) {
        Some(words) if signs.is_chess => words.map(str::to_string).into(),
        _ => piece_words(piece).iter().map(|word| word.to_lowercase()).collect(),
    };
    let named = words.iter().rev().find_map(|word| find(&SHAPES, word));
    let own = words.iter().find_map(|word| tone(word));
    let declared = glyph.colour.map(Colour::tone);
    if words.iter().any(|word| word == "die" || word == "dice") {
        // A die of which nothing more is known shows five pips.
        let pips: usize = words.iter().find_map(|word| word.parse().ok()).unwrap_or(5);
        return DICE.get(pips.checked_sub(1)?).map(|&shape| with(shape, own.or(declared).unwrap_or(IVORY)));
    }
    if let Some((shape, usual)) = named {
        return Some(with(shape, own.or(declared).unwrap_or(usual)));
    }
    // A colour alone is a disc: `red`, `white`.
    if let (Some(tone), 1) = (own, words.len())
        && (signs.are_colours || !is_letter(&name))
    {
        return Some(with(PieceShape::Disc, tone));
    }
    match find(&SIGNS, &glyph.text) {
        Some((shape, usual)) => Some(with(shape, declared.unwrap_or(usual))),
        None => (signs.are_names && is_letter(&name)).then_some(with(PieceShape::Tile, IVORY)),
    }
}

fn find(table: &[(&str, PieceShape, Tone)], word: &str) -> Option<(PieceShape, Tone)> {
    table.iter().find(|(known, ..)| *known == word).map(|&(_, shape, tone)| (shape, tone))
}

/// The colour of a word.
fn tone(word: &str) -> Option<Tone> {
    TONES.iter().find(|(known, _)| *known == word).map(|&(_, tone)| tone)
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

impl Colour {
    /// The colours of a drawn piece.
    fn tone(self) -> Tone {
        match self {
            Self::Black => BLACK,
            Self::Red => RED,
            Self::Green => GREEN,
            Self::Yellow => YELLOW,
            Self::Blue => BLUE,
            Self::Magenta => MAGENTA,
            Self::Cyan => CYAN,
            Self::White => WHITE,
            Self::Grey => GREY,
        }
    }
}
