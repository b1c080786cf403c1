//! Components that have the value of a single other one: a view, or a conjunction or disjunction of one input, is
//! replaced by the input, and its name moves there; the negation of a negation is replaced by the latter's input.

use super::super::netlist::{ComponentChange, Netlist};
use super::super::network::Component;
use super::Pass;
use gdl::limits::{Poll, Stop};
use petgraph::graph::NodeIndex;

pub(super) const SINGLE_INPUT: Pass = Pass {
    name: "single-input",
    summary: "replace views, and gates of one input, by their input",
    run: run_single_input,
};

fn run_single_input(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
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

pub(super) const DOUBLE_NEGATION: Pass = Pass {
    name: "double-negation",
    summary: "replace the negation of a negation by its operand",
    run: run_double_negation,
};

fn run_double_negation(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    let negated = |node: NodeIndex| match (netlist.component(node), netlist.inputs(node)) {
        (Component::Not, &[input]) => Some(input),
        _ => None,
    };
    let change = |node| negated(node).and_then(negated).map_or(ComponentChange::Keep, ComponentChange::Same);
    let mut changes = netlist.nodes().map(change).collect();
    netlist.settle(&mut changes, poll)
}
