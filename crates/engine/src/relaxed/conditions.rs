//! The conditions on which the cost of the goal depends, as a flat list made from the gates of a network.
//!
//! A condition is a fluent or a gate together with the value that it has to get. It has alternatives, of which the
//! cheapest counts; an alternative is a list of conditions that have to hold together.
//! [`RelaxedConditions::from_gates`] keeps the conditions on which the goal depends, replaces negations by the other
//! value of their input, and dissolves gates into the alternatives of their readers. The remaining conditions are
//! numbered in the order in which their costs are computed.

use crate::propnet::{Component, Network, Output};
use gdl::number::to_u32;
use ggp_game::Utility;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::NodeIndex;

/// The kind of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConditionKind {
    /// A fluent gets a value, in the state itself or, by one of the alternatives, in the next one.
    Fluent,
    /// The move of this number is made; the alternatives make it legal.
    Move(u32),
    /// A gate gets a value.
    Gate,
    /// A gate gets a value, at no cost.
    Free,
}

/// All conditions, by their indices.
#[derive(Clone, Debug)]
pub(super) struct RelaxedConditions {
    kinds: Vec<ConditionKind>,
    /// The number of the first alternative of each condition; one more entry marks the end.
    first_alternative: Vec<u32>,
    /// The start of each alternative in `members`; one more entry marks the end.
    first_member: Vec<u32>,
    /// The conditions of the alternatives.
    members: Vec<u32>,
    /// For each fluent of the network, the conditions that it becomes true and that it becomes false.
    pub(super) fluents: Vec<[Option<u32>; 2]>,
    /// The condition that the goal is reached.
    pub(super) goal: u32,
    /// The first condition that only the goal needs, and no fluent; all later ones are needed by the goal alone.
    pub(super) last: u32,
    /// True if some gate counts as free although its inputs may cost something.
    pub(super) has_free: bool,
}

impl RelaxedConditions {
    /// The conditions on which the goal of a network depends: for its cost alone or, if `for_plan`, for following the
    /// reasons of the cost to a plan. In a plan the order of equally cheap reasons matters, and so do moves that cost
    /// nothing.
    pub(super) fn from_gates(gates: &Gates, for_plan: bool) -> Self {
        let mut dissolver = Dissolver::new(gates, for_plan);
        dissolver.dissolve();
        dissolver.finish()
    }

    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    pub(super) fn kind(&self, condition: u32) -> ConditionKind {
        self.kinds[condition as usize]
    }

    /// The alternatives of a condition, each a list of conditions.
    pub(super) fn alternatives(&self, condition: u32) -> impl ExactSizeIterator<Item = &[u32]> {
        let all = self.first_alternative[condition as usize]..self.first_alternative[condition as usize + 1];
        all.map(|index| {
            let index = index as usize;
            &self.members[self.first_member[index] as usize..self.first_member[index + 1] as usize]
        })
    }
}

/// The alternatives of a condition.
type ConditionAlternatives = Vec<Vec<u32>>;

/// The search for the conditions. A *literal* is a gate with the value that it has to get, as a number: twice the index
/// of the gate, plus one for true.
struct Dissolver<'a> {
    gates: &'a Gates,
    for_plan: bool,
    /// For each literal on which the goal depends, the number of literals that refer to it; 0 for all others.
    uses: Vec<u32>,
    /// The alternatives that replace each literal in the literals that refer to it.
    forms: Vec<ConditionAlternatives>,
    /// The conditions so far, in the order in which they were found.
    found: Vec<(ConditionKind, ConditionAlternatives)>,
    /// For each condition, true if following its reasons within a state may reach a move.
    may_move: Vec<bool>,
    /// Literals with their conditions, for literals that others may refer to before their own alternatives are known.
    early: Vec<(u32, u32)>,
    /// A condition that can never hold.
    never: Option<u32>,
}

/// The alternatives of a literal without conditions: one empty alternative.
const NOTHING: [[u32; 0]; 1] = [[]];

