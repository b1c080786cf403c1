//! The pieces of pictures as shapes: chess pieces, discs, crosses, arrows and others, the same in every picture.
//!
//! A shape consists of polygons in a square of 100 by 100 units, so that whatever shows polygons can show it. Curves
//! are polygons with many corners.

use serde::Serialize;
use std::f64::consts::TAU;
use std::fmt::Write;

/// A piece as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Pictogram {
    /// Its shape.
    pub shape: PieceShape,
    /// The colour of its body, as CSS writes it.
    pub fill: &'static str,
    /// The colour of its outline and of its details, as CSS writes it.
    pub ink: &'static str,
}

/// The shapes of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say what they show")]
pub enum PieceShape {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
    Disc,
    Crowned,
    Stone,
    Cross,
    Ring,
    Wall,
    Block,
    /// A tile that shows the text of its square.
    Tile,
    Pellet,
    Ghost,
    Eater,
    Door,
    Lamp,
    Gem,
    Person,
    ArrowUp,
    ArrowDown,
    ArrowLeft,
    ArrowRight,
    Die1,
    Die2,
    Die3,
    Die4,
    Die5,
    Die6,
    /// A disc that shows the text of its square.
    Node,
    Seed,
    OpenDoor,
    Car,
    Rock,
    Paper,
    Scissors,
    Fist,
    /// A square on which nothing can stand any more.
    Burnt,
}

/// A point, in units from the upper left corner.
type Point = (f64, f64);

/// How a part of a shape is painted: as body with an outline, as body without one, or in the colour of outlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartPaint {
    Body,
    Fill,
    Ink,
}

impl PartPaint {
    /// Its class in the set of shapes.
    fn class(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Fill => "fill",
            Self::Ink => "ink",
        }
    }
}

/// A part of a shape.
enum Part {
    /// Corners.
    Polygon(&'static [(i16, i16)], PartPaint),
    /// Points that a smooth curve goes through.
    Curve(&'static [(i16, i16)], PartPaint),
    /// Centre and radii.
    Ellipse([f64; 4], PartPaint),
    /// The centre and the outer and inner radius of a ring.
    Annulus([f64; 4], PartPaint),
}

use Part::{Annulus, Curve, Ellipse, Polygon};
use PartPaint::{Body, Fill, Ink};

/// The base of the chess pieces, and the line above it.
const BASE: Part = Polygon(&[(22, 90), (22, 82), (28, 78), (72, 78), (78, 82), (78, 90)], Body);
const COLLAR: Part = Polygon(&[(30, 78), (30, 73), (70, 73), (70, 78)], Body);
/// The rounded square of tiles, blocks and dice.
const SQUARE: Part = Polygon(
    &[
        (10, 17),
        (12, 12),
        (17, 10),
        (83, 10),
        (88, 12),
        (90, 17),
        (90, 83),
        (88, 88),
        (83, 90),
        (17, 90),
        (12, 88),
        (10, 83),
    ],
    Body,
);
const ARROW: [(i16, i16); 7] = [(50, 10), (84, 48), (62, 48), (62, 90), (38, 90), (38, 48), (16, 48)];

impl PieceShape {
    /// All shapes.
    pub(crate) const ALL: [Self; 40] = [
        Self::King,
        Self::Queen,
        Self::Rook,
        Self::Bishop,
        Self::Knight,
        Self::Pawn,
        Self::Disc,
        Self::Crowned,
        Self::Stone,
        Self::Cross,
        Self::Ring,
        Self::Wall,
        Self::Block,
        Self::Tile,
        Self::Pellet,
        Self::Ghost,
        Self::Eater,
        Self::Door,
        Self::Lamp,
        Self::Gem,
        Self::Person,
        Self::ArrowUp,
        Self::ArrowDown,
        Self::ArrowLeft,
        Self::ArrowRight,
        Self::Die1,
        Self::Die2,
        Self::Die3,
        Self::Die4,
        Self::Die5,
        Self::Die6,
        Self::Node,
        Self::Seed,
        Self::OpenDoor,
        Self::Car,
        Self::Rock,
        Self::Paper,
        Self::Scissors,
        Self::Fist,
        Self::Burnt,
    ];

    /// Its name, as JSON and the set of shapes write it.
    fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|name| name.as_str().map(str::to_string)).unwrap_or_default()
    }

