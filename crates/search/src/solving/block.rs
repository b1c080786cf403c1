//! Blocks: the unit of files and messages. Each says what it holds and of which layer, and has a checksum.
//!
//! The header has six numbers of 32 bits: the kind, the layer, the width, the number of entries, the bytes that follow,
//! and the checksum (CRC-32) of the five others and of the content. Values are packed with as many bits each as the
//! width says.
//!
//! Keys are increasing rows: the first in full, each of the others as a step from the one before. A step has the number
//! of leading words that are equal (left out if a row is one word), the difference of the next word less one, and the
//! words after it, each number with seven bits a byte. That is quickly written, and is what workers send each other. In
//! a game a few steps are by far the most frequent, since most states differ from the one before in a few facts at the
//! end of the key. So a block of a file begins with a dictionary of its most frequent differences of last words, and a
//! step is the index of its difference in it, in one byte; `ESCAPE` announces any other step.

use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// The content of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// Keys of states in files; the width is that of rows in words.
    Keys,
    /// Keys of states on their way from worker to worker.
    Sent,
    /// The number of the ending of each state; the width is in bits.
    Values,
    /// The number of joint moves to the end from each state; the width is in bits.
    Distances,
    /// The mean utilities of each state, as numbers of 64 bits; the width says how many a state has.
    Means,
}

/// The reason why a block cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum BlockError {
    #[error("it ends in the middle of a block")]
    Truncated,
    #[error("a block is not of this kind of file")]
    Kind,
    #[error("a block is of layer {found} instead of {expected}")]
    Layer { found: u32, expected: u32 },
    #[error("the checksum of a block is wrong")]
    Checksum,
    #[error("a block has other content than its header says")]
    Content,
}

/// A block ends when its content has reached this many bytes.
const LENGTH: usize = 64 << 10;
/// No block has more bytes: a header that says so is damaged.
const MOST_LENGTH: usize = 64 << 20;
/// The bytes of a header.
pub(super) const HEADER: usize = 24;

impl BlockKind {
    fn magic(self) -> u32 {
        u32::from_le_bytes(match self {
            Self::Keys => *b"GKY2",
            Self::Sent => *b"GKS1",
            Self::Values => *b"GVL1",
            Self::Distances => *b"GDS1",
            Self::Means => *b"GMN1",
        })
    }
}

/// The header of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockHeader {
    pub(super) layer: u32,
    pub(super) width: u32,
    pub(super) count: u32,
    bytes: u32,
    checksum: u32,
    magic: u32,
}

impl BlockHeader {
    /// Reads a header, and checks that the block is of this kind and layer.
    pub(super) fn read(bytes: &[u8; HEADER], kind: BlockKind, layer: u32) -> Result<Self, BlockError> {
        let [magic, found, width, count, length, checksum] =
            std::array::from_fn(|index| u32::from_le_bytes(std::array::from_fn(|byte| bytes[4 * index + byte])));
        if magic != kind.magic() {
            return Err(BlockError::Kind);
        }
        if found != layer {
            return Err(BlockError::Layer { found, expected: layer });
        }
        if length as usize > MOST_LENGTH {
            return Err(BlockError::Content);
        }
        Ok(Self { layer, width, count, bytes: length, checksum, magic })
    }

    /// The number of bytes that follow.
    pub(super) fn bytes(&self) -> usize {
        self.bytes as usize
    }

    /// Checks the content.
    pub(super) fn check(&self, content: &[u8]) -> Result<(), BlockError> {
        let found = checksum([self.magic, self.layer, self.width, self.count, self.bytes], content);
        if found == self.checksum { Ok(()) } else { Err(BlockError::Checksum) }
    }
}

fn checksum(head: [u32; 5], content: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    head.iter().for_each(|number| hasher.update(&number.to_le_bytes()));
    hasher.update(content);
    hasher.finalize()
}

/// Adds a block to `out`.
fn write(kind: BlockKind, layer: u32, width: u32, count: u32, content: &[u8], out: &mut Vec<u8>) {
    let length = u32::try_from(content.len()).expect("blocks are short");
    let head = [kind.magic(), layer, width, count, length];
    let checksum = checksum(head, content);
    head.iter().chain([&checksum]).for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
    out.extend_from_slice(content);
}

/// The next block of a message, which is shortened by it.
pub(super) fn take<'a>(
    bytes: &mut &'a [u8],
    kind: BlockKind,
    layer: u32,
) -> Result<Option<(BlockHeader, &'a [u8])>, BlockError> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let (head, rest) = bytes.split_first_chunk::<HEADER>().ok_or(BlockError::Truncated)?;
    let header = BlockHeader::read(head, kind, layer)?;
    let (content, rest) = rest.split_at_checked(header.bytes()).ok_or(BlockError::Truncated)?;
    header.check(content)?;
    *bytes = rest;
    Ok(Some((header, content)))
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
    write(kind, layer, bits, u32::try_from(numbers.len()).expect("blocks are short"), &content, out);
}

/// Adds the numbers of a block to `numbers`.
pub(super) fn read_numbers(header: &BlockHeader, content: &[u8], numbers: &mut Vec<u32>) -> Result<(), BlockError> {
    let bits = header.width;
    if bits == 0 || bits > 32 || content.len() != (header.count as usize * bits as usize).div_ceil(8) {
        return Err(BlockError::Content);
    }
    let mut word = 0_u64;
    let mut filled = 0;
    let mut bytes = content.iter();
    for _ in 0..header.count {
        while filled < bits {
            word |= u64::from(*bytes.next().ok_or(BlockError::Content)?) << filled;
            filled += 8;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a number has at most 32 bits")]
        numbers.push((word & ((1 << bits) - 1)) as u32);
        word >>= bits;
        filled -= bits;
    }
    Ok(())
}

/// Adds a block of means, `each` for a state, to `out`.
pub(super) fn write_means(layer: u32, each: usize, means: &[f64], out: &mut Vec<u8>) {
    let content: Vec<u8> = means.iter().flat_map(|mean| mean.to_le_bytes()).collect();
    let number = |number: usize| u32::try_from(number).expect("blocks are short");
    write(BlockKind::Means, layer, number(each), number(means.len() / each), &content, out);
}

/// Adds the means of a block to `means`.
pub(super) fn read_means(header: &BlockHeader, content: &[u8], means: &mut Vec<f64>) -> Result<(), BlockError> {
    let (numbers, rest) = content.as_chunks::<8>();
    if !rest.is_empty() || numbers.len() != header.count as usize * header.width as usize {
        return Err(BlockError::Content);
    }
    means.extend(numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)));
    Ok(())
}

/// The byte before a step that is not in the dictionary; the greatest number of differences in it.
const ESCAPE: u8 = u8::MAX;
/// The greatest number of words in a block of a file.
const WORDS: usize = 1 << 16;

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
pub(super) fn read_keys(header: &BlockHeader, content: &[u8], rows: &mut Vec<u64>) -> Result<(), BlockError> {
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
pub(super) fn read_sent(header: &BlockHeader, content: &[u8], rows: &mut Vec<u64>) -> Result<(), BlockError> {
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
    // Wrapping, since content that is wrong in spite of its checksum must not panic.
    rows.push(rows[before + equal].wrapping_add(difference).wrapping_add(1));
    for _ in equal + 1..width {
        rows.push(take_number(content)?);
    }
    Some(())
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
