//! The axes of a board: which arguments of a relation are horizontal, and which vertical.

use super::coordinate::Coordinate;
use super::extent::Extent;
use gdl::rules::GroundTerm;
use gdl::rules::picture::{FactForm, Field};
use gdl::sorting;
use serde::{Serialize, Serializer};

/// The greatest number of rows and of columns of a board that was not requested by name.
const MOST_CHOSEN: usize = 100;

/// The greatest number of names that are the squares of a row.
const MOST_LISTED: usize = 24;

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
    /// Whether rows are counted from the bottom.
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

    /// The axes of a relation that was requested as a board: if it does not look like one, the first two arguments;
    /// `None` if it has no arguments.
    pub fn any(extent: &Extent, roles: &[GroundTerm]) -> Option<Self> {
        Self::choose(extent, roles).or_else(|| match extent.arity() {
            0 => None,
            1 => Some(Self { rows: vec![], columns: vec![0], upwards: false }),
            _ => Some(Self { rows: vec![0], columns: vec![1], upwards: false }),
        })
    }

    /// Whether all squares of a relation of two coordinates are squares of another.
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
    // Nothing is known of how many facts share a cell if none holds at first; two more numbers are hardly a piece.
    if extent.mean_facts_per_value(&[*row, *column]) <= 1 && !(extent.starts_empty() && others.len() == 2) {
        return axes;
    }
    let deeper = match others[..] {
        [layer] => Axes { rows: vec![layer, *row], ..axes.clone() },
        [inner_row, inner_column] => {
            Axes { rows: vec![*row, inner_row], columns: vec![*column, inner_column], upwards: axes.upwards }
        }
        _ => return axes,
    };
    let is_small = extent.count(&deeper.rows) <= MOST_CHOSEN && extent.count(&deeper.columns) <= MOST_CHOSEN;
    if is_small { deeper } else { axes }
}

/// The rows and columns of a board with two coordinates, by what they look like.
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
