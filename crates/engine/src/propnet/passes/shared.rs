//! Shared inputs: inputs that several gates of one kind have in common become a gate of their own.
//!
//! There are three methods, each nearly linear: a gate replaces its inputs in every gate that reads all of them; inputs
//! that are read by the same gates are merged, however many there are; and in gates with few inputs the most frequent
//! pairs are merged repeatedly (greedy extraction of common cubes with two literals, Rajski and Vasudevamurthy, 1992).

use super::super::netlist::Netlist;
use super::super::network::Component;
use super::Pass;
use gdl::limits::{Poll, Stop};
use gdl::number::to_index;
use gdl::sorting;
use petgraph::graph::NodeIndex;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::BuildHasher;

pub(super) const PASS: Pass =
    Pass { name: "shared", summary: "make a gate of the inputs that several gates of one kind have in common", run };

/// Gates with more inputs are not searched for pairs.
const MOST_INPUTS: usize = 24;

/// The maximum number of readers of an input that are tried for one gate.
const MOST_TRIED: usize = 64;

/// The number of gates from which a pair of inputs is worth a gate: that adds one component and two edges, and removes
/// an edge from each.
const LEAST_GATES: usize = 4;

fn run(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    for kind in [Component::And, Component::Or] {
        reuse(netlist, kind, poll)?;
        bundle(netlist, kind, poll)?;
        pair(netlist, kind, poll)?;
    }
    netlist.settle(&mut Vec::new(), poll)
}

/// Replaces the inputs of a gate by the gate in every other gate that reads all of them.
fn reuse(netlist: &mut Netlist, kind: Component, poll: &Poll<'_>) -> Result<(), Stop> {
    let readers = netlist.readers(poll)?;
    let mut gates: Vec<NodeIndex> = netlist.nodes().filter(|&node| netlist.component(node) == kind).collect();
    // Larger gates first: to reuse one saves more edges.
    sorting::sort_by_key(&mut gates, |&gate| Reverse(netlist.inputs(gate).len()));
    for gate in gates {
        let inputs = netlist.inputs(gate).to_vec();
        poll.steps(1 + inputs.len())?;
        // Every gate that reads all inputs is among the readers of the one with the fewest.
        let Some(&rarest) = inputs.iter().min_by_key(|&&input| readers.reading(input).len()) else { continue };
        if inputs.len() < 2 || readers.reading(rarest).len() > MOST_TRIED || inputs.contains(&gate) {
            continue;
        }
        for &other in readers.reading(rarest) {
            let theirs = netlist.inputs(other);
            let has_all = other != gate && netlist.component(other) == kind && theirs.len() > inputs.len();
            if has_all && inputs.iter().all(|input| theirs.binary_search(input).is_ok()) {
                let mut rest: Vec<NodeIndex> =
                    theirs.iter().copied().filter(|input| inputs.binary_search(input).is_err()).collect();
                rest.push(gate);
                netlist.set_inputs(other, rest);
            }
        }
    }
    Ok(())
}

/// Merges inputs that are read by the same gates of a kind.
fn bundle(netlist: &mut Netlist, kind: Component, poll: &Poll<'_>) -> Result<(), Stop> {
    let readers = netlist.readers(poll)?;
    let gates_of = |node: NodeIndex| -> Vec<NodeIndex> {
        readers.reading(node).iter().copied().filter(|&reader| netlist.component(reader) == kind).collect()
    };
    let mut bundles: FxHashMap<Vec<NodeIndex>, Vec<NodeIndex>> = FxHashMap::default();
    // The first member of each bundle, in the order of their second members: a hash map has no order.
    let mut found: Vec<NodeIndex> = Vec::new();
    for node in netlist.nodes() {
        poll.steps(1 + readers.reading(node).len())?;
        let gates = gates_of(node);
        if gates.len() >= 2 {
            let members = bundles.entry(gates).or_default();
            members.push(node);
            if let &[first, _] = members.as_slice() {
                found.push(first);
            }
        }
    }
    let bundles: Vec<(Vec<NodeIndex>, Vec<NodeIndex>)> = found
        .into_iter()
        .filter_map(|first| bundles.remove_entry(&gates_of(first)))
        .filter(|(gates, members)| (gates.len() - 1) * (members.len() - 1) > 2)
        .collect();
    for (gates, members) in bundles {
        // Such a gate is on a cycle, which the new gate would join.
        if gates.iter().any(|gate| members.contains(gate)) {
            continue;
        }
        let bundle = netlist.add(kind, members.clone());
        for gate in gates {
            poll.steps(1 + netlist.inputs(gate).len())?;
            let inputs = netlist.inputs(gate).iter().copied();
            let mut rest: Vec<NodeIndex> = inputs.filter(|input| members.binary_search(input).is_err()).collect();
            rest.push(bundle);
            netlist.set_inputs(gate, rest);
        }
    }
    Ok(())
}

