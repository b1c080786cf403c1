//! The circuit of a step, built from a program: gates, the counting of legal moves, and the descent to the chosen one.
//!
//! There are two main parts, with the drawing of ranks between them: *state*, from the state to terminal, the lanes
//! without a move, and the largest rank of each choice; and *advance*, from the ranks to the next state. *Goal* is
//! separate, since few steps need it. The method of the choice, and the proof that it is uniform, are in
//! [`super::rank`].
//!
//! A number in a circuit has a value in each lane: a literal for each bit, lowest first.

use super::choice::{Candidate, Choices, GuardedCandidates};
use super::circuit::{Circuit, CircuitNode, NodeLiteral};
use super::lane_slots::LaneSlots;
use super::rank::cheapest_rounds;
use super::signals::{Signals, legal_literals};
use super::unions::members_of_unions;
use super::wide_choice::{Classes, GROUP, GROUP_BITS, MOST_NOTES, WIDE, WideChoice};
use super::word::Slot;
use crate::program::Program;
use fixedbitset::FixedBitSet;
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;

/// The number of leaves of the tree that are counted together: an adder takes three bits, and no fewer gates for two.
const FEW: usize = 3;

/// The slots through which a circuit and the drawing of a rank communicate.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankSlots {
    /// The first slot: the bits of the largest rank, then the bits that can be set in a number up to it, then the bits
    /// of the rank, each lowest first.
    pub(super) first: Slot,
    /// The number of bits of a rank.
    pub(super) bits: u32,
}

/// The circuit of a step, and its outputs.
#[derive(Debug)]
pub(super) struct Wiring {
    pub(super) circuit: Circuit,
    pub(super) terminal: NodeLiteral,
    /// For each role, the lanes in which it has no legal move.
    pub(super) stuck: Vec<NodeLiteral>,
    pub(super) ranks: Vec<RankSlots>,
    /// The bounds of the ranks, and their slots.
    pub(super) bounds: Vec<(CircuitNode, Slot)>,
    /// The goal values, in the order of the program.
    pub(super) goals: Vec<NodeLiteral>,
    /// The moves that are made, in the order of the program, without those of wide choices.
    pub(super) moves: Vec<NodeLiteral>,
    pub(super) wide: Vec<WideChoice<NodeLiteral>>,
    /// The sets of moves of wide choices.
    pub(super) classes: Classes,
    /// The bits of the next state that can differ from those of the state, and their slots.
    pub(super) next: Vec<(CircuitNode, Slot)>,
    /// The slots of the lanes that take their next state, begin anew, or are held.
    pub(super) going: LaneSlots,
    /// The number of rounds in which lanes draw, which may then be held; `None` if they draw until all have a rank.
    pub(super) rounds: Option<u32>,
    /// The lanes whose next state is not usual, if the circuit is for usual states.
    pub(super) leaves: NodeLiteral,
    /// The lanes in which each move of a choice is made, whichever role makes it, choice by choice.
    chosen: Vec<Vec<NodeLiteral>>,
}

