//! Choices: which roles choose among which moves.
//!
//! If the guards of a role's moves exclude each other ([`super::exclusive`]), such as having the turn and not having
//! it, the role chooses among the moves of one guard at a time; a move that is alone under its guard needs no choice.
//! Choices of several roles whose guards exclude each other are made as one, so that in each lane only the role that
//! has the turn draws.

use super::code::Candidate;
use super::evaluate::read;
use super::exclusive::Exclusive;
use super::random::Random;
use super::tree::{Scratch, Tree};
use super::word::{Word, and, none, or, without};
use std::collections::BTreeMap;

/// The choices of all roles.
#[derive(Debug)]
pub(super) struct Choices {
    roles: usize,
    /// Moves that are alone under their guard, with their roles.
    alone: Vec<(usize, Candidate)>,
    contests: Vec<Contest>,
}

/// A choice that one role makes in each lane.
#[derive(Debug)]
pub(super) struct Contest {
    pub(super) members: Vec<Member>,
    tree: Tree,
}

/// The moves of one role under one guard, or all its moves if the guards do not exclude each other.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) role: usize,
    pub(super) candidates: Vec<Candidate>,
    /// Whether all candidates have the same guard.
    pub(super) is_guarded: bool,
}

impl Choices {
    /// Builds the choices from the candidates of each role.
    pub(super) fn new(candidates: Vec<Vec<Candidate>>, exclusive: &Exclusive) -> Self {
        let mut choices = Self { roles: candidates.len(), alone: Vec::new(), contests: Vec::new() };
        let mut contests: Vec<Vec<Member>> = Vec::new();
        for (role, candidates) in candidates.into_iter().enumerate() {
            for member in members(role, candidates, exclusive) {
                if let [only] = member.candidates[..] {
                    choices.alone.push((role, only));
                    continue;
                }
                let fits = |contest: &&mut Vec<Member>| {
                    contest.iter().all(|other| {
                        let (one, other) = (member.candidates[0], other.candidates[0]);
                        exclusive.are(one.guard_wire, other.guard_wire)
                    }) && contest.iter().all(|other| other.is_guarded)
                };
                match contests.iter_mut().filter(|_| member.is_guarded).find(fits) {
                    Some(contest) => contest.push(member),
                    None => contests.push(vec![member]),
                }
            }
        }
        choices.contests = contests.into_iter().map(Contest::new).collect();
        choices
    }

    pub(super) fn roles(&self) -> usize {
        self.roles
    }

    /// All moves that are ever possible, with their roles.
    pub(super) fn candidates(&self) -> impl Iterator<Item = (usize, &Candidate)> {
        let alone = self.alone.iter().map(|(role, candidate)| (*role, candidate));
        let members = self.contests.iter().flat_map(|contest| &contest.members);
        alone.chain(members.flat_map(|member| member.candidates.iter().map(|candidate| (member.role, candidate))))
    }

    /// Moves that are alone under their guard, with their roles.
    pub(super) fn alone(&self) -> impl Iterator<Item = (usize, &Candidate)> {
        self.alone.iter().map(|(role, candidate)| (*role, candidate))
    }

    /// The choices among several moves, in the order in which they are made.
    pub(super) fn contests(&self) -> &[Contest] {
        &self.contests
    }

    /// Scratch memory that is sufficient for each of these choices.
    pub(super) fn scratch<const W: usize>(all: [&Self; 2]) -> Scratch<W> {
        let contests = all.into_iter().flat_map(|choices| &choices.contests);
        Scratch::for_trees(contests.map(|contest| &contest.tree))
    }

    /// Chooses a move for each role in each lane of `live`, and records it in the slots of the moves; `stuck` becomes,
    /// by role, the lanes in which it has none.
    #[inline(always)]
    pub(super) fn choose<const W: usize>(
        &self,
        slots: &mut [Word<W>],
        live: &Word<W>,
        random: &mut Random<W>,
        scratch: &mut Scratch<W>,
        stuck: &mut [Word<W>],
    ) {
        stuck.fill(*live);
        for &(role, candidate) in &self.alone {
            let legal = and(live, &and(&read(slots, candidate.guard), &read(slots, candidate.wire)));
            slots[candidate.slot as usize] = legal;
            stuck[role] = without(&stuck[role], &legal);
        }
        for contest in &self.contests {
            contest.choose(slots, live, random, scratch, stuck);
        }
    }
}

/// The moves of a role, separated by guard if the guards exclude each other.
fn members(role: usize, candidates: Vec<Candidate>, exclusive: &Exclusive) -> Vec<Member> {
    let mut by_guard: BTreeMap<_, Vec<Candidate>> = BTreeMap::new();
    for candidate in &candidates {
        by_guard.entry(candidate.guard_wire).or_default().push(*candidate);
    }
    let guards: Vec<_> = by_guard.keys().copied().collect();
    let mut pairs = (0..guards.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
    if pairs.all(|(one, other)| exclusive.are(guards[one], guards[other])) {
        return by_guard.into_values().map(|candidates| Member { role, candidates, is_guarded: true }).collect();
    }
    vec![Member { role, candidates, is_guarded: false }]
}

impl Contest {
    fn new(members: Vec<Member>) -> Self {
        let most = members.iter().map(|member| member.candidates.len()).max().unwrap_or(1);
        Self { tree: Tree::new(most), members }
    }

    #[inline(always)]
    fn choose<const W: usize>(
        &self,
        slots: &mut [Word<W>],
        live: &Word<W>,
        random: &mut Random<W>,
        scratch: &mut Scratch<W>,
        stuck: &mut [Word<W>],
    ) {
        for (number, member) in self.members.iter().enumerate() {
            let guard = and(live, &read(slots, member.candidates[0].guard));
            for (index, candidate) in member.candidates.iter().enumerate() {
                let mut legal = and(&guard, &read(slots, candidate.wire));
                if !member.is_guarded {
                    legal = and(live, &and(&read(slots, candidate.guard), &read(slots, candidate.wire)));
                }
                let known = if number > 0 { scratch.counts[index] } else { none() };
                scratch.counts[index] = or(&known, &legal);
            }
            if number == 0 {
                scratch.counts[member.candidates.len()..self.tree.candidates()].fill(none());
            }
        }
        let some = self.tree.choose(random, scratch);
        for member in &self.members {
            let guard = match member.is_guarded {
                true => and(live, &read(slots, member.candidates[0].guard)),
                false => *live,
            };
            for (index, candidate) in member.candidates.iter().enumerate() {
                slots[candidate.slot as usize] = and(&guard, &scratch.masks[index]);
            }
            stuck[member.role] = without(&stuck[member.role], &and(&guard, &some));
        }
    }
}
