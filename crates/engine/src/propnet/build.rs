//! Builds components from ground rules, one for one.
//!
//! Every derived atom becomes a view; the view reads the disjunction of its rules, a rule is the conjunction of its
//! literals, and a negative literal reads through a negation. The propositions that the game asks for are outputs that
//! read the views. Nothing is simplified here; the passes do that, so that the effect of each can be measured.

use super::network::{Component, MoveId, Network, NetworkFluent, Output};
use crate::ground::{AtomId, AtomKind, GroundRule, Grounding, RulesByHead};
use crate::program::{FluentId, FluentStorage, MoveInput, RoleGoal};
use gdl::limits::{Limits, Poll, Stop, sort_within};
use gdl::rules::GroundTerm;
use gdl::sorting;
use petgraph::graph::NodeIndex;
use rustc_hash::FxHashMap;

/// Builds the network of a ground game. Time and memory are linear in the literals of its rules.
///
/// # Errors
/// If the interrupt or the deadline of the limits ends the work.
pub(super) fn build(grounding: &Grounding, limits: &Limits) -> Result<Network, Stop> {
    let poll = limits.poll();
    let mut builder = NetworkBuilder::new(grounding, limits)?;
    builder.atoms(&poll)?;
    builder.derive(&poll)?;
    limits.check()?;
    builder.outputs();
    builder.name(limits)?;
    Ok(builder.network)
}

struct NetworkBuilder<'a> {
    grounding: &'a Grounding,
    network: Network,
    /// The component that holds the value of each atom, by atom.
    nodes: Vec<NodeIndex>,
    /// The negation of each atom that some rule negates.
    negations: FxHashMap<AtomId, NodeIndex>,
}

impl<'a> NetworkBuilder<'a> {
    fn new(grounding: &'a Grounding, limits: &Limits) -> Result<Self, Stop> {
        let mut network = Network { roles: grounding.roles.clone(), ..Network::default() };
        limits.check()?;
        network.fluents = fluents(grounding);
        limits.check()?;
        network.moves = moves(grounding);
        network.goals = goals(grounding);
        network.features = features(grounding);
        network.utilities = grounding.utilities.clone();
        limits.check()?;
        Ok(Self { grounding, network, nodes: Vec::new(), negations: FxHashMap::default() })
    }

    /// Adds a component for each atom: bases for all fluents and inputs for all moves, used or not, and views for the
    /// rest.
    fn atoms(&mut self, poll: &Poll<'_>) -> Result<(), Stop> {
        let bases: Vec<NodeIndex> = (0..self.network.fluents.len())
            .map(|fluent| self.network.add(Component::Base(FluentId::new(fluent)), &[]))
            .collect();
        let inputs: Vec<NodeIndex> = (0..self.network.moves.len())
            .map(|chosen| self.network.add(Component::Input(MoveId::new(chosen)), &[]))
            .collect();
        for atom in &self.grounding.atoms {
            poll.step()?;
            let node = match atom.kind {
                AtomKind::True => {
                    let index = self.network.fluents.binary_search_by(|fluent| fluent.fact.cmp(&atom.term));
                    bases[index.expect("every fact is among the fluents")]
                }
                AtomKind::Does(role) => {
                    let key = (role, &atom.term);
                    let index = self.network.moves.binary_search_by(|known| (known.role, &known.term).cmp(&key));
                    inputs[index.expect("every move is among the moves")]
                }
                _ => self.network.add(Component::View, &[]),
            };
            self.nodes.push(node);
        }
        Ok(())
    }

    /// Connects every view to its input, the disjunction of its rules.
    fn derive(&mut self, poll: &Poll<'_>) -> Result<(), Stop> {
        let by_head = RulesByHead::new(self.grounding.atoms.len(), &self.grounding.rules);
        for atom in 0..self.grounding.atoms.len() {
            if matches!(self.grounding.atoms[atom].kind, AtomKind::True | AtomKind::Does(_)) {
                continue;
            }
            let rules = by_head.rules(AtomId::new(atom));
            let mut bodies = Vec::with_capacity(rules.len());
            for &rule in rules {
                let rule = &self.grounding.rules[rule as usize];
                poll.steps(1 + self.grounding.body(rule).len())?;
                bodies.push(self.body(rule));
            }
            let input = match bodies[..] {
                [] => self.network.add(Component::Constant(false), &[]),
                [only] => only,
                _ => self.network.add(Component::Or, &bodies),
            };
            self.network.graph.add_edge(input, self.nodes[atom], ());
        }
        Ok(())
    }

