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

/// The content of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// Keys of states in files; the width is that of rows in words.
    Keys,
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

/// No block has more bytes: a header that says so is damaged.
const MOST_LENGTH: usize = 64 << 20;
/// The bytes of a header.
pub(super) const HEADER: usize = 24;

impl BlockKind {
    /// The number at the start of a block of this kind.
    pub(super) fn magic(self) -> u32 {
        u32::from_le_bytes(match self {
            Self::Keys => *b"GKY2",
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
    /// Reads a header, and checks that the block begins with `expected`, the magic number of its kind, and is of this layer.
    pub(super) fn read(bytes: &[u8; HEADER], expected: u32, layer: u32) -> Result<Self, BlockError> {
        let [magic, found, width, count, length, checksum] =
            std::array::from_fn(|index| u32::from_le_bytes(std::array::from_fn(|byte| bytes[4 * index + byte])));
        if magic != expected {
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

/// The checksum of a block: of the first five numbers of its header, and of its content.
pub(super) fn checksum(head: [u32; 5], content: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    head.iter().for_each(|number| hasher.update(&number.to_le_bytes()));
    hasher.update(content);
    hasher.finalize()
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
pub(super) const ESCAPE: u8 = u8::MAX;

/// Reads the dictionary of a block of keys: differences of last words, by their index.
fn read_dictionary(content: &mut &[u8]) -> Option<Vec<u64>> {
    let (&length, rest) = content.split_first()?;
    *content = rest;
    (0..length).map(|_| take_number(content)).collect()
}

/// Adds the rows of a block of a file to `rows`.
pub(super) fn read_keys(header: &BlockHeader, content: &[u8], rows: &mut Vec<u64>) -> Result<(), BlockError> {
    read_rows(header, content, rows, |content, width, rows| {
        let dictionary = read_dictionary(content)?;
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

/// Adds the first row of a block, and those that `steps` reads after it; nothing may be left then.
pub(super) fn read_rows(
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

/// Adds the row after a step from the last one.
#[inline]
pub(super) fn take_step(content: &mut &[u8], width: usize, rows: &mut Vec<u64>) -> Option<()> {
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
        // An eleventh byte would be beyond 64 bits: the content is damaged.
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}
