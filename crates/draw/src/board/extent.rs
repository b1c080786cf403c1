//! The facts of one relation: those that hold in a state, and those that may hold in any.

use super::coordinate::{self, Coordinate};
use gdl::rules::GroundTerm;
use gdl::rules::picture::{FactForm, Field};
use gdl::rules::range::Ranges;
use gdl::sorting;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The greatest number of values of an argument that the rules add to those of known facts.
const MOST_ADDED: usize = 100;

/// The least length of the edges of a board of whose squares each has a fact in the initial state.
const SHORTEST_EDGE: usize = 3;

/// The arguments of a fact.
type FactTuple<'a> = &'a [GroundTerm];

/// The tuples of one relation, in canonical order.
#[derive(Clone, Debug)]
pub struct Extent<'a> {
    name: &'a str,
    arity: usize,
    /// Each list is sorted and has no tuple twice.
    holding: Vec<FactTuple<'a>>,
    initial: Vec<FactTuple<'a>>,
    possible: Vec<FactTuple<'a>>,
    is_declared: bool,
    /// The values that the rules allow for each argument; empty if they are not known.
    ranges: &'a [Option<Vec<GroundTerm>>],
}

impl<'a> Extent<'a> {
    /// The relations of a state, by name and arity, from its facts, those of the initial state, those that `base`
    /// declares (empty if the rules have no `base`), and the ranges of their arguments.
    pub(crate) fn of_facts(
        facts: &'a [GroundTerm],
        initial: &'a [GroundTerm],
        base: &'a [GroundTerm],
        ranges: &'a Ranges,
    ) -> Vec<Self> {
        let mut extents = BTreeMap::new();
        for fact in facts {
            Self::entry(&mut extents, fact).holding.push(&fact.arguments);
        }
        for fact in initial {
            Self::entry(&mut extents, fact).initial.push(&fact.arguments);
        }
        for fact in base {
            let extent = Self::entry(&mut extents, fact);
            extent.possible.push(&fact.arguments);
            extent.is_declared = true;
        }
        let known = |mut extent: Self| {
            extent.possible.extend(extent.holding.iter().chain(&extent.initial));
            [&mut extent.holding, &mut extent.initial, &mut extent.possible].into_iter().for_each(sort);
            extent.ranges = ranges.arguments(extent.name, extent.arity);
            extent
        };
        extents.into_values().map(known).collect()
    }

    /// A relation with these tuples, which hold and are the only known ones.
    pub fn of_tuples(name: &'a str, arity: usize, tuples: impl IntoIterator<Item = FactTuple<'a>>) -> Self {
        let mut holding: Vec<FactTuple> = tuples.into_iter().collect();
        sort(&mut holding);
        let initial = holding.clone();
        let possible = holding.clone();
        Self { name, arity, holding, initial, possible, is_declared: false, ranges: &[] }
    }

    /// Only the tuples that a form selects.
    pub(crate) fn selected(mut self, form: &FactForm) -> Self {
        for tuples in [&mut self.holding, &mut self.initial, &mut self.possible] {
            tuples.retain(|tuple| form.selects(tuple));
        }
        // The ranges are those of all facts of the relation.
        if form.fields.iter().any(|field| matches!(field, Field::Only(_))) {
            self.ranges = &[];
        }
        self
    }

    /// The name of the relation.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// The number of its arguments.
    pub fn arity(&self) -> usize {
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
        match self.whole(arguments) {
            Some(ranges) => ranges.iter().map(Vec::len).product(),
            None => values(&self.possible, arguments).len(),
        }
    }

