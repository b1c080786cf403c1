//! The memory of a batch: its words and the scratch words of the code, aligned to cache lines.

use super::word::Word;

/// The alignment of words, in bytes.
const ALIGNMENT: usize = 64;

/// The words of a batch of `64 * W` lanes.
#[derive(Debug)]
pub(super) struct BatchMemory<const W: usize> {
    memory: Vec<u64>,
    /// The index of the first scratch word.
    scratch: usize,
    /// The index of the first word of the batch.
    first: usize,
}

impl<const W: usize> BatchMemory<W> {
    /// Memory for this many words of the batch, and this many words of 64 bits of scratch. No lane holds anywhere, but
    /// all do in the word `always`.
    pub(super) fn new(slots: u32, scratch: usize, always: u32) -> Self {
        let padding = ALIGNMENT / size_of::<u64>();
        let scratch_words = scratch.next_multiple_of(padding);
        let memory = vec![0; scratch_words + slots as usize * W + padding];
        let scratch = (ALIGNMENT - memory.as_ptr() as usize % ALIGNMENT) % ALIGNMENT / size_of::<u64>();
        let mut new = Self { memory, scratch, first: scratch + scratch_words };
        new.slots()[always as usize] = [u64::MAX; W];
        new
    }

    /// The words of the batch.
    pub(super) fn slots(&mut self) -> &mut [Word<W>] {
        self.memory[self.first..].as_chunks_mut().0
    }

    /// The words of the batch and those of the scratch memory, as words of 64 bits.
    pub(super) fn split(&mut self) -> (&mut [u64], &mut [u64]) {
        let (before, words) = self.memory.split_at_mut(self.first);
        (words, &mut before[self.scratch..])
    }
}
