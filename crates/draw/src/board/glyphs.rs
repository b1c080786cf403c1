//! The signs of the pieces of a board: declared ones, short names for the others, and the shapes of pictures.
//!
//! A shape is chosen by the name of a piece, else by its declared sign. The words and signs are the data of
//! `pieces.txt`; a piece without a known word keeps its text.

use super::Piece;
use crate::{Pictogram, PieceShape};
use gdl::rules::GroundTerm;
use gdl::rules::picture::{Colour, FactForm, Glyph, Picture};
use gdl::sorting;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The sign of a square without a value where each has one at the start.
pub(super) const NO_VALUE: &str = "?";

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
    /// True if all pieces are one word with different numbers, as `s0` to `s48`: in pictures only their numbers are
    /// drawn.
    is_numbered: bool,
    /// The piece that is taken for a blank, though no declaration says so.
    guessed_blank: Option<Piece>,
    /// The piece that stands for an empty square, guessed or declared, if each square begins with a piece and there is only
    /// one such piece.
    only_blank: Option<Piece>,
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
            only_blank: None,
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
        let mut blanks = glyphs.known.keys().filter(|piece| is_full && glyphs.is_blank(piece));
        let declared = blanks.next().filter(|_| blanks.next().is_none());
        glyphs.only_blank = glyphs.guessed_blank.as_ref().or(declared).cloned();
        glyphs
    }

    /// The key of a piece of these facts: the piece, or, for facts without one, the name of their relation.
    pub(super) fn key(form: &FactForm, piece: &Piece) -> Piece {
        if piece.is_empty() { vec![GroundTerm::symbol(form.relation.clone())] } else { piece.clone() }
    }

    /// The sign of a piece of the board.
    pub(crate) fn glyph(&self, key: &Piece) -> &Glyph {
        self.known.get(key).unwrap_or(&self.empty)
    }

    /// The signs of a square that breaks the frame rule: each square has one value at the start, one of which is a blank,
    /// and this one has none, or another beside the blank. `None` for all other squares.
    pub(super) fn faulty(&self, keys: &[Piece]) -> Option<Vec<Glyph>> {
        let blank = self.only_blank.as_ref()?;
        let plain = |text: &str| Glyph { text: text.to_string(), colour: None };
        match keys {
            [] => Some(vec![plain(NO_VALUE)]),
            [_, _, ..] if keys.contains(blank) => {
                let sign = |key: &Piece| if key == blank { plain(&full_name(key)) } else { self.glyph(key).clone() };
                Some(keys.iter().map(sign).collect())
            }
            _ => None,
        }
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

    /// True if a piece is drawn like an empty square, or not at all.
    pub(crate) fn is_blank(&self, key: &Piece) -> bool {
        let text = &self.glyph(key).text;
        *text == self.empty.text || text.trim().is_empty()
    }

    /// The meaning of a sign, if the sign is not the name itself.
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

/// True if all names are one word with different numbers.
fn is_numbered(pieces: &[&Piece]) -> bool {
    let word = |piece: &&Piece| match &piece[..] {
        [term] if term.arguments.is_empty() => numbered(&term.name).map(|(word, _)| word.to_string()),
        _ => None,
    };
    let words: Option<Vec<String>> = pieces.iter().map(word).collect();
    words.is_some_and(|words| words.len() >= FEWEST_NUMBERED && words.windows(2).all(|pair| pair[0] == pair[1]))
}

/// The length up to which names are not abbreviated, in characters; if one name is longer, all are abbreviated.
const LONGEST: usize = 3;

/// The names under which pieces are drawn. If any name has more than three characters, all are abbreviated, word by
/// word (`white,pawn` and `white_pawn` and `whitePawn` have two words), each to a letter of its own: its first one that
/// no other word at its index has, the shorter words first, or else its shortest prefix that no other word has. If two
/// pieces would then have the same name, all keep their full names.
pub(super) fn names(pieces: &[Piece]) -> BTreeMap<Piece, String> {
    let full: BTreeMap<Piece, String> = pieces.iter().map(|piece| (piece.clone(), full_name(piece))).collect();
    if full.values().all(|name| name.chars().count() <= LONGEST) {
        return full;
    }
    let words: Vec<Vec<String>> = pieces.iter().map(piece_words).collect();
    // Words are abbreviated together with those at the same index of other pieces.
    let mut known: Vec<BTreeSet<&str>> = Vec::new();
    for piece in &words {
        known.resize(known.len().max(piece.len()), BTreeSet::new());
        for (index, word) in piece.iter().enumerate() {
            known[index].insert(word);
        }
    }
    let letters: Vec<BTreeMap<&str, String>> = known.iter().map(letters).collect();
    let short: Vec<String> = words.iter().map(|piece| abbreviated(piece, &letters)).collect();
    let different: BTreeSet<&String> = short.iter().collect();
    if different.len() < short.len() { full } else { pieces.iter().cloned().zip(short).collect() }
}

/// Terms with commas between them: the full name of a piece, or the label of a coordinate.
pub(super) fn full_name(terms: &[GroundTerm]) -> String {
    terms.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn abbreviated(words: &[String], letters: &[BTreeMap<&str, String>]) -> String {
    let mut name = String::new();
    for (word, letters) in words.iter().zip(letters) {
        let short = &letters[word.as_str()];
        if name.ends_with(|c: char| c.is_ascii_digit()) && short.starts_with(|c: char| c.is_ascii_digit()) {
            name.push(',');
        }
        name += short;
    }
    name
}

/// The abbreviations of words that stand at the same index; numbers are not abbreviated.
fn letters<'a>(words: &BTreeSet<&'a str>) -> BTreeMap<&'a str, String> {
    let mut sorted: Vec<&str> = words.iter().copied().collect();
    // Single letters first, so that they stand for themselves.
    sorting::sort_by_key(&mut sorted, |word| word.chars().count() > 1);
    let mut taken = BTreeSet::new();
    let mut letters = BTreeMap::new();
    for word in sorted {
        let is_number = word.parse::<i128>().is_ok();
        let free = || word.chars().find(|letter| letter.is_alphabetic() && !taken.contains(letter));
        let short = match free() {
            _ if is_number => word.to_string(),
            Some(letter) => {
                taken.insert(letter);
                letter.to_string()
            }
            None => prefix(word, words).to_string(),
        };
        letters.insert(word, short);
    }
    letters
}

