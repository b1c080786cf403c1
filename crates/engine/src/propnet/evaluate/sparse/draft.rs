//! The preparation of a program for sparse evaluation.
//!
//! Two kinds of edges need no evaluation of their gate: an edge whose source decides the gate as soon as it deviates,
//! and an edge into a gate that is decided by all its inputs that depend on the moves, if there are one or two of them.
//! The gate deviates if a wire of the state part, the edge's *condition*, is true and, in the second case, the other
//! input deviates too. If all edges into a gate need only a condition, the gate is found by its condition, and many
//! conditions are packed into a word. Edges that need neither make their nodes deviate together.

use super::super::defaults::at_rest;
use super::super::outputs::OutputLayout;
use super::super::plan::{AdditionalWires, of_states};
use super::super::{BITS, range};
use super::{DeviationEdge, MoveGate, NodeGroup, NodeLinks, SparseProgram, Write};
use crate::program::{GateKind, Program, Wire};
use gdl::number::to_u32;
use gdl::sorting;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// A [`SparseProgram`] while it is built: all vectors are indexed by node.
pub(super) struct SparseDraft {
    program: Arc<Program>,
    /// The number of gates that the evaluator keeps up to date.
    kept: usize,
    /// The values at rest of the next state and of the move gates.
    rest: AdditionalWires,
    edges: Vec<Vec<DeviationEdge>>,
    checks: Vec<Vec<u32>>,
    /// For each node, true if every edge into it has a condition that is kept up to date.
    is_pure: Vec<bool>,
}

/// Edges of joined nodes are merged into a node's own until the total exceeds this multiple of the original number.
const MOST_GROWTH: usize = 8;

/// A gate that always deviates with a node is not joined to it if it brings more edges than this.
const MOST_JOINED: usize = 32;

/// A gate that is computed on demand may read at most this many wires, directly or indirectly.
const MOST_ON_DEMAND: usize = 256;

/// Fewer conditions in a word than this are tested one by one.
const LEAST_GROUPED: usize = 4;

impl SparseDraft {
    /// Prepares a program; returns it as rearranged, its outputs, and its part; `None` as for [`super::Sparse::new`].
    pub(super) fn for_program(
        program: &Program,
        on_demand: bool,
    ) -> Option<(Arc<Program>, OutputLayout, SparseProgram)> {
        let (program, rest) = at_rest(program)?;
        let mut outputs = OutputLayout::new(&program, &rest.by_states);
        let program = Arc::new(program);
        let nodes = program.moves.len() + program.move_gates.len();
        let state_gates = program.move_gates.start as usize;
        let kept = if on_demand { least_kept(&program, &rest)? } else { state_gates };
        let mut draft = Self {
            kept,
            program: Arc::clone(&program),
            rest,
            edges: vec![Vec::new(); nodes],
            checks: vec![Vec::new(); nodes],
            is_pure: vec![true; nodes],
        };
        for gate in program.move_gates.clone() {
            draft.connect(gate as usize);
        }
        let part = draft.part(&mut outputs);
        Some((program, outputs, part))
    }

    /// The node of a wire; `None` if it does not depend on the moves.
    fn node(&self, wire: Wire) -> Option<usize> {
        let program = &self.program;
        program.depends_on_moves(wire).then(|| match wire.signal().checked_sub(program.first_gate()) {
            Some(gate) => program.moves.len() + gate - program.move_gates.start as usize,
            None => wire.signal() - program.bits(),
        })
    }

    /// The value at rest of a wire, as a wire of the state part.
    fn at_rest(&self, wire: Wire) -> Wire {
        let value = match self.node(wire) {
            None => return wire,
            Some(node) => match node.checked_sub(self.program.moves.len()) {
                Some(gate) => self.rest.by_moves[gate],
                None => self.program.always.negated(),
            },
        };
        value.negated_if(wire.is_negated())
    }