/// A gate with more members than this becomes a condition, and is not copied into each of its readers.
const COPIED: usize = 2;

fn literal(gate: u32, wanted: bool) -> u32 {
    2 * gate + u32::from(wanted)
}

/// True if the gate of a literal has to become true.
fn is_wanted(literal: u32) -> bool {
    literal % 2 == 1
}

impl<'a> Dissolver<'a> {
    fn new(gates: &'a Gates, for_plan: bool) -> Self {
        let literals = 2 * gates.all.len();
        let uses = vec![0; literals];
        let forms = vec![Vec::new(); literals];
        let found = Vec::new();
        let may_move = Vec::new();
        let early = Vec::new();
        let mut dissolver = Self { gates, for_plan, uses, forms, found, may_move, early, never: None };
        dissolver.find_uses();
        dissolver
    }

    fn gate(&self, literal: u32) -> &'a CostGate {
        &self.gates.all[literal as usize / 2]
    }

    /// True if the gate depends on itself and has to become false, which counts as free.
    fn is_free(&self, literal: u32) -> bool {
        !is_wanted(literal) && self.gates.is_circular[literal as usize / 2]
    }

    /// Counts the references to each literal on which the goal depends.
    fn find_uses(&mut self) {
        let goal = literal(self.gates.goal, true);
        self.uses[goal as usize] = 1;
        let mut stack = vec![goal];
        while let Some(reader) = stack.pop() {
            if self.is_free(reader) && !self.for_plan {
                continue;
            }
            let wanted = is_wanted(reader);
            let mut refer = |input: u32, wanted: bool| {
                let uses = &mut self.uses[literal(input, wanted) as usize];
                *uses += 1;
                if *uses == 1 {
                    stack.push(literal(input, wanted));
                }
            };
            match *self.gates.all.get(reader as usize / 2).expect("a literal belongs to a gate") {
                CostGate::Constant(_) => {}
                CostGate::Base(_, next) => refer(next, wanted),
                CostGate::Input(_, legal) if wanted => refer(legal, true),
                // Another move can be made instead, so a move that is not made has no conditions.
                CostGate::Input(..) => {}
                CostGate::Not(input) => refer(input, !wanted),
                CostGate::And(ref inputs) | CostGate::Or(ref inputs) => {
                    inputs.iter().for_each(|&input| refer(input, wanted))
                }
            }
        }
    }

    /// Finds the conditions. Gates come after their inputs, except in cycles; those of a cycle, fluents and moves have
    /// conditions of their own from the start.
    fn dissolve(&mut self) {
        let literals = 0..to_u32(self.uses.len());
        let relevant: Vec<u32> = literals.filter(|&literal| self.uses[literal as usize] > 0).collect();
        for &literal in &relevant {
            let kind = match *self.gate(literal) {
                CostGate::Base(..) => ConditionKind::Fluent,
                CostGate::Input(chosen, _) if is_wanted(literal) => ConditionKind::Move(chosen),
                _ if self.is_free(literal) && self.for_plan => ConditionKind::Free,
                _ if self.gates.is_circular[literal as usize / 2] && is_wanted(literal) => ConditionKind::Gate,
                _ => continue,
            };
            let condition = self.add(kind, Vec::new(), kind != ConditionKind::Fluent);
            self.early.push((literal, condition));
            self.forms[literal as usize] = vec![vec![condition]];
        }
        for &literal in &relevant {
            if self.early.binary_search_by_key(&literal, |&(early, _)| early).is_err() {
                let form = if self.is_free(literal) { vec![Vec::new()] } else { self.body(literal) };
                self.forms[literal as usize] = form;
                let size: usize = self.forms[literal as usize].iter().map(Vec::len).sum();
                if self.uses[literal as usize] > 1 && size > COPIED {
                    self.condition(literal);
                }
            }
        }
        let has_free = self.has_free();
        for (literal, condition) in std::mem::take(&mut self.early) {
            let mut body = self.body(literal);
            // A reason that needs the fluent itself is never the cheapest one, unless something on the way is free.
            if self.found[condition as usize].0 == ConditionKind::Fluent && !has_free {
                body.retain(|members| !members.contains(&condition));
            }
            self.found[condition as usize].1 = body;
        }
    }

    fn has_free(&self) -> bool {
        self.found.iter().any(|&(kind, _)| kind == ConditionKind::Free)
    }

    fn add(&mut self, kind: ConditionKind, alternatives: ConditionAlternatives, may_move: bool) -> u32 {
        self.may_move.push(may_move);
        self.found.push((kind, alternatives));
        to_u32(self.found.len()) - 1
    }

    /// The condition of a literal, which is added if there is none.
    fn condition(&mut self, literal: u32) -> u32 {
        if let [members] = &self.forms[literal as usize][..]
            && let &[condition] = &members[..]
        {
            return condition;
        }
        let alternatives = std::mem::take(&mut self.forms[literal as usize]);
        let may_move = alternatives.iter().flatten().any(|&member| self.may_move[member as usize]);
        let condition = self.add(ConditionKind::Gate, alternatives, may_move);
        self.forms[literal as usize] = vec![vec![condition]];
        condition
    }

    /// The alternatives of a literal, from the alternatives of the literals to which it refers.
    fn body(&mut self, reader: u32) -> ConditionAlternatives {
        let wanted = is_wanted(reader);
        match *self.gate(reader) {
            CostGate::Constant(value) if value == wanted => vec![Vec::new()],
            CostGate::Constant(_) => self.never_holds(),
            CostGate::Base(_, next) => self.forms[literal(next, wanted) as usize].clone(),
            CostGate::Input(_, legal) if wanted => self.forms[literal(legal, true) as usize].clone(),
            // Another move can be made instead.
            CostGate::Input(..) => vec![Vec::new()],
            CostGate::Not(input) => self.forms[literal(input, !wanted) as usize].clone(),
            CostGate::And(ref inputs) if wanted => self.all(inputs, true),
            CostGate::Or(ref inputs) if !wanted => self.all(inputs, false),
            CostGate::And(ref inputs) | CostGate::Or(ref inputs) => self.any(inputs, wanted),
        }
    }

    fn all(&mut self, inputs: &[u32], wanted: bool) -> ConditionAlternatives {
        let literals = || inputs.iter().map(|&input| literal(input, wanted));
        let is_needed = |&literal: &u32| self.forms[literal as usize] != NOTHING;
        let needed: Vec<u32> = literals().filter(is_needed).collect();
        if let [only] = needed[..] {
            return self.forms[only as usize].clone();
        }
        let mut members = Vec::new();
        for literal in needed {
            match &self.forms[literal as usize][..] {
                [] => return Vec::new(),
                [only] => members.extend_from_slice(only),
                _ => members.push(self.condition(literal)),
            }
        }
        vec![members]
    }

    fn any(&mut self, inputs: &[u32], wanted: bool) -> ConditionAlternatives {
        let forms = inputs.iter().map(|&input| &self.forms[literal(input, wanted) as usize]);
        let mut alternatives: ConditionAlternatives = forms.flatten().cloned().collect();
        if alternatives.is_empty() {
            return self.never_holds();
        }
        if let Some(free) = alternatives.iter().position(Vec::is_empty) {
            // A free alternative is chosen before all later ones, and before earlier ones unless these are free as well.
            let is_inert = |members: &Vec<u32>| !members.iter().any(|&member| self.may_move[member as usize]);
            match !self.for_plan || alternatives[..free].iter().all(is_inert) {
                true => return vec![Vec::new()],
                false => alternatives.truncate(free + 1),
            }
        }
        alternatives
    }

    /// The alternatives of a literal that can never hold. A plan may pass through such a condition behind a free gate,
    /// so there it needs a condition.
    fn never_holds(&mut self) -> ConditionAlternatives {
        if !self.for_plan {
            return Vec::new();
        }
        let never = match self.never {
            Some(never) => never,
            None => self.add(ConditionKind::Gate, Vec::new(), false),
        };
        self.never = Some(never);
        vec![vec![never]]
    }

    /// Numbers the conditions in the order in which their costs are computed: each fluent after the conditions on which
    /// it depends in one state.
    fn finish(mut self) -> RelaxedConditions {
        let goal = self.condition(literal(self.gates.goal, true));
        let has_free = self.has_free();
        let (order, last) = self.order(goal);
        let mut numbers = vec![u32::MAX; self.found.len()];
        order.iter().zip(0..).for_each(|(&condition, number)| numbers[condition as usize] = number);
        let fluents = self.fluents(&numbers);
        let mut conditions = RelaxedConditions {
            kinds: Vec::new(),
            first_alternative: vec![0],
            first_member: vec![0],
            members: Vec::new(),
            fluents,
            goal: numbers[goal as usize],
            last,
            has_free,
        };
        for condition in order {
            let (kind, alternatives) = &self.found[condition as usize];
            conditions.kinds.push(*kind);
            for alternative in alternatives {
                conditions.members.extend(alternative.iter().map(|&member| numbers[member as usize]));
                conditions.first_member.push(to_u32(conditions.members.len()));
            }
            conditions.first_alternative.push(to_u32(conditions.first_member.len()) - 1);
        }
        conditions
    }

    /// The conditions on which the goal depends, each after its members of the same state; and the number of those on
    /// which fluents depend, which come first.
    fn order(&self, goal: u32) -> (Vec<u32>, u32) {
        let is_fluent = |condition: u32| self.found[condition as usize].0 == ConditionKind::Fluent;
        let members = |condition: u32| self.found[condition as usize].1.iter().flatten().copied();
        let mut fluents = Vec::new();
        let mut is_known = vec![false; self.found.len()];
        let mut stack = vec![goal];
        while let Some(condition) = stack.pop() {
            if !std::mem::replace(&mut is_known[condition as usize], true) {
                stack.extend(members(condition));
                fluents.extend(Some(condition).filter(|&condition| is_fluent(condition)));
            }
        }
        is_known.fill(false);
        let mut order = Vec::new();
        let mut last = 0;
        for first in fluents.into_iter().rev().map(Some).chain([None]) {
            last = if first.is_none() { to_u32(order.len()) } else { last };
            let mut stack = vec![(first.unwrap_or(goal), false)];
            while let Some((condition, is_left)) = stack.pop() {
                if is_left {
                    order.push(condition);
                } else if !std::mem::replace(&mut is_known[condition as usize], true) {
                    stack.push((condition, true));
                    let of_state = |&member: &u32| !is_fluent(member);
                    stack.extend(members(condition).filter(of_state).map(|member| (member, false)));
                }
            }
        }
        (order, last)
    }

    /// The conditions of each fluent of the network, by their final numbers.
    fn fluents(&self, numbers: &[u32]) -> Vec<[Option<u32>; 2]> {
        let mut fluents = Vec::new();
        for (gate, index) in self.gates.all.iter().zip(0_u32..) {
            let CostGate::Base(fluent, _) = *gate else { continue };
            let of = |wanted: bool| {
                let form = self.forms[literal(index, wanted) as usize].first()?;
                Some(numbers[form[0] as usize]).filter(|&number| number != u32::MAX)
            };
            if fluents.len() <= fluent as usize {
                fluents.resize(fluent as usize + 1, [None; 2]);
            }
            fluents[fluent as usize] = [of(true), of(false)];
        }
        fluents
    }
}

