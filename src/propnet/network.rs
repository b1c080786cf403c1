//! The component graph: fluents and moves go in, gates combine them, and what the game asks for comes out.
//!
//! The nodes of a petgraph graph are components, its edges run from a component to those that read it. A network as it is
//! built ([`super::build`]) follows the ground rules to the letter; passes ([`super::passes`]) make smaller ones of it, and
//! the smallest is lowered to a flat program. Cycles are possible: relations that stay recursive after grounding.

use crate::game::Role;
use crate::rules::GroundTerm;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::{Direction, Incoming, Outgoing};
use serde::{Deserialize, Serialize};

/// A fluent: its place in [`Network::fluents`].
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FluentId(u32);

/// A move of a role: its place in [`Network::moves`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MoveId(u32);

macro_rules! index {
    ($id:ty) => {
        impl $id {
            /// The id at this place.
            pub fn new(index: usize) -> Self {
                Self(index as u32)
            }

            /// The place.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
index!(FluentId);
index!(MoveId);

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Component {
    /// Always true, or always false. No inputs.
    Constant(bool),
    /// `true(F)`: whether the fluent holds in the state. No inputs.
    Base(FluentId),
    /// `does(R, M)`: whether the role makes the move. No inputs.
    Input(MoveId),
    /// A named proposition: what its only input is.
    View,
    /// True where all its inputs are.
    And,
    /// True where one of its inputs is.
    Or,
    /// True where its only input is not.
    Not,
    /// Something that the game asks for: what its only input is. Nothing reads it.
    Output(Output),
}

/// What the game asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Output {
    /// Whether the fluent holds in the next state.
    Next(FluentId),
    /// Whether the move is legal.
    Legal(MoveId),
    /// Whether a goal value holds: the place in [`Network::goals`].
    Goal(usize),
    /// Whether the game is over.
    Terminal,
}

/// A fluent of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fluent {
    /// The fact.
    pub fact: GroundTerm,
    /// Whether it holds in the initial state.
    pub initially: bool,
    /// Where the state keeps it.
    pub storage: FluentStorage,
}

/// How a fluent is kept in a state.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FluentStorage {
    /// A bit of its own: a [`Component::Base`] and an [`Output::Next`].
    Own,
    /// Nowhere: it holds in every state that can be reached (true), or in none (false).
    Always(bool),
    /// It holds exactly where another one, with a bit of its own, does.
    Same(FluentId),
}

/// A move of a role.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct RoleMove {
    /// Who makes it.
    pub role: Role,
    /// The move.
    pub term: GroundTerm,
    /// Whether it can be legal at all; one that cannot has neither input nor output.
    pub is_possible: bool,
}

/// A goal value of a role.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct RoleGoal {
    /// Whose.
    pub role: Role,
    /// The value, which the rules need not make an integer.
    pub value: GroundTerm,
}

/// A propositional network.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// The roles, in the order of the sheet.
    pub roles: Vec<GroundTerm>,
    /// Every fluent that can hold, in canonical order of the facts.
    pub fluents: Vec<Fluent>,
    /// Every move of every role, by role, then in canonical order.
    pub moves: Vec<RoleMove>,
    /// Every goal value of every role, by role, then in canonical order.
    pub goals: Vec<RoleGoal>,
    /// The components.
    pub graph: DiGraph<Component, ()>,
    /// Propositions by their names, in canonical order: the component that has the proposition's value. Those that a pass
    /// took out are missing.
    pub names: Vec<(GroundTerm, NodeIndex)>,
}

impl Network {
    /// The component at a node.
    pub fn component(&self, node: NodeIndex) -> &Component {
        &self.graph[node]
    }

    /// What a component reads, each once, lowest index first.
    pub fn inputs(&self, node: NodeIndex) -> Vec<NodeIndex> {
        self.neighbours(node, Incoming)
    }

    /// What reads a component, each once, lowest index first.
    pub fn readers(&self, node: NodeIndex) -> Vec<NodeIndex> {
        self.neighbours(node, Outgoing)
    }

    fn neighbours(&self, node: NodeIndex, direction: Direction) -> Vec<NodeIndex> {
        let mut nodes: Vec<NodeIndex> = self.graph.neighbors_directed(node, direction).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Adds a component that reads others.
    pub(super) fn add(&mut self, component: Component, inputs: &[NodeIndex]) -> NodeIndex {
        let node = self.graph.add_node(component);
        for &input in inputs {
            self.graph.add_edge(input, node, ());
        }
        node
    }
}
