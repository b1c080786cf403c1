//! Parts put back into the rules that they were cut out of, where that makes the ground rules smaller.
//!
//! [`super::split`] cuts wherever it can, since nothing is known yet of the size of relations. When the possible facts have been found,
//! every way to cut can be measured: its cost is the number of literals in its ground rules, and of auxiliary atoms.

use super::split::Part;
use crate::game::ReasonError;
use crate::interpreter::closure::{Closure, Solutions};
use crate::rules::{Atom, VariableId};

/// How many candidates may be looked at, for each instance that would still be an improvement, to measure one.
const STEPS_PER_INSTANCE: u64 = 16;
/// How many candidates may be looked at to measure a small part.
const LEAST_STEPS: u64 = 1 << 12;

/// A part with its instances.
pub(super) struct Instances {
    pub(super) part: Part,
    /// What the columns of an instance are.
    pub(super) columns: Vec<VariableId>,
    pub(super) solutions: Solutions,
}

impl Instances {
    fn cost(&self) -> usize {
        self.solutions.len() * literals(&self.part)
    }
}

/// How many literals a ground rule has; one at the least.
fn literals(part: &Part) -> usize {
    part.body.iter().filter(|condition| condition.ground.is_some()).count().max(1)
}

/// The instances of a rule's parts, those put together that cost less together.
pub(super) fn instances(parts: Vec<Part>, closure: &mut Closure) -> Result<Vec<Instances>, ReasonError> {
    let mut all = Vec::new();
    for part in parts.into_iter().filter(|part| part.is_ground) {
        all.extend(measure(part, closure, usize::MAX, None)?);
    }
    let mut place = 0;
    while place + 1 < all.len() {
        let user = (place + 1..all.len()).find(|&user| use_of(&all[user].part, &all[place].part).is_some());
        let Some(user) = user else {
            place += 1;
            continue;
        };
        let part = merge(&all[place].part, &all[user].part);
        let atoms = closure.count(all[place].part.head.relation);
        let most = (all[place].cost() + atoms + all[user].cost()) / literals(&part);
        let steps = LEAST_STEPS + most as u64 * STEPS_PER_INSTANCE;
        match measure(part, closure, most, Some(steps))? {
            Some(merged) => {
                all[user] = merged;
                all.remove(place);
            }
            None => place += 1,
        }
    }
    Ok(all)
}

fn measure(
    part: Part,
    closure: &mut Closure,
    most: usize,
    steps: Option<u64>,
) -> Result<Option<Instances>, ReasonError> {
    let columns = part.columns();
    let found = closure.solve(&part.joins(), &columns, most, steps)?;
    Ok(found.map(|solutions| Instances { part, columns, solutions }))
}

/// Where a part's body needs another part; one that is only repeated there to narrow instances does not count.
fn use_of(user: &Part, used: &Part) -> Option<usize> {
    let needs = |(atom, _): &(Atom, bool)| atom.relation == used.head.relation;
    user.body.iter().position(|condition| condition.ground.as_ref().is_some_and(needs))
}

/// The part with another one put in its place.
fn merge(used: &Part, user: &Part) -> Part {
    let mut merged = user.clone();
    if let Some(place) = use_of(user, used) {
        merged.body.splice(place..=place, used.body.iter().cloned());
    }
    merged
}