/// A gate and the gates that determine its costs. Numbers are indices of gates unless stated otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CostGate {
    Constant(bool),
    /// A fluent, by its index in the network, and the gate that decides whether it holds in the next state.
    Base(u32, u32),
    /// A move, by its number, and the gate that decides whether it is legal.
    Input(u32, u32),
    Not(u32),
    /// True if all inputs are.
    And(Vec<u32>),
    /// True if any input is. A view is an `Or` of one input.
    Or(Vec<u32>),
}

/// The gates of a network, each after its inputs, except in cycles.
#[derive(Clone, Debug)]
pub(super) struct Gates {
    pub(super) all: Vec<CostGate>,
    /// True for a gate that depends on itself. Its cost to become false counts as 0, which never overestimates.
    is_circular: Vec<bool>,
    /// The gate that is true in a goal state.
    pub(super) goal: u32,
}

impl Gates {
    /// The gates of a network. The goal is a terminal state worth `goal` or more for the first role; without `goal`,
    /// the greatest goal value in the rules.
    pub(super) fn from_network(network: &Network, goal: Option<Utility>) -> Self {
        let graph = &network.graph;
        // Kosaraju's components come in reverse topological order, so after the reversal inputs come first.
        let mut order = kosaraju_scc(graph);
        let is_looped = |nodes: &[NodeIndex]| nodes.len() > 1 || graph.contains_edge(nodes[0], nodes[0]);
        order.reverse();
        let mut indices = vec![0; graph.node_count()];
        let mut is_circular = Vec::new();
        for nodes in &order {
            for &node in nodes {
                indices[node.index()] = to_u32(is_circular.len());
                is_circular.push(is_looped(nodes));
            }
        }
        let index = |node: NodeIndex| indices[node.index()];
        let outputs = outputs(network, index);
        let gate = |&node: &NodeIndex| {
            let inputs = || network.inputs(node).into_iter().map(index).collect::<Vec<u32>>();
            match *network.component(node) {
                Component::Constant(value) => CostGate::Constant(value),
                Component::Base(fluent) => CostGate::Base(to_u32(fluent.index()), outputs.next[fluent.index()]),
                Component::Input(chosen) => CostGate::Input(to_u32(chosen.index()), outputs.legal[chosen.index()]),
                Component::Not => CostGate::Not(inputs()[0]),
                Component::And => CostGate::And(inputs()),
                Component::View | Component::Or | Component::Output(_) => CostGate::Or(inputs()),
            }
        };
        let mut all: Vec<CostGate> = order.iter().flatten().map(gate).collect();
        let goals = outputs.goals(network, goal);
        all.push(CostGate::Or(goals));
        all.push(CostGate::And(vec![outputs.terminal, to_u32(all.len()) - 1]));
        is_circular.extend([false, false]);
        Self { goal: to_u32(all.len()) - 1, all, is_circular }
    }
}

