//! A set of keys, numbered in the order in which they are added, and the table that finds their numbers.
//!
//! The table is divided by hash into 64 parts (`PARTS`). A part finds numbers in lines as long as a line of the cache.
//! A search adds keys by the thousand, each of which would wait for memory twice: for the table, and for the key to
//! compare with. So keys are looked up in groups, and the memory of a whole group is read before any of them is.

use crate::memory::{list_bytes, push_all, push_few};
use gdl::number::to_u32;
use std::hint::black_box;

/// A set of keys of a fixed number of words.
#[derive(Debug)]
pub(crate) struct KeySet {
    width: usize,
    /// The keys in the order of their numbers, [`KeySet::width`] words each.
    keys: Vec<u64>,
    /// The numbers of keys by hash. Only one part grows at a time, so that growing needs little extra memory.
    parts: Vec<KeyPart>,
}

/// A set of keys of one word.
impl Default for KeySet {
    fn default() -> Self {
        Self::new(1)
    }
}

impl KeySet {
    /// An empty set of keys of `width` words.
    pub(crate) fn new(width: usize) -> Self {
        Self { width, keys: Vec::new(), parts: vec![KeyPart::default(); PARTS] }
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len() / self.width
    }

    /// The number of words of a key.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The keys of consecutive numbers.
    pub(crate) fn keys(&self, numbers: std::ops::Range<usize>) -> &[u64] {
        &self.keys[numbers.start * self.width..numbers.end * self.width]
    }

    /// Writes the number of each of these keys to `numbers`, up to the first new key for which there is no room: `most`
    /// new ones are added.
    pub(crate) fn number(&mut self, keys: &[u64], most: u64, numbers: &mut Vec<u32>) {
        numbers.clear();
        let width = self.width;
        let most = (self.len() as u64).saturating_add(most);
        for group in keys.chunks(GROUP * width) {
            let (hashes, likely) = self.read_ahead(group);
            for ((key, &hash), &likely) in group.chunks_exact(width).zip(&hashes).zip(&likely) {
                if is_key(likely, key, &self.keys) {
                    numbers.push(likely);
                    continue;
                }
                let Some(number) = self.number_hashed(key, hash, most) else { return };
                numbers.push(number);
            }
        }
    }

    /// The number of one key, which is added if it is new; `None` if it is new and there are `most` keys.
    pub(crate) fn number_one(&mut self, key: &[u64], most: u64) -> Option<u32> {
        self.number_hashed(key, hash_of(key), most)
    }

    /// The number of one key whose hash is known, as [`KeySet::number_one`].
    #[inline]
    fn number_hashed(&mut self, key: &[u64], hash: u64, most: u64) -> Option<u32> {
        // Without a limit the length need not be computed.
        let is_full = most != u64::MAX && self.len() as u64 >= most;
        let part = &mut self.parts[part_of(hash)];
        if is_full {
            return part.find(key, hash, &self.keys);
        }
        let number = part.find_or_add(key, hash, &self.keys);
        // The number that follows those of all keys means that the key is new.
        if number as usize * self.width == self.keys.len() {
            push_few(&mut self.keys, key);
        }
        Some(number)
    }

    /// Reads the memory that will be needed to find these keys. Returns their hashes, and for each the number that it
    /// most likely has.
    fn read_ahead(&self, group: &[u64]) -> ([u64; GROUP], [u32; GROUP]) {
        let Self { width, keys: known, parts } = self;
        let mut hashes = [0; GROUP];
        let mut likely = [0; GROUP];
        group.chunks_exact(*width).zip(&mut hashes).for_each(|(key, hash)| *hash = hash_of(key));
        // The reads do not depend on each other, so the processor waits for all lines at once.
        black_box(hashes.iter().fold(0, |read, &hash| read ^ parts[part_of(hash)].read_line(hash)));
        let mut read = 0;
        for ((_, &hash), likely) in group.chunks_exact(*width).zip(&hashes).zip(&mut likely) {
            *likely = parts[part_of(hash)].likely(hash);
            read ^= known.get(*likely as usize * width).copied().unwrap_or(0);
        }
        black_box(read);
        (hashes, likely)
    }

