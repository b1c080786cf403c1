//! The literal simulation of a netlist: a gate for each component, so that comparisons with it do not rely on lowering.

use super::netlist::Netlist;
use super::network::{Component, Output};
use crate::program::{
    FluentStorage, Gate, GateKind, Legality, OutputWires, SampledGames, SimulatedGates, Wire, WordSimulation,
};
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;
use ggp_game::Role;
use petgraph::graph::NodeIndex;
use std::ops::Range;

/// The simulation of a netlist. Linear in components and edges.
///
/// # Errors
/// If the limits end the work.
pub(super) fn simulation(netlist: &Netlist, poll: &Poll<'_>) -> Result<WordSimulation, Stop> {
    let order = netlist.order(poll)?;
    let fluents = netlist.network.fluents.len();
    let moves = netlist.network.moves.len();
    let mut list = GateList {
        netlist,
        wires: vec![Wire::new(0); netlist.len()],
        gates: Vec::with_capacity(netlist.len()),
        inputs: Vec::with_capacity(netlist.size().1),
        cycles: Vec::new(),
        first_gate: fluents + moves,
    };
    let is_later = netlist.depends_on_moves(&order, poll)?;
    // Gates that depend on the moves come last, so that a state can be entered before its moves are chosen.
    for later in [false, true] {
        for group in order.groups().filter(|group| is_later[group[0].index()] == later) {
            poll.steps(group.len())?;
            list.add(group);
        }
    }
    let state_gates =
        is_later.iter().zip(netlist.nodes()).filter(|&(later, node)| !later && is_gate(netlist.component(node)));
    let move_gates = to_u32(state_gates.count())..to_u32(list.gates.len());
    let outputs = list.outputs();
    let GateList { gates, inputs, cycles, .. } = list;
    Ok(WordSimulation::new(fluents, moves, SimulatedGates { gates, wires: inputs, cycles, move_gates }, outputs))
}

/// Games of random play from the initial state of a netlist.
pub(super) fn games(netlist: &Netlist, seed: u64) -> SampledGames {
    let network = &netlist.network;
    let initial = network.fluents.iter().map(|fluent| fluent.initially).collect();
    let start = |role: usize| network.moves.partition_point(|known| known.role < Role::new(role));
    let roles = (0..network.roles.len()).map(|role| start(role)..start(role + 1)).collect();
    SampledGames::new(initial, roles, seed)
}

/// True if a component becomes a gate; the others are signals that are given, or equal to what they read.
fn is_gate(component: Component) -> bool {
    !matches!(component, Component::Base(_) | Component::Input(_) | Component::Output(_))
}

/// The gates made of the components so far.
struct GateList<'a> {
    netlist: &'a Netlist,
    /// The wire of each component that has been added.
    wires: Vec<Wire>,
    gates: Vec<Gate>,
    inputs: Vec<Wire>,
    cycles: Vec<Range<u32>>,
    first_gate: usize,
}

impl GateList<'_> {
    /// Adds components that read each other, or one alone.
    fn add(&mut self, group: &[NodeIndex]) {
        let first = to_u32(self.gates.len());
        let mut gate = self.first_gate + self.gates.len();
        // All wires first, since the gates of a cycle read each other.
        for &node in group {
            self.wires[node.index()] = match self.netlist.component(node) {
                Component::Base(fluent) => Wire::new(fluent.index()),
                Component::Input(chosen) => Wire::new(self.netlist.network.fluents.len() + chosen.index()),
                Component::Output(_) => continue,
                _ => {
                    gate += 1;
                    Wire::new(gate - 1)
                }
            };
        }
        for &node in group.iter().filter(|&&node| is_gate(self.netlist.component(node))) {
            // A negation is a conjunction of one negated input, and a constant a gate without inputs.
            let (kind, negated) = match self.netlist.component(node) {
                Component::Or | Component::Constant(false) => (GateKind::Or, false),
                component => (GateKind::And, component == Component::Not),
            };
            let start = to_u32(self.inputs.len());
            let inputs = self.netlist.inputs(node).iter();
            self.inputs.extend(inputs.map(|input| self.wires[input.index()].negated_if(negated)));
            self.gates.push(Gate { kind, inputs: start..to_u32(self.inputs.len()) });
        }
        if group.len() > 1 || self.netlist.inputs(group[0]).contains(&group[0]) {
            self.cycles.push(first..to_u32(self.gates.len()));
        }
    }

    /// The wires of the outputs, after all components have been added. Goals and features without an output are false,
    /// as for lowering.
    fn outputs(&mut self) -> OutputWires {
        let network = &self.netlist.network;
        let start = to_u32(self.inputs.len());
        self.gates.push(Gate { kind: GateKind::Or, inputs: start..start });
        let never = Wire::new(self.first_gate + self.gates.len() - 1);
        let mut outputs = OutputWires {
            storage: network.fluents.iter().map(|fluent| fluent.storage).collect(),
            next: vec![None; network.fluents.len()],
            legal: vec![None; network.moves.len()],
            goals: vec![never; network.goals.len()],
            terminal: never,
            features: vec![never; network.features.len()],
        };
        for (fluent, next) in outputs.next.iter_mut().enumerate() {
            *next = (outputs.storage[fluent] == FluentStorage::Own).then_some((to_u32(fluent), never));
        }
        for node in self.netlist.nodes() {
            let Component::Output(output) = self.netlist.component(node) else { continue };
            let wire = self.wires[self.netlist.inputs(node)[0].index()];
            match output {
                Output::Next(fluent) => outputs.next[fluent.index()] = Some((to_u32(fluent.index()), wire)),
                Output::Legal(chosen) => outputs.legal[chosen.index()] = Some(Legality { guard: wire, wire }),
                Output::Goal(index) => outputs.goals[index] = wire,
                Output::Terminal => outputs.terminal = wire,
                Output::Feature(index) => outputs.features[index] = wire,
            }
        }
        outputs
    }
}
