//! Values of a game whose states form layers: every joint move leads from a layer to the next. They come back from the
//! last layer by expanding each state a second time, so that no successors are stored.

use super::budget::Meter;
use super::key_set::{KeyIndex, KeySet, hash_of};
use super::memory::list_bytes;
use super::outcome::Halt;
use super::retrograde::{Kind, OPEN, Values, kind};
use super::state_space::{StateKind, StateSpace};
use crate::game::{KeyExpansion, KeyExpansions, KeyReasoner, ReasonError};
use std::ops::Range;

/// The value of every state of a space of layers, which are those of [`super::retrograde::values`]. Threads share the
/// states of a layer; the values do not depend on their number.
pub(super) fn layered_values(space: &StateSpace, roles: usize, meter: &mut Meter<'_>) -> Result<Values, Halt> {
    let Some((keyed, layers)) = space.layered() else { unreachable!("the states form layers") };
    let states = space.len();
    let ending = |state| if let StateKind::End(ending) = space.kind(state) { ending } else { OPEN };
    let mut values = Values { endings: (0..states).map(ending).collect(), distances: vec![0; states] };
    let bytes = space.bytes() + (list_bytes(&values.endings) + list_bytes(&values.distances)) as u64;
    let rule = Rule::new(space, roles);
    let mut workers: Vec<Worker> = Vec::new();
    let ends = layers.iter().skip(1).map(|&start| start as usize).chain([states]);
    let layers: Vec<Range<usize>> = layers.iter().zip(ends).map(|(&start, end)| start as usize..end).collect();
    let mut next = NextLayer::new(&keyed.set, states..states);
    for layer in layers.into_iter().rev() {
        let threads = if layer.len() < SHARED { 1 } else { rayon::current_num_threads() };
        workers.resize_with(threads.max(workers.len()), || Worker::new(&*keyed.keys));
        let (endings, later_endings) = values.endings[layer.start..].split_at_mut(layer.len());
        let (distances, later_distances) = values.distances[layer.start..].split_at_mut(layer.len());
        let from = From { next: &next, rule: &rule, endings: later_endings, distances: later_distances };
        // Between two checks of the clock and of the memory each thread has one batch.
        let rounds = endings.chunks_mut(BATCH * threads).zip(distances.chunks_mut(BATCH * threads));
        for (start, (endings, distances)) in (layer.start..).step_by(BATCH * threads).zip(rounds) {
            meter.pause()?;
            let scratch: usize = workers.iter().map(Worker::bytes).sum();
            meter.holds_beside(bytes, (scratch + next.index.bytes()) as u64)?;
            let parts = endings.chunks_mut(BATCH).zip(distances.chunks_mut(BATCH));
            let parts = (start..).step_by(BATCH).zip(parts).zip(&mut workers);
            if threads == 1 {
                parts.for_each(|((start, own), worker)| worker.settle(start, own, &from));
            } else {
                rayon::scope(|scope| {
                    for ((start, own), worker) in parts {
                        let from = &from;
                        scope.spawn(move |_| worker.settle(start, own, from));
                    }
                });
            }
            workers.iter_mut().try_for_each(|worker| worker.error.take().map_or(Ok(()), Err))?;
        }
        next = NextLayer::new(&keyed.set, layer);
    }
    Ok(values)
}

/// The number of states that are expanded at a time.
const BATCH: usize = 1 << 10;

/// Layers of fewer states are not shared by threads.
const SHARED: usize = 4 * BATCH;

/// A layer whose states can be found.
struct NextLayer<'a> {
    set: &'a KeySet,
    start: usize,
    index: KeyIndex,
}

impl<'a> NextLayer<'a> {
    fn new(set: &'a KeySet, states: Range<usize>) -> Self {
        let mut index = KeyIndex::with_room(states.len());
        for (number, key) in (0..).zip(set.keys(states.clone()).chunks_exact(set.width())) {
            index.add(hash_of(key), number);
        }
        Self { set, start: states.start, index }
    }
}

