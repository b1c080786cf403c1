//! The pieces of pictures as shapes: chess pieces, discs, crosses, arrows and others, the same in every picture.
//!
//! The shapes are the data of `pictograms.txt`: polygons, curves and ellipses in a square of 100 by 100 units. Pictures
//! are made of polygons, so that every program that shows polygons can show them: curves become polygons with many
//! corners. The page draws the same shapes from a set of symbols ([`pictograms`]).

use serde::de::value::{Error, StrDeserializer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::fmt::Write;
use std::sync::LazyLock;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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

/// A point, in units from the upper left corner; or a pair of radii.
type Point = (f64, f64);

/// The paint of a part of a shape: body with an outline, body without one, or the colour of outlines.
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

/// The outline of a part.
enum Outline {
    /// Corners.
    Polygon(Vec<Point>),
    /// Points that a smooth curve goes through.
    Curve(Vec<Point>),
    Ellipse {
        centre: Point,
        radii: Point,
    },
    /// The area between two circles.
    Ring {
        centre: Point,
        outer: f64,
        inner: f64,
    },
}

/// A part of a shape.
struct Part {
    outline: Outline,
    paint: PartPaint,
}

/// A shape as `pictograms.txt` describes it.
struct Drawing {
    /// Its name there, in JSON and in the set of symbols.
    name: &'static str,
    /// The angle by which it is turned, if it is one of several directions.
    turned: Option<u16>,
    /// Its parts, from the bottom.
    parts: Vec<Part>,
}

/// The drawings of all shapes.
static DRAWINGS: LazyLock<BTreeMap<PieceShape, Drawing>> =
    LazyLock::new(|| read(include_str!("pictograms.txt")).expect("the table is as its first lines say"));

/// Reads the table of shapes.
fn read(table: &'static str) -> Option<BTreeMap<PieceShape, Drawing>> {
    let mut drawings: Vec<(PieceShape, Drawing)> = Vec::new();
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line.starts_with(' ') {
            drawings.last_mut()?.1.parts.push(Part::read(line)?);
            continue;
        }
        let mut heading = line.split(" turned ");
        let name = heading.next()?;
        let turned = heading.next().map(str::parse).transpose().ok()?;
        drawings.push((PieceShape::named(name)?, Drawing { name, turned, parts: Vec::new() }));
    }
    Some(drawings.into_iter().collect())
}

impl PieceShape {
    /// The shape with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::deserialize(StrDeserializer::<Error>::new(name)).ok()
    }
}

impl Drawing {
    /// Its polygons, from the bottom, each with its paint.
    fn polygons(&self) -> impl Iterator<Item = (Vec<Point>, PartPaint)> {
        let quarters = self.turned.map_or(0, |angle| angle / 90);
        // A quarter turn to the right, about the middle of the square.
        let turn = move |corner: Point| (0..quarters).fold(corner, |(x, y), _| (100.0 - y, x));
        self.parts.iter().map(move |part| (part.outline.polygon().into_iter().map(turn).collect(), part.paint))
    }
}

/// The corners of ellipses, and those of each piece of a curve.
const CORNERS: usize = 32;
const STEPS: usize = 8;

fn ellipse((x, y): Point, (across, down): Point) -> Vec<Point> {
    let angle = |corner: usize| TAU * corner as f64 / CORNERS as f64;
    (0..=CORNERS).map(|corner| (x + across * angle(corner).cos(), y + down * angle(corner).sin())).collect()
}

