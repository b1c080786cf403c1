//! A plan of the relaxed game: the moves on the way back from the goal along the cheapest reasons.

use super::costs::{Costs, Gate, Gates};
use rustc_hash::FxHashSet;

/// A gate, the value that it needs, and the time at which it needs it.
type Need = (u32, bool, u32);

/// The number of moves of a relaxed plan. Reasons are chosen by their costs as sums; two of them that need the same
/// move before the same time (the cost as a maximum) share it. A change that needs no move, only time, counts as one
/// move as well.
pub(super) fn moves(gates: &Gates, times: &Costs, sums: &Costs) -> u64 {
    let (steps, changed) = (FxHashSet::default(), FxHashSet::default());
    let mut plan = RelaxedPlan { gates, times, sums, steps, changed };
    plan.follow();
    plan.steps.len() as u64
}

struct RelaxedPlan<'a> {
    gates: &'a Gates,
    times: &'a Costs,
    sums: &'a Costs,
    /// The moves, with the time before which they are made; `None` if any move will do.
    steps: FxHashSet<(Option<u32>, u32)>,
    /// The fluents that change, with their new value.
    changed: FxHashSet<(u32, bool)>,
}

impl RelaxedPlan<'_> {
    /// Follows the needs of the goal. Each fluent that has to change adds a transition.
    fn follow(&mut self) {
        let mut changes: Vec<Need> = Vec::new();
        self.transition((self.gates.goal(), true, 0), &mut changes);
        while let Some(change @ (_, _, time)) = changes.pop() {
            if !self.transition(change, &mut changes) {
                self.steps.insert((None, time));
            }
        }
    }

    /// Follows a need through the gates of one state, down to its fluents and moves. Returns whether a move was among
    /// them.
    fn transition(&mut self, first: Need, changes: &mut Vec<Need>) -> bool {
        let (mut stack, mut seen, mut is_move) = (vec![first], FxHashSet::default(), false);
        while let Some(need @ (gate, wanted, time)) = stack.pop() {
            if !seen.insert(need) {
                continue;
            }
            let cheapest = |inputs: &[u32], wanted: bool| {
                let costs = if wanted { &self.sums.to_true } else { &self.sums.to_false };
                inputs.iter().copied().min_by_key(|&input| costs[input as usize]).map(|input| (input, wanted, time))
            };
            let costs =
                |costs: &Costs| if wanted { costs.to_true[gate as usize] } else { costs.to_false[gate as usize] };
            match self.gates.all[gate as usize] {
                Gate::Base(_, next) if costs(self.sums) > 0 => {
                    if self.changed.insert((gate, wanted)) {
                        changes.push((next, wanted, costs(self.times)));
                    }
                }
                Gate::Input(chosen, legal) if wanted => {
                    self.steps.insert((Some(chosen), time));
                    is_move = true;
                    stack.push((legal, true, time));
                }
                Gate::Constant(_) | Gate::Base(..) | Gate::Input(..) => {}
                Gate::Not(input) => stack.push((input, !wanted, time)),
                Gate::And(ref inputs) if wanted => stack.extend(inputs.iter().map(|&input| (input, true, time))),
                Gate::Or(ref inputs) if !wanted => stack.extend(inputs.iter().map(|&input| (input, false, time))),
                Gate::And(ref inputs) => stack.extend(cheapest(inputs, false)),
                Gate::Or(ref inputs) => stack.extend(cheapest(inputs, true)),
            }
        }
        is_move
    }
}
