//! Directed graphs drawn in columns, such as circuits: for Graphviz, and as SVG with the shapes of circuit diagrams.
//!
//! The columns of a graph are given; its rows are computed by the method of Sugiyama, Tagawa and Toda (1981): edges
//! that span several columns pass through bends; the columns are sorted by the mean position of their neighbours, in
//! several sweeps in alternating directions; and the positions keep that order, as close to their neighbours as the
//! minimum distance allows. [`network_picture()`] makes such a graph of a propositional network.

#![expect(clippy::cast_possible_truncation, reason = "a picture has at most some thousand rows and letters")]

use super::document::{Digraph, document, escaped};
use gdl::sorting;
use ggp_engine::propnet::{Component, ComponentOrder, Labels, Netlist, Network};
use petgraph::graph::NodeIndex;
use std::fmt::Write;
use std::ops::Range;

/// A graph whose edges lead to the right where possible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The nodes.
    pub nodes: Vec<GraphNode>,
    /// The edges: the indices of the source and of the target.
    pub edges: Vec<(usize, usize)>,
}

/// The appearance of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphNode {
    /// Its shape.
    pub figure: GraphShape,
    /// The lines of its text; an SVG shows only the first.
    pub words: Vec<String>,
    /// Its column; 0 is the leftmost.
    pub column: usize,
    /// True if it has neighbours that are not drawn.
    pub is_border: bool,
}

/// The shape of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphShape {
    /// A box.
    Rectangle,
    /// A slanted box.
    Parallelogram,
    /// A box with a double border.
    Double,
    /// An ellipse.
    Ellipse,
    /// The conjunction of circuit diagrams.
    And,
    /// The disjunction of circuit diagrams.
    Or,
    /// The negation of circuit diagrams.
    Not,
    /// No outline: words only.
    Words,
}

/// The maximum number of nodes of an SVG; larger ones would be unreadable.
pub const MOST_DRAWN: usize = 500;

/// A picture would show more than [`MOST_DRAWN`] nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} components are too many to draw (at most {MOST_DRAWN})")]
pub struct GraphTooLarge(pub usize);

impl Graph {
    /// The graph in the DOT language of Graphviz. Conjunctions are houses, disjunctions inverted houses, negations
    /// triangles, and nodes with neighbours that are not drawn are dashed. Linear in nodes and edges.
    pub fn dot(&self) -> String {
        dot(self)
    }

    /// The graph as an SVG document. Quadratic in nodes and bends at worst.
    ///
    /// # Errors
    /// [`GraphTooLarge`] if there are more than [`MOST_DRAWN`] nodes.
    pub fn svg(&self) -> Result<String, GraphTooLarge> {
        if self.nodes.len() > MOST_DRAWN { Err(GraphTooLarge(self.nodes.len())) } else { Ok(svg(self)) }
    }
}

pub(super) fn dot(graph: &Graph) -> String {
    let mut dot = Digraph::new(&["rankdir=LR", "node [fontname=\"sans-serif\", fontsize=10]"]);
    for (index, node) in graph.nodes.iter().enumerate() {
        let (shape, sign) = match node.figure {
            GraphShape::Rectangle => ("shape=box", None),
            GraphShape::Parallelogram => ("shape=parallelogram", None),
            GraphShape::Double => ("shape=doubleoctagon", None),
            GraphShape::Ellipse => ("shape=ellipse", None),
            GraphShape::And => ("shape=house", Some("and")),
            GraphShape::Or => ("shape=invhouse", Some("or")),
            GraphShape::Not => ("shape=triangle", Some("not")),
            GraphShape::Words => ("shape=plaintext", None),
        };
        let lines: Vec<&str> = sign.into_iter().chain(node.words.iter().map(String::as_str)).collect();
        let border = node.is_border.then_some("style=dashed");
        dot.node(index, &lines, [shape].into_iter().chain(border));
    }
    for &(from, to) in &graph.edges {
        dot.edge(from, to, None, []);
    }
    dot.end()
}

/// The number of sweeps in which columns are sorted.
const SWEEPS: usize = 12;

/// A drawing in columns and rows. Columns are numbered from the left; heights are in hundredths of a row.
struct GraphLayers {
    /// The height of each node.
    pub(super) heights: Vec<i32>,
    /// The edges: column and height of the start, of each bend, and of the end.
    edges: Vec<Vec<(usize, i32)>>,
    /// The number of columns.
    pub(super) columns: usize,
    /// The height of the drawing, in hundredths of a row.
    pub(super) height: i32,
}

