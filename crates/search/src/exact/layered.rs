//! Values of a game whose states form layers: every joint move leads from a layer to the next. They come back from the
//! last layer by expanding each state a second time, so that no successors are stored.

use super::layer_values::{LayerValues, StateValue, ValuedStates};
use super::retrograde::{OPEN, SpaceValues};
use super::rule::Rule;
use crate::budget::Meter;
use crate::explore::key_set::KeySet;
use crate::explore::key_set::{PARTS, hash_of, part_of};
use crate::explore::state_space::{StateKind, StateSpace};
use crate::memory::list_bytes;
use crate::outcome::Halt;
use ggp_game::threads;
use ggp_game::{KeyExpansion, KeyExpansions, KeyReasoner, KeyTurn, ReasonError};
use std::ops::Range;

/// The value of every state of a space of layers, which are those of [`super::retrograde::values`]. Threads share the
/// states of a layer; the values do not depend on their number.
pub(super) fn layered_values(space: &StateSpace, roles: usize, meter: &mut Meter<'_>) -> Result<SpaceValues, Halt> {
    let Some((keyed, layers)) = space.layered() else { unreachable!("the states form layers") };
    let states = space.len();
    let ending = |state| if let StateKind::End(ending) = space.kind(state) { ending } else { OPEN };
    let mut values = SpaceValues { endings: (0..states).map(ending).collect(), distances: vec![0; states] };
    let bytes = space.bytes() + (list_bytes(&values.endings) + list_bytes(&values.distances)) as u64;
    let rule = Rule::new(&space.endings, roles);
    let mut workers: Vec<Worker> = Vec::new();
    let ends = layers.iter().skip(1).map(|&start| start as usize).chain([states]);
    let layers: Vec<Range<usize>> = layers.iter().zip(ends).map(|(&start, end)| start as usize..end).collect();
    let set = &keyed.set;
    let mut next = LayerValues::default();
    for layer in layers.into_iter().rev() {
        let threads = if layer.len() < SHARED { 1 } else { threads::count() };
        workers.resize_with(threads.max(workers.len()), || Worker::new(&*keyed.keys, keyed.at_once.states()));
        let chunk = (keyed.at_once.states() * BATCHES).min(layer.len().div_ceil(threads));
        let endings = &mut values.endings[layer.clone()];
        let distances = &mut values.distances[layer.clone()];
        let from = LaterValues { set, next: &next, rule: &rule };
        // Between two checks of the clock and of the memory each thread has one chunk.
        let rounds = endings.chunks_mut(chunk * threads).zip(distances.chunks_mut(chunk * threads));
        for (start, (endings, distances)) in (layer.start..).step_by(chunk * threads).zip(rounds) {
            meter.pause()?;
            let scratch: usize = workers.iter().map(Worker::bytes).sum();
            meter.holds_beside(bytes, (scratch + next.bytes()) as u64)?;
            let parts = endings.chunks_mut(chunk).zip(distances.chunks_mut(chunk));
            let parts = (start..).step_by(chunk).zip(parts).zip(&mut workers);
            let from = &from;
            let jobs = parts
                .map(|((start, (endings, distances)), worker)| move || worker.settle(start, endings, distances, from));
            if threads == 1 {
                jobs.for_each(|mut job| job())
            } else {
                threads::share(jobs)
            }
            workers.iter_mut().try_for_each(|worker| worker.error.take().map_or(Ok(()), Err))?;
        }
        let is_grouped = space.grouped_from.is_some_and(|first| layer.start >= first);
        let keys = set.keys(layer.clone());
        let width = set.width();
        let endings = &values.endings[layer.clone()];
        let distances = &values.distances[layer];
        // Two tables at once would be more than the memory that was asked for.
        drop(std::mem::take(&mut next));
        next = LayerValues::new(ValuedStates { keys, width, endings, distances }, is_grouped);
    }
    Ok(values)
}

