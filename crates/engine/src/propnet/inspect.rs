//! What a network says of a state: the values of its components, and those near one of them.
//!
//! It is the network as built, which follows the ground rules one for one, so that every proposition of the rules is
//! there. Values are computed anew for each question, in time linear in the network; play uses the evaluators.

use super::describe::Labels;
use super::netlist::Netlist;
use super::network::{Component, Network};
use super::order::ComponentOrder;
use fixedbitset::FixedBitSet;
use gdl::rules::GroundTerm;
use ggp_game::Role;
use petgraph::graph::NodeIndex;
use serde::Serialize;

/// A network whose components can be asked for their values.
pub struct Inspector {
    network: Network,
    order: ComponentOrder,
}

/// A component near the one that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Inspected {
    /// The number of the component: its index in the network.
    pub component: usize,
    /// What it is: `base`, `input`, `view`, `and`, `or`, `not`, `constant` or `output`.
    #[serde(rename = "is")]
    pub kind: &'static str,
    /// The proposition that it computes, if it has a name.
    pub proposition: Option<GroundTerm>,
    /// Its value; `None` if that depends on moves that have not been chosen.
    pub value: Option<bool>,
    /// The number of edges to the component that was asked for.
    pub distance: usize,
    /// The numbers of its inputs, ascending.
    pub inputs: Vec<usize>,
    /// The numbers of the components that read it, ascending.
    pub readers: Vec<usize>,
}

/// Which values are possible: a component that may be true and may be false depends on the moves.
struct Possible {
    /// Components that can be true.
    may: FixedBitSet,
    /// Components that are true whatever the moves are.
    must: FixedBitSet,
}

impl Inspector {
    /// Prepares a network. Linear in its size.
    pub fn new(network: Network) -> Self {
        let order = ComponentOrder::from_inputs(Netlist::copy_of(&network).input_lists());
        Self { network, order }
    }

    /// The number of components.
    pub fn len(&self) -> usize {
        self.network.graph.node_count()
    }

    /// Whether there are no components.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The component of a proposition; a fact may be given without `true`.
    pub fn find(&self, proposition: &GroundTerm) -> Option<usize> {
        let names = &self.network.names;
        let find = |wanted: &GroundTerm| names.binary_search_by(|(name, _)| name.cmp(wanted)).ok();
        let index = find(proposition)
            .or_else(|| find(&GroundTerm { name: "true".into(), arguments: vec![proposition.clone()] }))?;
        Some(names[index].1.index())
    }

    /// The propositions that have a component, in canonical order.
    pub fn propositions(&self) -> impl Iterator<Item = &GroundTerm> {
        self.network.names.iter().map(|(name, _)| name)
    }

