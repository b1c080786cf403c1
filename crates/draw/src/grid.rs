//! Boards in pictures: squares or hexagons with pieces, walls, and the labels of rows and columns.

use super::document::{Region, Words};
use super::pictogram::{Pictogram, PieceShape};
use serde::Serialize;
use std::fmt::Write;

/// A board as it is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Grid {
    /// The words above it; empty if there are none.
    pub title: String,
    /// The squares, row by row from the top.
    pub squares: Vec<Vec<Square>>,
    /// The labels of the rows; empty if there are none.
    pub rows: Vec<String>,
    /// The labels of the columns; empty if there are none.
    pub columns: Vec<String>,
    /// The rows before which a heavier line divides boards within the board.
    pub row_breaks: Vec<usize>,
    /// The columns before which there is such a line.
    pub column_breaks: Vec<usize>,
    /// True if the labels of the columns are below the board, since its rows are counted from there.
    pub is_upwards: bool,
    /// The half squares by which each row of hexagons is further to the right; empty if squares are no hexagons.
    pub shifts: Vec<usize>,
    /// True if squares are three times as wide as high.
    pub is_wide: bool,
    /// The lines between squares, such as the branches of a tree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<GridLine>,
}

/// A line from the middle of a square to the middle of another, drawn below the pieces there.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct GridLine {
    /// The row and the column where it begins.
    pub from: (usize, usize),
    /// The row and the column where it ends.
    pub to: (usize, usize),
    /// The words on it; empty if there are none.
    pub text: String,
}

/// A square of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Square {
    /// The text on it; empty if nothing stands there.
    pub text: String,
    /// The colour of the text, as CSS writes it; black without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colour: Option<&'static str>,
    /// The shape that stands for the text, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pictogram: Option<Pictogram>,
    /// The shapes that share the square, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<Pictogram>,
    /// The ground behind the text.
    #[serde(skip_serializing_if = "Ground::is_open")]
    pub ground: Ground,
    /// The label in its corner, where no row or column has one; empty if there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// True if the last move has changed it.
    #[serde(skip)]
    pub is_last: bool,
}

/// The ground behind the text of a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// A free square.
    #[default]
    Open,
    /// A square on which nothing can ever stand.
    Wall,
    /// Nothing at all: the place does not belong to the board.
    Outside,
    /// A pole, which holds discs.
    Pole,
    /// A disc on a pole, with its width in hundredths of the square's.
    Disc(u8),
    /// No ground: only the piece is drawn.
    Bare,
    /// A card, whose name is its label.
    Card,
    /// A hollow with what lies in it.
    Pit,
    /// A hollow that is as high as two rows.
    Store,
}

/// The height of the title, in parts of a square's height.
const TITLE: f64 = 0.6;

/// The width of the labels of rows, and the height of those of columns, in parts of a square's height.
const LABEL: f64 = 0.6;

/// The width of a line between boards within a board, in parts of a square's height.
const BREAK: f64 = 0.06;

/// The width of a letter of the title, in parts of a square's height.
const LETTER: f64 = 0.22;

/// The height of a card and of a hollow, which have words in them, in heights of other squares.
const LARGE: f64 = 3.0;

/// The greatest width of a letter of the words of a card or of a line, in parts of their height.
const NARROW: f64 = 0.62;

/// The part of a line between squares that is left out at its end.
const SHORTER: f64 = 0.14;

/// The distance of a hollow below the middle of its square, whose words are above it, in parts of the width.
const BELOW: f64 = 0.08;

/// The number of things that are side by side in a hollow.
const IN_PIT: usize = 3;

impl Ground {
    fn is_open(&self) -> bool {
        *self == Self::Open
    }
}

impl Square {
    /// A free square with a text.
    pub fn open(text: impl Into<String>, colour: Option<&'static str>) -> Self {
        Self { text: text.into(), colour, ..Self::default() }
    }

    /// A square on which nothing can ever stand.
    pub fn wall() -> Self {
        Self { ground: Ground::Wall, ..Self::default() }
    }

    /// A place that does not belong to the board.
    pub fn outside() -> Self {
        Self { ground: Ground::Outside, ..Self::default() }
    }
}

/// Index of a square on the boards of a position: its board, row and column.
pub type SquareIndex = (usize, usize, usize);

/// The squares in which two drawings of the same form differ.
pub fn changed_squares(new: &[Grid], old: &[Grid]) -> Vec<SquareIndex> {
    let mut squares = Vec::new();
    for (board, (new, old)) in new.iter().zip(old).enumerate() {
        for (row, (new, old)) in new.squares.iter().zip(&old.squares).enumerate() {
            let pairs = new.iter().zip(old).enumerate();
            squares.extend(pairs.filter(|(_, (new, old))| new != old).map(|(column, _)| (board, row, column)));
        }
    }
    squares
}

