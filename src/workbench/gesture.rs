//! How a user makes a move on the drawn boards: by carrying a piece from square to square, or by a click on one square.
//!
//! A page that compares positions knows which squares a move changes, and that is not enough: a click on the square where a
//! pawn would arrive, or on a piece that would be captured, is not a wish to move there. A [`Gesture`] has the squares that
//! a user means.

use ggp_draw::{Grid, Ground, Square, SquareIndex};
use serde::Serialize;
use std::iter;

/// The squares by which a user means a move. `carried` and `placed` are never both filled, and both are empty if the move
/// changes no square.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Gesture {
    /// The squares between which the move carries pieces, from and to: a user picks a piece up and puts it down.
    carried: Vec<(SquareIndex, SquareIndex)>,
    /// The squares of a move that carries nothing, each of which stands for it.
    placed: Vec<SquareIndex>,
}

/// A square that a move changes.
pub(super) struct Change {
    pub place: SquareIndex,
    /// Whether all moves of the role change this square.
    pub is_common: bool,
    /// The pieces that stand there only before the move, and only after it.
    lost: Vec<String>,
    gained: Vec<String>,
    /// Whether nothing stands there before the move, and after it.
    was_empty: bool,
    is_empty: bool,
    /// Whether it is a hollow, whose seeds are all alike.
    is_hollow: bool,
    /// The labels of its row and column, or its own.
    labels: Vec<String>,
}

impl Change {
    /// The change of a square between two drawings of the same form.
    pub(super) fn between(before: &[Grid], after: &[Grid], place: SquareIndex) -> Self {
        let (board, row, column) = place;
        let square = |grids: &[Grid]| grids[board].squares[row][column].clone();
        let (old, new) = (square(before), square(after));
        let (old_pieces, new_pieces) = (pieces(&old), pieces(&new));
        let labels = labels(&before[board], row, column);
        Self {
            place,
            is_common: false,
            was_empty: old_pieces.is_empty(),
            is_empty: new_pieces.is_empty(),
            is_hollow: matches!(old.ground, Ground::Pit | Ground::Store),
            labels,
            lost: missing(old_pieces.clone(), new_pieces.clone()),
            gained: missing(new_pieces, old_pieces),
        }
    }
}

/// The labels of the row and the column of a square, or its own.
pub(super) fn labels(grid: &Grid, row: usize, column: usize) -> Vec<String> {
    match (grid.rows.get(row), grid.columns.get(column)) {
        (Some(row), Some(column)) => vec![row.clone(), column.clone()],
        _ => {
            let square = &grid.squares[row][column];
            let name = square.label.split(':').next().unwrap_or_default();
            // Whose hollow it is, a move does not say.
            let is_hollow = matches!(square.ground, Ground::Pit | Ground::Store);
            let own = if is_hollow { name.rsplit(' ').next().unwrap_or_default() } else { name };
            vec![own.to_string()]
        }
    }
}

/// The gestures of all moves of a role, in their order: each as a text, with the squares that it changes.
pub(super) fn gestures(moves: &[(String, Vec<Change>)]) -> Vec<Gesture> {
    let carried: Vec<Vec<_>> = moves.iter().map(|(chosen, changes)| carried(chosen, changes)).collect();
    let is_carrying = carried.iter().any(|pairs| !pairs.is_empty());
    let gesture = |((chosen, changes), pairs): (&(String, Vec<Change>), Vec<_>)| {
        // A pawn that becomes a queen is recognised by the other moves, which carry pieces that stay what they are.
        let pairs = if pairs.is_empty() && is_carrying { exchanged(changes) } else { pairs };
        let placed = if pairs.is_empty() { placed(chosen, changes) } else { Vec::new() };
        Gesture { carried: pairs, placed }
    };
    moves.iter().zip(carried).map(gesture).collect()
}

/// What stands on a square: its shapes, if it shows several, or its text.
fn pieces(square: &Square) -> Vec<String> {
    if square.pieces.is_empty() {
        return iter::once(square.text.clone()).filter(|text| !text.is_empty()).collect();
    }
    square.pieces.iter().map(|piece| format!("{piece:?}")).collect()
}

/// The pieces that the first list has and the second has not.
fn missing(pieces: Vec<String>, mut others: Vec<String>) -> Vec<String> {
    pieces.into_iter().filter(|piece| !take(&mut others, piece)).collect()
}

/// Takes a text out of a list; says whether it was there.
fn take(texts: &mut Vec<String>, text: &str) -> bool {
    let index = texts.iter().position(|one| one == text);
    index.map(|index| texts.swap_remove(index)).is_some()
}

/// The pairs of squares of which the first loses a piece that the second gains. No pair says where a seed of a hollow
/// goes, and a square that every move changes may be a sign of whose turn it is, unless its piece leaves it free, or to one
/// with which it changes places.
fn carried(chosen: &str, changes: &[Change]) -> Vec<(SquareIndex, SquareIndex)> {
    if changes.iter().any(|change| change.is_hollow) {
        return Vec::new();
    }
    let pairs = pairs(changes, |from, to| {
        let is_left = || from.is_empty || from.gained.iter().any(|piece| to.lost.contains(piece));
        let leaves = !from.is_common || (from.place.0 == to.place.0 && !to.is_common && is_left());
        leaves && from.lost.iter().any(|piece| to.gained.contains(piece))
    });
    // A peg that is jumped over is like the one that jumps, which the words of the move name.
    let named = changes.iter().filter(|change| is_named(chosen, &change.labels)).map(|change| change.place);
    let named: Vec<SquareIndex> = named.collect();
    let from_named: Vec<_> = pairs.iter().copied().filter(|(from, _)| named.contains(from)).collect();
    if from_named.is_empty() { pairs } else { from_named }
}

/// The pairs of a square that the move empties and one on which something else stands after it.
fn exchanged(changes: &[Change]) -> Vec<(SquareIndex, SquareIndex)> {
    pairs(changes, |from, to| !from.was_empty && from.is_empty && !to.is_empty)
}

fn pairs(changes: &[Change], suits: impl Fn(&Change, &Change) -> bool) -> Vec<(SquareIndex, SquareIndex)> {
    let mut pairs = Vec::new();
    for from in changes {
        let others = changes.iter().filter(|to| to.place != from.place && suits(from, to));
        pairs.extend(others.map(|to| (from.place, to.place)));
    }
    pairs
}

/// The squares that stand for a move that carries nothing: those that its words name; else those that it fills, then those
/// that it empties, then all that it changes.
fn placed(chosen: &str, changes: &[Change]) -> Vec<SquareIndex> {
    let choose = |suits: &dyn Fn(&Change) -> bool| -> Vec<SquareIndex> {
        changes.iter().filter(|change| !change.is_common && suits(change)).map(|change| change.place).collect()
    };
    let named = choose(&|change| is_named(chosen, &change.labels));
    // Seeds are taken out of the hollow that a move names, and may be sown in one of the same name opposite.
    let sown = choose(&|change| change.is_hollow && change.is_empty && is_named(chosen, &change.labels));
    let filled = choose(&|change| change.was_empty && !change.is_empty);
    let emptied = choose(&|change| !change.was_empty && change.is_empty);
    [sown, named, filled, emptied].into_iter().find(|squares| !squares.is_empty()).unwrap_or_else(|| choose(&|_| true))
}

/// Whether the words of a move contain all of these labels.
pub(super) fn is_named(chosen: &str, labels: &[String]) -> bool {
    let mut words: Vec<String> = chosen.split(['(', ')', ',', ' ']).map(str::to_string).collect();
    labels.iter().all(|label| !label.is_empty() && take(&mut words, label))
}
