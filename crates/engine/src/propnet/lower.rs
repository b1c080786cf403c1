//! Lowers a network to a flat program: negations and views become signs of edges, and gates are put in order.

use super::evaluate::plan::{AdditionalWires, divide};
use super::guards::{guard, separate};
use super::lists::InputLists;
use super::network::{Component, Group, Network, Output};
use super::order::ComponentOrder;
use crate::program::{FluentId, FluentStorage};
use crate::program::{Gate, GateKind, Legality, Program, Wire};
use fixedbitset::FixedBitSet;
use gdl::limits::{Limits, Poll, Stop};
use gdl::number::to_u32;
use gdl::sorting;
use petgraph::graph::NodeIndex;
use std::ops::Range;

/// The flat program of a network. Time and memory are linear in its edges.
///
/// # Errors
/// If the interrupt or the deadline of the limits ends the work.
pub fn lower(network: &Network, limits: &Limits) -> Result<Program, Stop> {
    limits.check()?;
    let mut network = network.clone();
    let poll = limits.poll();
    separate(&mut network, &poll)?;
    limits.check()?;
    let network = &network;
    let mut lowering = Lowering::new(network, &poll)?;
    for node in network.graph.node_indices() {
        poll.step()?;
        lowering.resolve(node);
    }
    let order = lowering.order(&poll)?;
    limits.check()?;
    let mut program = lowering.program(&order, &poll)?;
    limits.check()?;
    guard(&mut program);
    limits.check()?;
    let program = divide(program, AdditionalWires::default(), &poll)?.0;
    debug_assert_eq!(program.check(), Ok(()), "a lowered program is sound");
    Ok(program)
}

/// The wire of a component in the program, once it is known. Gates are numbered as they are met, and renumbered later.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LoweredWire {
    Unknown,
    /// Its wire is being resolved: if it is met again, it is on a cycle that nothing supports.
    Open,
    Known(Wire),
}

struct Lowering<'a> {
    network: &'a Network,
    lowered: Vec<LoweredWire>,
    bit_of: Vec<Option<u32>>,
    fact_of: Vec<u32>,
    /// The nodes that are gates, by their preliminary number.
    gates: Vec<NodeIndex>,
    first_gate: usize,
    inputs: Vec<Vec<NodeIndex>>,
}

impl<'a> Lowering<'a> {
    fn new(network: &'a Network, poll: &Poll<'_>) -> Result<Self, Stop> {
        let mut bit_of = Vec::new();
        let mut fact_of = Vec::new();
        for (fact, fluent) in network.fluents.iter().enumerate() {
            bit_of.push((fluent.storage == FluentStorage::Own).then_some(to_u32(fact_of.len())));
            if fluent.storage == FluentStorage::Own {
                fact_of.push(to_u32(fact));
            }
        }
        let first_gate = fact_of.len() + network.moves.len();
        let lowered = vec![LoweredWire::Unknown; network.graph.node_count()];
        let inputs = network.graph.node_indices().map(|node| {
            let inputs = network.inputs(node);
            poll.steps(1 + inputs.len()).map(|()| inputs)
        });
        let inputs = inputs.collect::<Result<_, _>>()?;
        Ok(Self { network, lowered, bit_of, fact_of, gates: Vec::new(), first_gate, inputs })
    }

