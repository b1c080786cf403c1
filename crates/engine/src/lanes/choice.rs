//! Choices: which roles choose among which moves.
//!
//! If the guards of a role's moves exclude each other, such as having the turn and not having it, the role chooses
//! among the moves of one guard at a time; a move that is alone under its guard needs no choice. Choices of several
//! roles whose guards exclude each other are made as one, so that in each lane only the role that has the turn draws.
//!
//! [`Exclusive`] proves which guards exclude each other in every reachable state. Two bits do if they are in one of the
//! program's groups ([`Program::groups`]), and two wires if one is the negation of the other, if one is a conjunction
//! with a member that excludes the other, or if one is a disjunction whose members all exclude the other.

use crate::program::{GateKind, NetworkState, Program, Wire};
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;
use ggp_game::Role;
use std::collections::{BTreeMap, BTreeSet};

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
    /// Choices among several moves. One role makes each in each lane: the guards of its members exclude each other.
    contests: Vec<Vec<GuardedCandidates>>,
}

/// The moves of one role under one guard, or all its moves if the guards do not exclude each other.
#[derive(Debug)]
pub(super) struct GuardedCandidates {
    pub(super) role: usize,
    pub(super) candidates: Vec<Candidate>,
    /// All candidates have the same guard.
    pub(super) is_guarded: bool,
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
                match choices.contests.iter_mut().find(fits) {
                    Some(contest) => contest.push(member),
                    None => choices.contests.push(vec![member]),
                }
            }
        }
        choices
    }

    pub(super) fn roles(&self) -> usize {
        self.roles
    }

    /// All moves that can be legal in some state, with their roles.
    pub(super) fn candidates(&self) -> impl Iterator<Item = (usize, &Candidate)> {
        let members = self.contests.iter().flatten();
        self.alone()
            .chain(members.flat_map(|member| member.candidates.iter().map(|candidate| (member.role, candidate))))
    }

    /// Moves that are alone under their guard, with their roles.
    pub(super) fn alone(&self) -> impl Iterator<Item = (usize, &Candidate)> {
        self.alone.iter().map(|(role, candidate)| (*role, candidate))
    }

    /// The choices among several moves, in the order in which they are made.
    pub(super) fn contests(&self) -> &[Vec<GuardedCandidates>] {
        &self.contests
    }

    /// All moves of choices among several moves.
    pub(super) fn contested_candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.contests.iter().flatten().flat_map(|member| &member.candidates)
    }

    /// For each choice among several moves, their indices in [`Program::moves`].
    pub(super) fn contested(&self) -> impl Iterator<Item = impl Iterator<Item = u32>> {
        self.contests.iter().map(|contest| {
            let candidates = contest.iter().flat_map(|member| &member.candidates);
            candidates.map(|candidate| candidate.index)
        })
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
        // The guards exclude each other, so at most one of these lists has legal moves in a lane.
        return by_guard
            .into_values()
            .map(|candidates| GuardedCandidates { role, candidates, is_guarded: true })
            .collect();
    }
    vec![GuardedCandidates { role, candidates, is_guarded: false }]
}

/// Pairs of wires that are never both true in a state reachable from the initial one.
#[derive(Debug, Default)]
pub(crate) struct Exclusive {
    /// Pairs of guards.
    guards: BTreeSet<(Wire, Wire)>,
    /// For each bit, the groups of the program that it is in.
    groups: Vec<Vec<u32>>,
}

/// The depth to which gates are expanded.
const DEEPEST: u32 = 3;

/// The maximum number of pairs of wires that are compared for a program; a proof that needs more is given up. Otherwise
/// gates with many thousands of inputs could take hours.
const MOST_COMPARED: u64 = 1 << 24;

/// Programs with more guards than this are not analysed.
const MOST_GUARDS: usize = 64;

/// The comparisons of wires that may still be made.
struct Comparisons<'a> {
    left: u64,
    poll: &'a Poll<'a>,
    /// The limit that ended the work early.
    stopped: Option<Stop>,
}

impl<'a> Comparisons<'a> {
    fn new(poll: &'a Poll<'a>) -> Self {
        Self { left: MOST_COMPARED, poll, stopped: None }
    }

    /// Counts a comparison; false if no more may be made.
    fn take_one(&mut self) -> bool {
        if self.left == 0 || self.stopped.is_some() {
            return false;
        }
        self.left -= 1;
        self.stopped = self.poll.step().err();
        self.stopped.is_none()
    }
}

