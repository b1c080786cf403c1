//! The facts of one relation, and which of its arguments are the axes of a board.
//!
//! An [`Extent`] has the facts that hold in a state and those that may hold in any. A [`Coordinate`] is the kind of
//! values of an argument that can be an axis. [`Axes::choose`] finds the axes of a relation of which nothing is
//! declared.

use super::lattice::Lattice;
use gdl::rules::GroundTerm;
use gdl::rules::picture::{FactForm, Field};
use gdl::rules::range::Ranges;
use gdl::sorting;
use rustc_hash::FxHashSet;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The greatest number of values of an argument that the rules add to those of known facts.
const MOST_ADDED: usize = 100;

/// The least length of the edges of a board of whose squares each has a fact in the initial state.
const SHORTEST_EDGE: usize = 3;

/// The tuples of one relation, in canonical order.
#[derive(Clone, Debug)]
pub struct Extent<'a> {
    name: &'a str,
    arity: usize,
    /// Each list is sorted and has no tuple twice.
    holding: Vec<&'a [GroundTerm]>,
    initial: Vec<&'a [GroundTerm]>,
    possible: Vec<&'a [GroundTerm]>,
    is_declared: bool,
    /// The values that the rules allow for each argument; empty if they are not known.
    ranges: &'a [Option<Vec<GroundTerm>>],
}

impl<'a> Extent<'a> {
    /// The relations of a state, by name and arity, from its facts, those of the initial state, those that `base`
    /// declares (empty if the rules have no `base`), and the ranges of their arguments.
    pub(crate) fn of_facts(
        facts: &'a [GroundTerm],
        initial: &'a [GroundTerm],
        base: &'a [GroundTerm],
        ranges: &'a Ranges,
    ) -> Vec<Self> {
        let mut extents = BTreeMap::new();
        for fact in facts {
            Self::entry(&mut extents, fact).holding.push(&fact.arguments);
        }
        for fact in initial {
            Self::entry(&mut extents, fact).initial.push(&fact.arguments);
        }
        for fact in base {
            let extent = Self::entry(&mut extents, fact);
            extent.possible.push(&fact.arguments);
            extent.is_declared = true;
        }
        let known = |mut extent: Self| {
            extent.possible.extend(extent.holding.iter().chain(&extent.initial));
            [&mut extent.holding, &mut extent.initial, &mut extent.possible].into_iter().for_each(sort);
            extent.ranges = ranges.arguments(extent.name, extent.arity);
            extent
        };
        extents.into_values().map(known).collect()
    }

    /// A relation with these tuples, which hold and are the only known ones.
    pub fn of_tuples(name: &'a str, arity: usize, tuples: impl IntoIterator<Item = &'a [GroundTerm]>) -> Self {
        let mut holding: Vec<&'a [GroundTerm]> = tuples.into_iter().collect();
        sort(&mut holding);
        let initial = holding.clone();
        let possible = holding.clone();
        Self { name, arity, holding, initial, possible, is_declared: false, ranges: &[] }
    }

    /// Only the tuples that a form selects.
    pub(crate) fn selected(mut self, form: &FactForm) -> Self {
        for tuples in [&mut self.holding, &mut self.initial, &mut self.possible] {
            tuples.retain(|tuple| form.selects(tuple));
        }
        // The ranges are those of all facts of the relation.
        if form.fields.iter().any(|field| matches!(field, Field::Only(_))) {
            self.ranges = &[];
        }
        self
    }

    /// The name of the relation.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// The number of its arguments.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// True if `base` declares the facts that can hold.
    pub(crate) fn is_declared(&self) -> bool {
        self.is_declared
    }