/// The shortest prefix of a word that no other word has.
fn prefix<'a>(word: &'a str, known: &BTreeSet<&str>) -> &'a str {
    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
    let is_unique = |end: &usize| !known.iter().any(|other| *other != word && other.starts_with(&word[..*end]));
    &word[..ends.into_iter().find(is_unique).unwrap_or(word.len())]
}

/// The words of a piece, term by term.
pub(super) fn piece_words(piece: &Piece) -> Vec<String> {
    let words = piece
        .iter()
        .flat_map(|term| if term.arguments.is_empty() { split(&term.name) } else { vec![term.to_string()] });
    words.collect()
}

/// The words in a name: a new one begins at a capital after a lower-case letter, at a digit after a letter, and after
/// `_` or `-`.
fn split(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = None;
    for c in name.chars() {
        let begins = before.is_some_and(|before: char| {
            (c.is_uppercase() && before.is_lowercase()) || (c.is_ascii_digit() && before.is_alphabetic())
        });
        if begins || matches!(before, Some('_' | '-')) && words.concat().chars().any(char::is_alphanumeric) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(c);
        }
        before = Some(c);
    }
    words
}

/// The letters and the number of a name such as `s12`.
pub(super) fn numbered(name: &str) -> Option<(&str, &str)> {
    let (word, number) = name.split_at(name.find(|letter: char| letter.is_ascii_digit())?);
    let is_plain = !word.is_empty() && word.chars().all(char::is_alphabetic);
    (is_plain && number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit())).then_some((word, number))
}

/// A colour of bodies, and that of the outline and the details on it.
type Tone = (&'static str, &'static str);

/// The contents of `pieces.txt`.
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
    let letters_of_chess: Vec<[&str; 2]> = names.clone().filter_map(|name| chess(&name)).collect();
    // A short name that is no piece of chess shows that the others mean something else as well: `br` beside `go`.
    let is_other =
        |name: String| (2..=3).contains(&name.len()) && name.chars().all(char::is_alphabetic) && chess(&name).is_none();
    let is_chess = letters_of_chess.len() >= FEWEST_CHESS && !names.clone().any(is_other);
    let is_draughts = is_chess && letters_of_chess.iter().all(|[_, piece]| ["pawn", "king"].contains(piece));
    let is_colour = |name: &str| tone(&name.to_lowercase()).is_some();
    let letters =
        |is_wanted: &dyn Fn(&str) -> bool| names.clone().filter(|name| is_letter(name) && is_wanted(name)).count() > 1;
    let signs = Signs {
        is_chess,
        is_draughts,
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
    let nothing =
        Signs { is_chess: false, is_draughts: false, are_numbers: false, are_colours: false, are_names: false };
    pictogram(words, &Glyph::default(), nothing)
}

/// A disc of a tree, which shows its words; marked where the game is.
pub(super) fn node(is_here: bool) -> Pictogram {
    plain(PieceShape::Node, if is_here { "yellow" } else { "ivory" })
}

/// A thing that is counted in a hollow.
pub(super) fn seed() -> Pictogram {
    plain(PieceShape::Seed, "brown")
}

/// The sign that a fact without arguments holds.
pub(super) fn lamp() -> Pictogram {
    plain(PieceShape::Lamp, "yellow")
}

/// The meaning of short names, which all pieces of a board together show.
#[derive(Clone, Copy)]
struct Signs {
    /// Names of two letters are chess pieces.
    is_chess: bool,
    /// Of these there are only pawns and kings, the men and the crowned pieces of draughts.
    is_draughts: bool,
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
        Some([colour, piece]) if signs.is_draughts => {
            let kind = if piece == "king" { "crowned" } else { "man" };
            vec![colour.to_string(), kind.to_string()]
        }
        Some(words) if signs.is_chess => words.map(str::to_string).into(),
        _ => piece_words(piece).iter().map(|word| word.to_lowercase()).collect(),
    };
    // The last known word is the shape and the first colour its colour, as in `white_pawn`.
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

/// True if a name is a number of at most three digits.
fn is_number(name: &str) -> bool {
    (1..=3).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_digit())
}

/// True if a piece is one word with the number zero, such as `s0`.
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