    /// Its polygons, from the bottom, each with its paint.
    fn polygons(self) -> Vec<(Vec<Point>, PartPaint)> {
        if let Some(quarters) = self.quarters() {
            let turn = |(x, y): Point| (0..quarters).fold((x, y), |(x, y), _| (100.0 - y, x));
            return vec![(points(&ARROW).into_iter().map(turn).collect(), Body)];
        }
        self.all_parts().iter().map(Part::polygon).collect()
    }

    /// By how many quarters the arrow is turned, if it is one.
    fn quarters(self) -> Option<u16> {
        [Self::ArrowUp, Self::ArrowRight, Self::ArrowDown, Self::ArrowLeft]
            .iter()
            .zip(0..)
            .find_map(|(arrow, quarters)| (self == *arrow).then_some(quarters))
    }

    /// The parts of a shape that is no arrow.
    fn all_parts(self) -> Vec<Part> {
        match self {
            Self::Die1 => die(1),
            Self::Die2 => die(2),
            Self::Die3 => die(3),
            Self::Die4 => die(4),
            Self::Die5 => die(5),
            Self::Die6 => die(6),
            other => other.parts(),
        }
    }

    /// The parts of a shape that is neither an arrow nor a die.
    fn parts(self) -> Vec<Part> {
        match self {
            Self::Pawn => vec![
                Curve(&[(36, 76), (43, 56), (44, 45), (56, 45), (57, 56), (64, 76)], Body),
                Ellipse([50.0, 32.0, 15.0, 15.0], Body),
                Polygon(&[(37, 50), (37, 45), (63, 45), (63, 50)], Body),
                COLLAR,
                BASE,
            ],
            Self::Rook => vec![
                Polygon(&[(33, 76), (36, 42), (64, 42), (67, 76)], Body),
                Polygon(
                    &[
                        (28, 42),
                        (26, 18),
                        (37, 18),
                        (37, 26),
                        (45, 26),
                        (45, 18),
                        (55, 18),
                        (55, 26),
                        (63, 26),
                        (63, 18),
                        (74, 18),
                        (72, 42),
                    ],
                    Body,
                ),
                COLLAR,
                BASE,
            ],
            Self::Bishop => vec![
                Curve(
                    &[(35, 76), (42, 62), (34, 48), (38, 32), (50, 17), (62, 32), (66, 48), (58, 62), (65, 76)],
                    Body,
                ),
                Ellipse([50.0, 14.0, 5.0, 5.0], Body),
                Polygon(&[(52, 27), (57, 30), (50, 44), (46, 41)], Ink),
                Polygon(&[(38, 64), (38, 60), (62, 60), (62, 64)], Ink),
                COLLAR,
                BASE,
            ],
            Self::Knight => vec![
                Curve(
                    &[
                        (32, 77),
                        (35, 64),
                        (47, 52),
                        (46, 47),
                        (38, 52),
                        (29, 56),
                        (22, 51),
                        (25, 42),
                        (33, 30),
                        (38, 21),
                        (39, 11),
                        (47, 18),
                        (58, 21),
                        (68, 31),
                        (74, 48),
                        (74, 64),
                        (71, 77),
                    ],
                    Body,
                ),
                Ellipse([41.0, 30.0, 3.0, 3.0], Ink),
                Ellipse([28.0, 48.0, 2.0, 2.0], Ink),
                Curve(&[(56, 26), (66, 38), (70, 56), (69, 74), (66, 56), (62, 40)], Ink),
                BASE,
            ],
            Self::Queen => vec![
                Polygon(
                    &[
                        (32, 76),
                        (24, 32),
                        (35, 50),
                        (37, 25),
                        (46, 47),
                        (50, 21),
                        (54, 47),
                        (63, 25),
                        (65, 50),
                        (76, 32),
                        (68, 76),
                    ],
                    Body,
                ),
                Ellipse([23.0, 28.0, 5.0, 5.0], Body),
                Ellipse([37.0, 21.0, 5.0, 5.0], Body),
                Ellipse([50.0, 17.0, 5.0, 5.0], Body),
                Ellipse([63.0, 21.0, 5.0, 5.0], Body),
                Ellipse([77.0, 28.0, 5.0, 5.0], Body),
                Polygon(&[(32, 68), (33, 64), (67, 64), (68, 68)], Ink),
                COLLAR,
                BASE,
            ],
            Self::King => vec![
                Polygon(
                    &[
                        (47, 9),
                        (53, 9),
                        (53, 15),
                        (60, 15),
                        (60, 21),
                        (53, 21),
                        (53, 31),
                        (47, 31),
                        (47, 21),
                        (40, 21),
                        (40, 15),
                        (47, 15),
                    ],
                    Body,
                ),
                Curve(
                    &[
                        (33, 76),
                        (27, 62),
                        (20, 48),
                        (28, 36),
                        (42, 38),
                        (50, 30),
                        (58, 38),
                        (72, 36),
                        (80, 48),
                        (73, 62),
                        (67, 76),
                    ],
                    Body,
                ),
                Polygon(&[(48, 36), (52, 36), (52, 64), (48, 64)], Ink),
                Polygon(&[(32, 68), (31, 64), (69, 64), (68, 68)], Ink),
                COLLAR,
                BASE,
            ],
            Self::Disc => vec![Ellipse([50.0, 50.0, 39.0, 39.0], Body), Annulus([50.0, 50.0, 29.0, 26.5], Ink)],
            Self::Crowned => vec![
                Ellipse([50.0, 50.0, 39.0, 39.0], Body),
                Annulus([50.0, 50.0, 32.0, 30.0], Ink),
                Polygon(&[(32, 62), (29, 38), (41, 48), (50, 33), (59, 48), (71, 38), (68, 62)], Ink),
            ],
            Self::Stone => vec![Ellipse([50.0, 50.0, 43.0, 43.0], Body)],
            Self::Cross => vec![Polygon(
                &[
                    (18, 28),
                    (28, 18),
                    (50, 40),
                    (72, 18),
                    (82, 28),
                    (60, 50),
                    (82, 72),
                    (72, 82),
                    (50, 60),
                    (28, 82),
                    (18, 72),
                    (40, 50),
                ],
                Body,
            )],
            Self::Ring => vec![Annulus([50.0, 50.0, 37.0, 19.0], Ink), Annulus([50.0, 50.0, 34.5, 21.5], Fill)],
            Self::Wall => vec![
                Polygon(&[(4, 6), (58, 6), (58, 32), (4, 32)], Body),
                Polygon(&[(62, 6), (96, 6), (96, 32), (62, 32)], Body),
                Polygon(&[(4, 37), (34, 37), (34, 63), (4, 63)], Body),
                Polygon(&[(38, 37), (96, 37), (96, 63), (38, 63)], Body),
                Polygon(&[(4, 68), (58, 68), (58, 94), (4, 94)], Body),
                Polygon(&[(62, 68), (96, 68), (96, 94), (62, 94)], Body),
            ],
            Self::Block => vec![
                SQUARE,
                Polygon(&[(20, 20), (80, 20), (80, 24), (24, 24), (24, 80), (20, 80)], Ink),
                Polygon(&[(80, 24), (80, 80), (24, 80), (24, 76), (76, 76), (76, 24)], Ink),
            ],
            Self::Tile => vec![SQUARE],
            Self::Pellet => vec![Ellipse([50.0, 50.0, 13.0, 13.0], Body)],
            Self::Ghost => vec![
                Polygon(
                    &[
                        (18, 88),
                        (18, 50),
                        (18, 46),
                        (19, 37),
                        (22, 30),
                        (27, 23),
                        (34, 17),
                        (42, 14),
                        (50, 13),
                        (58, 14),
                        (66, 17),
                        (73, 23),
                        (78, 30),
                        (81, 37),
                        (82, 46),
                        (82, 50),
                        (82, 88),
                        (71, 78),
                        (61, 88),
                        (50, 78),
                        (39, 88),
                        (29, 78),
                    ],
                    Body,
                ),
                Ellipse([38.0, 44.0, 7.0, 9.0], Ink),
                Ellipse([63.0, 44.0, 7.0, 9.0], Ink),
            ],
            Self::Eater => vec![
                Polygon(
                    &[
                        (52, 50),
                        (82, 28),
                        (78, 22),
                        (72, 18),
                        (66, 15),
                        (60, 12),
                        (53, 11),
                        (47, 11),
                        (40, 12),
                        (34, 15),
                        (28, 18),
                        (22, 22),
                        (18, 28),
                        (15, 34),
                        (12, 40),
                        (11, 47),
                        (11, 53),
                        (12, 60),
                        (15, 66),
                        (18, 72),
                        (22, 78),
                        (28, 82),
                        (34, 85),
                        (40, 88),
                        (47, 89),
                        (53, 89),
                        (60, 88),
                        (66, 85),
                        (72, 82),
                        (78, 78),
                        (82, 72),
                    ],
                    Body,
                ),
                Ellipse([50.0, 29.0, 5.0, 5.0], Ink),
            ],
            Self::Door => vec![
                Polygon(
                    &[(24, 92), (24, 34), (28, 20), (38, 11), (50, 8), (62, 11), (72, 20), (76, 34), (76, 92)],
                    Body,
                ),
                Ellipse([65.0, 54.0, 4.0, 4.0], Ink),
            ],
            Self::Lamp => vec![
                Curve(
                    &[
                        (38, 68),
                        (34, 56),
                        (24, 44),
                        (26, 26),
                        (40, 13),
                        (60, 13),
                        (74, 26),
                        (76, 44),
                        (66, 56),
                        (62, 68),
                    ],
                    Body,
                ),
                Polygon(&[(38, 71), (62, 71), (62, 77), (38, 77)], Ink),
                Polygon(&[(40, 80), (60, 80), (56, 88), (44, 88)], Ink),
            ],
            Self::Gem => vec![
                Polygon(&[(28, 20), (72, 20), (90, 42), (50, 88), (10, 42)], Body),
                Polygon(&[(10, 41), (90, 41), (90, 44), (10, 44)], Ink),
                Polygon(&[(37, 43), (50, 84), (63, 43), (60, 43), (50, 76), (40, 43)], Ink),
            ],
            Self::Person => vec![
                Curve(&[(22, 88), (24, 66), (36, 54), (50, 51), (64, 54), (76, 66), (78, 88)], Body),
                Ellipse([50.0, 30.0, 18.0, 18.0], Body),
            ],
            Self::Node => vec![Ellipse([50.0, 50.0, 42.0, 42.0], Body)],
            Self::Seed => vec![
                Curve(
                    &[
                        (12, 52),
                        (18, 30),
                        (38, 16),
                        (64, 16),
                        (84, 34),
                        (88, 56),
                        (76, 78),
                        (52, 86),
                        (26, 78),
                        (12, 52),
                    ],
                    Body,
                ),
                Ellipse([38.0, 38.0, 9.0, 6.0], Ink),
            ],
            Self::OpenDoor => vec![
                Polygon(&[(18, 92), (18, 10), (82, 10), (82, 92), (74, 92), (74, 18), (26, 18), (26, 92)], Ink),
                Polygon(&[(26, 18), (58, 28), (58, 98), (26, 92)], Body),
                Ellipse([51.0, 62.0, 3.5, 4.5], Ink),
            ],
            Self::Car => vec![
                Curve(&[(6, 66), (8, 54), (24, 48), (34, 30), (48, 27), (66, 29), (77, 47), (92, 52), (95, 66)], Body),
                Polygon(&[(6, 64), (95, 64), (94, 74), (7, 74)], Body),
                Polygon(&[(31, 47), (37, 36), (49, 34), (49, 47)], Ink),
                Polygon(&[(53, 47), (53, 34), (63, 35), (70, 47)], Ink),
                Ellipse([27.0, 74.0, 11.0, 11.0], Ink),
                Ellipse([75.0, 74.0, 11.0, 11.0], Ink),
                Ellipse([27.0, 74.0, 5.0, 5.0], Fill),
                Ellipse([75.0, 74.0, 5.0, 5.0], Fill),
            ],
            Self::Rock => vec![
                Polygon(
                    &[(10, 74), (16, 48), (32, 30), (54, 20), (74, 30), (88, 54), (91, 76), (74, 86), (28, 86)],
                    Body,
                ),
                Polygon(&[(32, 30), (44, 50), (16, 48), (43, 53), (52, 84), (47, 50), (74, 30), (45, 48)], Ink),
            ],
            Self::Paper => vec![
                Polygon(&[(22, 10), (62, 10), (80, 28), (80, 90), (22, 90)], Body),
                Polygon(&[(62, 10), (62, 28), (80, 28), (65, 25)], Ink),
                Polygon(&[(32, 42), (70, 42), (70, 46), (32, 46)], Ink),
                Polygon(&[(32, 56), (70, 56), (70, 60), (32, 60)], Ink),
                Polygon(&[(32, 70), (58, 70), (58, 74), (32, 74)], Ink),
            ],
            Self::Scissors => vec![
                Polygon(&[(28, 8), (36, 10), (60, 66), (53, 69)], Body),
                Polygon(&[(72, 8), (64, 10), (40, 66), (47, 69)], Body),
                Annulus([33.0, 78.0, 15.0, 8.0], Ink),
                Annulus([67.0, 78.0, 15.0, 8.0], Ink),
                Ellipse([50.0, 52.0, 3.5, 3.5], Ink),
            ],
            Self::Fist => vec![
                Polygon(&[(33, 68), (67, 68), (66, 94), (34, 94)], Body),
                Curve(
                    &[
                        (20, 40),
                        (18, 58),
                        (26, 72),
                        (50, 76),
                        (74, 72),
                        (82, 58),
                        (80, 40),
                        (74, 32),
                        (26, 32),
                        (20, 40),
                    ],
                    Body,
                ),
                Curve(&[(20, 44), (19, 28), (27, 20), (35, 28), (35, 46), (27, 50), (20, 44)], Body),
                Curve(&[(35, 42), (35, 22), (43, 15), (51, 22), (51, 44), (43, 50), (35, 42)], Body),
                Curve(&[(51, 42), (51, 22), (59, 16), (66, 23), (66, 45), (59, 50), (51, 42)], Body),
                Curve(&[(66, 44), (67, 29), (74, 24), (81, 31), (81, 46), (74, 51), (66, 44)], Body),
                Curve(&[(16, 54), (24, 48), (46, 54), (56, 60), (52, 68), (42, 68), (22, 64), (16, 54)], Body),
            ],
            Self::Burnt => vec![
                Polygon(&[(0, 0), (100, 0), (100, 100), (0, 100)], Ink),
                Curve(
                    &[
                        (52, 14),
                        (56, 34),
                        (70, 46),
                        (74, 64),
                        (66, 80),
                        (50, 86),
                        (34, 80),
                        (26, 64),
                        (32, 48),
                        (40, 56),
                        (44, 34),
                        (52, 14),
                    ],
                    Fill,
                ),
                Curve(&[(51, 50), (58, 62), (58, 74), (50, 79), (42, 74), (43, 64), (51, 50)], Ink),
            ],
            _ => Vec::new(),
        }
    }
}