    /// The bytes of the keys and of the table.
    pub(crate) fn bytes(&self) -> usize {
        list_bytes(&self.keys) + self.parts.iter().map(KeyPart::bytes).sum::<usize>()
    }

    /// The bytes in use while `more` keys are added.
    pub(crate) fn bytes_for_next(&self, more: usize) -> usize {
        // A list grows by an eighth at least.
        let growth = (self.keys.len() / 8).max(more * self.width);
        let growth = if self.keys.len() + more * self.width > self.keys.capacity() { growth } else { 0 };
        let each = more.div_ceil(PARTS);
        self.bytes() + growth * size_of::<u64>() + self.parts.iter().map(|part| part.growth_for(each)).sum::<usize>()
    }

    /// Adds keys that are certainly new, without entries in the table.
    pub(crate) fn append(&mut self, keys: &[u64]) {
        push_all(&mut self.keys, keys);
    }

    /// Drops the table, and returns unused memory; no key can be found or added afterwards.
    pub(crate) fn forget_index(&mut self) {
        self.parts = vec![KeyPart::default(); PARTS];
        self.keys.shrink_to_fit();
    }
}

/// The number of keys whose memory is read together.
pub(crate) const GROUP: usize = 64;

/// True if a key is the one with this number.
#[inline]
fn is_key(number: u32, key: &[u64], known: &[u64]) -> bool {
    known.get(number as usize * key.len()..).is_some_and(|known| known.len() >= key.len() && is_same(known, key))
}

/// The number of parts into which keys are divided by their hashes.
pub(crate) const PARTS: usize = 64;

/// The part of keys with this hash.
#[inline]
pub(crate) fn part_of(hash: u64) -> usize {
    (hash >> 58) as usize % PARTS
}

/// The number of lines from which on a part is large: 16 MiB in all parts.
const LARGE: usize = 1 << 12;

/// The entries of the keys whose hashes begin with the same bits.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyPart {
    lines: Vec<CacheLine>,
    len: usize,
}

/// Numbers, each with some bits of its hash, which are not 0; 0 means that nothing follows. Full lines are continued in
/// the next one.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct CacheLine {
    tags: [u8; CacheLine::LENGTH],
    numbers: [u32; CacheLine::LENGTH],
}

impl CacheLine {
    const LENGTH: usize = 12;

    /// The entries that may have this tag, as set bits: bit 8 i + 7 for the i-th of the first eight, and in the second
    /// number of the last four. The lowest set bit is certain.
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

impl KeyPart {
    /// The number of keys that the lines have room for: four fifths of the entries, so that few lines are full.
    fn room(&self) -> usize {
        self.lines.len() * CacheLine::LENGTH * 4 / 5
    }

    pub(crate) fn bytes(&self) -> usize {
        list_bytes(&self.lines)
    }

    /// The bytes of the lines that are allocated while `more` keys are added.
    fn growth_for(&self, more: usize) -> usize {
        let lines = if self.len + more > self.room() { self.next_size() - self.lines.len() } else { 0 };
        lines * size_of::<CacheLine>()
    }

    /// Reads the line in which the search for a hash begins, so that the memory is in the cache. The result only keeps
    /// the read from being optimised away.
    #[inline]
    pub(crate) fn read_line(&self, hash: u64) -> u8 {
        self.lines.get(self.line(hash)).map_or(0, |line| line.tags[0])
    }

    /// The number of the key with which a key of this hash will be compared first; 0 if there is none.
    #[inline]
    pub(crate) fn likely(&self, hash: u64) -> u32 {
        let Some(line) = self.lines.get(self.line(hash)) else { return 0 };
        let (first, last) = line.with_tag(tag(hash));
        // Computed without branches on where the tag is, which would be mispredicted for every other key.
        let in_first = first.trailing_zeros() as usize / 8;
        let in_last = 8 + last.trailing_zeros() as usize / 8;
        let index = if first != 0 { in_first } else { in_last };
        line.numbers[index.min(CacheLine::LENGTH - 1)] * u32::from(first | u64::from(last) != 0)
    }

