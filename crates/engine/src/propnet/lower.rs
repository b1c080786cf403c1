//! Lowers a network to a flat program: negations and views become signs of edges, gates are put in order, and legal
//! moves get guards.
//!
//! A guard is a condition that many legal moves of a role share, separated from the rest of their conditions
//! ([`Legality`]). Before lowering, a conjunction that only one legal move reads, `control(x) & a & b`, becomes
//! `control(x) & (a & b)`, where `control(x)` is the input that the most such conjunctions of the role share. After
//! lowering, the resulting conjunctions of two inputs are split into guard and rest.

use super::evaluate::plan::{AdditionalWires, divide};
use super::netlist::{ComponentOrder, InputLists};
use super::network::{Component, Group, Network, Output};
use crate::program::{FluentId, FluentStorage, Gate, GateKind, Legality, Program, Wire};
use fixedbitset::FixedBitSet;
use gdl::limits::{Limits, Poll, Stop};
use gdl::number::to_u32;
use gdl::sorting;
use ggp_game::Role;
use petgraph::graph::NodeIndex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
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

/// The wire of a component in the program, once it is known. Gates are numbered in the order in which they are found,
/// and renumbered later.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LoweredWire {
    Unknown,
    /// Its wire is being resolved: if it is reached again, it is on a cycle that nothing supports.
    Open,
    Known(Wire),
}

