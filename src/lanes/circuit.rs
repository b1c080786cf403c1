//! Circuits of gates with two inputs, from which machine code is made.
//!
//! A *literal* is a node or its negation. A node is a conjunction, `a & !b`, a disjunction or an exclusive disjunction
//! of two nodes, or a word in memory. Negations are pushed through the gates as these are made (De Morgan), so a
//! negation costs nothing unless it has to be stored. Equal nodes are made once, and constants are folded.

use super::code::Slot;
use crate::number::to_u32;
use rustc_hash::FxHashMap;

/// The index of a node; its inputs have lower ones.
pub(super) type Node = u32;

/// A node, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Literal {
    /// The index of the node.
    pub(super) node: Node,
    /// Whether the literal is the negation of the node.
    pub(super) is_negated: bool,
}

/// The operation of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    /// The content of a slot when the part that reads it begins.
    Input(Slot),
    /// `a & b`.
    And(Node, Node),
    /// `a & !b`.
    Without(Node, Node),
    /// `a | b`.
    Or(Node, Node),
    /// `a ^ b`.
    Xor(Node, Node),
}

/// Nodes in topological order, inputs first.
#[derive(Debug)]
pub(super) struct Circuit {
    nodes: Vec<Kind>,
    known: FxHashMap<Kind, Node>,
}

impl Literal {
    /// Holds in all lanes.
    pub(super) const TRUE: Self = Self { node: 0, is_negated: false };
    /// Holds in no lane.
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
    /// A circuit with one node, the slot whose content is always true.
    pub(super) fn new(always: Slot) -> Self {
        let mut circuit = Self { nodes: Vec::new(), known: FxHashMap::default() };
        circuit.input(always);
        circuit
    }

    /// Frees the memory that is needed only to add nodes.
    pub(super) fn seal(&mut self) {
        self.known = FxHashMap::default();
        self.nodes.shrink_to_fit();
    }

    /// The operation of a node.
    pub(super) fn kind(&self, node: Node) -> Kind {
        self.nodes[node as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The content of a slot.
    pub(super) fn input(&mut self, slot: Slot) -> Literal {
        self.node(Kind::Input(slot))
    }

    fn node(&mut self, kind: Kind) -> Literal {
        let next = to_u32(self.nodes.len());
        let node = *self.known.entry(kind).or_insert(next);
        if node == next {
            self.nodes.push(kind);
        }
        Literal { node, is_negated: false }
    }

    /// The conjunction of two literals.
    pub(super) fn and(&mut self, one: Literal, other: Literal) -> Literal {
        match (one, other) {
            _ if one == other || other == Literal::TRUE => one,
            _ if one == Literal::TRUE => other,
            _ if one == other.negated() || one == Literal::FALSE || other == Literal::FALSE => Literal::FALSE,
            _ => {
                let (a, b) = (one.node.min(other.node), one.node.max(other.node));
                match (one.is_negated, other.is_negated) {
                    (false, false) => self.node(Kind::And(a, b)),
                    (false, true) => self.node(Kind::Without(one.node, other.node)),
                    (true, false) => self.node(Kind::Without(other.node, one.node)),
                    (true, true) => self.node(Kind::Or(a, b)).negated(),
                }
            }
        }
    }

    /// The disjunction of two literals.
    pub(super) fn or(&mut self, one: Literal, other: Literal) -> Literal {
        self.and(one.negated(), other.negated()).negated()
    }

    /// `one & !other`.
    pub(super) fn without(&mut self, one: Literal, other: Literal) -> Literal {
        self.and(one, other.negated())
    }

    /// The exclusive disjunction of two literals.
    pub(super) fn xor(&mut self, one: Literal, other: Literal) -> Literal {
        let is_negated = one.is_negated != other.is_negated;
        let (a, b) = (one.node.min(other.node), one.node.max(other.node));
        match a {
            _ if a == b => Literal::FALSE.negated_if(is_negated),
            0 => Literal { node: b, is_negated: !is_negated },
            _ => self.node(Kind::Xor(a, b)).negated_if(is_negated),
        }
    }

    /// The conjunction of all literals; [`Literal::TRUE`] if there are none.
    pub(super) fn all(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        literals.into_iter().fold(Literal::TRUE, |all, next| self.and(all, next))
    }

    /// The disjunction of all literals; [`Literal::FALSE`] if there are none.
    pub(super) fn any(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        literals.into_iter().fold(Literal::FALSE, |any, next| self.or(any, next))
    }

    /// A node that equals the literal; a negation costs a gate.
    pub(super) fn plain(&mut self, literal: Literal) -> Node {
        match literal.is_negated {
            true if literal == Literal::FALSE => self.node(Kind::Xor(0, 0)).node,
            true => self.node(Kind::Without(0, literal.node)).node,
            false => literal.node,
        }
    }
}