    /// The arguments of the facts that hold.
    pub(crate) fn holding(&self) -> impl Iterator<Item = &'a [GroundTerm]> {
        self.holding.iter().copied()
    }

    /// The arguments of the facts that are known to hold in some state.
    pub(crate) fn possible(&self) -> impl Iterator<Item = &'a [GroundTerm]> {
        self.possible.iter().copied()
    }

    /// The number of distinct combinations of values of some arguments in the initial state.
    pub(super) fn initial_count(&self, arguments: &[usize]) -> usize {
        values(&self.initial, arguments).len()
    }

    /// The number of distinct combinations of values of some arguments.
    pub(super) fn count(&self, arguments: &[usize]) -> usize {
        match self.whole(arguments) {
            Some(ranges) => ranges.iter().map(Vec::len).product(),
            None => values(&self.possible, arguments).len(),
        }
    }

    /// The values of an argument.
    pub(super) fn range(&self, argument: usize) -> FxHashSet<&'a GroundTerm> {
        let known = || self.possible.iter().map(|tuple| &tuple[argument]);
        known().chain(self.allowed(argument).into_iter().flatten()).collect()
    }

    /// The values that the rules allow for an argument, if they are used: not if `base` declares the values, and not if
    /// the initial state fills a board.
    fn allowed(&self, argument: usize) -> Option<&'a [GroundTerm]> {
        let allowed = self.ranges.get(argument)?.as_deref()?;
        let of = |tuples: &[&'a [GroundTerm]]| tuples.iter().map(|tuple| &tuple[argument]).collect::<FxHashSet<_>>();
        let known = of(&self.possible);
        let kind = |values: FxHashSet<&GroundTerm>| Coordinate::from_terms(&values.into_iter().collect());
        // An argument that is a coordinate by its known values stays one.
        let fits = known.is_empty()
            || kind(known.clone()).is_none()
            || kind(known.iter().copied().chain(allowed).collect()).is_some();
        (!self.is_declared && allowed.len() <= MOST_ADDED && fits && !self.is_full()).then_some(allowed)
    }

    /// True if two arguments are the edges of a board, and a fact of the initial state stands on each of its squares.
    pub(super) fn is_full(&self) -> bool {
        let pairs = (0..self.arity).flat_map(|first| (first + 1..self.arity).map(move |second| (first, second)));
        pairs.into_iter().any(|(first, second)| {
            let edge = |argument| values(&self.initial, &[argument]);
            let is_edge = |values: &FxHashSet<Vec<&GroundTerm>>| {
                let terms = || values.iter().map(|value| value[0]);
                let filled = Coordinate::from_terms(&terms().collect()).and_then(|kind| kind.filled(terms()));
                values.len() >= SHORTEST_EDGE && filled.is_none_or(|filled| filled.len() == values.len())
            };
            let across = edge(first);
            let down = edge(second);
            is_edge(&across) && is_edge(&down) && self.initial_count(&[first, second]) == across.len() * down.len()
        })
    }

    /// The values of several arguments, if the rules allow values for each of them.
    fn whole(&self, arguments: &[usize]) -> Option<Vec<Vec<&'a GroundTerm>>> {
        let values = |&argument: &usize| {
            self.allowed(argument)?;
            let mut values: Vec<_> = self.range(argument).into_iter().collect();
            values.sort();
            Some(values)
        };
        arguments.iter().map(values).collect()
    }

    /// The kind of coordinate of an argument, if it is one.
    fn coordinate(&self, argument: usize) -> Option<Coordinate> {
        Coordinate::from_terms(&self.range(argument).into_iter().collect())
    }

    /// True if one fact lists all values of these arguments: each argument of the relation has the same values as they
    /// have.
    fn is_permutation(&self, arguments: &[usize]) -> bool {
        let values = |argument| self.range(argument);
        let same = (0..self.arity).filter(|&argument| arguments.iter().all(|&other| values(other) == values(argument)));
        let is_long = self.arity > SHORTEST_EDGE && self.initial.len() == 1;
        is_long && same.count() == self.arity
    }

    /// True if no fact holds in the initial state.
    pub(super) fn starts_empty(&self) -> bool {
        self.initial.is_empty()
    }

    /// True if every possible value of an argument occurs in exactly one fact of the initial state.
    fn is_row(&self, argument: usize) -> bool {
        let count = values(&self.possible, &[argument]).len();
        count > 1 && count == self.initial.len() && count == self.initial_count(&[argument])
    }

    /// The mean number of facts of the initial state with the same values of some arguments, rounded up.
    fn mean_facts_per_value(&self, arguments: &[usize]) -> usize {
        let different = self.initial_count(arguments);
        self.initial.len().div_ceil(different.max(1))
    }

    /// The combinations of values of some arguments, in the order of coordinates. Gaps between the numbers or letters
    /// of a single argument are filled unless `base` declares the relation.
    pub(super) fn coordinates(&self, arguments: &[usize]) -> Vec<Vec<GroundTerm>> {
        let mut values: Vec<Vec<GroundTerm>> = match self.whole(arguments) {
            Some(ranges) => product(&ranges),
            None => {
                let known = values(&self.possible, arguments).into_iter();
                known.map(|value| value.into_iter().cloned().collect()).collect()
            }
        };
        values.sort();
        if let ([argument], false) = (arguments, self.is_declared)
            && let Some(kind) = self.coordinate(*argument)
            && let Some(filled) = kind.filled(values.iter().map(|value| &value[0]))
        {
            return filled.into_iter().map(|value| vec![value]).collect();
        }
        sorting::sort_by(&mut values, |left, right| compare_all(left, right));
        values
    }

    fn entry<'b>(extents: &'b mut BTreeMap<(&'a str, usize), Self>, fact: &'a GroundTerm) -> &'b mut Self {
        let name = &*fact.name;
        let arity = fact.arguments.len();
        extents.entry((name, arity)).or_insert_with(|| Self::of_tuples(name, arity, []))
    }
}

