//! A set of keys, numbered in the order in which they are added, and the table that finds their numbers.
//!
//! A search adds keys by the thousand, each of which would wait for memory twice: for the table, and for the key to
//! compare with. So keys are looked up in groups, and the memory of a whole group is read before any of them is.

use super::memory::{list_bytes, push_all};
use crate::number::to_u32;
use std::hint::black_box;

/// A set of keys of a fixed number of words.
#[derive(Debug)]
pub(super) struct KeySet {
    width: usize,
    /// The keys, number after number.
    keys: Vec<u64>,
    index: KeyIndex,
}

impl KeySet {
    /// An empty set of keys of `width` words.
    pub(super) fn new(width: usize) -> Self {
        Self { width, keys: Vec::new(), index: KeyIndex::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len() / self.width
    }

    /// The number of words of a key.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The keys of consecutive numbers.
    pub(super) fn keys(&self, numbers: std::ops::Range<usize>) -> &[u64] {
        &self.keys[numbers.start * self.width..numbers.end * self.width]
    }

    /// Writes the number of each of these keys, of which new ones are added, to `numbers`.
    pub(super) fn number(&mut self, keys: &[u64], numbers: &mut Vec<u32>) {
        self.number_some(keys, u64::MAX, numbers);
    }

    /// As [`KeySet::number`], up to the first new key for which there is no room: `most` new ones are added.
    pub(super) fn number_some(&mut self, keys: &[u64], most: u64, numbers: &mut Vec<u32>) {
        numbers.clear();
        let Self { width, keys: known, index } = self;
        let most =
            known.len().saturating_add(usize::try_from(most).map_or(usize::MAX, |most| most.saturating_mul(*width)));
        for group in keys.chunks(GROUP * *width) {
            let hashes = index.read_ahead(group, *width, known);
            for (key, &hash) in group.chunks_exact(*width).zip(&hashes) {
                if known.len() >= most {
                    let Some(number) = index.find(key, hash, known) else { return };
                    numbers.push(number);
                    continue;
                }
                let number = index.find_or_add(key, hash, known);
                if number as usize * *width == known.len() {
                    push_all(known, key);
                }
                numbers.push(number);
            }
        }
    }

    /// The bytes of the keys and of the table.
    pub(super) fn bytes(&self) -> usize {
        list_bytes(&self.keys) + self.index.bytes()
    }

    /// The bytes in use while `more` keys are added.
    pub(super) fn bytes_for_next(&self, more: usize) -> usize {
        let growth = (self.keys.len() / 8).max(more * self.width);
        let growth = if self.keys.len() + more * self.width > self.keys.capacity() { growth } else { 0 };
        list_bytes(&self.keys) + growth * size_of::<u64>() + self.index.bytes_for_next(more)
    }

    /// Drops the table, and returns unused memory; no key can be found or added afterwards.
    pub(super) fn forget_index(&mut self) {
        self.index = KeyIndex::default();
        self.keys.shrink_to_fit();
    }
}

/// The number of keys whose memory is read together.
const GROUP: usize = 64;

/// Finds the numbers of keys, which are stored elsewhere: by hash, in lines as long as a line of the cache.
///
/// The table has parts of which only one grows at a time, by half, so that growing needs little extra memory.
#[derive(Debug)]
pub(super) struct KeyIndex {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, Default)]
struct Part {
    lines: Vec<Line>,
    len: usize,
}

/// Numbers, each with some bits of its hash, which are not 0; 0 means that nothing follows. Full lines are continued in
/// the next one.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Line {
    tags: [u8; Line::LENGTH],
    numbers: [u32; Line::LENGTH],
}

impl Line {
    const LENGTH: usize = 12;

    /// The entries that may have this tag, as set bits: bit 8 i + 7 for the i-th of the first eight, and of the last
    /// four. The first of them is certain.
    fn with_tag(&self, tag: u8) -> (u64, u32) {
        let [a, b, c, d, e, f, g, h, ..] = self.tags;
        let [.., w, x, y, z] = self.tags;
        let first = u64::from_le_bytes([a, b, c, d, e, f, g, h]) ^ (0x0101_0101_0101_0101 * u64::from(tag));
        let last = u32::from_le_bytes([w, x, y, z]) ^ (0x0101_0101 * u32::from(tag));
        // A byte after one that is equal may be taken for equal too; the keys are compared anyway.
        let first = first.wrapping_sub(0x0101_0101_0101_0101) & !first & 0x8080_8080_8080_8080;
        let last = last.wrapping_sub(0x0101_0101) & !last & 0x8080_8080;
        (first, last)
    }