    /// Adds a gate to the readers of its inputs.
    fn connect(&mut self, gate: usize) {
        let program = Arc::clone(&self.program);
        let index = gate - program.move_gates.start as usize;
        let target = program.moves.len() + index;
        let rest = self.rest.by_moves[index];
        let inputs = program.inputs(gate);
        let (moved, of_state): (Vec<Wire>, Vec<Wire>) =
            inputs.iter().partition(|&&wire| program.depends_on_moves(wire));
        // The value of an input that decides the gate, whatever its other inputs are.
        let decisive = program.always.negated_if(program.gates[gate].kind == GateKind::And);
        // A gate may have an input for every move of a role, so that its inputs are gone through once.
        let all_decide = moved.iter().all(|&wire| self.at_rest(wire) == decisive);
        for wire in moved.iter().copied() {
            let Some(source) = self.node(wire) else { continue };
            let at_rest = self.at_rest(wire);
            let always = self.edges.len() + 1;
            let edge = if at_rest == decisive.negated() {
                // The input becomes decisive: the gate deviates if its value at rest differs.
                Some((rest.negated_if(decisive == program.always), always))
            } else if !all_decide {
                // Not all these inputs decide the gate at rest, so it is computed.
                None
            } else {
                // At rest, all these inputs decide the gate; once none does, the gate has the value of its other input.
                let condition = match of_state[..] {
                    [] => Some(program.always),
                    [only] => Some(only.negated_if(decisive == program.always)),
                    _ => None,
                };
                let other = match moved[..] {
                    [_] => Some(always),
                    [one, other] => self.node(if one == wire { other } else { one }),
                    _ => None,
                };
                condition.zip(other)
            };
            let unkept = program.first_gate() + self.kept;
            self.is_pure[target] &=
                edge.is_some_and(|(condition, other)| other == always && condition.signal() < unkept);
            match edge {
                Some((condition, other)) => {
                    self.edges[source].push(DeviationEdge { target: to_u32(target), other: to_u32(other), condition });
                }
                None => self.checks[source].push(to_u32(target)),
            }
        }
    }

    /// The finished part; adds its conditions to the outputs.
    fn part(mut self, outputs: &mut OutputLayout) -> SparseProgram {
        let program = Arc::clone(&self.program);
        // Listed before edges are merged: the readers of a node that ceases to deviate are its own.
        let (read_by, readers) = self.readers();
        let (gates, inputs) = self.gates();
        let (starts, with) = self.join();
        let conditions = self.conditions(outputs);
        let mut part = SparseProgram {
            kept: self.kept,
            unkept: program.first_gate() + self.kept,
            first_gate: program.moves.len(),
            starts,
            with,
            read_by,
            readers,
            links: Vec::new(),
            groups: Vec::new(),
            targets: Vec::new(),
            edges: Vec::new(),
            checks: Vec::new(),
            gates,
            inputs,
            writes: vec![Write::default(); self.edges.len()],
            more: Vec::new(),
            program: Arc::clone(&program),
        };
        for (edges, checks) in self.edges.iter().zip(&self.checks) {
            part.links.push(part.ends());
            let (grouped, mut single): (Vec<DeviationEdge>, Vec<DeviationEdge>) =
                edges.iter().partition(|edge| self.is_grouped(edge));
            part.group(&grouped, &conditions, &mut single);
            part.edges.extend(single);
            part.checks.extend(checks);
        }
        part.links.push(part.ends());
        for (bit, &wire) in program.next.iter().enumerate() {
            if let Some(node) = self.node(wire) {
                part.write(node, bit);
            }
        }
        part
    }

    /// The readers of each node, as ranges into a common vector.
    fn readers(&self) -> (Vec<Range<u32>>, Vec<u32>) {
        let mut read_by = Vec::new();
        let mut readers = Vec::new();
        for (edges, checks) in self.edges.iter().zip(&self.checks) {
            let first = to_u32(readers.len());
            readers.extend(edges.iter().map(|edge| edge.target).chain(checks.iter().copied()));
            read_by.push(first..to_u32(readers.len()));
        }
        (read_by, readers)
    }