/// Marks the squares that differ from those of the position before.
pub fn mark_changed(grids: &mut [Grid], before: &[Grid]) {
    for (board, row, column) in changed_squares(grids, before) {
        grids[board].squares[row][column].is_last = true;
    }
}

impl Grid {
    /// A board without labels.
    pub(crate) fn from_squares(squares: Vec<Vec<Square>>) -> Self {
        Self { squares, ..Self::default() }
    }

    /// The same board without labels and title, and without colours of texts that shapes stand for, for small drawings.
    #[must_use]
    pub fn without_labels(mut self) -> Self {
        self.title.clear();
        self.rows.clear();
        self.columns.clear();
        for square in self.squares.iter_mut().flatten() {
            square.label.clear();
            square.colour = square.colour.filter(|_| square.shows_text());
        }
        self
    }

    /// True if squares are hexagons.
    pub fn is_hex(&self) -> bool {
        !self.shifts.is_empty()
    }

    /// True if it has no squares.
    pub fn is_empty(&self) -> bool {
        self.squares.iter().all(Vec::is_empty)
    }

    /// The height of a square, where that of usual ones is `side`.
    fn side(&self, side: f64) -> f64 {
        let is_large = |square: &Square| matches!(square.ground, Ground::Card | Ground::Pit);
        if self.squares.iter().flatten().any(is_large) { LARGE * side } else { side }
    }

    /// The width and height in pixels, if a usual square has this height.
    pub(super) fn size(&self, side: f64) -> (f64, f64) {
        let side = self.side(side);
        let rows = self.squares.len() as f64;
        let columns = self.squares.first().map_or(0, Vec::len) as f64;
        let shift = self.shifts.iter().max().map_or(0.0, |most| *most as f64 / 2.0);
        let width = (columns + shift) * self.width(side) + self.margin(side);
        let title = self.title.chars().count() as f64 * side * LETTER;
        let labels = if self.columns.is_empty() { 0.0 } else { LABEL * side };
        (width.max(title), self.top(side) + rows * side + labels)
    }

    /// The height of the title.
    fn top(&self, side: f64) -> f64 {
        if self.title.is_empty() { 0.0 } else { TITLE * side }
    }

    /// The width of a square of this height.
    fn width(&self, side: f64) -> f64 {
        if self.is_wide { 3.0 * side } else { side }
    }

    /// The width of the labels of the rows.
    fn margin(&self, side: f64) -> f64 {
        let letters = self.rows.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        if letters == 0 { 0.0 } else { side * (0.3 + 0.3 * letters as f64).max(LABEL) }
    }

    /// Draws the board from its left upper corner on; `side` is the height of a usual square.
    pub(super) fn draw(&self, out: &mut String, left: f64, top: f64, side: f64) {
        let side = self.side(side);
        let size = side * 0.38;
        if !self.title.is_empty() {
            let y = top + TITLE * side * 0.7;
            Words::new("heading", left, y, &self.title).sized(size, None).draw(out);
        }
        let top = top + self.top(side);
        let width = self.width(side);
        let above = if self.columns.is_empty() || self.is_upwards { 0.0 } else { LABEL * side };
        let left = left + self.margin(side);
        let top = top + above;
        let shift = |row: usize| self.shifts.get(row).map_or(0.0, |halves| *halves as f64 * width / 2.0);
        let first = Region { left, top, width, height: side };
        // Lines first, so that they lie below the pieces at their ends.
        self.links.iter().for_each(|link| link.draw(out, first));
        for (row, squares) in self.squares.iter().enumerate() {
            for (column, square) in squares.iter().enumerate() {
                let left = left + shift(row) + column as f64 * width;
                let top = top + row as f64 * side;
                let is_odd = (row + column) % 2 == 1;
                square.draw(out, Region { left, top, ..first }, self.is_hex(), is_odd);
            }
        }
        self.divide(out, first);
        let mut label = |x: f64, y: f64, text: &str| Words::new("axis", x, y, text).sized(size, None).draw(out);
        let middle = side / 2.0 + side * 0.14;
        for (row, text) in self.rows.iter().enumerate() {
            label(left - self.margin(side) / 2.0, top + row as f64 * side + middle, text);
        }
        let bottom = top + self.squares.len() as f64 * side;
        let (y, row) = match self.is_upwards {
            true => (bottom + LABEL * side * 0.75, self.squares.len().saturating_sub(1)),
            false => (top - LABEL * side * 0.25, 0),
        };
        for (column, text) in self.columns.iter().enumerate() {
            label(left + shift(row) + (column as f64 + 0.5) * width, y, text);
        }
    }
}

