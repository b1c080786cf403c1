//! Fluents that never change, and moves that are never legal, found by induction over steps.
//!
//! The sweep starts with the initial state and no move. A move whose legality can be true can be made from then on; a
//! fluent whose next value can differ from its value so far can have either. This over-estimates what can happen, so a
//! fluent that the sweep leaves unchanged has its initial value in every reachable state. Each component widens its
//! bounds at most twice, so this is nearly linear.

use super::super::netlist::{ComponentChange, Netlist};
use super::super::network::{Component, Output};
use super::Pass;
use super::constants::{ValueBounds, bounds, evaluate};
use crate::program::FluentStorage;
use gdl::limits::{Poll, Stop};
use petgraph::graph::NodeIndex;

pub(super) const PASS: Pass =
    Pass { name: "unchanging", summary: "remove fluents that never change, and moves that are never legal", run };

fn run(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    let bounds = reachable(netlist, poll)?;
    let mut changes = vec![ComponentChange::Keep; netlist.len()];
    for node in netlist.nodes() {
        let Some(value) = bounds[node.index()].value() else { continue };
        match netlist.component(node) {
            Component::Base(fluent) => {
                netlist.network.fluents[fluent.index()].storage = FluentStorage::Always(value);
                changes[node.index()] = ComponentChange::Constant(value);
            }
            Component::Input(chosen) if !value => {
                netlist.network.moves[chosen.index()].is_possible = false;
                changes[node.index()] = ComponentChange::Constant(false);
            }
            _ => {}
        }
    }
    for node in netlist.nodes() {
        let is_gone = match netlist.component(node) {
            Component::Output(Output::Next(fluent)) => {
                netlist.network.fluents[fluent.index()].storage != FluentStorage::Own
            }
            Component::Output(Output::Legal(chosen)) => !netlist.network.moves[chosen.index()].is_possible,
            _ => false,
        };
        if is_gone {
            changes[node.index()] = ComponentChange::Gone;
        }
    }
    netlist.settle(&mut changes, poll)?;
    // Fluents that mirror one that never changes do not change either.
    netlist.network.resolve_storages();
    Ok(())
}

/// The bounds of all components over all reachable states.
fn reachable(netlist: &Netlist, poll: &Poll<'_>) -> Result<Vec<ValueBounds>, Stop> {
    let mut bases = vec![None; netlist.network.fluents.len()];
    let mut inputs = vec![None; netlist.network.moves.len()];
    for node in netlist.nodes() {
        match netlist.component(node) {
            Component::Base(fluent) => bases[fluent.index()] = Some(node),
            Component::Input(chosen) => inputs[chosen.index()] = Some(node),
            _ => {}
        }
    }
    let initially = |component| match component {
        Component::Base(fluent) => ValueBounds::exactly(netlist.network.fluents[fluent.index()].initially),
        _ => ValueBounds::exactly(false),
    };
    let mut bounds = bounds(netlist, false, poll, initially)?;
    let readers = netlist.readers(poll)?;
    let mut changed: Vec<NodeIndex> = netlist.nodes().collect();
    while let Some(node) = changed.pop() {
        poll.step()?;
        let reached = bounds[node.index()];
        let base_or_input = match netlist.component(node) {
            Component::Output(Output::Next(fluent)) => bases[fluent.index()],
            Component::Output(Output::Legal(chosen)) if reached.can => inputs[chosen.index()],
            _ => None,
        };
        if let Some(target) = base_or_input {
            let before = bounds[target.index()];
            let after = ValueBounds { can: before.can || reached.can, must: before.must && reached.must };
            if after != before {
                bounds[target.index()] = after;
                changed.push(target);
            }
        }
        for &reader in readers.reading(node) {
            let before = bounds[reader.index()];
            // Bounds only widen, and these cannot.
            if before == ValueBounds::any() {
                continue;
            }
            poll.steps(1 + netlist.inputs(reader).len())?;
            let now = evaluate(netlist, reader, &bounds, &|_| ValueBounds::any());
            let after = ValueBounds { can: before.can || now.can, must: before.must && now.must };
            if after != before {
                bounds[reader.index()] = after;
                changed.push(reader);
            }
        }
    }
    Ok(bounds)
}
