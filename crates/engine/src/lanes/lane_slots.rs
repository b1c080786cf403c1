//! The next states of lanes that make no move in a step: a lane that is *held* keeps its state, and one that is *fresh*
//! begins a new game in the initial state.
//!
//! Every move is a conjunction with the lanes that go, so where these are false no move is made. Most bits of a state
//! then keep their value by the rules (what no move changes remains), or become false (they remain only if some move is
//! made). Of such a bit the circuit needs to know less than of one that changes by itself, like the turn.

use super::circuit::{Circuit, CircuitNode, NodeLiteral, NodeOperation};
use super::word::Slot;
use fixedbitset::FixedBitSet;
use gdl::number::to_u32;

/// The slots of the three sets into which a step divides the lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneSlots {
    /// The lanes that make a move and take their next state.
    pub(super) goes: Slot,
    /// The lanes that take the initial state.
    pub(super) fresh: Slot,
    /// The lanes that keep their state, if lanes are ever held.
    pub(super) holds: Option<Slot>,
}

impl LaneSlots {
    /// Rewrites the next states `next`, each a node and the slot of its bit, for the lanes that do not go. All moves
    /// must depend on `goes`. Linear in the nodes.
    pub(super) fn apply(self, circuit: &mut Circuit, next: &mut [(CircuitNode, Slot)], initial: &FixedBitSet) {
        let still = values_if_false(circuit, self.goes);
        let [goes, fresh] = [self.goes, self.fresh].map(|slot| circuit.input(slot));
        let holds = self.holds.map_or(NodeLiteral::FALSE, |slot| circuit.input(slot));
        for (node, bit) in next {
            let state = circuit.input(*bit);
            let after = circuit.literal(*node);
            // The value where lanes go or are held, and whether it is false where they are fresh.
            let (kept, is_clear) = match value(&still, after) {
                // The bit keeps its value where no move is made, so lanes that are held need nothing more.
                Some(still) if still == state => (after, false),
                // The bit is false where no move is made, so fresh lanes need nothing more unless it is set initially.
                Some(NodeLiteral::FALSE) => (held(circuit, after, state, holds), true),
                _ => {
                    // Nothing is known of the bit where no move is made, so its value there is masked.
                    let gone = circuit.and(after, goes);
                    (held(circuit, gone, state, holds), true)
                }
            };
            let begun = match (initial.contains(*bit as usize), is_clear) {
                (true, _) => circuit.or(kept, fresh),
                (false, false) => circuit.without(kept, fresh),
                (false, true) => kept,
            };
            *node = circuit.plain(begun);
        }
    }
}

/// The next value of a bit that is false in lanes that do not go, made so that lanes which are held keep it.
fn held(circuit: &mut Circuit, after: NodeLiteral, state: NodeLiteral, holds: NodeLiteral) -> NodeLiteral {
    match circuit.other_conjunct(after, state) {
        // Bits that remain under the same condition share the disjunction.
        Some(other) => {
            let remains = circuit.or(other, holds);
            circuit.and(state, remains)
        }
        None => {
            let held = circuit.and(state, holds);
            circuit.or(after, held)
        }
    }
}

/// For each node, its value where an input is false; `None` if no node of the circuit has that value.
fn values_if_false(circuit: &Circuit, input: Slot) -> Vec<Option<NodeLiteral>> {
    let plain = |node: CircuitNode| NodeLiteral { node, is_negated: false };
    let mut values = Vec::with_capacity(circuit.len());
    for node in 0..to_u32(circuit.len()) {
        let conjunction = |one: NodeLiteral, other: NodeLiteral| match [one, other].map(|it| value(&values, it)) {
            [Some(NodeLiteral::FALSE), _] | [_, Some(NodeLiteral::FALSE)] => Some(NodeLiteral::FALSE),
            [Some(one), Some(other)] => circuit.find_and(one, other),
            _ => None,
        };
        let value = match circuit.kind(node) {
            NodeOperation::Input(slot) if slot == input => Some(NodeLiteral::FALSE),
            NodeOperation::Input(_) => Some(plain(node)),
            NodeOperation::And(one, other) => conjunction(plain(one), plain(other)),
            NodeOperation::Without(one, other) => conjunction(plain(one), plain(other).negated()),
            NodeOperation::Or(one, other) => {
                conjunction(plain(one).negated(), plain(other).negated()).map(NodeLiteral::negated)
            }
            NodeOperation::Xor(one, other) => match [one, other].map(|input| value(&values, plain(input))) {
                [Some(one), Some(other)] => circuit.find_xor(one, other),
                _ => None,
            },
            // Tables are made later, when the circuit is mapped to a target.
            NodeOperation::Table(..) => None,
        };
        values.push(value);
    }
    values
}

/// The value of a literal, given those of the nodes.
fn value(values: &[Option<NodeLiteral>], literal: NodeLiteral) -> Option<NodeLiteral> {
    values[literal.node as usize].map(|value| value.negated_if(literal.is_negated))
}
