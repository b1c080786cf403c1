//! The values of the states of one layer, found by key: what the layer before it asks for.
//!
//! Only keys of the layer are looked for, so an entry holds no key. It holds 32 bits of a hash of it, and whenever
//! these do not tell two keys apart that a search may come to, other bits are taken. So the value of a state costs one
//! line of the cache, where its number would cost one, and its key and its value two more.

use crate::explore::key_set::GROUP;
use crate::explore::key_set::{PARTS, hash_of, part_of, salted_hash};
use crate::memory::list_bytes;
use ggp_game::threads;
use std::hint::black_box;

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

    /// The number of states before those whose keys belong to a later part than this one, if the states are in the
    /// order of the parts.
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

    /// Whether the usual bits of the hash do not tell its keys apart, so that other bits are taken.
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
    /// What the hash is made with whose bits tell the keys apart.
    salt: u64,
}

/// Values, each with bits of a hash of its key that are not 0; 0 means that nothing follows. Full lines are continued
/// in the next one.
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

    /// As [`LayerValues::find_all`]. The memory for a group of keys is read before any of them is looked for, since
    /// each would wait for it.
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
