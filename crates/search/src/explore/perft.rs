//! `perft`: counts the nodes of the game tree at each depth, and below each first joint move.

use super::state_graph::StateGraph;
use crate::budget::Meter;
use crate::{Budget, Count, Outcome, SearchError};
use ggp_game::{BatchReasoner, JointMoves, Move, Reasoner};

/// Node counts of a game tree down to a depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perft {
    /// The counts for each depth; depth 0 is the first state alone.
    pub depths: Vec<DepthCount>,
    /// The first joint moves in canonical order, each with the number of nodes below it at the last depth. Empty if
    /// that depth is 0.
    pub first_moves: Vec<(Vec<Move>, Count)>,
}

/// The numbers of nodes at one depth, which is counted in joint moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct DepthCount {
    /// All nodes at this depth.
    pub nodes: Count,
    /// The terminal nodes among them; they have no successors.
    pub terminal_nodes: Count,
}

/// Counts the nodes at each depth down to `depth`, and how they divide over the first joint moves, as chess programs do
/// to test their move generators.
///
/// - Guarantee: exact down to the last depth that is listed. That is `depth`, or less if the budget is too small.
/// - Cost: one expansion for each distinct state above that depth. All these states are kept in memory. The counting
///   then takes `depth` passes over the joint moves, or two if no state can be reached at two depths.
pub fn perft<R: BatchReasoner>(
    reasoner: &mut R,
    state: &R::State,
    depth: u32,
    budget: &Budget,
) -> Result<Outcome<Perft>, SearchError> {
    let mut meter = Meter::start_flat(budget);
    let (graph, halt) = StateGraph::count(reasoner, state, depth, &mut meter);
    let all = graph.complete.min(depth);
    // If the counts do not fit into memory, fewer depths are counted.
    let last = DistanceCounts::depth_within(&graph, all, budget.memory());
    let halt = halt.or_else(|| (last < all).then(|| meter.out_of_memory()));
    let perft = if graph.len() == 0 {
        None
    } else {
        let counts = DistanceCounts::count(&graph, last);
        let first_moves =
            if last == 0 || graph.terminal[0] { Vec::new() } else { first_moves(reasoner, state, &graph, &counts)? };
        Some(Perft { depths: counts.depths, first_moves })
    };
    meter.best_so_far(halt, perft)
}

/// The joint moves of the first state in canonical order, each with the number of nodes below it at the last depth.
fn first_moves<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    graph: &StateGraph,
    counts: &DistanceCounts,
) -> Result<Vec<(Vec<Move>, Count)>, SearchError> {
    let mut joint_moves = JointMoves::in_state(reasoner, state)?;
    let mut first_moves = Vec::with_capacity(graph.successors(0).len());
    for &after in graph.successors(0) {
        first_moves.push((joint_moves.current().to_vec(), counts.above_last[after as usize]));
        joint_moves.advance();
    }
    Ok(first_moves)
}

/// The numbers of nodes below states by distance. At distance 0 below a state there is the state itself; the number at
/// distance n + 1 is the sum of those at distance n below its successors.
struct DistanceCounts {
    /// The counts below the first state, for each distance.
    depths: Vec<DepthCount>,
    /// For each successor of the first state, the number of nodes below it at the last depth. The values of other
    /// states are not used.
    above_last: Vec<Count>,
}

impl DistanceCounts {
    /// The bytes for each state during the counting: two counts, one for a distance and one for the next.
    const BYTES_PER_STATE: usize = 2 * size_of::<DepthCount>();

    /// The greatest depth, at most `last`, for which the graph and the counts together keep within this many bytes.
    fn depth_within(graph: &StateGraph, last: u32, bytes: u64) -> u32 {
        let needed = |&depth: &u32| (graph.bytes() + Self::states_within(graph, depth) * Self::BYTES_PER_STATE) as u64;
        (1..=last).rev().find(|depth| needed(depth) <= bytes).unwrap_or(0)
    }

    /// The number of states that are at most this far from the first. They are the first states of the graph, since its
    /// states are in the order of their distances.
    fn states_within(graph: &StateGraph, depth: u32) -> usize {
        graph.distances.partition_point(|&distance| distance <= depth)
    }

    /// The counts down to the depth `last`, in two passes if the graph allows it.
    fn count(graph: &StateGraph, last: u32) -> Self {
        let near = Self::states_within(graph, last);
        if is_layered(graph, near) { Self::of_layers(graph, near, last) } else { Self::of_graph(graph, near, last) }
    }

    /// The counts of a layered graph ([`is_layered`]). Each state is a node at one depth only, so two passes do: one
    /// forward, which counts the paths to each state, and one backward, which counts the nodes below each state.
    fn of_layers(graph: &StateGraph, near: usize, last: u32) -> Self {
        let mut depths = vec![DepthCount::default(); last as usize + 1];
        // The number of paths to each state, which is the number of its nodes.
        let mut paths = vec![Count::ZERO; near];
        paths[0] = Count::ONE;
        for state in 0..near {
            let own = paths[state];
            let depth = &mut depths[graph.distances[state] as usize];
            depth.nodes = depth.nodes + own;
            if graph.terminal[state] {
                depth.terminal_nodes = depth.terminal_nodes + own;
            }
            for &after in graph.successors(state) {
                if let Some(sum) = paths.get_mut(after as usize) {
                    *sum = *sum + own;
                }
            }
        }
        // The nodes below each state at the last depth, in the same memory: successors have greater numbers, so their
        // entries are overwritten before they are read.
        let mut above_last = paths;
        for state in (0..near).rev() {
            let after = graph.successors(state).iter().filter_map(|&after| above_last.get(after as usize));
            let sum = after.copied().sum();
            above_last[state] = if graph.distances[state] == last { Count::ONE } else { sum };
        }
        Self { depths, above_last }
    }

    /// The counts of any graph: one pass for each distance, which sums the counts of the distance before it.
    fn of_graph(graph: &StateGraph, near: usize, last: u32) -> Self {
        let own = |&is_terminal: &bool| DepthCount {
            nodes: Count::ONE,
            terminal_nodes: if is_terminal { Count::ONE } else { Count::ZERO },
        };
        let mut counts: Vec<DepthCount> = graph.terminal[..near].iter().map(own).collect();
        let mut depths = vec![counts[0]];
        // Only two distances are in memory at a time.
        let mut before = Vec::new();
        for done in 0..last {
            std::mem::swap(&mut counts, &mut before);
            // The counts at distance `done + 1` below a state matter only if they are at most at the depth `last`.
            let near = graph.distances.partition_point(|&distance| distance < last - done).min(near);
            counts.clear();
            counts.extend((0..near).map(|state| below(graph.successors(state), &before)));
            depths.push(counts[0]);
        }
        Self { depths, above_last: before.into_iter().map(|below| below.nodes).collect() }
    }
}

/// True if every joint move between two of the first `near` states leads one step farther from the first state.
fn is_layered(graph: &StateGraph, near: usize) -> bool {
    (0..near).all(|state| {
        let farther = graph.distances[state] + 1;
        let mut known = graph.successors(state).iter().filter(|&&after| (after as usize) < near);
        known.all(|&after| graph.distances[after as usize] == farther)
    })
}

/// The sum of the counts of those successors that have one.
fn below(successors: &[u32], counts: &[DepthCount]) -> DepthCount {
    let known = successors.iter().filter_map(|&after| counts.get(after as usize));
    known.fold(DepthCount::default(), |sum, count| DepthCount {
        nodes: sum.nodes + count.nodes,
        terminal_nodes: sum.terminal_nodes + count.terminal_nodes,
    })
}
