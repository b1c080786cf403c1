//! The division of a program's gates by their use.
//!
//! Goals are needed only at the end of a game, and gates that depend on the joint move only for one joint move at a
//! time, so most gates that change from state to state need not be evaluated in every state. The gates of a program are
//! therefore divided into three parts: those of the *state*, those of the *moves* (between a move and the next state),
//! and those of the *goals* alone, the gates that features need first. Within the state part, the gates that every
//! state needs come first, then those that only joint moves need. Gates that nothing needs are dropped.

use crate::program::{Gate, Program, Wire};
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;
use gdl::sorting;
use std::ops::Range;

/// The use of a gate. A part reads only itself and the parts before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum GateUse {
    /// Legal moves, terminal, or bits of the next state that do not depend on the joint move.
    State,
    /// The next state after some joint moves; the gate itself does not depend on the joint move.
    Condition,
    /// The next state; the gate depends on the joint move.
    Move,
    /// Features, and perhaps goal values.
    Feature,
    /// Goal values only.
    Goal,
    /// Nothing.
    None,
}

/// Wires that are needed in addition to the program's own outputs.
#[derive(Default)]
pub(in crate::propnet) struct AdditionalWires {
    /// Wires needed in every state.
    pub(in crate::propnet) by_states: Vec<Wire>,
    /// Wires needed by some joint moves.
    pub(in crate::propnet) by_moves: Vec<Wire>,
}

/// Reorders the gates of a program into its parts; returns the program and `more`, renumbered for it.
///
/// # Errors
/// If the limits end the work.
pub(in crate::propnet) fn divide(
    mut program: Program,
    mut more: AdditionalWires,
    poll: &Poll<'_>,
) -> Result<(Program, AdditionalWires), Stop> {
    poll.steps(program.gates.len())?;
    let uses = uses(&program, &more);
    poll.steps(program.gates.len())?;
    // The sort is stable, so gates of a part stay in topological order.
    let mut order: Vec<usize> = (0..program.gates.len()).filter(|&gate| uses[gate] != GateUse::None).collect();
    sorting::sort_by_key(&mut order, |&gate| uses[gate]);
    let first_gate = program.first_gate();
    let mut number = vec![0; program.gates.len()];
    for (index, &gate) in order.iter().enumerate() {
        number[gate] = index;
    }
    let anew = |wire: Wire| match wire.signal().checked_sub(first_gate) {
        Some(gate) => Wire::new(first_gate + number[gate]).negated_if(wire.is_negated()),
        None => wire,
    };
    let mut gates = Vec::with_capacity(order.len());
    let mut wires = Vec::with_capacity(program.wires.len());
    for &gate in &order {
        poll.steps(1 + program.inputs(gate).len())?;
        let start = to_u32(wires.len());
        wires.extend(program.inputs(gate).iter().copied().map(anew));
        gates.push(Gate { kind: program.gates[gate].kind, inputs: start..to_u32(wires.len()) });
    }
    // The gates of a cycle have the same use, so they stay adjacent.
    let cycles = program.cycles.iter().filter(|cycle| uses[cycle.start as usize] != GateUse::None);
    let moved = |cycle: &Range<u32>| {
        let start = to_u32(number[cycle.start as usize]);
        start..start + to_u32(cycle.len())
    };
    let mut cycles: Vec<Range<u32>> = cycles.map(moved).collect();
    sorting::sort_by_key(&mut cycles, |cycle| cycle.start);
    let begin = |part: GateUse| to_u32(order.partition_point(|&gate| uses[gate] < part));
    program.move_gates = begin(GateUse::Move)..begin(GateUse::Feature);
    program.goal_gates = begin(GateUse::Feature)..to_u32(order.len());
    program.feature_gates = begin(GateUse::Goal) - begin(GateUse::Feature);
    let legal = program.legal.iter_mut().flat_map(|legal| [&mut legal.guard, &mut legal.wire]);
    for wire in program.next.iter_mut().chain(&mut program.goal).chain(&mut program.feature).chain(legal) {
        *wire = anew(*wire);
    }
    for wire in more.by_states.iter_mut().chain(&mut more.by_moves) {
        *wire = anew(*wire);
    }
    program.terminal = anew(program.terminal);
    program.always = anew(program.always);
    Ok((Program { gates, wires, cycles, ..program }, more))
}

