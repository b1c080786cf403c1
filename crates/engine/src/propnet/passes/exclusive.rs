//! Groups of exclusive fluents, of which at most one holds in every reachable state, such as the marks on one cell.
//!
//! Candidates are facts that differ in one argument only. They are proved together by induction over steps: if at most
//! one fluent of each group holds, then after any legal moves at most one of each holds. A group for which this cannot
//! be shown is dropped, and the others are tried again without it, until all that remain support each other (as Houdini
//! finds invariants: Flanagan and Leino, 2001).
//!
//! They are proved once, kept in the network ([`Network::groups`](super::super::Network::groups)), and lowered with it.
//! Other passes keep them true: each keeps the next state of every state in which at most one fluent of each group
//! holds.

use super::super::literal;
use super::super::netlist::{FluentBit, Netlist};
use super::super::network::{Component, Group, Groups};
use super::Pass;
use super::knowledge::{Knowledge, LONG, NetlistFacts};
use crate::program::{FluentId, FluentStorage};
use gdl::limits::{Poll, Stop};
use gdl::rules::GroundTerm;
use hashbrown::HashTable;
use petgraph::graph::NodeIndex;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

pub(super) const PASS: Pass = Pass {
    name: "exclusive",
    summary: "prove groups of fluents of which at most one holds, in legal play from the initial state",
    run,
};

/// Larger groups are not tried.
const LARGEST: usize = 64;

/// The maximum depth of case distinctions in a proof.
const DEEPEST: usize = 3;

/// The maximum number of conclusions in the proof for one group; beyond it the group is dropped.
const MOST_EFFORT_OF_ONE: usize = 20_000;

/// The maximum number of conclusions in the search for forced moves.
const MOST_EFFORT_FOR_FORCED: usize = 100_000;

/// The maximum number of conclusions in all proofs together; beyond it no group is considered proved.
const MOST_EFFORT: usize = 1_000_000;

/// Candidates are refuted by this many plies of 64 random games, as long as no more than `MOST_EVALUATED` gates and
/// inputs are evaluated.
const LEAST_PLIES: usize = 8;
const MOST_PLIES: usize = 100;
const MOST_EVALUATED: usize = 20_000_000;

/// If the effort is too little, it is tried again this many times in all, on the netlist that the passes have
/// simplified.
const MOST_TRIES: u32 = 2;

fn run(netlist: &mut Netlist, poll: &Poll<'_>) -> Result<(), Stop> {
    let Groups { proved, tries } = netlist.network.groups.clone();
    if tries == MOST_TRIES {
        return Ok(());
    }
    let facts = NetlistFacts::from_netlist(netlist, poll)?;
    let bits = netlist.bits();
    let depends = |group: &Group| {
        let members = Members::from_group(netlist, &bits, group).bits;
        members.iter().any(|bit| facts.depends_on_moves(bit.next))
    };
    let mut candidates = candidates(netlist, poll)?;
    candidates.retain(|group| proved.iter().all(|known| known.fluents != group.fluents));
    refute(netlist, &mut candidates, poll)?;
    // Groups that change without regard to the moves are proved first and cheaply, and help to prove the others.
    let (others, simple): (Vec<_>, Vec<_>) = candidates.into_iter().partition(depends);
    let (proved, _) = prove(netlist, proved, simple, poll)?;
    let (proved, is_complete) = prove(netlist, proved, others, poll)?;
    netlist.network.groups = Groups { proved, tries: if is_complete { MOST_TRIES } else { tries + 1 } };
    Ok(())
}

/// Removes the groups of which two fluents hold in some state of random play.
fn refute(netlist: &Netlist, groups: &mut Vec<Group>, poll: &Poll<'_>) -> Result<(), Stop> {
    let mut simulation = literal::simulation(netlist, poll)?;
    let mut games = literal::games(netlist, 0);
    let plies = (MOST_EVALUATED / (1 + simulation.size())).clamp(LEAST_PLIES, MOST_PLIES);
    for _ in 0..plies {
        groups.retain(|group| {
            let words = group.fluents.iter().map(|fluent| games.state[fluent.index()]);
            // The games in which one of the fluents holds, and those in which two do.
            words.fold((0, 0), |(any, two), word| (any | word, two | any & word)).1 == 0
        });
        if groups.is_empty() {
            break;
        }
        simulation.enter(&games.state, poll)?;
        games.choose(&simulation);
        simulation.advance(&games.moves, poll)?;
        games.advance(&simulation);
    }
    Ok(())
}

