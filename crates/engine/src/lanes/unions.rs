//! Gates that hold only if a certain move is made, and the disjunctions of such gates over all moves.
//!
//! A rule by which a move joins a group of stones to another is a gate for each move and group; and the disjunction of
//! these gates over all moves is true if any group is joined. As at most one move of a choice is made, each of the
//! gates equals the conjunction of its move and the disjunction. So a gate that reads them for one move after the other
//! reads the disjunction instead, and tests the move last: `move & a & gate` is `move & (a & union)`, and the part in
//! brackets is the same for all moves. In atariGo_7x7 this makes one product of a matrix and a vector of a product of
//! two matrices.

use super::choice::Choices;
use super::circuit::{Circuit, NodeLiteral};
use super::signals::{Signals, UnderMove};
use super::wide_choice::Classes;
use crate::program::{GateKind, Program, Wire};
use fixedbitset::FixedBitSet;
use gdl::limits::{Poll, Stop};
use gdl::sorting;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// A move of a choice: the numbers of the contest and of the move in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Leaf {
    contest: u32,
    index: u32,
}

/// A signal that holds only if a move is made, and its union.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnionMember {
    signal: usize,
    leaf: Leaf,
    /// The disjunction of such signals, with at most one for each move of the choice.
    union: usize,
}

/// The least number of moves of a disjunction that is used as a union.
const FEWEST: usize = 8;
/// The least number of other readers that the members of unions have on average; with fewer, no union is used.
const FEWEST_READERS: usize = 4;

/// The signals that hold only if a move of these choices is made, and that belong to a union. Linear in the edges of
/// the program.
pub(super) fn members_of_unions(program: &Program, choices: &Choices) -> Vec<UnionMember> {
    let leaves = leaves(program, choices);
    let mut readers = vec![0_u32; program.signals()];
    program.wires.iter().for_each(|wire| readers[wire.signal()] += 1);
    let mut found: Vec<UnionMember> = Vec::new();
    let mut is_found = vec![false; program.signals()];
    for gate in (0..program.gates.len()).filter(|&gate| program.gates[gate].kind == GateKind::Or) {
        let inputs = program.inputs(gate);
        let leaf = |wire: &Wire| if wire.is_negated() { None } else { leaves[wire.signal()] };
        if inputs.len() < FEWEST {
            continue;
        }
        let Some(first) = inputs.first().and_then(leaf) else { continue };
        let mut seen = FxHashSet::default();
        let mut is_new = |leaf: Leaf| leaf.contest == first.contest && seen.insert(leaf);
        if program.cycle_of(gate).is_some() || !inputs.iter().all(|wire| leaf(wire).is_some_and(&mut is_new)) {
            continue;
        }
        for wire in inputs.iter().filter(|wire| wire.signal() >= program.first_gate() && readers[wire.signal()] > 1) {
            if let Some(leaf) = leaf(wire)
                && !std::mem::replace(&mut is_found[wire.signal()], true)
            {
                found.push(UnionMember { signal: wire.signal(), leaf, union: program.first_gate() + gate });
            }
        }
    }
    let others: usize = found.iter().map(|member| readers[member.signal] as usize - 1).sum();
    if others < FEWEST_READERS * found.len() { Vec::new() } else { found }
}

/// For each signal, a move of a choice that it implies, if one is known.
fn leaves(program: &Program, choices: &Choices) -> Vec<Option<Leaf>> {
    let mut leaves = vec![None; program.signals()];
    for (contest, known) in (0..).zip(choices.contests()) {
        for (index, candidate) in known.iter().flat_map(|member| (0..).zip(&member.candidates)) {
            leaves[program.move_signal(candidate.index as usize)] = Some(Leaf { contest, index });
        }
    }
    for gate in 0..program.gates.len() {
        let leaf = |wire: &Wire| if wire.is_negated() { None } else { leaves[wire.signal()] };
        let mut of_inputs = program.inputs(gate).iter().map(leaf);
        leaves[program.first_gate() + gate] = match program.gates[gate].kind {
            // The inputs of a gate on a cycle are not all known before it.
            _ if program.cycle_of(gate).is_some() => None,
            GateKind::And => of_inputs.flatten().next(),
            GateKind::Or => {
                let first = of_inputs.next().flatten();
                if of_inputs.all(|leaf| leaf == first) { first } else { None }
            }
        };
    }
    leaves
}