/// The gates of the network's outputs.
struct OutputGates {
    next: Vec<u32>,
    legal: Vec<u32>,
    /// Each with the index of its goal in the network.
    goals: Vec<(usize, u32)>,
    terminal: u32,
}

fn outputs(network: &Network, index: impl Fn(NodeIndex) -> u32) -> OutputGates {
    let next = vec![0; network.fluents.len()];
    let legal = vec![0; network.moves.len()];
    let mut outputs = OutputGates { next, legal, goals: Vec::new(), terminal: 0 };
    for node in network.graph.node_indices() {
        let Component::Output(output) = *network.component(node) else { continue };
        match output {
            Output::Next(fluent) => outputs.next[fluent.index()] = index(node),
            Output::Legal(chosen) => outputs.legal[chosen.index()] = index(node),
            Output::Goal(goal) => outputs.goals.push((goal, index(node))),
            Output::Terminal => outputs.terminal = index(node),
            Output::Feature(_) => {}
        }
    }
    outputs
}

impl OutputGates {
    /// The gates of goal values of the first role that are at least `wanted`, or of the greatest one.
    fn goals(&self, network: &Network, wanted: Option<Utility>) -> Vec<u32> {
        let value = |goal: usize| {
            let goal = &network.goals[goal];
            (goal.role.index() == 0).then(|| network.utility(goal)).flatten()
        };
        let best = self.goals.iter().filter_map(|&(goal, _)| value(goal)).max();
        let Some(least) = wanted.or(best) else { return Vec::new() };
        let is_enough = |goal| value(goal).is_some_and(|value| value >= least);
        self.goals.iter().filter(|&&(goal, _)| is_enough(goal)).map(|&(_, gate)| gate).collect()
    }
}
