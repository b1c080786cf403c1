//! What is known of one relation: what holds of it in a state, and what may hold in any.

use super::coordinate::{self, Coordinate};
use crate::rules::GroundTerm;
use std::collections::{BTreeMap, BTreeSet};

/// The arguments of a fact.
type Tuple<'a> = &'a [GroundTerm];

/// The tuples of one relation, in canonical order.
#[derive(Clone, Debug)]
pub struct Extent<'a> {
    name: &'a str,
    arity: usize,
    holding: BTreeSet<Tuple<'a>>,
    initial: BTreeSet<Tuple<'a>>,
    possible: BTreeSet<Tuple<'a>>,
    is_declared: bool,
}

impl<'a> Extent<'a> {
    /// The relations of a state, by name and arity, from its facts, those of the initial state, and those that `base` declares
    /// (none where the rules have no `base`).
    pub fn of_facts(facts: &'a [GroundTerm], initial: &'a [GroundTerm], base: &'a [GroundTerm]) -> Vec<Self> {
        let mut extents = BTreeMap::new();
        for fact in facts {
            Self::of(&mut extents, fact).holding.insert(&fact.arguments);
        }
        for fact in initial {
            Self::of(&mut extents, fact).initial.insert(&fact.arguments);
        }
        for fact in base {
            let extent = Self::of(&mut extents, fact);
            extent.possible.insert(&fact.arguments);
            extent.is_declared = true;
        }
        let known = |mut extent: Self| {
            extent.possible.extend(extent.holding.iter().chain(&extent.initial));
            extent
        };
        extents.into_values().map(known).collect()
    }

    /// A relation of which only this is known.
    pub fn of_tuples(name: &'a str, arity: usize, tuples: &'a [Vec<GroundTerm>]) -> Self {
        let holding: BTreeSet<Tuple> = tuples.iter().map(Vec::as_slice).collect();
        let (initial, possible) = (holding.clone(), holding.clone());
        Self { name, arity, holding, initial, possible, is_declared: false }
    }

    /// Its name.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// How many arguments it has.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// Whether `base` says what can hold.
    pub fn is_declared(&self) -> bool {
        self.is_declared
    }

    /// The arguments of the facts that hold.
    pub fn holding(&self) -> impl Iterator<Item = &'a [GroundTerm]> {
        self.holding.iter().copied()
    }

    /// The arguments of the facts that are known to hold in some state.
    pub fn possible(&self) -> impl Iterator<Item = &'a [GroundTerm]> {
        self.possible.iter().copied()
    }

    /// How many different values some arguments take together.
    pub(super) fn count(&self, arguments: &[usize]) -> usize {
        self.values(self.possible(), arguments).len()
    }

    /// What kind of coordinate an argument is, if it is one.
    pub(super) fn coordinate(&self, argument: usize) -> Option<Coordinate> {
        let values: BTreeSet<&GroundTerm> = self.possible.iter().map(|tuple| &tuple[argument]).collect();
        Coordinate::of(&values)
    }

    /// Whether every possible value of an argument occurs in just one fact of the initial state.
    pub(super) fn is_row(&self, argument: usize) -> bool {
        let count = self.count(&[argument]);
        count > 1
            && count == self.initial.len()
            && count == self.values(self.initial.iter().copied(), &[argument]).len()
    }

    /// How many facts of the initial state share the same values of some arguments, on the average and rounded up.
    pub(super) fn crowd(&self, arguments: &[usize]) -> usize {
        let different = self.values(self.initial.iter().copied(), arguments).len();
        self.initial.len().div_ceil(different.max(1))
    }

    /// The values that some arguments take together, in the order of coordinates. Gaps between the numbers or letters of a
    /// single argument are filled, where nothing says that they are meant.
    pub(super) fn coordinates(&self, arguments: &[usize]) -> Vec<Vec<GroundTerm>> {
        let mut values: Vec<_> = self.values(self.possible(), arguments).into_iter().collect();
        if let ([argument], false) = (arguments, self.is_declared)
            && let Some(kind) = self.coordinate(*argument)
            && let Some(filled) = kind.filled(values.iter().map(|value| &value[0]))
        {
            return filled.into_iter().map(|value| vec![value]).collect();
        }
        values.sort_by(|left, right| coordinate::compare_all(left, right));
        values
    }

    fn values(&self, tuples: impl Iterator<Item = Tuple<'a>>, arguments: &[usize]) -> BTreeSet<Vec<GroundTerm>> {
        tuples.map(|tuple| arguments.iter().map(|&argument| tuple[argument].clone()).collect()).collect()
    }

    fn of<'b>(extents: &'b mut BTreeMap<(&'a str, usize), Self>, fact: &'a GroundTerm) -> &'b mut Self {
        let (name, arity) = (&*fact.name, fact.arguments.len());
        extents
            .entry((name, arity))
            .or_insert_with(|| Self { possible: BTreeSet::new(), ..Self::of_tuples(name, arity, &[]) })
    }
}
