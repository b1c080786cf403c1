//! A set of keys, numbered in the order in which they are added, and the table that finds their numbers.
//!
//! A search adds keys by the thousand, each of which would wait for memory twice: for the table, and for the key to
//! compare with. So keys are looked up in groups, and the memory of a whole group is read before any of them is.

use super::key_part::{KeyPart, PARTS, hash_of, is_same, part_of};
use crate::memory::{list_bytes, push_all, push_few};
use std::hint::black_box;

/// A set of keys of a fixed number of words.
#[derive(Debug)]
pub(crate) struct KeySet {
    width: usize,
    /// The keys, number after number.
    keys: Vec<u64>,
    /// Their numbers by hash. Only one part grows at a time, so that growing needs little extra memory.
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

    /// As [`KeySet::number_one`], for a key whose hash is known.
    #[inline]
    fn number_hashed(&mut self, key: &[u64], hash: u64, most: u64) -> Option<u32> {
        let is_full = most != u64::MAX && self.len() as u64 >= most;
        let part = &mut self.parts[part_of(hash)];
        if is_full {
            return part.find(key, hash, &self.keys);
        }
        let number = part.find_or_add(key, hash, &self.keys);
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

/// Whether a key is the one of this number.
#[inline]
fn is_key(number: u32, key: &[u64], known: &[u64]) -> bool {
    known.get(number as usize * key.len()..).is_some_and(|known| known.len() >= key.len() && is_same(known, key))
}