impl Wiring {
    /// The circuit of a program whose roles make these choices.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn new(program: &Program, choices: &Choices, poll: &Poll<'_>) -> Result<Self, Stop> {
        let no_bits = FixedBitSet::new();
        let wiring = Self::with_wide(program, choices, WIDE, &no_bits, None, poll)?;
        match wiring.classes.are_few(MOST_NOTES) {
            true => Ok(wiring),
            false => Self::with_wide(program, choices, usize::MAX, &no_bits, None, poll),
        }
    }

    /// The circuit that plays the same games as this one in states in which no bit of `rare` is set; none of them may
    /// be set in the initial state. The program and the choices are the same.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn for_usual(
        &self,
        program: &Program,
        choices: &Choices,
        rare: &FixedBitSet,
        poll: &Poll<'_>,
    ) -> Result<Self, Stop> {
        let fewest = if self.wide.is_empty() { usize::MAX } else { WIDE };
        Self::with_wide(program, choices, fewest, rare, Some(self), poll)
    }

    /// As [`Wiring::new`]; a choice among at least `fewest` moves is wide, and the bits of `rare` are never set.
    /// `general` is the circuit for all states if this one is for usual states.
    fn with_wide(
        program: &Program,
        choices: &Choices,
        fewest: usize,
        rare: &FixedBitSet,
        general: Option<&Self>,
        poll: &Poll<'_>,
    ) -> Result<Self, Stop> {
        let (circuit, mut signals) = Signals::of_states(program, rare);
        let mut wiring = Self::empty(circuit, program.moves.len(), choices.roles());
        let deferred = settle_legality(&mut wiring.circuit, &mut signals, choices, poll)?;
        wiring.build_choices(choices, &mut signals, &deferred, fewest, poll)?;
        wiring.settle_moves(choices, &mut signals, poll)?;
        wiring.terminal = signals.known(program.terminal);
        wiring.goals = program.goal.iter().map(|&wire| signals.known(wire)).collect();
        wiring.next = signals.next(&mut wiring.circuit, &mut wiring.classes);
        if wiring.wide.is_empty() {
            let ranks: Vec<u32> = wiring.ranks.iter().map(|rank| rank.bits).collect();
            // Both circuits must draw alike, so that they play the same games.
            wiring.rounds = match general {
                Some(general) => general.rounds,
                None => cheapest_rounds(wiring.circuit.len(), wiring.next.len(), &ranks),
            };
            wiring.going.holds = wiring.rounds.map(|_| wiring.circuit.take_slots(1).start);
        }
        wiring.going.apply(&mut wiring.circuit, &mut wiring.next, &program.initial);
        let leaving = wiring.next.iter().filter(|&&(_, bit)| rare.contains(bit as usize));
        wiring.leaves = wiring.circuit.any(leaving.map(|&(node, _)| NodeLiteral { node, is_negated: false }));
        wiring.circuit.seal();
        Ok(wiring)
    }

    /// A circuit of inputs, without outputs.
    fn empty(mut circuit: Circuit, moves: usize, roles: usize) -> Self {
        let [goes, fresh] = [(); 2].map(|()| circuit.take_slots(1).start);
        Self {
            circuit,
            terminal: NodeLiteral::FALSE,
            stuck: vec![NodeLiteral::TRUE; roles],
            ranks: Vec::new(),
            bounds: Vec::new(),
            goals: Vec::new(),
            moves: vec![NodeLiteral::FALSE; moves],
            wide: Vec::new(),
            classes: Classes::default(),
            next: Vec::new(),
            going: LaneSlots { goes, fresh, holds: None },
            rounds: None,
            leaves: NodeLiteral::FALSE,
            chosen: Vec::new(),
        }
    }

    /// Builds all choices. `deferred` has the gates that test that a member has a move, member by member.
    fn build_choices(
        &mut self,
        choices: &Choices,
        signals: &mut Signals<'_>,
        deferred: &[Vec<usize>],
        fewest: usize,
        poll: &Poll<'_>,
    ) -> Result<(), Stop> {
        for (role, candidate) in choices.alone() {
            let legal = self.legal(signals, candidate);
            self.moves[candidate.index as usize] = self.if_going(legal);
            self.stuck[role] = self.circuit.without(self.stuck[role], legal);
        }
        let mut deferred = deferred.iter();
        for contest in choices.contests() {
            poll.steps(contest.iter().map(|member| member.candidates.len()).sum())?;
            let has_move = self.contest(contest, signals, fewest);
            // The order of the zip matters: the other one would take one item too many from `deferred` before it sees
            // that there are no more members.
            for (has_move, gates) in has_move.into_iter().zip(deferred.by_ref()) {
                signals.tell(gates, has_move);
            }
        }
        Ok(())
    }

    /// Builds the gates that depend on the moves that are made.
    fn settle_moves(&mut self, choices: &Choices, signals: &mut Signals<'_>, poll: &Poll<'_>) -> Result<(), Stop> {
        let program = signals.program;
        let members = self.wide.iter().flat_map(|wide| &wide.members);
        let by_class: Vec<u32> = members.flat_map(|(_, moves)| moves).copied().collect();
        for (index, &chosen) in self.moves.iter().enumerate() {
            signals.known[program.move_signal(index)] = Some(chosen);
        }
        // A move of a wide choice has no literal: it is recorded in the words of its sets.
        by_class.iter().for_each(|&index| signals.known[program.move_signal(index as usize)] = None);
        self.classes = Classes::new(program, by_class.into_iter());
        // Checks the limits now, since unions are found without a check.
        poll.steps(usize::MAX)?;
        if self.wide.is_empty() {
            let members = members_of_unions(program, choices);
            signals.settle_unions(&mut self.circuit, &members, &self.chosen, poll)?;
        }
        signals.settle(&mut self.circuit, &mut self.classes, poll)
    }

    /// The literal in lanes that take their next state.
    fn if_going(&mut self, literal: NodeLiteral) -> NodeLiteral {
        let goes = self.circuit.input(self.going.goes);
        self.circuit.and(literal, goes)
    }

    /// The lanes in which a candidate is legal.
    fn legal(&mut self, signals: &Signals<'_>, candidate: &Candidate) -> NodeLiteral {
        let legality = &signals.program.legal[candidate.index as usize];
        self.circuit.and(signals.known(legality.guard), signals.known(legality.wire))
    }

    /// Builds a choice, which is wide if it has at least `fewest` moves. Returns, member by member, the lanes that have
    /// a move.
    fn contest(&mut self, contest: &[GuardedCandidates], signals: &Signals<'_>, fewest: usize) -> Vec<NodeLiteral> {
        let mut leaves: Vec<NodeLiteral> = Vec::new();
        for member in contest {
            for (index, legal) in legal_literals(&mut self.circuit, signals, member).into_iter().enumerate() {
                match leaves.get_mut(index) {
                    Some(leaf) => *leaf = self.circuit.or(*leaf, legal),
                    None => leaves.push(legal),
                }
            }
        }
        let is_wide = leaves.len() >= fewest;
        let levels = match is_wide {
            true => {
                let groups: Vec<_> = leaves.chunks(GROUP).map(|group| count(&mut self.circuit, group)).collect();
                self.counts(groups, GROUP, leaves.len())
            }
            false => {
                let few: Vec<_> = leaves.chunks(FEW).map(|few| count(&mut self.circuit, few)).collect();
                self.counts(few, FEW, leaves.len())
            }
        };
        let count = levels[levels.len() - 1][0].clone();
        let some = self.circuit.any(count.iter().copied());
        let bits = (usize::BITS - (leaves.len() - 1).leading_zeros()) as usize;
        let (most, used) = self.largest_rank(&count, bits, some);
        let slots = self.circuit.take_slots(3 * bits);
        let first = slots.start;
        for (&bound, slot) in most.iter().chain(&used).zip(slots.clone()) {
            self.bounds.push((self.circuit.plain(bound), slot));
        }
        let rank = slots.skip(2 * bits).map(|slot| self.circuit.input(slot)).collect();
        self.ranks.push(RankSlots { first, bits: to_u32(bits) });
        let mut has_move = Vec::new();
        for member in contest {
            let moves = self.circuit.and(guard(member, signals), some);
            self.stuck[member.role] = self.circuit.without(self.stuck[member.role], moves);
            has_move.push(moves);
        }
        if is_wide {
            self.wide(contest, signals, &leaves, &levels, some, rank);
            return has_move;
        }
        let chooses = self.if_going(some);
        let chosen = self.descend(&levels, &leaves, chooses, rank);
        self.chosen.push(chosen.clone());
        for member in contest {
            let guard = guard(member, signals);
            for (candidate, &chosen) in member.candidates.iter().zip(&chosen) {
                self.moves[candidate.index as usize] = self.circuit.and(guard, chosen);
            }
        }
        has_move
    }

    /// Builds the part of a wide choice that gates compute.
    fn wide(
        &mut self,
        contest: &[GuardedCandidates],
        signals: &Signals<'_>,
        leaves: &[NodeLiteral],
        levels: &[Vec<Vec<NodeLiteral>>],
        some: NodeLiteral,
        rank: Vec<NodeLiteral>,
    ) {
        let words = self.circuit.take_slots(leaves.len().next_multiple_of(GROUP));
        // These come first, so that each is counted right after it is computed.
        let legal: Vec<_> =
            leaves.iter().zip(words.clone()).map(|(&leaf, slot)| (self.circuit.plain(leaf), slot)).collect();
        self.bounds.splice(0..0, legal);
        let mut members = Vec::new();
        for member in contest {
            let guard = guard(member, signals);
            let moves = member.candidates.iter().map(|candidate| candidate.index);
            let last = member.candidates[member.candidates.len() - 1].index;
            members.push((
                guard,
                moves.chain(std::iter::repeat(last)).take(leaves.len().next_multiple_of(GROUP)).collect(),
            ));
        }
        let rank = self.descend_to_group(levels, some, rank);
        self.wide.push(WideChoice { legal: words, some, rank, members });
    }

    /// The bits of the rank within its group, followed by those of the group's number.
    fn descend_to_group(
        &mut self,
        levels: &[Vec<Vec<NodeLiteral>>],
        some: NodeLiteral,
        mut rank: Vec<NodeLiteral>,
    ) -> Vec<NodeLiteral> {
        let circuit = &mut self.circuit;
        let mut masks = vec![some];
        let mut group = Vec::new();
        for level in levels[..levels.len() - 1].iter().rev() {
            let mut left = vec![NodeLiteral::FALSE; level[0].len().min(rank.len())];
            // If the right subtree is empty, all lanes go left.
            for (pair, &mask) in level.chunks(2).zip(&masks) {
                for (sum, &bit) in left.iter_mut().zip(&pair[0]) {
                    let bit = circuit.and(mask, bit);
                    *sum = circuit.or(*sum, bit);
                }
            }
            let goes_left = subtract(circuit, &mut rank, &left);
            group.push(goes_left.negated());
            let halves = level.chunks(2).zip(&masks).flat_map(|(pair, &mask)| {
                let halves = [circuit.and(mask, goes_left), circuit.without(mask, goes_left)];
                halves.into_iter().take(pair.len())
            });
            masks = halves.collect();
            rank.truncate(level[0].len());
        }
        rank.truncate(GROUP_BITS);
        rank.into_iter().chain(group.into_iter().rev()).collect()
    }

    /// The counts at all levels of the tree over these leaves, each of which counts up to `each` moves.
    fn counts(&mut self, leaves: Vec<Vec<NodeLiteral>>, each: usize, total: usize) -> Vec<Vec<Vec<NodeLiteral>>> {
        let mut levels = vec![leaves];
        let mut size = each;
        while let Some(level) = levels.last().filter(|level| level.len() > 1) {
            size *= 2;
            let above = level.chunks(2).enumerate().map(|(index, pair)| match pair {
                [left, right] => {
                    let mut sum = add(&mut self.circuit, left, right, NodeLiteral::FALSE);
                    sum.truncate((usize::BITS - size.min(total - index * size).leading_zeros()) as usize);
                    sum
                }
                only => only[0].clone(),
            });
            let above = above.collect();
            levels.push(above);
        }
        levels
    }

    /// One less than the count, or 0 if the count is 0, and the bits that can be set in a number up to it.
    fn largest_rank(
        &mut self,
        count: &[NodeLiteral],
        bits: usize,
        some: NodeLiteral,
    ) -> (Vec<NodeLiteral>, Vec<NodeLiteral>) {
        let circuit = &mut self.circuit;
        let mut borrow = NodeLiteral::TRUE;
        let mut most = Vec::new();
        for &bit in &count[..bits] {
            let less = circuit.xor(bit, borrow);
            most.push(circuit.and(less, some));
            borrow = circuit.without(borrow, bit);
        }
        let mut above = NodeLiteral::FALSE;
        let mut used = vec![NodeLiteral::FALSE; bits];
        for index in (0..bits).rev() {
            above = circuit.or(above, most[index]);
            used[index] = above;
        }
        (most, used)
    }

    /// Descends to the leaf that has the rank; returns the lanes at each leaf.
    fn descend(
        &mut self,
        levels: &[Vec<Vec<NodeLiteral>>],
        leaves: &[NodeLiteral],
        some: NodeLiteral,
        mut rank: Vec<NodeLiteral>,
    ) -> Vec<NodeLiteral> {
        let circuit = &mut self.circuit;
        let mut masks = vec![some];
        for level in levels[..levels.len() - 1].iter().rev() {
            let mut left = vec![NodeLiteral::FALSE; level[0].len().min(rank.len())];
            for (pair, &mask) in level.chunks_exact(2).zip(&masks) {
                for (sum, &bit) in left.iter_mut().zip(&pair[0]) {
                    let bit = circuit.and(mask, bit);
                    *sum = circuit.or(*sum, bit);
                }
            }
            let goes_left = subtract(circuit, &mut rank, &left);
            let mut below = Vec::with_capacity(level.len());
            for (pair, &mask) in level.chunks(2).zip(&masks) {
                if pair.len() == 1 {
                    below.push(mask);
                } else {
                    below.push(circuit.and(mask, goes_left));
                    below.push(circuit.without(mask, goes_left));
                }
            }
            masks = below;
            rank.truncate(level[0].len());
        }
        let few = leaves.chunks(FEW).zip(masks);
        few.flat_map(|(few, mask)| among_few(circuit, few, mask, &rank)).collect()
    }
}

