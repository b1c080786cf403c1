//! Keys in blocks: increasing rows, of which the first is written in full and each of the others as a step from the one
//! before.
//!
//! A step has the number of leading words that are equal (left out if a row is one word), the difference of the next
//! word less one, and the words after it, each number with seven bits a byte. That is quickly written, and is what
//! workers send each other. In a game a few steps are by far the most frequent, since most states differ from the one
//! before in a few facts at the end of the key. So a block of a file begins with a dictionary of its most frequent
//! differences of last words, and a step is the index of its difference in it, in one byte; `ESCAPE` announces any
//! other step.

use super::{BlockError, BlockHeader, BlockKind, LENGTH, write};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// The byte before a step that is not in the dictionary; the greatest number of differences in it.
const ESCAPE: u8 = u8::MAX;
/// The greatest number of words in a block of a file.
const WORDS: usize = 1 << 16;

/// Adds increasing rows to `out` as blocks of a file.
pub(in crate::solving) fn write_keys(layer: u32, width: usize, rows: &[u64], out: &mut Vec<u8>) {
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
        write(BlockKind::Keys, layer, u32::try_from(width).expect("keys have few words"), count, &content, out);
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

    fn read(content: &mut &[u8]) -> Option<Vec<u64>> {
        let (&length, rest) = content.split_first()?;
        *content = rest;
        (0..length).map(|_| take_number(content)).collect()
    }
}

/// The difference of the last words of two rows, less one, if the other words are equal.
fn difference(before: &[u64], row: &[u64]) -> Option<u64> {
    let last = row.len() - 1;
    (before[..last] == row[..last]).then(|| row[last] - before[last] - 1)
}

/// Adds the rows of a block of a file to `rows`.
pub(in crate::solving) fn read_keys(
    header: &BlockHeader,
    content: &[u8],
    rows: &mut Vec<u64>,
) -> Result<(), BlockError> {
    read_rows(header, content, rows, |content, width, rows| {
        let dictionary = Dictionary::read(content)?;
        for _ in 1..header.count {
            let (&code, rest) = content.split_first()?;
            *content = rest;
            if code == ESCAPE {
                take_step(content, width, rows)?;
                continue;
            }
            let difference = *dictionary.get(usize::from(code))?;
            let before = rows.len() - width;
            rows.extend_from_within(before..before + width - 1);
            rows.push(rows[before + width - 1].wrapping_add(difference).wrapping_add(1));
        }
        Some(())
    })
}

/// Adds the rows of a block that was sent to `rows`.
pub(in crate::solving) fn read_sent(
    header: &BlockHeader,
    content: &[u8],
    rows: &mut Vec<u64>,
) -> Result<(), BlockError> {
    read_rows(header, content, rows, |content, width, rows| {
        (1..header.count).try_for_each(|_| take_step(content, width, rows))
    })
}

/// Adds the first row of a block, and those that `steps` reads after it; nothing may be left then.
fn read_rows(
    header: &BlockHeader,
    mut content: &[u8],
    rows: &mut Vec<u64>,
    steps: impl FnOnce(&mut &[u8], usize, &mut Vec<u64>) -> Option<()>,
) -> Result<(), BlockError> {
    let width = header.width as usize;
    take_row(&mut content, width, rows).ok_or(BlockError::Content)?;
    rows.reserve(width * header.count as usize);
    steps(&mut content, width, rows).ok_or(BlockError::Content)?;
    if content.is_empty() { Ok(()) } else { Err(BlockError::Content) }
}

/// Adds a row that is written in full.
fn take_row(content: &mut &[u8], width: usize, rows: &mut Vec<u64>) -> Option<()> {
    if width == 0 {
        return None;
    }
    for _ in 0..width {
        let (word, rest) = content.split_first_chunk::<8>()?;
        rows.push(u64::from_le_bytes(*word));
        *content = rest;
    }
    Some(())
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

/// Adds the row after a step from the last one.
#[inline]
fn take_step(content: &mut &[u8], width: usize, rows: &mut Vec<u64>) -> Option<()> {
    let before = rows.len() - width;
    let mut equal = 0;
    if width > 1 {
        let (&number, rest) = content.split_first()?;
        *content = rest;
        equal = usize::from(number);
        if equal >= width {
            return None;
        }
        rows.extend_from_within(before..before + equal);
    }
    let difference = take_number(content)?;
    rows.push(rows[before + equal].wrapping_add(difference).wrapping_add(1));
    for _ in equal + 1..width {
        rows.push(take_number(content)?);
    }
    Some(())
}

/// Writes increasing rows as blocks to be sent.
#[derive(Debug)]
pub(in crate::solving) struct KeyWriter {
    layer: u32,
    width: usize,
    content: Vec<u8>,
    count: u32,
    last: Vec<u64>,
}

impl KeyWriter {
    pub(in crate::solving) fn new(layer: u32, width: usize) -> Self {
        Self { layer, width, content: Vec::new(), count: 0, last: vec![0; width] }
    }

    /// Adds a row that is greater than all before; full blocks are added to `out`.
    pub(in crate::solving) fn push(&mut self, row: &[u64], out: &mut Vec<u8>) {
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
    pub(in crate::solving) fn finish(&mut self, out: &mut Vec<u8>) {
        if self.count > 0 {
            let width = u32::try_from(self.width).expect("keys have few words");
            write(BlockKind::Sent, self.layer, width, self.count, &self.content, out);
            self.content.clear();
            self.count = 0;
        }
    }
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

#[inline]
fn take_number(content: &mut &[u8]) -> Option<u64> {
    let (&first, rest) = content.split_first()?;
    *content = rest;
    if first < 0x80 {
        return Some(first.into());
    }
    let mut number = u64::from(first & 0x7f);
    let mut shift = 7;
    loop {
        let (&byte, rest) = content.split_first()?;
        *content = rest;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}
