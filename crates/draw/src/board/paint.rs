//! Boards, stacks and bars for pictures.

use super::draw::{height, is_upwards, ring, sign, title};
use super::figure::{Content, Figure, number, tree_grid};
use super::glyphs::{full_name, numbered, seed};
use super::ring::Ring;
use super::{Board, joined};
use crate::{Grid, Ground, PieceShape, Square};
use gdl::rules::GroundTerm;
use gdl::rules::picture::{BoardShape, Colour, Glyph};

/// A board as the squares of a picture.
pub(super) fn board(board: &Board) -> Grid {
    let square = |row, column| {
        let Some(drawn) = board.drawn(row, column) else {
            let is_blank = board.glyphs.wall.text.trim().is_empty();
            return if is_blank { Square::outside() } else { Square::wall() };
        };
        if let Some(signs) = board.faulty(row, column) {
            return Square::open(joined(board, signs.iter()).concat(), Some(picture_colour(Colour::Red)));
        }
        let keys: Vec<_> = drawn.iter().filter(|piece| !board.glyphs.is_blank(piece)).collect();
        let seen = keys.iter().map(|piece| board.glyphs.glyph(piece));
        let colours: Vec<Colour> = seen.clone().filter_map(|glyph| glyph.colour).collect();
        let text = joined(board, seen).concat();
        // What is drawn like a wall, such as a layer of walls, is one.
        let is_wall = text == board.glyphs.wall.text && board.layers.iter().any(|layer| layer.form.is_static);
        let is_hole = matches!(keys[..], [only] if board.holes.iter().any(|hole| only[..] == [hole.clone()]));
        if is_wall || is_hole {
            return Square::wall();
        }
        let text = if let [only] = keys[..] { board.glyphs.drawn_text(only) } else { text };
        let open = Square::open(text, colours.first().map(|colour| picture_colour(*colour)));
        let shapes: Option<Vec<_>> = keys.iter().map(|key| board.glyphs.pictogram(key)).collect();
        match shapes.as_deref() {
            Some([only]) => Square { pictogram: Some(*only), ..open },
            // Several pieces share the square, unless they are texts.
            Some(several) if several.iter().all(|piece| piece.shape != PieceShape::Tile) => {
                Square { pieces: several.to_vec(), ..open }
            }
            _ => open,
        }
    };
    let title = title(board);
    let columns = board.columns.len();
    if let Some(pairs) = &board.pairs {
        return Grid { title, ..hollows(board, pairs, &|column| square(0, column)) };
    }
    if let Some(lattice) = &board.lattice {
        let place = |place: &Option<usize>| match place {
            Some(column) => Square { label: full_name(&board.columns[*column]), ..square(0, *column) },
            None => Square::outside(),
        };
        let mut squares: Vec<Vec<Square>> = lattice.places.iter().map(|row| row.iter().map(place).collect()).collect();
        if lattice.columns.is_empty() {
            return Grid { title, squares, shifts: lattice.shifts.clone(), ..Grid::default() };
        }
        // The labels of rows and columns say where a square is.
        squares.iter_mut().flatten().for_each(|square| square.label.clear());
        let (rows, columns) = (lattice.rows.clone(), lattice.columns.clone());
        return Grid { title, squares, rows, columns, is_upwards: is_upwards(board), ..Grid::default() };
    }
    if board.shape == BoardShape::Hollows {
        return Grid { title, ..rows_of_hollows(board, &square) };
    }
    if let Some(ring) = ring(board, usize::MAX) {
        let mut squares = vec![vec![Square::outside(); ring.width]; ring.height];
        for (column, &(row, across)) in ring.squares.iter().enumerate() {
            let label = if board.is_labelled { full_name(&board.columns[column]) } else { String::new() };
            squares[row][across] = Square { label, ..square(0, column) };
        }
        return Grid { title, ..Grid::from_squares(squares) };
    }
    let squares = (0..board.rows.len()).map(|row| (0..columns).map(|column| square(row, column)).collect()).collect();
    let labels = |keys: &[Vec<GroundTerm>]| -> Vec<String> {
        let labels: Vec<String> = keys.iter().map(|key| full_name(key)).collect();
        if board.is_labelled && labels.iter().any(|label| !label.is_empty()) { labels } else { Vec::new() }
    };
    Grid {
        title,
        squares,
        rows: labels(&board.rows),
        columns: labels(&board.columns),
        row_breaks: breaks(&board.rows),
        column_breaks: breaks(&board.columns),
        is_upwards: board.axes.upwards,
        shifts: if board.shape == BoardShape::Hex { (0..board.rows.len()).collect() } else { Vec::new() },
        ..Grid::default()
    }
}

/// The most things in a hollow that are drawn one by one.
const MOST_SEEN: usize = 27;

