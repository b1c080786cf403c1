//! One move per role and step: a disjunction over most of the moves of a role is the negation of the disjunction over
//! the others, and a disjunction over all of them is true.
//!
//! Whatever depends on moves is evaluated with exactly one possible move of each role, so this keeps the answers.

use super::super::netlist::Netlist;
use super::super::network::Component;
use super::Pass;
use gdl::limits::{Poll, Stop};
use petgraph::graph::NodeIndex;

pub(super) const PASS: Pass = Pass {
    name: "one-move",
    summary: "turn an or over most moves of a role into the negation of the or over the others",
    run,
};

/// The cost of a negation and a disjunction: two components, the edge between them and the edge to the reader.
const COST: usize = 4;

fn run(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    let roles = inputs_by_role(netlist);
    for gate in netlist.nodes() {
        poll.steps(1 + netlist.inputs(gate).len())?;
        if netlist.component(gate) == Component::Or {
            roles.iter().for_each(|moves| complement(netlist, gate, moves));
        }
    }
    netlist.settle(&mut Vec::new(), poll)
}

/// The inputs of the possible moves of each role; empty if a possible move has no input.
fn inputs_by_role(netlist: &Netlist) -> Vec<Vec<NodeIndex>> {
    let moves = &netlist.network.moves;
    let mut inputs = vec![Vec::new(); netlist.network.roles.len()];
    for node in netlist.nodes() {
        if let Component::Input(chosen) = netlist.component(node) {
            inputs[moves[chosen.index()].role.index()].push(node);
        }
    }
    for (role, inputs) in inputs.iter_mut().enumerate() {
        let possible = moves.iter().filter(|chosen| chosen.is_possible && chosen.role.index() == role).count();
        if inputs.len() != possible {
            inputs.clear();
        }
    }
    inputs
}

/// Replaces the moves of a role in a disjunction by their complement, if that is smaller.
fn complement(netlist: &mut Netlist, gate: NodeIndex, moves: &[NodeIndex]) {
    let inputs = netlist.inputs(gate);
    let mentioned = inputs.iter().filter(|input| moves.binary_search(input).is_ok()).count();
    let missing = moves.len() - mentioned;
    if mentioned < 2 || missing > 0 && missing + COST > mentioned {
        return;
    }
    let others: Vec<NodeIndex> = moves.iter().copied().filter(|chosen| inputs.binary_search(chosen).is_err()).collect();
    let mut rest: Vec<NodeIndex> = inputs.iter().copied().filter(|input| moves.binary_search(input).is_err()).collect();
    rest.push(netlist.add_none_of(others));
    netlist.set_inputs(gate, rest);
}
