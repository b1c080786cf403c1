//! Stages: a part of a circuit as pieces that run one after the other, since cycles are repeated.
//!
//! The first stage has all that cycles read and that does not change from one repetition to the next. Then come the
//! cycles that do not read each other, repeated together, and in the end the wanted nodes of the part. A part without
//! cycles is one stage.

use super::allocate::Memory;
use super::circuit::{Circuit, CircuitNode, NodeLiteral};
use super::order::{ComputedNodes, PartOutputs};
use super::steps::Steps;
use super::word::{Slot, WordSource};
use gdl::limits::{Poll, Stop};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// The steps of a stage.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub(super) steps: Arc<Steps>,
    /// The repetition of the stage, if it has cycles.
    pub(super) repeats: Option<Repeats>,
}

/// A stage that is repeated until nothing changes.
#[derive(Clone, Debug)]
pub(super) struct Repeats {
    /// The words that are false before the first repetition.
    pub(super) slots: Vec<Range<Slot>>,
    /// The lanes in which the last repetition has changed a word, cycle by cycle.
    pub(super) changed: Vec<WordSource>,
}

/// The nodes that a stage computes.
#[derive(Clone, Debug, Default)]
struct StageGoals {
    kept: Vec<CircuitNode>,
    finals: Vec<(CircuitNode, Slot)>,
    /// The cycles that are repeated in this stage.
    cycles: Vec<usize>,
}

/// The stages of a part, before their steps are made.
#[derive(Clone, Debug, Default)]
pub(super) struct StagePlan(Vec<StageGoals>);

impl StagePlan {
    /// Divides a part into stages.
    pub(super) fn new(circuit: &Circuit, computed: &ComputedNodes, wanted: PartOutputs<'_>) -> Self {
        // Levels in order: each reads only cycles that have run before it.
        let mut computed = computed.clone();
        let mut plan = Self::default();
        for cycles in levels(circuit, &computed, wanted) {
            let before = StageGoals { kept: invariant(circuit, &computed, &cycles), ..StageGoals::default() };
            if !before.kept.is_empty() {
                computed.add(circuit, &before.kept);
                plan.0.push(before);
            }
            let known = || cycles.iter().map(|&cycle| &circuit.cycles[cycle]);
            let finals = known().flat_map(|cycle| cycle.gates.iter().copied().zip(cycle.slots.clone())).collect();
            let kept = known().map(|cycle| cycle.changed).collect();
            let repeated = StageGoals { kept, finals, cycles };
            repeated.add_to(circuit, &mut computed);
            plan.0.push(repeated);
        }
        plan.0.push(StageGoals { kept: wanted.kept.to_vec(), finals: wanted.finals.to_vec(), cycles: Vec::new() });
        plan
    }

    /// Adds the nodes that the part computes.
    pub(super) fn add_to(&self, circuit: &Circuit, computed: &mut ComputedNodes) {
        self.0.iter().for_each(|aim| aim.add_to(circuit, computed));
    }

    /// Marks the nodes that this part reads and does not compute.
    pub(super) fn mark_read(&self, circuit: &Circuit, computed: &ComputedNodes, is_read: &mut [bool]) {
        let mut computed = computed.clone();
        for aim in &self.0 {
            aim.read(circuit, &computed).into_iter().for_each(|node| is_read[node as usize] = true);
            aim.add_to(circuit, &mut computed);
        }
    }

    /// Makes the steps of the stages for this many registers. `is_shared` is true for nodes that later parts read.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn stages(
        &self,
        circuit: &Circuit,
        memory: &mut Memory,
        is_shared: &[bool],
        registers: usize,
        poll: &Poll<'_>,
    ) -> Result<Vec<Stage>, Stop> {
        // The last stage that reads each node.
        let mut computed = memory.computed.clone();
        let mut last = vec![0; circuit.len()];
        for (index, aim) in self.0.iter().enumerate() {
            aim.read(circuit, &computed).into_iter().for_each(|node| last[node as usize] = index);
            aim.add_to(circuit, &mut computed);
        }
        let mut stages = Vec::new();
        for (index, aim) in self.0.iter().enumerate() {
            let mut is_shared: Vec<bool> =
                is_shared.iter().zip(&last).map(|(&read, &last)| read || last > index).collect();
            let own: Vec<CircuitNode> = aim.cycles.iter().flat_map(|&cycle| circuit.inputs_of(cycle)).collect();
            if !aim.cycles.is_empty() {
                // The next repetition reads again what was there before the first.
                let read = aim.read(circuit, &memory.computed).into_iter();
                read.filter(|&node| memory.computed.nodes[node as usize])
                    .for_each(|node| is_shared[node as usize] = true);
            }
            // After a repetition the slots are read as they are then.
            own.iter().for_each(|&node| is_shared[node as usize] = false);
            let wanted = PartOutputs { kept: &aim.kept, finals: &aim.finals };
            let steps = memory.steps(circuit, wanted, &is_shared, registers, poll)?;
            own.iter().for_each(|&node| memory.restore(circuit, node));
            aim.cycles.iter().for_each(|&cycle| memory.computed.cycles[cycle] = true);
            let changed = aim.kept.iter().map(|&node| memory.source(NodeLiteral { node, is_negated: false }));
            let slots = aim.cycles.iter().map(|&cycle| circuit.cycles[cycle].slots.clone()).collect();
            let repeats = (!aim.cycles.is_empty()).then(|| Repeats { slots, changed: changed.collect() });
            stages.push(Stage { steps: Arc::new(steps), repeats });
        }
        Ok(stages)
    }
}