/// The facts of a netlist, with the groups that have been proved for it.
///
/// # Errors
/// If the limits end the work.
pub(super) fn facts(netlist: &Netlist, poll: &Poll<'_>) -> Result<NetlistFacts, Stop> {
    let mut facts = NetlistFacts::from_netlist(netlist, poll)?;
    let bits = netlist.bits();
    for group in &netlist.network.groups.proved {
        poll.steps(group.fluents.len())?;
        let members = Members::from_group(netlist, &bits, group);
        facts.exclude(&members.bases(), members.is_complete);
    }
    let mut knowledge = Knowledge::new(netlist);
    knowledge.is_step = true;
    facts.find_forced(netlist, &mut knowledge, MOST_EFFORT_FOR_FORCED, poll)?;
    Ok(facts)
}

/// The groups that are known, and those candidates that are proved, all together; and true if the effort was enough for
/// all. At most one fluent of each must hold initially.
///
/// # Errors
/// If the limits end the work.
pub(in crate::propnet) fn prove(
    netlist: &Netlist,
    mut known: Vec<Group>,
    mut groups: Vec<Group>,
    poll: &Poll<'_>,
) -> Result<(Vec<Group>, bool), Stop> {
    let mut facts = NetlistFacts::from_netlist(netlist, poll)?;
    let bits = netlist.bits();
    let members = |group: &Group| Members::from_group(netlist, &bits, group);
    let mut knowledge = Knowledge::new(netlist);
    knowledge.is_step = true;
    loop {
        facts.forget_groups();
        for group in known.iter().chain(&groups) {
            // A proved group may be complete from the initial state only, and this proof is about every state.
            facts.exclude(&members(group).bases(), false);
        }
        let most = knowledge.effort + MOST_EFFORT_FOR_FORCED;
        facts.find_forced(netlist, &mut knowledge, most, poll)?;
        let before = groups.len();
        let mut stopped = Ok(());
        groups.retain(|group| {
            // A closure cannot return early, so a stop drops all further groups and is returned afterwards.
            stopped = stopped.and_then(|()| poll.steps(LONG * group.fluents.len()));
            let most = knowledge.effort + MOST_EFFORT_OF_ONE;
            stopped.is_ok()
                && knowledge.effort < MOST_EFFORT
                && is_inductive(netlist, &facts, &mut knowledge, &members(group).bits, most)
        });
        stopped?;
        if groups.len() == before {
            break;
        }
    }
    for group in &mut groups {
        let bits = members(group).bits;
        poll.steps(LONG * bits.len())?;
        let is_simple = !bits.iter().any(|bit| facts.depends_on_moves(bit.next));
        group.is_complete = is_simple && is_never_empty(netlist, &facts, &mut knowledge, &bits);
    }
    known.extend(groups);
    Ok((known, knowledge.effort < MOST_EFFORT))
}

/// The bits of a group in a netlist.
///
/// A group is a statement about fluents, which stays true whatever passes do to the network. Passes change which bit a
/// fluent has, so the statement about bits is derived from the storage of the fluents each time it is used.
struct Members {
    /// The bits of which at most one is set.
    bits: Vec<FluentBit>,
    /// True if one of them is set in every state reached from the initial one.
    is_complete: bool,
}

impl Members {
    fn from_group(netlist: &Netlist, bits: &[Option<FluentBit>], group: &Group) -> Self {
        let mut members = Self { bits: Vec::with_capacity(group.fluents.len()), is_complete: group.is_complete };
        for &fluent in &group.fluents {
            let bit = match netlist.network.fluents[fluent.index()].storage {
                FluentStorage::Own => bits[fluent.index()],
                FluentStorage::Same(other) => bits[other.index()],
                FluentStorage::Always(false) => continue,
                FluentStorage::Always(true) => None,
            };
            // The member that holds may be one without a bit.
            members.is_complete &= bit.is_some();
            members.bits.extend(bit);
        }
        // Members that mirror each other share a bit.
        members.bits.sort_unstable_by_key(|bit| bit.base);
        members.bits.dedup_by_key(|bit| bit.base);
        members
    }

    fn bases(&self) -> Vec<NodeIndex> {
        self.bits.iter().map(|bit| bit.base).collect()
    }
}

