//! `tree`: the size of the game tree below a state, counted by its states.

use super::state_graph::StateGraph;
use crate::budget::Meter;
use crate::{Budget, Outcome, SearchError};
use ggp_game::{BatchReasoner, Utility};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::iter::Sum;
use std::ops::Add;

/// The size and the shape of a game tree, which has one node for each sequence of joint moves; the first state is the
/// root.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameTree {
    /// The number of distinct states.
    pub states: u64,
    /// The number of distinct terminal states.
    pub terminal_states: u64,
    /// The number of joint moves, counted once for each distinct state.
    pub joint_moves: u64,
    /// The distance of the farthest state: the least number of joint moves to it.
    pub farthest_state: u32,
    /// The least number of joint moves that end the game; `None` if it never ends.
    pub first_end: Option<u32>,
    /// The greatest number of joint moves of one state.
    pub most_branching: u64,
    /// The greatest number of roles that have a choice in one state: 1 in a turn-taking game, 2 or more with
    /// simultaneous moves.
    pub most_choosing: usize,
    /// The number of nodes and the depth, if the tree is finite.
    pub tree: TreeSize,
    /// The utilities of the ends of the game, in the order of the roles.
    pub utilities: Vec<RoleUtilities>,
}

/// The number of nodes of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "size", rename_all = "snake_case")]
pub enum TreeSize {
    /// Every line of the tree ends.
    Finite {
        /// All nodes, the root included.
        nodes: Count,
        /// The nodes in which the game is over.
        terminal_nodes: Count,
        /// The length of the longest line, in joint moves.
        depth: u32,
        /// The mean number of joint moves over the nodes that are not terminal; 0 if all nodes are terminal, `None` if
        /// the nodes are too many to be counted.
        mean_branching: Option<f64>,
    },
    /// Some state can be reached again from itself, so the tree is infinite.
    Infinite,
    /// A limit stopped the count of states before it was complete.
    Unknown,
}

/// The utilities of one role at the ends of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoleUtilities {
    /// The utilities that occur, least first.
    pub values: Vec<UtilityCount>,
    /// The ends of the game for which the rules give the role no utility, or more than one.
    pub without: EndCount,
}

/// Number of ends of the game with one utility.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct UtilityCount {
    /// The utility, normally from 0 to 100.
    pub utility: Utility,
    /// The ends with this utility.
    #[serde(flatten)]
    pub ends: EndCount,
}

/// Counts of a part of the ends of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EndCount {
    /// Distinct terminal states, however many lines lead to them.
    pub states: u64,
    /// Terminal nodes of the tree; `None` if the tree is infinite or not known.
    pub nodes: Option<Count>,
    /// The least number of joint moves to one of them; `None` if there are none.
    pub nearest: Option<u32>,
}

/// Counts the game tree below a state.
///
/// Nodes are not visited one by one: each distinct state is expanded once and counted as often as lines lead to it, so
/// that a tree of 10^30 nodes is counted from its thousands of states.
///
/// - Guarantee: exact if the budget allows; otherwise the counts of states are those so far, and the tree is unknown. A
///   game in which a state can repeat has exact counts of states and an infinite tree.
/// - Cost: one expansion for each distinct state, all of which are kept in memory; the budget counts distinct states as
///   nodes.
pub fn tree<R: BatchReasoner>(
    reasoner: &mut R,
    state: &R::State,
    budget: &Budget,
) -> Result<Outcome<GameTree>, SearchError> {
    let mut meter = Meter::start_flat(budget);
    let roles = reasoner.roles().len();
    let (graph, halt) = StateGraph::count(reasoner, state, u32::MAX, &mut meter);
    // Counting lines needs several numbers for each state.
    let halt = halt.or_else(|| meter.holds((graph.bytes() + graph.len() * LineCounts::BYTES_PER_STATE) as u64).err());
    let lines = if halt.is_none() { LineCounts::count(&graph) } else { None };
    let answer = summary(&graph, halt.is_none(), lines.as_ref(), roles);
    meter.best_so_far(halt, Some(answer))
}

/// The counts of lines from the first state.
struct LineCounts {
    /// The number of lines to each state.
    to: Vec<Count>,
    /// The length of the longest line, in joint moves.
    longest: u32,
}

impl LineCounts {
    /// The bytes for each state while lines are counted: arrivals, order, length, and the number of lines.
    const BYTES_PER_STATE: usize = 3 * size_of::<u32>() + size_of::<Count>();