/// The lanes at each of a few leaves: of those of `mask`, those in which the leaf is the one that has the rank among
/// the leaves that hold.
fn among_few(
    circuit: &mut Circuit,
    leaves: &[NodeLiteral],
    mask: NodeLiteral,
    rank: &[NodeLiteral],
) -> Vec<NodeLiteral> {
    let [first, rest @ ..] = leaves else { return Vec::new() };
    let [second, _] = rest else {
        return match rest {
            [] => vec![mask],
            _ => {
                let legal = circuit.and(mask, *first);
                let left = circuit.without(legal, rank[0]);
                vec![left, circuit.without(mask, left)]
            }
        };
    };
    let is_least = circuit.or(rank[0], rank[1]).negated();
    let legal = circuit.and(mask, *first);
    let left = circuit.and(legal, is_least);
    let right = circuit.without(mask, left);
    // The second has it if it is the first that holds and the rank is 0, or if the first one holds and the rank is 1.
    let is_after = circuit.and(rank[0], *first);
    let is_second = circuit.or(is_least, is_after);
    let legal = circuit.and(right, *second);
    let middle = circuit.and(legal, is_second);
    vec![left, middle, circuit.without(right, middle)]
}

/// The guard of a member, or the constant true if it has none.
fn guard(member: &GuardedCandidates, signals: &Signals<'_>) -> NodeLiteral {
    match member.is_guarded {
        true => signals.known(signals.program.legal[member.candidates[0].index as usize].guard),
        false => NodeLiteral::TRUE,
    }
}

