//! Disjunctions over most moves of which exactly one is made at each step: each is the negation of the disjunction over
//! the others, and a disjunction over all of them is true.
//!
//! The pass `one-move` does this for the moves of one role. Whatever depends on moves is evaluated with exactly one
//! possible move of each role, so this keeps the answers.
//!
//! The pass `turns` does it for two roles that take turns, with all their moves except those for waiting. Unit
//! propagation ([`super::knowledge`]) finds the moves for waiting: those that leave the other role a choice. The pass
//! checks that all other moves leave the other role only moves for waiting, and that the two roles cannot both wait.

use super::super::netlist::Netlist;
use super::super::network::Component;
use super::Pass;
use super::exclusive;
use super::knowledge::{Knowledge, NetlistFacts};
use gdl::limits::{Poll, Stop};
use gdl::sorting;
use petgraph::graph::NodeIndex;
use std::cmp::Reverse;
use std::collections::BTreeMap;

pub(super) const ONE_MOVE: Pass = Pass {
    name: "one-move",
    summary: "turn an or over most moves of a role into the negation of the or over the others",
    run: run_one_move,
};

/// The cost of a negation and a disjunction: two components, the edge between them and the edge to the reader.
const NEGATED_OR_COST: usize = 4;

fn run_one_move(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    let roles = inputs_by_role(netlist);
    for gate in netlist.nodes() {
        poll.steps(1 + netlist.inputs(gate).len())?;
        if netlist.component(gate) == Component::Or {
            roles.iter().for_each(|moves| complement_moves(netlist, gate, moves));
        }
    }
    netlist.settle(&mut Vec::new(), poll)
}

/// The inputs of the possible moves of each role; empty if a possible move has no input.
fn inputs_by_role(netlist: &Netlist) -> Vec<Vec<NodeIndex>> {
    let moves = &netlist.network.moves;
    let mut inputs = vec![Vec::new(); netlist.network.roles.len()];
    for node in netlist.nodes() {
        if let Component::Input(chosen) = netlist.component(node) {
            inputs[moves[chosen.index()].role.index()].push(node);
        }
    }
    for (role, inputs) in inputs.iter_mut().enumerate() {
        let possible = moves.iter().filter(|chosen| chosen.is_possible && chosen.role.index() == role).count();
        if inputs.len() != possible {
            inputs.clear();
        }
    }
    inputs
}

/// Replaces the moves of a role in a disjunction by their complement, if that is smaller.
fn complement_moves(netlist: &mut Netlist, gate: NodeIndex, moves: &[NodeIndex]) {
    let inputs = netlist.inputs(gate);
    let mentioned = inputs.iter().filter(|input| moves.binary_search(input).is_ok()).count();
    let missing = moves.len() - mentioned;
    if mentioned < 2 || missing > 0 && missing + NEGATED_OR_COST > mentioned {
        return;
    }
    let others: Vec<NodeIndex> = moves.iter().copied().filter(|chosen| inputs.binary_search(chosen).is_err()).collect();
    let mut rest: Vec<NodeIndex> = inputs.iter().copied().filter(|input| moves.binary_search(input).is_err()).collect();
    rest.push(netlist.add_none_of(others));
    netlist.set_inputs(gate, rest);
}

pub(super) const TURNS: Pass = Pass {
    name: "turns",
    summary: "turn an or over most moves of two roles that take turns into the negation of the or over the others",
    run: run_turns,
};

/// The maximum number of conclusions in the search for turns.
const MOST_EFFORT: usize = 500_000;

/// A role with more moves for waiting is not considered.
const MOST_WAITING: usize = 8;

/// The maximum number of conditions of a move, and of shared conditions, that are considered.
const MOST_CONDITIONS: usize = 64;
const MOST_SHARED: usize = 8;

