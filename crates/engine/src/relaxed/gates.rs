//! The gates of a network in the order in which their costs are computed.

use crate::propnet::{Component, Network, Output};
use gdl::number::to_u32;
use ggp_game::Utility;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::NodeIndex;

/// A gate with what determines its costs. Numbers are indices of gates unless stated otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CostGate {
    Constant(bool),
    /// A fluent, by its index in the network, and the gate that decides whether it holds in the next state.
    Base(u32, u32),
    /// A move, by its number, and the gate that decides whether it is legal.
    Input(u32, u32),
    Not(u32),
    /// True if all inputs are.
    And(Vec<u32>),
    /// True if any input is. A view is an `Or` of one input.
    Or(Vec<u32>),
}

/// The gates of a network, each after its inputs, except in cycles.
#[derive(Clone, Debug)]
pub(super) struct Gates {
    pub(super) all: Vec<CostGate>,
    /// Whether a gate depends on itself. Its cost to become false is taken as 0, which never overestimates.
    pub(super) is_circular: Vec<bool>,
    /// The gate that is true in a goal state.
    pub(super) goal: u32,
}

impl Gates {
    /// The gates of a network. The goal is a terminal state worth `goal` or more for the first role; without `goal`,
    /// the greatest goal value in the rules.
    pub(super) fn from_network(network: &Network, goal: Option<Utility>) -> Self {
        let graph = &network.graph;
        // Kosaraju's components come in reverse topological order, so after the reversal inputs come first.
        let mut order = kosaraju_scc(graph);
        let is_looped = |nodes: &[NodeIndex]| nodes.len() > 1 || graph.contains_edge(nodes[0], nodes[0]);
        order.reverse();
        let mut indices = vec![0; graph.node_count()];
        let mut is_circular = Vec::new();
        for nodes in &order {
            for &node in nodes {
                indices[node.index()] = to_u32(is_circular.len());
                is_circular.push(is_looped(nodes));
            }
        }
        let index = |node: NodeIndex| indices[node.index()];
        let outputs = outputs(network, index);
        let gate = |&node: &NodeIndex| {
            let inputs = || network.inputs(node).into_iter().map(index).collect::<Vec<u32>>();
            match *network.component(node) {
                Component::Constant(value) => CostGate::Constant(value),
                Component::Base(fluent) => CostGate::Base(to_u32(fluent.index()), outputs.next[fluent.index()]),
                Component::Input(chosen) => CostGate::Input(to_u32(chosen.index()), outputs.legal[chosen.index()]),
                Component::Not => CostGate::Not(inputs()[0]),
                Component::And => CostGate::And(inputs()),
                Component::View | Component::Or | Component::Output(_) => CostGate::Or(inputs()),
            }
        };
        let mut all: Vec<CostGate> = order.iter().flatten().map(gate).collect();
        let goals = outputs.goals(network, goal);
        all.push(CostGate::Or(goals));
        all.push(CostGate::And(vec![outputs.terminal, to_u32(all.len()) - 1]));
        is_circular.extend([false, false]);
        Self { goal: to_u32(all.len()) - 1, all, is_circular }
    }
}

/// The gates of the network's outputs.
struct OutputGates {
    next: Vec<u32>,
    legal: Vec<u32>,
    /// Each with the index of its goal in the network.
    goals: Vec<(usize, u32)>,
    terminal: u32,
}

fn outputs(network: &Network, index: impl Fn(NodeIndex) -> u32) -> OutputGates {
    let next = vec![0; network.fluents.len()];
    let legal = vec![0; network.moves.len()];
    let mut outputs = OutputGates { next, legal, goals: Vec::new(), terminal: 0 };
    for node in network.graph.node_indices() {
        let Component::Output(output) = *network.component(node) else { continue };
        match output {
            Output::Next(fluent) => outputs.next[fluent.index()] = index(node),
            Output::Legal(chosen) => outputs.legal[chosen.index()] = index(node),
            Output::Goal(goal) => outputs.goals.push((goal, index(node))),
            Output::Terminal => outputs.terminal = index(node),
            Output::Feature(_) => {}
        }
    }
    outputs
}

impl OutputGates {
    /// The gates of the goal values that are great enough.
    fn goals(&self, network: &Network, wanted: Option<Utility>) -> Vec<u32> {
        let value = |goal: usize| {
            let goal = &network.goals[goal];
            (goal.role.index() == 0).then(|| network.utility(goal)).flatten()
        };
        let best = self.goals.iter().filter_map(|&(goal, _)| value(goal)).max();
        let Some(least) = wanted.or(best) else { return Vec::new() };
        let is_enough = |goal| value(goal).is_some_and(|value| value >= least);
        self.goals.iter().filter(|&&(goal, _)| is_enough(goal)).map(|&(_, gate)| gate).collect()
    }
}
