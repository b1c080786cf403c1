//! Blocks: the unit of files and messages. Each says what it holds and of which layer, and has a checksum.
//!
//! The header has six numbers of 32 bits: the kind, the layer, the width, the number of entries, the bytes that follow,
//! and the checksum (CRC-32) of the five others and of the content. Keys are increasing rows: the first in full, then
//! the differences as numbers of seven bits a byte. Values are packed with as many bits each as the width says.

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// Keys of states; the width is that of rows in words.
    Keys,
    /// The number of the ending of each state; the width is in bits.
    Values,
    /// The number of joint moves to the end from each state; the width is in bits.
    Distances,
}

/// Why a block cannot be read.
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
/// The bytes of a header.
pub(super) const HEADER: usize = 24;

impl BlockKind {
    fn magic(self) -> u32 {
        u32::from_le_bytes(match self {
            Self::Keys => *b"GKY1",
            Self::Values => *b"GVL1",
            Self::Distances => *b"GDS1",
        })
    }
}

/// The header of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) layer: u32,
    pub(super) width: u32,
    pub(super) count: u32,
    bytes: u32,
    checksum: u32,
    magic: u32,
}

impl Header {
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
        if length as usize > 16 * LENGTH {
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
fn write(kind: BlockKind, layer: u32, (width, count): (u32, u32), content: &[u8], out: &mut Vec<u8>) {
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
) -> Result<Option<(Header, &'a [u8])>, BlockError> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let (head, rest) = bytes.split_first_chunk::<HEADER>().ok_or(BlockError::Truncated)?;
    let header = Header::read(head, kind, layer)?;
    let (content, rest) = rest.split_at_checked(header.bytes()).ok_or(BlockError::Truncated)?;
    header.check(content)?;
    *bytes = rest;
    Ok(Some((header, content)))
}

/// Writes increasing rows as blocks.
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
        } else if self.width == 1 {
            push_number(row[0] - self.last[0] - 1, &mut self.content);
        } else {
            // The number of leading words that are equal, the difference of the next, and the others in full.
            let equal = row.iter().zip(&self.last).take_while(|(new, old)| new == old).count();
            self.content.push(u8::try_from(equal).expect("keys have few words"));
            push_number(row[equal] - self.last[equal] - 1, &mut self.content);
            row[equal + 1..].iter().for_each(|&word| push_number(word, &mut self.content));
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
            write(BlockKind::Keys, self.layer, (width, self.count), &self.content, out);
            self.content.clear();
            self.count = 0;
        }
    }
}

/// Adds the rows of a block of keys to `rows`.
pub(super) fn read_keys(header: &Header, mut content: &[u8], rows: &mut Vec<u64>) -> Result<(), BlockError> {
    let (width, start) = (header.width as usize, rows.len());
    rows.reserve(width * header.count as usize);
    for _ in 0..width {
        let (word, rest) = content.split_first_chunk::<8>().ok_or(BlockError::Content)?;
        rows.push(u64::from_le_bytes(*word));
        content = rest;
    }
    if width == 1 {
        let mut last = rows[start];
        for _ in 1..header.count {
            let difference = take_number(&mut content).ok_or(BlockError::Content)?;
            last = last.wrapping_add(difference).wrapping_add(1);
            rows.push(last);
        }
    } else {
        for _ in 1..header.count {
            let (&equal, rest) = content.split_first().ok_or(BlockError::Content)?;
            let (equal, before) = (usize::from(equal), rows.len() - width);
            content = rest;
            if equal >= width {
                return Err(BlockError::Content);
            }
            rows.extend_from_within(before..before + equal);
            let difference = take_number(&mut content).ok_or(BlockError::Content)?;
            rows.push(rows[before + equal].wrapping_add(difference).wrapping_add(1));
            for _ in equal + 1..width {
                rows.push(take_number(&mut content).ok_or(BlockError::Content)?);
            }
        }
    }
    if content.is_empty() { Ok(()) } else { Err(BlockError::Content) }
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
    let (mut number, mut shift) = (u64::from(first & 0x7f), 7);
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

/// The number of bits that hold all numbers up to this one, at least 1.
pub(super) fn bits_for(most: u32) -> u32 {
    (u32::BITS - most.leading_zeros()).max(1)
}

/// Adds a block of numbers of `bits` bits each to `out`.
pub(super) fn write_numbers(kind: BlockKind, layer: u32, bits: u32, numbers: &[u32], out: &mut Vec<u8>) {
    let (mut content, mut word, mut filled) = (Vec::with_capacity(numbers.len() * bits as usize / 8 + 8), 0_u64, 0);
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
    write(kind, layer, (bits, u32::try_from(numbers.len()).expect("blocks are short")), &content, out);
}

/// Adds the numbers of a block to `numbers`.
pub(super) fn read_numbers(header: &Header, content: &[u8], numbers: &mut Vec<u32>) -> Result<(), BlockError> {
    let bits = header.width;
    if bits == 0 || bits > 32 || content.len() != (header.count as usize * bits as usize).div_ceil(8) {
        return Err(BlockError::Content);
    }
    let (mut word, mut filled, mut bytes) = (0_u64, 0, content.iter());
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