/// Sorts tuples, and removes repeated ones. Facts come in canonical order, so there is little to do.
fn sort(tuples: &mut Vec<&[GroundTerm]>) {
    tuples.sort();
    tuples.dedup();
}

/// The combinations of values of some arguments.
fn values<'a>(tuples: &[&'a [GroundTerm]], arguments: &[usize]) -> FxHashSet<Vec<&'a GroundTerm>> {
    tuples.iter().map(|tuple| arguments.iter().map(|&argument| &tuple[argument]).collect()).collect()
}

/// All combinations of one value of each list.
fn product(lists: &[Vec<&GroundTerm>]) -> Vec<Vec<GroundTerm>> {
    lists.iter().fold(vec![Vec::new()], |before, list| {
        let longer = |one: &Vec<GroundTerm>| {
            list.iter().map(|&term| [&one[..], std::slice::from_ref(term)].concat()).collect::<Vec<_>>()
        };
        before.iter().flat_map(longer).collect()
    })
}

/// The greatest number of coordinates of an axis whose gaps are filled.
const MOST_FILLED: i64 = 64;

/// The kind of values of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Coordinate {
    /// Integers, such as `1`, `2`, `3`.
    Number,
    /// `a`, `b`, `c`: consecutive letters.
    Letter,
    /// `r1`, `r2`, `r3`: the same word before each number.
    Numbered(String),
}

impl Coordinate {
    /// The kind of these terms; `None` if they are not coordinates, or if there are none.
    fn from_terms(values: &BTreeSet<&GroundTerm>) -> Option<Self> {
        let names: Vec<&str> = values.iter().map(|term| &*term.name).collect();
        let (&first, _) = names.split_first()?;
        if values.iter().any(|term| !term.arguments.is_empty()) {
            return None;
        }
        if names.iter().all(|name| number(name).is_some()) {
            return Some(Self::Number);
        }
        if names.iter().all(|name| letter(name).is_some()) {
            // Marks such as `x` and `o` are letters as well, but not consecutive; a single `b` is a blank.
            let letters: Vec<u8> = names.iter().filter_map(|name| letter(name)).collect();
            let is_alphabet = match letters[..] {
                [only] => only.eq_ignore_ascii_case(&b'a'),
                _ => letters.windows(2).all(|pair| pair[0] + 1 == pair[1]),
            };
            return is_alphabet.then_some(Self::Letter);
        }
        let prefix = first.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_numbered = |name: &&str| name.strip_prefix(prefix).is_some_and(|rest| rest.parse::<u32>().is_ok());
        (!prefix.is_empty() && names.iter().all(is_numbered)).then(|| Self::Numbered(prefix.to_string()))
    }

    /// All numbers from 1 (or the least, if it is less) to the greatest of these; all letters from `a` to the greatest.
    /// `None` for other kinds, and if there are too many.
    pub(super) fn filled<'a>(&self, values: impl Iterator<Item = &'a GroundTerm>) -> Option<Vec<GroundTerm>> {
        match self {
            Self::Number => {
                let numbers: Vec<i64> = values.filter_map(|value| number(&value.name)).collect();
                let least = numbers.iter().min()?.min(&1);
                let greatest = numbers.iter().max()?;
                let is_short = greatest.checked_sub(*least).is_some_and(|length| length < MOST_FILLED);
                is_short.then(|| (*least..=*greatest).map(|number| GroundTerm::symbol(number.to_string())).collect())
            }
            Self::Letter => {
                let letters: Vec<u8> = values.filter_map(|value| letter(&value.name)).collect();
                let first = if letters.iter().all(u8::is_ascii_uppercase) { b'A' } else { b'a' };
                let last = *letters.iter().max()?;
                Some((first..=last).map(|letter| GroundTerm::symbol(char::from(letter).to_string())).collect())
            }
            Self::Numbered(_) => None,
        }
    }
}