/// The parts of a die with this number of pips.
fn die(pips: u8) -> Vec<Part> {
    let (low, middle, high) = (28.0, 50.0, 72.0);
    let at: &[Point] = match pips {
        1 => &[(middle, middle)],
        2 => &[(low, low), (high, high)],
        3 => &[(low, low), (middle, middle), (high, high)],
        4 => &[(low, low), (low, high), (high, low), (high, high)],
        5 => &[(low, low), (low, high), (high, low), (high, high), (middle, middle)],
        _ => &[(low, low), (low, high), (high, low), (high, high), (low, middle), (high, middle)],
    };
    let pip = |&(x, y): &Point| Ellipse([x, y, 8.0, 8.0], Ink);
    [SQUARE].into_iter().chain(at.iter().map(pip)).collect()
}

/// The corners of ellipses, and those of each piece of a curve.
const CORNERS: usize = 32;
const STEPS: usize = 8;

fn points(corners: &[(i16, i16)]) -> Vec<Point> {
    corners.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).collect()
}

fn ellipse([x, y, across, down]: [f64; 4]) -> Vec<Point> {
    let angle = |corner: usize| TAU * corner as f64 / CORNERS as f64;
    (0..=CORNERS).map(|corner| (x + across * angle(corner).cos(), y + down * angle(corner).sin())).collect()
}

