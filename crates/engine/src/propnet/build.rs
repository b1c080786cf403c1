//! Builds components from ground rules, one for one, and checks the result.
//!
//! Every derived atom becomes a view; the view reads the disjunction of its rules, a rule is the conjunction of its
//! literals, and a negative literal reads through a negation. The propositions that the game asks for are outputs that
//! read the views. Nothing is simplified here; the passes do that, so that the effect of each can be measured. Each
//! network is compared with its ground rules before it is used, and the tests repeat the other checks after each pass.

use super::PropnetError;
use super::netlist::{ComponentOrder, Netlist};
use super::network::{Component, MoveId, Network, NetworkFluent, Output};
use crate::ground::{AtomId, AtomKind, GroundRule, Grounding, RulesByHead};
use crate::program::{FluentId, FluentStorage, MoveInput, RoleGoal};
use gdl::limits::{Limits, Poll, Stop, sort_within};
use gdl::rules::GroundTerm;
use gdl::sorting;
use petgraph::graph::NodeIndex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Builds the network of a ground game without any simplification, and checks it as [`check_faithful`] does. Time and
/// memory are linear in the literals of its rules.
///
/// # Errors
/// [`PropnetError::Unfaithful`]; or if the interrupt or the deadline of the limits ends the work.
pub fn build(grounding: &Grounding, limits: &Limits) -> Result<Network, PropnetError> {
    let poll = limits.poll();
    let mut builder = NetworkBuilder::new(grounding, limits)?;
    builder.atoms(&poll)?;
    builder.derive(&poll)?;
    limits.check()?;
    builder.outputs();
    builder.name(limits)?;
    check_faithful_within(grounding, &builder.network, limits)?;
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

    /// Adds an output for each proposition that the game needs; one that no rule derives reads a constant.
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
        let mut found = Vec::new();
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

    /// Names the component of each atom, in canonical order of the names.
    fn name(&mut self, limits: &Limits) -> Result<(), Stop> {
        let written = (0..self.grounding.atoms.len()).map(|atom| self.grounding.written(AtomId::new(atom)));
        let names = written.zip(self.nodes.iter().copied()).collect();
        self.network.names = sort_within(names, limits)?;
        Ok(())
    }
}

/// The fluents that can hold, in canonical order, each with its initial value.
fn fluents(grounding: &Grounding) -> Vec<NetworkFluent> {
    // A fact that only `next` mentions can hold too.
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

/// The moves that are legal in some state, or that some rule reads, by role and in canonical order.
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

/// Checks that a network as built represents the ground rules: every proposition has one component, the initial facts
/// are the same, and every ground `next`, `legal`, `goal`, `terminal` and feature has an output that reads its
/// proposition. Linear in the number of atoms.
///
/// # Errors
/// [`PropnetError::Unfaithful`], with the first proposition that violates this.
pub fn check_faithful(grounding: &Grounding, network: &Network) -> Result<(), PropnetError> {
    check_faithful_within(grounding, network, &Limits::none())
}

fn check_faithful_within(grounding: &Grounding, network: &Network, limits: &Limits) -> Result<(), PropnetError> {
    let poll = limits.poll();
    poll.steps(network.names.len() + grounding.initial.len())?;
    let unfaithful = |proposition: &GroundTerm, problem| {
        Err(PropnetError::Unfaithful { proposition: proposition.to_string(), problem })
    };
    if let Some(twice) = network.names.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return unfaithful(&twice[0].0, "has two components");
    }
    let initial: FxHashSet<&GroundTerm> =
        grounding.initial.iter().map(|&atom| &grounding.atoms[atom.index()].term).collect();
    if let Some(fluent) = network.fluents.iter().find(|it| it.initially != initial.contains(&it.fact)) {
        return unfaithful(&fluent.fact, "has another initial value than the rules say");
    }
    // As built, each named node computes one proposition, so the name of a node says what an output reads.
    let mut named = vec![None; network.graph.node_count()];
    network.names.iter().for_each(|(name, node)| named[node.index()] = Some(name));
    let mut answered: FxHashSet<&GroundTerm> = FxHashSet::default();
    for node in network.graph.node_indices() {
        poll.step()?;
        let Component::Output(output) = *network.component(node) else { continue };
        // An output that reads a constant has a proposition that no rule derives.
        let Some(read) = network.inputs(node).first().and_then(|input| named[input.index()]) else { continue };
        let proposition = network.proposition(output);
        if *read != proposition {
            return unfaithful(&proposition, "has an output that reads another proposition");
        }
        answered.insert(read);
    }
    let is_asked = |kind| !matches!(kind, AtomKind::True | AtomKind::Does(_) | AtomKind::View);
    let atoms = grounding.atoms.iter().zip((0..).map(AtomId::new)).filter(|(atom, _)| is_asked(atom.kind));
    // Names are written only for atoms that need an output: most atoms are views.
    for (_, id) in atoms {
        poll.step()?;
        let name = grounding.written(id);
        if !answered.contains(&name) {
            return unfaithful(&name, "has no output");
        }
    }
    Ok(())
}

