//! Circuits: the gates with two or three inputs that lanes compute.
//!
//! A *literal* is a node or its negation. A node is a conjunction, `a & !b`, a disjunction or an exclusive disjunction
//! of two nodes, any function of three nodes, or a word in memory. Negations are pushed through the gates as these are
//! made (De Morgan), so a negation costs nothing unless it has to be stored. Equal nodes are made once, and constants
//! are folded.
//!
//! A positive cycle of the rules is a block that is repeated: each gate on it has a slot, which is false at first, and
//! its new value is a function of these slots. Repetition ends when no slot has changed, at the least fixpoint.

use super::word::Slot;
use gdl::number::to_u32;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The index of a node; its inputs have lower ones.
pub(super) type CircuitNode = u32;

/// A node, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeLiteral {
    /// The index of the node.
    pub(super) node: CircuitNode,
    /// The literal is the negation of the node.
    pub(super) is_negated: bool,
}

/// The nodes of some literals.
pub(super) fn nodes(literals: &[NodeLiteral]) -> Vec<CircuitNode> {
    literals.iter().map(|literal| literal.node).collect()
}

/// The operation of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum NodeOperation {
    /// The content of a slot when the part that reads it begins.
    Input(Slot),
    /// `a & b`.
    And(CircuitNode, CircuitNode),
    /// `a & !b`.
    Without(CircuitNode, CircuitNode),
    /// `a | b`.
    Or(CircuitNode, CircuitNode),
    /// `a ^ b`.
    Xor(CircuitNode, CircuitNode),
    /// Bit `4 * a + 2 * b + c` of the table.
    Table(u8, [CircuitNode; 3]),
}

impl NodeOperation {
    /// Calls `each` for every input, in order.
    pub(super) fn each_input(self, mut each: impl FnMut(CircuitNode)) {
        match self {
            Self::Input(_) => {}
            Self::And(one, other) | Self::Without(one, other) | Self::Or(one, other) | Self::Xor(one, other) => {
                each(one);
                each(other);
            }
            Self::Table(_, inputs) => inputs.into_iter().for_each(each),
        }
    }
}

/// A cycle: gates whose values are computed again and again, from false on, until none changes.
#[derive(Clone, Debug)]
pub(super) struct Cycle {
    /// The slots of the gates.
    pub(super) slots: Range<Slot>,
    /// The inputs that read these slots.
    inputs: Vec<CircuitNode>,
    /// The new value of each gate, as a function of all slots of the cycle and of other nodes.
    pub(super) gates: Vec<CircuitNode>,
    /// The node that is true in lanes in which a new value differs from the one before.
    pub(super) changed: CircuitNode,
}

/// Nodes in topological order, inputs first.
#[derive(Clone, Debug)]
pub(super) struct Circuit {
    nodes: Vec<NodeOperation>,
    /// The node of each operation, so that equal nodes are made once.
    known: FxHashMap<NodeOperation, CircuitNode>,
    /// The cycles, each after those that it reads.
    pub(super) cycles: Vec<Cycle>,
    /// The number of slots that are taken.
    pub(super) slots: u32,
}

/// An operation on two literals after constants are folded and negations are pushed through.
#[derive(Clone, Copy, Debug)]
enum FoldedOperation {
    /// The operation equals a literal.
    Literal(NodeLiteral),
    /// The operation is a gate, or the negation of one.
    Gate { kind: NodeOperation, is_negated: bool },
}

impl FoldedOperation {
    fn and(one: NodeLiteral, other: NodeLiteral) -> Self {
        match (one, other) {
            _ if one == other || other == NodeLiteral::TRUE => Self::Literal(one),
            _ if one == NodeLiteral::TRUE => Self::Literal(other),
            _ if one == other.negated() || one == NodeLiteral::FALSE || other == NodeLiteral::FALSE => {
                Self::Literal(NodeLiteral::FALSE)
            }
            _ => {
                // The inputs of commutative gates are ordered, so that equal gates are found.
                let a = one.node.min(other.node);
                let b = one.node.max(other.node);
                let (kind, is_negated) = match (one.is_negated, other.is_negated) {
                    (false, false) => (NodeOperation::And(a, b), false),
                    (false, true) => (NodeOperation::Without(one.node, other.node), false),
                    (true, false) => (NodeOperation::Without(other.node, one.node), false),
                    (true, true) => (NodeOperation::Or(a, b), true),
                };
                Self::Gate { kind, is_negated }
            }
        }
    }

