//! Guards: a condition that many legal moves of a role share is separated from the rest of their conditions
//! ([`Legality`]).
//!
//! Before lowering, a conjunction that only one legal move reads, `control(x) & a & b`, becomes `control(x) & (a & b)`,
//! where `control(x)` is the input that the most such conjunctions of the role share. After lowering, the resulting
//! conjunctions of two inputs are split into guard and rest.

use super::network::{Component, Network, Output};
use crate::program::{Gate, GateKind, Legality, Program, Wire};
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;
use ggp_game::Role;
use petgraph::graph::NodeIndex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Separates the most shared input of each role's legal moves.
pub(super) fn separate(network: &mut Network, poll: &Poll<'_>) -> Result<(), Stop> {
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
pub(super) fn guard(program: &mut Program) {
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
        let mut shared: BTreeMap<Wire, usize> = BTreeMap::new();
        for Legality { guard, wire } in &program.legal[moves.clone()] {
            let of_move: BTreeSet<Wire> =
                [guard, wire].into_iter().flat_map(|&wire| conjuncts(program, wire)).collect();
            of_move.into_iter().for_each(|wire| *shared.entry(wire).or_default() += 1);
        }
        // What is always true separates nothing, and what never is belongs to the moves that are never legal.
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
                _ => *new.entry(rest).or_insert_with_key(|rest| conjunction(program, rest)),
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

/// Adds a conjunction, which nothing reads yet.
fn conjunction(program: &mut Program, inputs: &[Wire]) -> Wire {
    let wire = Wire::new(program.signals());
    let start = to_u32(program.wires.len());
    program.wires.extend_from_slice(inputs);
    program.gates.push(Gate { kind: GateKind::And, inputs: start..to_u32(program.wires.len()) });
    wire
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
