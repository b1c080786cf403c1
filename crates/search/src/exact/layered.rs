//! Values of a game whose states form layers: every joint move leads from a layer to the next.
//!
//! They come back from the last layer to the first by expanding each state a second time, so that no successors are
//! stored. What a layer asks of the next is looked up by key in [`LayerValues`].

use super::retrograde::{OPEN, Rule, SpaceValues};
use crate::budget::Meter;
use crate::explore::key_set::{GROUP, KeySet, PARTS, hash_of, part_of, salted_hash};
use crate::explore::state_space::{StateKind, StateSpace};
use crate::memory::list_bytes;
use crate::outcome::Halt;
use ggp_game::{KeyExpansion, KeyExpansions, KeyReasoner, KeyTurn, ReasonError, threads};
use std::hint::black_box;
use std::ops::Range;

/// The value of every state of a space of layers, the same as by [`super::retrograde::values`]. Threads share the
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
        // To share a small layer costs more than it saves.
        let threads = if layer.len() < SHARED { 1 } else { threads::count() };
        workers.resize_with(threads.max(workers.len()), || Worker::new(&*keyed.keys, keyed.at_once.states()));
        let chunk = (keyed.at_once.states() * BATCHES).min(layer.len().div_ceil(threads));
        let endings = &mut values.endings[layer.clone()];
        let distances = &mut values.distances[layer.clone()];
        // Between two checks of the clock and of the memory each thread has one chunk.
        let rounds = endings.chunks_mut(chunk * threads).zip(distances.chunks_mut(chunk * threads));
        for (start, (endings, distances)) in (layer.start..).step_by(chunk * threads).zip(rounds) {
            meter.pause()?;
            let scratch: usize = workers.iter().map(Worker::bytes).sum();
            meter.holds_beside(bytes, (scratch + next.bytes()) as u64)?;
            let parts = endings.chunks_mut(chunk).zip(distances.chunks_mut(chunk));
            let parts = (start..).step_by(chunk).zip(parts).zip(&mut workers);
            let (rule, next) = (&rule, &next);
            let jobs = parts.map(|((start, (endings, distances)), worker)| {
                move || worker.settle(start, endings, distances, set, next, rule)
            });
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

/// The engine and the scratch memory of a thread that finds values.
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
    /// The error of a state that cannot be expanded.
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

    /// Finds the endings and the distances of consecutive states, from the one with the number `start` on, by the values
    /// of the next layer.
    fn settle(
        &mut self,
        start: usize,
        endings: &mut [u16],
        distances: &mut [u32],
        set: &KeySet,
        next: &LayerValues,
        rule: &Rule,
    ) {
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
        // The error ends the search, so the values of the states before it are not computed.
        if self.error.is_some() {
            turns.clear();
        }
    }
}

/// The value of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateValue {
    /// The number of the ending.
    pub ending: u16,
    /// The number of joint moves to it.
    pub distance: u16,
}

/// The states of a layer with their values.
#[derive(Clone, Copy)]
pub struct ValuedStates<'a> {
    /// The keys, state after state, of `width` words each.
    pub keys: &'a [u64],
    /// The number of words of a key.
    pub width: usize,
    /// The number of the ending of each state.
    pub endings: &'a [u16],
    /// The number of joint moves of each state to its ending.
    pub distances: &'a [u32],
}

impl<'a> ValuedStates<'a> {
    /// The keys with their values.
    fn iter(self) -> impl Iterator<Item = (&'a [u64], StateValue)> {
        let values = self.endings.iter().zip(self.distances).map(|(&ending, &distance)| {
            let distance = u16::try_from(distance).expect("there are no more layers than 16 bits tell apart");
            StateValue { ending, distance }
        });
        self.keys.chunks_exact(self.width).zip(values)
    }

    /// The states from `start` to below `end`.
    fn between(self, start: usize, end: usize) -> Self {
        Self {
            keys: &self.keys[start * self.width..end * self.width],
            width: self.width,
            endings: &self.endings[start..end],
            distances: &self.distances[start..end],
        }
    }

    /// The number of states in this part and the parts before it, if the states are in the order of the parts.
    fn end_of_part(self, part: usize) -> usize {
        let mut start = 0;
        let mut end = self.endings.len();
        while start < end {
            let middle = start.midpoint(end);
            let key = &self.keys[middle * self.width..][..self.width];
            if part_of(hash_of(key)) <= part { start = middle + 1 } else { end = middle }
        }
        start
    }
}

/// The values of the states of a layer.
#[derive(Default)]
pub struct LayerValues {
    /// One for each part of the keys, or one for all keys.
    parts: Vec<ValuePart>,
}

impl LayerValues {
    /// A table of these values. States in the order of the parts of their keys are divided, and threads share the
    /// parts.
    pub fn new(states: ValuedStates<'_>, is_grouped: bool) -> Self {
        if !is_grouped {
            return Self { parts: vec![ValuePart::new(states)] };
        }
        let mut parts = vec![ValuePart::default(); PARTS];
        let mut start = 0;
        threads::share(parts.iter_mut().enumerate().map(|(index, part)| {
            let own = states.between(start, states.end_of_part(index));
            start += own.endings.len();
            move || *part = ValuePart::new(own)
        }));
        Self { parts }
    }