impl Exclusive {
    /// The pairs of guards of a program that are proved to exclude each other.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn guards(program: &Program, poll: &Poll<'_>) -> Result<Self, Stop> {
        let guards: BTreeSet<Wire> = program.legal.iter().map(|legal| legal.guard).collect();
        if guards.len() > MOST_GUARDS {
            return Ok(Self::default());
        }
        let mut groups = vec![Vec::new(); program.bits()];
        for (group, bits) in program.groups.iter().enumerate() {
            bits.iter().for_each(|&bit| groups[bit as usize].push(to_u32(group)));
        }
        let known = Self { guards: BTreeSet::new(), groups };
        let left = &mut Comparisons::new(poll);
        let all = guards.iter().flat_map(|&one| guards.iter().map(move |&other| (one, other)));
        let all = all.filter(|&(one, other)| one < other && known.follows(program, one, other, DEEPEST, left));
        let guards = all.collect();
        left.stopped.map_or(Ok(Self { guards, ..known }), Err)
    }

    /// The program with a guard for each unguarded move whose legality implies the guard of other moves of its role:
    /// promotions, for example, are made by the role that has the turn, though their gates do not test that first.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(crate) fn with_implied_guards(program: &Program, poll: &Poll<'_>) -> Result<Program, Stop> {
        let mut guarded = program.clone();
        let nothing = Self::default();
        let left = &mut Comparisons::new(poll);
        for role in 0..program.roles.len() {
            let moves = program.moves_of(Role::new(role));
            let guards: BTreeSet<Wire> = moves.clone().map(|index| program.legal[index].guard).collect();
            if guards.len() > MOST_GUARDS {
                continue;
            }
            for index in moves.filter(|&index| program.legal[index].guard == program.always) {
                let wire = program.legal[index].wire;
                let mut implies = |guard: &&Wire| {
                    **guard != program.always && nothing.follows(program, wire, guard.negated(), DEEPEST, left)
                };
                if let Some(&guard) = guards.iter().find(&mut implies) {
                    guarded.legal[index].guard = guard;
                }
            }
        }
        left.stopped.map_or(Ok(guarded), Err)
    }

    /// True if the pairs exclude each other in all states that follow from this one, reachable or not.
    pub(super) fn hold_from(&self, program: &Program, state: &NetworkState) -> bool {
        self.guards.is_empty() || program.are_groups_kept(state)
    }

    /// True if two guards have been proved to exclude each other.
    pub(super) fn are(&self, one: Wire, other: Wire) -> bool {
        self.guards.contains(&(one.min(other), one.max(other)))
    }

    /// True if two wires are different bits of one group.
    fn are_in_one_group(&self, one: Wire, other: Wire) -> bool {
        // A bit does not exclude itself.
        let is_pair = one != other;
        let groups = |wire: Wire| if wire.is_negated() { None } else { self.groups.get(wire.signal()) };
        let (Some(one), Some(other)) = (groups(one), groups(other)) else { return false };
        is_pair && one.iter().any(|group| other.contains(group))
    }

    /// True if the wires are proved to exclude each other with gates expanded to this depth and the comparisons that
    /// are left.
    fn follows(&self, program: &Program, one: Wire, other: Wire, depth: u32, left: &mut Comparisons<'_>) -> bool {
        if !left.take_one() {
            return false;
        }
        if one == other.negated() || self.are_in_one_group(one, other) {
            return true;
        }
        depth > 0
            && (self.follows_from_inside(program, one, other, depth, left)
                || self.follows_from_inside(program, other, one, depth, left))
    }

    /// As `follows`, from the inputs of the gate of the first wire.
    fn follows_from_inside(
        &self,
        program: &Program,
        one: Wire,
        other: Wire,
        depth: u32,
        left: &mut Comparisons<'_>,
    ) -> bool {
        let Some(gate) = one.signal().checked_sub(program.first_gate()) else { return false };
        if program.cycle_of(gate).is_some() {
            return false;
        }
        let mut inputs = program.inputs(gate).iter().map(|input| input.negated_if(one.is_negated()));
        let mut follows = |input: Wire| self.follows(program, input, other, depth - 1, left);
        // Negated, a conjunction is a disjunction of the negated inputs, and the other way round (De Morgan).
        match (program.gates[gate].kind == GateKind::And) != one.is_negated() {
            true => inputs.any(&mut follows),
            false => inputs.all(follows),
        }
    }
}
