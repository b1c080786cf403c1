//! Where an evaluator leaves what the game asks for: one row of words, a bit for each output.
//!
//! First come the bits of the next state, each at the place that it has in the state; then the end of the game; then the
//! legal moves ([`super::legal`]). A bit of the next state that is the same bit of the state needs no output.

use super::BITS;
use super::legal::LegalMoves;
use crate::propnet::program::{Program, Wire};

/// The outputs of a program.
#[derive(Clone, Debug)]
pub(in crate::propnet) struct Outputs {
    /// Which wire's value stands at which bit.
    pub(in crate::propnet) placed: Vec<(Wire, u32)>,
    /// How many words there are.
    pub(in crate::propnet) words: usize,
    /// How many words a state has.
    pub(in crate::propnet) state_words: usize,
    /// The bits of the next state that are those of the state; by word.
    kept: Vec<usize>,
    /// The legal moves.
    pub(in crate::propnet) legal: LegalMoves,
}

impl Outputs {
    /// The outputs where `next` gives the bits of the next state.
    pub(in crate::propnet) fn new(program: &Program, next: &[Wire]) -> Self {
        let state_words = program.bits().div_ceil(BITS);
        let legal = LegalMoves::new(program, state_words + 1);
        let mut kept = vec![0; state_words];
        let mut placed = Vec::new();
        for (bit, &wire) in next.iter().enumerate() {
            if wire == Wire::new(bit) {
                kept[bit / BITS] |= 1 << (bit % BITS);
            } else {
                placed.push((wire, bit as u32));
            }
        }
        placed.push((program.terminal, (state_words * BITS) as u32));
        placed.extend(legal.placed());
        Self { placed, words: legal.end(), state_words, kept, legal }
    }

    /// Whether the game is over, by the words of an evaluator.
    pub(in crate::propnet) fn is_terminal(&self, words: &[usize]) -> bool {
        words[self.state_words] & 1 == 1
    }

    /// Writes the bits of the next state, by the words of an evaluator.
    pub(in crate::propnet) fn next(&self, words: &[usize], state: &[usize], next: &mut [usize]) {
        for (((next, &word), &state), &kept) in next.iter_mut().zip(words).zip(state).zip(&self.kept) {
            *next = (word & !kept) | (state & kept);
        }
    }
}