    /// The first number with this tag for which `same` holds.
    #[inline]
    fn find(&self, tag: u8, same: impl Fn(u32) -> bool) -> Option<u32> {
        let (mut first, mut last) = self.with_tag(tag);
        while first != 0 {
            let number = self.numbers[first.trailing_zeros() as usize / 8];
            if same(number) {
                return Some(number);
            }
            first &= first - 1;
        }
        while last != 0 {
            let number = self.numbers[8 + last.trailing_zeros() as usize / 8];
            if same(number) {
                return Some(number);
            }
            last &= last - 1;
        }
        None
    }

    /// The index of the first entry with this tag; 0 finds the first free one.
    fn first_with(&self, tag: u8) -> Option<usize> {
        match self.with_tag(tag) {
            (0, 0) => None,
            (0, last) => Some(8 + last.trailing_zeros() as usize / 8),
            (first, _) => Some(first.trailing_zeros() as usize / 8),
        }
    }

    fn is_full(&self) -> bool {
        self.tags[Self::LENGTH - 1] != 0
    }
}

impl Default for KeyIndex {
    fn default() -> Self {
        Self { parts: vec![Part::default(); Self::PARTS] }
    }
}

impl KeyIndex {
    const PARTS: usize = 64;

    /// A table for this many keys, which does not grow while they are added.
    pub(super) fn with_room(keys: usize) -> Self {
        let each = keys / Self::PARTS;
        // Parts differ by a few times the square root of their size.
        let lines = Part::lines_for(each + 6 * each.isqrt() + 16);
        Self { parts: vec![Part { lines: vec![Line::default(); lines], len: 0 }; Self::PARTS] }
    }

    /// The bytes of all parts.
    pub(super) fn bytes(&self) -> usize {
        self.parts.iter().map(|part| list_bytes(&part.lines)).sum()
    }

    /// The bytes in use while `more` keys are added.
    fn bytes_for_next(&self, more: usize) -> usize {
        let each = more.div_ceil(Self::PARTS);
        let grown = |part: &Part| {
            let lines = if part.len + each > part.room() { part.next_size() - part.lines.len() } else { 0 };
            lines * size_of::<Line>()
        };
        self.bytes() + self.parts.iter().map(grown).sum::<usize>()
    }

    fn part(hash: u64) -> usize {
        (hash >> 58) as usize % Self::PARTS
    }

    /// Reads the memory that will be needed to find these keys, and returns their hashes.
    fn read_ahead(&self, group: &[u64], width: usize, known: &[u64]) -> [u64; GROUP] {
        let mut hashes = [0; GROUP];
        let mut read = 0;
        for (key, hash) in group.chunks_exact(width).zip(&mut hashes) {
            *hash = hash_of(key);
            let part = &self.parts[Self::part(*hash)];
            read ^= part.lines.get(part.line(*hash)).map_or(0, |line| line.tags[0]);
        }
        black_box(read);
        let mut read = 0;
        for (_, &hash) in group.chunks_exact(width).zip(&hashes) {
            let part = &self.parts[Self::part(hash)];
            if let Some(line) = part.lines.get(part.line(hash)) {
                let number = line.numbers[line.first_with(tag(hash)).unwrap_or(0)];
                read ^= known.get(number as usize * width).copied().unwrap_or(0);
            }
        }
        black_box(read);
        hashes
    }

    /// The number of the key; if it is not in the table it is added with the number that follows those of the known
    /// keys.
    fn find_or_add(&mut self, key: &[u64], hash: u64, known: &[u64]) -> u32 {
        let (width, tag) = (key.len(), tag(hash));
        let part = &mut self.parts[Self::part(hash)];
        if part.len >= part.room() {
            part.grow(known, width);
        }
        let same = |number: u32| is_same(&known[number as usize * width..][..width], key);
        let mut line = part.line(hash);
        loop {
            if let Some(number) = part.lines[line].find(tag, same) {
                return number;
            }
            if !part.lines[line].is_full() {
                let next = to_u32(known.len() / width);
                part.put(line, tag, next);
                return next;
            }
            line = part.after(line);
        }
    }

