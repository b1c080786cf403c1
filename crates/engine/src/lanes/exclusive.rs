//! Guards of legal moves that exclude each other in every reachable state.
//!
//! Two bits exclude each other if they are in one of the program's groups ([`Program::groups`]), and two wires if one
//! is the negation of the other, if one is a conjunction with a member that excludes the other, or if one is a
//! disjunction whose members all exclude the other.

use crate::program::{GateKind, NetworkState, Program, Wire};
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;
use ggp_game::Role;
use std::collections::BTreeSet;

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

/// The comparisons that may still be made.
struct Comparisons<'a> {
    left: u64,
    poll: &'a Poll<'a>,
    /// What ended them before their time.
    stopped: Option<Stop>,
}

impl<'a> Comparisons<'a> {
    fn new(poll: &'a Poll<'a>) -> Self {
        Self { left: MOST_COMPARED, poll, stopped: None }
    }

    /// Whether one more may be made.
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
    /// The pairs of guards of a program.
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

    /// Whether the pairs exclude each other in all states that follow from this one, be it reachable or not.
    pub(super) fn hold_from(&self, program: &Program, state: &NetworkState) -> bool {
        self.guards.is_empty() || program.are_groups_kept(state)
    }

    /// Whether two guards have been proved to exclude each other.
    pub(super) fn are(&self, one: Wire, other: Wire) -> bool {
        self.guards.contains(&(one.min(other), one.max(other)))
    }

    /// Whether two wires are different bits of one group.
    fn are_in_one_group(&self, one: Wire, other: Wire) -> bool {
        // A bit does not exclude itself.
        let is_pair = one != other;
        let groups = |wire: Wire| if wire.is_negated() { None } else { self.groups.get(wire.signal()) };
        let (Some(one), Some(other)) = (groups(one), groups(other)) else { return false };
        is_pair && one.iter().any(|group| other.contains(group))
    }

    /// Whether the wires exclude each other, as far as the remaining comparisons can show.
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

    /// As `follows`, by the gate of the first wire.
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
        match (program.gates[gate].kind == GateKind::And) != one.is_negated() {
            true => inputs.any(&mut follows),
            false => inputs.all(follows),
        }
    }
}