impl Grid {
    /// Draws the lines between boards within the board, whose first square is known.
    fn divide(&self, out: &mut String, first: Region) {
        let Region { left, top, width, height } = first;
        let rows = self.squares.len() as f64;
        let columns = self.squares.first().map_or(0, Vec::len) as f64;
        // A rectangle with the look of a wall, since other programs read only these shapes and classes.
        let class = "cell wall";
        let thick = height * BREAK;
        for &row in &self.row_breaks {
            let top = top + row as f64 * height - thick / 2.0;
            Region { left, top, width: columns * width, height: thick }.draw(out, class);
        }
        for &column in &self.column_breaks {
            let left = left + column as f64 * width - thick / 2.0;
            Region { left, top, width: thick, height: rows * height }.draw(out, class);
        }
    }
}

impl GridLine {
    /// Draws it as a thin polygon, whose words stand on it nearer to its end, on a board whose first square is known.
    fn draw(&self, out: &mut String, first: Region) {
        let Region { left, top, width, height } = first;
        let middle =
            |(row, column): (usize, usize)| (left + (column as f64 + 0.5) * width, top + (row as f64 + 0.5) * height);
        let (x, y) = middle(self.from);
        let (to_x, to_y) = middle(self.to);
        let half = height * 0.025;
        // It ends where what stands on the other square begins.
        let far = self.from.0.abs_diff(self.to.0).max(2) as f64;
        let end_x = to_x - (to_x - x) * 2.0 * SHORTER / far;
        let end_y = to_y - (to_y - y) * 2.0 * SHORTER / far;
        let points = [(x - half, y), (x + half, y), (end_x + half, end_y), (end_x - half, end_y)];
        let points = points.map(|(x, y)| format!("{x:.1},{y:.1}")).join(" ");
        let _ = writeln!(out, "<polygon class=\"link\" points=\"{points}\"/>");
        if self.text.is_empty() {
            return;
        }
        // As far from there as if the squares were two rows apart.
        let part = 1.0 - 0.88 / far;
        let x = x + (to_x - x) * part;
        let y = y + (to_y - y) * part + height * 0.12;
        let size = height * 0.32;
        Words::new("axis onlink", x, y, &self.text).sized(size, None).draw(out);
    }
}

impl Square {
    /// The number of pieces in a row if several share the square, and the side of each, in pixels.
    fn shares(&self, side: f64) -> (usize, f64) {
        let least = if matches!(self.ground, Ground::Pit | Ground::Store) { IN_PIT } else { 1 };
        let across = (least..).find(|across| across * across >= self.pieces.len()).unwrap_or(least);
        // What lies in a hollow does not touch its edge.
        (across, if least == 1 { side } else { side * 0.62 } / across as f64)
    }

    /// The number of rows of these pieces.
    fn lines(&self, across: usize) -> f64 {
        self.pieces.len().div_ceil(across) as f64
    }

    /// True if no shape stands for its text.
    fn shows_text(&self) -> bool {
        let has_text = |pictogram: Pictogram| matches!(pictogram.shape, PieceShape::Tile | PieceShape::Node);
        self.pieces.is_empty() && self.pictogram.is_none_or(has_text)
    }

