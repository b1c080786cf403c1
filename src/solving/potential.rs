//! Potentials: weights of fluents whose sum grows by exactly 1 with every joint move. With one, the layers of the
//! states cannot overlap, so a layer need not be compared with older ones.
//!
//! The weights solve w·(s'−s) = 1 for sampled moves, modulo a prime, which is exact and needs no fractions; every move
//! that is explored later is checked. A move that violates the equation ends the use of the potential, not the run: the
//! layers so far are right, since all moves before it were checked.

use super::parts::Parts;
use super::row::Form;
use crate::game::{Chance, Fluent, KeyExpansion, KeyExpansions, KeyGroup, KeyReasoner};
use crate::number::{Equations, PRIME, subtract};
use rustc_hash::FxHashSet;

/// The sum of two numbers below the prime.
fn add(left: u64, right: u64) -> u64 {
    (left + right) % PRIME
}

/// The most fluents of a game for which a potential is sought, and the most moves that are sampled.
const MOST_FLUENTS: usize = 2_000;
const MOST_MOVES: usize = 40_000;

/// Weights by fluent that fit all sampled moves; `None` if there are none.
pub(super) fn find(keys: &mut dyn KeyReasoner, first: &[u64]) -> Option<Vec<u64>> {
    let groups = keys.groups();
    let fluents = groups.iter().flat_map(|group| &group.fluents).map(|fluent| fluent.index() + 1).max()?;
    if fluents > MOST_FLUENTS {
        return None;
    }
    let mut sampled = Sampled {
        keys,
        equations: Equations::new(fluents),
        weights: vec![0; fluents],
        moves: 0,
        before: Vec::new(),
        after: Vec::new(),
        expansions: KeyExpansions::default(),
    };
    sampled.sample(first).then_some(sampled.weights)
}

struct Sampled<'a> {
    keys: &'a mut dyn KeyReasoner,
    equations: Equations,
    weights: Vec<u64>,
    moves: usize,
    before: Vec<Fluent>,
    after: Vec<Fluent>,
    expansions: KeyExpansions,
}

impl Sampled<'_> {
    /// Goes through the states near the first, and along lines of random moves; false if some move fits no weights.
    fn sample(&mut self, first: &[u64]) -> bool {
        const NEAR: usize = 300;
        let (mut queue, mut seen, mut next) = (vec![first.to_vec()], FxHashSet::default(), 0);
        seen.insert(first.to_vec());
        while next < queue.len().min(NEAR) && self.moves < MOST_MOVES / 2 {
            let Some(successors) = self.expand(&queue[next]) else { return false };
            next += 1;
            queue.extend(successors.into_iter().filter(|key| seen.insert(key.clone())));
        }
        let mut random = Chance::new(0);
        while self.moves < MOST_MOVES {
            let (mut key, start) = (first.to_vec(), self.moves);
            // A line that does not end is cut.
            for _ in 0..1_000 {
                let Some(mut successors) = self.expand(&key) else { return false };
                if successors.is_empty() {
                    break;
                }
                let chosen = random.index(successors.len());
                key = successors.swap_remove(chosen);
            }
            if self.moves == start {
                break;
            }
        }
        true
    }

    /// The successors of a state; `None` if a move to one of them fits no weights.
    fn expand(&mut self, key: &[u64]) -> Option<Vec<Vec<u64>>> {
        self.keys.expand(key, &mut self.expansions);
        let successors: Vec<Vec<u64>> =
            self.expansions.successors().chunks_exact(key.len()).map(<[u64]>::to_vec).collect();
        // A state with too many joint moves ends the run anyway.
        let is_stored = |expansion: &KeyExpansion| !matches!(expansion, KeyExpansion::Turn(turn) if !turn.is_stored);
        if !self.expansions.all().iter().all(is_stored) {
            return None;
        }
        self.keys.fluents(key, &mut self.before);
        for successor in &successors {
            self.moves += 1;
            self.keys.fluents(successor, &mut self.after);
            let sum = |fluents: &[Fluent]| fluents.iter().fold(0, |sum, fluent| add(sum, self.weights[fluent.index()]));
            if subtract(sum(&self.after), sum(&self.before)) == 1 {
                continue;
            }
            let mut equation = vec![0; self.equations.unknowns() + 1];
            self.after.iter().for_each(|fluent| equation[fluent.index()] = 1);
            for fluent in &self.before {
                equation[fluent.index()] = subtract(equation[fluent.index()], 1);
            }
            equation[self.equations.unknowns()] = 1;
            self.equations.add(equation)?;
            self.weights = self.equations.solution();
        }
        Some(successors)
    }
}

/// The potential of rows, from tables of some key bits each.
#[derive(Clone, Debug)]
pub(super) struct Potential {
    parts: Parts,
    tables: Vec<Vec<u64>>,
}

impl Potential {
    /// The most key bits of a table.
    const BITS: u32 = 11;

    /// The tables for weights by fluent.
    pub(super) fn new(groups: &[KeyGroup], weights: &[u64], form: Form) -> Self {
        let parts = Parts::new(groups, form, Self::BITS);
        let tables = parts.tables(|fluents| fluents.fold(0, |sum, fluent| add(sum, weights[fluent.index()])));
        Self { parts, tables }
    }

    /// The potential of a row.
    #[inline]
    pub(super) fn of(&self, row: &[u64]) -> u64 {
        self.parts.numbers(row).zip(&self.tables).fold(0, |sum, (number, table)| add(sum, table[number]))
    }

    /// By how much the potential of a row is greater than another.
    pub(super) fn steps(&self, row: &[u64], first: u64) -> u64 {
        subtract(self.of(row), first)
    }

    /// The potential that is `steps` greater.
    pub(super) fn after(potential: u64, steps: u32) -> u64 {
        add(potential, steps.into())
    }
}
