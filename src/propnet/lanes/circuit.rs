//! Gates with two inputs: what machine code is made of.
//!
//! A *literal* is a node or its contrary. Nodes are conjunctions, `a & !b`, disjunctions and exclusive disjunctions of two nodes, or
//! words that are found in memory. Signs are pushed through the gates as they are made (De Morgan), so inverting costs
//! nothing but where a contrary has to be stored; equal nodes are made once, and what is constant never.

use super::code::Slot;
use rustc_hash::FxHashMap;

/// The number of a node; its inputs have lower ones.
pub(super) type Node = u32;

/// A node, or its contrary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Literal {
    /// The node.
    pub(super) node: Node,
    /// Whether its contrary is meant.
    pub(super) is_negated: bool,
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    /// What stands in a slot when the part that reads it begins.
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

/// Nodes, each behind what it reads.
#[derive(Debug)]
pub(super) struct Circuit {
    nodes: Vec<Kind>,
    known: FxHashMap<Kind, Node>,
}

impl Literal {
    /// What holds in all lanes.
    pub(super) const TRUE: Self = Self { node: 0, is_negated: false };
    /// What holds in none.
    pub(super) const FALSE: Self = Self { node: 0, is_negated: true };

    /// The contrary.
    pub(super) fn negated(self) -> Self {
        self.negated_if(true)
    }

    /// The contrary where `negate` says so.
    pub(super) fn negated_if(self, negate: bool) -> Self {
        Self { is_negated: self.is_negated != negate, ..self }
    }
}

impl Circuit {
    /// A circuit that knows nothing but what always holds, and finds that in a slot.
    pub(super) fn new(always: Slot) -> Self {
        let mut circuit = Self { nodes: Vec::new(), known: FxHashMap::default() };
        circuit.input(always);
        circuit
    }

    /// There will be no more nodes.
    pub(super) fn seal(&mut self) {
        self.known = FxHashMap::default();
        self.nodes.shrink_to_fit();
    }

    /// What a node is.
    pub(super) fn kind(&self, node: Node) -> Kind {
        self.nodes[node as usize]
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What is found in a slot.
    pub(super) fn input(&mut self, slot: Slot) -> Literal {
        self.node(Kind::Input(slot))
    }

    fn node(&mut self, kind: Kind) -> Literal {
        let next = self.nodes.len() as Node;
        let node = *self.known.entry(kind).or_insert(next);
        if node == next {
            self.nodes.push(kind);
        }
        Literal { node, is_negated: false }
    }

    /// Both.
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

    /// One or the other.
    pub(super) fn or(&mut self, one: Literal, other: Literal) -> Literal {
        self.and(one.negated(), other.negated()).negated()
    }

    /// The first, and not the second.
    pub(super) fn without(&mut self, one: Literal, other: Literal) -> Literal {
        self.and(one, other.negated())
    }

    /// Exactly one of them.
    pub(super) fn xor(&mut self, one: Literal, other: Literal) -> Literal {
        let is_negated = one.is_negated != other.is_negated;
        let (a, b) = (one.node.min(other.node), one.node.max(other.node));
        match a {
            _ if a == b => Literal::FALSE.negated_if(is_negated),
            0 => Literal { node: b, is_negated: !is_negated },
            _ => self.node(Kind::Xor(a, b)).negated_if(is_negated),
        }
    }

    /// All of them.
    pub(super) fn all(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        literals.into_iter().fold(Literal::TRUE, |all, next| self.and(all, next))
    }

    /// Any of them.
    pub(super) fn any(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        literals.into_iter().fold(Literal::FALSE, |any, next| self.or(any, next))
    }

    /// A node that is the literal itself: its contrary costs a gate.
    pub(super) fn plain(&mut self, literal: Literal) -> Node {
        match literal.is_negated {
            true if literal == Literal::FALSE => self.node(Kind::Xor(0, 0)).node,
            true => self.node(Kind::Without(0, literal.node)).node,
            false => literal.node,
        }
    }
}