/// What the values of a layer follow from.
struct From<'a> {
    next: &'a NextLayer<'a>,
    rule: &'a Rule,
    /// For the states of the next layer and all later ones, in order, their ending and their distance.
    endings: &'a [u16],
    distances: &'a [u32],
}

/// What a thread needs to expand states.
struct Worker {
    keys: Box<dyn KeyReasoner>,
    expansions: KeyExpansions,
    /// The successors of a batch, as indices into the next layer.
    successors: Vec<u32>,
    /// Why a state has no expansion.
    error: Option<ReasonError>,
}

impl Worker {
    fn new(keys: &dyn KeyReasoner) -> Self {
        Self { keys: keys.fork(), expansions: KeyExpansions::default(), successors: Vec::new(), error: None }
    }

    fn bytes(&self) -> usize {
        self.expansions.bytes() + list_bytes(&self.successors)
    }

    /// Finds the endings and the distances of consecutive states, whose number `start` begins.
    fn settle(&mut self, start: usize, (endings, distances): (&mut [u16], &mut [u32]), from: &From<'_>) {
        let Self { keys, expansions, successors, error } = self;
        let NextLayer { set, start: next, ref index } = *from.next;
        keys.expand(set.keys(start..start + endings.len()), expansions);
        if let Some(met) = expansions.error() {
            *error = Some(met.clone());
            return;
        }
        successors.clear();
        index.find_all(expansions.successors(), set.width(), set.keys(next..set.len()), |number| {
            successors.push(number)
        });
        let mut first = 0;
        for (expansion, (ending, distance)) in expansions.all().iter().zip(endings.iter_mut().zip(distances)) {
            // The endings of terminal states are known.
            if let KeyExpansion::Turn(turn) = expansion {
                let own = &successors[first..first + turn.joint_moves];
                first += turn.joint_moves;
                let values = own.iter().map(|&after| (from.endings[after as usize], from.distances[after as usize]));
                (*ending, *distance) = from.rule.value(usize::from(turn.chooser), values);
            }
        }
    }
}

/// How the value of a state follows from those of its successors.
struct Rule {
    kind: Kind,
    /// For each ending and each role, the utility in millionths.
    utilities: Vec<Vec<i64>>,
}

impl Rule {
    fn new(space: &StateSpace, roles: usize) -> Self {
        let utility = |ending: &Vec<crate::game::Utility>| ending.iter().map(|utility| utility.millionths()).collect();
        Self { kind: kind(space, roles), utilities: space.endings.iter().map(utility).collect() }
    }

    /// The ending and the distance of a state in which a role decides, from those of its successors.
    fn value(&self, role: usize, successors: impl Iterator<Item = (u16, u32)>) -> (u16, u32) {
        let better = |best, next| if self.is_better(role, next, best) { next } else { best };
        let (ending, distance) = successors.reduce(better).expect("a state that is not over has a successor");
        if self.is_draw(ending) { (ending, 0) } else { (ending, distance + 1) }
    }

    /// Whether a role prefers one value to another: the greater utility; among equal ones the nearer end of a win, and
    /// the farther one of a loss. In games of several players the first of equal ones is kept.
    fn is_better(&self, role: usize, one: (u16, u32), other: (u16, u32)) -> bool {
        let utility = |(ending, _): (u16, u32)| self.utilities[usize::from(ending)][role];
        if utility(one) != utility(other) {
            return utility(one) > utility(other);
        }
        match self.kind {
            Kind::OneRole => one.1 < other.1,
            Kind::Opponents(sum) if 2 * utility(one) > sum => one.1 < other.1,
            Kind::Opponents(_) => one.1 > other.1,
            Kind::Several => false,
        }
    }

    /// Whether an ending is a draw of two opponents, which neither forces.
    fn is_draw(&self, ending: u16) -> bool {
        let Kind::Opponents(sum) = self.kind else { return false };
        self.utilities[usize::from(ending)].iter().all(|utility| 2 * utility == sum)
    }
}
