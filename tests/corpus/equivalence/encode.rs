//! A network as a circuit: its outputs as functions of the fluents and moves of the network as built.

use super::circuit::{Circuit, Literal};
use ggp_engine::program::{FluentStorage, MoveInput};
use ggp_engine::propnet::{Component, Network, NetworkFluent, Output};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::NodeIndex;

/// Cycles of more components are not unrolled: the circuit is quadratic in their number.
const LONGEST_CYCLE: usize = 128;
/// Larger circuits are not built.
const MOST_NODES: usize = 2_000_000;

/// A variable for each fluent, and one for each move.
pub(super) struct Variables {
    pub(super) fluents: Vec<Literal>,
    pub(super) moves: Vec<Literal>,
}

impl Variables {
    pub(super) fn new(network: &Network, circuit: &mut Circuit) -> Self {
        let fluents = network.fluents.iter().map(|_| circuit.variable()).collect();
        Self { fluents, moves: network.moves.iter().map(|_| circuit.variable()).collect() }
    }

    /// The literals of all fluents and moves in the states that a network can represent.
    pub(super) fn stored_in(&self, network: &Network) -> Self {
        let fluents = stored(network, &self.fluents);
        let possible = |(known, &literal): (&MoveInput, _)| match known.is_possible {
            true => literal,
            false => Literal::FALSE,
        };
        Self { fluents, moves: network.moves.iter().zip(&self.moves).map(possible).collect() }
    }
}

/// The value of each fluent, given the values of those with a bit of their own.
pub(super) fn stored(network: &Network, own: &[Literal]) -> Vec<Literal> {
    let value = |(fluent, &own_value): (&NetworkFluent, &Literal)| match fluent.storage {
        FluentStorage::Own => own_value,
        FluentStorage::Always(value) => Literal::constant(value),
        FluentStorage::Same(other) => own[other.index()],
    };
    network.fluents.iter().zip(own).map(value).collect()
}

/// What the game asks for, as literals.
pub(super) struct Outputs {
    pub(super) next: Vec<Literal>,
    pub(super) legal: Vec<Literal>,
    pub(super) goal: Vec<Literal>,
    pub(super) terminal: Literal,
    pub(super) feature: Vec<Literal>,
}

impl Outputs {
    /// Those that depend on the state only, with their names.
    pub(super) fn of_state(&self, network: &Network) -> Vec<(String, Literal)> {
        let legal =
            network.moves.iter().zip(&self.legal).map(|(known, &value)| (format!("legal `{}`", known.term), value));
        let goal = network.goals.iter().zip(&self.goal).map(|(known, &value)| (format!("goal {}", known.value), value));
        let feature =
            network.features.iter().zip(&self.feature).map(|(term, &value)| (format!("feature `{term}`"), value));
        legal.chain(goal).chain(feature).chain([("terminal".to_string(), self.terminal)]).collect()
    }
}

/// The outputs of a network; an error says why it has no circuit.
///
/// A cycle is a positive recursion whose meaning is its least fixpoint. It is unrolled from false until it repeats, or
/// as often as it has components, after which it cannot grow.
pub(super) fn encode(network: &Network, given: &Variables, circuit: &mut Circuit) -> Result<Outputs, &'static str> {
    let mut values = vec![Literal::FALSE; network.graph.node_count()];
    let mut groups = kosaraju_scc(&network.graph);
    groups.reverse();
    for mut group in groups {
        group.sort_unstable();
        let is_cycle = group.len() > 1 || network.inputs(group[0]).contains(&group[0]);
        if is_cycle && group.len() > LONGEST_CYCLE {
            return Err("a long cycle");
        }
        if is_cycle && group.iter().any(|&node| *network.component(node) == Component::Not) {
            return Err("a negative cycle");
        }
        for _ in 0..group.len() {
            let mut is_changed = false;
            for &node in &group {
                let value = evaluate(network, node, &values, given, circuit);
                is_changed |= std::mem::replace(&mut values[node.index()], value) != value;
            }
            if !is_cycle || !is_changed {
                break;
            }
        }
        if circuit.len() > MOST_NODES {
            return Err("the size of the circuit");
        }
    }
    Ok(outputs(network, &values))
}

fn evaluate(
    network: &Network,
    node: NodeIndex,
    values: &[Literal],
    given: &Variables,
    circuit: &mut Circuit,
) -> Literal {
    let inputs = network.inputs(node).into_iter().map(|input| values[input.index()]);
    match network.component(node) {
        Component::Constant(value) => Literal::constant(*value),
        Component::Base(fluent) => given.fluents[fluent.index()],
        Component::Input(chosen) => given.moves[chosen.index()],
        Component::And => circuit.and(inputs),
        Component::Or => circuit.or(inputs),
        Component::Not => !circuit.and(inputs),
        Component::View | Component::Output(_) => circuit.and(inputs),
    }
}

/// An output that is missing is false, unless the storage of its fluent says what it is.
fn outputs(network: &Network, values: &[Literal]) -> Outputs {
    let none = |count: usize| vec![Literal::FALSE; count];
    let mut found = Outputs {
        next: none(network.fluents.len()),
        legal: none(network.moves.len()),
        goal: none(network.goals.len()),
        terminal: Literal::FALSE,
        feature: none(network.features.len()),
    };
    for node in network.graph.node_indices() {
        let value = values[node.index()];
        match network.component(node) {
            Component::Output(Output::Next(fluent)) => found.next[fluent.index()] = value,
            Component::Output(Output::Legal(chosen)) => found.legal[chosen.index()] = value,
            Component::Output(Output::Goal(goal)) => found.goal[*goal] = value,
            Component::Output(Output::Terminal) => found.terminal = value,
            Component::Output(Output::Feature(feature)) => found.feature[*feature] = value,
            _ => {}
        }
    }
    found.next = stored(network, &found.next);
    found
}
