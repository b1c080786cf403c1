//! Functions of the state that have a value for each key: in `cell(1,b)` and `cell(2,x)` the number is the key and the
//! mark the value.

use gdl::rules::GroundTerm;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of arguments up to which the parts of a fluent are examined.
const ARGUMENTS: usize = 4;

/// A function `f(a,b,…)` of which some arguments are the key and the others the value.
#[derive(Clone)]
pub(super) struct KeyedFunction {
    pub(super) name: Arc<str>,
    pub(super) arity: usize,
    /// The arguments that are the key, as bits; the others are the value.
    key: u32,
}

impl KeyedFunction {
    /// The functions of a state, with each choice of a key. Larger keys come first, since they are more specific.
    pub(super) fn of_state(facts: &[GroundTerm]) -> Vec<Self> {
        let mut functions = Vec::new();
        for same in facts.chunk_by(|left, right| is_function(right, &left.name, left.arguments.len())) {
            let arity = same[0].arguments.len();
            if (1..=ARGUMENTS).contains(&arity) {
                // With all arguments in the key there is no value.
                let keys = (0..(1_u32 << arity) - 1).rev();
                functions.extend(keys.map(|key| Self { name: same[0].name.clone(), arity, key }));
            }
        }
        functions
    }

    /// The facts of this function in a state, by their keys.
    pub(super) fn values<'a>(&self, facts: &'a [GroundTerm]) -> BTreeMap<Vec<GroundTerm>, Vec<&'a GroundTerm>> {
        let mut values: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for fact in facts.iter().filter(|fact| is_function(fact, &self.name, self.arity)) {
            values.entry(self.part(fact, true)).or_default().push(fact);
        }
        values
    }

    /// The value of a fact: its arguments that are not the key.
    pub(super) fn value_of(&self, fact: &GroundTerm) -> Vec<GroundTerm> {
        self.part(fact, false)
    }

    fn part(&self, fact: &GroundTerm, key: bool) -> Vec<GroundTerm> {
        let arguments = fact.arguments.iter().enumerate().filter(|&(index, _)| self.is_key(index) == key);
        arguments.map(|(_, argument)| argument.clone()).collect()
    }

    /// The number of arguments that are the value.
    pub(super) fn value_arity(&self) -> usize {
        (0..self.arity).filter(|&index| !self.is_key(index)).count()
    }

    /// True if the argument at this index belongs to the key.
    pub(super) fn is_key(&self, index: usize) -> bool {
        self.key & 1 << index != 0
    }
}

fn is_function(fact: &GroundTerm, name: &str, arity: usize) -> bool {
    *fact.name == *name && fact.arguments.len() == arity
}