    /// The values of an argument.
    pub(super) fn range(&self, argument: usize) -> FxHashSet<&'a GroundTerm> {
        let known = || self.possible.iter().map(|tuple| &tuple[argument]);
        known().chain(self.allowed(argument).into_iter().flatten()).collect()
    }

    /// The values that the rules allow for an argument, if these are to be taken. `base` says it better, and so does an
    /// initial state that fills a board.
    fn allowed(&self, argument: usize) -> Option<&'a [GroundTerm]> {
        let allowed = self.ranges.get(argument)?.as_deref()?;
        let of = |tuples: &[FactTuple<'a>]| tuples.iter().map(|tuple| &tuple[argument]).collect::<FxHashSet<_>>();
        let known = of(&self.possible);
        let kind = |values: FxHashSet<&GroundTerm>| Coordinate::from_terms(&values.into_iter().collect());
        let fits = known.is_empty()
            || kind(known.clone()).is_none()
            || kind(known.iter().copied().chain(allowed).collect()).is_some();
        (!self.is_declared && allowed.len() <= MOST_ADDED && fits && !self.is_full()).then_some(allowed)
    }

    /// Whether two arguments are the edges of a board on each of whose squares a fact of the initial state stands.
    fn is_full(&self) -> bool {
        let pairs = (0..self.arity).flat_map(|first| (first + 1..self.arity).map(move |second| (first, second)));
        pairs.into_iter().any(|(first, second)| {
            let edge = |argument| values(&self.initial, &[argument]);
            let is_edge = |values: &FxHashSet<Vec<&GroundTerm>>| {
                let terms = || values.iter().map(|value| value[0]);
                let filled = Coordinate::from_terms(&terms().collect()).and_then(|kind| kind.filled(terms()));
                values.len() >= SHORTEST_EDGE && filled.is_none_or(|filled| filled.len() == values.len())
            };
            let across = edge(first);
            let down = edge(second);
            is_edge(&across) && is_edge(&down) && self.initial_count(&[first, second]) == across.len() * down.len()
        })
    }

    /// The values of several arguments, if the rules allow values for each of them.
    fn whole(&self, arguments: &[usize]) -> Option<Vec<Vec<&'a GroundTerm>>> {
        let values = |&argument: &usize| {
            self.allowed(argument)?;
            let mut values: Vec<_> = self.range(argument).into_iter().collect();
            values.sort();
            Some(values)
        };
        arguments.iter().map(values).collect()
    }

    /// The kind of coordinate of an argument, if it is one.
    pub(super) fn coordinate(&self, argument: usize) -> Option<Coordinate> {
        Coordinate::from_terms(&self.range(argument).into_iter().collect())
    }

    /// Whether one fact lists all values of an argument: each of its arguments has the same values as these two.
    pub(super) fn is_permutation(&self, arguments: &[usize]) -> bool {
        let values = |argument| self.range(argument);
        let same = (0..self.arity).filter(|&argument| arguments.iter().all(|&other| values(other) == values(argument)));
        let is_long = self.arity > SHORTEST_EDGE && self.initial.len() == 1;
        is_long && same.count() == self.arity
    }

    /// Whether no fact holds in the initial state.
    pub(super) fn starts_empty(&self) -> bool {
        self.initial.is_empty()
    }

    /// Whether every possible value of an argument occurs in exactly one fact of the initial state.
    pub(super) fn is_row(&self, argument: usize) -> bool {
        let count = values(&self.possible, &[argument]).len();
        count > 1 && count == self.initial.len() && count == self.initial_count(&[argument])
    }

    /// The mean number of facts of the initial state with the same values of some arguments, rounded up.
    pub(super) fn mean_facts_per_value(&self, arguments: &[usize]) -> usize {
        let different = self.initial_count(arguments);
        self.initial.len().div_ceil(different.max(1))
    }

    /// The combinations of values of some arguments, in the order of coordinates. Gaps between the numbers or letters
    /// of a single argument are filled unless `base` declares the relation.
    pub(super) fn coordinates(&self, arguments: &[usize]) -> Vec<Vec<GroundTerm>> {
        let mut values: Vec<Vec<GroundTerm>> = match self.whole(arguments) {
            Some(ranges) => product(&ranges),
            None => {
                let known = values(&self.possible, arguments).into_iter();
                known.map(|value| value.into_iter().cloned().collect()).collect()
            }
        };
        values.sort();
        if let ([argument], false) = (arguments, self.is_declared)
            && let Some(kind) = self.coordinate(*argument)
            && let Some(filled) = kind.filled(values.iter().map(|value| &value[0]))
        {
            return filled.into_iter().map(|value| vec![value]).collect();
        }
        sorting::sort_by(&mut values, |left, right| coordinate::compare_all(left, right));
        values
    }

    fn entry<'b>(extents: &'b mut BTreeMap<(&'a str, usize), Self>, fact: &'a GroundTerm) -> &'b mut Self {
        let name = &*fact.name;
        let arity = fact.arguments.len();
        extents.entry((name, arity)).or_insert_with(|| Self::of_tuples(name, arity, []))
    }
}

/// Sorts tuples, and leaves each once. Facts come in canonical order, so there is little to do.
fn sort(tuples: &mut Vec<FactTuple>) {
    tuples.sort();
    tuples.dedup();
}

/// The combinations of values of some arguments.
fn values<'a>(tuples: &[FactTuple<'a>], arguments: &[usize]) -> FxHashSet<Vec<&'a GroundTerm>> {
    tuples.iter().map(|tuple| arguments.iter().map(|&argument| &tuple[argument]).collect()).collect()
}

/// All combinations of one value of each list.
fn product(lists: &[Vec<&GroundTerm>]) -> Vec<Vec<GroundTerm>> {
    lists.iter().fold(vec![Vec::new()], |before, list| {
        let longer = |one: &Vec<GroundTerm>| {
            list.iter().map(|&term| [&one[..], std::slice::from_ref(term)].concat()).collect::<Vec<_>>()
        };
        before.iter().flat_map(longer).collect()
    })
}
