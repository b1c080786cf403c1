//! Positions as lines of text: a board as rows with slashes between them, such as `b13/425/786`, and a state as its
//! pieces with their coordinates.

use super::glyphs::full_name;
use super::{Board, Glyphs, Piece};
use gdl::quantity::counted;
use gdl::rules::GroundTerm;
use gdl::rules::picture::{FactForm, Field};
use gdl::syntax::Dialect;
use std::ops::Range;
use std::sync::Arc;

/// A problem of typed rows that are no position of a board. Rows and columns count from 1, from the top and from the
/// left.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowsError {
    /// The number of rows is wrong.
    #[error("{} typed, and the board has {needed}", of_rows(*given))]
    Rows {
        /// The number of typed rows.
        given: usize,
        /// The number of rows of the board.
        needed: usize,
    },
    /// The number of squares of a row is wrong.
    #[error("row {row} has {}, and the board has {}", counted(*given, "square"), counted(*needed, "column"))]
    Columns {
        /// The number of the row.
        row: usize,
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
    /// The facts of the board have an argument that no glyph says.
    #[error("the facts of this board have an argument that is not drawn")]
    Hidden,
}

/// A problem of typed rows, and the bytes of the text that are wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongRows {
    /// The range of bytes.
    pub at: Range<usize>,
    /// The problem there.
    pub problem: RowsError,
}

fn of_rows(count: usize) -> String {
    if count == 1 { "1 row is".to_string() } else { format!("{count} rows are") }
}

impl Board {
    /// True if a fact of a state stands on this board, and not only on one of its layers.
    pub fn draws(&self, fact: &GroundTerm) -> bool {
        self.form.is_of(&fact.name, fact.arguments.len()) && self.form.selects(&fact.arguments)
    }

    /// The facts of a position, whose rows stand between slashes from the top. A square is a character, or a word if
    /// the row has commas or spaces: the sign of a piece, its name, or the beginning of only one name; or the sign of
    /// an empty square, a point.
    ///
    /// # Errors
    /// The first problem, with its position.
    pub fn facts_of_rows(&self, text: &str) -> Result<Vec<GroundTerm>, WrongRows> {
        let wrong = |at: Range<usize>, problem| Err(WrongRows { at, problem });
        if self.form.fields.contains(&Field::Any) {
            return wrong(0..text.len(), RowsError::Hidden);
        }
        let rows = split(text, 0..text.len(), |c| c == '/');
        let given = rows.len();
        let needed = self.rows.len();
        if given != needed {
            let at = if given > needed { rows[needed].start..text.len() } else { 0..text.len() };
            return wrong(at, RowsError::Rows { given, needed });
        }
        let mut facts = Vec::new();
        for (row, range) in rows.into_iter().enumerate() {
            let squares = squares(text, range.clone());
            let given = squares.len();
            let needed = self.columns.len();
            if given != needed {
                let at = if given > needed { squares[needed].start..range.end } else { range };
                return wrong(at, RowsError::Columns { row: row + 1, given, needed });
            }
            for (column, range) in squares.into_iter().enumerate() {
                let word = &text[range.clone()];
                let place = (row + 1, column + 1);
                match (self.piece(word), &self.cells[row][column]) {
                    (Some(piece), Some(_)) => facts.push(self.fact(row, column, piece)),
                    (None, _) if self.is_nothing(word) => {}
                    (_, None) => return wrong(range, RowsError::Blocked { row: place.0, column: place.1 }),
                    (None, _) => {
                        let known = self.pieces.iter().map(|piece| self.known_as(piece)).collect();
                        let word = word.to_string();
                        return wrong(range, RowsError::Piece { word, row: place.0, column: place.1, known });
                    }
                }
            }
        }
        facts.sort();
        Ok(facts)
    }

    /// The position of the board's own facts as rows; `None` if a square has several of them, or no sign of its own.
    pub fn rows_text(&self) -> Option<String> {
        let mut rows: Vec<Vec<&str>> = Vec::new();
        for cells in &self.cells {
            let square = |cell: &Option<Vec<Piece>>| match cell.as_deref() {
                None => Some(self.glyphs.wall.text.as_str()),
                Some([]) => Some(self.glyphs.empty.text.as_str()),
                Some([piece]) => Some(self.glyph(piece).text.as_str()),
                Some(_) => None,
            };
            rows.push(cells.iter().map(square).collect::<Option<_>>()?);
        }
        let is_plain = |word: &&str| {
            !word.is_empty() && !word.contains(['/', ',', '"', '\'']) && !word.contains(char::is_whitespace)
        };
        if !rows.iter().flatten().all(is_plain) {
            return None;
        }
        let is_short = rows.iter().flatten().all(|word| word.chars().count() == 1);
        let has_comment = rows.iter().flatten().any(|word| word.contains(['#', '%']));
        let (gap, between) = match (is_short, has_comment) {
            (true, _) => ("", "/"),
            // After a space such a sign would begin a comment.
            (false, true) => (",", "/"),
            (false, false) => (" ", " / "),
        };
        Some(rows.iter().map(|row| row.join(gap)).collect::<Vec<_>>().join(between))
    }