    /// Adds a key that is not in the table.
    pub(super) fn add(&mut self, hash: u64, number: u32) {
        let part = &mut self.parts[Self::part(hash)];
        part.add(hash, number);
    }

    /// Calls `each` for the number of each of these keys, which are all in the table.
    pub(super) fn find_all(&self, keys: &[u64], width: usize, known: &[u64], mut each: impl FnMut(u32)) {
        for group in keys.chunks(GROUP * width) {
            let hashes = self.read_ahead(group, width, known);
            for (key, &hash) in group.chunks_exact(width).zip(&hashes) {
                each(self.find(key, hash, known).expect("the key is in the table"));
            }
        }
    }

    /// The number of a key in the table.
    fn find(&self, key: &[u64], hash: u64, known: &[u64]) -> Option<u32> {
        let (width, tag) = (key.len(), tag(hash));
        let part = &self.parts[Self::part(hash)];
        let same = |number: u32| is_same(&known[number as usize * width..][..width], key);
        let mut line = part.line(hash);
        loop {
            let content = part.lines.get(line)?;
            if let Some(number) = content.find(tag, same) {
                return Some(number);
            }
            if !content.is_full() {
                return None;
            }
            line = part.after(line);
        }
    }
}

impl Part {
    /// The number of keys that the lines have room for: four fifths of the entries, so that few lines are full.
    fn room(&self) -> usize {
        self.lines.len() * Line::LENGTH * 4 / 5
    }

    /// The number of lines with room for this many keys.
    fn lines_for(keys: usize) -> usize {
        (keys * 5).div_ceil(4 * Line::LENGTH) + 1
    }

    fn next_size(&self) -> usize {
        self.lines.len() + (self.lines.len() / 2).max(1)
    }

    /// The line in which the search for a hash begins.
    fn line(&self, hash: u64) -> usize {
        (((hash & u64::from(u32::MAX)) * self.lines.len() as u64) >> 32) as usize
    }

    /// The line that continues a full one.
    fn after(&self, line: usize) -> usize {
        if line + 1 == self.lines.len() { 0 } else { line + 1 }
    }

    fn add(&mut self, hash: u64, number: u32) {
        let mut line = self.line(hash);
        while self.lines[line].is_full() {
            line = self.after(line);
        }
        self.put(line, tag(hash), number);
    }

    /// Adds an entry to a line that is not full.
    fn put(&mut self, line: usize, tag: u8, number: u32) {
        let line = &mut self.lines[line];
        let free = line.first_with(0).expect("the line is not full");
        line.tags[free] = tag;
        line.numbers[free] = number;
        self.len += 1;
    }

    /// Moves all entries to a larger table. The keys of a few lines are read together, since each waits for memory.
    fn grow(&mut self, known: &[u64], width: usize) {
        const LINES: usize = 5;
        let lines = vec![Line::default(); self.next_size()];
        let before = std::mem::replace(self, Self { lines, len: 0 });
        let mut entries = [(0, 0); LINES * Line::LENGTH];
        for lines in before.lines.chunks(LINES) {
            let mut count = 0;
            for line in lines {
                let length = line.first_with(0).unwrap_or(Line::LENGTH);
                for &number in &line.numbers[..length] {
                    entries[count].1 = number;
                    count += 1;
                }
            }
            let entries = &mut entries[..count];
            entries.iter_mut().for_each(|(hash, number)| *hash = hash_of(&known[*number as usize * width..][..width]));
            entries.iter().for_each(|&(hash, number)| self.add(hash, number));
        }
    }
}

/// Whether two keys are equal; most have one word, for which this is faster than a call that compares memory.
fn is_same(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}

/// The bits of a hash that are stored with a number.
fn tag(hash: u64) -> u8 {
    #[expect(clippy::cast_possible_truncation, reason = "some bits of the hash are wanted")]
    let tag = (hash >> 48) as u8;
    tag.max(1)
}

/// The hash of a key: its words are multiplied to 128 bits, whose halves are folded together.
pub(super) fn hash_of(key: &[u64]) -> u64 {
    key.iter().fold(0x2d35_8dcc_aa6c_78a5, |hash: u64, &word| {
        let product = u128::from(word ^ hash) * 0x9e37_79b9_7f4a_7c15_u128;
        #[expect(clippy::cast_possible_truncation, reason = "both halves are taken")]
        let folded = product as u64 ^ (product >> 64) as u64;
        folded
    })
}