/// A node or a bend.
struct GraphPoint {
    is_node: bool,
    column: usize,
    /// Points in the column to the left with an edge to this one.
    left: Vec<usize>,
    /// Points in the column to the right with an edge from this one.
    right: Vec<usize>,
    height: i32,
}

impl GraphPoint {
    fn new(column: usize, is_node: bool) -> Self {
        Self { is_node, column, left: Vec::new(), right: Vec::new(), height: 0 }
    }
}

impl GraphLayers {
    /// Lays a graph out. At worst quadratic in nodes and bends; meant for some hundreds.
    fn from_graph(graph: &Graph) -> Self {
        let mut points: Vec<GraphPoint> = graph.nodes.iter().map(|node| GraphPoint::new(node.column, true)).collect();
        let paths = connect(graph, &mut points);
        let mut columns = vec![Vec::new(); points.iter().map(|point| point.column + 1).max().unwrap_or(0)];
        for (number, point) in points.iter().enumerate() {
            columns[point.column].push(number);
        }
        arrange(&mut points, &mut columns);
        let lowest = points.iter().map(|point| point.height).min().unwrap_or(0);
        points.iter_mut().for_each(|point| point.height -= lowest);
        let position = |point: usize| (points[point].column, points[point].height);
        Self {
            heights: points.iter().filter(|point| point.is_node).map(|point| point.height).collect(),
            edges: paths.into_iter().map(|path| path.into_iter().map(position).collect()).collect(),
            columns: columns.len(),
            height: points.iter().map(|point| point.height).max().unwrap_or(0) + 100,
        }
    }
}

/// Makes the bends of all edges; returns the points of each edge from its start to its end.
fn connect(graph: &Graph, points: &mut Vec<GraphPoint>) -> Vec<Vec<usize>> {
    let mut paths = Vec::new();
    for &(source, target) in &graph.edges {
        let from = points[source].column;
        let to = points[target].column;
        let mut path = vec![source];
        for column in from + 1..to {
            path.push(points.len());
            points.push(GraphPoint::new(column, false));
        }
        path.push(target);
        // An edge that leads back, or stays in its column, has no bends and does not move its ends.
        if from < to {
            for pair in path.windows(2) {
                points[pair[0]].right.push(pair[1]);
                points[pair[1]].left.push(pair[0]);
            }
        }
        paths.push(path);
    }
    paths
}

/// Sorts the columns and assigns every point its height.
fn arrange(points: &mut [GraphPoint], columns: &mut [Vec<usize>]) {
    for column in columns.iter() {
        for (row, &point) in column.iter().enumerate() {
            points[point].height = row as i32 * 100;
        }
    }
    for sweep in 0..SWEEPS {
        // Every second sweep goes to the left, so that a column is sorted by both its neighbours.
        let to_the_right = sweep % 2 == 0;
        let order: Vec<usize> =
            if to_the_right { (0..columns.len()).collect() } else { (0..columns.len()).rev().collect() };
        for column in order {
            let wanted = |point: usize, points: &[GraphPoint]| {
                let point = &points[point];
                let neighbours = if to_the_right { &point.left } else { &point.right };
                let sum: i32 = neighbours.iter().map(|&other| points[other].height).sum();
                if neighbours.is_empty() { point.height } else { sum / neighbours.len() as i32 }
            };
            let mut sorted: Vec<(i32, usize)> =
                columns[column].iter().map(|&point| (wanted(point, points), point)).collect();
            sorting::sort_by_key(&mut sorted, |&(height, _)| height);
            settle(points, &sorted);
            columns[column] = sorted.into_iter().map(|(_, point)| point).collect();
        }
    }
}

/// Places the points of a column close to their preferred heights, in their order and at least the minimum distance
/// apart: points that would collide form a block around their mean (the one-dimensional separation of Dwyer, Marriott
/// and Stuckey).
fn settle(points: &mut [GraphPoint], wanted: &[(i32, usize)]) {
    let distance = |point: &GraphPoint| if point.is_node { 100 } else { 50 };
    // Blocks: the sum of the wanted starts, the number of members, the height.
    let mut blocks: Vec<(i32, usize, i32)> = Vec::new();
    for &(start, point) in wanted {
        let mut block = (start, 1, distance(&points[point]));
        while let Some(&(sum, count, height)) = blocks.last() {
            if sum / count as i32 + height <= block.0 / block.1 as i32 {
                break;
            }
            blocks.pop();
            block = (sum + block.0 - height * block.1 as i32, count + block.1, height + block.2);
        }
        blocks.push(block);
    }
    let mut members = wanted.iter();
    for (sum, count, _) in blocks {
        let mut height = sum / count as i32;
        for &(_, point) in members.by_ref().take(count) {
            points[point].height = height;
            height += distance(&points[point]);
        }
    }
}