    /// The component for the conjunction of a rule's literals.
    fn body(&mut self, rule: &GroundRule) -> NodeIndex {
        let mut literals = Vec::with_capacity(rule.body.len());
        for literal in self.grounding.body(rule) {
            let node = self.nodes[literal.atom.index()];
            literals.push(match literal.negated {
                false => node,
                true => {
                    let network = &mut self.network;
                    *self.negations.entry(literal.atom).or_insert_with(|| network.add(Component::Not, &[node]))
                }
            });
        }
        match literals[..] {
            [] => self.network.add(Component::Constant(true), &[]),
            [only] => only,
            _ => self.network.add(Component::And, &literals),
        }
    }

    fn outputs(&mut self) {
        let mut next = FxHashMap::default();
        let mut legal = FxHashMap::default();
        let mut goal = FxHashMap::default();
        let mut terminal = None;
        let mut feature = FxHashMap::default();
        for (atom, &node) in self.grounding.atoms.iter().zip(&self.nodes) {
            match atom.kind {
                AtomKind::Next => _ = next.insert(&atom.term, node),
                AtomKind::Legal(role) => _ = legal.insert((role, &atom.term), node),
                AtomKind::Goal(role) => _ = goal.insert((role, &atom.term), node),
                AtomKind::Terminal => terminal = Some(node),
                AtomKind::Feature => _ = feature.insert(&atom.term, node),
                AtomKind::True | AtomKind::Does(_) | AtomKind::View => {}
            }
        }
        let fluents = self.network.fluents.len();
        let moves = self.network.moves.len();
        let mut found = Vec::with_capacity(fluents + moves + self.network.goals.len() + 1);
        for (index, fluent) in self.network.fluents.iter().enumerate() {
            found.push((Output::Next(FluentId::new(index)), next.get(&fluent.fact).copied()));
        }
        for (index, known) in self.network.moves.iter().enumerate() {
            found.push((Output::Legal(MoveId::new(index)), legal.get(&(known.role, &known.term)).copied()));
        }
        for (index, known) in self.network.goals.iter().enumerate() {
            found.push((Output::Goal(index), goal.get(&(known.role, &known.value)).copied()));
        }
        found.push((Output::Terminal, terminal));
        for (index, known) in self.network.features.iter().enumerate() {
            found.push((Output::Feature(index), feature.get(known).copied()));
        }
        for (output, node) in found {
            let node = node.unwrap_or_else(|| self.network.add(Component::Constant(false), &[]));
            self.network.add(Component::Output(output), &[node]);
        }
    }

    fn name(&mut self, limits: &Limits) -> Result<(), Stop> {
        let written = (0..self.grounding.atoms.len()).map(|atom| self.grounding.written(AtomId::new(atom)));
        let names = written.zip(self.nodes.iter().copied()).collect();
        self.network.names = sort_within(names, limits)?;
        Ok(())
    }
}

fn fluents(grounding: &Grounding) -> Vec<NetworkFluent> {
    let is_fact = |kind| matches!(kind, AtomKind::True | AtomKind::Next);
    let facts = grounding.atoms.iter().filter(|atom| is_fact(atom.kind));
    let fluent = |fact| NetworkFluent { fact, initially: false, storage: FluentStorage::Own };
    let mut fluents: Vec<NetworkFluent> = facts.map(|atom| fluent(atom.term.clone())).collect();
    sorting::sort_by(&mut fluents, |left, right| left.fact.cmp(&right.fact));
    fluents.dedup();
    for &atom in &grounding.initial {
        let fact = &grounding.atoms[atom.index()].term;
        let index = fluents.binary_search_by(|fluent| fluent.fact.cmp(fact));
        fluents[index.expect("an initial fact is an atom")].initially = true;
    }
    fluents
}

fn moves(grounding: &Grounding) -> Vec<MoveInput> {
    let role_move = |role, term: &_| MoveInput { role, term: GroundTerm::clone(term), is_possible: true };
    let mut moves: Vec<MoveInput> = (grounding.atoms.iter())
        .filter_map(|atom| match atom.kind {
            AtomKind::Does(role) | AtomKind::Legal(role) => Some(role_move(role, &atom.term)),
            _ => None,
        })
        .collect();
    sorting::sort_by(&mut moves, |left, right| (left.role, &left.term).cmp(&(right.role, &right.term)));
    moves.dedup();
    moves
}

fn goals(grounding: &Grounding) -> Vec<RoleGoal> {
    let mut goals: Vec<RoleGoal> = (grounding.atoms.iter())
        .filter_map(|atom| match atom.kind {
            AtomKind::Goal(role) => Some(RoleGoal { role, value: atom.term.clone() }),
            _ => None,
        })
        .collect();
    sorting::sort_by(&mut goals, |left, right| (left.role, &left.value).cmp(&(right.role, &right.value)));
    goals
}

fn features(grounding: &Grounding) -> Vec<GroundTerm> {
    let features = grounding.atoms.iter().filter(|atom| atom.kind == AtomKind::Feature);
    let mut features: Vec<GroundTerm> = features.map(|atom| atom.term.clone()).collect();
    features.sort_unstable();
    features
}