    /// The wire of a component; components with a single input are followed to their source.
    fn resolve(&mut self, node: NodeIndex) -> Wire {
        let mut at = node;
        let mut way = Vec::new();
        let mut wire = loop {
            match self.lowered[at.index()] {
                LoweredWire::Known(wire) => break wire,
                LoweredWire::Open => break self.constant(at, false),
                LoweredWire::Unknown => {}
            }
            let component = self.network.component(at);
            let inputs = &self.inputs[at.index()];
            match (component, inputs.as_slice()) {
                (Component::Base(fluent), _) => {
                    break match self.bit_of[fluent.index()] {
                        Some(bit) => Wire::new(bit as usize),
                        None => self.constant(at, false),
                    };
                }
                (Component::Input(chosen), _) => break Wire::new(self.fact_of.len() + chosen.index()),
                (Component::Constant(value), _) => break self.constant(at, *value),
                (Component::And, &[]) => break self.constant(at, true),
                (Component::Or, &[]) => break self.constant(at, false),
                (Component::And | Component::Or | Component::View | Component::Not | Component::Output(_), &[only]) => {
                    self.lowered[at.index()] = LoweredWire::Open;
                    way.push(at);
                    at = only;
                }
                _ => break self.gate(at),
            }
        };
        self.lowered[at.index()] = LoweredWire::Known(wire);
        for passed in way.into_iter().rev() {
            wire = wire.negated_if(*self.network.component(passed) == Component::Not);
            self.lowered[passed.index()] = LoweredWire::Known(wire);
        }
        wire
    }

    fn gate(&mut self, node: NodeIndex) -> Wire {
        self.gates.push(node);
        Wire::new(self.first_gate + self.gates.len() - 1)
    }

    /// Adds a gate without inputs, a conjunction that is always true, and returns its wire with the sign of `value`.
    fn constant(&mut self, node: NodeIndex, value: bool) -> Wire {
        self.inputs[node.index()].clear();
        self.gate(node).negated_if(!value)
    }

    fn wire(&self, node: NodeIndex) -> Wire {
        match self.lowered[node.index()] {
            LoweredWire::Known(wire) => wire,
            LoweredWire::Unknown | LoweredWire::Open => unreachable!("every component has been resolved"),
        }
    }

    fn wires_of(&self, gate: usize) -> Vec<Wire> {
        let mut wires: Vec<Wire> =
            self.inputs[self.gates[gate].index()].iter().map(|&input| self.wire(input)).collect();
        wires.sort_unstable();
        wires.dedup();
        wires
    }

    /// The gates in the order of the program, group after group; a group of several gates is a cycle.
    fn order(&self, poll: &Poll<'_>) -> Result<Vec<Vec<usize>>, Stop> {
        let mut inputs = InputLists::with_capacity(self.gates.len(), 0);
        for gate in 0..self.gates.len() {
            let wires = self.wires_of(gate);
            poll.steps(1 + wires.len())?;
            let gates = wires.iter().filter_map(|wire| wire.signal().checked_sub(self.first_gate));
            inputs.push(gates.map(NodeIndex::new));
        }
        let order = ComponentOrder::within(&inputs, poll)?;
        let groups = order.groups().map(|group| group.iter().map(|gate| gate.index()).collect()).collect();
        self.by_level(groups, poll)
    }

    /// Sorts groups by their distance from the state, so that gates that change together are adjacent.
    fn by_level(&self, groups: Vec<Vec<usize>>, poll: &Poll<'_>) -> Result<Vec<Vec<usize>>, Stop> {
        let mut levels = vec![0_u32; self.gates.len()];
        let mut keyed = Vec::with_capacity(groups.len());
        for group in groups {
            poll.steps(group.len())?;
            let inputs = group.iter().flat_map(|&gate| self.wires_of(gate));
            let gates = inputs.filter_map(|wire| wire.signal().checked_sub(self.first_gate));
            let level = gates.map(|gate| levels[gate] + 1).max().unwrap_or(0);
            group.iter().for_each(|&gate| levels[gate] = level);
            keyed.push((level, group));
        }
        sorting::sort_by_key(&mut keyed, |&(level, _)| level);
        Ok(keyed.into_iter().map(|(_, group)| group).collect())
    }