/// The distance of two rows, in pixels.
const ROW: i32 = 34;
/// The gap between two columns, in pixels; edges pass through it.
const GAP: i32 = 70;
/// The approximate width of a letter, in pixels.
const LETTER: i32 = 7;
/// The margin around the drawing, in pixels.
const MARGIN: i32 = 20;

const STYLE: &str = "text{font:11px sans-serif;text-anchor:middle;dominant-baseline:central}\
.edge{fill:none;stroke:#8a8f98;stroke-width:1}.wire{stroke:#8a8f98}\
.rectangle{fill:#dcebfa}.parallelogram{fill:#fdeacb}.double{fill:#dff3dd}.gate{fill:#fff}.ellipse{fill:#f1f1f1}\
.rectangle,.parallelogram,.double,.gate,.ellipse{stroke:#333;stroke-width:1}";

pub(super) fn svg(graph: &Graph) -> String {
    let layers = GraphLayers::from_graph(graph);
    let columns = columns(graph, layers.columns);
    let right = columns.last().map_or(MARGIN, |column| column.end);
    let y = |height: i32| MARGIN + (height * ROW + ROW * 50) / 100;
    let mut elements = String::new();
    for edge in &layers.edges {
        let _ = writeln!(elements, "<path class=\"edge\" d=\"{}\"/>", path(edge, &columns, y));
    }
    for (node, &height) in graph.nodes.iter().zip(&layers.heights) {
        elements += &figure(node, &columns[node.column], y(height));
    }
    document((right + MARGIN).into(), (2 * MARGIN + layers.height * ROW / 100).into(), STYLE, &elements)
}

/// The columns from left to right, in pixels, each as wide as its widest node.
fn columns(graph: &Graph, count: usize) -> Vec<Range<i32>> {
    let mut widths = vec![30; count];
    for node in &graph.nodes {
        let letters = node.words.first().map_or(0, |words| words.chars().count()) as i32;
        let width = &mut widths[node.column];
        *width = (*width).max(letters * LETTER + 24);
    }
    let mut left = MARGIN;
    let mut columns = Vec::with_capacity(count);
    for width in widths {
        columns.push(left..left + width);
        left += width + GAP;
    }
    columns
}

/// The line of an edge through its bends.
fn path(edge: &[(usize, i32)], columns: &[Range<i32>], y: impl Fn(i32) -> i32) -> String {
    let left = |at: usize| columns[at].start;
    let right = |at: usize| columns[at].end;
    let middle = |at: usize| columns[at].start + (columns[at].end - columns[at].start) / 2;
    let mut path = String::new();
    for pair in edge.windows(2) {
        let (from, start) = pair[0];
        let (to, end) = pair[1];
        let start = y(start);
        let end = y(end);
        let (x1, x2) = if from < to { (right(from), left(to)) } else { (middle(from), middle(to)) };
        let half = if from < to { (x2 - x1) / 2 } else { GAP };
        let _ = write!(path, "M{x1} {start}C{} {start} {} {end} {x2} {end}", x1 + half, x2 - half);
        // A bend is passed in a straight line.
        if edge.last() != Some(&pair[1]) {
            let _ = write!(path, "H{}", right(to));
        }
    }
    path
}

