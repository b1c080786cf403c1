//! Gates with a single input: a view, or an and or an or of one, is what it reads; its name moves there.

use super::super::netlist::{Fate, Netlist};
use super::super::network::Component;
use super::Pass;

/// The pass.
pub(super) const PASS: Pass =
    Pass { name: "single-input", summary: "replace views, and gates of one input, by what they read", run };

fn run(netlist: &mut Netlist) {
    let mut fates = vec![Fate::Keep; netlist.components.len()];
    for node in netlist.nodes() {
        let is_gate = matches!(netlist.component(node), Component::View | Component::And | Component::Or);
        if let (true, &[input]) = (is_gate, netlist.inputs(node)) {
            // Where what it reads comes back to it, all of the cycle read each other only: they are false, and `constants` says so.
            let mut last = input;
            while let Fate::Same(other) = fates[last.index()] {
                last = other;
            }
            if last != node {
                fates[node.index()] = Fate::Same(last);
            }
        }
    }
    netlist.settle(&mut fates);
}
