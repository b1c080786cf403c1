//! The order in which the literals of a body are evaluated: greedily, the cheapest given the variables bound so far.
//!
//! Tests come as soon as their variables are bound, then the generator with the fewest expected candidates. So speed
//! does not depend on the order in which an author wrote a body, and a `distinct` may come before its variables are
//! bound.

use super::definitions::ResolvedLiteral;
use super::program::Compiler;
use super::terms::Functor;
use gdl::number::to_u32;
use gdl::rules::{Literal, Pattern, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A set of variables of one clause.
pub(super) type VariableSet = FxHashSet<VariableId>;

/// Adds the variables of a pattern.
pub(super) fn pattern_variables(pattern: &Pattern, variables: &mut VariableSet) {
    pattern.each_variable(&mut |variable| variables.extend([variable]));
}

/// Adds the variables of a literal, including those local to a negation.
pub(super) fn literal_variables(literal: &Literal, variables: &mut VariableSet) {
    literal.each_variable(&mut |variable| variables.extend([variable]));
}

/// Adds the variables of a part, including those local to a negation.
pub(super) fn part_variables(part: &ResolvedLiteral, variables: &mut VariableSet) {
    let mut note = |pattern: &Pattern| pattern_variables(pattern, variables);
    match part {
        ResolvedLiteral::Fact(fact) => note(fact),
        ResolvedLiteral::Does(arguments) => arguments.iter().for_each(note),
        ResolvedLiteral::Derived(_, arguments) | ResolvedLiteral::Tuple { arguments, .. } => {
            arguments.iter().for_each(note)
        }
        ResolvedLiteral::Not(body) => body.iter().for_each(|part| part_variables(part, variables)),
        ResolvedLiteral::Either(branches) => branches.iter().flatten().for_each(|part| part_variables(part, variables)),
        ResolvedLiteral::Same { left, right, .. } => {
            note(left);
            note(right);
        }
    }
}

/// All variables of some patterns.
pub(super) fn variables_of(patterns: &[Pattern]) -> VariableSet {
    let mut variables = VariableSet::default();
    patterns.iter().for_each(|pattern| pattern_variables(pattern, &mut variables));
    variables
}

/// True if all variables of a pattern are bound.
pub(super) fn is_bound(pattern: &Pattern, bound: &VariableSet) -> bool {
    match pattern {
        Pattern::Variable(variable) => bound.contains(variable),
        Pattern::Symbol(_) => true,
        Pattern::Compound(_, arguments) => arguments.iter().all(|argument| is_bound(argument, bound)),
    }
}

impl Compiler<'_> {
    /// The estimated cost of evaluating a part next: about the number of its solutions. Tests cost less than 1. `None`
    /// if the part cannot be evaluated yet. `elsewhere` is true for a variable that other parts or the head need.
    pub(super) fn cost(
        &self,
        part: &ResolvedLiteral,
        bound: &VariableSet,
        elsewhere: &dyn Fn(VariableId) -> bool,
    ) -> Option<f64> {
        match part {
            ResolvedLiteral::Same { left, right, negated } => match (is_bound(left, bound), is_bound(right, bound)) {
                (true, true) => Some(0.0),
                (true, false) | (false, true) if !negated => Some(0.1),
                _ => None,
            },
            ResolvedLiteral::Not(..) | ResolvedLiteral::Either(..) => {
                let mut own = VariableSet::default();
                part_variables(part, &mut own);
                let ready = own.iter().all(|&variable| bound.contains(&variable) || !elsewhere(variable));
                ready.then_some(0.6)
            }
            ResolvedLiteral::Fact(fact) => Some(self.fact_cost(fact, bound)),
            ResolvedLiteral::Does([role, chosen]) if is_bound(role, bound) && is_bound(chosen, bound) => Some(0.5),
            ResolvedLiteral::Does([role, _]) => Some(if is_bound(role, bound) { 1.0 } else { 1.5 }),
            ResolvedLiteral::Derived(definition, arguments) => match self.program.stored_of(*definition) {
                Some(stored) => Some(self.stored_cost(stored, arguments, bound)),
                None => Some(generator_cost(arguments, bound, 0.9, 6.0)),
            },
            ResolvedLiteral::Tuple { relation, arguments } => {
                let rows =
                    self.program.components.first().and_then(|only| only.relations.get(*relation as usize)?.rows);
                Some(match rows {
                    Some(rows) => share_of_rows(rows, arguments, bound),
                    None => generator_cost(arguments, bound, 0.7, 3.0),
                })
            }
        }
    }

    fn fact_cost(&self, fact: &Pattern, bound: &VariableSet) -> f64 {
        const UNKNOWN: f64 = 4.0;
        match fact {
            _ if is_bound(fact, bound) => 0.5,
            Pattern::Compound(name, arguments) => {
                let functor = Functor { name: *name, arity: to_u32(arguments.len()) };
                let expected = self.program.expected_facts.get(&functor).map_or(UNKNOWN, |&count| count as f64);
                let free = free_arguments(arguments, bound);
                expected.max(1.0).powf(free as f64 / arguments.len() as f64)
            }
            _ => self.program.expected_facts.values().sum::<usize>() as f64 + UNKNOWN,
        }
    }

    fn stored_cost(&self, stored: u32, arguments: &[Pattern], bound: &VariableSet) -> f64 {
        let relation = &self.program.stored[stored as usize];
        if arguments.iter().all(|argument| is_bound(argument, bound)) {
            return 0.4;
        }
        let columns = bound_columns(arguments, bound);
        match relation.indexes.iter().find(|index| *index.columns == *columns) {
            Some(index) => index.mean_run().max(1.0),
            None => share_of_rows(relation.tuples.len(), arguments, bound),
        }
    }
}

/// The expected number of rows that agree with the bound arguments, if all columns are equally selective. Below 1 if
/// all arguments are bound.
fn share_of_rows(rows: usize, arguments: &[Pattern], bound: &VariableSet) -> f64 {
    const TEST: f64 = 0.7;
    let free = free_arguments(arguments, bound);
    if free == 0 { TEST } else { (rows as f64).max(1.0).powf(free as f64 / arguments.len() as f64) }
}

fn generator_cost(arguments: &[Pattern], bound: &VariableSet, test: f64, fan_out: f64) -> f64 {
    let free = free_arguments(arguments, bound);
    if free == 0 { test } else { fan_out.powi(i32::try_from(free).unwrap_or(i32::MAX)) }
}

/// The number of arguments that are not bound.
fn free_arguments(arguments: &[Pattern], bound: &VariableSet) -> usize {
    arguments.iter().filter(|argument| !is_bound(argument, bound)).count()
}

/// The columns whose patterns are bound, ascending.
pub(super) fn bound_columns(arguments: &[Pattern], bound: &VariableSet) -> Vec<u32> {
    let columns = arguments.iter().zip(0..).filter(|(argument, _)| is_bound(argument, bound));
    columns.map(|(_, column)| column).collect()
}

impl Compiler<'_> {
    /// The order in which the parts of a body are evaluated if these variables are bound at the start; `None` if every
    /// order leaves a part that cannot be evaluated.
    pub(super) fn order(
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
    /// The parts that use each variable, and the number of them that are left.
    uses: FxHashMap<VariableId, VariableUses>,
    /// The costs of the parts that can be evaluated.
    costs: BTreeSet<PartCost>,
    /// For each part, its entry in `costs`.
    cost_of: Vec<Option<PartCost>>,
    /// The parts whose cost may have changed.
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