    /// The first fact of a state that the network does not know, if any: its values say nothing of such a state.
    pub fn unknown_fact<'a>(&self, facts: &'a [GroundTerm]) -> Option<&'a GroundTerm> {
        facts.iter().find(|fact| self.fluent(fact).is_none())
    }

    fn fluent(&self, fact: &GroundTerm) -> Option<usize> {
        self.network.fluents.binary_search_by(|fluent| fluent.fact.cmp(fact)).ok()
    }

    /// The components within a distance of one, along edges in either direction, nearest first and at most `most`, in a
    /// state; and the number of those that were left out. Moves are chosen by role, or not yet.
    pub fn around(
        &self,
        centre: usize,
        distance: usize,
        most: usize,
        facts: &[GroundTerm],
        moves: Option<&[GroundTerm]>,
    ) -> (Vec<Inspected>, usize) {
        let possible = self.evaluate(facts, moves);
        let labels = Labels::new(&self.network);
        let numbers = |nodes: Vec<NodeIndex>| nodes.into_iter().map(NodeIndex::index).collect();
        let near = self.nodes_within(NodeIndex::new(centre), distance);
        let shown = near.iter().take(most).map(|&(node, distance)| Inspected {
            component: node.index(),
            kind: kind(self.network.component(node)),
            proposition: labels.proposition(node),
            value: possible.value(node),
            distance,
            inputs: numbers(self.network.inputs(node)),
            readers: numbers(self.network.readers(node)),
        });
        (shown.collect(), near.len().saturating_sub(most))
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The nodes within a distance, with their distances, by distance and then by number.
    fn nodes_within(&self, centre: NodeIndex, distance: usize) -> Vec<(NodeIndex, usize)> {
        let mut seen = FixedBitSet::with_capacity(self.len());
        seen.insert(centre.index());
        let mut near = vec![(centre, 0)];
        let mut border = 0..1;
        for away in 1..=distance {
            let neighbours = |&(node, _): &(NodeIndex, usize)| self.network.graph.neighbors_undirected(node);
            let mut next: Vec<NodeIndex> = near[border.clone()].iter().flat_map(neighbours).collect();
            next.retain(|node| !seen.put(node.index()));
            if next.is_empty() {
                break;
            }
            next.sort_unstable();
            border = near.len()..near.len() + next.len();
            near.extend(next.into_iter().map(|node| (node, away)));
        }
        near
    }

    /// The possible values of all components in a state. Groups of components on cycles are brought to their least
    /// fixpoints, in both senses.
    fn evaluate(&self, facts: &[GroundTerm], moves: Option<&[GroundTerm]>) -> Possible {
        let count = self.len();
        let mut possible = Possible { may: FixedBitSet::with_capacity(count), must: FixedBitSet::with_capacity(count) };
        let mut holds = FixedBitSet::with_capacity(self.network.fluents.len());
        holds.extend(facts.iter().filter_map(|fact| self.fluent(fact)));
        for group in self.order.groups() {
            loop {
                let mut has_changed = false;
                for &node in group {
                    let (may, must) = self.compute(node, &possible, &holds, moves);
                    has_changed |= may != possible.may.contains(node.index());
                    has_changed |= must != possible.must.contains(node.index());
                    possible.may.set(node.index(), may);
                    possible.must.set(node.index(), must);
                }
                if group.len() == 1 || !has_changed {
                    break;
                }
            }
        }
        possible
    }

    /// Whether a component may be true and whether it must be, by its inputs.
    fn compute(
        &self,
        node: NodeIndex,
        possible: &Possible,
        holds: &FixedBitSet,
        moves: Option<&[GroundTerm]>,
    ) -> (bool, bool) {
        let inputs = || self.network.graph.neighbors_directed(node, petgraph::Incoming).map(NodeIndex::index);
        let may = |input| possible.may.contains(input);
        let must = |input| possible.must.contains(input);
        match *self.network.component(node) {
            Component::Constant(value) => (value, value),
            Component::Base(fluent) => (holds.contains(fluent.index()), holds.contains(fluent.index())),
            Component::Input(chosen) => {
                let input = &self.network.moves[chosen.index()];
                let is_made = |role: Role, moves: &[GroundTerm]| moves.get(role.index()) == Some(&input.term);
                moves.map_or((true, false), |moves| (is_made(input.role, moves), is_made(input.role, moves)))
            }
            Component::Not => (!inputs().all(must), !inputs().all(may)),
            Component::And => (inputs().all(may), inputs().all(must)),
            Component::Or | Component::View | Component::Output(_) => (inputs().any(may), inputs().any(must)),
        }
    }
}

impl Possible {
    fn value(&self, node: NodeIndex) -> Option<bool> {
        let may = self.may.contains(node.index());
        let must = self.must.contains(node.index());
        (may == must).then_some(must)
    }
}

/// What a component is, in one word.
fn kind(component: &Component) -> &'static str {
    match component {
        Component::Constant(_) => "constant",
        Component::Base(_) => "base",
        Component::Input(_) => "input",
        Component::View => "view",
        Component::And => "and",
        Component::Or => "or",
        Component::Not => "not",
        Component::Output(_) => "output",
    }
}
