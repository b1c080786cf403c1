//! A board typed row by row, such as `b13/425/786`, as facts.

use super::{Board, Piece};
use crate::rules::GroundTerm;
use crate::rules::picture::Field;
use std::sync::Arc;

/// Why typed rows are not a position of a board. Rows and columns count from 1, from the top and from the left.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowsError {
    /// The number of rows is wrong.
    #[error("there are {given} rows, and the board has {needed}")]
    Rows {
        /// The number of typed rows.
        given: usize,
        /// The number of rows of the board.
        needed: usize,
    },
    /// The number of squares of a row is wrong.
    #[error("row {row}, `{text}`, has {given} squares, and the board has {needed} columns")]
    Columns {
        /// The number of the row.
        row: usize,
        /// The typed row.
        text: String,
        /// The number of its squares.
        given: usize,
        /// The number of columns of the board.
        needed: usize,
    },
    /// A square has a word that is no piece.
    #[error("`{word}` in row {row}, column {column} is no piece of this board; it has {}", known.join(", "))]
    Piece {
        /// The word.
        word: String,
        /// The number of the row.
        row: usize,
        /// The number of the column.
        column: usize,
        /// The pieces of the board.
        known: Vec<String>,
    },
    /// Nothing can ever stand on a square.
    #[error("nothing can stand in row {row}, column {column}")]
    Blocked {
        /// The number of the row.
        row: usize,
        /// The number of the column.
        column: usize,
    },
    /// The board's facts have no piece, or several.
    #[error("`{relation}` has {pieces} arguments besides row and column, and typed rows give one")]
    Pieces {
        /// The relation of the board.
        relation: String,
        /// The number of arguments that are not coordinates.
        pieces: usize,
    },
}

impl Board {
    /// The facts of a position, whose rows stand between slashes from the top. A square is a letter or digit, or a word if
    /// the words of the row have commas or spaces between them: a piece, or the beginning of only one. A point is an empty
    /// square.
    pub(crate) fn facts_of_rows(&self, text: &str) -> Result<Vec<GroundTerm>, RowsError> {
        let others = self.form.fields.iter().filter(|field| matches!(field, Field::Piece | Field::Any)).count();
        if others != 1 || self.form.indices(&Field::Piece).len() != 1 {
            return Err(RowsError::Pieces { relation: self.relation.clone(), pieces: others });
        }
        let rows: Vec<&str> = text.split('/').map(str::trim).collect();
        if rows.len() != self.rows.len() {
            return Err(RowsError::Rows { given: rows.len(), needed: self.rows.len() });
        }
        let mut facts = Vec::new();
        for (row, text) in rows.into_iter().enumerate() {
            let squares = squares(text);
            if squares.len() != self.columns.len() {
                let (given, needed) = (squares.len(), self.columns.len());
                return Err(RowsError::Columns { row: row + 1, text: text.to_string(), given, needed });
            }
            let is_empty = |word: &str| self.piece(word).is_none() && (word == "." || word == self.glyphs.empty.text);
            for (column, word) in squares.into_iter().enumerate().filter(|(_, word)| !is_empty(word)) {
                if self.cells[row][column].is_none() {
                    return Err(RowsError::Blocked { row: row + 1, column: column + 1 });
                }
                let piece = self.piece(&word).ok_or_else(|| {
                    let known = self.pieces.iter().map(|piece| piece[0].to_string()).collect();
                    RowsError::Piece { word, row: row + 1, column: column + 1, known }
                })?;
                facts.push(self.fact(row, column, piece));
            }
        }
        facts.sort();
        Ok(facts)
    }

    /// The piece with this glyph or text, or the only one whose text begins so.
    fn piece(&self, word: &str) -> Option<&Piece> {
        let named = |piece: &&Piece| piece[0].to_string() == word;
        let mut begins = self.pieces.iter().filter(|piece| piece[0].to_string().starts_with(word));
        self.piece_of_glyph(word)
            .or_else(|| self.pieces.iter().find(named))
            .or_else(|| begins.next().filter(|_| begins.next().is_none()))
    }

    fn fact(&self, row: usize, column: usize, piece: &Piece) -> GroundTerm {
        let mut others = piece.iter();
        let argument = |index: usize| {
            let at = |axis: &[usize]| axis.iter().position(|&argument| argument == index);
            match (at(&self.axes.rows), at(&self.axes.columns)) {
                (Some(at), _) => self.rows[row][at].clone(),
                (_, Some(at)) => self.columns[column][at].clone(),
                (None, None) => match &self.form.fields[index] {
                    Field::Only(term) => term.clone(),
                    _ => others.next().expect("there is one argument that is the piece").clone(),
                },
            }
        };
        GroundTerm { name: Arc::from(self.relation.as_str()), arguments: (0..self.arity).map(argument).collect() }
    }
}

/// The squares of a row: words between commas or spaces, or else its characters.
fn squares(text: &str) -> Vec<String> {
    if text.contains([',', ' ']) {
        text.split([',', ' ']).filter(|word| !word.is_empty()).map(str::to_string).collect()
    } else {
        text.chars().map(String::from).collect()
    }
}
