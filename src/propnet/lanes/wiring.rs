//! From a program to the circuit of a step: gates, the counting of legal moves, and the descent to the one that is chosen.
//!
//! Two parts, with the drawing of ranks between them: *look*, from the state to the end of the game, the lanes without a
//! move, and the largest rank of each choice; and *advance*, from the ranks to the next state. *Goal* stands apart, since few
//! steps need it. The choice is that of [`super::tree`], gate by gate.

use super::choice::{Choices, Contest};
use super::circuit::{Circuit, Kind, Literal, Node};
use super::code::{Candidate, Slot};
use crate::propnet::program::{GateKind, Program, Wire};

/// Where the parts of a step and the drawing of a rank meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankSlots {
    /// First come the bits of the largest rank, then which bits of a number can be set up to that, then those of the rank; lowest first.
    pub(super) first: Slot,
    /// How many bits a rank has.
    pub(super) bits: u32,
}

/// The circuit of a step, and what is asked of it.
#[derive(Debug)]
pub(super) struct Wiring {
    pub(super) circuit: Circuit,
    pub(super) terminal: Literal,
    /// By role: the lanes with no legal move.
    pub(super) stuck: Vec<Literal>,
    pub(super) ranks: Vec<RankSlots>,
    /// What is drawn from, and its slots.
    pub(super) bounds: Vec<(Node, Slot)>,
    /// The goal values, as in the program.
    pub(super) goals: Vec<Literal>,
    /// The moves that are made, as in the program.
    pub(super) moves: Vec<Literal>,
    /// The bits of the next state that can be others than those of the state, and their slots.
    pub(super) next: Vec<(Node, Slot)>,
    /// The slots that are taken: bits, what always holds, ranks and their bounds.
    pub(super) slots: u32,
}

/// The literals of a program's signals, as far as they are known.
struct Signals<'a> {
    program: &'a Program,
    known: Vec<Option<Literal>>,
}

impl Signals<'_> {
    fn of(&self, wire: Wire) -> Option<Literal> {
        self.known[wire.signal()].map(|literal| literal.negated_if(wire.is_negated()))
    }

    /// As `of`, of what is known by now.
    fn known(&self, wire: Wire) -> Literal {
        self.of(wire).unwrap_or(Literal::FALSE)
    }

    /// Every gate whose inputs are known.
    fn settle(&mut self, circuit: &mut Circuit) {
        for gate in 0..self.program.gates.len() {
            let place = self.program.first_gate() + gate;
            if self.known[place].is_some() {
                continue;
            }
            let inputs: Option<Vec<Literal>> = self.program.inputs(gate).iter().map(|&wire| self.of(wire)).collect();
            let Some(mut inputs) = inputs else { continue };
            inputs.sort_by_key(|input| (input.is_negated, input.node));
            self.known[place] = Some(match self.program.gates[gate].kind {
                GateKind::And => circuit.all(inputs),
                GateKind::Or => circuit.any(inputs),
            });
        }
    }
}

impl Wiring {
    /// The circuit of a program whose roles choose like this. None where the program has cycles, which take a loop.
    pub(super) fn new(program: &Program, choices: &Choices) -> Option<Self> {
        if !program.cycles.is_empty() {
            return None;
        }
        let always = program.bits() as Slot;
        let mut circuit = Circuit::new(always);
        let mut signals = Signals { program, known: vec![None; program.signals()] };
        for bit in 0..program.bits() {
            signals.known[bit] = Some(circuit.input(bit as Slot));
        }
        signals.known[program.always.signal()] = Some(Literal::TRUE.negated_if(program.always.is_negated()));
        signals.settle(&mut circuit);
        let mut wiring = Self {
            circuit,
            terminal: signals.known(program.terminal),
            stuck: vec![Literal::TRUE; choices.roles()],
            ranks: Vec::new(),
            bounds: Vec::new(),
            goals: program.goal.iter().map(|&wire| signals.known(wire)).collect(),
            moves: vec![Literal::FALSE; program.moves.len()],
            next: Vec::new(),
            slots: always + 1,
        };
        for (role, candidate) in choices.alone() {
            let legal = wiring.legal(&signals, candidate);
            wiring.moves[candidate.place as usize] = legal;
            wiring.stuck[role] = wiring.circuit.without(wiring.stuck[role], legal);
        }
        for contest in choices.contests() {
            wiring.contest(contest, &signals);
        }
        for (place, &chosen) in wiring.moves.iter().enumerate() {
            signals.known[program.move_signal(place)] = Some(chosen);
        }
        signals.settle(&mut wiring.circuit);
        for (bit, &wire) in (0..).zip(&program.next) {
            let next = wiring.circuit.plain(signals.known(wire));
            if wiring.circuit.kind(next) != Kind::Input(bit) {
                wiring.next.push((next, bit));
            }
        }
        wiring.circuit.seal();
        Some(wiring)
    }

    fn legal(&mut self, signals: &Signals<'_>, candidate: &Candidate) -> Literal {
        let legality = &signals.program.legal[candidate.place as usize];
        self.circuit.and(signals.known(legality.guard), signals.known(legality.wire))
    }

