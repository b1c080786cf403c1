//! A layered drawing of a part of a network: the positions of components and edges, without shapes and colours.
//!
//! The method is that of Sugiyama, Tagawa and Toda (1981): components are put in columns, to the right of their inputs;
//! edges that span several columns pass through bends; the columns are sorted by the mean position of their neighbours,
//! in several sweeps to and fro; and the positions keep that order, as close to their neighbours as the distance
//! allows.

use super::dot::shown;
use super::netlist::Netlist;
use super::network::Network;
use super::order::Order;
use petgraph::graph::NodeIndex;

/// The number of sweeps in which columns are sorted.
const SWEEPS: usize = 12;

/// A drawing in columns and rows. Columns are numbered from the left; a place is a height, in hundredths of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawing {
    /// The components: node, column, place.
    pub nodes: Vec<(NodeIndex, usize, i32)>,
    /// The edges: column and place of the start, of each bend, and of the end.
    pub edges: Vec<Vec<(usize, i32)>>,
    /// How many columns there are.
    pub columns: usize,
    /// How high the drawing is, in hundredths of a row.
    pub height: i32,
}

/// A component or a bend.
struct Point {
    node: Option<NodeIndex>,
    column: usize,
    /// Points in the column to the left with an edge to this one.
    left: Vec<usize>,
    /// Points in the column to the right with an edge from this one.
    right: Vec<usize>,
    place: i32,
}

/// Draws some components of a network. At worst quadratic in components and bends; meant for some hundreds.
pub fn draw(network: &Network, nodes: &[NodeIndex]) -> Drawing {
    let columns_of = columns(network, nodes);
    let mut points: Vec<Point> = nodes
        .iter()
        .map(|&node| Point {
            node: Some(node),
            column: columns_of[node.index()],
            left: Vec::new(),
            right: Vec::new(),
            place: 0,
        })
        .collect();
    let paths = connect(network, nodes, &mut points);
    let mut columns = vec![Vec::new(); points.iter().map(|point| point.column + 1).max().unwrap_or(0)];
    for (number, point) in points.iter().enumerate() {
        columns[point.column].push(number);
    }
    arrange(&mut points, &mut columns);
    let lowest = points.iter().map(|point| point.place).min().unwrap_or(0);
    points.iter_mut().for_each(|point| point.place -= lowest);
    Drawing {
        nodes: points.iter().filter_map(|point| Some((point.node?, point.column, point.place))).collect(),
        edges: paths
            .into_iter()
            .map(|path| path.into_iter().map(|point| (points[point].column, points[point].place)).collect())
            .collect(),
        columns: columns.len(),
        height: points.iter().map(|point| point.place).max().unwrap_or(0) + 100,
    }
}

/// The column of each component, by node: one right of its inputs. On a cycle, the order of the group decides.
fn columns(network: &Network, nodes: &[NodeIndex]) -> Vec<usize> {
    let netlist = Netlist::of(network.clone());
    let is_shown = shown(network, nodes);
    let mut columns = vec![None; network.graph.node_count()];
    for &node in Order::of(&netlist).nodes() {
        if is_shown[node.index()] {
            let inputs = netlist.inputs(node).iter().filter(|input| is_shown[input.index()]);
            let last = inputs.filter_map(|input| columns[input.index()]).max();
            columns[node.index()] = Some(last.map_or(0, |last| last + 1));
        }
    }
    columns.into_iter().map(Option::unwrap_or_default).collect()
}

/// Makes the bends of all edges; returns the points of each edge from its start to its end.
fn connect(network: &Network, nodes: &[NodeIndex], points: &mut Vec<Point>) -> Vec<Vec<usize>> {
    let mut paths = Vec::new();
    for (target, &node) in nodes.iter().enumerate() {
        for input in network.inputs(node) {
            let Ok(source) = nodes.binary_search(&input) else { continue };
            let (from, to) = (points[source].column, points[target].column);
            let mut path = vec![source];
            for column in from + 1..to {
                path.push(points.len());
                points.push(Point { node: None, column, left: Vec::new(), right: Vec::new(), place: 0 });
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
    }
    paths
}

/// Sorts the columns and assigns every point its place.
fn arrange(points: &mut [Point], columns: &mut [Vec<usize>]) {
    for column in columns.iter() {
        for (row, &point) in column.iter().enumerate() {
            points[point].place = row as i32 * 100;
        }
    }
    for sweep in 0..SWEEPS {
        let to_the_right = sweep % 2 == 0;
        let order: Vec<usize> =
            if to_the_right { (0..columns.len()).collect() } else { (0..columns.len()).rev().collect() };
        for column in order {
            let wanted = |point: usize, points: &[Point]| {
                let point = &points[point];
                let neighbours = if to_the_right { &point.left } else { &point.right };
                let sum: i32 = neighbours.iter().map(|&other| points[other].place).sum();
                if neighbours.is_empty() { point.place } else { sum / neighbours.len() as i32 }
            };
            let mut sorted: Vec<(i32, usize)> =
                columns[column].iter().map(|&point| (wanted(point, points), point)).collect();
            sorted.sort_by_key(|&(place, _)| place);
            settle(points, &sorted);
            columns[column] = sorted.into_iter().map(|(_, point)| point).collect();
        }
    }
}

/// Places the points of a column close to the places they want, in their order and at least the minimum distance apart:
/// points that would collide form a block around their mean (the one-dimensional separation of Dwyer, Marriott and
/// Stuckey).
fn settle(points: &mut [Point], wanted: &[(i32, usize)]) {
    let distance = |point: &Point| if point.node.is_some() { 100 } else { 50 };
    // Blocks: the sum of the wanted starts, the number of members, the height.
    let mut blocks: Vec<(i32, usize, i32)> = Vec::new();
    for &(place, point) in wanted {
        let mut block = (place, 1, distance(&points[point]));
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
        let mut place = sum / count as i32;
        for &(_, point) in members.by_ref().take(count) {
            points[point].place = place;
            place += distance(&points[point]);
        }
    }
}
