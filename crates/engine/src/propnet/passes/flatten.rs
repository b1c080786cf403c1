//! Nested gates of one kind: a conjunction of conjunctions, or a disjunction of disjunctions, becomes one gate if
//! nothing else reads the inner one.

use super::super::netlist::{ComponentChange, Netlist};
use super::super::network::Component;
use super::Pass;
use gdl::limits::{Poll, Stop};
use petgraph::graph::NodeIndex;

pub(super) const PASS: Pass =
    Pass { name: "flatten", summary: "merge an and into the and, an or into the or, that is its only reader", run };

fn run(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    let readers = netlist.reader_counts(poll)?;
    let order = netlist.order(poll)?;
    let mut changes = vec![ComponentChange::Keep; netlist.len()];
    // Inner gates come first, so a nest of any depth becomes one gate in one run.
    for &gate in order.nodes() {
        poll.steps(1 + netlist.inputs(gate).len())?;
        let kind = netlist.component(gate);
        // On a cycle a gate may read the one that it has been merged into.
        if !matches!(kind, Component::And | Component::Or) || changes[gate.index()] == ComponentChange::Gone {
            continue;
        }
        let is_drawn_in =
            |input: NodeIndex| input != gate && netlist.component(input) == kind && readers[input.index()] == 1;
        if !netlist.inputs(gate).iter().any(|&input| is_drawn_in(input)) {
            continue;
        }
        let (inner, mut inputs): (Vec<NodeIndex>, Vec<NodeIndex>) =
            netlist.inputs(gate).iter().partition(|&&input| is_drawn_in(input));
        for input in inner {
            changes[input.index()] = ComponentChange::Gone;
            inputs.extend_from_slice(netlist.inputs(input));
        }
        netlist.set_inputs(gate, inputs);
    }
    netlist.settle(&mut changes, poll)
}