    fn contest(&mut self, contest: &Contest, signals: &Signals<'_>) {
        let mut leaves: Vec<Literal> = Vec::new();
        for member in &contest.members {
            for (place, candidate) in member.candidates.iter().enumerate() {
                let legal = self.legal(signals, candidate);
                match leaves.get_mut(place) {
                    Some(leaf) => *leaf = self.circuit.or(*leaf, legal),
                    None => leaves.push(legal),
                }
            }
        }
        let levels = self.counts(leaves.iter().map(|&leaf| vec![leaf]).collect());
        let count = levels[levels.len() - 1][0].clone();
        let some = self.circuit.any(count.iter().copied());
        let bits = (usize::BITS - (leaves.len() - 1).leading_zeros()) as usize;
        let (most, used) = self.largest_rank(&count, bits, some);
        let first = self.slots;
        self.slots += 3 * bits as Slot;
        for (&bound, slot) in most.iter().chain(&used).zip(first..) {
            self.bounds.push((self.circuit.plain(bound), slot));
        }
        let rank = (first..self.slots).skip(2 * bits).map(|slot| self.circuit.input(slot)).collect();
        self.ranks.push(RankSlots { first, bits: bits as u32 });
        let chosen = self.descend(&levels, some, rank);
        for member in &contest.members {
            let guard = match member.is_guarded {
                true => signals.known(signals.program.legal[member.candidates[0].place as usize].guard),
                false => Literal::TRUE,
            };
            for (candidate, &chosen) in member.candidates.iter().zip(&chosen) {
                self.moves[candidate.place as usize] = self.circuit.and(guard, chosen);
            }
            let moves = self.circuit.and(guard, some);
            self.stuck[member.role] = self.circuit.without(self.stuck[member.role], moves);
        }
    }

    /// The counts of all levels of the tree over these leaves.
    fn counts(&mut self, leaves: Vec<Vec<Literal>>) -> Vec<Vec<Vec<Literal>>> {
        let (total, mut levels, mut size) = (leaves.len(), vec![leaves], 1);
        while let Some(level) = levels.last().filter(|level| level.len() > 1) {
            size *= 2;
            let above = level.chunks(2).enumerate().map(|(place, pair)| match pair {
                [left, right] => {
                    let mut sum = add(&mut self.circuit, left, right);
                    sum.truncate((usize::BITS - size.min(total - place * size).leading_zeros()) as usize);
                    sum
                }
                only => only[0].clone(),
            });
            let above = above.collect();
            levels.push(above);
        }
        levels
    }

    /// One less than the count, or 0 where that is 0; and the bits that a number up to it can have.
    fn largest_rank(&mut self, count: &[Literal], bits: usize, some: Literal) -> (Vec<Literal>, Vec<Literal>) {
        let circuit = &mut self.circuit;
        let (mut borrow, mut most) = (Literal::TRUE, Vec::new());
        for &bit in &count[..bits] {
            let less = circuit.xor(bit, borrow);
            most.push(circuit.and(less, some));
            borrow = circuit.without(borrow, bit);
        }
        let (mut above, mut used) = (Literal::FALSE, vec![Literal::FALSE; bits]);
        for place in (0..bits).rev() {
            above = circuit.or(above, most[place]);
            used[place] = above;
        }
        (most, used)
    }

    /// The leaf that has the rank.
    fn descend(&mut self, levels: &[Vec<Vec<Literal>>], some: Literal, mut rank: Vec<Literal>) -> Vec<Literal> {
        let circuit = &mut self.circuit;
        let mut masks = vec![some];
        for (height, level) in levels[..levels.len() - 1].iter().enumerate().skip(1).rev() {
            let mut left = vec![Literal::FALSE; level[0].len().min(rank.len())];
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
            // A node of this height has no more than 2^height leaves.
            rank.truncate(height);
        }
        if levels.len() == 1 {
            return masks;
        }
        let mut chosen = Vec::with_capacity(levels[0].len());
        for (pair, &mask) in levels[0].chunks(2).zip(&masks) {
            if pair.len() == 1 {
                chosen.push(mask);
            } else {
                let legal = circuit.and(mask, pair[0][0]);
                let left = circuit.without(legal, rank[0]);
                chosen.push(left);
                chosen.push(circuit.without(mask, left));
            }
        }
        chosen
    }
}

/// The sum of two counts, of which the first has no fewer bits.
fn add(circuit: &mut Circuit, left: &[Literal], right: &[Literal]) -> Vec<Literal> {
    let (mut carry, mut sum) = (Literal::FALSE, Vec::with_capacity(left.len() + 1));
    for (place, &one) in left.iter().enumerate() {
        let other = right.get(place).copied().unwrap_or(Literal::FALSE);
        let half = circuit.xor(one, other);
        sum.push(circuit.xor(half, carry));
        let (both, passed) = (circuit.and(one, other), circuit.and(half, carry));
        carry = circuit.or(both, passed);
    }
    sum.push(carry);
    sum
}

/// Where the rank is below the number; elsewhere the number is taken from it.
fn subtract(circuit: &mut Circuit, rank: &mut [Literal], number: &[Literal]) -> Literal {
    let number: Vec<Literal> =
        (0..rank.len()).map(|place| number.get(place).copied().unwrap_or(Literal::FALSE)).collect();
    let (mut borrow, mut less) = (Literal::FALSE, Vec::with_capacity(rank.len()));
    for (&bit, &number) in rank.iter().zip(&number) {
        let half = circuit.xor(bit, number);
        less.push(circuit.xor(half, borrow));
        let (one, other) = (circuit.without(number, bit), circuit.without(borrow, half));
        borrow = circuit.or(one, other);
    }
    for (bit, less) in rank.iter_mut().zip(less) {
        // Bits of the rank, or of the difference where there is no borrow.
        let change = circuit.xor(*bit, less);
        let change = circuit.without(change, borrow);
        *bit = circuit.xor(*bit, change);
    }
    borrow
}