/// The number of gates that every state needs, with `more` as further outputs; in a divided program these come
/// first.
pub(in crate::propnet) fn of_states(program: &Program, more: &AdditionalWires) -> usize {
    uses(program, more).iter().take_while(|&&gate| gate == GateUse::State).count()
}

/// True if the gates of a program are in the parts that [`divide`] would put them in, with none unused. The program's
/// gates must be in topological order, and its cycles strongly connected.
pub(in crate::propnet) fn is_divided(program: &Program) -> bool {
    let uses = uses(program, &AdditionalWires::default());
    let begin = |part: GateUse| to_u32(uses.partition_point(|&gate| gate < part));
    uses.is_sorted()
        && uses.last() != Some(&GateUse::None)
        && program.move_gates == (begin(GateUse::Move)..begin(GateUse::Feature))
        && program.goal_gates == (begin(GateUse::Feature)..begin(GateUse::None))
        && program.feature_gates == begin(GateUse::Goal) - begin(GateUse::Feature)
}

/// The use of each gate, by gate. All gates of a cycle have the same use.
fn uses(program: &Program, more: &AdditionalWires) -> Vec<GateUse> {
    let depends = depends_on_moves(program);
    let is_fixed = |wire: &Wire| match wire.signal().checked_sub(program.first_gate()) {
        Some(gate) => !depends[gate],
        None => true,
    };
    let mut wanted: Vec<Wire> = program.legal.iter().flat_map(|legal| [legal.guard, legal.wire]).collect();
    wanted.extend(program.next.iter().filter(|&wire| is_fixed(wire)));
    wanted.extend([program.terminal, program.always]);
    let by_states = reach(program, wanted.into_iter().chain(more.by_states.iter().copied()).collect());
    let by_moves = reach(program, program.next.iter().chain(&more.by_moves).copied().collect());
    let by_goals = reach(program, program.goal.clone());
    let by_features = reach(program, program.feature.clone());
    let usage = |gate: usize| match (by_states[gate], by_moves[gate]) {
        (true, _) => GateUse::State,
        (false, true) if depends[gate] => GateUse::Move,
        // Goals are evaluated without the joint moves' conditions, so these gates are part of every state.
        (false, true) if by_goals[gate] || by_features[gate] => GateUse::State,
        (false, true) => GateUse::Condition,
        (false, false) if by_features[gate] => GateUse::Feature,
        (false, false) if by_goals[gate] => GateUse::Goal,
        (false, false) => GateUse::None,
    };
    (0..program.gates.len()).map(usage).collect()
}

/// For each gate, true if one of these wires depends on it.
fn reach(program: &Program, mut wanted: Vec<Wire>) -> Vec<bool> {
    let mut reached = vec![false; program.gates.len()];
    while let Some(wire) = wanted.pop() {
        let Some(gate) = wire.signal().checked_sub(program.first_gate()) else { continue };
        if !std::mem::replace(&mut reached[gate], true) {
            wanted.extend(program.inputs(gate));
        }
    }
    reached
}

/// For each gate, true if it depends on the joint move.
fn depends_on_moves(program: &Program) -> Vec<bool> {
    let mut depends = vec![false; program.gates.len()];
    let bits = program.bits();
    let first_gate = program.first_gate();
    let reads_moves = |depends: &[bool], gate: usize| {
        program.inputs(gate).iter().any(|wire| match wire.signal() {
            signal if signal >= first_gate => depends[signal - first_gate],
            signal => signal >= bits,
        })
    };
    let mut gate = 0;
    while gate < program.gates.len() {
        // The gates of a cycle depend on the moves together.
        let end = program.cycle_of(gate).map_or(gate + 1, |cycle| program.cycles[cycle].end as usize);
        if (gate..end).any(|gate| reads_moves(&depends, gate)) {
            depends[gate..end].fill(true);
        }
        gate = end;
    }
    depends
}
