//! Positions as numbers for neural networks: planes of rows and columns, one for each piece.
//!
//! They show the boards that are drawn. Boards with as many rows and columns as the largest one give its planes, and so
//! do their layers. A fact that stands on none of them fills a plane of its own, such as whose turn it is; relations
//! with many such facts, such as a counter, are left out.

use super::{Axes, Board, Setting};
use gdl::rules::GroundTerm;
use gdl::rules::picture::FactForm;
use ggp_engine::Game;
use ggp_engine::interpreter::QueryError;
use std::collections::BTreeMap;
use std::ops::Range;

/// The entries of each fluent of a game in an array of planes by rows by columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planes {
    /// The name of each plane: a relation with its piece, or a fact that fills it.
    pub names: Vec<String>,
    /// The coordinates of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// The coordinates of the columns, from left to right.
    pub columns: Vec<String>,
    /// For each fluent, the entries of the array that are 1 where it holds: one square, a whole plane, or none.
    pub entries: Vec<Range<usize>>,
}

/// Relations with more facts than this that stand on no board have no planes.
const MOST_OFF_BOARD: usize = 8;

/// The content of a plane. Planes of boards come first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum PlaneContent {
    /// A piece of the relation that a board or one of its layers draws; layer 0 is the board itself.
    OnBoard { board: usize, layer: usize, piece: Vec<GroundTerm> },
    /// A fact that stands on no board, and fills the plane.
    Fact(GroundTerm),
}

impl Planes {
    /// The planes of a game with these fluents, by the declarations of its sheet or by a guess. `None` if nothing looks
    /// like a board.
    ///
    /// # Errors
    /// Those of the interpreter.
    pub fn from_game(game: &mut Game, fluents: &[GroundTerm]) -> Result<Option<Self>, QueryError> {
        let boards = Setting::from_game(game)?.boards(fluents);
        let cells = |board: &&Board| board.rows.len() * board.columns.len();
        let Some(largest) = boards.iter().rev().max_by_key(cells) else { return Ok(None) };
        let size = (largest.rows.len(), largest.columns.len());
        let fits = |board: &&Board| (board.rows.len(), board.columns.len()) == size;
        let boards: Vec<&Board> = boards.iter().filter(fits).collect();

        let placed: Vec<Option<(PlaneContent, usize)>> = fluents.iter().map(|fluent| placed(&boards, fluent)).collect();
        let mut off_board: BTreeMap<(&str, usize), usize> = BTreeMap::new();
        for (fluent, _) in fluents.iter().zip(&placed).filter(|(_, placed)| placed.is_none()) {
            *off_board.entry((&fluent.name, fluent.arguments.len())).or_default() += 1;
        }
        let fills = |fluent: &GroundTerm| {
            off_board.get(&(&*fluent.name, fluent.arguments.len())).is_some_and(|&count| count <= MOST_OFF_BOARD)
        };
        let contents = fluents.iter().zip(&placed).filter_map(|(fluent, placed)| match placed {
            Some((content, _)) => Some(content.clone()),
            None => fills(fluent).then(|| PlaneContent::Fact(fluent.clone())),
        });
        let mut planes: BTreeMap<PlaneContent, usize> = contents.map(|content| (content, 0)).collect();
        planes.values_mut().zip(0..).for_each(|(plane, index)| *plane = index);

        let squares = size.0 * size.1;
        let entries = fluents.iter().zip(&placed).map(|(fluent, placed)| match placed {
            Some((content, square)) => {
                let entry = planes[content] * squares + square;
                entry..entry + 1
            }
            None => match planes.get(&PlaneContent::Fact(fluent.clone())) {
                Some(plane) => plane * squares..(plane + 1) * squares,
                None => 0..0,
            },
        });
        Ok(Some(Self {
            entries: entries.collect(),
            names: planes.keys().map(|content| named(&boards, content)).collect(),
            rows: largest.rows.iter().map(|key| joined(key)).collect(),
            columns: largest.columns.iter().map(|key| joined(key)).collect(),
        }))
    }
}

/// The relations that a board draws, each with its axes: its own and those of its layers.
fn drawn_relations(board: &Board) -> impl Iterator<Item = (&FactForm, Axes)> {
    let layers = board.layers.iter().map(|layer| (&layer.form, board.axes.for_layer(&board.form, &layer.form)));
    std::iter::once((&board.form, board.axes.clone())).chain(layers)
}

/// The plane of a fluent that stands on a board, and the index of its square.
fn placed(boards: &[&Board], fluent: &GroundTerm) -> Option<(PlaneContent, usize)> {
    let arguments = &fluent.arguments;
    boards.iter().enumerate().find_map(|(index, board)| {
        drawn_relations(board).enumerate().find_map(|(layer, (form, axes))| {
            let is_drawn = !form.is_static && form.is_of(&fluent.name, arguments.len()) && form.selects(arguments);
            if !is_drawn {
                return None;
            }
            let row = board.rows.iter().position(|row| *row == axes.row(arguments))?;
            let column = board.columns.iter().position(|column| *column == axes.column(arguments))?;
            let content = PlaneContent::OnBoard { board: index, layer, piece: form.piece(arguments) };
            Some((content, row * board.columns.len() + column))
        })
    })
}

/// The name of a plane.
fn named(boards: &[&Board], content: &PlaneContent) -> String {
    match content {
        PlaneContent::OnBoard { board, layer, piece } => {
            let relation = drawn_relations(boards[*board]).nth(*layer).map(|(form, _)| form.relation.to_string());
            relation.into_iter().chain(piece.iter().map(ToString::to_string)).collect::<Vec<_>>().join(" ")
        }
        PlaneContent::Fact(fact) => fact.to_string(),
    }
}

fn joined(terms: &[GroundTerm]) -> String {
    terms.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