/// The wires of components and the gates that they need, while a network is lowered.
struct Lowering<'a> {
    network: &'a Network,
    /// The wire of each component.
    lowered: Vec<LoweredWire>,
    /// The bit of each fluent that has one of its own.
    bit_of: Vec<Option<u32>>,
    /// The fluent of each bit.
    fact_of: Vec<u32>,
    /// The nodes that are gates, by their preliminary number.
    gates: Vec<NodeIndex>,
    /// The signal of the first gate.
    first_gate: usize,
    /// The inputs of each component; those of constants are removed.
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
        // The components of one input on the path to the source; each negation among them flips the sign.
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

    /// Makes a component the next gate.
    fn gate(&mut self, node: NodeIndex) -> Wire {
        self.gates.push(node);
        Wire::new(self.first_gate + self.gates.len() - 1)
    }

    /// Adds a gate without inputs, a conjunction that is always true, and returns its wire with the sign of `value`.
    fn constant(&mut self, node: NodeIndex, value: bool) -> Wire {
        self.inputs[node.index()].clear();
        self.gate(node).negated_if(!value)
    }

    /// The wire of a component, which has been resolved.
    fn wire(&self, node: NodeIndex) -> Wire {
        match self.lowered[node.index()] {
            LoweredWire::Known(wire) => wire,
            LoweredWire::Unknown | LoweredWire::Open => unreachable!("every component has been resolved"),
        }
    }

    /// The inputs of a gate, ascending and without duplicates.
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
        // Groups come after those that they read, whose levels are known then.
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

    /// The program with its gates in this order.
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

    /// The program with these gates and the outputs of the network, not yet divided into parts. `anew` renumbers a
    /// wire.
    fn assemble(
        &self,
        gates: Vec<Gate>,
        wires: Vec<Wire>,
        cycles: Vec<Range<u32>>,
        anew: impl Fn(Wire) -> Wire,
    ) -> Program {
        let network = self.network;
        // The constant is added as the last gate. Outputs that the network lacks read its negation.
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
        program.add_gate(GateKind::And, &[]);
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

/// Separates the most shared input of each role's legal moves.
fn separate(network: &mut Network, poll: &Poll<'_>) -> Result<(), Stop> {
    let conjunctions: Vec<(usize, NodeIndex)> = network
        .graph
        .node_indices()
        .filter_map(|node| match network.component(node) {
            Component::Output(Output::Legal(chosen)) => {
                let role = network.moves[chosen.index()].role.index();
                own_conjunction(network, node).map(|gate| (role, gate))
            }
            _ => None,
        })
        .collect();
    let mut shared: FxHashMap<(usize, NodeIndex), usize> = FxHashMap::default();
    for &(role, gate) in &conjunctions {
        poll.step()?;
        network.inputs(gate).into_iter().for_each(|input| *shared.entry((role, input)).or_default() += 1);
    }
    for (role, gate) in conjunctions {
        poll.step()?;
        let inputs = network.inputs(gate);
        let guard = inputs.iter().copied().max_by_key(|&input| (shared[&(role, input)], input));
        if inputs.len() <= 2 {
            continue;
        }
        let Some(guard) = guard else { continue };
        let rest: Vec<NodeIndex> = inputs.into_iter().filter(|&input| input != guard).collect();
        for &input in &rest {
            // As built, an input may be connected by several edges.
            while let Some(edge) = network.graph.find_edge(input, gate) {
                network.graph.remove_edge(edge);
            }
        }
        let rest = network.add(Component::And, &rest);
        network.graph.add_edge(rest, gate, ());
    }
    Ok(())
}

/// The conjunction that an output reads, if nothing else reads it.
fn own_conjunction(network: &Network, output: NodeIndex) -> Option<NodeIndex> {
    let mut at = output;
    loop {
        let [input] = network.inputs(at)[..] else { return None };
        // Most inputs have one reader, but some are read by every move, so the readers are not all counted.
        let mut readers = network.graph.neighbors(input);
        let first = readers.next();
        if readers.any(|reader| Some(reader) != first) {
            return None;
        }
        match network.component(input) {
            Component::And if network.inputs(input).len() > 1 => return Some(input),
            Component::And | Component::Or | Component::View => at = input,
            _ => return None,
        }
    }
}

/// At least this many moves must share a guard for it to be worthwhile.
const LEAST_SHARED: usize = 2;

/// Moves the guards of legal moves from their gates to [`Legality::guard`].
fn guard(program: &mut Program) {
    let readers = readers(program);
    let mut shared: FxHashMap<(usize, Wire), usize> = FxHashMap::default();
    let mut conjunctions = Vec::new();
    for (chosen, legal) in program.legal.iter().enumerate() {
        let Some(gate) = legal.wire.signal().checked_sub(program.first_gate()) else { continue };
        // Only a gate that nothing else reads can be split.
        let is_own = readers[gate] == 1 && !legal.wire.is_negated() && program.gates[gate].kind == GateKind::And;
        if is_own && let &[left, right] = program.inputs(gate) {
            let role = program.moves[chosen].role.index();
            [left, right].iter().for_each(|&input| *shared.entry((role, input)).or_default() += 1);
            conjunctions.push((chosen, role, left, right));
        }
    }
    for (chosen, role, left, right) in conjunctions {
        let of_left = shared[&(role, left)];
        let of_right = shared[&(role, right)];
        if of_left.max(of_right) >= LEAST_SHARED {
            // Of wires that are shared equally often the larger one is the guard, so that the moves of a role agree.
            let (guard, wire) = if (of_left, left) > (of_right, right) { (left, right) } else { (right, left) };
            program.legal[chosen] = Legality { guard, wire };
        }
    }
    guard_by_turn(program);
    guard_alone(program);
}

/// The guards of a role are merged only if there are at least this many.
const MANY_GUARDS: usize = 16;

/// If a role has many guards, and most of its moves also depend on one common wire, such as whose turn it is, that wire
/// becomes the guard of all these moves, and their former guards become part of the rest. A change of turns then
/// changes one guard.
fn guard_by_turn(program: &mut Program) {
    let mut new: FxHashMap<Vec<Wire>, Wire> = FxHashMap::default();
    for role in 0..program.roles.len() {
        let moves = program.moves_of(Role::new(role));
        let guards: BTreeSet<Wire> = program.legal[moves.clone()].iter().map(|legal| legal.guard).collect();
        // An ordered map, since the choice among equal counts must not depend on hashes.
        let mut shared: BTreeMap<Wire, usize> = BTreeMap::new();
        for Legality { guard, wire } in &program.legal[moves.clone()] {
            let of_move: BTreeSet<Wire> =
                [guard, wire].into_iter().flat_map(|&wire| conjuncts(program, wire)).collect();
            of_move.into_iter().for_each(|wire| *shared.entry(wire).or_default() += 1);
        }
        // A constant separates nothing: one holds for all moves, its negation only for moves that are never legal.
        shared.remove(&program.always);
        shared.remove(&program.always.negated());
        let most = shared.into_iter().max_by_key(|&(_, count)| count);
        let Some((turn, _)) = most.filter(|&(_, count)| guards.len() >= MANY_GUARDS && 2 * count > moves.len()) else {
            continue;
        };
        for chosen in moves {
            let Legality { guard, wire } = program.legal[chosen];
            let without = |wire: Wire| match conjuncts(program, wire) {
                conjuncts if conjuncts.contains(&turn) => {
                    conjuncts.into_iter().filter(|&other| other != turn).collect()
                }
                _ => vec![wire],
            };
            let mut rest = [without(guard), without(wire)].concat();
            if guard == turn || rest == [guard, wire] || wire == program.always.negated() {
                continue;
            }
            rest.retain(|&wire| wire != program.always);
            rest.sort_unstable();
            rest.dedup();
            let wire = match rest[..] {
                [] => program.always,
                [only] => only,
                _ => *new.entry(rest).or_insert_with_key(|rest| program.add_gate(GateKind::And, rest)),
            };
            program.legal[chosen] = Legality { guard: turn, wire };
        }
    }
}

/// The inputs of a conjunction; any other wire by itself.
fn conjuncts(program: &Program, wire: Wire) -> Vec<Wire> {
    match wire.signal().checked_sub(program.first_gate()) {
        Some(gate) if !wire.is_negated() && program.gates[gate].kind == GateKind::And => program.inputs(gate).to_vec(),
        _ => vec![wire],
    }
}

impl Program {
    /// Adds a gate after all others, which nothing reads yet; the parts of the program stay as they are.
    pub(super) fn add_gate(&mut self, kind: GateKind, inputs: &[Wire]) -> Wire {
        let wire = Wire::new(self.signals());
        let start = to_u32(self.wires.len());
        self.wires.extend_from_slice(inputs);
        self.gates.push(Gate { kind, inputs: start..to_u32(self.wires.len()) });
        wire
    }
}

/// Turns the only condition of a move into its guard if it, or its negation, guards other moves, such as
/// the move of waiting for one's turn.
fn guard_alone(program: &mut Program) {
    let always = program.always;
    let guards: FxHashSet<usize> = program.legal.iter().map(|legal| legal.guard.signal()).collect();
    for legal in &mut program.legal {
        let signal = legal.wire.signal();
        if legal.guard == always && signal != always.signal() && guards.contains(&signal) {
            *legal = Legality { guard: legal.wire, wire: always };
        }
    }
}

/// For each gate, the number of gates and outputs that read it.
fn readers(program: &Program) -> Vec<u32> {
    let mut readers = vec![0; program.gates.len()];
    let outputs = program.next.iter().chain(&program.goal).chain([&program.terminal]);
    let outputs = outputs.chain(program.legal.iter().map(|legal| &legal.wire));
    for wire in program.wires.iter().chain(outputs) {
        if let Some(gate) = wire.signal().checked_sub(program.first_gate()) {
            readers[gate] += 1;
        }
    }
    readers
}
