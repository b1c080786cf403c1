//! Blocks: the unit of files and messages. Each says what it holds and of which layer, and has a checksum.
//!
//! The header has six numbers of 32 bits: the kind, the layer, the width, the number of entries, the bytes that follow,
//! and the checksum (CRC-32) of the five others and of the content. Keys are increasing rows: the first in full, then
//! what comes between each and the next ([`keys`]). Values are packed with as many bits each as the width says.

mod keys;

pub(super) use keys::{KeyWriter, read_keys, read_sent, write_keys};

/// What a block holds.
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
