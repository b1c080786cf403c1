//! What all parts of a chart are drawn on and with: areas, text and colours.

use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::prelude::{Cartesian2d, IntoFont, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{RGBColor, TextStyle};

/// A part of the picture.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// A plot with its axes.
pub(super) type ChartAxes<'a, 'b, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, Y>>;
/// The end of drawing; writing to a string does not fail.
pub(super) type Drawing = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// The usual size of text; plotters writes letters of four fifths of it, in pixels.
pub(super) const FONT: i32 = 14;
/// The mean width of a letter of this size.
const LETTER: f64 = 6.9;

/// The width of a text, about.
pub(super) fn text_width(text: &str) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a label is a line of text")]
    let width = (text.chars().count() as f64 * LETTER).ceil() as u32;
    width
}

/// A text of the usual size.
pub(super) fn style<'a>(size: i32, horizontal: HPos, vertical: VPos) -> TextStyle<'a> {
    TextStyle::from(("sans-serif", size).into_font()).pos(Pos::new(horizontal, vertical))
}

/// Colours that are distinguishable for people with colour blindness, black last (Okabe and Ito, *Color Universal
/// Design*, 2008).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(240, 228, 66),
    RGBColor(0, 0, 0),
];

/// The colour of a series.
pub(super) fn colour(series: usize) -> RGBColor {
    COLOURS[series % COLOURS.len()]
}