/// The order along an axis: canonical, except that `r2` comes before `r10`.
pub(super) fn compare_all(left: &[GroundTerm], right: &[GroundTerm]) -> Ordering {
    let pairs = left.iter().zip(right);
    let first = pairs.map(|(left, right)| compare(left, right)).find(|order| order.is_ne());
    first.unwrap_or_else(|| left.cmp(right))
}

/// As [`compare_all`], for one term.
fn compare(left: &GroundTerm, right: &GroundTerm) -> Ordering {
    let parts = |term: &GroundTerm| {
        let prefix = term.name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let (prefix, digits) = term.name.split_at(prefix);
        (prefix.to_string(), digits.to_string())
    };
    let (left_prefix, left_digits) = parts(left);
    let (right_prefix, right_digits) = parts(right);
    if left_prefix.is_empty() || right_prefix.is_empty() || left_prefix != right_prefix {
        return left.cmp(right);
    }
    GroundTerm::symbol(left_digits).cmp(&GroundTerm::symbol(right_digits))
}

/// An integer, if it is in canonical form.
fn number(name: &str) -> Option<i64> {
    name.parse().ok().filter(|number: &i64| number.to_string() == name)
}

/// The letter, if the name is a single one.
fn letter(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(*letter),
        _ => None,
    }
}

/// The greatest number of rows and of columns of a board that was not requested by name.
const MOST_CHOSEN: usize = 100;

/// The greatest number of names that are the squares of a row.
const MOST_LISTED: usize = 24;

/// The greatest number of names of a letter and a number that are squares.
const MOST_NAMED: usize = 400;

/// The least number of cells of a board that was not requested by name.
const FEWEST_CHOSEN: usize = 3;

/// The greatest mean number of facts of the initial state in a cell of a board that was not requested by name.
const MOST_SHARING: usize = 4;

/// The arguments, by their indices from 0, that determine the cell of a fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Axes {
    /// The arguments that determine the row; empty if there is only one row. In JSON they count from 1.
    #[serde(rename = "row_arguments", serialize_with = "from_one")]
    pub rows: Vec<usize>,
    /// The arguments that determine the column; empty if there is only one column. In JSON they count from 1.
    #[serde(rename = "column_arguments", serialize_with = "from_one")]
    pub columns: Vec<usize>,
    /// True if rows are counted from the bottom.
    pub upwards: bool,
}

impl Axes {
    /// The axes of a relation that looks like a board; `None` if it does not.
    ///
    /// A board has two arguments that are coordinates: numbers, letters, or one word with different numbers. Of several
    /// such pairs the arguments nearest to each other are chosen, and of these the first. If one is a letter and the
    /// other a number, letters are files and numbers ranks, as on a chess board; words such as `x1` and `row1` name
    /// their direction; `square` has column and row from the lower left; every other relation has row and column from
    /// the top. A relation with one coordinate is a board of one row if it has one fact for each coordinate. An
    /// argument that holds roles is not a coordinate.
    pub(crate) fn choose(extent: &Extent, roles: &[GroundTerm]) -> Option<Self> {
        let is_role = |argument: usize| extent.range(argument).into_iter().all(|value| roles.contains(value));
        let coordinate = |argument| if is_role(argument) { None } else { extent.coordinate(argument) };
        let coordinates: Vec<Option<Coordinate>> = (0..extent.arity()).map(coordinate).collect();
        let is_clear =
            |axes: &Self| extent.mean_facts_per_value(&[&axes.rows[..], &axes.columns[..]].concat()) <= MOST_SHARING;
        let grid = || grid(extent, &coordinates).map(|axes| deepened(extent, &coordinates, axes)).filter(is_clear);
        // `heap(1,3)` has two numbers, but only one coordinate.
        let row = || {
            let is_row = coordinates.first()?.is_some() && extent.arity() > 1 && extent.is_row(0);
            (is_row && extent.count(&[0]) <= MOST_CHOSEN).then(|| Self {
                rows: vec![],
                columns: vec![0],
                upwards: false,
            })
        };
        if extent.arity() == 2 { row().or_else(grid) } else { grid().or_else(row) }
    }