    fn draw(&self, out: &mut String, usual: Region, is_hex: bool, is_odd: bool) {
        let height = if self.ground == Ground::Store { 2.0 * usual.height } else { usual.height };
        let area = Region { height, ..usual };
        let Region { left: x, top: y, width, .. } = area;
        let class = match self.ground {
            Ground::Wall => "cell wall",
            _ if self.is_last => "cell last",
            _ if is_odd => "cell odd",
            _ => "cell",
        };
        match self.ground {
            Ground::Outside => return,
            Ground::Bare => {}
            Ground::Card => {
                let left = x + width * 0.04;
                let top = y + height * 0.04;
                Region { left, top, width: width * 0.92, height: height * 0.92 }
                    .draw(out, if self.is_last { "card last" } else { "card" });
            }
            Ground::Pit | Ground::Store => {
                area.draw(out, "wood");
                let _ = writeln!(out, "<polygon class=\"pit\" points=\"{}\"/>", hollow(area));
            }
            Ground::Open | Ground::Wall if is_hex => {
                let at = |right: f64, down: f64| format!("{:.1},{:.1}", x + right * width, y + down * height);
                let corners = [(0.5, -0.17), (1.0, 0.17), (1.0, 0.83), (0.5, 1.17), (0.0, 0.83), (0.0, 0.17)];
                let points = corners.map(|(right, down)| at(right, down)).join(" ");
                let _ = writeln!(out, "<polygon class=\"{class}\" points=\"{points}\"/>");
            }
            Ground::Open | Ground::Wall => area.draw(out, class),
            Ground::Pole | Ground::Disc(_) => {
                Region { left: x + width / 2.0 - 1.5, width: 3.0, ..area }.draw(out, "pole");
            }
        }
        if let Ground::Disc(share) = self.ground {
            let wide = width * f64::from(share) / 100.0;
            let left = x + (width - wide) / 2.0;
            Region { left, top: y + 1.0, width: wide, height: height - 2.0 }.draw(out, "disc");
        }
        if !self.label.is_empty() {
            let letters = self.label.chars().count().max(1) as f64;
            let narrow = |share: f64| (width * share).min(width * 0.84 / (letters * NARROW));
            let (class, x, y, size) = match self.ground {
                Ground::Card => ("name", x + width / 2.0, y + height * 0.2, narrow(0.15)),
                Ground::Pit | Ground::Store => ("name onwood", x + width / 2.0, y + width * 0.14, narrow(0.13)),
                // Below the upper corner, which is narrow.
                _ if is_hex => ("corner", x + width * 0.4, y + height * 0.1, height * 0.2),
                _ => ("corner", x + height * 0.05, y + height * 0.26, height * 0.26),
            };
            Words::new(class, x, y, &self.label).sized(size, None).draw(out);
        }
        let is_card = self.ground == Ground::Card;
        if let Some(pictogram) = self.pictogram {
            let side = width.min(height) * if is_card { 0.6 } else { 1.0 };
            let down = if is_card { height * 0.3 } else { (height - side) / 2.0 };
            pictogram.draw(out, x + (width - side) / 2.0, y + down, side);
        }
        let is_hollow = matches!(self.ground, Ground::Pit | Ground::Store);
        let below = if is_hollow { width * BELOW } else { 0.0 };
        for (index, piece) in self.pieces.iter().enumerate() {
            let (across, side) = self.shares(width.min(height));
            let column = (index % across) as f64;
            let row = (index / across) as f64;
            let left = (width - across as f64 * side) / 2.0;
            let top = (height - self.lines(across) * side) / 2.0 + below;
            piece.draw(out, x + left + column * side, y + top + row * side, side);
        }
        if self.shows_text() && !self.text.is_empty() {
            let x = x + width / 2.0;
            let y = y + height * if is_card { 0.74 } else { 0.69 };
            // Several signs on one square are smaller.
            let letters = self.text.chars().count().max(2) as f64;
            let size = match self.ground {
                Ground::Card => height * 0.5 * (3.0 / letters).clamp(0.2, 1.0),
                _ => height * 0.62 * (2.0 / letters).clamp(0.4, 1.0),
            };
            let is_on_paper = matches!(self.ground, Ground::Card | Ground::Bare) && self.pictogram.is_none();
            let class = if is_on_paper { "piece onpaper" } else { "piece" };
            Words::new(class, x, y, &self.text).sized(size, self.colour).draw(out);
        }
    }
}

/// The corners of a hollow with round ends within a rectangle, as the attribute of a polygon.
fn hollow(area: Region) -> String {
    let Region { left, top, width, height } = area;
    let radius = width * 0.38;
    let straight = height - width;
    let corner = |step: u32| {
        let angle = f64::from(step) * std::f64::consts::TAU / 32.0;
        let down = if step <= 16 { straight } else { 0.0 };
        let across = radius * angle.cos();
        let along = radius * angle.sin() + down;
        format!("{:.1},{:.1}", left + width / 2.0 + across, top + width * (0.5 + BELOW) + along)
    };
    (0..32).map(corner).collect::<Vec<_>>().join(" ")
}

/// The style of boards, in the colours of the page.
pub(super) const STYLE: &str = ".cell{fill:var(--field);stroke:var(--edge)}.cell.odd{fill:var(--field-2)}\
.cell.last{fill:var(--moved)}.cell.wall{fill:var(--wall);stroke:var(--wall)}.pole{fill:var(--edge)}.disc{fill:var(--chosen);stroke:var(--label);rx:4px}\
.card{fill:var(--panel);stroke:var(--line);rx:6px}.card.last{fill:var(--last)}.wood{fill:var(--field-2);stroke:none}.pit{fill:var(--edge);stroke:none}\
.piece{font-family:sans-serif;text-anchor:middle;fill:var(--sign)}.piece.onpaper{fill:var(--ink)}\
.name{font-family:sans-serif;text-anchor:middle;fill:var(--ink)}.name.onwood{fill:var(--label)}\
.axis{font-family:sans-serif;text-anchor:middle;fill:var(--pale)}.axis.onlink{fill:var(--ink);stroke:var(--panel);stroke-width:3px;paint-order:stroke}.link{fill:var(--pale)}\
.corner{font-family:sans-serif;text-anchor:start;fill:var(--label)}\
.heading{font-family:sans-serif;text-anchor:start;fill:var(--pale)}";
