//! The gates of a batch: one bitwise instruction per input of a gate and vector of lanes.

use super::code::{Part, Run, Slot, Source};
use super::word::{Word, any, map, or, without, xor};

/// The value of a source in all lanes.
#[inline(always)]
pub(super) fn read<const W: usize>(slots: &[Word<W>], source: Source) -> Word<W> {
    let negation = if source.is_negated { u64::MAX } else { 0 };
    map(&slots[source.slot as usize], &[negation; W], |value, negation| value ^ negation)
}

/// Computes all gates of a part.
#[inline(always)]
pub(super) fn evaluate<const W: usize>(part: &Part, slots: &mut [Word<W>]) {
    let mut operands = part.operands.as_slice();
    let mut runs = part.runs.as_slice();
    while let Some((run, rest)) = runs.split_first() {
        if run.cycle.is_some() {
            let length = runs.iter().take_while(|other| other.cycle == run.cycle).count();
            let size = runs[..length].iter().map(size).sum();
            fixpoint(&runs[..length], &operands[..size], slots);
            (runs, operands) = (&runs[length..], &operands[size..]);
            continue;
        }
        let (these, others) = operands.split_at(size(run));
        evaluate_run(run, these, slots);
        (runs, operands) = (rest, others);
    }
}

/// The number of operands of a run.
fn size(run: &Run) -> usize {
    (1 + run.inputs + run.inhibitors) as usize * run.gates as usize
}

#[inline(always)]
fn evaluate_run<const W: usize>(run: &Run, operands: &[Slot], slots: &mut [Word<W>]) {
    let at = |slot: Slot| slot as usize;
    match (run.is_or, run.inputs, run.inhibitors) {
        (false, 2, 0) => {
            for gate in operands.as_chunks::<3>().0 {
                slots[at(gate[0])] = map(&slots[at(gate[1])], &slots[at(gate[2])], |one, other| one & other);
            }
        }
        (true, 2, 0) => {
            for gate in operands.as_chunks::<3>().0 {
                slots[at(gate[0])] = or(&slots[at(gate[1])], &slots[at(gate[2])]);
            }
        }
        (false, 1, 1) => {
            for gate in operands.as_chunks::<3>().0 {
                slots[at(gate[0])] = without(&slots[at(gate[1])], &slots[at(gate[2])]);
            }
        }
        (is_or, inputs, inhibitors) => {
            for gate in operands.chunks_exact(1 + (inputs + inhibitors) as usize) {
                slots[at(gate[0])] = value(is_or, inputs as usize, &gate[1..], slots);
            }
        }
    }
}

#[inline(always)]
fn value<const W: usize>(is_or: bool, inputs: usize, operands: &[Slot], slots: &[Word<W>]) -> Word<W> {
    let (inputs, inhibitors) = operands.split_at(inputs);
    let mut value = slots[inputs[0] as usize];
    if is_or {
        for &input in &inputs[1..] {
            value = or(&value, &slots[input as usize]);
        }
        return value;
    }
    for &input in &inputs[1..] {
        value = map(&value, &slots[input as usize], |one, other| one & other);
    }
    for &inhibitor in inhibitors {
        value = without(&value, &slots[inhibitor as usize]);
    }
    value
}

/// Computes the least fixpoint of a cycle, in all lanes.
#[inline(always)]
fn fixpoint<const W: usize>(runs: &[Run], operands: &[Slot], slots: &mut [Word<W>]) {
    for_each_gate(runs, operands, |_, gate| slots[gate[0] as usize] = [0; W]);
    loop {
        let mut changed = [0; W];
        for_each_gate(runs, operands, |run, gate| {
            let value = value(run.is_or, run.inputs as usize, &gate[1..], slots);
            changed = or(&changed, &xor(&value, &slots[gate[0] as usize]));
            slots[gate[0] as usize] = value;
        });
        if !any(&changed) {
            break;
        }
    }
}

#[inline(always)]
fn for_each_gate(runs: &[Run], operands: &[Slot], mut visit: impl FnMut(&Run, &[Slot])) {
    let mut start = 0;
    for run in runs {
        let end = start + size(run);
        for gate in operands[start..end].chunks_exact(1 + (run.inputs + run.inhibitors) as usize) {
            visit(run, gate);
        }
        start = end;
    }
}
