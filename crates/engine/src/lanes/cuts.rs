//! Technology mapping: covers the gates of a circuit by functions of three inputs, for targets on which such a function
//! is one instruction.
//!
//! A *cut* of a node is a set of nodes, its leaves, through which every path from the inputs to the node leads; here of
//! at most three. The function of a node over the leaves of a cut is its truth table. Of each node the best few cuts
//! are enumerated from those of its inputs. One is chosen for each by *area flow*: the cost of a function and of its
//! leaves, each divided among its readers; then by *exact area*, the number of functions that only this choice needs.
//! The cover consists of the chosen cuts of the wanted nodes, of their leaves, and so on.
//!
//! After Mishchenko, Cho, Chatterjee and Brayton: Combinational and sequential mapping with priority cuts (ICCAD 2007).

use super::circuit::{Circuit, CircuitNode, NodeOperation};
use super::target::Target;
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;
use std::borrow::Cow;

/// The most cuts that are kept for each node, without the one whose leaf is the node itself.
const CUTS: usize = 6;
/// The number of passes that choose by area flow, and of those that choose by exact area after them.
const FLOW_PASSES: usize = 3;
const AREA_PASSES: usize = 2;

/// The cuts of all nodes, and the choice among them.
struct Mapping<'a> {
    circuit: &'a Circuit,
    target: Target,
    /// The cuts of all nodes, node after node, best first; `first_cut` has the start for each.
    cuts: Vec<Cut>,
    first_cut: Vec<u32>,
    /// For each node, the chosen cut as an index into `cuts`.
    chosen: Vec<u32>,
    /// For each node, the flow of its chosen cut, divided among its expected readers.
    flow: Vec<f32>,
    /// The expected number of readers of each node.
    expected: Vec<f32>,
    /// The number of readers of each node in the present cover; wanted nodes have one more.
    readers: Vec<u32>,
    /// A buffer for [`Mapping::take`] and [`Mapping::release`].
    open: Vec<Cut>,
}

/// Covers the wanted nodes and the cycles, and all that they need: the circuit that is returned has the same nodes with
/// the same values, but only those of the cover are worth computing. It is the circuit itself if the target has no
/// functions of three inputs. Linear in the gates.
///
/// # Errors
/// If the limits end the work.
pub(super) fn mapped<'a>(
    circuit: &'a Circuit,
    wanted: &[CircuitNode],
    target: Target,
    poll: &Poll<'_>,
) -> Result<Cow<'a, Circuit>, Stop> {
    if !(0..=u8::MAX).any(|table| target.has_table(table)) {
        return Ok(Cow::Borrowed(circuit));
    }
    let of_cycles = circuit.cycles.iter().flat_map(|cycle| cycle.gates.iter().chain([&cycle.changed]));
    let wanted: Vec<CircuitNode> = wanted.iter().chain(of_cycles).copied().collect();
    let mut mapping = Mapping::new(circuit, &wanted, target);
    mapping.enumerate(poll)?;
    for _ in 1..FLOW_PASSES {
        mapping.cover(&wanted);
        mapping.expect();
        mapping.choose_by_flow(poll)?;
    }
    mapping.cover(&wanted);
    for _ in 0..AREA_PASSES {
        mapping.choose_by_area(poll)?;
    }
    Ok(Cow::Owned(circuit.with_kinds(|node| {
        let cut = if mapping.readers[node as usize] > 0 { mapping.chosen_cut(node) } else { None };
        cut.and_then(|cut| kind(cut.leaves(), cut.table, target)).unwrap_or_else(|| circuit.kind(node))
    })))
}

