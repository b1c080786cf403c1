//! Choices: which roles choose among which moves.
//!
//! If the guards of a role's moves exclude each other ([`super::exclusive`]), such as having the turn and not having
//! it, the role chooses among the moves of one guard at a time; a move that is alone under its guard needs no choice.
//! Choices of several roles whose guards exclude each other are made as one, so that in each lane only the role that
//! has the turn draws.

use super::exclusive::Exclusive;
use crate::program::{Program, Wire};
use gdl::number::to_u32;
use std::collections::BTreeMap;

/// A move that can be legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    /// Its index in [`Program::moves`].
    pub(super) index: u32,
    /// The part of its condition that it shares with other moves.
    pub(super) guard: Wire,
}

/// The choices of all roles.
#[derive(Debug)]
pub(super) struct Choices {
    roles: usize,
    /// Moves that are alone under their guard, with their roles.
    alone: Vec<(usize, Candidate)>,
    contests: Vec<RoleContest>,
}

/// A choice that one role makes in each lane.
#[derive(Debug)]
pub(super) struct RoleContest {
    pub(super) members: Vec<GuardedCandidates>,
}

/// The moves of one role under one guard, or all its moves if the guards do not exclude each other.
#[derive(Debug)]
pub(super) struct GuardedCandidates {
    pub(super) role: usize,
    pub(super) candidates: Vec<Candidate>,
    /// Whether all candidates have the same guard.
    pub(super) is_guarded: bool,
}

impl RoleContest {
    fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.members.iter().flat_map(|member| &member.candidates)
    }
}

impl Choices {
    /// The choices among the moves of a program.
    pub(super) fn new(program: &Program, exclusive: &Exclusive) -> Self {
        let mut candidates = vec![Vec::new(); program.roles.len()];
        for (index, known) in program.moves.iter().enumerate().filter(|(_, known)| known.is_possible) {
            let candidate = Candidate { index: to_u32(index), guard: program.legal[index].guard };
            candidates[known.role.index()].push(candidate);
        }
        let mut choices = Self { roles: candidates.len(), alone: Vec::new(), contests: Vec::new() };
        let mut contests: Vec<Vec<GuardedCandidates>> = Vec::new();
        for (role, candidates) in candidates.into_iter().enumerate() {
            for member in members(role, candidates, exclusive) {
                if let [only] = member.candidates[..] {
                    choices.alone.push((role, only));
                    continue;
                }
                let fits = |contest: &&mut Vec<GuardedCandidates>| {
                    let one = member.candidates[0];
                    member.is_guarded
                        && contest.iter().all(|other| exclusive.are(one.guard, other.candidates[0].guard))
                        && contest.iter().all(|other| other.is_guarded)
                };
                match contests.iter_mut().find(fits) {
                    Some(contest) => contest.push(member),
                    None => contests.push(vec![member]),
                }
            }
        }
        choices.contests = contests.into_iter().map(|members| RoleContest { members }).collect();
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
    pub(super) fn contests(&self) -> &[RoleContest] {
        &self.contests
    }

    /// All moves of these choices.
    pub(super) fn contested_candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.contests.iter().flat_map(RoleContest::candidates)
    }

    /// For each of these choices, the indices of its moves in [`Program::moves`].
    pub(super) fn contested(&self) -> impl Iterator<Item = impl Iterator<Item = u32>> {
        let candidates = |contest| RoleContest::candidates(contest).map(|candidate| candidate.index);
        self.contests.iter().map(candidates)
    }
}

/// The moves of a role, separated by guard if the guards exclude each other.
fn members(role: usize, candidates: Vec<Candidate>, exclusive: &Exclusive) -> Vec<GuardedCandidates> {
    let mut by_guard: BTreeMap<_, Vec<Candidate>> = BTreeMap::new();
    for candidate in &candidates {
        by_guard.entry(candidate.guard).or_default().push(*candidate);
    }
    let guards: Vec<_> = by_guard.keys().copied().collect();
    let mut pairs = (0..guards.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
    if pairs.all(|(one, other)| exclusive.are(guards[one], guards[other])) {
        return by_guard
            .into_values()
            .map(|candidates| GuardedCandidates { role, candidates, is_guarded: true })
            .collect();
    }
    vec![GuardedCandidates { role, candidates, is_guarded: false }]
}