/// True if one fluent of a group, of which at most one holds, holds initially, and after each state in which one does.
fn is_never_empty(netlist: &Netlist, facts: &NetlistFacts, knowledge: &mut Knowledge, group: &[FluentBit]) -> bool {
    let is_initial = |bit: &FluentBit| match netlist.component(bit.base) {
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

/// Groups of fluents that differ in one argument, of which at most one holds initially.
fn candidates(netlist: &Netlist, poll: &Poll<'_>) -> Result<Vec<Group>, Stop> {
    let fluents = &netlist.network.fluents;
    let bits = netlist.bits();
    // For each hash of a fact without an argument, the index of its group; groups have the position of that argument.
    let mut indices: HashTable<(u64, usize)> = HashTable::new();
    let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
    for (number, fluent) in fluents.iter().enumerate().filter(|&(number, _)| bits[number].is_some()) {
        poll.steps(1 + fluent.fact.arguments.len() / 16)?;
        for (argument, hash) in hashes_without_each(&fluent.fact).into_iter().enumerate() {
            let is_same = |&(other, index): &(u64, usize)| {
                let (position, members) = &groups[index];
                let first = &fluents[members[0]].fact;
                other == hash && *position == argument && differ_at_most(first, &fluent.fact, argument)
            };
            match indices.find(hash, is_same) {
                Some(&(_, index)) => groups[index].1.push(number),
                None => {
                    indices.insert_unique(hash, (hash, groups.len()), |&(hash, _)| hash);
                    groups.push((argument, vec![number]));
                }
            }
        }
    }
    let is_possible = |group: &Vec<usize>| {
        (2..=LARGEST).contains(&group.len()) && group.iter().filter(|&&number| fluents[number].initially).count() <= 1
    };
    let group = |numbers: Vec<usize>| Group::from_fluents(numbers.into_iter().map(FluentId::new).collect());
    Ok(groups.into_iter().map(|(_, members)| members).filter(is_possible).map(group).collect())
}

/// For each argument of a fact, the hash of the fact without it. Hashes of the arguments are added and taken away, so
/// this is linear in the arguments, while the facts without one would take its square.
fn hashes_without_each(fact: &GroundTerm) -> Vec<u64> {
    let hash = |positioned| scrambled(FxBuildHasher.hash_one(positioned));
    let arguments: Vec<u64> = fact.arguments.iter().enumerate().map(hash).collect();
    let name = FxBuildHasher.hash_one((&fact.name, arguments.len()));
    let sum = arguments.iter().fold(name, |sum, hash| sum.wrapping_add(*hash));
    let without = |(argument, &hash): (usize, &u64)| FxBuildHasher.hash_one((argument, sum.wrapping_sub(hash)));
    arguments.iter().enumerate().map(without).collect()
}

/// A hash that is no linear function of another one: sums of those would be equal for all permutations of arguments.
fn scrambled(hash: u64) -> u64 {
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

/// True if two facts are equal, up to this argument.
fn differ_at_most(left: &GroundTerm, right: &GroundTerm, argument: usize) -> bool {
    let rest = |fact: &GroundTerm| [0..argument, argument + 1..fact.arguments.len()];
    let is_same = |(left_range, right_range)| left.arguments[left_range] == right.arguments[right_range];
    left.name == right.name
        && left.arguments.len() == right.arguments.len()
        && rest(left).into_iter().zip(rest(right)).all(is_same)
}

/// True if at most one fluent of a group can hold next.
fn is_inductive(
    netlist: &Netlist,
    facts: &NetlistFacts,
    knowledge: &mut Knowledge,
    group: &[FluentBit],
    most: usize,
) -> bool {
    group.iter().enumerate().all(|(number, bit)| {
        // Exclusion is symmetric, so each pair is tried once.
        let others: Vec<NodeIndex> = group[number + 1..].iter().map(|other| other.next).collect();
        others.is_empty() || exclude(netlist, facts, knowledge, bit.next, &others, DEEPEST, most)
    })
}

/// True if a component cannot be true together with one of the others, as far as case distinctions of this depth show.
fn exclude(
    netlist: &Netlist,
    facts: &NetlistFacts,
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
        // By cases: if the component is true, so is one of the alternatives.
        is_excluded =
            alternatives.into_iter().all(|input| exclude(netlist, facts, knowledge, input, others, depth - 1, most));
    }
    knowledge.go_back(mark);
    is_excluded
}

/// Components of which at least one must be true if this one is: the inputs of a disjunction, or of one below a
/// conjunction. Nested disjunctions are replaced by their inputs.
fn alternatives(
    netlist: &Netlist,
    facts: &NetlistFacts,
    knowledge: &Knowledge,
    node: NodeIndex,
) -> Option<Vec<NodeIndex>> {
    match netlist.component(node) {
        Component::Or => {
            let mut found = Vec::new();
            let mut open = vec![node];
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
