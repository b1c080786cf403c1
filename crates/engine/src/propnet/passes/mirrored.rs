//! Mirrored fluents: fluents that have the same value initially and whose next values are the same function of the
//! state and the moves, if mirrored fluents are identified.
//!
//! The coarsest such partition is found by refinement, starting with the initial values: fluents stay in the same class
//! while their next values have the same structural hash (Kanellakis and Smolka, 1983, on hashes of 128 bits). Only
//! components that depend on a fluent whose class has changed are hashed again.

use super::super::netlist::{ComponentChange, ComponentOrder, FluentBit, Netlist, Readers};
use super::super::network::Component;
use super::Pass;
use crate::program::FluentStorage;
use gdl::limits::{Poll, Stop};
use petgraph::graph::NodeIndex;
use rustc_hash::FxHashMap;

pub(super) const PASS: Pass =
    Pass { name: "mirrored", summary: "keep one of several fluents that have the same value in every state", run };

fn run(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    let mut fluents: Vec<FluentBit> = netlist.bits().into_iter().flatten().collect();
    // Of several equal fluents the first in the order of evaluation is kept.
    fluents.sort_unstable_by_key(|bit| bit.base);
    let classes = classes(netlist, &fluents, poll)?;
    let mut changes = vec![ComponentChange::Keep; netlist.len()];
    let mut first: FxHashMap<usize, usize> = FxHashMap::default();
    for (number, &class) in classes.iter().enumerate() {
        let same = *first.entry(class).or_insert(number);
        if same != number {
            let (Component::Base(one), Component::Base(other)) =
                (netlist.component(fluents[number].base), netlist.component(fluents[same].base))
            else {
                continue;
            };
            netlist.network.fluents[one.index()].storage = FluentStorage::Same(other);
            changes[fluents[number].base.index()] = ComponentChange::Same(fluents[same].base);
            changes[fluents[number].output.index()] = ComponentChange::Gone;
        }
    }
    netlist.settle(&mut changes, poll)?;
    // A fluent that an earlier run has mirrored may mirror one that is now mirrored itself.
    netlist.network.resolve_storages();
    Ok(())
}

/// The class of each fluent.
fn classes(netlist: &Netlist, fluents: &[FluentBit], poll: &Poll<'_>) -> Result<Vec<usize>, Stop> {
    let mut hashes = Hashes::new(netlist, poll)?;
    let initially = |bit: &FluentBit| match netlist.component(bit.base) {
        Component::Base(fluent) => netlist.network.fluents[fluent.index()].initially,
        _ => false,
    };
    let mut classes: Vec<usize> = fluents.iter().map(|bit| usize::from(initially(bit))).collect();
    let mut count = 2;
    for (fluent, &class) in fluents.iter().zip(&classes) {
        hashes.set(fluent.base, class);
    }
    loop {
        hashes.update(netlist, poll)?;
        let key = |number: usize, classes: &[usize]| (classes[number], hashes.values[fluents[number].output.index()]);
        let mut sizes: FxHashMap<(usize, u128), usize> = FxHashMap::default();
        for number in 0..fluents.len() {
            poll.step()?;
            *sizes.entry(key(number, &classes)).or_default() += 1;
        }
        // The largest part of a class keeps its number, so that few components are hashed again; of several, the first.
        let mut numbers: FxHashMap<(usize, u128), usize> = FxHashMap::default();
        let mut largest: FxHashMap<usize, (usize, u128)> = FxHashMap::default();
        for number in 0..fluents.len() {
            let key = key(number, &classes);
            let largest = largest.entry(key.0).or_insert(key);
            if sizes[&key] > sizes[largest] {
                *largest = key;
            }
        }
        let before = count;
        for number in 0..fluents.len() {
            let key = key(number, &classes);
            let class = *numbers.entry(key).or_insert_with(|| {
                if largest[&key.0] == key {
                    return key.0;
                }
                count += 1;
                count - 1
            });
            classes[number] = class;
        }
        if count == before {
            return Ok(classes);
        }
        for (fluent, &class) in fluents.iter().zip(&classes) {
            hashes.set(fluent.base, class);
        }
    }
}

