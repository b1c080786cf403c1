//! Rows and blocks as a run makes them: rows sorted, divided into shards and mapped by symmetries, blocks of files, and
//! the messages of workers. The parent of this room has the form of blocks (`block`) and reads those of files.

use super::super::block::{BlockError, BlockHeader, BlockKind, ESCAPE, HEADER, checksum, read_rows, take_step};
use super::super::error::SolvingError;
use super::super::row::RowForm;
use crate::symmetric::FluentSymmetries;
use gdl::rules::GroundTerm;
use ggp_game::{Fluent, KeyGroup, Reasoner};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// The magic number of blocks of keys on their way from worker to worker.
const SENT: u32 = u32::from_le_bytes(*b"GKS1");
/// A block ends when its content has reached this many bytes.
const LENGTH: usize = 64 << 10;

/// The greatest number of words in a block of a file.
const WORDS: usize = 1 << 16;

/// The greatest number of shards of a layer.
const MOST_SHARDS: u32 = 1024;

/// The number of shards for about this many rows: one file for few, so that small layers cost few writes.
pub(super) fn shards_for(rows: u64) -> u32 {
    const ROWS: u64 = 1 << 14;
    u32::try_from(rows.div_ceil(ROWS)).unwrap_or(u32::MAX).min(MOST_SHARDS).next_power_of_two()
}

/// For each symmetry but the one that changes nothing, the image of each fluent, by number. The symmetries are given as
/// maps of the facts that they change.
///
/// # Errors
/// If a fluent of the keys becomes one that they do not hold.
pub(super) fn images<R: Reasoner>(
    symmetries: &[FxHashMap<GroundTerm, GroundTerm>],
    reasoner: &mut R,
    groups: &[KeyGroup],
) -> Result<Vec<Vec<usize>>, SolvingError> {
    let held: FxHashSet<Fluent> = groups.iter().flat_map(|group| &group.fluents).copied().collect();
    let count = groups.iter().flat_map(|group| &group.fluents).map(|fluent| fluent.index() + 1).max().unwrap_or(0);
    let FluentSymmetries { fluents, images } = FluentSymmetries::new(reasoner, symmetries)?;
    let mut all = Vec::with_capacity(images.len());
    for numbers in images {
        let mut images: Vec<usize> = (0..count).collect();
        for (fluent, number) in fluents.iter().zip(numbers).filter(|(fluent, _)| held.contains(fluent)) {
            let image = fluents[number as usize];
            if !held.contains(&image) {
                return Err(SolvingError::Asymmetric);
            }
            images[fluent.index()] = image.index();
        }
        all.push(images);
    }
    // Sorted, so that the manifest does not depend on how the group was found.
    all.sort_unstable();
    Ok(all)
}

impl RowForm {
    /// Sorts rows and drops duplicates.
    pub(super) fn sort(self, words: &mut Vec<u64>) {
        match self.width {
            1 => {
                words.sort_unstable();
                return words.dedup();
            }
            2 => words.as_chunks_mut::<2>().0.sort_unstable(),
            3 => words.as_chunks_mut::<3>().0.sort_unstable(),
            4 => words.as_chunks_mut::<4>().0.sort_unstable(),
            5 => words.as_chunks_mut::<5>().0.sort_unstable(),
            6 => words.as_chunks_mut::<6>().0.sort_unstable(),
            // Rows of constant width are sorted in place; longer ones are rare, and are sorted as references.
            _ => {
                let mut rows: Vec<&[u64]> = words.chunks_exact(self.width).collect();
                rows.sort_unstable();
                *words = rows.concat();
            }
        }
        self.drop_duplicates(words);
    }

    /// Drops rows that are equal to the one before.
    fn drop_duplicates(self, words: &mut Vec<u64>) {
        let width = self.width;
        let mut kept = width.min(words.len());
        for row in (width..words.len()).step_by(width) {
            if words[row..row + width] != words[kept - width..kept] {
                words.copy_within(row..row + width, kept);
                kept += width;
            }
        }
        words.truncate(kept);
    }
}

/// Adds increasing rows to `out` as blocks of a file.
pub(super) fn write_keys(layer: u32, width: usize, rows: &[u64], out: &mut Vec<u8>) {
    for rows in rows.chunks(width * (WORDS / width).max(1)) {
        let count = u32::try_from(rows.len() / width).expect("blocks are short");
        let dictionary = Dictionary::from_rows(rows, width);
        let mut content = Vec::with_capacity(2 * count as usize + LENGTH / 16);
        rows[..width].iter().for_each(|word| content.extend_from_slice(&word.to_le_bytes()));
        dictionary.write(&mut content);
        for (before, row) in rows.chunks_exact(width).zip(rows[width..].chunks_exact(width)) {
            match difference(before, row).and_then(|difference| dictionary.codes.get(&difference)) {
                Some(&code) => content.push(code),
                None => {
                    content.push(ESCAPE);
                    push_step(before, row, &mut content);
                }
            }
        }
        write(BlockKind::Keys.magic(), layer, u32::try_from(width).expect("keys have few words"), count, &content, out);
    }
}

/// The most frequent differences of last words between rows that are equal in the others.
struct Dictionary {
    differences: Vec<u64>,
    codes: FxHashMap<u64, u8>,
}

impl Dictionary {
    fn from_rows(rows: &[u64], width: usize) -> Self {
        let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
        for (before, row) in rows.chunks_exact(width).zip(rows[width..].chunks_exact(width)) {
            if let Some(difference) = difference(before, row) {
                *counts.entry(difference).or_default() += 1;
            }
        }
        // A difference that is there once is not shorter by being in the dictionary.
        let mut frequent: Vec<(u64, u32)> = counts.into_iter().filter(|&(_, count)| count > 1).collect();
        // Equally frequent ones by their size, so that the same rows give the same bytes.
        frequent.sort_unstable_by_key(|&(difference, count)| (Reverse(count), difference));
        let differences: Vec<u64> =
            frequent.into_iter().map(|(difference, _)| difference).take(usize::from(ESCAPE)).collect();
        let codes = differences.iter().copied().zip(0..).collect();
        Self { differences, codes }
    }

