//! Boards and other figures as text, with their colours at a terminal.
//!
//! A board is a grid of signs with labels: in groups of columns that fit the width, or around a ring. Stacks and bars
//! take several lines; hands and values are wrapped.

use super::figure::{Content, Figure, number};
use super::glyphs::{NO_VALUE, full_name};
use super::ring::Ring;
use super::{Board, Piece, joined};
use crate::fit::{WIDTH, cut, paragraph};
use anstyle::{AnsiColor, Style};
use gdl::diagnostic::render::Paint;
use gdl::rules::GroundTerm;
use gdl::rules::picture::{BoardShape, Colour, Glyph};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A board as text: the relation with its arguments, the grid (labels on the side from which rows are counted), and the
/// meaning of signs. A dot is an empty cell; `#` is one on which no fact can ever hold, unless signs are declared.
/// Lines have at most [`WIDTH`] characters.
pub fn draw(board: &Board) -> String {
    painted(board, Paint::Plain, WIDTH)
}

/// As [`draw()`], with declared colours, in lines of at most this width: columns that do not fit are drawn below the
/// others. Cells that have changed are underlined.
pub fn painted(board: &Board, paint: Paint, width: usize) -> String {
    let mut text = title(board) + "\n";
    let grid = TextGrid::from_board(board, paint);
    match ring(board, (width + 1) / (grid.width() + 1)) {
        Some(ring) => text += &grid.ring(&ring),
        None => text.extend(grid.bands(board, width).into_iter().map(|band| grid.band(band, board))),
    }
    cut(&(text + &legend(board, width)), width)
}

/// The ring of a board of one row that is declared as one, with its numbers in at most this many columns.
pub(super) fn ring(board: &Board, most_columns: usize) -> Option<Ring> {
    let is_ring = board.shape == BoardShape::Ring && board.rows.len() == 1;
    if is_ring { Ring::with_squares(board.columns.len(), most_columns.saturating_sub(2)) } else { None }
}

/// The first line of a board: its declared title, or `cell(row,column,piece)`.
pub(super) fn title(board: &Board) -> String {
    let name = |argument| match argument {
        _ if board.axes.rows.contains(&argument) => "row".to_string(),
        _ if board.axes.columns.contains(&argument) => "column".to_string(),
        argument => board.form.fields[argument].word(),
    };
    let names = || (0..board.arity).map(name).collect::<Vec<_>>().join(",");
    board.title.clone().unwrap_or_else(|| format!("{}({})", board.relation, names()))
}