    /// The piece with this sign or name, or the only one whose name begins with the word.
    fn piece(&self, word: &str) -> Option<&Piece> {
        let named = || self.pieces.iter().find(|piece| full_name(piece) == word);
        if let Some(known) = self.piece_of_glyph(word).or_else(named) {
            return Some(known);
        }
        let mut begins = self.pieces.iter().filter(|piece| full_name(piece).starts_with(word));
        let first = begins.next();
        if begins.next().is_none() { first } else { None }
    }

    /// True if a word says that nothing stands on a square.
    fn is_nothing(&self, word: &str) -> bool {
        word == "." || word == self.glyphs.empty.text || word == self.glyphs.wall.text
    }

    /// The sign of a piece with its name, as errors list it.
    fn known_as(&self, piece: &Piece) -> String {
        let sign = &self.glyph(piece).text;
        let name = full_name(piece);
        if *sign == name { name } else { format!("{sign} ({name})") }
    }

    /// The fact of a piece on a square.
    fn fact(&self, row: usize, column: usize, piece: &Piece) -> GroundTerm {
        let mut piece = piece.iter();
        let argument = |(index, field): (usize, &Field)| {
            let at = |axis: &[usize]| axis.iter().position(|&argument| argument == index);
            match (at(&self.axes.rows), at(&self.axes.columns), field) {
                (Some(at), _, _) => self.rows[row][at].clone(),
                (_, Some(at), _) => self.columns[column][at].clone(),
                (_, _, Field::Only(term)) => term.clone(),
                _ => piece.next().expect("the other arguments are the piece").clone(),
            }
        };
        let arguments = self.form.fields.iter().enumerate().map(argument).collect();
        GroundTerm { name: Arc::from(self.relation.as_str()), arguments }
    }
}

/// The squares of a row: words between commas or spaces, or else its characters.
fn squares(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let is_gap = |c: char| c == ',' || c.is_whitespace();
    if text[range.clone()].contains(is_gap) {
        return split(text, range, is_gap).into_iter().filter(|word| !word.is_empty()).collect();
    }
    let characters = text[range.clone()].char_indices();
    characters.map(|(at, c)| range.start + at..range.start + at + c.len_utf8()).collect()
}

/// The parts of a range between characters, without spaces around them.
fn split(text: &str, range: Range<usize>, is_gap: impl Fn(char) -> bool) -> Vec<Range<usize>> {
    let mut start = range.start;
    let gaps = text[range.clone()].char_indices().filter(|(_, c)| is_gap(*c));
    let mut ends: Vec<(usize, usize)> = gaps.map(|(at, c)| (range.start + at, c.len_utf8())).collect();
    ends.push((range.end, 0));
    let part = |(end, gap): (usize, usize)| {
        let part = &text[start..end];
        let begin = start + part.len() - part.trim_start().len();
        start = end + gap;
        begin..begin + part.trim().len()
    };
    ends.into_iter().map(part).collect()
}

/// The forms of the facts of a game that stand on boards.
#[derive(Clone, Debug, Default)]
pub struct Places {
    forms: Vec<FactForm>,
}

impl Places {
    /// The facts of these boards and their layers.
    pub fn from_boards(boards: &[Board]) -> Self {
        let forms = boards
            .iter()
            .flat_map(|board| [&board.form].into_iter().chain(board.layers.iter().map(|layer| &layer.form)));
        Self { forms: forms.cloned().collect() }
    }

    /// A state on one line: each piece with its coordinates in the order of the arguments, pieces in canonical order,
    /// and the facts that stand on no board as they are.
    pub fn line(&self, facts: &[GroundTerm], dialect: Dialect) -> String {
        let mut pieces: Vec<(Vec<GroundTerm>, String)> = Vec::new();
        let mut others = Vec::new();
        for fact in facts {
            match self.form_of_fact(fact) {
                Some(form) => pieces.push(placed(fact, form, dialect)),
                None => others.push(fact.display(dialect).to_string()),
            }
        }
        pieces.sort();
        let parts: Vec<String> = pieces.into_iter().map(|(_, text)| text).chain(others).collect();
        parts.join(", ")
    }

    fn form_of_fact(&self, fact: &GroundTerm) -> Option<&FactForm> {
        let mut own = self.forms.iter().filter(|form| form.is_of(&fact.name, fact.arguments.len()));
        own.find(|form| form.selects(&fact.arguments))
    }
}

/// A fact of a board, as its piece and the text of piece and coordinates: `agent (3,0)`.
fn placed(fact: &GroundTerm, form: &FactForm, dialect: Dialect) -> (Vec<GroundTerm>, String) {
    let piece = form.piece(&fact.arguments);
    let shown = |term: &GroundTerm| term.display(dialect).to_string();
    let coordinates = form.fields.iter().zip(&fact.arguments);
    let coordinates = coordinates.filter(|(field, _)| matches!(field, Field::Row | Field::Column));
    let coordinates: Vec<String> = coordinates.map(|(_, term)| shown(term)).collect();
    let name = Glyphs::key(form, &piece).iter().map(shown).collect::<Vec<_>>().join(" ");
    (piece, format!("{name} ({})", coordinates.join(",")))
}
