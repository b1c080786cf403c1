//! De Morgan's laws: a conjunction of negations becomes the negation of a disjunction, and vice versa, if that saves
//! components.

use super::super::netlist::Netlist;
use super::super::network::Component;
use super::Pass;
use gdl::limits::{Poll, Stop};
use petgraph::graph::NodeIndex;

pub(super) const PASS: Pass = Pass {
    name: "de-morgan",
    summary: "negate a gate once instead of each of its inputs, if that saves components",
    run,
};

fn run(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    let readers = netlist.reader_counts(poll)?;
    for gate in netlist.nodes() {
        poll.steps(1 + netlist.inputs(gate).len())?;
        let dual = match netlist.component(gate) {
            Component::And => Component::Or,
            Component::Or => Component::And,
            _ => continue,
        };
        let is_negation = |&&input: &&NodeIndex| netlist.component(input) == Component::Not;
        let negations: Vec<NodeIndex> = netlist.inputs(gate).iter().filter(is_negation).copied().collect();
        let saved = negations.iter().filter(|negation| readers[negation.index()] == 1).count();
        let rest = netlist.inputs(gate).len() - negations.len();
        // A negation that nothing else reads is removed with its edge; other negations lose one reader, and their
        // inputs gain one. One negation is added, and one gate if there are other inputs.
        let cost = if rest == 0 { 2 } else { 4 };
        if negations.len() < 2 || 2 * saved <= cost {
            continue;
        }
        let positive: Vec<NodeIndex> = negations.iter().map(|&negation| netlist.inputs(negation)[0]).collect();
        let inputs = netlist.inputs(gate).iter().copied();
        let mut others: Vec<NodeIndex> = inputs.filter(|input| negations.binary_search(input).is_err()).collect();
        if others.is_empty() {
            let inner = netlist.add(dual, positive);
            netlist.set_component(gate, Component::Not);
            netlist.set_inputs(gate, vec![inner]);
        } else {
            let inner = netlist.add(dual, positive);
            others.push(netlist.add(Component::Not, vec![inner]));
            netlist.set_inputs(gate, others);
        }
    }
    netlist.settle(&mut Vec::new(), poll)?;
    super::dead::run(netlist, poll)
}