/// A curve through the points (Catmull and Rom's), from the first to the last.
fn curve(through: &[Point]) -> Vec<Point> {
    let at = |index: usize| through[index.clamp(1, through.len()) - 1];
    let mut corners = Vec::new();
    for index in 1..through.len() {
        let (before, from, to, after) = (at(index - 1), at(index), at(index + 1), at(index + 2));
        for step in 0..STEPS {
            let t = step as f64 / STEPS as f64;
            let blend = |before: f64, from: f64, to: f64, after: f64| {
                let (square, cube) = (t * t, t * t * t);
                0.5 * (2.0 * from
                    + (to - before) * t
                    + (2.0 * before - 5.0 * from + 4.0 * to - after) * square
                    + (3.0 * from - before - 3.0 * to + after) * cube)
            };
            corners.push((blend(before.0, from.0, to.0, after.0), blend(before.1, from.1, to.1, after.1)));
        }
    }
    corners.extend(through.last());
    corners
}

impl Part {
    fn polygon(&self) -> (Vec<Point>, PartPaint) {
        match self {
            Polygon(corners, paint) => (points(corners), *paint),
            Curve(through, paint) => (curve(&points(through)), *paint),
            Ellipse(ellipse_of, paint) => (ellipse(*ellipse_of), *paint),
            Annulus([x, y, outer, inner], paint) => {
                let mut corners = ellipse([*x, *y, *outer, *outer]);
                corners.extend(ellipse([*x, *y, *inner, *inner]).into_iter().rev());
                (corners, *paint)
            }
        }
    }

