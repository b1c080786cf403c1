//! The legality of moves, with common parts computed once.
//!
//! A move is legal if its guard holds and some conjunction does. Often the conjunction has a member that many moves of
//! the guard share, such as the piece on the square where they start; then guard and member are combined in one literal
//! for all of them, and only the rest is computed for each move.

use super::choice::GuardedCandidates;
use super::circuit::{Circuit, NodeLiteral};
use super::signals::Signals;
use crate::program::{GateKind, Program, Wire};
use gdl::sorting;
use rustc_hash::FxHashMap;

/// For each candidate of a member, the lanes in which it is legal.
pub(super) fn legal(circuit: &mut Circuit, signals: &Signals<'_>, member: &GuardedCandidates) -> Vec<NodeLiteral> {
    let program = signals.program;
    let mut shared: FxHashMap<(Wire, Wire), u32> = FxHashMap::default();
    let legality = || member.candidates.iter().map(|candidate| program.legal[candidate.index as usize]);
    for legal in legality() {
        for &input in conjunction(program, legal.wire) {
            *shared.entry((legal.guard, input)).or_default() += 1;
        }
    }
    let mut literals = Vec::with_capacity(member.candidates.len());
    for legal in legality() {
        let guard = signals.known(legal.guard);
        let inputs = conjunction(program, legal.wire);
        let most = inputs.iter().max_by_key(|&&input| (shared[&(legal.guard, input)], input));
        let literal = match most.filter(|&&most| shared[&(legal.guard, most)] > 1) {
            Some(&most) => {
                let mut rest: Vec<NodeLiteral> =
                    inputs.iter().filter(|&&input| input != most).map(|&input| signals.known(input)).collect();
                sorting::sort_by_key(&mut rest, |input| (input.is_negated, input.node));
                let guarded = circuit.and(guard, signals.known(most));
                let rest = circuit.all(rest);
                circuit.and(guarded, rest)
            }
            None => circuit.and(guard, signals.known(legal.wire)),
        };
        literals.push(literal);
    }
    literals
}

/// The members of a conjunction; empty for any other wire.
fn conjunction(program: &Program, wire: Wire) -> &[Wire] {
    match wire.signal().checked_sub(program.first_gate()) {
        Some(gate) if !wire.is_negated() && program.gates[gate].kind == GateKind::And => program.inputs(gate),
        _ => &[],
    }
}
