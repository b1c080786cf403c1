//! Groups of exclusive fluents, of which at most one holds in every reachable state, such as the marks on one cell.
//!
//! Candidates are facts that differ in one argument only. They are proved together by induction over steps: if at most
//! one fluent of each group holds, then after any legal moves at most one of each holds. A group for which this cannot
//! be shown is dropped, and the others are tried again without it, until all that remain support each other (as Houdini
//! finds invariants: Flanagan and Leino, 2001).

use super::super::netlist::Netlist;
use super::super::network::{Component, Output};
use super::knowledge::{Facts, Knowledge, LONG};
use crate::limits::{Poll, Stopped};
use crate::rules::GroundTerm;
use petgraph::graph::NodeIndex;
use rustc_hash::FxHashMap;

/// Larger groups are not tried.
const LARGEST: usize = 64;

/// The maximum depth of case distinctions in a proof.
const DEEPEST: usize = 3;

/// The maximum number of conclusions in the proof for one group; beyond it the group is dropped.
const MOST_EFFORT_OF_ONE: usize = 10_000;

/// The maximum number of conclusions in the search for forced moves.
const MOST_EFFORT_FOR_FORCED: usize = 100_000;

/// The maximum number of conclusions in all proofs together; beyond it no group is considered proved.
const MOST_EFFORT: usize = 300_000;

/// A fluent with a bit of its own.
#[derive(Clone, Copy)]
struct Bit {
    base: NodeIndex,
    /// The component that its next output reads.
    next: NodeIndex,
}

/// The groups that are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// All candidates.
    All,
    /// Those whose next values depend on the state alone, such as whose turn it is: proofs for them are cheap.
    OfStatesOnly,
}

/// Adds the exclusive groups that can be proved to the facts.
///
/// # Errors
/// If the limits end the work.
pub(super) fn prove(netlist: &Netlist, facts: &mut Facts, which: Which, poll: &Poll<'_>) -> Result<(), Stopped> {
    let mut groups = candidates(netlist, poll)?;
    if which == Which::OfStatesOnly {
        groups.retain(|group| !group.iter().any(|bit| facts.depends_on_moves(bit.next)));
    }
    let mut knowledge = Knowledge::new(netlist);
    knowledge.is_step = true;
    loop {
        facts.forget_groups();
        for group in &groups {
            facts.exclude(&group.iter().map(|bit| bit.base).collect::<Vec<_>>());
        }
        let most = knowledge.effort + MOST_EFFORT_FOR_FORCED;
        facts.find_forced(netlist, &mut knowledge, most, poll)?;
        let (before, mut stopped) = (groups.len(), Ok(()));
        groups.retain(|group| {
            stopped = stopped.and_then(|()| poll.steps(LONG * group.len()));
            let most = knowledge.effort + MOST_EFFORT_OF_ONE;
            stopped.is_ok()
                && knowledge.effort < MOST_EFFORT
                && is_inductive(netlist, facts, &mut knowledge, group, most)
        });
        stopped?;
        if groups.len() == before {
            break;
        }
    }
    if which == Which::OfStatesOnly {
        for (number, group) in groups.iter().enumerate() {
            poll.steps(LONG * group.len())?;
            if is_never_empty(netlist, facts, &mut knowledge, group) {
                facts.complete(number);
            }
        }
    }
    Ok(())
}

/// Whether one fluent of a group, of which at most one holds, holds initially, and after each state in which one does.
fn is_never_empty(netlist: &Netlist, facts: &Facts, knowledge: &mut Knowledge, group: &[Bit]) -> bool {
    let is_initial = |bit: &Bit| match netlist.component(bit.base) {
        Component::Base(fluent) => netlist.network.fluents[fluent.index()].initially,
        _ => false,
    };
    group.iter().any(is_initial)
        && group.iter().all(|bit| {
            let mark = knowledge.mark();
            knowledge.assume(netlist, facts, bit.base, true);
            let holds_next = group.iter().any(|other| knowledge.evaluate(netlist, facts, other.next) == Some(true));
            knowledge.go_back(mark);
            holds_next
        })
}

