//! Double negation: the negation of a negation is replaced by the latter's input.

use super::super::netlist::{ComponentChange, Netlist};
use super::super::network::Component;
use super::Pass;
use gdl::limits::{Poll, Stop};
use petgraph::graph::NodeIndex;

pub(super) const PASS: Pass =
    Pass { name: "double-negation", summary: "replace the negation of a negation by its operand", run };

fn run(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    let negated = |node: NodeIndex| match (netlist.component(node), netlist.inputs(node)) {
        (Component::Not, &[input]) => Some(input),
        _ => None,
    };
    let change = |node| negated(node).and_then(negated).map_or(ComponentChange::Keep, ComponentChange::Same);
    let mut changes = netlist.nodes().map(change).collect();
    netlist.settle(&mut changes, poll)
}