/// Two inputs of a gate, the lower one first.
type Pair = (NodeIndex, NodeIndex);

/// The number of counters of pairs by their hash.
const SKETCH: usize = 1 << 20;

/// The counter of a pair.
fn in_sketch(pair: Pair) -> usize {
    to_index(FxBuildHasher.hash_one(pair) % SKETCH as u64)
}

/// Visits the pairs of inputs of each gate of a kind that has more than two inputs, but few.
fn each_pair(
    netlist: &Netlist,
    kind: Component,
    poll: &Poll<'_>,
    mut visit: impl FnMut(Pair, NodeIndex),
) -> Result<(), Stop> {
    for gate in netlist.nodes().filter(|&node| netlist.component(node) == kind) {
        let inputs = netlist.inputs(gate);
        poll.step()?;
        if inputs.len() > 2 && inputs.len() <= MOST_INPUTS {
            poll.steps(inputs.len() * inputs.len())?;
            for (number, &left) in inputs.iter().enumerate() {
                inputs[number + 1..].iter().for_each(|&right| visit((left, right), gate));
            }
        }
    }
    Ok(())
}

/// Merges pairs of inputs that many gates have in common, the most frequent first.
fn pair(netlist: &mut Netlist, kind: Component, poll: &Poll<'_>) -> Result<(), Stop> {
    // Most pairs are rare, and stay so: gates are only added to pairs with a new gate. Only the others get a list. Those
    // that are rare even together with other pairs of the same hash are never put into a table.
    let mut sketch = vec![0_u8; SKETCH];
    each_pair(netlist, kind, poll, |pair, _| {
        let count = &mut sketch[in_sketch(pair)];
        *count = count.saturating_add(1);
    })?;
    let mut counts: FxHashMap<Pair, usize> = FxHashMap::default();
    each_pair(netlist, kind, poll, |pair, _| {
        if usize::from(sketch[in_sketch(pair)]) >= LEAST_GATES {
            *counts.entry(pair).or_default() += 1;
        }
    })?;
    drop(sketch);
    counts.retain(|_, count| *count >= LEAST_GATES);
    let mut pairs: FxHashMap<Pair, Vec<NodeIndex>> = FxHashMap::default();
    each_pair(netlist, kind, poll, |pair, gate| {
        if counts.contains_key(&pair) {
            pairs.entry(pair).or_default().push(gate);
        }
    })?;
    let mut candidates: BinaryHeap<_> = counts.into_keys().map(|pair| (usize::MAX, Reverse(pair))).collect();
    while let Some((count, Reverse((left, right)))) = candidates.pop() {
        let Some(gates) = pairs.get_mut(&(left, right)) else { continue };
        poll.steps(1 + gates.len())?;
        let has = |gate: &NodeIndex, input| netlist.inputs(*gate).binary_search(&input).is_ok();
        gates.retain(|gate| has(gate, left) && has(gate, right) && netlist.inputs(*gate).len() > 2);
        if gates.len() < LEAST_GATES {
            continue;
        }
        if gates.len() < count {
            candidates.push((gates.len(), Reverse((left, right))));
            continue;
        }
        let gates = std::mem::take(gates);
        if gates.iter().any(|&gate| gate == left || gate == right) {
            continue;
        }
        let both = netlist.add(kind, vec![left, right]);
        for gate in gates {
            let inputs = netlist.inputs(gate).iter().copied();
            let mut rest: Vec<NodeIndex> = inputs.filter(|&input| input != left && input != right).collect();
            // The new gate and an input read together with it may be a frequent pair in their turn.
            for &other in &rest {
                let gates = pairs.entry((other, both)).or_default();
                gates.push(gate);
                if gates.len() == LEAST_GATES {
                    candidates.push((usize::MAX, Reverse((other, both))));
                }
            }
            rest.push(both);
            netlist.set_inputs(gate, rest);
        }
    }
    Ok(())
}