/// A board whose squares lie opposite each other: hollows, with as many things in each as a number says, and in which
/// those without a partner are as high as both rows.
fn hollows(board: &Board, pairs: &Ring, usual: &impl Fn(usize) -> Square) -> Grid {
    let mut squares = vec![vec![Square::outside(); pairs.width]; pairs.height];
    for (column, &(row, across)) in pairs.squares.iter().enumerate() {
        let is_alone = !pairs.squares.iter().any(|&other| other == (1 - row, across));
        let ground = if is_alone { Ground::Store } else { Ground::Pit };
        squares[row][across] = hollow(board, (0, column), ground, full_name(&board.columns[column]), usual(column));
    }
    Grid::from_squares(squares)
}

/// A board whose squares are hollows, in the rows that it has; the upper one of two rows is from right to left, as its player
/// sees it.
fn rows_of_hollows(board: &Board, usual: &impl Fn(usize, usize) -> Square) -> Grid {
    let name = |row: usize, column: usize| {
        let words = [&board.rows[row], &board.columns[column]].map(|key| full_name(key));
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let row = |row: usize| {
        let square = |column| hollow(board, (row, column), Ground::Pit, name(row, column), usual(row, column));
        let mut squares: Vec<Square> = (0..board.columns.len()).map(square).collect();
        if row == 0 && board.rows.len() == 2 {
            squares.reverse();
        }
        squares
    };
    Grid::from_squares((0..board.rows.len()).map(row).collect())
}

/// A hollow with as many things in it as its number says; one without a number is as `usual`.
fn hollow(board: &Board, (row, column): (usize, usize), ground: Ground, name: String, usual: Square) -> Square {
    let count = match board.cells[row][column].as_deref() {
        Some([piece]) => counted(&full_name(piece)),
        _ => None,
    };
    let Some(count) = count else {
        return Square { label: name, ground, ..usual };
    };
    let pieces = if count <= MOST_SEEN { vec![seed(); count] } else { Vec::new() };
    let text = if count == 0 { String::new() } else { count.to_string() };
    Square { text, pieces, ground, label: format!("{name}: {count}"), ..Square::default() }
}

/// The number that a name such as `s4` or `4` says.
fn counted(name: &str) -> Option<usize> {
    numbered(name).map_or(name, |(_, number)| number).parse().ok()
}

/// The places of an axis of several arguments where another value of the first one begins.
fn breaks(keys: &[Vec<GroundTerm>]) -> Vec<usize> {
    let is_break = |&index: &usize| keys[index].len() > 1 && keys[index][0] != keys[index - 1][0];
    (1..keys.len()).filter(is_break).collect()
}

/// Stacks, bars and trees as the squares of a picture; nothing for other figures.
pub(super) fn figure(figure: &Figure) -> Option<Grid> {
    match &figure.content {
        Content::Stacks { stacks, pieces } => {
            let height = height(stacks, pieces.len());
            let square = |stack: &[GroundTerm], row: usize| match (row + stack.len()).checked_sub(height) {
                None => Square { ground: Ground::Pole, ..Square::default() },
                Some(index) => disc(pieces, &stack[index]),
            };
            let row = |row: usize| stacks.iter().map(|(_, stack)| square(stack, row)).collect();
            let columns = stacks.iter().map(|(name, _)| name.to_string()).collect();
            let squares = (0..height).map(row).collect();
            let title = figure.title.clone();
            Some(Grid { title, squares, columns, is_upwards: true, is_wide: true, ..Grid::default() })
        }
        Content::Bars { bars, mark, most } => {
            let colour = mark.colour.map(picture_colour);
            let row = |(_, count): &(GroundTerm, GroundTerm)| {
                let count = number(count).unwrap_or(0);
                let square = |column| Square::open(if column < count { mark.text.as_str() } else { "" }, colour);
                (0..*most).map(square).collect()
            };
            let rows = bars.iter().map(|(row, _)| row.to_string()).collect();
            let title = figure.title.clone();
            Some(Grid { title, squares: bars.iter().map(row).collect(), rows, ..Grid::default() })
        }
        Content::Tree { nodes } => tree_grid(&figure.title, nodes),
        Content::Hands { .. } | Content::Values { .. } => None,
    }
}

/// A piece of a stack; the sizes of pieces rise in canonical order.
fn disc(pieces: &[(GroundTerm, Glyph)], piece: &GroundTerm) -> Square {
    let glyph = sign(pieces, piece);
    let rank = pieces.iter().position(|(known, _)| known == piece).unwrap_or(0);
    let share = 25 + 70 * (rank + 1) / pieces.len().max(1);
    let ground = Ground::Disc(u8::try_from(share).unwrap_or(100));
    Square { text: glyph.text.clone(), colour: glyph.colour.map(picture_colour), ground, ..Square::default() }
}

/// The colour of a picture, as CSS writes it, dark enough to be read on white.
fn picture_colour(colour: Colour) -> &'static str {
    match colour {
        Colour::Black => "#111",
        Colour::Red => "#c62828",
        Colour::Green => "#2e7d32",
        Colour::Yellow => "#b58900",
        Colour::Blue => "#1565c0",
        Colour::Magenta => "#8e24aa",
        Colour::Cyan => "#00838f",
        Colour::White => "#bbb",
        Colour::Grey => "#777",
    }
}