    /// The computation of each gate, and the inputs of all of them.
    fn gates(&self) -> (Vec<MoveGate>, Vec<(Wire, u32)>) {
        let mut gates = Vec::new();
        let mut inputs = Vec::new();
        let never = self.edges.len();
        for (index, gate) in self.program.move_gates.clone().enumerate() {
            let start = to_u32(inputs.len());
            let input = |&wire: &Wire| (self.at_rest(wire), to_u32(self.node(wire).unwrap_or(never)));
            inputs.extend(self.program.inputs(gate as usize).iter().map(input));
            let decisive = self.program.gates[gate as usize].kind == GateKind::Or;
            gates.push(MoveGate { inputs: start..to_u32(inputs.len()), decisive, rest: self.rest.by_moves[index] });
        }
        (gates, inputs)
    }

    /// True if the target is found by its condition alone.
    fn is_grouped(&self, edge: &DeviationEdge) -> bool {
        self.is_pure[edge.target as usize] && !self.is_certain(edge)
    }

    /// True if the target deviates whenever the source does.
    fn is_certain(&self, edge: &DeviationEdge) -> bool {
        edge.condition == self.program.always && edge.other as usize == self.edges.len() + 1
    }

    /// Finds the nodes that deviate whenever a node does, and adds their edges to the node's own.
    fn join(&mut self) -> (Vec<Range<u32>>, Vec<u32>) {
        let size = |draft: &Self, node: usize| draft.edges[node].len() + draft.checks[node].len();
        let nodes = self.edges.len();
        let mut left = MOST_GROWTH * (0..nodes).map(|node| 1 + size(self, node)).sum::<usize>();
        let mut starts = vec![0..0; nodes];
        let mut with = Vec::new();
        let mut is_in = vec![false; nodes];
        // In reverse order, so that the edges of a later node are complete when it is reached.
        for node in (0..nodes).rev() {
            let first = with.len();
            let mut joined = vec![to_u32(node)];
            is_in[node] = true;
            let edges = std::mem::take(&mut self.edges[node]);
            let mut checks = std::mem::take(&mut self.checks[node]);
            let (certain, mut edges): (Vec<DeviationEdge>, Vec<DeviationEdge>) =
                edges.iter().partition(|edge| self.is_certain(edge));
            for edge in certain {
                let target = edge.target as usize;
                let cost = size(self, target) + starts[target].len();
                if cost > left || node >= self.program.moves.len() && cost > MOST_JOINED {
                    edges.push(edge);
                    continue;
                }
                left -= cost;
                edges.extend_from_slice(&self.edges[target]);
                checks.extend_from_slice(&self.checks[target]);
                let more = std::iter::once(edge.target).chain(with[range(&starts[target])].iter().copied());
                let new = more.filter(|&node: &u32| !std::mem::replace(&mut is_in[node as usize], true));
                joined.extend(new);
            }
            edges.retain(|edge| !is_in[edge.target as usize]);
            edges.sort_unstable();
            edges.dedup();
            checks.retain(|&target| !is_in[target as usize]);
            checks.sort_unstable();
            checks.dedup();
            (self.edges[node], self.checks[node]) = (edges, checks);
            joined.iter().for_each(|&node| is_in[node as usize] = false);
            // A move has no other entry, so it is listed with its own nodes; a gate is listed by the node that reaches
            // it.
            let is_move = node < self.program.moves.len();
            with.extend(joined.into_iter().skip(usize::from(!is_move)));
            starts[node] = to_u32(first)..to_u32(with.len());
        }
        (starts, with)
    }