fn run_turns(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    if netlist.network.roles.len() < 2 {
        return Ok(());
    }
    let mut facts = exclusive::facts(netlist, poll)?;
    facts.is_edited = true;
    let mut knowledge = Knowledge::new(netlist);
    knowledge.is_step = true;
    // The next state does not matter here, and conclusions about it would cost much effort.
    knowledge.stops_at_moves = true;
    for first in 0..facts.moves.len() {
        for second in first + 1..facts.moves.len() {
            poll.steps(facts.moves[first].len() + facts.moves[second].len())?;
            if let Some(group) = alternating(netlist, &facts, &mut knowledge, first, second) {
                for gate in netlist.nodes() {
                    poll.steps(1 + netlist.inputs(gate).len())?;
                    if netlist.component(gate) == Component::Or && !facts.is_cyclic(gate) {
                        complement_turns(netlist, &facts, gate, &group);
                    }
                }
            }
        }
    }
    netlist.settle(&mut Vec::new(), poll)?;
    super::dead::run(netlist, poll)
}

/// The moves of two roles that are not for waiting, sorted, if exactly one of them is made at each step.
fn alternating(
    netlist: &Netlist,
    facts: &NetlistFacts,
    knowledge: &mut Knowledge,
    first: usize,
    second: usize,
) -> Option<Vec<NodeIndex>> {
    let (waiting, active) = choice(netlist, facts, knowledge, first, second)?;
    let (others, counter) = choice(netlist, facts, knowledge, second, first)?;
    let only =
        |left: &Vec<Vec<NodeIndex>>, allowed: &[NodeIndex]| left.iter().flatten().all(|input| allowed.contains(input));
    if !only(&active, &others) || !only(&counter, &waiting) {
        return None;
    }
    for &one in &waiting {
        for &other in &others {
            let mark = knowledge.mark();
            // The conditions of legality come first: they decide, and a role has many other moves.
            let legality = [one, other].into_iter().filter_map(|input| facts.legality_of(netlist, input));
            legality.for_each(|legality| knowledge.assume(netlist, facts, legality, true));
            knowledge.assume(netlist, facts, one, true);
            knowledge.assume(netlist, facts, other, true);
            let is_possible = !knowledge.is_impossible;
            knowledge.go_back(mark);
            if is_possible {
                return None;
            }
        }
    }
    let all = facts.moves[first].iter().chain(&facts.moves[second]);
    let mut group: Vec<NodeIndex> =
        all.copied().filter(|input| !waiting.contains(input) && !others.contains(input)).collect();
    group.sort_unstable();
    (group.len() >= 2).then_some(group)
}

/// The moves of a role that leave another one a choice, and for each of the other moves those that it leaves the other
/// role. `None` if many leave it a choice, or if this takes too many conclusions to find out.
fn choice(
    netlist: &Netlist,
    facts: &NetlistFacts,
    knowledge: &mut Knowledge,
    role: usize,
    other: usize,
) -> Option<(Vec<NodeIndex>, Vec<Vec<NodeIndex>>)> {
    let mut waiting = Vec::new();
    let mut left = Vec::new();
    let conditions: Vec<Vec<NodeIndex>> =
        facts.moves[role].iter().map(|&input| conditions(netlist, facts, input)).collect();
    let silencing = silencing(netlist, facts, knowledge, &conditions, other);
    for (&input, conditions) in facts.moves[role].iter().zip(&conditions) {
        let known = conditions.iter().find_map(|condition| silencing.get(condition));
        let possible = known.cloned().unwrap_or_else(|| possible(netlist, facts, knowledge, input, other));
        if possible.len() < 2 {
            left.push(possible);
        } else {
            waiting.push(input);
        }
        if waiting.len() > MOST_WAITING || knowledge.effort > MOST_EFFORT {
            return None;
        }
    }
    Some((waiting, left))
}