    fn program(&self, order: &[Vec<usize>], poll: &Poll<'_>) -> Result<Program, Stop> {
        let mut number = vec![0_usize; self.gates.len()];
        for (index, &gate) in order.iter().flatten().enumerate() {
            number[gate] = index;
        }
        let anew = |wire: Wire| match wire.signal().checked_sub(self.first_gate) {
            Some(gate) => Wire::new(self.first_gate + number[gate]).negated_if(wire.is_negated()),
            None => wire,
        };
        let mut gates = Vec::with_capacity(self.gates.len());
        let mut wires = Vec::new();
        let mut cycles: Vec<Range<u32>> = Vec::new();
        for group in order {
            let start = to_u32(gates.len());
            let mut is_cycle = group.len() > 1;
            for &gate in group {
                let inputs = self.wires_of(gate);
                poll.steps(1 + inputs.len())?;
                is_cycle |= inputs.iter().any(|wire| wire.signal() == self.first_gate + gate);
                // A constant is a conjunction without inputs, whatever it was before.
                let kind = match self.network.component(self.gates[gate]) {
                    Component::Or if !inputs.is_empty() => GateKind::Or,
                    _ => GateKind::And,
                };
                let first = to_u32(wires.len());
                wires.extend(inputs.into_iter().map(anew));
                gates.push(Gate { kind, inputs: first..to_u32(wires.len()) });
            }
            if is_cycle {
                cycles.push(start..to_u32(gates.len()));
            }
        }
        Ok(self.assemble(gates, wires, cycles, anew))
    }

    /// The groups of exclusive fluents as bits. A fluent without a bit that mirrors another has that one's bit.
    fn groups(&self) -> Vec<Vec<u32>> {
        let fluents = &self.network.fluents;
        let bit = |&fluent: &FluentId| match fluents[fluent.index()].storage {
            FluentStorage::Own => self.bit_of[fluent.index()],
            FluentStorage::Same(other) => self.bit_of[other.index()],
            FluentStorage::Always(_) => None,
        };
        let bits = |group: &Group| {
            let mut bits: Vec<u32> = group.fluents.iter().filter_map(bit).collect();
            bits.sort_unstable();
            bits.dedup();
            bits
        };
        let mut groups: Vec<Vec<u32>> = self.network.groups.proved.iter().map(bits).collect();
        groups.retain(|group| group.len() > 1);
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    fn assemble(
        &self,
        gates: Vec<Gate>,
        wires: Vec<Wire>,
        cycles: Vec<Range<u32>>,
        anew: impl Fn(Wire) -> Wire,
    ) -> Program {
        let network = self.network;
        let never = Wire::new(self.first_gate + gates.len()).negated();
        let mut program = Program {
            roles: network.roles.clone(),
            facts: network.fluents.iter().map(|fluent| (fluent.fact.clone(), fluent.storage)).collect(),
            bit_of: self.bit_of.clone(),
            fact_of: self.fact_of.clone(),
            moves: network.moves.clone(),
            goals: network.goals.clone(),
            utilities: network.utilities.clone(),
            initial: FixedBitSet::with_capacity(self.fact_of.len()),
            move_gates: 0..0,
            goal_gates: 0..0,
            feature_gates: 0,
            gates,
            wires,
            cycles,
            always: never.negated(),
            next: vec![never; self.fact_of.len()],
            legal: vec![Legality { guard: never.negated(), wire: never }; network.moves.len()],
            goal: vec![never; network.goals.len()],
            terminal: never,
            groups: self.groups(),
            features: network.features.clone(),
            feature: vec![never; network.features.len()],
        };
        let end = to_u32(program.wires.len());
        program.gates.push(Gate { kind: GateKind::And, inputs: end..end });
        for (bit, &fact) in self.fact_of.iter().enumerate() {
            program.initial.set(bit, network.fluents[fact as usize].initially);
        }
        for node in network.graph.node_indices() {
            let Component::Output(output) = network.component(node) else { continue };
            let wire = anew(self.wire(node));
            match output {
                Output::Next(fluent) => {
                    if let Some(bit) = self.bit_of[fluent.index()] {
                        program.next[bit as usize] = wire;
                    }
                }
                Output::Legal(chosen) => program.legal[chosen.index()].wire = wire,
                Output::Goal(index) => program.goal[*index] = wire,
                Output::Terminal => program.terminal = wire,
                Output::Feature(index) => program.feature[*index] = wire,
            }
        }
        program
    }
}
