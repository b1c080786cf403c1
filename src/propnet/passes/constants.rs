//! Constant folding: what has the same value in every state, whatever is done.
//!
//! Bases and inputs can have either value; from them two bounds of every component are computed, whether it can be true and
//! whether it must be. Both are least fixpoints, so a cycle without support from outside cannot be true and goes as well.

use super::super::netlist::{Fate, Netlist};
use super::super::network::Component;
use super::Pass;
use super::bounds::{Bounds, bounds};
use petgraph::graph::NodeIndex;

/// The pass.
pub(super) const PASS: Pass = Pass {
    name: "constants",
    summary: "fold away what has the same value in every state, cycles without support included",
    run,
};

fn run(netlist: &mut Netlist) {
    let bounds = bounds(netlist, true, |_| Bounds::any());
    for node in netlist.nodes() {
        let neutral = match netlist.component(node) {
            Component::And => true,
            Component::Or => false,
            _ => continue,
        };
        // An or that reads itself gains nothing by it; an and that does is false.
        let says_something = |input: &NodeIndex| *input != node && bounds[input.index()].value() != Some(neutral);
        netlist.inputs[node.index()].retain(says_something);
    }
    let fate = |node| match (netlist.component(node), bounds[node.index()].value()) {
        (Component::Output(_) | Component::Constant(_), _) | (_, None) => Fate::Keep,
        (_, Some(value)) => Fate::Constant(value),
    };
    let mut fates = netlist.nodes().map(fate).collect();
    netlist.settle(&mut fates);
}