/// Two moves that a role may still make if a component is true; fewer if there are no two.
fn possible(
    netlist: &Netlist,
    facts: &NetlistFacts,
    knowledge: &mut Knowledge,
    node: NodeIndex,
    role: usize,
) -> Vec<NodeIndex> {
    let mark = knowledge.mark();
    knowledge.assume(netlist, facts, node, true);
    let mut possible = Vec::new();
    for &input in &facts.moves[role] {
        let may_be_made = knowledge.value(input) != Some(false);
        let legality = if may_be_made { facts.legality_of(netlist, input) } else { None };
        if may_be_made && legality.and_then(|node| knowledge.evaluate(netlist, facts, node)) != Some(false) {
            possible.push(input);
        }
        if possible.len() == 2 {
            break;
        }
    }
    knowledge.go_back(mark);
    possible
}

/// The conditions of a move's legality, with nested conjunctions expanded.
fn conditions(netlist: &Netlist, facts: &NetlistFacts, input: NodeIndex) -> Vec<NodeIndex> {
    let mut open: Vec<NodeIndex> = facts.legality_of(netlist, input).into_iter().collect();
    let mut found = Vec::new();
    while let Some(node) = open.pop() {
        match netlist.component(node) {
            _ if found.len() + open.len() > MOST_CONDITIONS || facts.is_cyclic(node) => {}
            Component::And | Component::View => open.extend(netlist.inputs(node)),
            _ => found.push(node),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Of the conditions that most moves share, those that leave another role no choice, with the moves that remain for it.
/// For many moves, one such condition, whose turn it is, decides the matter.
fn silencing(
    netlist: &Netlist,
    facts: &NetlistFacts,
    knowledge: &mut Knowledge,
    conditions: &[Vec<NodeIndex>],
    other: usize,
) -> BTreeMap<NodeIndex, Vec<NodeIndex>> {
    let mut shared: BTreeMap<NodeIndex, usize> = BTreeMap::new();
    for &condition in conditions.iter().flatten() {
        *shared.entry(condition).or_default() += 1;
    }
    let mut shared: Vec<(NodeIndex, usize)> = shared.into_iter().filter(|&(_, count)| count > 1).collect();
    sorting::sort_by_key(&mut shared, |&(_, count)| Reverse(count));
    let most = shared.into_iter().take(MOST_SHARED).map(|(condition, _)| condition);
    let left = most.map(|condition| (condition, possible(netlist, facts, knowledge, condition, other)));
    left.filter(|(_, possible)| possible.len() < 2).collect()
}

/// Replaces the moves of a group in a disjunction by their complement, if that is smaller.
fn complement_turns(netlist: &mut Netlist, facts: &NetlistFacts, gate: NodeIndex, group: &[NodeIndex]) {
    let mut mentioned = Vec::new();
    let mut rest = Vec::new();
    for &input in netlist.inputs(gate) {
        match leaves(netlist, facts, input, group) {
            Some(leaves) => mentioned.extend(leaves),
            None => rest.push(input),
        }
    }
    mentioned.sort_unstable();
    mentioned.dedup();
    let replaced = netlist.inputs(gate).len() - rest.len();
    let missing = group.len() - mentioned.len();
    // The cost of a negation with its two edges, and of a disjunction with its inputs if there are several.
    let cost = if missing > 1 { missing + 4 } else { 3 };
    if replaced <= cost {
        return;
    }
    let others: Vec<NodeIndex> =
        group.iter().copied().filter(|input| mentioned.binary_search(input).is_err()).collect();
    rest.push(netlist.add_none_of(others));
    netlist.set_inputs(gate, rest);
}

/// The moves of which a component is the disjunction, if these are all moves of the group.
fn leaves(netlist: &Netlist, facts: &NetlistFacts, node: NodeIndex, group: &[NodeIndex]) -> Option<Vec<NodeIndex>> {
    let mut found = Vec::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match netlist.component(node) {
            Component::Or if !facts.is_cyclic(node) => open.extend(netlist.inputs(node)),
            Component::Input(_) if group.binary_search(&node).is_ok() => found.push(node),
            _ => return None,
        }
        if found.len() + open.len() > 4 * group.len() {
            return None;
        }
    }
    Some(found)
}
