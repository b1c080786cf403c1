//! Common subexpressions: components of the same kind with the same inputs are merged. Found by structural hashing.

use super::super::netlist::{ComponentChange, Netlist};
use super::super::network::Component;
use super::Pass;
use gdl::limits::{Poll, Stop};
use hashbrown::HashTable;
use petgraph::graph::NodeIndex;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

pub(super) const PASS: Pass = Pass {
    name: "duplicates",
    summary: "merge components of the same kind with the same inputs, and fold gates that read a proposition and its negation",
    run,
};

fn run(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    let order = netlist.order(poll)?;
    let mut changes = vec![ComponentChange::Keep; netlist.len()];
    let mut known: HashTable<NodeIndex> = HashTable::with_capacity(netlist.len());
    // In the order of evaluation the inputs of a component have been merged before it is hashed.
    for &node in order.nodes() {
        let inputs = netlist.inputs(node);
        poll.steps(1 + inputs.len())?;
        let merged = |input: &NodeIndex| match changes[input.index()] {
            ComponentChange::Same(other) => other,
            _ => *input,
        };
        if inputs.iter().any(|input| merged(input) != *input) {
            netlist.set_inputs(node, inputs.iter().map(merged).collect());
        }
        match netlist.component(node) {
            Component::Base(_) | Component::Input(_) | Component::Output(_) => continue,
            Component::And if has_opposites(netlist, node) => changes[node.index()] = ComponentChange::Constant(false),
            Component::Or if has_opposites(netlist, node) => changes[node.index()] = ComponentChange::Constant(true),
            _ => {
                let is_same = |other: &NodeIndex| is_same(netlist, node, *other);
                match known.find(hash(netlist, node), is_same) {
                    Some(&other) => changes[node.index()] = ComponentChange::Same(other),
                    None => _ = known.insert_unique(hash(netlist, node), node, |&other| hash(netlist, other)),
                }
            }
        }
    }
    netlist.settle(&mut changes, poll)
}

/// True if a gate reads both a component and its negation.
fn has_opposites(netlist: &Netlist, gate: NodeIndex) -> bool {
    let inputs = netlist.inputs(gate);
    let is_opposite = |&input: &NodeIndex| {
        netlist.component(input) == Component::Not
            && netlist.inputs(input).iter().any(|negated| inputs.binary_search(negated).is_ok())
    };
    inputs.iter().any(is_opposite)
}

fn is_same(netlist: &Netlist, left: NodeIndex, right: NodeIndex) -> bool {
    netlist.component(left) == netlist.component(right) && netlist.inputs(left) == netlist.inputs(right)
}

fn hash(netlist: &Netlist, node: NodeIndex) -> u64 {
    let mut hasher = FxHasher::default();
    netlist.component(node).hash(&mut hasher);
    netlist.inputs(node).hash(&mut hasher);
    hasher.finish()
}
