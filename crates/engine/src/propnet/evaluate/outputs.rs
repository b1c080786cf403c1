//! The outputs of an evaluator: one row of words with a bit for each output.
//!
//! First come the bits of the next state, with the same indices as in the state; then the terminal bit; then the legal
//! moves ([`super::legal`]). A bit of the next state that always equals the same bit of the state needs no output.

use super::BITS;
use super::legal::LegalLayout;
use crate::program::{Program, Wire};
use gdl::number::to_u32;

/// The layout of the outputs of a program.
#[derive(Clone, Debug)]
pub(in crate::propnet) struct OutputLayout {
    /// The output bit of each wire.
    pub(in crate::propnet) placed: Vec<(Wire, u32)>,
    /// The number of output words.
    pub(in crate::propnet) words: usize,
    /// The number of words of a state.
    pub(in crate::propnet) state_words: usize,
    /// Masks of the bits that the next state takes over from the state, by word.
    kept: Vec<usize>,
    /// The layout of the legal moves.
    pub(in crate::propnet) legal: LegalLayout,
}

impl OutputLayout {
    /// Lays out the outputs; `next` has the wire of each bit of the next state.
    pub(in crate::propnet) fn new(program: &Program, next: &[Wire]) -> Self {
        let state_words = program.bits().div_ceil(BITS);
        let legal = LegalLayout::new(program, state_words + 1);
        let mut kept = vec![0; state_words];
        let mut placed = Vec::new();
        for (bit, &wire) in next.iter().enumerate() {
            if wire == Wire::new(bit) {
                kept[bit / BITS] |= 1 << (bit % BITS);
            } else {
                placed.push((wire, to_u32(bit)));
            }
        }
        placed.push((program.terminal, to_u32(state_words * BITS)));
        placed.extend(legal.placed());
        Self { placed, words: legal.end(), state_words, kept, legal }
    }

    /// Whether the state is terminal, according to an evaluator's output words.
    pub(in crate::propnet) fn is_terminal(&self, words: &[usize]) -> bool {
        words[self.state_words] & 1 == 1
    }

    /// Writes the bits of the next state, from an evaluator's output words and the state's words.
    pub(in crate::propnet) fn next(&self, words: &[usize], state: &[usize], next: &mut [usize]) {
        for (((next, &word), &state), &kept) in next.iter_mut().zip(words).zip(state).zip(&self.kept) {
            *next = (word & !kept) | (state & kept);
        }
    }
}
