//! The cost of each gate of a network to become true and to become false, with deletes relaxed.

use crate::game::Utility;
use crate::number::to_u32;
use crate::propnet::{Component, Network, Output};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::NodeIndex;

/// The gate cannot get this value.
pub(super) const INFINITE: u32 = u32::MAX;

/// A gate with what determines its costs. Numbers are indices of gates unless stated otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Gate {
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
    pub(super) all: Vec<Gate>,
    /// Whether a gate depends on itself. Its cost to become false is taken as 0, which never overestimates.
    is_circular: Vec<bool>,
    /// The gate that is true in a goal state.
    goal: u32,
}

/// The costs in one state, gate by gate.
#[derive(Clone, Debug)]
pub(super) struct Costs {
    /// The cost of becoming true.
    pub(super) to_true: Vec<u32>,
    /// The cost of becoming false.
    pub(super) to_false: Vec<u32>,
}

impl Gates {
    /// The gates of a network. The goal is a terminal state worth `goal` or more for the first role; without `goal`,
    /// the greatest goal value in the rules.
    pub(super) fn of(network: &Network, goal: Option<Utility>) -> Self {
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
                Component::Constant(value) => Gate::Constant(value),
                Component::Base(fluent) => Gate::Base(to_u32(fluent.index()), outputs.next[fluent.index()]),
                Component::Input(chosen) => Gate::Input(to_u32(chosen.index()), outputs.legal[chosen.index()]),
                Component::Not => Gate::Not(inputs()[0]),
                Component::And => Gate::And(inputs()),
                Component::View | Component::Or | Component::Output(_) => Gate::Or(inputs()),
            }
        };
        let mut all: Vec<Gate> = order.iter().flatten().map(gate).collect();
        let goals = outputs.goals(network, goal);
        all.push(Gate::Or(goals));
        all.push(Gate::And(vec![outputs.terminal, to_u32(all.len()) - 1]));
        is_circular.extend([false, false]);
        Self { goal: to_u32(all.len()) - 1, all, is_circular }
    }

    pub(super) fn goal(&self) -> u32 {
        self.goal
    }
}

/// The gates of the network's outputs.
struct Outputs {
    next: Vec<u32>,
    legal: Vec<u32>,
    /// Each with the index of its goal in the network.
    goals: Vec<(usize, u32)>,
    terminal: u32,
}

fn outputs(network: &Network, index: impl Fn(NodeIndex) -> u32) -> Outputs {
    let (next, legal) = (vec![0; network.fluents.len()], vec![0; network.moves.len()]);
    let mut outputs = Outputs { next, legal, goals: Vec::new(), terminal: 0 };
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

impl Outputs {
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

impl Costs {
    /// Costs for these gates, not computed yet.
    pub(super) fn new(gates: &Gates) -> Self {
        let room = vec![INFINITE; gates.all.len()];
        Self { to_true: room.clone(), to_false: room }
    }

    /// The cost of the goal.
    pub(super) fn goal(&self, gates: &Gates) -> u32 {
        self.to_true[gates.goal as usize]
    }

    /// Computes all costs for the state in which these fluents hold: passes over all gates until no cost falls (a
    /// Bellman-Ford iteration). `both` combines the costs of two conditions.
    pub(super) fn compute(&mut self, gates: &Gates, holds: &[bool], both: fn(u32, u32) -> u32) {
        self.to_true.fill(INFINITE);
        self.to_false.fill(INFINITE);
        loop {
            let mut is_changed = false;
            for (index, gate) in gates.all.iter().enumerate() {
                let (to_true, mut to_false) = self.of(gate, holds, both);
                if gates.is_circular[index] {
                    to_false = 0;
                }
                is_changed |= to_true < self.to_true[index] || to_false < self.to_false[index];
                self.to_true[index] = self.to_true[index].min(to_true);
                self.to_false[index] = self.to_false[index].min(to_false);
            }
            if !is_changed {
                return;
            }
        }
    }

    /// The costs of a gate to become true and false, from the current costs of its inputs.
    fn of(&self, gate: &Gate, holds: &[bool], both: fn(u32, u32) -> u32) -> (u32, u32) {
        let all = |costs: &[u32], inputs: &[u32]| inputs.iter().fold(0, |sum, &input| both(sum, costs[input as usize]));
        let any = |costs: &[u32], inputs: &[u32]| inputs.iter().map(|&input| costs[input as usize]).min();
        match *gate {
            Gate::Constant(true) => (0, INFINITE),
            Gate::Constant(false) => (INFINITE, 0),
            Gate::Base(fluent, next) => {
                let later = |costs: &[u32]| costs[next as usize].saturating_add(1);
                match holds[fluent as usize] {
                    true => (0, later(&self.to_false)),
                    false => (later(&self.to_true), 0),
                }
            }
            // Another move can be made instead.
            Gate::Input(_, legal) => (self.to_true[legal as usize], 0),
            Gate::Not(input) => (self.to_false[input as usize], self.to_true[input as usize]),
            Gate::And(ref inputs) => (all(&self.to_true, inputs), any(&self.to_false, inputs).unwrap_or(INFINITE)),
            Gate::Or(ref inputs) => (any(&self.to_true, inputs).unwrap_or(INFINITE), all(&self.to_false, inputs)),
        }
    }
}