/// A curve through the points (Catmull and Rom's), from the first to the last.
fn curve(through: &[Point]) -> Vec<Point> {
    // The first and the last point are their own neighbours.
    let at = |index: usize| through[index.clamp(1, through.len()) - 1];
    let mut corners = Vec::new();
    for index in 1..through.len() {
        let before = at(index - 1);
        let from = at(index);
        let to = at(index + 1);
        let after = at(index + 2);
        for step in 0..STEPS {
            let t = step as f64 / STEPS as f64;
            let blend = |before: f64, from: f64, to: f64, after: f64| {
                let square = t * t;
                let cube = t * t * t;
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
    /// Reads a line of `pictograms.txt`: a kind, a paint, and points.
    fn read(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let kind = words.next()?;
        let paint = match words.next()? {
            "body" => PartPaint::Body,
            "fill" => PartPaint::Fill,
            "ink" => PartPaint::Ink,
            _ => return None,
        };
        let points: Vec<Point> = words.map(point).collect::<Option<_>>()?;
        let outline = match (kind, &points[..]) {
            ("polygon", _) => Outline::Polygon(points),
            ("curve", _) => Outline::Curve(points),
            ("ellipse", &[centre, radii]) => Outline::Ellipse { centre, radii },
            ("ring", &[centre, (outer, inner)]) => Outline::Ring { centre, outer, inner },
            _ => return None,
        };
        Some(Self { outline, paint })
    }

    /// The part as an element of a symbol. Here curves are curves: that is shorter than their corners.
    fn element(&self) -> String {
        let class = self.paint.class();
        match &self.outline {
            Outline::Polygon(corners) => {
                let corners: Vec<String> = corners.iter().map(|(x, y)| format!("{x} {y}")).collect();
                format!("<path class=\"{class}\" d=\"M{}Z\"/>", corners.join("L"))
            }
            Outline::Curve(through) => format!("<path class=\"{class}\" d=\"{}\"/>", bezier(through)),
            Outline::Ellipse { centre: (x, y), radii: (across, down) } => {
                format!("<ellipse class=\"{class}\" cx=\"{x}\" cy=\"{y}\" rx=\"{across}\" ry=\"{down}\"/>")
            }
            Outline::Ring { centre: (x, y), outer, inner } => {
                let circle = |radius: f64| {
                    let left = x - radius;
                    let right = x + radius;
                    format!("M{left} {y}A{radius} {radius} 0 1 0 {right} {y}A{radius} {radius} 0 1 0 {left} {y}Z")
                };
                let path = circle(*outer) + &circle(*inner);
                format!("<path class=\"{class}\" fill-rule=\"evenodd\" d=\"{path}\"/>")
            }
        }
    }
}

/// Reads a point: two numbers with a comma.
fn point(text: &str) -> Option<Point> {
    let (x, y) = text.split_once(',')?;
    Some((x.parse().ok()?, y.parse().ok()?))
}

impl Outline {
    fn polygon(&self) -> Vec<Point> {
        match self {
            Self::Polygon(corners) => corners.clone(),
            Self::Curve(through) => curve(through),
            Self::Ellipse { centre, radii } => ellipse(*centre, *radii),
            Self::Ring { centre, outer, inner } => {
                let mut corners = ellipse(*centre, (*outer, *outer));
                corners.extend(ellipse(*centre, (*inner, *inner)).into_iter().rev());
                corners
            }
        }
    }
}

/// The curve of [`curve`] as cubic ones of Bézier, closed.
fn bezier(through: &[Point]) -> String {
    let at = |index: usize| through[index.clamp(1, through.len()) - 1];
    let (x, y) = at(1);
    let mut path = format!("M{x} {y}");
    for index in 1..through.len() {
        let before = at(index - 1);
        let from = at(index);
        let to = at(index + 1);
        let after = at(index + 2);
        // The tangent at a point is half the way between its neighbours; control points are a third of it away.
        let first = (from.0 + (to.0 - before.0) / 6.0, from.1 + (to.1 - before.1) / 6.0);
        let second = (to.0 - (after.0 - from.0) / 6.0, to.1 - (after.1 - from.1) / 6.0);
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
        let drawing = &DRAWINGS[&self.shape];
        let _ = writeln!(out, "<g class=\"shape {}\">", drawing.name);
        for (corners, paint) in drawing.polygons() {
            let (fill, ink) = match paint {
                PartPaint::Body => (self.fill, self.ink),
                PartPaint::Fill => (self.fill, "none"),
                PartPaint::Ink => (self.ink, "none"),
            };
            let points = attribute(&corners, left, top, side);
            let _ = writeln!(out, "<polygon points=\"{points}\" style=\"fill:{fill};stroke:{ink}\"/>");
        }
        *out += "</g>\n";
    }
}

/// All shapes as an SVG document with a symbol for each, whose parts have the classes `body`, `fill` and `ink`.
pub fn pictograms() -> String {
    let mut out = String::from("<svg xmlns=\"http://www.w3.org/2000/svg\">\n");
    for Drawing { name, turned, parts } in DRAWINGS.values() {
        let parts: String = parts.iter().map(Part::element).collect();
        let drawn = match turned {
            Some(angle) => format!("<g transform=\"rotate({angle} 50 50)\">{parts}</g>"),
            None => parts,
        };
        let _ = writeln!(out, "<symbol id=\"piece-{name}\" viewBox=\"0 0 100 100\">{drawn}</symbol>");
    }
    out += "</svg>\n";
    out
}
