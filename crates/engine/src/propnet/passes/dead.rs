//! Dead components: those on which no output depends. Fluents and moves keep their base and input, read or not.

use super::super::netlist::{ComponentChange, Netlist};
use super::super::network::Component;
use super::Pass;
use gdl::limits::{Poll, Stop};

pub(super) const PASS: Pass = Pass { name: "dead", summary: "remove components that no output depends on", run };

pub(super) fn run(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    let mut changes = vec![ComponentChange::Gone; netlist.len()];
    let mut reached = Vec::new();
    for node in netlist.nodes() {
        match netlist.component(node) {
            Component::Output(_) => reached.push(node),
            Component::Base(_) | Component::Input(_) => changes[node.index()] = ComponentChange::Keep,
            _ => {}
        }
    }
    while let Some(node) = reached.pop() {
        poll.steps(1 + netlist.inputs(node).len())?;
        changes[node.index()] = ComponentChange::Keep;
        reached.extend(netlist.inputs(node).iter().filter(|input| changes[input.index()] == ComponentChange::Gone));
    }
    netlist.settle(&mut changes, poll)
}
