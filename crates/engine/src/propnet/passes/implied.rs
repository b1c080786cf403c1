//! Implied inputs: inputs that the other inputs of a gate make redundant, within the gate and within gates that it
//! alone reads.
//!
//! In `a & (b | a c)` the inner `a` can be assumed true, since the whole is false without it; absorption, `a | a b` to
//! `a`, is a special case. Consequences of `a` count as well ([`super::knowledge`]): a move that is made is legal, so
//! the conditions of its legality need not be tested with it; and a cell that is marked cannot be marked by any move.

use super::super::netlist::{ComponentChange, Netlist};
use super::super::network::Component;
use super::Pass;
use super::exclusive;
use super::knowledge::{Knowledge, LONG, NetlistFacts};
use gdl::limits::{Poll, Stop};
use gdl::sorting;
use petgraph::graph::NodeIndex;

pub(super) const PASS: Pass = Pass {
    name: "implied",
    summary: "remove inputs that the other inputs of a gate imply, in legal play from the initial state",
    run,
};

/// The maximum depth of nested gates with a single reader that are simplified together.
const DEEPEST: usize = 40;

/// In gates with more inputs, these are not compared with each other.
const MOST_LITERALS: usize = 24;

/// The maximum number of conclusions of the pass; the remaining gates stay as they are.
const MOST_EFFORT: usize = 3_000_000;

fn run(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    let mut facts = exclusive::facts(netlist, poll)?;
    facts.is_edited = true;
    let is_inner = inner(netlist, &facts, poll)?;
    let mut work = ImpliedPass { knowledge: Knowledge::new(netlist), facts, is_inner };
    let mut changes = vec![ComponentChange::Keep; netlist.len()];
    for node in netlist.nodes() {
        poll.step()?;
        let is_root = work.is_gate(netlist, node) && !work.is_inner[node.index()];
        if is_root && work.knowledge.effort < MOST_EFFORT {
            poll.steps(LONG)?;
            work.knowledge.is_step = work.facts.depends_on_moves(node);
            if let Some(value) = work.simplify(netlist, node, 0) {
                changes[node.index()] = ComponentChange::Constant(value);
            }
        }
    }
    netlist.settle(&mut changes, poll)?;
    super::dead::run(netlist, poll)
}

/// For each gate and negation, true if its only reader is a single gate, directly or through one negation.
fn inner(netlist: &Netlist, facts: &NetlistFacts, poll: &Poll<'_>) -> Result<Vec<bool>, Stop> {
    let counts = netlist.reader_counts(poll)?;
    let mut is_inner = vec![false; netlist.len()];
    for node in netlist.nodes() {
        poll.steps(1 + netlist.inputs(node).len())?;
        let is_gate = matches!(netlist.component(node), Component::And | Component::Or) && !facts.is_cyclic(node);
        for &input in netlist.inputs(node) {
            let is_possible = counts[input.index()] == 1 && !facts.is_cyclic(input);
            is_inner[input.index()] = is_possible
                && match netlist.component(input) {
                    Component::And | Component::Or => is_gate || netlist.component(node) == Component::Not,
                    Component::Not => is_gate,
                    _ => false,
                };
        }
    }
    // A gate below a negation is inner only if the negation is.
    for node in netlist.nodes() {
        if netlist.component(node) == Component::Not && !is_inner[node.index()] {
            netlist.inputs(node).iter().for_each(|input| is_inner[input.index()] = false);
        }
    }
    Ok(is_inner)
}

/// The state of the pass over the whole netlist.
struct ImpliedPass {
    knowledge: Knowledge,
    facts: NetlistFacts,
    /// The components that are simplified together with their only reader ([`inner`]).
    is_inner: Vec<bool>,
}

impl ImpliedPass {
    /// True for a gate that is on no cycle.
    fn is_gate(&self, netlist: &Netlist, node: NodeIndex) -> bool {
        matches!(netlist.component(node), Component::And | Component::Or) && !self.facts.is_cyclic(node)
    }

    /// Removes inputs of a gate that are implied by what is known and by the other inputs, and does the same with inner
    /// gates. Returns the value of the gate if it is always the same as far as its readers can see.
    fn simplify(&mut self, netlist: &mut Netlist, gate: NodeIndex, depth: usize) -> Option<bool> {
        let mark = self.knowledge.mark();
        let value = self.simplify_within(netlist, gate, depth);
        self.knowledge.go_back(mark);
        value
    }

    fn simplify_within(&mut self, netlist: &mut Netlist, gate: NodeIndex, depth: usize) -> Option<bool> {
        let neutral = netlist.component(gate) == Component::And;
        let (inner, literals): (Vec<NodeIndex>, Vec<NodeIndex>) =
            netlist.inputs(gate).iter().partition(|input| self.is_inner[input.index()]);
        // One of them decides the gate, or they cannot all be neutral.
        let Some(mut kept) = self.literals(netlist, literals, neutral) else { return Some(!neutral) };
        for input in inner {
            match self.inner_value(netlist, input, depth) {
                Some(value) if value != neutral => return Some(value),
                Some(_) => {}
                None => kept.push(input),
            }
        }
        if kept.is_empty() {
            return Some(neutral);
        }
        netlist.set_inputs(gate, kept);
        None
    }

    /// The literals that are not implied; from now on all are assumed to be neutral. `None` if one of them decides the
    /// gate, or if they cannot all be neutral.
    fn literals(&mut self, netlist: &Netlist, literals: Vec<NodeIndex>, neutral: bool) -> Option<Vec<NodeIndex>> {
        let mark = self.knowledge.mark();
        let rank = |node: NodeIndex| match netlist.component(node) {
            Component::Input(_) => 0,
            Component::Base(_) => 2,
            _ => 1,
        };
        let mut kept = literals;
        // Once with gates first, which imply bases; once with bases first, which may imply gates.
        sorting::sort_by_key(&mut kept, |&node| rank(node));
        for _ in 0..2 {
            self.knowledge.go_back(mark);
            let mut left = Vec::with_capacity(kept.len());
            let are_few = kept.len() <= MOST_LITERALS;
            for &literal in &kept {
                match self.knowledge.evaluate(netlist, &self.facts, literal) {
                    Some(value) if value != neutral => return None,
                    Some(_) => {}
                    None => {
                        left.push(literal);
                        if are_few {
                            self.knowledge.assume(netlist, &self.facts, literal, neutral);
                        }
                    }
                }
                if self.knowledge.is_impossible {
                    return None;
                }
            }
            kept = left;
            if !are_few {
                break;
            }
            kept.reverse();
            sorting::sort_by_key(&mut kept, |&node| rank(node) % 2);
        }
        Some(kept)
    }

    /// The value of an inner gate if it is known or can be derived; otherwise simplifies the gate.
    fn inner_value(&mut self, netlist: &mut Netlist, input: NodeIndex, depth: usize) -> Option<bool> {
        if let Some(value) = self.knowledge.evaluate(netlist, &self.facts, input) {
            return Some(value);
        }
        if depth >= DEEPEST {
            return None;
        }
        if netlist.component(input) != Component::Not {
            return self.simplify(netlist, input, depth + 1);
        }
        let negated = netlist.inputs(input)[0];
        if !self.is_inner[negated.index()] {
            return None;
        }
        self.simplify(netlist, negated, depth + 1).map(|value| !value)
    }
}
