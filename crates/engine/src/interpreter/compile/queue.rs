//! The order of the parts of a conjunction: the cheapest part that can be evaluated comes next.

use crate::interpreter::definitions::ResolvedLiteral;
use crate::interpreter::order::{VariableSet, part_variables};
use crate::interpreter::program::Compiler;
use gdl::rules::VariableId;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BTreeSet;

impl Compiler<'_> {
    /// The order in which the parts of a body are evaluated if these variables are bound at the start; `None` if no
    /// order is possible.
    pub(in crate::interpreter) fn order(
        &self,
        body: &[ResolvedLiteral],
        bound: &VariableSet,
        wanted: &VariableSet,
    ) -> Option<Vec<usize>> {
        let mut bound = bound.clone();
        let mut queue = LiteralQueue::new(body);
        let mut order = Vec::with_capacity(body.len());
        while !queue.is_empty() {
            let index = self.take_cheapest(&mut queue, body, &bound, wanted)?;
            if !matches!(body[index], ResolvedLiteral::Not(..) | ResolvedLiteral::Either(..)) {
                part_variables(&body[index], &mut bound);
            }
            order.push(index);
        }
        Some(order)
    }

    /// Takes the cheapest part of a body from the queue, the first of those that cost the same; `None` if no part that
    /// is left can be evaluated. `bound` has the variables that are bound now: between calls it may only grow, by
    /// variables of the part that was taken.
    ///
    /// Costs are kept: for `n` parts with `m` variables in all, all calls together cost `m log n`.
    pub(super) fn take_cheapest(
        &self,
        queue: &mut LiteralQueue,
        body: &[ResolvedLiteral],
        bound: &VariableSet,
        wanted: &VariableSet,
    ) -> Option<usize> {
        for index in std::mem::take(&mut queue.changed) {
            let Some(own) = queue.open(index) else { continue };
            let elsewhere = |variable: VariableId| {
                let others = queue.uses(variable) - usize::from(own.contains(&variable));
                others > 0 || wanted.contains(&variable)
            };
            let cost = self.cost(&body[index], bound, &elsewhere).map(|cost| PartCost { cost, index });
            queue.set_cost(index, cost);
        }
        let cheapest = queue.costs.first()?.index;
        queue.take(cheapest, bound);
        Some(cheapest)
    }
}

/// The cost of a part. Costs compare by the index of the part if they are equal.
#[derive(Clone, Copy, PartialEq)]
struct PartCost {
    cost: f64,
    index: usize,
}

impl Eq for PartCost {}

impl Ord for PartCost {
    fn cmp(&self, other: &Self) -> Ordering {
        self.cost.total_cmp(&other.cost).then(self.index.cmp(&other.index))
    }
}

impl PartialOrd for PartCost {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The parts of a body that are still to be compiled, with their costs.
pub(super) struct LiteralQueue {
    /// For each part that is left, its variables.
    open: Vec<Option<VariableSet>>,
    /// The parts that use each variable, and how many of them are left.
    uses: FxHashMap<VariableId, VariableUses>,
    /// The costs of the parts that can be evaluated.
    costs: BTreeSet<PartCost>,
    /// For each part, its entry there.
    cost_of: Vec<Option<PartCost>>,
    /// The parts of which the cost may have changed.
    changed: Vec<usize>,
    left: usize,
}

#[derive(Default)]
struct VariableUses {
    parts: Vec<usize>,
    left: usize,
}

impl LiteralQueue {
    pub(super) fn new(body: &[ResolvedLiteral]) -> Self {
        let mut uses: FxHashMap<VariableId, VariableUses> = FxHashMap::default();
        let mut open = Vec::with_capacity(body.len());
        for (index, part) in body.iter().enumerate() {
            let mut own = VariableSet::default();
            part_variables(part, &mut own);
            own.iter().for_each(|&variable| {
                let uses = uses.entry(variable).or_default();
                uses.parts.push(index);
                uses.left += 1;
            });
            open.push(Some(own));
        }
        let costs = BTreeSet::new();
        let cost_of = vec![None; body.len()];
        let changed = (0..body.len()).collect();
        Self { open, uses, costs, cost_of, changed, left: body.len() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// The number of remaining parts that use a variable.
    pub(super) fn uses(&self, variable: VariableId) -> usize {
        self.uses.get(&variable).map_or(0, |uses| uses.left)
    }

    /// The variables of a part that is left.
    fn open(&self, index: usize) -> Option<&VariableSet> {
        self.open[index].as_ref()
    }

    fn set_cost(&mut self, index: usize, cost: Option<PartCost>) {
        if let Some(before) = std::mem::replace(&mut self.cost_of[index], cost) {
            self.costs.remove(&before);
        }
        self.costs.extend(cost);
    }

    /// Removes a part, which may bind all its variables that are not `bound`. The cost of another part may change if a
    /// variable becomes bound, or if no other part uses it any more.
    fn take(&mut self, index: usize, bound: &VariableSet) {
        self.set_cost(index, None);
        let Some(own) = self.open[index].take() else { return };
        self.left -= 1;
        #[expect(clippy::iter_over_hash_type, reason = "the order does not matter: each entry is changed on its own")]
        for variable in &own {
            let Some(uses) = self.uses.get_mut(variable) else { continue };
            uses.left -= 1;
            if uses.left <= 1 || !bound.contains(variable) {
                self.changed.extend(uses.parts.iter().copied());
            }
        }
    }
}