    /// The output bit of each condition, with true if the output is its negation. Conditions that are not outputs yet
    /// get adjacent bits, node by node.
    fn conditions(&self, outputs: &mut OutputLayout) -> FxHashMap<usize, (u32, bool)> {
        let mut conditions: FxHashMap<usize, (u32, bool)> = FxHashMap::default();
        for &(wire, bit) in &outputs.placed {
            conditions.entry(wire.signal()).or_insert((bit, wire.is_negated()));
        }
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        sorting::sort_by_key(&mut order, |&node| std::cmp::Reverse(self.edges[node].len()));
        let mut next = outputs.words * BITS;
        for node in order {
            let grouped = self.edges[node].iter().filter(|edge| self.is_grouped(edge));
            let mut new: Vec<usize> = grouped.map(|edge| edge.condition.signal()).collect();
            new.retain(|signal| !conditions.contains_key(signal));
            new.sort_unstable();
            new.dedup();
            // If they fit into the rest of a word, or are few, they begin in it.
            if new.len() > BITS / 2 {
                next = next.next_multiple_of(BITS);
            }
            for signal in new {
                conditions.insert(signal, (to_u32(next), false));
                outputs.placed.push((Wire::new(signal), to_u32(next)));
                next += 1;
            }
        }
        outputs.words = next.div_ceil(BITS);
        conditions
    }
}

/// The number of gates that must be kept up to date: those that every state needs. `None` if these are all, or
/// if one of the others is on a cycle or costs too much to be computed on demand.
fn least_kept(program: &Program, rest: &AdditionalWires) -> Option<usize> {
    let kept = of_states(program, rest);
    let mut costs: Vec<usize> = Vec::new();
    for gate in kept..program.move_gates.start as usize {
        let cost = |wire: &Wire| match wire.signal().checked_sub(program.first_gate() + kept) {
            Some(index) => 1 + costs[index],
            None => 1,
        };
        if program.cycle_of(gate).is_some() {
            return None;
        }
        let cost = program.inputs(gate).iter().map(cost).sum();
        if cost > MOST_ON_DEMAND {
            return None;
        }
        costs.push(cost);
    }
    (!costs.is_empty()).then_some(kept)
}

impl SparseProgram {
    /// The ends of the lists so far, at which the links of the next node start.
    fn ends(&self) -> NodeLinks {
        let groups = to_u32(self.groups.len());
        NodeLinks { groups, edges: to_u32(self.edges.len()), checks: to_u32(self.checks.len()) }
    }

    /// Groups edges by the words of their conditions; two edges with the same condition are in two groups. Edges of
    /// groups that are too small are added to the single ones.
    fn group(
        &mut self,
        edges: &[DeviationEdge],
        conditions: &FxHashMap<usize, (u32, bool)>,
        single: &mut Vec<DeviationEdge>,
    ) {
        let mut groups: BTreeMap<(usize, u32), BTreeMap<u32, (bool, DeviationEdge)>> = BTreeMap::new();
        let mut count: FxHashMap<u32, usize> = FxHashMap::default();
        for &edge in edges {
            let (bit, is_negated) = conditions[&edge.condition.signal()];
            // A bit finds one target, so edges with the same condition are in different layers.
            let layer = count.entry(bit).or_default();
            let group = groups.entry((*layer, bit / usize::BITS)).or_default();
            group.insert(bit % usize::BITS, (is_negated != edge.condition.is_negated(), edge));
            *layer += 1;
        }
        for ((_, word), members) in groups {
            if members.len() < LEAST_GROUPED {
                single.extend(members.into_values().map(|(_, edge)| edge));
                continue;
            }
            let mut group = NodeGroup { word, first: to_u32(self.targets.len()), mask: 0, negated: 0 };
            for (bit, (is_negated, edge)) in members {
                group.mask |= 1 << bit;
                group.negated |= usize::from(is_negated) << bit;
                self.targets.push(edge.target);
            }
            self.groups.push(group);
        }
    }

    /// Records that a node is the value of a bit of the next state.
    fn write(&mut self, node: usize, bit: usize) {
        let word = to_u32(bit / BITS);
        let mask = 1_usize << (bit % BITS);
        let write = &mut self.writes[node];
        if write.mask == 0 || write.word == word {
            write.word = word;
            write.mask |= mask;
            return;
        }
        if write.more == 0 {
            self.more.push(Vec::new());
            write.more = to_u32(self.more.len());
        }
        self.more[write.more as usize - 1].push((word, mask));
    }
}
