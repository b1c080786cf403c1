//! Raises a flat program to a netlist, the inverse of lowering as far as next states and legal moves go.
//!
//! A program that was read from a file may name any groups as exclusive. They are proved again, on what the program
//! computes, and those that cannot be proved are dropped.

use super::netlist::Netlist;
use super::network::{Component, Group, MoveId, Network, NetworkFluent, Output};
use super::passes::prove;
use crate::program::{FluentId, GateKind, Program, Wire};
use gdl::limits::{Limits, Stop};
use petgraph::graph::NodeIndex;

/// Keeps those groups of a sound program that are proved to be exclusive.
///
/// # Errors
/// If the limits end the work.
pub(super) fn keep_proved_groups(program: &mut Program, limits: &Limits) -> Result<(), Stop> {
    if program.groups.is_empty() {
        return Ok(());
    }
    let fluent = |&bit: &u32| FluentId::new(program.fact_of[bit as usize] as usize);
    let candidates =
        program.groups.iter().map(|group| Group::from_fluents(group.iter().map(fluent).collect())).collect();
    let (groups, _) = prove(&netlist(program), Vec::new(), candidates, &limits.poll())?;
    let bit = |fluent: &FluentId| program.bit_of[fluent.index()];
    program.groups = groups.iter().map(|group| group.fluents.iter().filter_map(bit).collect()).collect();
    Ok(())
}

/// The gates of a program as components, and the outputs of next states and legal moves.
fn netlist(program: &Program) -> Netlist {
    let fluents = program.facts.iter().zip(&program.bit_of).map(|((fact, storage), bit)| NetworkFluent {
        fact: fact.clone(),
        initially: bit.is_some_and(|bit| program.initial.contains(bit as usize)),
        storage: *storage,
    });
    let network = Network {
        roles: program.roles.clone(),
        fluents: fluents.collect(),
        moves: program.moves.clone(),
        ..Network::default()
    };
    let mut raising = Raising { netlist: Netlist::copy_of(&network), negations: vec![None; program.signals()] };
    for &fact in &program.fact_of {
        raising.netlist.add(Component::Base(FluentId::new(fact as usize)), Vec::new());
    }
    for chosen in 0..program.moves.len() {
        raising.netlist.add(Component::Input(MoveId::new(chosen)), Vec::new());
    }
    for gate in &program.gates {
        let component = match gate.kind {
            kind if gate.inputs.is_empty() => Component::Constant(kind == GateKind::And),
            GateKind::And => Component::And,
            GateKind::Or => Component::Or,
        };
        raising.netlist.add(component, Vec::new());
    }
    for gate in 0..program.gates.len() {
        let inputs = program.inputs(gate).iter().map(|&wire| raising.node(wire)).collect();
        raising.netlist.set_inputs(NodeIndex::new(program.first_gate() + gate), inputs);
    }
    for (&next, &fact) in program.next.iter().zip(&program.fact_of) {
        let input = raising.node(next);
        raising.netlist.add(Component::Output(Output::Next(FluentId::new(fact as usize))), vec![input]);
    }
    for (chosen, legal) in program.legal.iter().enumerate().filter(|&(chosen, _)| program.moves[chosen].is_possible) {
        let inputs = [legal.guard, legal.wire].map(|wire| raising.node(wire)).to_vec();
        let both = raising.netlist.add(Component::And, inputs);
        raising.netlist.add(Component::Output(Output::Legal(MoveId::new(chosen))), vec![both]);
    }
    raising.netlist
}

/// A netlist whose first nodes are the signals of a program.
struct Raising {
    netlist: Netlist,
    /// The negation of each signal that is read negated.
    negations: Vec<Option<NodeIndex>>,
}

impl Raising {
    /// The node of a wire.
    fn node(&mut self, wire: Wire) -> NodeIndex {
        let node = NodeIndex::new(wire.signal());
        match wire.is_negated() {
            false => node,
            true => {
                let netlist = &mut self.netlist;
                *self.negations[wire.signal()].get_or_insert_with(|| netlist.add(Component::Not, vec![node]))
            }
        }
    }
}