    fn xor(one: NodeLiteral, other: NodeLiteral) -> Self {
        let is_negated = one.is_negated != other.is_negated;
        let a = one.node.min(other.node);
        let b = one.node.max(other.node);
        match a {
            _ if a == b => Self::Literal(NodeLiteral::FALSE.negated_if(is_negated)),
            // Node 0 is the constant true.
            0 => Self::Literal(NodeLiteral { node: b, is_negated: !is_negated }),
            _ => Self::Gate { kind: NodeOperation::Xor(a, b), is_negated },
        }
    }
}

impl NodeLiteral {
    /// The literal that is true in all lanes.
    pub(super) const TRUE: Self = Self { node: 0, is_negated: false };
    /// The literal that is true in no lane.
    pub(super) const FALSE: Self = Self { node: 0, is_negated: true };

    /// The negation of the literal.
    pub(super) fn negated(self) -> Self {
        self.negated_if(true)
    }

    /// The negation if `negate` is true, else the literal itself.
    pub(super) fn negated_if(self, negate: bool) -> Self {
        Self { is_negated: self.is_negated != negate, ..self }
    }
}

impl Circuit {
    /// A circuit with one node, the slot whose content is always true, which comes after the `bits` slots of a state.
    pub(super) fn new(bits: u32) -> Self {
        let mut circuit = Self { nodes: Vec::new(), known: FxHashMap::default(), cycles: Vec::new(), slots: bits + 1 };
        circuit.input(bits);
        circuit
    }

    /// Takes slots that nothing else uses.
    pub(super) fn take_slots(&mut self, count: usize) -> Range<Slot> {
        let first = self.slots;
        self.slots += to_u32(count);
        first..self.slots
    }

    /// The cycle whose slots an input reads, as an index into [`Circuit::cycles`].
    pub(super) fn cycle_of(&self, node: CircuitNode) -> Option<usize> {
        let NodeOperation::Input(slot) = self.kind(node) else { return None };
        let index = self.cycles.partition_point(|cycle| cycle.slots.end <= slot);
        self.cycles.get(index).is_some_and(|cycle| cycle.slots.contains(&slot)).then_some(index)
    }

    /// The inputs that read the slots of a cycle.
    pub(super) fn inputs_of(&self, cycle: usize) -> impl Iterator<Item = CircuitNode> {
        self.cycles[cycle].inputs.iter().copied()
    }

    /// Adds a cycle: `gates` are the new values of the gates in these slots.
    pub(super) fn add_cycle(&mut self, slots: Range<Slot>, gates: &[NodeLiteral]) {
        let changes = gates.iter().zip(slots.clone()).map(|(&gate, slot)| {
            let before = self.input(slot);
            // The values only grow in a cycle, so a change is a new value that was false before.
            self.without(gate, before)
        });
        let changes: Vec<NodeLiteral> = changes.collect();
        let changed = self.any(changes);
        let changed = self.plain(changed);
        let gates = gates.iter().map(|&gate| self.plain(gate)).collect();
        let inputs = slots.clone().map(|slot| self.input(slot).node).collect();
        self.cycles.push(Cycle { slots, inputs, gates, changed });
    }

    /// The same circuit with another operation for each node; no nodes can be added to it.
    pub(super) fn with_kinds(&self, kind: impl FnMut(CircuitNode) -> NodeOperation) -> Self {
        let nodes = (0..to_u32(self.nodes.len())).map(kind).collect();
        Self { nodes, known: FxHashMap::default(), cycles: self.cycles.clone(), slots: self.slots }
    }

    /// Frees the memory that is needed only to add nodes.
    pub(super) fn seal(&mut self) {
        self.known = FxHashMap::default();
        self.nodes.shrink_to_fit();
    }

