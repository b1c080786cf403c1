//! Boards whose squares have one name each, of a letter and a number: `a1`, `a2`, `b1`. Letters are files and numbers
//! ranks, as on a chess board, unless the squares are the rows of a pattern of hexagons: a row without gaps for each letter,
//! of lengths that put each square of a centred row between two of the next.

use gdl::rules::GroundTerm;
use std::collections::{BTreeMap, BTreeSet};

/// The least number of letters, and of numbers.
const SHORTEST_EDGE: usize = 3;

/// The least number of squares; fewer names may be anything.
const FEWEST: usize = 9;

/// The greatest number of squares in a row of words, and the number at which such a row is divided.
const LONGEST_LIST: usize = 12;
const LIST_WIDTH: usize = 10;

/// The places of squares that have one name each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lattice {
    /// The rows from the top: the index of the square at each place; `None` for a place that is not of the board.
    pub(super) places: Vec<Vec<Option<usize>>>,
    /// The labels of the rows; none if the names of the squares are words.
    pub(super) rows: Vec<String>,
    /// The labels of the columns; none if the squares are hexagons or the names are words.
    pub(super) columns: Vec<String>,
    /// The half squares by which each row of hexagons is further to the right; empty if the squares are no hexagons.
    pub(super) shifts: Vec<usize>,
}

impl Lattice {
    /// The places of the squares with these names, in any order; `None` if they are other names.
    pub(super) fn of_names<'a>(names: impl Iterator<Item = &'a GroundTerm>) -> Option<Self> {
        let mut squares: BTreeMap<(u8, usize), usize> = BTreeMap::new();
        for (index, name) in names.enumerate() {
            squares.insert(letter_and_number(name)?, index);
        }
        let letters: BTreeSet<u8> = squares.keys().map(|(letter, _)| *letter).collect();
        let numbers: BTreeSet<usize> = squares.keys().map(|(_, number)| *number).collect();
        let is_alphabet = letters.iter().zip(b'a'..).all(|(letter, expected)| *letter == expected);
        if !is_alphabet || letters.len() < SHORTEST_EDGE || numbers.len() < SHORTEST_EDGE || squares.len() < FEWEST {
            return None;
        }
        let rows = letters.iter().map(|letter| squares.range((*letter, 0)..=(*letter, usize::MAX)));
        let rows: Vec<Vec<(usize, usize)>> =
            rows.map(|row| row.map(|((_, number), index)| (*number, *index)).collect()).collect();
        let names: Vec<String> = letters.iter().map(|letter| char::from(*letter).to_string()).collect();
        let rank = |number: &usize| letters.iter().map(|letter| squares.get(&(*letter, *number)).copied()).collect();
        Some(Self::of_hexagons(&rows, &names).unwrap_or_else(|| Self {
            places: numbers.iter().rev().map(rank).collect(),
            rows: numbers.iter().rev().map(usize::to_string).collect(),
            columns: names,
            shifts: Vec::new(),
        }))
    }

    /// The places of many squares whose names are words, such as the cubies of a cube: in several rows for a picture. `None`
    /// for few squares, and for names that are coordinates.
    pub(super) fn of_words<'a>(names: impl Iterator<Item = &'a GroundTerm>) -> Option<Self> {
        let is_word =
            |name: &GroundTerm| name.name.len() > 1 && name.name.bytes().all(|letter| letter.is_ascii_alphabetic());
        let words: Vec<bool> = names.map(is_word).collect();
        if words.len() <= LONGEST_LIST || words.contains(&false) {
            return None;
        }
        let width = words.len().div_ceil(words.len().div_ceil(LIST_WIDTH));
        let indices: Vec<Option<usize>> = (0..words.len()).map(Some).collect();
        let row = |row: &[Option<usize>]| row.iter().copied().chain(std::iter::repeat(None)).take(width).collect();
        let places = indices.chunks(width).map(row).collect();
        Some(Self { places, rows: Vec::new(), columns: Vec::new(), shifts: Vec::new() })
    }

    /// The rows of numbers and squares as hexagons, if that is what they are.
    fn of_hexagons(rows: &[Vec<(usize, usize)>], names: &[String]) -> Option<Self> {
        let is_whole = |row: &Vec<(usize, usize)>| row.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0);
        let is_even = |(row, squares): (usize, &Vec<(usize, usize)>)| (row + squares.len()).is_multiple_of(2);
        let kinds: BTreeSet<bool> = rows.iter().enumerate().map(is_even).collect();
        if !rows.iter().all(is_whole) || kinds.len() != 1 {
            return None;
        }
        let width = rows.iter().map(Vec::len).max()?;
        let shifts = rows.iter().map(|row| (width - row.len()) % 2).collect();
        let place = |row: &Vec<(usize, usize)>| {
            let mut places = vec![None; width];
            let first = (width - row.len()) / 2;
            row.iter().zip(&mut places[first..]).for_each(|((_, index), place)| *place = Some(*index));
            places
        };
        Some(Self { places: rows.iter().map(place).collect(), rows: names.to_vec(), columns: Vec::new(), shifts })
    }
}

/// The letter and the number of a name such as `a1`.
fn letter_and_number(name: &GroundTerm) -> Option<(u8, usize)> {
    let (&letter, digits) = name.name.as_bytes().split_first()?;
    let is_number = name.arguments.is_empty() && digits.first().is_some_and(|first| (b'1'..=b'9').contains(first));
    let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (is_number && letter.is_ascii_lowercase()).then_some((letter, number))
}
