//! Constant folding: what has the same value in every state, whatever is done.
//!
//! Bases and inputs can have either value; from them two bounds of every component are computed, whether it can be true and
//! whether it must be. Both are least fixpoints, so a cycle without support from outside cannot be true and goes as well.

use super::super::netlist::{Fate, Netlist};
use super::super::network::Component;
use super::super::order::Order;
use super::Pass;
use petgraph::graph::NodeIndex;

/// The pass.
pub(super) const PASS: Pass = Pass {
    name: "constants",
    summary: "fold away what has the same value in every state, cycles without support included",
    run,
};

/// The bounds of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Bounds {
    can: bool,
    must: bool,
}

fn run(netlist: &mut Netlist) {
    let bounds = bounds(netlist);
    let constant = |node: NodeIndex| {
        let Bounds { can, must } = bounds[node.index()];
        (can == must).then_some(can)
    };
    for node in netlist.nodes() {
        let neutral = match netlist.component(node) {
            Component::And => true,
            Component::Or => false,
            _ => continue,
        };
        netlist.inputs[node.index()].retain(|&input| constant(input) != Some(neutral));
    }
    let fate = |node| match (netlist.component(node), constant(node)) {
        (Component::Output(_) | Component::Constant(_), _) | (_, None) => Fate::Keep,
        (_, Some(value)) => Fate::Constant(value),
    };
    let mut fates = netlist.nodes().map(fate).collect();
    netlist.settle(&mut fates);
}

fn bounds(netlist: &Netlist) -> Vec<Bounds> {
    let order = Order::of(netlist);
    let mut bounds = vec![Bounds { can: false, must: false }; netlist.components.len()];
    for group in order.groups() {
        loop {
            let mut changed = false;
            for &node in group {
                let value = evaluate(netlist, node, &bounds);
                changed |= value != bounds[node.index()];
                bounds[node.index()] = value;
            }
            if !changed || group.len() == 1 {
                break;
            }
        }
    }
    bounds
}

fn evaluate(netlist: &Netlist, node: NodeIndex, bounds: &[Bounds]) -> Bounds {
    let mut inputs = netlist.inputs(node).iter().map(|input| bounds[input.index()]);
    match netlist.component(node) {
        Component::Constant(value) => Bounds { can: value, must: value },
        Component::Base(_) | Component::Input(_) => Bounds { can: true, must: false },
        Component::And => inputs.fold(Bounds { can: true, must: true }, |all, input| Bounds {
            can: all.can && input.can,
            must: all.must && input.must,
        }),
        Component::Or => inputs.fold(Bounds { can: false, must: false }, |all, input| Bounds {
            can: all.can || input.can,
            must: all.must || input.must,
        }),
        Component::Not => inputs
            .next()
            .map_or(Bounds { can: false, must: false }, |input| Bounds { can: !input.must, must: !input.can }),
        Component::View | Component::Output(_) => inputs.next().unwrap_or(Bounds { can: false, must: false }),
    }
}