    /// The part as an element of a symbol. Here curves are curves: that is shorter than their corners.
    fn element(&self) -> String {
        let class = match self {
            Polygon(_, paint) | Curve(_, paint) | Ellipse(_, paint) | Annulus(_, paint) => paint.class(),
        };
        let circle = |x: f64, y: f64, radius: f64| {
            let (left, right) = (x - radius, x + radius);
            format!("M{left} {y}A{radius} {radius} 0 1 0 {right} {y}A{radius} {radius} 0 1 0 {left} {y}Z")
        };
        let path = match self {
            Polygon(corners, _) => {
                let corners: Vec<String> = corners.iter().map(|(x, y)| format!("{x} {y}")).collect();
                format!("M{}Z", corners.join("L"))
            }
            Curve(through, _) => bezier(&points(through)),
            Ellipse([x, y, across, down], _) => {
                return format!("<ellipse class=\"{class}\" cx=\"{x}\" cy=\"{y}\" rx=\"{across}\" ry=\"{down}\"/>");
            }
            Annulus([x, y, outer, inner], _) => {
                let d = circle(*x, *y, *outer) + &circle(*x, *y, *inner);
                return format!("<path class=\"{class}\" fill-rule=\"evenodd\" d=\"{d}\"/>");
            }
        };
        format!("<path class=\"{class}\" d=\"{path}\"/>")
    }
}

