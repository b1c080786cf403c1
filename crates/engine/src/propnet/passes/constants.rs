//! Constant folding: components that have the same value in every state, whatever moves are made.
//!
//! Bases and inputs can have either value; from these, two bounds of every component are computed: one is true if it
//! can be true, the other if it must be. Both are least fixpoints, so a cycle without support from outside cannot be
//! true and is removed as well. `unchanging` and the inspector compute bounds for other values of bases and inputs.

use super::super::netlist::{ComponentChange, Netlist};
use super::super::network::Component;
use super::Pass;
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

/// The bounds of a value that depends on something unknown (three-valued evaluation).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::propnet) struct ValueBounds {
    /// True if the value can be true.
    pub(super) can: bool,
    /// True if the value must be true.
    pub(super) must: bool,
}

impl ValueBounds {
    /// The bounds of a known value.
    pub(in crate::propnet) fn exactly(value: bool) -> Self {
        Self { can: value, must: value }
    }

    /// The bounds of an unknown value.
    pub(in crate::propnet) fn any() -> Self {
        Self { can: true, must: false }
    }

    /// The only possible value, if there is just one.
    pub(in crate::propnet) fn value(self) -> Option<bool> {
        (self.can == self.must).then_some(self.can)
    }
}

/// The bounds of all components, given those of bases and inputs. Linear except for cycles.
///
/// A component on a cycle can be certainly true only if `cycles_are_sure`; pass `false` if the bounds are widened
/// afterwards, since a cycle could then keep supporting itself.
pub(in crate::propnet) fn bounds(
    netlist: &Netlist,
    cycles_are_sure: bool,
    poll: &Poll<'_>,
    leaf: impl Fn(Component) -> ValueBounds,
) -> Result<Vec<ValueBounds>, Stop> {
    let order = netlist.order(poll)?;
    let mut bounds = vec![ValueBounds::exactly(false); netlist.len()];
    for group in order.groups() {
        loop {
            let mut changed = false;
            for &node in group {
                poll.steps(1 + netlist.inputs(node).len())?;
                let value = evaluate(netlist, node, &bounds, &leaf);
                changed |= value != bounds[node.index()];
                bounds[node.index()] = value;
            }
            if !changed || group.len() == 1 {
                break;
            }
        }
        if !cycles_are_sure && group.iter().any(|&node| order.is_cyclic(netlist.input_lists(), node)) {
            group.iter().for_each(|node| bounds[node.index()].must = false);
        }
    }
    Ok(bounds)
}

/// The bounds of a component, given those of its inputs.
pub(super) fn evaluate(
    netlist: &Netlist,
    node: NodeIndex,
    bounds: &[ValueBounds],
    leaf: &impl Fn(Component) -> ValueBounds,
) -> ValueBounds {
    let mut inputs = netlist.inputs(node).iter().map(|input| bounds[input.index()]);
    let mut others = inputs.clone();
    match netlist.component(node) {
        Component::Constant(value) => ValueBounds::exactly(value),
        component @ (Component::Base(_) | Component::Input(_)) => leaf(component),
        Component::And => ValueBounds { can: inputs.all(|input| input.can), must: others.all(|input| input.must) },
        Component::Or => ValueBounds { can: inputs.any(|input| input.can), must: others.any(|input| input.must) },
        Component::Not => {
            inputs.next().map_or(ValueBounds::any(), |input| ValueBounds { can: !input.must, must: !input.can })
        }
        Component::View | Component::Output(_) => inputs.next().unwrap_or(ValueBounds::any()),
    }
}
