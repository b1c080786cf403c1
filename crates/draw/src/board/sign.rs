//! The texts of signs and labels, and their colours at a terminal.

use super::Board;
use anstyle::{AnsiColor, Style};
use gdl::diagnostic::render::Paint;
use gdl::rules::GroundTerm;
use gdl::rules::picture::{Colour, Glyph};

/// The texts of the signs in one cell: side by side if all signs of the board have one character, else with `+` between
/// them.
pub(super) fn joined<'a>(board: &Board, signs: impl Iterator<Item = &'a Glyph>) -> Vec<String> {
    let is_short = board.glyphs.all().all(|glyph| length(&glyph.text) <= 1);
    let mut texts = Vec::new();
    for sign in signs {
        if !texts.is_empty() && !is_short {
            texts.push("+".to_string());
        }
        texts.push(sign.text.clone());
    }
    texts
}

/// A text in a colour, underlined if it is marked.
pub(super) fn styled(text: &str, colour: Option<Colour>, is_marked: bool, paint: Paint) -> String {
    let mut style = Style::new().fg_color(colour.map(|colour| terminal_colour(colour).into()));
    if is_marked {
        style = style.bold().underline();
    }
    paint.styled(style, text)
}

/// The label of a coordinate.
pub(super) fn label(key: &[GroundTerm]) -> String {
    key.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
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