    /// The operation of a node.
    pub(super) fn kind(&self, node: CircuitNode) -> NodeOperation {
        self.nodes[node as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The input that reads a slot.
    pub(super) fn input(&mut self, slot: Slot) -> NodeLiteral {
        self.node(NodeOperation::Input(slot))
    }

    fn node(&mut self, kind: NodeOperation) -> NodeLiteral {
        let next = to_u32(self.nodes.len());
        let node = *self.known.entry(kind).or_insert(next);
        if node == next {
            self.nodes.push(kind);
        }
        NodeLiteral { node, is_negated: false }
    }

    /// The literal of a folded operation.
    fn made(&mut self, folded: FoldedOperation) -> NodeLiteral {
        match folded {
            FoldedOperation::Literal(literal) => literal,
            FoldedOperation::Gate { kind, is_negated } => self.node(kind).negated_if(is_negated),
        }
    }

    /// The literal of a folded operation, if there is one.
    fn found(&self, folded: FoldedOperation) -> Option<NodeLiteral> {
        match folded {
            FoldedOperation::Literal(literal) => Some(literal),
            FoldedOperation::Gate { kind, is_negated } => {
                self.known.get(&kind).map(|&node| NodeLiteral { node, is_negated })
            }
        }
    }

    /// The conjunction of two literals.
    pub(super) fn and(&mut self, one: NodeLiteral, other: NodeLiteral) -> NodeLiteral {
        self.made(FoldedOperation::and(one, other))
    }

    /// The conjunction of two literals, if no node has to be made for it.
    pub(super) fn find_and(&self, one: NodeLiteral, other: NodeLiteral) -> Option<NodeLiteral> {
        self.found(FoldedOperation::and(one, other))
    }

    /// The disjunction of two literals.
    pub(super) fn or(&mut self, one: NodeLiteral, other: NodeLiteral) -> NodeLiteral {
        self.and(one.negated(), other.negated()).negated()
    }

    /// `one & !other`.
    pub(super) fn without(&mut self, one: NodeLiteral, other: NodeLiteral) -> NodeLiteral {
        self.and(one, other.negated())
    }

    /// The exclusive disjunction of two literals.
    pub(super) fn xor(&mut self, one: NodeLiteral, other: NodeLiteral) -> NodeLiteral {
        self.made(FoldedOperation::xor(one, other))
    }

    /// The exclusive disjunction of two literals, if no node has to be made for it.
    pub(super) fn find_xor(&self, one: NodeLiteral, other: NodeLiteral) -> Option<NodeLiteral> {
        self.found(FoldedOperation::xor(one, other))
    }

    /// The conjunction of all literals; [`NodeLiteral::TRUE`] if there are none.
    pub(super) fn all(&mut self, literals: impl IntoIterator<Item = NodeLiteral>) -> NodeLiteral {
        literals.into_iter().fold(NodeLiteral::TRUE, |all, next| self.and(all, next))
    }

    /// The disjunction of all literals; [`NodeLiteral::FALSE`] if there are none.
    pub(super) fn any(&mut self, literals: impl IntoIterator<Item = NodeLiteral>) -> NodeLiteral {
        literals.into_iter().fold(NodeLiteral::FALSE, |any, next| self.or(any, next))
    }

    /// The literal that a node equals, which is a negation if the node is only there to negate.
    pub(super) fn literal(&self, node: CircuitNode) -> NodeLiteral {
        match self.kind(node) {
            NodeOperation::Without(0, other) => NodeLiteral { node: other, is_negated: true },
            NodeOperation::Xor(0, 0) => NodeLiteral::FALSE,
            _ => NodeLiteral { node, is_negated: false },
        }
    }

    /// The literal whose conjunction with `conjunct` is `literal`, if the gate of `literal` is one.
    pub(super) fn other_conjunct(&self, literal: NodeLiteral, conjunct: NodeLiteral) -> Option<NodeLiteral> {
        let plain = |node: CircuitNode| NodeLiteral { node, is_negated: false };
        let (one, other) = match (self.kind(literal.node), literal.is_negated) {
            (NodeOperation::And(one, other), false) => (plain(one), plain(other)),
            (NodeOperation::Without(one, other), false) => (plain(one), plain(other).negated()),
            (NodeOperation::Or(one, other), true) => (plain(one).negated(), plain(other).negated()),
            _ => return None,
        };
        match conjunct {
            _ if one == conjunct => Some(other),
            _ if other == conjunct => Some(one),
            _ => None,
        }
    }

    /// A node that equals the literal; a negation costs a gate.
    pub(super) fn plain(&mut self, literal: NodeLiteral) -> CircuitNode {
        match literal.is_negated {
            true if literal == NodeLiteral::FALSE => self.node(NodeOperation::Xor(0, 0)).node,
            true => self.node(NodeOperation::Without(0, literal.node)).node,
            false => literal.node,
        }
    }
}