/// The greatest number of batches of states whose successors are looked for together.
const BATCHES: usize = 64;

/// Layers of fewer states are not shared by threads.
const SHARED: usize = 1 << 12;

/// What the values of a layer follow from.
struct LaterValues<'a> {
    set: &'a KeySet,
    next: &'a LayerValues,
    rule: &'a Rule,
}

/// What a thread needs to expand states.
struct Worker {
    keys: Box<dyn KeyReasoner>,
    /// The number of states to expand at a time.
    at_once: usize,
    expansions: KeyExpansions,
    /// The turns of the states that are not terminal, with their indices in the chunk.
    turns: Vec<(u32, KeyTurn)>,
    /// The successors of a chunk by the parts of the table.
    wanted: Vec<SuccessorKeys>,
    /// The values of the successors, state after state.
    successors: Vec<StateValue>,
    /// Why a state has no expansion.
    error: Option<ReasonError>,
}

/// Successors in one part of the table: their keys, and their indices in [`Worker::successors`].
#[derive(Clone, Default)]
struct SuccessorKeys {
    keys: Vec<u64>,
    indices: Vec<u32>,
}

impl Worker {
    fn new(keys: &dyn KeyReasoner, at_once: usize) -> Self {
        Self {
            keys: keys.fork(),
            at_once,
            expansions: KeyExpansions::default(),
            turns: Vec::new(),
            wanted: vec![SuccessorKeys::default(); PARTS],
            successors: Vec::new(),
            error: None,
        }
    }

    fn bytes(&self) -> usize {
        let wanted = self.wanted.iter().map(|wanted| list_bytes(&wanted.keys) + list_bytes(&wanted.indices));
        let turns = list_bytes(&self.turns) + list_bytes(&self.successors);
        self.expansions.bytes() + turns + wanted.sum::<usize>()
    }

    /// Finds the endings and the distances of consecutive states, whose number `start` begins.
    fn settle(&mut self, start: usize, endings: &mut [u16], distances: &mut [u32], from: &LaterValues<'_>) {
        let LaterValues { set, next, rule } = *from;
        self.expand(set.keys(start..start + endings.len()), set.width());
        let Self { wanted, successors, .. } = self;
        for (part, SuccessorKeys { keys, indices }) in wanted.iter_mut().enumerate() {
            let mut own = indices.drain(..);
            next.find_all(part, keys, set.width(), |value| {
                let successor = own.next().expect("every key has an index");
                successors[successor as usize] = value;
            });
            drop(own);
            keys.clear();
        }
        let mut first = 0;
        for &(state, turn) in &self.turns {
            let own = &self.successors[first..first + turn.joint_moves];
            first += turn.joint_moves;
            let values = own.iter().map(|value| (value.ending, u32::from(value.distance)));
            let value = rule.value(usize::from(turn.chooser), values);
            (endings[state as usize], distances[state as usize]) = value;
        }
    }

    /// Expands states, and divides their successors into the parts of the table.
    fn expand(&mut self, states: &[u64], width: usize) {
        let Self { keys, expansions, turns, wanted, successors, .. } = self;
        turns.clear();
        let mut state = 0;
        let mut count = 0;
        for batch in states.chunks(self.at_once * width) {
            keys.expand(batch, expansions);
            if let Some(met) = expansions.error() {
                self.error = Some(met.clone());
                break;
            }
            for expansion in expansions.all() {
                // The endings of terminal states are known.
                if let KeyExpansion::Turn(turn) = *expansion {
                    turns.push((state, turn));
                }
                state += 1;
            }
            for key in expansions.successors().chunks_exact(width) {
                let wanted = &mut wanted[part_of(hash_of(key))];
                key.iter().for_each(|&word| wanted.keys.push(word));
                wanted.indices.push(count);
                count += 1;
            }
        }
        successors.resize(count as usize, StateValue::default());
        if self.error.is_some() {
            turns.clear();
        }
    }
}
