//! The order of the parts of a conjunction: the cheapest part that can be evaluated comes next.

use crate::interpreter::definitions::Part;
use crate::interpreter::order::{VariableSet, part_variables};
use crate::interpreter::program::Compiler;
use crate::rules::VariableId;
use rustc_hash::FxHashMap;

impl Compiler<'_> {
    /// The order in which the parts of a body are evaluated if these variables are bound at the start; `None` if no
    /// order is possible.
    pub(in crate::interpreter) fn order(
        &self,
        body: &[Part],
        bound: &VariableSet,
        wanted: &VariableSet,
    ) -> Option<Vec<usize>> {
        let mut bound = bound.clone();
        let mut queue = Queue::new(body);
        let mut order = Vec::with_capacity(body.len());
        while !queue.open.is_empty() {
            let index = self.cheapest(&queue, body, &bound, wanted)?;
            queue.take(index);
            if !matches!(body[index], Part::Not(..) | Part::Either(..)) {
                part_variables(&body[index], &mut bound);
            }
            order.push(index);
        }
        Some(order)
    }

    pub(super) fn cheapest(
        &self,
        queue: &Queue,
        body: &[Part],
        bound: &VariableSet,
        wanted: &VariableSet,
    ) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for &index in &queue.open {
            let own = &queue.variables[index];
            let elsewhere = |variable: VariableId| {
                let others = queue.uses(variable) - usize::from(own.contains(&variable));
                others > 0 || wanted.contains(&variable)
            };
            if let Some(cost) = self.cost(&body[index], bound, &elsewhere)
                && best.is_none_or(|(_, least)| cost < least)
            {
                best = Some((index, cost));
            }
        }
        best.map(|(index, _)| index)
    }
}

/// The parts of a body that are still to be compiled, and the number of them that use each variable.
pub(super) struct Queue {
    pub(super) open: Vec<usize>,
    variables: Vec<VariableSet>,
    uses: FxHashMap<VariableId, usize>,
}

impl Queue {
    pub(super) fn new(body: &[Part]) -> Self {
        let mut variables = vec![VariableSet::default(); body.len()];
        let mut uses = FxHashMap::default();
        for (part, own) in body.iter().zip(&mut variables) {
            part_variables(part, own);
            own.iter().for_each(|&variable| *uses.entry(variable).or_default() += 1);
        }
        Self { open: (0..body.len()).collect(), variables, uses }
    }

    /// The number of remaining parts that use a variable.
    pub(super) fn uses(&self, variable: VariableId) -> usize {
        self.uses.get(&variable).copied().unwrap_or(0)
    }

    /// Removes a part.
    pub(super) fn take(&mut self, index: usize) {
        self.open.retain(|&other| other != index);
        #[expect(clippy::iter_over_hash_type, reason = "the order does not matter: each entry is changed on its own")]
        for variable in &self.variables[index] {
            if let Some(uses) = self.uses.get_mut(variable) {
                *uses -= 1;
            }
        }
    }
}