/// The meaning of the signs on the board that are not the names themselves, as lines.
fn legend(board: &Board, width: usize) -> String {
    let cells = || (0..board.rows.len()).flat_map(|row| (0..board.columns.len()).map(move |column| (row, column)));
    let squares: Vec<Vec<Piece>> = cells().filter_map(|(row, column)| board.drawn(row, column)).collect();
    let has_no_value = |signs: Vec<Glyph>| matches!(&signs[..], [sign] if sign.text == NO_VALUE);
    let lacks_value = cells().any(|(row, column)| board.faulty(row, column).is_some_and(has_no_value));
    let drawn: BTreeSet<&Piece> = squares.iter().flatten().collect();
    let mut lines: Vec<String> = Vec::new();
    let meanings = drawn.into_iter().filter_map(|key| board.glyphs.meaning(key));
    for entry in lacks_value.then(|| format!("{NO_VALUE} = no value")).into_iter().chain(meanings) {
        match lines.last_mut() {
            Some(line) if length(line) + 2 + length(&entry) <= width => *line += &format!(", {entry}"),
            _ => lines.push(entry),
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// A text with styles, and its width without them.
#[derive(Clone, Default)]
struct Cell {
    width: usize,
    text: String,
}

impl Cell {
    fn plain(text: String) -> Self {
        Self { width: length(&text), text }
    }
}

/// The texts of a board and their widths.
struct TextGrid {
    columns: Vec<Cell>,
    rows: Vec<String>,
    cells: Vec<Vec<Cell>>,
    /// The width of each column, in characters.
    width: usize,
    /// The width of the row labels, in characters; 0 if there are none.
    margin: usize,
    /// True if the contents of cells are right-aligned.
    numeric: bool,
}

impl TextGrid {
    fn from_board(board: &Board, paint: Paint) -> Self {
        let labels = |keys: &[Vec<GroundTerm>]| -> Vec<String> {
            keys.iter().map(|key| if board.is_labelled { full_name(key) } else { String::new() }).collect()
        };
        let (rows, columns, cells) = match &board.lattice {
            Some(lattice) if !lattice.rows.is_empty() => {
                let place =
                    |place: &Option<usize>| place.map_or_else(Cell::default, |column| cell(board, 0, column, paint));
                let cells: Vec<Vec<Cell>> = lattice.places.iter().map(|row| row.iter().map(place).collect()).collect();
                // Columns of hexagons have no labels.
                let columns = match &lattice.columns[..] {
                    [] => vec![String::new(); cells.first().map_or(0, Vec::len)],
                    columns => columns.to_vec(),
                };
                (lattice.rows.clone(), columns, cells)
            }
            _ => {
                let row = |row| (0..board.columns.len()).map(|column| cell(board, row, column, paint)).collect();
                (labels(&board.rows), labels(&board.columns), (0..board.rows.len()).map(row).collect())
            }
        };
        let columns: Vec<Cell> = columns.into_iter().map(Cell::plain).collect();
        let width = cells.iter().flatten().chain(&columns).map(|cell| cell.width).max().unwrap_or(0);
        let margin = rows.iter().map(|text| length(text)).max().unwrap_or(0);
        let mut signs = board.glyphs.all().filter(|glyph| **glyph != board.glyphs.empty).peekable();
        let numeric = signs.peek().is_some() && signs.all(|glyph| glyph.text.parse::<i64>().is_ok());
        Self { columns, rows, cells, width, margin, numeric }
    }

    /// The width of each column, in characters.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The groups of columns that are drawn next to each other, in lines of at most this width.
    fn bands(&self, board: &Board, width: usize) -> Vec<Range<usize>> {
        let columns = self.columns.len();
        let margin = if self.margin == 0 { 0 } else { self.margin + 2 };
        // Each column has a blank beside it; at least one column is drawn, even if it does not fit.
        let fitting = (width.saturating_sub(margin + self.widest_shift(board)) / (self.width + 1)).max(1);
        (0..columns).step_by(fitting).map(|first| first..columns.min(first + fitting)).collect()
    }

    /// These columns of all rows.
    fn band(&self, columns: Range<usize>, board: &Board) -> String {
        let rows = self.rows.iter().zip(&self.cells).enumerate();
        let mut lines: Vec<String> = rows
            .map(|(row, (label, cells))| self.line(label, '│', &cells[columns.clone()], self.shift(board, row)))
            .collect();
        let labels = &self.columns[columns];
        let rule = labels.len() * (self.width + 1) + self.widest_shift(board) - usize::from(self.margin == 0);
        let rule = "─".repeat(rule);
        let corner = |corner: char| {
            if self.margin == 0 { String::new() } else { " ".repeat(self.margin + 1) + &corner.to_string() }
        };
        if labels.iter().all(|label| label.width == 0) {
            // A board of one column needs no column label, and an unlabelled one has none.
        } else if is_upwards(board) {
            let shift = self.shift(board, self.rows.len() - 1);
            lines.extend([corner('└') + &rule, self.line("", ' ', labels, shift)]);
        } else {
            lines.splice(0..0, [self.line("", ' ', labels, 0), corner('┌') + &rule]);
        }
        lines.into_iter().map(|line| line.trim_end().to_string() + "\n").collect()
    }

    /// The squares of the only row around a rectangle, with their labels outside.
    pub(super) fn ring(&self, ring: &Ring) -> String {
        let width = self.width;
        let mut lines = vec![vec![" ".repeat(width); ring.width + 2]; ring.height + 2];
        for ((cell, label), &(row, column)) in self.cells[0].iter().zip(&self.columns).zip(&ring.squares) {
            lines[row + 1][column + 1] = " ".repeat(width - cell.width) + &cell.text;
            let (outer_row, outer_column) = match row {
                0 => (0, column + 1),
                _ if row + 1 == ring.height => (row + 2, column + 1),
                _ if column == 0 => (row + 1, 0),
                _ => (row + 1, column + 2),
            };
            lines[outer_row][outer_column] = format!("{:>width$}", label.text);
        }
        lines.into_iter().map(|line| line.join(" ").trim_end().to_string() + "\n").filter(|line| line != "\n").collect()
    }

    /// The greatest number of blanks by which a row is shifted.
    fn widest_shift(&self, board: &Board) -> usize {
        (0..self.rows.len()).map(|row| self.shift(board, row)).max().unwrap_or(0)
    }

    /// The number of blanks by which a row of hexagons is shifted.
    fn shift(&self, board: &Board, row: usize) -> usize {
        let halves = match &board.lattice {
            Some(lattice) => lattice.shifts.get(row).copied().unwrap_or(0),
            None if board.shape == BoardShape::Hex => row,
            None => 0,
        };
        halves * (self.width + 1).div_ceil(2)
    }

    fn line(&self, label: &str, edge: char, cells: &[Cell], shift: usize) -> String {
        let cell = |cell: &Cell| {
            let blanks = " ".repeat(self.width - cell.width);
            if self.numeric { blanks + &cell.text } else { cell.text.clone() + &blanks }
        };
        let cells = " ".repeat(shift) + &cells.iter().map(cell).collect::<Vec<_>>().join(" ");
        let margin = self.margin;
        if margin == 0 { cells } else { format!("{label:>margin$} {edge} {cells}") }
    }
}

/// True if the labels of the columns are below a board, since its rows are counted from there.
pub(super) fn is_upwards(board: &Board) -> bool {
    board.axes.upwards || board.lattice.as_ref().is_some_and(|lattice| !lattice.columns.is_empty())
}

/// The text of a cell.
fn cell(board: &Board, row: usize, column: usize, paint: Paint) -> Cell {
    let glyphs = &board.glyphs;
    let drawn = board.drawn(row, column);
    let visible = |keys: &[Piece]| -> Vec<Glyph> {
        if let Some(faulty) = board.faulty(row, column) {
            return faulty;
        }
        let mut own: Vec<Glyph> =
            keys.iter().filter(|key| !glyphs.is_blank(key)).map(|key| glyphs.glyph(key).clone()).collect();
        if own.is_empty() {
            own.push(keys.first().map_or(&glyphs.empty, |key| glyphs.glyph(key)).clone());
        }
        own
    };
    let signs = drawn.as_deref().map_or_else(|| vec![glyphs.wall.clone()], visible);
    let is_changed = board.changed.contains(&(row, column));
    let mut cell = Cell::default();
    let texts = joined(board, signs.iter());
    let mut signs = signs.iter();
    for text in texts {
        cell.width += length(&text);
        let colour = if text == "+" { None } else { signs.next().and_then(|sign| sign.colour) };
        cell.text += &styled(&text, colour, is_changed, paint);
    }
    cell
}

/// The greatest height of stacks that are drawn with room for all pieces.
const HEIGHT: usize = 20;

/// The blanks between values on one line.
pub(super) const GAP: &str = "   ";

/// A figure as text in lines of at most this width, if it is one of several lines: stacks and bars.
pub fn sketched(figure: &Figure, paint: Paint, width: usize) -> Option<String> {
    let body = match &figure.content {
        Content::Stacks { stacks, pieces } => stacks_text(stacks, pieces, paint, width),
        Content::Bars { bars, mark, .. } => bars_text(bars, mark, paint, width),
        Content::Tree { .. } | Content::Hands { .. } | Content::Values { .. } => return None,
    };
    Some(cut(&format!("{}\n{body}", figure.title), width))
}

/// Hands, each wrapped at this width, and values, on one line as far as the width allows.
pub fn lines(figures: &[Figure], paint: Paint, width: usize) -> Vec<String> {
    let mut values = String::new();
    let mut lines = Vec::new();
    for figure in figures {
        match &figure.content {
            Content::Hands { hands, colours } => {
                for (owner, pieces) in hands {
                    let name = if owner.is_empty() { String::new() } else { format!("{} ", full_name(owner)) };
                    lines.push(format!("{name}{}: {}", figure.title, hand_text(pieces, colours, paint)));
                }
            }
            Content::Values { values: of_owners, is_flag } => {
                let Some(text) = value(&figure.title, of_owners, *is_flag) else { continue };
                if values.is_empty() {
                    values = text;
                } else if length(&values) + length(GAP) + length(&text) <= width {
                    values += &format!("{GAP}{text}");
                } else {
                    lines.push(std::mem::replace(&mut values, text));
                }
            }
            Content::Stacks { .. } | Content::Bars { .. } | Content::Tree { .. } => {}
        }
    }
    lines.extend(Some(values).filter(|values| !values.is_empty()));
    lines
        .iter()
        .flat_map(|line| paragraph(line, "", "  ", width).lines().map(str::to_string).collect::<Vec<_>>())
        .collect()
}

/// The number of pieces for which stacks have room.
pub(super) fn height(stacks: &[(GroundTerm, Vec<GroundTerm>)], pieces: usize) -> usize {
    if pieces <= HEIGHT { pieces } else { stacks.iter().map(|(_, stack)| stack.len()).max().unwrap_or(0) }
}

/// The sign of a piece of a stack.
pub(super) fn sign<'a>(pieces: &'a [(GroundTerm, Glyph)], piece: &GroundTerm) -> &'a Glyph {
    let found = pieces.binary_search_by(|(known, _)| known.cmp(piece));
    &pieces[found.expect("a piece that is there may be there")].1
}

/// Stacks side by side, in several groups below each other if the width requires it. The sizes of pieces rise in
/// canonical order, and are drawn if there is room for them.
fn stacks_text(
    stacks: &[(GroundTerm, Vec<GroundTerm>)],
    pieces: &[(GroundTerm, Glyph)],
    paint: Paint,
    width: usize,
) -> String {
    let text = pieces.iter().map(|(_, glyph)| length(&glyph.text)).max().unwrap_or(1);
    let name = stacks.iter().map(|(name, _)| length(&name.to_string())).max().unwrap_or(0);
    // The narrowest piece is as wide as the widest text; each larger one has a character more on either side.
    let full = (text + 2 * pieces.len()).max(name);
    let has_sizes = (full + 2) * stacks.len() <= width + 2;
    let wide = if has_sizes { full } else { text.max(name) };
    let piece = |piece: &GroundTerm| {
        let glyph = sign(pieces, piece);
        let rank = pieces.iter().position(|(known, _)| known == piece).unwrap_or(0);
        let inner = if has_sizes { text + 2 * rank } else { text };
        let drawn = if has_sizes { format!("({})", centred(&glyph.text, inner)) } else { glyph.text.clone() };
        let line = centred(&drawn, wide);
        let (start, drawn) = line.split_at(line.len() - line.trim_start().len());
        format!("{start}{}{}", styled(drawn.trim_end(), glyph.colour, false, paint), &drawn[drawn.trim_end().len()..])
    };
    let height = height(stacks, pieces.len());
    let group = |stacks: &[(GroundTerm, Vec<GroundTerm>)]| {
        let row = |row: usize| {
            let cell = |(_, stack): &(GroundTerm, Vec<GroundTerm>)| {
                let index = (row + stack.len()).checked_sub(height);
                index.map_or_else(|| centred("│", wide), |index| piece(&stack[index]))
            };
            stacks.iter().map(cell).collect::<Vec<_>>().join("  ")
        };
        let names = stacks.iter().map(|(name, _)| centred(&name.to_string(), wide)).collect::<Vec<_>>().join("  ");
        let rule = "─".repeat((wide + 2) * stacks.len() - 2);
        (0..height).map(row).chain([rule, names]).map(|line| line.trim_end().to_string() + "\n").collect::<String>()
    };
    stacks.chunks(((width + 2) / (wide + 2)).max(1)).map(group).collect()
}

fn centred(text: &str, width: usize) -> String {
    format!("{text:^width$}")
}

/// A row of marks for each number, and the number. Without room the marks have no blanks between them, or are cut.
fn bars_text(bars: &[(GroundTerm, GroundTerm)], mark: &Glyph, paint: Paint, width: usize) -> String {
    let margin = bars.iter().map(|(row, _)| length(&row.to_string())).max().unwrap_or(0);
    let longest = bars.iter().map(|(_, count)| length(&count.to_string())).max().unwrap_or(0);
    let most = bars.iter().filter_map(|(_, count)| number(count)).max().unwrap_or(0);
    let room = width.saturating_sub(margin + 3 + 2 + longest);
    let gap = if most * (length(&mark.text) + 1) <= room + 1 { " " } else { "" };
    let line = |(row, count): &(GroundTerm, GroundTerm)| {
        let marks = cut(&vec![mark.text.as_str(); number(count).unwrap_or(0)].join(gap), room);
        let gap = if marks.is_empty() { "" } else { "  " };
        format!("{:>margin$} │ {}{gap}{count}\n", row.to_string(), styled(&marks, mark.colour, false, paint))
    };
    bars.iter().map(line).collect()
}

/// The pieces of a hand.
fn hand_text(pieces: &[Piece], colours: &BTreeMap<Piece, Colour>, paint: Paint) -> String {
    if pieces.is_empty() {
        return "nothing".to_string();
    }
    let name = |piece: &Piece| styled(&full_name(piece), colours.get(piece).copied(), false, paint);
    pieces.iter().map(name).collect::<Vec<_>>().join(" ")
}

/// The values of all owners; nothing if there are neither owners nor values.
fn value(title: &str, of_owners: &[(Vec<GroundTerm>, Vec<Piece>)], is_flag: bool) -> Option<String> {
    if is_flag {
        return of_owners.iter().any(|(_, values)| !values.is_empty()).then(|| title.to_string());
    }
    let owner = |(owner, values): &(Vec<GroundTerm>, Vec<Piece>)| {
        let values = match &values[..] {
            [] => "none".to_string(),
            values => values.iter().map(|value| full_name(value)).collect::<Vec<_>>().join(", "),
        };
        if owner.is_empty() { values } else { format!("{} {values}", full_name(owner)) }
    };
    let is_shown = of_owners.iter().any(|(owner, values)| !owner.is_empty() || !values.is_empty());
    is_shown.then(|| format!("{title}: {}", of_owners.iter().map(owner).collect::<Vec<_>>().join(", ")))
}

/// A text in a colour, underlined if it is marked.
pub(super) fn styled(text: &str, colour: Option<Colour>, is_marked: bool, paint: Paint) -> String {
    let mut style = Style::new().fg_color(colour.map(|colour| terminal_colour(colour).into()));
    if is_marked {
        style = style.bold().underline();
    }
    paint.styled(style, text)
}

/// The number of characters.
pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

/// The nearest colour of a terminal.
fn terminal_colour(colour: Colour) -> AnsiColor {
    match colour {
        Colour::Black => AnsiColor::Black,
        Colour::Red => AnsiColor::Red,
        Colour::Green => AnsiColor::Green,
        Colour::Yellow => AnsiColor::Yellow,
        Colour::Blue => AnsiColor::Blue,
        Colour::Magenta => AnsiColor::Magenta,
        Colour::Cyan => AnsiColor::Cyan,
        Colour::White => AnsiColor::White,
        Colour::Grey => AnsiColor::BrightBlack,
    }
}