    /// The number of a key. A key without an entry gets one, with the number that follows those of the known keys.
    #[inline]
    pub(crate) fn find_or_add(&mut self, key: &[u64], hash: u64, known: &[u64]) -> u32 {
        let width = key.len();
        let tag = tag(hash);
        if self.len >= self.room() {
            self.grow(known, width);
        }
        let same = |number: u32| is_same(&known[number as usize * width..][..width], key);
        let mut line = self.line(hash);
        loop {
            if let Some(number) = self.lines[line].find(tag, same) {
                return number;
            }
            if !self.lines[line].is_full() {
                let next = to_u32(known.len() / width);
                self.put(line, tag, next);
                return next;
            }
            line = self.next_line(line);
        }
    }

    /// The number of a key, if it has an entry.
    #[inline]
    pub(crate) fn find(&self, key: &[u64], hash: u64, known: &[u64]) -> Option<u32> {
        let width = key.len();
        let tag = tag(hash);
        let same = |number: u32| is_same(&known[number as usize * width..][..width], key);
        let mut line = self.line(hash);
        loop {
            let content = self.lines.get(line)?;
            if let Some(number) = content.find(tag, same) {
                return Some(number);
            }
            if !content.is_full() {
                return None;
            }
            line = self.next_line(line);
        }
    }

    /// The next number of lines: twice as many, so that few keys are moved; a large part grows by half, so that little
    /// memory is unused.
    fn next_size(&self) -> usize {
        let now = self.lines.len();
        if now < LARGE { (2 * now).max(1) } else { now + now / 2 }
    }

    /// The line in which the search for a hash begins.
    fn line(&self, hash: u64) -> usize {
        (((hash & u64::from(u32::MAX)) * self.lines.len() as u64) >> 32) as usize
    }

    /// The line that continues a full one.
    fn next_line(&self, line: usize) -> usize {
        if line + 1 == self.lines.len() { 0 } else { line + 1 }
    }

    /// Adds an entry for a key that has none; there must be room for it.
    pub(crate) fn add(&mut self, hash: u64, number: u32) {
        let mut line = self.line(hash);
        while self.lines[line].is_full() {
            line = self.next_line(line);
        }
        self.put(line, tag(hash), number);
    }

    /// Adds an entry to a line that is not full.
    fn put(&mut self, line: usize, tag: u8, number: u32) {
        let line = &mut self.lines[line];
        // Tags are never 0, so 0 marks a free entry.
        let free = line.first_with(0).expect("the line is not full");
        line.tags[free] = tag;
        line.numbers[free] = number;
        self.len += 1;
    }

    /// Moves all entries to a larger table. The keys of a few lines are read together, since each waits for memory.
    fn grow(&mut self, known: &[u64], width: usize) {
        const LINES: usize = 5;
        let lines = vec![CacheLine::default(); self.next_size()];
        let before = std::mem::replace(self, Self { lines, len: 0 });
        let mut entries = [(0, 0); LINES * CacheLine::LENGTH];
        for lines in before.lines.chunks(LINES) {
            let mut count = 0;
            for line in lines {
                let length = line.first_with(0).unwrap_or(CacheLine::LENGTH);
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

/// True if two keys are equal. Most have one word, for which this is faster than a call that compares memory.
#[inline]
pub(crate) fn is_same(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}

/// The bits of a hash that are stored with a number.
fn tag(hash: u64) -> u8 {
    #[expect(clippy::cast_possible_truncation, reason = "some bits of the hash are wanted")]
    let tag = (hash >> 48) as u8;
    // 0 marks a free entry.
    tag.max(1)
}

/// The hash of a key.
#[inline]
pub fn hash_of(key: &[u64]) -> u64 {
    salted_hash(key, 0x2d35_8dcc_aa6c_78a5)
}

/// The hash of a key with a salt: the words are multiplied to 128 bits, whose halves are folded together.
#[inline]
pub(crate) fn salted_hash(key: &[u64], salt: u64) -> u64 {
    key.iter().fold(salt, |hash: u64, &word| {
        let product = u128::from(word ^ hash) * 0x9e37_79b9_7f4a_7c15_u128;
        #[expect(clippy::cast_possible_truncation, reason = "both halves are taken")]
        let folded = product as u64 ^ (product >> 64) as u64;
        folded
    })
}
