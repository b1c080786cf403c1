//! Cycles through a negation, which have no least fixpoint.

use super::netlist::Netlist;
use super::network::{Component, Network};
use super::order::ComponentOrder;
use gdl::rules::GroundTerm;
use petgraph::graph::NodeIndex;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A cycle through a negation, which no rule sheet that passes the checks can have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("internal error: the network has a cycle through a negation: {}", list(propositions))]
pub struct GateNegativeCycle {
    /// The named propositions on the cycle, each after one that it depends on.
    pub propositions: Vec<GroundTerm>,
}

fn list(terms: &[GroundTerm]) -> String {
    terms.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Searches for a cycle through a negation, which has no least fixpoint. Linear in components and edges.
///
/// # Errors
/// [`GateNegativeCycle`] with the shortest cycle through the first such negation.
pub fn check_cycles(network: &Network) -> Result<(), GateNegativeCycle> {
    let netlist = Netlist::copy_of(network);
    let order = ComponentOrder::from_inputs(netlist.input_lists());
    let is_bad = |node: &NodeIndex| {
        netlist.component(*node) == Component::Not
            && netlist.inputs(*node).iter().any(|&i| order.are_together(i, *node))
    };
    match netlist.nodes().find(is_bad) {
        None => Ok(()),
        Some(negation) => Err(GateNegativeCycle { propositions: cycle(&netlist, negation) }),
    }
}

/// The names on a shortest cycle through a node.
fn cycle(netlist: &Netlist, through: NodeIndex) -> Vec<GroundTerm> {
    let mut queue = VecDeque::from([through]);
    let mut readers = FxHashMap::default();
    while let Some(node) = queue.pop_front() {
        for &input in netlist.inputs(node) {
            readers.entry(input).or_insert_with(|| {
                queue.push_back(input);
                node
            });
        }
    }
    let mut members = vec![through];
    let mut node = readers[&through];
    while node != through {
        members.push(node);
        node = readers[&node];
    }
    let name = |member: &NodeIndex| netlist.network.names.iter().find(|(_, node)| node == member);
    members.iter().filter_map(name).map(|(name, _)| name.clone()).collect()
}