impl<'a> Mapping<'a> {
    /// Starts without cuts; each node is expected to be read as often as in the circuit.
    fn new(circuit: &'a Circuit, wanted: &[CircuitNode], target: Target) -> Self {
        let count = circuit.len();
        let mut readers = vec![0; count];
        wanted.iter().for_each(|&node| readers[node as usize] += 1);
        // Readers come after what they read, so each node knows whether it is read before its inputs are visited.
        for node in (0..to_u32(count)).rev() {
            if let Some((one, other)) = gate_inputs(circuit.kind(node))
                && readers[node as usize] > 0
            {
                readers[one as usize] += 1;
                readers[other as usize] += 1;
            }
        }
        Self {
            circuit,
            target,
            cuts: Vec::new(),
            first_cut: vec![0],
            chosen: vec![0; count],
            flow: vec![0.0; count],
            expected: readers.iter().map(|&readers| readers.max(1) as f32).collect(),
            readers,
            open: Vec::new(),
        }
    }

    fn cuts(&self, node: CircuitNode) -> &[Cut] {
        let [first, end] = [0, 1].map(|next| self.first_cut[node as usize + next] as usize);
        &self.cuts[first..end]
    }

    /// The chosen cut of a gate.
    fn chosen_cut(&self, node: CircuitNode) -> Option<Cut> {
        (!self.cuts(node).is_empty()).then(|| self.cuts[self.chosen[node as usize] as usize])
    }

    /// The cost of a cut: one function, and its share of the cost of its leaves.
    fn flow_of(&self, cut: &Cut) -> f32 {
        1.0 + cut.leaves().iter().map(|&leaf| self.flow[leaf as usize]).sum::<f32>()
    }

    /// Finds the cuts of each node that is read, and chooses one.
    fn enumerate(&mut self, poll: &Poll<'_>) -> Result<(), Stop> {
        let mut found: Vec<(f32, Cut)> = Vec::new();
        for node in 0..to_u32(self.circuit.len()) {
            poll.step()?;
            if self.readers[node as usize] > 0 {
                self.find(node, &mut found);
            }
            let first = self.cuts.len();
            self.cuts.extend(found.drain(..).map(|(_, cut)| cut));
            self.first_cut.push(to_u32(self.cuts.len()));
            if self.cuts.len() > first {
                self.choose_least_flow(node);
            }
        }
        Ok(())
    }