    /// Counts the lines of a complete graph; `None` if some line does not end.
    fn count(graph: &StateGraph) -> Option<Self> {
        let order = graph.topological_order();
        if order.len() < graph.len() {
            return None;
        }
        let mut to = vec![Count::ZERO; graph.len()];
        let mut lengths = vec![0_u32; graph.len()];
        to[0] = Count::ONE;
        // A state comes behind all states that lead to it, so its own count is complete when it is passed on.
        for state in order.into_iter().map(|state| state as usize) {
            for after in graph.successors(state).iter().map(|&after| after as usize) {
                to[after] = to[after] + to[state];
                lengths[after] = lengths[after].max(lengths[state] + 1);
            }
        }
        Some(Self { longest: lengths.into_iter().max().unwrap_or(0), to })
    }

    fn size(&self, graph: &StateGraph) -> TreeSize {
        let nodes: Count = self.to.iter().copied().sum();
        let terminal_nodes: Count = terminal(graph).map(|state| self.to[state]).sum();
        let mean_branching = nodes
            .exact()
            .zip(terminal_nodes.exact())
            .map(|(nodes, ends)| if nodes == ends { 0.0 } else { (nodes - 1) as f64 / (nodes - ends) as f64 });
        TreeSize::Finite { nodes, terminal_nodes, depth: self.longest, mean_branching }
    }
}

/// The numbers of the terminal states.
fn terminal(graph: &StateGraph) -> impl Iterator<Item = usize> {
    (0..graph.len()).filter(|&state| graph.terminal[state])
}

fn summary(graph: &StateGraph, complete: bool, lines: Option<&LineCounts>, roles: usize) -> GameTree {
    GameTree {
        states: graph.len() as u64,
        terminal_states: terminal(graph).count() as u64,
        joint_moves: graph.edges() as u64,
        farthest_state: graph.distances.last().copied().unwrap_or(0),
        first_end: terminal(graph).next().map(|state| graph.distances[state]),
        most_branching: (0..graph.len()).map(|state| graph.successors(state).len() as u64).max().unwrap_or(0),
        most_choosing: graph.choosing,
        tree: match lines {
            Some(lines) => lines.size(graph),
            None if complete => TreeSize::Infinite,
            None => TreeSize::Unknown,
        },
        utilities: (0..roles).map(|role| utilities(graph, lines, role)).collect(),
    }
}

/// Groups the ends of the game by the utility of a role.
fn utilities(graph: &StateGraph, lines: Option<&LineCounts>, role: usize) -> RoleUtilities {
    let none = EndCount { states: 0, nodes: lines.map(|_| Count::ZERO), nearest: None };
    let mut counts: BTreeMap<Option<Utility>, EndCount> = BTreeMap::new();
    // States are numbered by distance, so the first of each utility is the nearest.
    for (state, &ending) in terminal(graph).zip(&graph.ending_of) {
        let count = counts.entry(graph.endings[ending as usize][role]).or_insert(none);
        count.states += 1;
        count.nodes = count.nodes.zip(lines).map(|(nodes, lines)| nodes + lines.to[state]);
        count.nearest = count.nearest.or(Some(graph.distances[state]));
    }
    let without = counts.remove(&None).unwrap_or(none);
    let values = counts.into_iter().filter_map(|(utility, ends)| Some(UtilityCount { utility: utility?, ends }));
    RoleUtilities { values: values.collect(), without }
}

/// A number of nodes. A tree may have far more nodes than the game has states, even more than 128 bits can count, so
/// the greatest number of 128 bits stands for all that are not less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Count(u128);

impl Count {
    /// The number 0, from which sums start.
    pub(crate) const ZERO: Self = Self(0);
    /// The number 1, the count of a leaf.
    pub const ONE: Self = Self(1);
    /// More nodes than can be counted.
    pub const TOO_MANY: Self = Self(u128::MAX);

    /// A number of nodes; `u128::MAX` means [`Count::TOO_MANY`].
    pub const fn new(count: u128) -> Self {
        Self(count)
    }

    /// The number multiplied by a factor.
    pub fn times(self, factor: u128) -> Self {
        Self(self.0.saturating_mul(factor))
    }

    /// The exact number, unless it is [`Count::TOO_MANY`].
    pub fn exact(self) -> Option<u128> {
        (self != Self::TOO_MANY).then_some(self.0)
    }
}

impl Add for Count {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sum for Count {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exact() {
            Some(count) => count.fmt(formatter),
            None => formatter.write_str("2^128 or more"),
        }
    }
}

/// Serialized as a number; `null` if it is too large.
impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.exact().serialize(serializer)
    }
}