    /// The axes of a relation with one fact for each of several names, which are the squares of a row; `None` for any
    /// other.
    pub(super) fn listed(extent: &Extent, roles: &[GroundTerm]) -> Option<Self> {
        if extent.arity() != 2 {
            return None;
        }
        let is_role = extent.range(0).into_iter().any(|value| roles.contains(value));
        let is_list = extent.is_row(0) && extent.count(&[0]) >= FEWEST_CHOSEN && !is_role;
        (is_list && extent.count(&[0]) <= MOST_LISTED).then(|| Self { rows: vec![], columns: vec![0], upwards: false })
    }

    /// The axes of a relation of pieces on squares that are named by a letter and a number, which are the squares of a row;
    /// `None` for any other.
    pub(super) fn named(extent: &Extent) -> Option<Self> {
        let is_named = extent.arity() == 2
            && extent.count(&[0]) <= MOST_NAMED
            && extent.mean_facts_per_value(&[0]) <= MOST_SHARING
            && Lattice::of_names(extent.coordinates(&[0]).iter().flatten()).is_some();
        is_named.then(|| Self { rows: vec![], columns: vec![0], upwards: false })
    }

    /// The axes of a relation that was requested as a board: if it does not look like one, the first two arguments;
    /// `None` if it has no arguments.
    pub fn any(extent: &Extent, roles: &[GroundTerm]) -> Option<Self> {
        Self::choose(extent, roles).or_else(|| match extent.arity() {
            0 => None,
            1 => Some(Self { rows: vec![], columns: vec![0], upwards: false }),
            _ => Some(Self { rows: vec![0], columns: vec![1], upwards: false }),
        })
    }

    /// True if all squares of a relation of two coordinates are squares of another.
    pub(super) fn lies_on(&self, extent: &Extent, host_axes: &Self, host: &Extent) -> bool {
        let pair = |axes: &Self| match (&axes.rows[..], &axes.columns[..]) {
            (&[row], &[column]) => Some((row.min(column), row.max(column))),
            _ => None,
        };
        let (Some((first, second)), Some((host_first, host_second))) = (pair(self), pair(host_axes)) else {
            return false;
        };
        let is_within = |own, other| {
            let known = host.coordinates(&[other]);
            extent.coordinates(&[own]).iter().all(|value| known.contains(value))
        };
        extent.arity() == 2 && is_within(first, host_first) && is_within(second, host_second)
    }

    /// Exchanges rows and columns; the direction of counting stays.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { rows: self.columns, columns: self.rows, upwards: self.upwards }
    }

    /// Reverses the order of the rows.
    #[must_use]
    pub fn flipped(self) -> Self {
        Self { upwards: !self.upwards, ..self }
    }

    /// The row of a fact with these arguments.
    pub(super) fn row(&self, tuple: &[GroundTerm]) -> Vec<GroundTerm> {
        self.rows.iter().map(|&argument| tuple[argument].clone()).collect()
    }

    /// The column of a fact with these arguments.
    pub(super) fn column(&self, tuple: &[GroundTerm]) -> Vec<GroundTerm> {
        self.columns.iter().map(|&argument| tuple[argument].clone()).collect()
    }

    /// The axes of a layer of a board with these axes, whose own facts have this form.
    pub(super) fn for_layer(&self, own: &FactForm, layer: &FactForm) -> Self {
        let rows = layer.indices(&Field::Row);
        let columns = layer.indices(&Field::Column);
        let is_swapped = self.rows != own.indices(&Field::Row);
        let (rows, columns) = if is_swapped { (columns, rows) } else { (rows, columns) };
        Self { rows, columns, upwards: self.upwards }
    }
}