/// The curve of [`curve`] as cubic ones of Bézier, closed.
fn bezier(through: &[Point]) -> String {
    let at = |index: usize| through[index.clamp(1, through.len()) - 1];
    let (x, y) = at(1);
    let mut path = format!("M{x} {y}");
    for index in 1..through.len() {
        let (before, from, to, after) = (at(index - 1), at(index), at(index + 1), at(index + 2));
        let (first, second) = (
            (from.0 + (to.0 - before.0) / 6.0, from.1 + (to.1 - before.1) / 6.0),
            (to.0 - (after.0 - from.0) / 6.0, to.1 - (after.1 - from.1) / 6.0),
        );
        let _ = write!(path, "C{:.1} {:.1} {:.1} {:.1} {} {}", first.0, first.1, second.0, second.1, to.0, to.1);
    }
    path + "Z"
}

/// The corners as the attribute of a polygon, in a square with this left upper corner and side.
fn attribute(corners: &[Point], left: f64, top: f64, side: f64) -> String {
    let corner = |&(x, y): &Point| format!("{:.1},{:.1}", left + x * side / 100.0, top + y * side / 100.0);
    corners.iter().map(corner).collect::<Vec<_>>().join(" ")
}

impl Pictogram {
    /// Draws it into a square with this left upper corner and side.
    pub(super) fn draw(&self, out: &mut String, left: f64, top: f64, side: f64) {
        let _ = writeln!(out, "<g class=\"shape {}\">", self.shape.name());
        for (corners, paint) in self.shape.polygons() {
            let (fill, ink) = match paint {
                Body => (self.fill, self.ink),
                Fill => (self.fill, "none"),
                Ink => (self.ink, "none"),
            };
            let points = attribute(&corners, left, top, side);
            let _ = writeln!(out, "<polygon points=\"{points}\" style=\"fill:{fill};stroke:{ink}\"/>");
        }
        *out += "</g>\n";
    }
}

/// All shapes as an SVG document with a symbol for each, whose parts have the classes `body`, `fill` and `ink`.
pub(crate) fn pictograms() -> String {
    let mut out = String::from("<svg xmlns=\"http://www.w3.org/2000/svg\">\n");
    for shape in PieceShape::ALL {
        let _ = write!(out, "<symbol id=\"piece-{}\" viewBox=\"0 0 100 100\">", shape.name());
        match shape.quarters() {
            Some(quarters) => {
                let arrow = Polygon(&ARROW, Body).element();
                let _ = write!(out, "<g transform=\"rotate({} 50 50)\">{arrow}</g>", 90 * quarters);
            }
            None => out.extend(shape.all_parts().iter().map(Part::element)),
        }
        out += "</symbol>\n";
    }
    out += "</svg>\n";
    out
}
