//! `perft`: counts the nodes of the game tree at each depth, and below each first joint move.

use super::budget::Meter;
use super::state_graph::StateGraph;
use super::{Budget, Count, Outcome, SearchError};
use crate::game::{BatchReasoner, JointMoves, Move, Reasoner};

/// Node counts of a game tree down to a depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perft {
    /// The counts for each depth, from 0 (the first state alone) on.
    pub depths: Vec<DepthCount>,
    /// For each first joint move, in canonical order, the number of nodes below it at the last depth. Empty if that
    /// depth is 0.
    pub first_moves: Vec<(Vec<Move>, Count)>,
}

/// The number of nodes at one depth, in joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct DepthCount {
    /// All nodes at this depth.
    pub nodes: Count,
    /// The terminal nodes among them; they have no successors.
    pub terminal_nodes: Count,
}

/// Counts the nodes at each depth down to `depth`, and how they divide over the first joint moves, as chess programs do
/// to test their move generators.
///
/// - Guarantee: exact down to the last depth that is listed, which is `depth`, or less if the budget is too small.
/// - Cost: one expansion for each distinct state above that depth, all of which are kept in memory, and `depth` passes
///   over the joint moves.
pub fn perft<R: BatchReasoner>(
    reasoner: &mut R,
    state: &R::State,
    depth: u32,
    budget: &Budget,
) -> Result<Outcome<Perft>, SearchError> {
    let mut meter = Meter::start_flat(budget);
    let (graph, _, halt) = StateGraph::explore(reasoner, state, depth, &mut meter, |_, _, _, _| Ok(0));
    let last = graph.complete.min(depth);
    let perft = if graph.len() == 0 {
        None
    } else {
        let counts = Layers::count(&graph, last);
        let first_moves =
            if last == 0 || graph.terminal[0] { Vec::new() } else { first_moves(reasoner, state, &graph, &counts)? };
        Some(Perft { depths: counts.depths, first_moves })
    };
    meter.best_so_far(halt, perft)
}

/// The joint moves of the first state that have been followed, with the number of nodes below each.
fn first_moves<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    graph: &StateGraph,
    counts: &Layers,
) -> Result<Vec<(Vec<Move>, Count)>, SearchError> {
    let mut joint_moves = JointMoves::of(reasoner, state)?;
    let mut first_moves = Vec::with_capacity(graph.successors(0).len());
    for &after in graph.successors(0) {
        first_moves.push((joint_moves.current().to_vec(), counts.above_last[after as usize]));
        joint_moves.advance();
    }
    Ok(first_moves)
}

/// The nodes below a state by distance, counted for all states at once: at distance 0 the state itself, at distance n +
/// 1 the sum over its successors of the nodes at distance n.
struct Layers {
    /// The counts for the first state.
    depths: Vec<DepthCount>,
    /// The nodes below every state at the last distance but one; correct only for the states that are near enough to
    /// matter.
    above_last: Vec<Count>,
}

impl Layers {
    fn count(graph: &StateGraph, last: u32) -> Self {
        // States farther away do not count; they have the greatest numbers.
        let near = graph.distances.partition_point(|&distance| distance <= last).min(graph.len());
        let mut all = vec![Count::ONE; near];
        let ended = |&terminal: &bool| if terminal { Count::ONE } else { Count::ZERO };
        let mut terminal: Vec<Count> = graph.terminal[..near].iter().map(ended).collect();
        let mut depths = vec![DepthCount { nodes: all[0], terminal_nodes: terminal[0] }];
        let mut above_last = all.clone();
        for done in 0..last {
            // What is below a state at this distance matters to the first state up to here.
            let near = graph.distances.partition_point(|&distance| distance < last - done).min(near);
            let deeper = below(graph, &all, near);
            terminal = below(graph, &terminal, near);
            above_last = std::mem::replace(&mut all, deeper);
            depths.push(DepthCount { nodes: all[0], terminal_nodes: terminal[0] });
        }
        Self { depths, above_last }
    }
}

/// For each of the first `near` states, the sum over its successors.
fn below(graph: &StateGraph, counts: &[Count], near: usize) -> Vec<Count> {
    let sum = |state| {
        let visited = graph.successors(state).iter().filter_map(|&after| counts.get(after as usize));
        visited.copied().sum()
    };
    (0..near).map(sum).collect()
}
