//! Where an evaluator leaves what the game asks for: one row of words, a bit for each output.
//!
//! First come the bits of the next state that no move changes, each at the place that it has in the state, so that what
//! changes is one exclusive or away; then the end of the game; then the legal moves ([`super::legal`]).

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
    /// The bits of the state whose next value no move changes, and that can change at all; by word.
    pub(in crate::propnet) unmoved: Vec<usize>,
    /// The bits whose next value depends on the joint move.
    pub(in crate::propnet) moved: Vec<u32>,
    /// The legal moves.
    pub(in crate::propnet) legal: LegalMoves,
}

impl Outputs {
    pub(in crate::propnet) fn new(program: &Program) -> Self {
        let state_words = program.bits().div_ceil(BITS);
        let mut outputs = Self {
            placed: Vec::new(),
            words: 0,
            state_words,
            unmoved: vec![0; state_words],
            moved: Vec::new(),
            legal: LegalMoves::new(program, state_words + 1),
        };
        for (bit, &wire) in program.next.iter().enumerate() {
            if depends_on_moves(program, wire) {
                outputs.moved.push(bit as u32);
            } else if wire != Wire::new(bit) {
                outputs.unmoved[bit / BITS] |= 1 << (bit % BITS);
                outputs.placed.push((wire, bit as u32));
            }
        }
        outputs.placed.push((program.terminal, (state_words * BITS) as u32));
        outputs.placed.extend(outputs.legal.placed());
        outputs.words = outputs.legal.end();
        outputs
    }

    /// Whether the game is over, by the words of an evaluator.
    pub(in crate::propnet) fn is_terminal(&self, words: &[usize]) -> bool {
        words[self.state_words] & 1 == 1
    }
}

fn depends_on_moves(program: &Program, wire: Wire) -> bool {
    let signal = wire.signal();
    let gate = signal.checked_sub(program.first_gate());
    gate.map_or(signal >= program.bits(), |gate| program.move_gates.contains(&(gate as u32)))
}
