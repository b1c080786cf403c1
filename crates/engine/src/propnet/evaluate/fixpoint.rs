//! Least fixpoints of cycles: groups of gates that read each other, from recursion that stays in the ground rules.

use super::Evaluator;
use crate::program::{GateKind, Wire};
use rustc_hash::FxHashMap;

/// A gate of a cycle.
#[derive(Clone, Copy)]
pub(super) struct CycleGate<'a> {
    /// The signal that it computes.
    pub(super) signal: usize,
    pub(super) kind: GateKind,
    pub(super) inputs: &'a [Wire],
}

impl CycleGate<'_> {
    fn output(&self) -> Wire {
        Wire::new(self.signal)
    }

    /// The value that its inputs imply.
    fn implied<E: Evaluator>(&self, evaluator: &E) -> bool {
        let mut inputs = self.inputs.iter().map(|&wire| evaluator.value(wire));
        match self.kind {
            GateKind::And => inputs.all(|value| value),
            GateKind::Or => inputs.any(|value| value),
        }
    }

    /// The number of inputs that have to become true before it does.
    fn missing<E: Evaluator>(&self, evaluator: &E) -> usize {
        match self.kind {
            GateKind::And => self.inputs.iter().filter(|&&wire| !evaluator.value(wire)).count(),
            GateKind::Or => usize::from(!self.implied(evaluator)),
        }
    }
}

/// The number of times that all gates of a cycle are computed in their order, which settles most cycles.
const ROUNDS: usize = 4;

/// Brings the gates of a cycle to their least fixpoint; whatever else they read is known. Linear in gates and inputs.
pub(super) fn settle<'a, E: Evaluator>(cycle: impl Iterator<Item = CycleGate<'a>> + Clone, evaluator: &mut E) {
    cycle.clone().for_each(|gate| evaluator.set(gate.signal, false));
    for _ in 0..ROUNDS {
        let mut has_changed = false;
        for gate in cycle.clone() {
            let value = gate.implied(evaluator);
            has_changed |= value != evaluator.value(gate.output());
            evaluator.set(gate.signal, value);
        }
        if !has_changed {
            return;
        }
    }
    propagate(&cycle.collect::<Vec<_>>(), evaluator);
}

/// Completes what [`settle`] has begun: each gate counts the inputs that it waits for, and tells its readers when it
/// becomes true. The algorithm of Dowling and Gallier (1984) for Horn formulae.
fn propagate<E: Evaluator>(cycle: &[CycleGate<'_>], evaluator: &mut E) {
    let indices: FxHashMap<usize, usize> = cycle.iter().enumerate().map(|(index, gate)| (gate.signal, index)).collect();
    let mut readers = vec![Vec::new(); cycle.len()];
    for (index, gate) in cycle.iter().enumerate() {
        for read in gate.inputs.iter().filter_map(|wire| indices.get(&wire.signal())) {
            readers[*read].push(index);
        }
    }
    let mut missing: Vec<usize> = cycle.iter().map(|gate| gate.missing(evaluator)).collect();
    let is_late = |&index: &usize| missing[index] == 0 && !evaluator.value(cycle[index].output());
    let mut risen: Vec<usize> = (0..cycle.len()).filter(is_late).collect();
    while let Some(index) = risen.pop() {
        evaluator.set(cycle[index].signal, true);
        for &reader in &readers[index] {
            // An Or that is true waits for nothing.
            if missing[reader] > 0 {
                missing[reader] -= 1;
                if missing[reader] == 0 {
                    risen.push(reader);
                }
            }
        }
    }
}
