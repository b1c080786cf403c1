//! Bounds of the values of components with unknown inputs: three-valued evaluation, as two least fixpoints.

use super::super::netlist::Netlist;
use super::super::network::Component;
use gdl::limits::{Poll, Stop};
use petgraph::graph::NodeIndex;

/// The bounds of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ValueBounds {
    /// Whether it can be true.
    pub(super) can: bool,
    /// Whether it must be true.
    pub(super) must: bool,
}

impl ValueBounds {
    /// The bounds of a known value.
    pub(super) fn exactly(value: bool) -> Self {
        Self { can: value, must: value }
    }

    /// The bounds of an unknown value.
    pub(super) fn any() -> Self {
        Self { can: true, must: false }
    }

    /// The only possible value, if there is just one.
    pub(super) fn value(self) -> Option<bool> {
        (self.can == self.must).then_some(self.can)
    }
}

/// The bounds of all components, given those of bases and inputs. Linear except for cycles.
///
/// A component on a cycle can be certainly true only if `cycles_are_sure`; pass `false` if the bounds are widened
/// afterwards, since a cycle could then keep supporting itself.
pub(super) fn bounds(
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