    /// The best cuts of a node, those of least flow first.
    fn find(&self, node: CircuitNode, found: &mut Vec<(f32, Cut)>) {
        let gate = self.circuit.kind(node);
        let Some((one, other)) = gate_inputs(gate) else { return };
        let of_one = Cut::of_itself(one);
        let of_other = Cut::of_itself(other);
        for left in self.cuts(one).iter().chain([&of_one]) {
            for right in self.cuts(other).iter().chain([&of_other]) {
                let Some((leaves, count)) = left.union(right) else { continue };
                if found.iter().any(|(_, known)| (known.leaves, known.count) == (leaves, count)) {
                    continue;
                }
                let mut cut = Cut { leaves, count, table: 0, is_possible: false };
                let known = &leaves[..usize::from(count)];
                cut.table = gate_table(gate, left.table_over(known), right.table_over(known));
                cut.is_possible = kind(known, cut.table, self.target).is_some();
                found.push((self.flow_of(&cut), cut));
            }
        }
        found.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.count.cmp(&other.1.count)));
        // The inputs of the gate itself are always a possible cut, so one is kept.
        let last = found.iter().position(|(_, cut)| cut.is_possible).unwrap_or(0).max(CUTS - 1);
        if last >= CUTS {
            found.swap(CUTS - 1, last);
        }
        found.truncate(CUTS);
    }

    fn choose_least_flow(&mut self, node: CircuitNode) {
        let first = self.first_cut[node as usize];
        let possible = self.cuts(node).iter().zip(first..).filter(|(cut, _)| cut.is_possible);
        let flows = possible.map(|(cut, index)| (self.flow_of(cut), index));
        if let Some((flow, index)) = flows.min_by(|one, other| one.0.total_cmp(&other.0)) {
            self.chosen[node as usize] = index;
            self.flow[node as usize] = flow / self.expected[node as usize];
        }
    }

    fn choose_by_flow(&mut self, poll: &Poll<'_>) -> Result<(), Stop> {
        for node in 0..to_u32(self.circuit.len()) {
            poll.step()?;
            self.choose_least_flow(node);
        }
        Ok(())
    }

    /// Counts the readers of each node in the cover that the chosen cuts make.
    fn cover(&mut self, wanted: &[CircuitNode]) {
        self.readers.fill(0);
        wanted.iter().for_each(|&node| self.readers[node as usize] += 1);
        for node in (1..to_u32(self.circuit.len())).rev() {
            if let Some(cut) = self.chosen_cut(node)
                && self.readers[node as usize] > 0
            {
                cut.leaves().iter().for_each(|&leaf| self.readers[leaf as usize] += 1);
            }
        }
    }

    /// Moves the expected numbers of readers towards those of the cover.
    fn expect(&mut self) {
        for (expected, &readers) in self.expected.iter_mut().zip(&self.readers) {
            *expected = ((*expected + 2.0 * readers as f32) / 3.0).max(1.0);
        }
    }

    /// Chooses, for each node of the cover, the cut with which the cover has the fewest functions.
    ///
    /// Another cut is taken before the present one is released. So all that both need stays in the cover, and only
    /// their difference is visited.
    fn choose_by_area(&mut self, poll: &Poll<'_>) -> Result<(), Stop> {
        for node in 0..to_u32(self.circuit.len()) {
            poll.step()?;
            if self.readers[node as usize] == 0 {
                continue;
            }
            let Some(mut best) = self.chosen_cut(node) else { continue };
            let present = self.chosen[node as usize];
            for index in self.first_cut[node as usize]..self.first_cut[node as usize + 1] {
                let cut = self.cuts[index as usize];
                if index == present || !cut.is_possible {
                    continue;
                }
                let added = self.take(&cut);
                let saved = self.release(&best);
                if added < saved {
                    best = cut;
                    self.chosen[node as usize] = index;
                } else {
                    self.take(&best);
                    self.release(&cut);
                }
            }
        }
        Ok(())
    }

    /// Adds a reader to the leaves of a cut; returns the number of functions that this adds to the cover, with its own.
    fn take(&mut self, cut: &Cut) -> u32 {
        let mut area = 0;
        let mut open = std::mem::take(&mut self.open);
        open.push(*cut);
        while let Some(cut) = open.pop() {
            area += 1;
            for &leaf in cut.leaves() {
                self.readers[leaf as usize] += 1;
                if self.readers[leaf as usize] == 1 {
                    open.extend(self.chosen_cut(leaf));
                }
            }
        }
        self.open = open;
        area
    }

    /// Removes a reader from the leaves of a cut; returns the number of functions that the cover loses.
    fn release(&mut self, cut: &Cut) -> u32 {
        let mut area = 0;
        let mut open = std::mem::take(&mut self.open);
        open.push(*cut);
        while let Some(cut) = open.pop() {
            area += 1;
            for &leaf in cut.leaves() {
                self.readers[leaf as usize] -= 1;
                if self.readers[leaf as usize] == 0 {
                    open.extend(self.chosen_cut(leaf));
                }
            }
        }
        self.open = open;
        area
    }
}

/// The most leaves of a cut.
const LEAVES: usize = 3;
/// The truth tables of the three leaves themselves; the first is the highest bit of an index.
const VARIABLES: [u8; LEAVES] = [0xf0, 0xcc, 0xaa];

/// The leaves of a cut, and the function of the node over them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// The leaves, ascending; only the first `count` are valid, and the others are 0.
    pub(super) leaves: [CircuitNode; LEAVES],
    pub(super) count: u8,
    /// The truth table: bit `4 * first + 2 * second + third` is the value.
    pub(super) table: u8,
    /// The target computes it with one instruction.
    pub(super) is_possible: bool,
}

impl Cut {
    pub(super) fn leaves(&self) -> &[CircuitNode] {
        &self.leaves[..usize::from(self.count)]
    }

    /// The cut whose only leaf is the node itself.
    fn of_itself(node: CircuitNode) -> Self {
        // Node 0 is the constant true, which is no input of a function.
        match node {
            0 => Self { leaves: [0; LEAVES], count: 0, table: u8::MAX, is_possible: true },
            _ => Self { leaves: [node, 0, 0], count: 1, table: VARIABLES[0], is_possible: true },
        }
    }