impl StageGoals {
    fn add_to(&self, circuit: &Circuit, computed: &mut ComputedNodes) {
        computed.add(circuit, &self.roots());
        self.cycles.iter().for_each(|&cycle| computed.cycles[cycle] = true);
    }

    fn roots(&self) -> Vec<CircuitNode> {
        self.kept.iter().chain(self.finals.iter().map(|(node, _)| node)).copied().collect()
    }

    /// The nodes that the stage reads or stores.
    fn read(&self, circuit: &Circuit, computed: &ComputedNodes) -> Vec<CircuitNode> {
        let mut read = self.roots();
        for node in computed.missing(circuit, &read) {
            circuit.kind(node).each_input(|input| read.push(input));
        }
        read
    }
}

/// The cycles that a part reads and that have not run, in groups such that those of each group read only cycles of
/// earlier ones.
fn levels(circuit: &Circuit, computed: &ComputedNodes, wanted: PartOutputs<'_>) -> Vec<Vec<usize>> {
    if circuit.cycles.is_empty() {
        return Vec::new();
    }
    let roots = wanted.kept.iter().chain(wanted.finals.iter().map(|(node, _)| node)).copied();
    let mut reader = CycleReader { circuit, computed, seen: vec![0; circuit.len()], number: 0 };
    let mut needed = BTreeSet::new();
    let mut open = reader.cycles(roots.collect());
    while let Some(cycle) = open.pop() {
        if needed.insert(cycle) {
            open.extend(reader.cycles(circuit.cycles[cycle].gates.clone()));
        }
    }
    let mut levels: Vec<Vec<usize>> = Vec::new();
    let mut level = vec![0; circuit.cycles.len()];
    for cycle in needed {
        let before = reader.cycles(circuit.cycles[cycle].gates.clone()).into_iter().filter(|&other| other != cycle);
        // In ascending order: a cycle reads only cycles of lower numbers, whose levels are known.
        level[cycle] = before.map(|other| level[other] + 1).max().unwrap_or(0);
        levels.resize_with(levels.len().max(level[cycle] + 1), Vec::new);
        levels[level[cycle]].push(cycle);
    }
    levels
}

/// Finds the cycles that nodes read directly.
struct CycleReader<'a> {
    circuit: &'a Circuit,
    computed: &'a ComputedNodes,
    /// The number of the search that has visited each node last, so that nothing is cleared between two searches.
    seen: Vec<u32>,
    /// The number of searches so far.
    number: u32,
}

impl CycleReader<'_> {
    /// The cycles that have not run and whose gates these nodes read.
    fn cycles(&mut self, mut open: Vec<CircuitNode>) -> Vec<usize> {
        self.number += 1;
        let mut found = BTreeSet::new();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut self.seen[node as usize], self.number) == self.number {
                continue;
            }
            match self.circuit.cycle_of(node) {
                Some(cycle) if !self.computed.cycles[cycle] => _ = found.insert(cycle),
                _ if self.computed.nodes[node as usize] => {}
                _ => self.circuit.kind(node).each_input(|input| open.push(input)),
            }
        }
        found.into_iter().collect()
    }
}

/// The nodes that cycles read, that are still to be computed, and that do not depend on the cycles.
fn invariant(circuit: &Circuit, computed: &ComputedNodes, cycles: &[usize]) -> Vec<CircuitNode> {
    let gates: Vec<CircuitNode> = cycles.iter().flat_map(|&cycle| &circuit.cycles[cycle].gates).copied().collect();
    let mut nodes = computed.missing(circuit, &gates);
    // Inputs have lower indices, so the dependence of a node follows that of its inputs.
    nodes.sort_unstable();
    let mut depends = vec![false; circuit.len()];
    let own = cycles.iter().flat_map(|&cycle| circuit.inputs_of(cycle));
    own.for_each(|node| depends[node as usize] = true);
    for &node in &nodes {
        circuit.kind(node).each_input(|input| depends[node as usize] |= depends[input as usize]);
    }
    let mut kept = Vec::new();
    let is_invariant = |node: CircuitNode| !computed.nodes[node as usize] && !depends[node as usize];
    let mut keep = |node: CircuitNode| kept.extend(is_invariant(node).then_some(node));
    nodes.iter().filter(|&&node| depends[node as usize]).for_each(|&node| circuit.kind(node).each_input(&mut keep));
    gates.into_iter().for_each(keep);
    kept.sort_unstable();
    kept.dedup();
    kept
}