    fn write(&self, content: &mut Vec<u8>) {
        content.push(u8::try_from(self.differences.len()).expect("there are few codes"));
        self.differences.iter().for_each(|&difference| push_number(difference, content));
    }
}

/// The difference of the last words of two rows, less one, if the other words are equal.
fn difference(before: &[u64], row: &[u64]) -> Option<u64> {
    let last = row.len() - 1;
    (before[..last] == row[..last]).then(|| row[last] - before[last] - 1)
}

/// The number of bits that hold all numbers up to this one, at least 1.
pub(super) fn bits_for(most: u32) -> u32 {
    (u32::BITS - most.leading_zeros()).max(1)
}

/// Adds a block of numbers of `bits` bits each to `out`.
pub(super) fn write_numbers(kind: BlockKind, layer: u32, bits: u32, numbers: &[u32], out: &mut Vec<u8>) {
    let mut content = Vec::with_capacity(numbers.len() * bits as usize / 8 + 8);
    let mut word = 0_u64;
    let mut filled = 0;
    for &number in numbers {
        word |= u64::from(number) << filled;
        filled += bits;
        while filled >= 8 {
            content.push(word.to_le_bytes()[0]);
            word >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        content.push(word.to_le_bytes()[0]);
    }
    write(kind.magic(), layer, bits, u32::try_from(numbers.len()).expect("blocks are short"), &content, out);
}

/// Adds a block of means, `each` for a state, to `out`.
pub(super) fn write_means(layer: u32, each: usize, means: &[f64], out: &mut Vec<u8>) {
    let content: Vec<u8> = means.iter().flat_map(|mean| mean.to_le_bytes()).collect();
    let number = |number: usize| u32::try_from(number).expect("blocks are short");
    write(BlockKind::Means.magic(), layer, number(each), number(means.len() / each), &content, out);
}

/// Adds a block to `out`; `magic` is the number of its kind.
fn write(magic: u32, layer: u32, width: u32, count: u32, content: &[u8], out: &mut Vec<u8>) {
    let length = u32::try_from(content.len()).expect("blocks are short");
    let head = [magic, layer, width, count, length];
    let checksum = checksum(head, content);
    head.iter().chain([&checksum]).for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
    out.extend_from_slice(content);
}

/// Writes increasing rows as blocks to be sent.
#[derive(Debug)]
pub(super) struct KeyWriter {
    layer: u32,
    width: usize,
    content: Vec<u8>,
    count: u32,
    last: Vec<u64>,
}

impl KeyWriter {
    pub(super) fn new(layer: u32, width: usize) -> Self {
        Self { layer, width, content: Vec::new(), count: 0, last: vec![0; width] }
    }

    /// Adds a row that is greater than all before; full blocks are added to `out`.
    pub(super) fn push(&mut self, row: &[u64], out: &mut Vec<u8>) {
        if self.count == 0 {
            row.iter().for_each(|word| self.content.extend_from_slice(&word.to_le_bytes()));
        } else {
            push_step(&self.last, row, &mut self.content);
        }
        self.last.copy_from_slice(row);
        self.count += 1;
        if self.content.len() >= LENGTH {
            self.finish(out);
        }
    }

    /// Ends the block that has begun.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        if self.count > 0 {
            let width = u32::try_from(self.width).expect("keys have few words");
            write(SENT, self.layer, width, self.count, &self.content, out);
            self.content.clear();
            self.count = 0;
        }
    }
}

/// Adds a step to a greater row: the number of leading words that are equal unless a row has one word, the difference
/// of the next less one, and the others in full.
#[inline]
fn push_step(before: &[u64], row: &[u64], content: &mut Vec<u8>) {
    let equal = row.iter().zip(before).take_while(|(new, old)| new == old).count();
    if row.len() > 1 {
        content.push(u8::try_from(equal).expect("keys have few words"));
    }
    push_number(row[equal] - before[equal] - 1, content);
    row[equal + 1..].iter().for_each(|&word| push_number(word, content));
}

/// Adds a number as seven bits a byte, the lowest first; all bytes but the last have their highest bit set.
#[expect(clippy::cast_possible_truncation, reason = "the lowest bits are taken")]
fn push_number(mut number: u64, content: &mut Vec<u8>) {
    while number >= 0x80 {
        content.push(number as u8 | 0x80);
        number >>= 7;
    }
    content.push(number as u8);
}

/// The next block of a message, which is shortened by it.
pub(super) fn take<'a>(bytes: &mut &'a [u8], layer: u32) -> Result<Option<(BlockHeader, &'a [u8])>, BlockError> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let (head, rest) = bytes.split_first_chunk::<HEADER>().ok_or(BlockError::Truncated)?;
    let header = BlockHeader::read(head, SENT, layer)?;
    let (content, rest) = rest.split_at_checked(header.bytes()).ok_or(BlockError::Truncated)?;
    header.check(content)?;
    *bytes = rest;
    Ok(Some((header, content)))
}

/// Adds the rows of a block that was sent to `rows`.
pub(super) fn read_sent(header: &BlockHeader, content: &[u8], rows: &mut Vec<u64>) -> Result<(), BlockError> {
    read_rows(header, content, rows, |content, width, rows| {
        (1..header.count).try_for_each(|_| take_step(content, width, rows))
    })
}