    /// The leaves of both cuts and their number; `None` if they are too many.
    pub(super) fn union(&self, other: &Self) -> Option<([CircuitNode; LEAVES], u8)> {
        let mut left = self.leaves();
        let mut right = other.leaves();
        let mut leaves = [0; LEAVES];
        let mut count = 0;
        loop {
            let next = match (left.first(), right.first()) {
                (None, None) => return Some((leaves, count)),
                (Some(&one), Some(&other)) => one.min(other),
                (Some(&only), None) | (None, Some(&only)) => only,
            };
            *leaves.get_mut(usize::from(count))? = next;
            count += 1;
            left = left.strip_prefix(&[next]).unwrap_or(left);
            right = right.strip_prefix(&[next]).unwrap_or(right);
        }
    }

    /// The table over these leaves, which include those of the cut.
    fn table_over(&self, leaves: &[CircuitNode]) -> u8 {
        let variable =
            |leaf: &CircuitNode| leaves.iter().position(|known| known == leaf).map_or(0, |index| VARIABLES[index]);
        let mut inputs = [0; LEAVES];
        inputs.iter_mut().zip(self.leaves()).for_each(|(input, leaf)| *input = variable(leaf));
        composed(self.table, inputs)
    }
}

/// The table of a function whose inputs have these tables.
fn composed(table: u8, [first, second, third]: [u8; LEAVES]) -> u8 {
    let select = |condition: u8, yes: u8, no: u8| condition & yes | !condition & no;
    // Shannon expansion: on the first input, then the second, then the third.
    let constant = |index: u8| if table >> index & 1 == 1 { u8::MAX } else { 0 };
    let pair = |index: u8| select(third, constant(index + 1), constant(index));
    let half = |index: u8| select(second, pair(index + 2), pair(index));
    select(first, half(4), half(0))
}

/// The nodes that a gate of two inputs reads; `None` for other nodes.
fn gate_inputs(kind: NodeOperation) -> Option<(CircuitNode, CircuitNode)> {
    match kind {
        NodeOperation::And(one, other)
        | NodeOperation::Without(one, other)
        | NodeOperation::Or(one, other)
        | NodeOperation::Xor(one, other) => Some((one, other)),
        NodeOperation::Input(_) | NodeOperation::Table(..) => None,
    }
}

/// The table of a gate of two inputs, given the tables of these.
fn gate_table(kind: NodeOperation, one: u8, other: u8) -> u8 {
    match kind {
        NodeOperation::And(..) => one & other,
        NodeOperation::Without(..) => one & !other,
        NodeOperation::Or(..) => one | other,
        NodeOperation::Xor(..) => one ^ other,
        NodeOperation::Input(_) | NodeOperation::Table(..) => unreachable!("the node is a gate of two inputs"),
    }
}

/// The node operation that computes a cut; `None` if it is not one instruction.
pub(super) fn kind(leaves: &[CircuitNode], table: u8, target: Target) -> Option<NodeOperation> {
    match (leaves, table) {
        (_, 0) => Some(NodeOperation::Xor(0, 0)),
        (_, u8::MAX) => Some(NodeOperation::And(0, 0)),
        (&[only], 0xf0) => Some(NodeOperation::And(only, only)),
        (&[only], _) if target.has_table(table) => Some(NodeOperation::Table(table, [only; 3])),
        (&[only], _) => Some(NodeOperation::Without(0, only)),
        (&[one, other], 0xc0) => Some(NodeOperation::And(one, other)),
        (&[one, other], 0x30) => Some(NodeOperation::Without(one, other)),
        (&[one, other], 0x0c) => Some(NodeOperation::Without(other, one)),
        (&[one, other], 0xfc) => Some(NodeOperation::Or(one, other)),
        (&[one, other], 0x3c) => Some(NodeOperation::Xor(one, other)),
        (&[one, other], _) => target.has_table(table).then_some(NodeOperation::Table(table, [one, other, other])),
        (&[one, two, three], _) => target.has_table(table).then_some(NodeOperation::Table(table, [one, two, three])),
        _ => None,
    }
}
