//! The component graph: fluents and moves are its sources, gates combine them, and its outputs are the propositions
//! that the game needs.
//!
//! The nodes of a petgraph graph are components; an edge runs from a component to each of its readers. A network as
//! built ([`super::build`]) follows the ground rules one for one; the passes ([`super::passes`]) make it smaller, and
//! the result is lowered to a flat program. Cycles are possible: relations that stay recursive after grounding.

use crate::program::{FluentId, FluentStorage, MoveInput, RoleGoal};
use gdl::number::index_id;
use gdl::rules::{GroundTerm, Keyword, Utilities};
use ggp_game::Utility;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::{Direction, Incoming, Outgoing};

index_id! {
    /// A move of a role: an index into [`Network::moves`].
    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
    pub struct MoveId
}

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Component {
    /// A value that never changes. No inputs.
    Constant(bool),
    /// `true(F)`: true if the fluent holds in the state. No inputs.
    Base(FluentId),
    /// `does(R, M)`: true if the role makes the move. No inputs.
    Input(MoveId),
    /// A named proposition, equal to its only input.
    View,
    /// The conjunction of its inputs.
    And,
    /// The disjunction of its inputs.
    Or,
    /// The negation of its only input.
    Not,
    /// A proposition that the game asks for, equal to its only input. Nothing reads it.
    Output(Output),
}

/// A proposition that the game asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Output {
    /// True if the fluent holds in the next state.
    Next(FluentId),
    /// True if the move is legal.
    Legal(MoveId),
    /// True if a goal value, given as an index into [`Network::goals`], holds.
    Goal(usize),
    /// True if the state is terminal.
    Terminal,
    /// True if a feature, given as an index into [`Network::features`], holds.
    Feature(usize),
}

/// A fluent of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkFluent {
    /// The fact: the fluent's term.
    pub fact: GroundTerm,
    /// True if it holds in the initial state.
    pub initially: bool,
    /// Its representation in a state.
    pub storage: FluentStorage,
}

/// Exclusive fluents: at most one of them holds in every state that legal play reaches from the initial state, and in
/// every state that it reaches from any other in which at most one fluent of each group of the network holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The fluents, ascending, whatever their storage: passes that change it leave the group true.
    pub fluents: Vec<FluentId>,
    /// True if it has been proved that one of them holds in every state reached from the initial one.
    pub is_complete: bool,
}

/// The exclusive fluents that are known; none before the pass `exclusive` has run.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// The groups, which may overlap.
    pub proved: Vec<Group>,
    /// The number of times that the pass has tried to prove groups.
    pub(super) tries: u32,
}

impl Group {
    /// A group that need not have a member that holds.
    pub(super) fn from_fluents(fluents: Vec<FluentId>) -> Self {
        Self { fluents, is_complete: false }
    }
}

/// The component graph of a game, with its roles, fluents, moves and goals.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// The roles, in the order of the rule sheet.
    pub(crate) roles: Vec<GroundTerm>,
    /// Every fluent that can hold, in canonical order of the facts.
    pub fluents: Vec<NetworkFluent>,
    /// Every move of every role, by role, then in canonical order.
    pub moves: Vec<MoveInput>,
    /// Every goal value of every role, by role, then in canonical order.
    pub goals: Vec<RoleGoal>,
    /// Every feature that can hold, in canonical order; empty unless a sheet was added to the game.
    pub features: Vec<GroundTerm>,
    /// The utilities that goal values stand for.
    pub(crate) utilities: Utilities,
    /// The components, with edges to their readers.
    pub graph: DiGraph<Component, ()>,
    /// The component of each named proposition, in canonical order of the names. Propositions that a pass has removed
    /// are missing.
    pub names: Vec<(GroundTerm, NodeIndex)>,
    /// The exclusive fluents.
    pub groups: Groups,
}

impl Network {
    /// The utility that a goal value stands for.
    pub fn utility(&self, RoleGoal { role, value }: &RoleGoal) -> Option<Utility> {
        self.utilities.value(&self.roles[role.index()], value).map(Utility::from)
    }

    /// The component of a node.
    pub fn component(&self, node: NodeIndex) -> &Component {
        &self.graph[node]
    }

    /// The inputs of a component, ascending and without duplicates.
    pub fn inputs(&self, node: NodeIndex) -> Vec<NodeIndex> {
        self.neighbours(node, Incoming)
    }

    /// The readers of a component, ascending and without duplicates.
    pub fn readers(&self, node: NodeIndex) -> Vec<NodeIndex> {
        self.neighbours(node, Outgoing)
    }

    fn neighbours(&self, node: NodeIndex, direction: Direction) -> Vec<NodeIndex> {
        let mut nodes: Vec<NodeIndex> = self.graph.neighbors_directed(node, direction).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The proposition of an output.
    pub(super) fn proposition(&self, output: Output) -> GroundTerm {
        let (keyword, arguments) = match output {
            Output::Next(fluent) => (Keyword::Next, vec![self.fluents[fluent.index()].fact.clone()]),
            Output::Legal(chosen) => {
                let known = &self.moves[chosen.index()];
                (Keyword::Legal, vec![self.roles[known.role.index()].clone(), known.term.clone()])
            }
            Output::Goal(index) => {
                let known = &self.goals[index];
                (Keyword::Goal, vec![self.roles[known.role.index()].clone(), known.value.clone()])
            }
            Output::Terminal => (Keyword::Terminal, Vec::new()),
            Output::Feature(index) => return self.features[index].clone(),
        };
        GroundTerm { name: keyword.name().into(), arguments }
    }

    /// Gives each fluent that mirrors one without a bit of its own the storage of that one.
    pub(super) fn resolve_storages(&mut self) {
        let storages: Vec<FluentStorage> = self.fluents.iter().map(|fluent| fluent.storage).collect();
        for fluent in &mut self.fluents {
            if let FluentStorage::Same(other) = fluent.storage
                && storages[other.index()] != FluentStorage::Own
            {
                fluent.storage = storages[other.index()];
            }
        }
    }

    /// Adds a component with these inputs.
    pub(super) fn add(&mut self, component: Component, inputs: &[NodeIndex]) -> NodeIndex {
        let node = self.graph.add_node(component);
        for &input in inputs {
            self.graph.add_edge(input, node, ());
        }
        node
    }
}
