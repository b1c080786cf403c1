//! Circuits of conjunctions and negations, in which the same function of the same inputs is often the same literal, so
//! that little is left for the solver.

use std::collections::HashMap;
use std::ops::Not;

/// A node or its negation: the index of the node doubled, plus one for the negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Literal(u32);

impl Literal {
    pub(super) const FALSE: Self = Self(0);
    pub(super) const TRUE: Self = Self(1);

    /// The constant with this value.
    pub(super) fn constant(value: bool) -> Self {
        Self(u32::from(value))
    }

    /// The index of the node.
    pub(super) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the negation of the node.
    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// A circuit. Node 0 is the constant that is false; nodes follow their inputs.
pub(super) struct Circuit {
    /// The inputs of each conjunction; `None` for a variable and for the constant.
    nodes: Vec<Option<Vec<Literal>>>,
    known: HashMap<Vec<Literal>, Literal>,
}

impl Circuit {
    pub(super) fn new() -> Self {
        Self { nodes: vec![None], known: HashMap::new() }
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The inputs of a node, if it is a conjunction.
    pub(super) fn inputs(&self, node: usize) -> Option<&[Literal]> {
        self.nodes[node].as_deref()
    }

    /// A new variable.
    pub(super) fn variable(&mut self) -> Literal {
        self.node(None)
    }

    fn node(&mut self, inputs: Option<Vec<Literal>>) -> Literal {
        self.nodes.push(inputs);
        Literal(u32::try_from(2 * (self.nodes.len() - 1)).expect("circuits are small"))
    }

    pub(super) fn and(&mut self, inputs: impl IntoIterator<Item = Literal>) -> Literal {
        let mut inputs: Vec<Literal> = inputs.into_iter().filter(|&input| input != Literal::TRUE).collect();
        inputs.sort_unstable();
        inputs.dedup();
        // A literal and its negation are neighbours.
        if inputs.first() == Some(&Literal::FALSE) || inputs.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Literal::FALSE;
        }
        match inputs[..] {
            [] => Literal::TRUE,
            [only] => only,
            _ => match self.known.get(&inputs) {
                Some(&known) => known,
                None => {
                    let node = self.node(Some(inputs.clone()));
                    self.known.insert(inputs, node);
                    node
                }
            },
        }
    }

    pub(super) fn or(&mut self, inputs: impl IntoIterator<Item = Literal>) -> Literal {
        !self.and(inputs.into_iter().map(|input| !input))
    }

    /// Whether two literals differ.
    pub(super) fn differ(&mut self, one: Literal, other: Literal) -> Literal {
        if one == other {
            return Literal::FALSE;
        }
        let (only_one, only_other) = (self.and([one, !other]), self.and([!one, other]));
        self.or([only_one, only_other])
    }

    /// Whether at least two of these are true.
    pub(super) fn two(&mut self, literals: &[Literal]) -> Literal {
        let (mut any, mut two) = (Literal::FALSE, Vec::new());
        for &literal in literals {
            two.push(self.and([any, literal]));
            any = self.or([any, literal]);
        }
        self.or(two)
    }
}