/// The structural hash of each component: components with equal hashes compute the same function of the classes.
struct Hashes {
    values: Vec<u128>,
    /// The components that have to be hashed again, as bits in the order of evaluation.
    stale: Vec<u64>,
    /// The index of each component in that order.
    positions: Vec<u32>,
    order: ComponentOrder,
    readers: Readers,
}

impl Hashes {
    fn new(netlist: &Netlist, poll: &Poll<'_>) -> Result<Self, Stop> {
        let count = netlist.len();
        let order = netlist.order(poll)?;
        let mut positions = vec![0; count];
        (0..).zip(order.nodes()).for_each(|(position, node)| positions[node.index()] = position);
        let mut hashes = Self {
            values: vec![0; count],
            stale: vec![0; count.div_ceil(64)],
            positions,
            order,
            readers: netlist.readers(poll)?,
        };
        (0..count).for_each(|position| hashes.stale[position / 64] |= 1 << (position % 64));
        Ok(hashes)
    }

    /// Sets the class of a base.
    fn set(&mut self, base: NodeIndex, class: usize) {
        self.change(base, mix(1, class as u128));
        let position = self.positions[base.index()];
        self.stale[position as usize / 64] &= !(1 << (position % 64));
    }

    /// Sets the hash of a component, and marks its readers if it has changed.
    fn change(&mut self, node: NodeIndex, value: u128) {
        if self.values[node.index()] != value {
            self.values[node.index()] = value;
            for reader in self.readers.reading(node) {
                let position = self.positions[reader.index()];
                self.stale[position as usize / 64] |= 1 << (position % 64);
            }
        }
    }

    /// Hashes again what is marked, inputs first.
    fn update(&mut self, netlist: &Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
        for word in 0..self.stale.len() {
            poll.step()?;
            while self.stale[word] != 0 {
                let bit = self.stale[word].trailing_zeros();
                self.stale[word] &= self.stale[word] - 1;
                let node = self.order.nodes()[64 * word + bit as usize];
                poll.steps(netlist.inputs(node).len())?;
                let value = self.hash(netlist, node);
                self.change(node, value);
            }
        }
        Ok(())
    }

    /// The hash of a component; one on a cycle differs from all others.
    fn hash(&self, netlist: &Netlist, node: NodeIndex) -> u128 {
        let inputs = || netlist.inputs(node).iter().map(|input| self.values[input.index()]);
        // A sum, since the order of inputs does not matter.
        let all = |tag| mix(tag, inputs().fold(0, |sum: u128, input| sum.wrapping_add(mix(0, input))));
        match netlist.component(node) {
            _ if self.order.is_cyclic(netlist.input_lists(), node) => mix(2, node.index() as u128),
            Component::Base(_) => mix(3, node.index() as u128),
            Component::Constant(value) => mix(4, u128::from(value)),
            Component::Input(chosen) => mix(5, chosen.index() as u128),
            Component::And => all(6),
            Component::Or => all(7),
            Component::Not => all(8),
            Component::View | Component::Output(_) => inputs().next().unwrap_or_default(),
        }
    }
}

/// Mixes a value well, differently for each tag.
fn mix(tag: u128, value: u128) -> u128 {
    const FIRST: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    const SECOND: u128 = 0xda94_2042_e4dd_58b5_6c8e_9cf5_7093_2bd5;
    let mixed = (value ^ tag.wrapping_mul(SECOND).rotate_left(61)).wrapping_add(tag).wrapping_mul(FIRST);
    let mixed = (mixed ^ (mixed >> 71)).wrapping_mul(SECOND);
    mixed ^ (mixed >> 59)
}