/// Builds the gates that do not depend on moves, but for those that test that a member of a choice has a move; returns
/// these, member by member. The choice has their value anyway.
fn settle_legality(
    circuit: &mut Circuit,
    signals: &mut Signals<'_>,
    choices: &Choices,
    poll: &Poll<'_>,
) -> Result<Vec<Vec<usize>>, Stop> {
    let program = signals.program;
    let mut deferred: Vec<Vec<usize>> = Vec::new();
    for member in choices.contests().iter().flatten() {
        poll.steps(1 + program.gates.len() / 16)?;
        deferred.push(signals.defer(member));
    }
    signals.settle(circuit, &mut Classes::default(), poll)?;
    let is_known = |wire| signals.literal(wire).is_some();
    if !program.legal.iter().all(|legal| is_known(legal.guard) && is_known(legal.wire)) {
        // The legality of some move depends on a gate that was deferred, so nothing is.
        deferred.iter_mut().for_each(Vec::clear);
        signals.defer_nothing();
        signals.settle(circuit, &mut Classes::default(), poll)?;
    }
    Ok(deferred)
}

/// Counts the literals that hold, of which there is one at least, with a tree of adders.
fn count(circuit: &mut Circuit, leaves: &[NodeLiteral]) -> Vec<NodeLiteral> {
    if let [only] = leaves {
        return vec![*only];
    }
    // Each adder takes one literal as its carry, which saves an adder of its own for it.
    let (left, right) = leaves.split_at((leaves.len() - 1) / 2);
    let carry = right[0];
    let left = if left.is_empty() { Vec::new() } else { count(circuit, left) };
    let right = count(circuit, &right[1..]);
    let mut sum = add(circuit, &right, &left, carry);
    sum.truncate((usize::BITS - leaves.len().leading_zeros()) as usize);
    sum
}