/// The figure of a node in the middle of its column, at a height; wires lead to small ones.
fn figure(node: &GraphNode, &Range { start: left, end: right }: &Range<i32>, y: i32) -> String {
    let words = escaped(node.words.first().map_or("", String::as_str));
    let width = right - left;
    let half = width / 2;
    let x = left + half;
    let top = y - 11;
    let bottom = y + 11;
    let label = format!("<text x=\"{x}\" y=\"{y}\">{words}</text>");
    // Gates are small: wires lead to them, and the name is written above.
    let gate = |shape: String| {
        let name =
            if words.is_empty() { String::new() } else { format!("<text x=\"{x}\" y=\"{}\">{words}</text>", y - 16) };
        format!("<path class=\"wire\" d=\"M{left} {y}H{right}\"/>{shape}{name}\n")
    };
    match node.figure {
        GraphShape::Rectangle => {
            format!("<rect class=\"rectangle\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"22\"/>{label}\n")
        }
        GraphShape::Parallelogram => {
            let inner_left = left + 8;
            let inner_right = right - 8;
            format!(
                "<path class=\"parallelogram\" d=\"M{inner_left} {top}H{right}L{inner_right} {bottom}H{left}Z\"/>{label}\n"
            )
        }
        GraphShape::Double => format!(
            "<rect class=\"double\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"22\"/>\
             <rect class=\"double\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"16\"/>{label}\n",
            left + 3,
            top + 3,
            width - 6
        ),
        GraphShape::Ellipse => {
            format!("<ellipse class=\"ellipse\" cx=\"{x}\" cy=\"{y}\" rx=\"{half}\" ry=\"11\"/>{label}\n")
        }
        GraphShape::And => gate(format!("<path class=\"gate\" d=\"M{} {}h9a9 9 0 0 1 0 18h-9Z\"/>", x - 9, y - 9)),
        GraphShape::Or => {
            gate(format!("<path class=\"gate\" d=\"M{} {}q12 0 20 9q-8 9 -20 9q6 -9 0 -18Z\"/>", x - 10, y - 9))
        }
        GraphShape::Not => gate(format!(
            "<path class=\"gate\" d=\"M{} {}l12 6l-12 6Z\"/><circle class=\"gate\" cx=\"{}\" cy=\"{y}\" r=\"3\"/>",
            x - 9,
            y - 6,
            x + 6
        )),
        GraphShape::Words => format!("{label}\n"),
    }
}

/// A picture of some components of a network, in order of their indices, and of the edges between them; data flows from
/// left to right. Bases are boxes, inputs parallelograms, outputs boxes with a double border, views ellipses;
/// conjunctions, disjunctions and negations have the shapes of circuit diagrams. Linear in the size of the network.
pub fn network_picture(network: &Network, nodes: &[NodeIndex]) -> Graph {
    let labels = Labels::new(network);
    let mut shown = vec![None; network.graph.node_count()];
    nodes.iter().enumerate().for_each(|(index, node)| shown[node.index()] = Some(index));
    let columns = network_columns(network, &shown);
    let figure = |&node: &NodeIndex| {
        let (figure, sign) = match network.component(node) {
            Component::Base(_) => (GraphShape::Rectangle, None),
            Component::Input(_) => (GraphShape::Parallelogram, None),
            Component::Output(_) => (GraphShape::Double, None),
            Component::View => (GraphShape::Ellipse, None),
            Component::And => (GraphShape::And, None),
            Component::Or => (GraphShape::Or, None),
            Component::Not => (GraphShape::Not, None),
            Component::Constant(value) => (GraphShape::Words, Some(if *value { "always" } else { "never" })),
        };
        let words =
            sign.map(str::to_string).into_iter().chain(labels.proposition(node).map(|term| term.to_string())).collect();
        let is_border = network.graph.neighbors_undirected(node).any(|other| shown[other.index()].is_none());
        GraphNode { figure, words, column: columns[node.index()], is_border }
    };
    let inputs = |(target, &node)| {
        let sources = network.inputs(node).into_iter().filter_map(|input: NodeIndex| shown[input.index()]);
        sources.map(move |source| (source, target)).collect::<Vec<_>>()
    };
    Graph { nodes: nodes.iter().map(figure).collect(), edges: nodes.iter().enumerate().flat_map(inputs).collect() }
}

/// The column of each component, by node: one to the right of its inputs. On a cycle, the order of the group decides.
fn network_columns(network: &Network, shown: &[Option<usize>]) -> Vec<usize> {
    let netlist = Netlist::copy_of(network);
    let mut columns = vec![None; network.graph.node_count()];
    for &node in ComponentOrder::from_inputs(netlist.input_lists()).nodes() {
        if shown[node.index()].is_some() {
            let inputs = netlist.inputs(node).iter().filter(|input| shown[input.index()].is_some());
            let last = inputs.filter_map(|input| columns[input.index()]).max();
            columns[node.index()] = Some(last.map_or(0, |last| last + 1));
        }
    }
    columns.into_iter().map(Option::unwrap_or_default).collect()
}