/// Checks that everything in a network which may change has its output: every fluent with a bit of its own, every move
/// that can be legal, every goal value, every feature, and terminal. Passes must keep these, because lowering treats a
/// missing output as false. Linear in the number of components.
///
/// # Errors
/// [`PropnetError::Unfaithful`], with the first proposition without an output.
pub fn check_outputs(network: &Network) -> Result<(), PropnetError> {
    let components = network.graph.node_weights();
    let found: FxHashSet<Output> = components
        .filter_map(|component| if let Component::Output(output) = *component { Some(output) } else { None })
        .collect();
    let own = |(_, fluent): &(usize, &NetworkFluent)| fluent.storage == FluentStorage::Own;
    let next = network.fluents.iter().enumerate().filter(own).map(|(index, _)| Output::Next(FluentId::new(index)));
    let possible = network.moves.iter().enumerate().filter(|(_, known)| known.is_possible);
    let legal = possible.map(|(index, _)| Output::Legal(MoveId::new(index)));
    let goals = (0..network.goals.len()).map(Output::Goal);
    let features = (0..network.features.len()).map(Output::Feature);
    let mut wanted = next.chain(legal).chain(goals).chain(features).chain([Output::Terminal]);
    match wanted.find(|output| !found.contains(output)) {
        Some(lost) => {
            let proposition = network.proposition(lost).to_string();
            Err(PropnetError::Unfaithful { proposition, problem: "has no output" })
        }
        None => Ok(()),
    }
}

/// A cycle through a negation, which no rule sheet that passes the checks can have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("internal error: the network has a cycle through a negation: {}", list(propositions))]
pub struct GateNegativeCycle {
    /// The named propositions on the cycle, each after one that it depends on.
    pub propositions: Vec<GroundTerm>,
}

fn list(terms: &[GroundTerm]) -> String {
    terms.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Searches for a cycle through a negation, which has no least fixpoint. Linear in components and edges.
///
/// # Errors
/// [`GateNegativeCycle`] with the shortest cycle through the first such negation.
pub fn check_cycles(network: &Network) -> Result<(), GateNegativeCycle> {
    let netlist = Netlist::copy_of(network);
    let order = ComponentOrder::from_inputs(netlist.input_lists());
    let is_bad = |node: &NodeIndex| {
        netlist.component(*node) == Component::Not
            && netlist.inputs(*node).iter().any(|&i| order.are_together(i, *node))
    };
    match netlist.nodes().find(is_bad) {
        None => Ok(()),
        Some(negation) => Err(GateNegativeCycle { propositions: cycle(&netlist, negation) }),
    }
}

/// The names on a shortest cycle through a node.
fn cycle(netlist: &Netlist, through: NodeIndex) -> Vec<GroundTerm> {
    // Backwards and breadth first; each node remembers the reader from which it was reached.
    let mut queue = VecDeque::from([through]);
    let mut readers = FxHashMap::default();
    while let Some(node) = queue.pop_front() {
        for &input in netlist.inputs(node) {
            readers.entry(input).or_insert_with(|| {
                queue.push_back(input);
                node
            });
        }
    }
    let mut members = vec![through];
    let mut node = readers[&through];
    while node != through {
        members.push(node);
        node = readers[&node];
    }
    let name = |member: &NodeIndex| netlist.network.names.iter().find(|(_, node)| node == member);
    members.iter().filter_map(name).map(|(name, _)| name.clone()).collect()
}