/// Adds two counts, of which the first has at least as many bits, and a carry.
fn add(circuit: &mut Circuit, left: &[NodeLiteral], right: &[NodeLiteral], mut carry: NodeLiteral) -> Vec<NodeLiteral> {
    let mut sum = Vec::with_capacity(left.len() + 1);
    for (index, &one) in left.iter().enumerate() {
        let other = right.get(index).copied().unwrap_or(NodeLiteral::FALSE);
        let half = circuit.xor(one, other);
        sum.push(circuit.xor(half, carry));
        let both = circuit.and(one, other);
        let passed = circuit.and(half, carry);
        carry = circuit.or(both, passed);
    }
    sum.push(carry);
    sum
}

/// Returns the lanes in which the rank is below the number; subtracts the number from the rank in the others.
fn subtract(circuit: &mut Circuit, rank: &mut [NodeLiteral], number: &[NodeLiteral]) -> NodeLiteral {
    let mut borrow = NodeLiteral::FALSE;
    let mut changes = Vec::with_capacity(rank.len());
    for (index, &bit) in rank.iter().enumerate() {
        let number = number.get(index).copied().unwrap_or(NodeLiteral::FALSE);
        // The bit of the difference is `bit ^ change`; the borrow remains where both inputs are equal, else it is
        // `number`, which is `borrow ^ change`.
        let differ = circuit.xor(bit, number);
        let change = circuit.xor(number, borrow);
        changes.push(change);
        let other = circuit.and(differ, change);
        borrow = circuit.xor(borrow, other);
    }
    for (bit, change) in rank.iter_mut().zip(changes) {
        let change = circuit.without(change, borrow);
        *bit = circuit.xor(*bit, change);
    }
    borrow
}