/// Groups of which at most one fluent holds initially.
fn candidates(netlist: &Netlist, poll: &Poll<'_>) -> Result<Vec<Vec<Bit>>, Stopped> {
    let fluents = &netlist.network.fluents;
    let (mut bases, mut nexts) = (vec![None; fluents.len()], vec![None; fluents.len()]);
    for node in netlist.nodes() {
        match netlist.component(node) {
            Component::Base(fluent) => bases[fluent.index()] = Some(node),
            Component::Output(Output::Next(fluent)) => nexts[fluent.index()] = Some(netlist.inputs(node)[0]),
            _ => {}
        }
    }
    let mut indices: FxHashMap<(usize, GroundTerm), usize> = FxHashMap::default();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (number, fluent) in fluents.iter().enumerate() {
        poll.step()?;
        if bases[number].is_none() || nexts[number].is_none() {
            continue;
        }
        for argument in 0..fluent.fact.arguments.len() {
            let mut rest = fluent.fact.clone();
            rest.arguments[argument] = GroundTerm::symbol("");
            let index = *indices.entry((argument, rest)).or_insert(groups.len());
            if index == groups.len() {
                groups.push(Vec::new());
            }
            groups[index].push(number);
        }
    }
    let is_possible = |group: &Vec<usize>| {
        (2..=LARGEST).contains(&group.len()) && group.iter().filter(|&&number| fluents[number].initially).count() <= 1
    };
    let bit = |number: usize| Some(Bit { base: bases[number]?, next: nexts[number]? });
    groups.retain(is_possible);
    Ok(groups.into_iter().map(|group| group.into_iter().filter_map(bit).collect()).collect())
}

/// Whether at most one fluent of a group can hold next.
fn is_inductive(netlist: &Netlist, facts: &Facts, knowledge: &mut Knowledge, group: &[Bit], most: usize) -> bool {
    group.iter().enumerate().all(|(number, bit)| {
        let others: Vec<NodeIndex> = group[number + 1..].iter().map(|other| other.next).collect();
        others.is_empty() || exclude(netlist, facts, knowledge, bit.next, &others, DEEPEST, most)
    })
}

/// Whether a component cannot be true together with one of the others.
fn exclude(
    netlist: &Netlist,
    facts: &Facts,
    knowledge: &mut Knowledge,
    node: NodeIndex,
    others: &[NodeIndex],
    depth: usize,
    most: usize,
) -> bool {
    if knowledge.effort > most {
        return false;
    }
    let mark = knowledge.mark();
    knowledge.assume(netlist, facts, node, true);
    let mut is_excluded =
        knowledge.is_impossible || others.iter().all(|&other| knowledge.evaluate(netlist, facts, other) == Some(false));
    if !is_excluded
        && depth > 0
        && let Some(alternatives) = alternatives(netlist, facts, knowledge, node)
    {
        is_excluded =
            alternatives.into_iter().all(|input| exclude(netlist, facts, knowledge, input, others, depth - 1, most));
    }
    knowledge.go_back(mark);
    is_excluded
}

/// Components of which at least one must be true if this one is: the inputs of a disjunction, or of one below a
/// conjunction. Nested disjunctions are replaced by their inputs.
fn alternatives(netlist: &Netlist, facts: &Facts, knowledge: &Knowledge, node: NodeIndex) -> Option<Vec<NodeIndex>> {
    match netlist.component(node) {
        Component::Or => {
            let (mut found, mut open) = (Vec::new(), vec![node]);
            while let Some(node) = open.pop() {
                match netlist.component(node) {
                    _ if knowledge.value(node) == Some(false) => {}
                    Component::Or if !facts.is_cyclic(node) => open.extend(netlist.inputs(node)),
                    _ => found.push(node),
                }
            }
            found.sort_unstable();
            found.dedup();
            Some(found)
        }
        Component::And if !facts.is_cyclic(node) => netlist
            .inputs(node)
            .iter()
            .filter(|&&input| netlist.component(input) == Component::Or)
            .find_map(|&input| alternatives(netlist, facts, knowledge, input)),
        _ => None,
    }
}
