//! Constant folding: components that have the same value in every state, whatever moves are made.
//!
//! Bases and inputs can have either value; from these, two bounds of every component are computed: whether it can be
//! true and whether it must be. Both are least fixpoints, so a cycle without support from outside cannot be true and is
//! removed as well.

use super::super::netlist::{ComponentChange, Netlist};
use super::super::network::Component;
use super::Pass;
use super::bounds::{ValueBounds, bounds};
use gdl::limits::{Poll, Stop};
use petgraph::graph::NodeIndex;

pub(super) const PASS: Pass = Pass {
    name: "constants",
    summary: "fold components that have the same value in every state, including cycles without support",
    run,
};

fn run(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    let bounds = bounds(netlist, true, poll, |_| ValueBounds::any())?;
    for node in netlist.nodes() {
        poll.step()?;
        let neutral = match netlist.component(node) {
            Component::And => true,
            Component::Or => false,
            _ => continue,
        };
        // An input of a disjunction that is the gate itself adds nothing; a conjunction that reads itself is false.
        let says_something = |input: &NodeIndex| *input != node && bounds[input.index()].value() != Some(neutral);
        let inputs = netlist.inputs(node);
        if !inputs.iter().all(says_something) {
            netlist.set_inputs(node, inputs.iter().copied().filter(says_something).collect());
        }
    }
    let change = |node| match (netlist.component(node), bounds[node.index()].value()) {
        (Component::Output(_) | Component::Constant(_), _) | (_, None) => ComponentChange::Keep,
        (_, Some(value)) => ComponentChange::Constant(value),
    };
    let mut changes = netlist.nodes().map(change).collect();
    netlist.settle(&mut changes, poll)
}