    /// Calls `each` with the value of each of these keys, which are states of the layer and belong to this part.
    pub fn find_all(&self, part: usize, keys: &[u64], width: usize, each: impl FnMut(StateValue)) {
        if let Some(part) = self.parts.get(part).or(self.parts.last()) {
            part.find_all(keys, width, each);
        }
    }

    /// True if the usual bits of the hash do not tell the keys apart, so that other bits are taken.
    pub fn has_other_bits(&self) -> bool {
        self.parts.iter().any(|part| part.salt != 0)
    }

    pub(super) fn bytes(&self) -> usize {
        self.parts.iter().map(|part| list_bytes(&part.lines)).sum()
    }
}

/// The values of some states.
#[derive(Clone, Debug, Default)]
struct ValuePart {
    lines: Vec<ValueLine>,
    /// The salt of the hash whose bits tell the keys apart; 0 for the usual hash.
    salt: u64,
}

/// Values, each with a mark: bits of a hash of its key that are not 0. A mark of 0 ends the line. Full lines are
/// continued in the next one.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct ValueLine {
    marks: [u32; Self::LENGTH],
    values: [StateValue; Self::LENGTH],
}

impl ValueLine {
    const LENGTH: usize = 8;

    /// The index of the entry with this mark.
    #[inline]
    fn find(&self, mark: u32) -> Option<usize> {
        // One bit for each equal mark, without a branch for each.
        let found = self.marks.iter().rev().fold(0_u32, |found, &other| found << 1 | u32::from(other == mark));
        (found != 0).then_some(found.trailing_zeros() as usize)
    }

    fn is_full(&self) -> bool {
        self.marks[Self::LENGTH - 1] != 0
    }
}

impl ValuePart {
    /// A table of these values: two thirds of the entries are taken, so that few lines are full.
    fn new(states: ValuedStates<'_>) -> Self {
        let lines = (states.endings.len() * 3).div_ceil(2 * ValueLine::LENGTH) + 1;
        let mut part = Self { lines: vec![ValueLine::default(); lines], salt: 0 };
        while !states.iter().all(|(key, value)| part.add(key, value)) {
            part.lines.fill(ValueLine::default());
            part.salt += 1;
        }
        part
    }

    /// Adds a value. Returns false if its key cannot be told from another one.
    fn add(&mut self, key: &[u64], value: StateValue) -> bool {
        let hash = hash_of(key);
        let mark = self.mark(key, hash);
        let mut index = self.line(hash);
        loop {
            let line = &mut self.lines[index];
            if line.find(mark).is_some() {
                return false;
            }
            if let Some(free) = line.find(0) {
                (line.marks[free], line.values[free]) = (mark, value);
                return true;
            }
            index = self.next_line(index);
        }
    }

    /// The bits of a key that are stored.
    #[inline]
    fn mark(&self, key: &[u64], hash: u64) -> u32 {
        let hash = if self.salt == 0 { hash } else { salted_hash(key, self.salt) };
        #[expect(clippy::cast_possible_truncation, reason = "some bits of the hash are wanted")]
        let mark = hash as u32;
        mark.max(1)
    }

    /// The line in which the search for a hash begins, by bits of the hash that are not stored.
    #[inline]
    fn line(&self, hash: u64) -> usize {
        (((hash >> 26 & u64::from(u32::MAX)) * self.lines.len() as u64) >> 32) as usize
    }

    /// The line that continues a full one.
    fn next_line(&self, line: usize) -> usize {
        if line + 1 == self.lines.len() { 0 } else { line + 1 }
    }

    /// [`LayerValues::find_all`] in one part. The memory for a group of keys is read before any of them is looked for,
    /// so that not each of them waits for it.
    fn find_all(&self, keys: &[u64], width: usize, mut each: impl FnMut(StateValue)) {
        for group in keys.chunks(GROUP * width) {
            let mut hashes = [0; GROUP];
            let mut lines = [0; GROUP];
            for ((key, hash), line) in group.chunks_exact(width).zip(&mut hashes).zip(&mut lines) {
                *hash = hash_of(key);
                *line = self.line(*hash);
            }
            // Nothing else is done here, so that the processor waits for many lines at once.
            black_box(lines.iter().fold(0, |read, &line| read ^ self.lines[line].marks[0]));
            for (key, &hash) in group.chunks_exact(width).zip(&hashes) {
                each(self.find(key, hash));
            }
        }
    }

    /// The value of a key, which is in the table.
    #[inline]
    fn find(&self, key: &[u64], hash: u64) -> StateValue {
        let mark = self.mark(key, hash);
        let mut index = self.line(hash);
        loop {
            let line = &self.lines[index];
            if let Some(found) = line.find(mark) {
                return line.values[found];
            }
            assert!(line.is_full(), "the next layer has every successor");
            index = self.next_line(index);
        }
    }
}