/// The best pair of coordinates.
fn grid(extent: &Extent, coordinates: &[Option<Coordinate>]) -> Option<Axes> {
    let arity = extent.arity();
    let mut pairs: Vec<(usize, usize)> =
        (0..arity).flat_map(|first| (first + 1..arity).map(move |second| (first, second))).collect();
    // The nearest arguments first, and of these the first ones.
    sorting::sort_by_key(&mut pairs, |&(first, second)| (second - first, first));
    pairs.into_iter().find_map(|(first, second)| {
        let first_kind = coordinates[first].as_ref()?;
        let second_kind = coordinates[second].as_ref()?;
        let is_small = extent.count(&[first]) <= MOST_CHOSEN && extent.count(&[second]) <= MOST_CHOSEN;
        let is_permutation = extent.is_permutation(&[first, second]);
        let is_grid = is_small && !is_permutation && extent.count(&[first, second]) >= FEWEST_CHOSEN;
        is_grid.then(|| oriented(extent.name(), first, first_kind, second, second_kind))
    })
}

/// A board of boards, if two coordinates leave several facts of the initial state in one cell and more arguments are
/// numbers: a third argument stacks layers, a fourth makes boxes, as in Sudoku.
fn deepened(extent: &Extent, coordinates: &[Option<Coordinate>], axes: Axes) -> Axes {
    let ([row], [column]) = (&axes.rows[..], &axes.columns[..]) else { return axes };
    let is_number = |&argument: &usize| coordinates[argument] == Some(Coordinate::Number);
    let numbers = (0..extent.arity()).filter(is_number);
    let others: Vec<usize> = numbers.filter(|argument| argument != row && argument != column).collect();
    // Nothing is known of how many facts share a cell if none holds at first; two more numbers are hardly a piece, nor is
    // one that stands beside an argument for the piece.
    let is_piece = |argument: usize| argument != *row && argument != *column && coordinates[argument].is_none();
    let has_layers = others.len() == 2 || others.len() == 1 && (0..extent.arity()).any(is_piece);
    if extent.mean_facts_per_value(&[*row, *column]) <= 1 && !(extent.starts_empty() && has_layers) {
        return axes;
    }
    let deeper = match others[..] {
        [layer] => layered(extent, layer, *row, *column, axes.upwards),
        [inner_row, inner_column] => {
            Axes { rows: vec![*row, inner_row], columns: vec![*column, inner_column], upwards: axes.upwards }
        }
        _ => return axes,
    };
    let is_small = extent.count(&deeper.rows) <= MOST_CHOSEN && extent.count(&deeper.columns) <= MOST_CHOSEN;
    if is_small { deeper } else { axes }
}

/// The axes of layers below each other. If two of the three numbers have the same values, these are the rows and columns of
/// a layer.
fn layered(extent: &Extent, layer: usize, row: usize, column: usize, upwards: bool) -> Axes {
    let is_square = |first, second| extent.range(first) == extent.range(second);
    let (layer, row, column) = match (is_square(row, column), is_square(row, layer), is_square(column, layer)) {
        (false, true, false) => (column, row.min(layer), row.max(layer)),
        (false, false, true) => (row, column.min(layer), column.max(layer)),
        _ => (layer, row, column),
    };
    Axes { rows: vec![layer, row], columns: vec![column], upwards }
}

/// The rows and columns of a board with two coordinates, by the kinds of these.
fn oriented(name: &str, first: usize, first_kind: &Coordinate, second: usize, second_kind: &Coordinate) -> Axes {
    use Coordinate::{Letter, Number, Numbered};
    let across = |upwards| Axes { rows: vec![second], columns: vec![first], upwards };
    let down = |upwards| Axes { rows: vec![first], columns: vec![second], upwards };
    match (first_kind, second_kind) {
        (Letter, Number | Numbered(_)) => across(true),
        (Number | Numbered(_), Letter) => down(true),
        _ if is_word(first_kind, &["x"]) || is_word(second_kind, &["y"]) => across(true),
        _ if is_word(first_kind, &["y"]) || is_word(second_kind, &["x"]) => down(true),
        _ if is_word(first_kind, &["c", "col", "column"]) || is_word(second_kind, &["r", "row"]) => across(false),
        _ if name == "square" => across(true),
        _ => down(false),
    }
}

fn is_word(kind: &Coordinate, words: &[&str]) -> bool {
    matches!(kind, Coordinate::Numbered(word) if words.contains(&word.to_ascii_lowercase().trim_end_matches('_')))
}

fn from_one<S: Serializer>(indices: &[usize], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(indices.iter().map(|index| index + 1))
}