impl Signals<'_> {
    /// Builds the unions of these signals; gates that are built from now on read the unions instead of the signals.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn settle_unions(
        &mut self,
        circuit: &mut Circuit,
        members: &[UnionMember],
        moves: &[Vec<NodeLiteral>],
        poll: &Poll<'_>,
    ) -> Result<(), Stop> {
        let mut is_needed = FixedBitSet::with_capacity(self.program.gates.len());
        let gate = |signal: usize| signal.checked_sub(self.program.first_gate());
        let mut open: Vec<usize> = members.iter().filter_map(|member| gate(member.union)).collect();
        while let Some(next) = open.pop() {
            if !is_needed.put(next) {
                open.extend(self.program.inputs(next).iter().filter_map(|wire| gate(wire.signal())));
            }
        }
        self.settle_some(circuit, &mut Classes::default(), |gate| is_needed.contains(gate), poll)?;
        for &UnionMember { signal, leaf: Leaf { contest, index }, union } in members {
            if let Some(rest) = self.known[union] {
                self.under.insert(signal, UnderMove { chosen: moves[contest as usize][index as usize], rest });
            }
        }
        Ok(())
    }

    /// Builds a gate some of whose inputs are conjunctions of a move and the rest, if all its inputs are known; true if
    /// it has been built.
    pub(super) fn settle_under_move(&mut self, circuit: &mut Circuit, gate: usize) -> bool {
        let under = |wire: &Wire| if wire.is_negated() { None } else { self.under.get(&wire.signal()).copied() };
        let inputs = self.program.inputs(gate);
        let Some(UnderMove { chosen, .. }) = inputs.iter().find_map(under) else { return false };
        let known: Option<Vec<_>> = inputs.iter().map(|wire| Some((under(wire), self.literal(*wire)?))).collect();
        if self.program.cycle_of(gate).is_some() {
            return false;
        }
        let Some(inputs) = known else { return false };
        let (under, literal) = match self.program.gates[gate].kind {
            GateKind::And => all(circuit, chosen, inputs),
            GateKind::Or => any(circuit, inputs),
        };
        let signal = self.program.first_gate() + gate;
        self.known[signal] = Some(literal);
        self.under.extend(under.map(|under| (signal, under)));
        true
    }
}

/// The conjunction of signals of which some hold only if a move is made: that move, and the rest.
fn all(
    circuit: &mut Circuit,
    chosen: NodeLiteral,
    inputs: Vec<(Option<UnderMove>, NodeLiteral)>,
) -> (Option<UnderMove>, NodeLiteral) {
    let rest = inputs.into_iter().map(|(under, literal)| match under {
        Some(under) if under.chosen == chosen => under.rest,
        _ => literal,
    });
    let rest = sorted(rest.collect());
    let rest = circuit.all(rest);
    (Some(UnderMove { chosen, rest }), circuit.and(chosen, rest))
}

/// The disjunction of signals of which some hold only if a move is made; as a conjunction if all need the same move.
fn any(circuit: &mut Circuit, inputs: Vec<(Option<UnderMove>, NodeLiteral)>) -> (Option<UnderMove>, NodeLiteral) {
    let mut by_move: BTreeMap<_, (NodeLiteral, Vec<NodeLiteral>)> = BTreeMap::new();
    let mut others = Vec::new();
    for (under, literal) in inputs {
        match under {
            Some(UnderMove { chosen, rest }) => {
                let order = (chosen.node, chosen.is_negated);
                by_move.entry(order).or_insert((chosen, Vec::new())).1.push(rest);
            }
            None => others.push(literal),
        }
    }
    // Only then the disjunction is itself a conjunction of a move and the rest.
    let is_one = by_move.len() == 1 && others.is_empty();
    let mut last = None;
    for (chosen, rest) in by_move.into_values() {
        let rest = circuit.any(sorted(rest));
        others.push(circuit.and(chosen, rest));
        last = Some(UnderMove { chosen, rest });
    }
    let only = if is_one { last } else { None };
    (only, circuit.any(sorted(others)))
}

/// The literals in one order, so that the same gates are made of the same literals.
fn sorted(mut literals: Vec<NodeLiteral>) -> Vec<NodeLiteral> {
    sorting::sort_by_key(&mut literals, |literal| (literal.is_negated, literal.node));
    literals
}
