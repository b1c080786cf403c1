//! A layered drawing of a graph: the positions of nodes and edges, without shapes and colours.
//!
//! The method is that of Sugiyama, Tagawa and Toda (1981): edges that span several columns pass through bends; the
//! columns are sorted by the mean position of their neighbours, in several sweeps in alternating directions; and the
//! positions keep that order, as close to their neighbours as the minimum distance allows.

#![expect(clippy::cast_possible_truncation, reason = "a picture has at most some thousand rows and letters")]

use super::Graph;
use gdl::sorting;

/// The number of sweeps in which columns are sorted.
const SWEEPS: usize = 12;

/// A drawing in columns and rows. Columns are numbered from the left; heights are in hundredths of a row.
pub(super) struct GraphLayers {
    /// The height of each node.
    pub(super) heights: Vec<i32>,
    /// The edges: column and height of the start, of each bend, and of the end.
    pub(super) edges: Vec<Vec<(usize, i32)>>,
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
    pub(super) fn from_graph(graph: &Graph) -> Self {
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
