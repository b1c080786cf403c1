//! A plan of the relaxed game: the moves on the way back from the goal along the cheapest reasons.

use super::conditions::{ConditionKind, RelaxedConditions};
use super::costs::{Amount, Costs};

/// Scratch memory for plans.
#[derive(Clone, Debug)]
pub(super) struct RelaxedPlanner {
    /// The moves, with the time before which they are made; [`ANY_MOVE`] if any move will do.
    steps: Vec<(u32, u32)>,
    /// The fluents that have to change and whose reasons have not been followed yet.
    changes: Vec<u32>,
    /// The conditions of a state whose reasons have not been followed yet.
    stack: Vec<u32>,
    /// The number of the transition, over all plans, that has met each condition last; of a fluent, the plan.
    met: Vec<u64>,
    count: u64,
}

const ANY_MOVE: u32 = u32::MAX;

/// The costs of one state, by which a plan is found.
struct Reasons<'a, A> {
    conditions: &'a RelaxedConditions,
    /// The costs as sums, which say what is cheapest.
    sums: &'a Costs<A>,
    lane: usize,
}

impl<A: Amount> Reasons<'_, A> {
    /// The first of the cheapest alternatives of a condition.
    fn cheapest(&self, condition: u32) -> &[u32] {
        let cost =
            |members: &&[u32]| members.iter().fold(A::ZERO, |sum, &member| sum.plus(self.sums.get(member, self.lane)));
        let mut alternatives = self.conditions.alternatives(condition);
        let cheapest = if alternatives.len() > 1 { alternatives.min_by_key(cost) } else { alternatives.next() };
        cheapest.unwrap_or_default()
    }
}

impl RelaxedPlanner {
    pub(super) fn new(conditions: &RelaxedConditions) -> Self {
        let steps = Vec::new();
        let changes = Vec::new();
        let stack = Vec::new();
        Self { steps, changes, stack, met: vec![0; conditions.len()], count: 0 }
    }

    /// The number of moves of a relaxed plan in one state of a block. Reasons are chosen by their costs as sums; two of
    /// them that need the same move before the same time (`times`, the costs as maxima) share it. A change that needs
    /// no move, only time, counts as one move as well.
    pub(super) fn moves<A: Amount>(
        &mut self,
        conditions: &RelaxedConditions,
        times: &Costs<A>,
        sums: &Costs<A>,
        lane: usize,
    ) -> u64 {
        let reasons = Reasons { conditions, sums, lane };
        self.steps.clear();
        self.count += 1;
        let plan = self.count;
        self.stack.push(conditions.goal);
        self.transition(&reasons, 0, plan);
        while let Some(change) = self.changes.pop() {
            let time = times.get(change, lane).wide();
            self.stack.extend_from_slice(reasons.cheapest(change));
            if !self.transition(&reasons, time, plan) {
                self.steps.push((ANY_MOVE, time));
            }
        }
        self.steps.sort_unstable();
        self.steps.dedup();
        self.steps.len() as u64
    }

    /// Follows the reasons of the conditions on the stack through one state, down to its fluents and moves. Returns
    /// whether a move was among them.
    fn transition<A: Amount>(&mut self, reasons: &Reasons<'_, A>, time: u32, plan: u64) -> bool {
        let mut is_move = false;
        self.count += 1;
        let transition = self.count;
        while let Some(condition) = self.stack.pop() {
            let met = &mut self.met[condition as usize];
            let kind = reasons.conditions.kind(condition);
            if kind == ConditionKind::Fluent {
                if *met < plan && reasons.sums.get(condition, reasons.lane) > A::ZERO {
                    *met = plan;
                    self.changes.push(condition);
                }
                continue;
            }
            if std::mem::replace(met, transition) == transition {
                continue;
            }
            if let ConditionKind::Move(chosen) = kind {
                self.steps.push((chosen, time));
                is_move = true;
            }
            self.stack.extend_from_slice(reasons.cheapest(condition));
        }
        is_move
    }
}
