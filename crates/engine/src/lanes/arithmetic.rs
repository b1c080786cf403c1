//! Numbers in a circuit, one in each lane: a literal for each bit, lowest first.

use super::circuit::{Circuit, NodeLiteral};

/// Adds two counts, of which the first has at least as many bits.
pub(super) fn add(circuit: &mut Circuit, left: &[NodeLiteral], right: &[NodeLiteral]) -> Vec<NodeLiteral> {
    let mut carry = NodeLiteral::FALSE;
    let mut sum = Vec::with_capacity(left.len() + 1);
    for (index, &one) in left.iter().enumerate() {
        let other = right.get(index).copied().unwrap_or(NodeLiteral::FALSE);
        let half = circuit.xor(one, other);
        sum.push(circuit.xor(half, carry));
        let both = circuit.and(one, other);
        let passed = circuit.and(half, carry);
        carry = circuit.or(both, passed);
    }
    sum.push(carry);
    sum
}

/// Returns the lanes in which the rank is below the number; subtracts the number from the rank in the others.
pub(super) fn subtract(circuit: &mut Circuit, rank: &mut [NodeLiteral], number: &[NodeLiteral]) -> NodeLiteral {
    let mut borrow = NodeLiteral::FALSE;
    let mut changes = Vec::with_capacity(rank.len());
    for (index, &bit) in rank.iter().enumerate() {
        let number = number.get(index).copied().unwrap_or(NodeLiteral::FALSE);
        // The bit of the difference is `bit ^ change`; the borrow remains where both inputs are equal, else it is
        // `number`, which is `borrow ^ change`.
        let differ = circuit.xor(bit, number);
        let change = circuit.xor(number, borrow);
        changes.push(change);
        let other = circuit.and(differ, change);
        borrow = circuit.xor(borrow, other);
    }
    for (bit, change) in rank.iter_mut().zip(changes) {
        let change = circuit.without(change, borrow);
        *bit = circuit.xor(*bit, change);
    }
    borrow
}
