//! Gates with a single input: a view, or a conjunction or disjunction of one input, is replaced by the input, and its
//! name moves there.

use super::super::netlist::{ComponentChange, Netlist};
use super::super::network::Component;
use super::Pass;
use gdl::limits::{Poll, Stop};

pub(super) const PASS: Pass =
    Pass { name: "single-input", summary: "replace views, and gates of one input, by their input", run };

fn run(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    let mut changes = vec![ComponentChange::Keep; netlist.len()];
    for node in netlist.nodes() {
        poll.step()?;
        let is_gate = matches!(netlist.component(node), Component::View | Component::And | Component::Or);
        if let (true, &[input]) = (is_gate, netlist.inputs(node)) {
            // If the chain of inputs returns to the node, the components of the cycle read only each other: they are
            // false, which `constants` finds.
            let mut last = input;
            while let ComponentChange::Same(other) = changes[last.index()] {
                last = other;
            }
            if last != node {
                changes[node.index()] = ComponentChange::Same(last);
            }
        }
    }
    netlist.settle(&mut changes, poll)
}
