//! A cut of a node: its leaves, and the function of the node over them.

use super::super::circuit::{CircuitNode, NodeOperation};
use super::super::target::Target;

/// The most leaves of a cut.
pub(super) const LEAVES: usize = 3;
/// The truth tables of the three leaves themselves; the first is the highest bit of an index.
const VARIABLES: [u8; LEAVES] = [0xf0, 0xcc, 0xaa];

/// The leaves of a cut, and the function of the node over them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// Ascending; only the first `count` are leaves, and the others are 0.
    pub(super) leaves: [CircuitNode; LEAVES],
    pub(super) count: u8,
    /// Bit `4 * first + 2 * second + third` is the value.
    pub(super) table: u8,
    /// Whether it is one instruction.
    pub(super) is_possible: bool,
}

impl Cut {
    pub(super) fn leaves(&self) -> &[CircuitNode] {
        &self.leaves[..usize::from(self.count)]
    }

    /// The cut whose only leaf is the node itself.
    pub(super) fn of_itself(node: CircuitNode) -> Self {
        // Node 0 is the constant true, which is no input of a function.
        match node {
            0 => Self { leaves: [0; LEAVES], count: 0, table: u8::MAX, is_possible: true },
            _ => Self { leaves: [node, 0, 0], count: 1, table: VARIABLES[0], is_possible: true },
        }
    }

    /// The leaves of both cuts, if they are few enough.
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
    pub(super) fn table_over(&self, leaves: &[CircuitNode]) -> u8 {
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
    let constant = |index: u8| if table >> index & 1 == 1 { u8::MAX } else { 0 };
    let pair = |index: u8| select(third, constant(index + 1), constant(index));
    let half = |index: u8| select(second, pair(index + 2), pair(index));
    select(first, half(4), half(0))
}

/// The table of a gate over those of its inputs.
type GateTable = fn(u8, u8) -> u8;

/// The nodes that a gate reads, and its function of two tables.
pub(super) fn gate(kind: NodeOperation) -> Option<(CircuitNode, CircuitNode, GateTable)> {
    match kind {
        NodeOperation::And(one, other) => Some((one, other, |one, other| one & other)),
        NodeOperation::Without(one, other) => Some((one, other, |one, other| one & !other)),
        NodeOperation::Or(one, other) => Some((one, other, |one, other| one | other)),
        NodeOperation::Xor(one, other) => Some((one, other, |one, other| one ^ other)),
        NodeOperation::Input(_) | NodeOperation::Table(..) => None,
    }
}

/// The gate that computes a cut; `None` if it is not one instruction.
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
