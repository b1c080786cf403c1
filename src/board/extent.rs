//! The facts of one relation: those that hold in a state, and those that may hold in any.

use super::coordinate::{self, Coordinate};
use crate::rules::GroundTerm;
use crate::rules::picture::FactForm;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The arguments of a fact.
type Tuple<'a> = &'a [GroundTerm];

/// The tuples of one relation, in canonical order.
#[derive(Clone, Debug)]
pub(crate) struct Extent<'a> {
    name: &'a str,
    arity: usize,
    /// Each list is sorted and has no tuple twice.
    holding: Vec<Tuple<'a>>,
    initial: Vec<Tuple<'a>>,
    possible: Vec<Tuple<'a>>,
    is_declared: bool,
}

impl<'a> Extent<'a> {
    /// The relations of a state, by name and arity, from its facts, those of the initial state, and those that `base`
    /// declares (empty if the rules have no `base`).
    pub(crate) fn of_facts(facts: &'a [GroundTerm], initial: &'a [GroundTerm], base: &'a [GroundTerm]) -> Vec<Self> {
        let mut extents = BTreeMap::new();
        for fact in facts {
            Self::of(&mut extents, fact).holding.push(&fact.arguments);
        }
        for fact in initial {
            Self::of(&mut extents, fact).initial.push(&fact.arguments);
        }
        for fact in base {
            let extent = Self::of(&mut extents, fact);
            extent.possible.push(&fact.arguments);
            extent.is_declared = true;
        }
        let known = |mut extent: Self| {
            extent.possible.extend(extent.holding.iter().chain(&extent.initial));
            [&mut extent.holding, &mut extent.initial, &mut extent.possible].into_iter().for_each(sort);
            extent
        };
        extents.into_values().map(known).collect()
    }

    /// A relation with these tuples, which hold and are the only known ones.
    pub(crate) fn of_tuples(name: &'a str, arity: usize, tuples: impl IntoIterator<Item = Tuple<'a>>) -> Self {
        let mut holding: Vec<Tuple> = tuples.into_iter().collect();
        sort(&mut holding);
        let (initial, possible) = (holding.clone(), holding.clone());
        Self { name, arity, holding, initial, possible, is_declared: false }
    }

    /// Only the tuples that a form selects.
    pub(crate) fn selected(mut self, form: &FactForm) -> Self {
        for tuples in [&mut self.holding, &mut self.initial, &mut self.possible] {
            tuples.retain(|tuple| form.selects(tuple));
        }
        self
    }

    /// The name of the relation.
    pub(crate) fn name(&self) -> &'a str {
        self.name
    }

    /// The number of its arguments.
    pub(crate) fn arity(&self) -> usize {
        self.arity
    }

    /// Whether `base` declares what can hold.
    pub(crate) fn is_declared(&self) -> bool {
        self.is_declared
    }

    /// The arguments of the facts that hold.
    pub(crate) fn holding(&self) -> impl Iterator<Item = &'a [GroundTerm]> {
        self.holding.iter().copied()
    }

    /// The arguments of the facts that are known to hold in some state.
    pub(crate) fn possible(&self) -> impl Iterator<Item = &'a [GroundTerm]> {
        self.possible.iter().copied()
    }

    /// The number of distinct combinations of values of some arguments in the initial state.
    pub(super) fn initial_count(&self, arguments: &[usize]) -> usize {
        values(&self.initial, arguments).len()
    }

    /// The number of distinct combinations of values of some arguments.
    pub(super) fn count(&self, arguments: &[usize]) -> usize {
        values(&self.possible, arguments).len()
    }

    /// The kind of coordinate of an argument, if it is one.
    pub(super) fn coordinate(&self, argument: usize) -> Option<Coordinate> {
        let values: FxHashSet<&GroundTerm> = self.possible.iter().map(|tuple| &tuple[argument]).collect();
        Coordinate::of(&values.into_iter().collect())
    }

    /// Whether every possible value of an argument occurs in exactly one fact of the initial state.
    pub(super) fn is_row(&self, argument: usize) -> bool {
        let count = self.count(&[argument]);
        count > 1 && count == self.initial.len() && count == self.initial_count(&[argument])
    }

    /// The mean number of facts of the initial state with the same values of some arguments, rounded up.
    pub(super) fn crowd(&self, arguments: &[usize]) -> usize {
        let different = self.initial_count(arguments);
        self.initial.len().div_ceil(different.max(1))
    }

    /// The combinations of values of some arguments, in the order of coordinates. Gaps between the numbers or letters
    /// of a single argument are filled unless `base` declares the relation.
    pub(super) fn coordinates(&self, arguments: &[usize]) -> Vec<Vec<GroundTerm>> {
        let values = values(&self.possible, arguments);
        let mut values: Vec<Vec<GroundTerm>> =
            values.into_iter().map(|value| value.into_iter().cloned().collect()).collect();
        values.sort();
        if let ([argument], false) = (arguments, self.is_declared)
            && let Some(kind) = self.coordinate(*argument)
            && let Some(filled) = kind.filled(values.iter().map(|value| &value[0]))
        {
            return filled.into_iter().map(|value| vec![value]).collect();
        }
        values.sort_by(|left, right| coordinate::compare_all(left, right));
        values
    }

    fn of<'b>(extents: &'b mut BTreeMap<(&'a str, usize), Self>, fact: &'a GroundTerm) -> &'b mut Self {
        let (name, arity) = (&*fact.name, fact.arguments.len());
        extents.entry((name, arity)).or_insert_with(|| Self::of_tuples(name, arity, []))
    }
}

/// Sorts tuples, and leaves each once. Facts come in canonical order, so there is little to do.
fn sort(tuples: &mut Vec<Tuple>) {
    tuples.sort();
    tuples.dedup();
}

/// The combinations of values of some arguments.
fn values<'a>(tuples: &[Tuple<'a>], arguments: &[usize]) -> FxHashSet<Vec<&'a GroundTerm>> {
    tuples.iter().map(|tuple| arguments.iter().map(|&argument| &tuple[argument]).collect()).collect()
}
