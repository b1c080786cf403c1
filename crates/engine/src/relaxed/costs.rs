//! The costs of conditions in several states at once, with deletes relaxed.
//!
//! The costs of one condition in all states of a block lie side by side, so that the compiler combines them with vector
//! instructions. Costs of 16 bits are saturated at their greatest value; who finds the goal there computes with 32
//! bits.

use super::conditions::{ConditionKind, RelaxedConditions};
use gdl::number::to_u32;
use std::ops::Range;

/// The number of states of a block.
pub(super) const LANES: usize = 8;

/// A cost.
pub(super) trait Amount: Copy + Ord {
    const ZERO: Self;
    const ONE: Self;
    /// The condition cannot hold, or its cost cannot be represented.
    const INFINITE: Self;

    /// The sum, at most [`Amount::INFINITE`].
    fn plus(self, other: Self) -> Self;

    /// The cost as 32 bits.
    fn wide(self) -> u32;
}

/// Signed, since the baseline of x86-64 compares only signed numbers of 16 bits.
impl Amount for i16 {
    const ZERO: Self = 0;
    const ONE: Self = 1;
    const INFINITE: Self = Self::MAX;

    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }

    fn wide(self) -> u32 {
        if self == Self::INFINITE { u32::INFINITE } else { u32::from(self.unsigned_abs()) }
    }
}

impl Amount for u32 {
    const ZERO: Self = 0;
    const ONE: Self = 1;
    const INFINITE: Self = Self::MAX;

    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }

    fn wide(self) -> u32 {
        self
    }
}

/// How the costs of conditions that have to hold together are combined.
pub(super) trait CostCombination {
    fn combined<A: Amount>(one: A, other: A) -> A;
}

/// The greatest cost.
pub(super) struct GreatestCost;

impl CostCombination for GreatestCost {
    fn combined<A: Amount>(one: A, other: A) -> A {
        one.max(other)
    }
}

/// The sum of the costs.
pub(super) struct Sum;

impl CostCombination for Sum {
    fn combined<A: Amount>(one: A, other: A) -> A {
        one.plus(other)
    }
}

type GateRow<A> = [A; LANES];

/// The costs of all conditions in the states of a block.
#[derive(Clone, Debug)]
pub(super) struct Costs<A> {
    /// The costs in each state, by condition.
    rows: Vec<GateRow<A>>,
    /// The costs before anything is known, if no fluent holds.
    blank: Vec<GateRow<A>>,
}

impl<A: Amount> Costs<A> {
    /// Costs of these conditions, not computed yet.
    pub(super) fn new(conditions: &RelaxedConditions) -> Self {
        let mut blank = vec![[A::INFINITE; LANES]; conditions.len()];
        for (condition, row) in blank.iter_mut().enumerate() {
            if conditions.kind(to_u32(condition)) == ConditionKind::Free {
                *row = [A::ZERO; LANES];
            }
        }
        for condition in conditions.fluents.iter().filter_map(|&[_, to_false]| to_false) {
            blank[condition as usize] = [A::ZERO; LANES];
        }
        Self { rows: blank.clone(), blank }
    }

    /// The cost of a condition in a state of the block.
    pub(super) fn get(&self, condition: u32, lane: usize) -> A {
        self.rows[condition as usize][lane]
    }

    /// Computes all costs for states in which the given fluents of the network hold: passes over all conditions until
    /// no cost falls (a Bellman-Ford iteration).
    pub(super) fn compute<C: CostCombination>(&mut self, conditions: &RelaxedConditions, states: &[Vec<u32>; LANES]) {
        self.rows.copy_from_slice(&self.blank);
        for (lane, holding) in states.iter().enumerate() {
            for &fluent in holding {
                let [to_true, to_false] = conditions.fluents[fluent as usize];
                to_true.into_iter().for_each(|condition| self.rows[condition as usize][lane] = A::ZERO);
                to_false.into_iter().for_each(|condition| self.rows[condition as usize][lane] = A::INFINITE);
            }
        }
        let all = to_u32(self.rows.len());
        for range in [0..conditions.last, conditions.last..all] {
            while self.pass::<C>(conditions, range.clone()) {}
        }
    }

    /// Computes the cost of each condition of a range once from those of its members. Returns whether a cost has
    /// fallen.
    fn pass<C: CostCombination>(&mut self, conditions: &RelaxedConditions, range: Range<u32>) -> bool {
        let mut fallen = [false; LANES];
        for condition in range {
            let mut least = [A::INFINITE; LANES];
            for members in conditions.alternatives(condition) {
                let row = self.together::<C>(members);
                (0..LANES).for_each(|lane| least[lane] = least[lane].min(row[lane]));
            }
            if conditions.kind(condition) == ConditionKind::Fluent {
                least = least.map(|cost| cost.plus(A::ONE));
            }
            let row = &mut self.rows[condition as usize];
            for lane in 0..LANES {
                fallen[lane] |= least[lane] < row[lane];
                row[lane] = row[lane].min(least[lane]);
            }
        }
        fallen.contains(&true)
    }

    /// The costs of conditions that have to hold together.
    fn together<C: CostCombination>(&self, members: &[u32]) -> GateRow<A> {
        let mut row = [A::ZERO; LANES];
        for &member in members {
            let other = &self.rows[member as usize];
            (0..LANES).for_each(|lane| row[lane] = C::combined(row[lane], other[lane]));
        }
        row
    }
}
