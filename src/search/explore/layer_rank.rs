//! A number that tells in which layer a state is, so that states of earlier layers need not be remembered to be told
//! from new ones.
//!
//! In games in which something is placed or counted, a sum of weights over the bits of a key is the number of moves
//! that have been made. Weights that fit random lines are found by elimination. They are only a guess: a search
//! compares the sum of every new state with its layer. As long as all are equal, states of different layers differ.

use crate::game::{Chance, KeyExpansion, KeyExpansions, KeyReasoner};
use crate::number::{Equations, PRIME};

/// A weighted sum over the bits of a key, modulo a prime.
#[derive(Clone, Debug)]
pub(super) struct LayerRank {
    /// For each byte of a key, the sum of the weights of its bits.
    sums: Vec<[u32; 256]>,
    /// What is added.
    constant: u64,
}

/// The number of random lines, and their greatest length.
const LINES: (usize, u32) = (64, 500);
/// Longer keys have too many bits for elimination.
const MOST_WORDS: usize = 8;

impl LayerRank {
    /// The weights that fit random lines from a state; `None` if there are none.
    pub(super) fn learn(keys: &mut dyn KeyReasoner, first: &[u64]) -> Option<Self> {
        let words = keys.words();
        if words > MOST_WORDS {
            return None;
        }
        let mut equations = Equations::new(64 * words + 1);
        let (mut random, mut expansions) = (Chance::new(0), KeyExpansions::default());
        let mut states = first.repeat(LINES.0);
        for ply in 0..LINES.1 {
            for state in states.chunks_exact(words) {
                equations.add(equation(state, ply))?;
            }
            keys.expand(&states, &mut expansions);
            if expansions.error().is_some() {
                return None;
            }
            states.clear();
            let mut start = 0;
            for expansion in expansions.all() {
                let KeyExpansion::Turn(turn) = expansion else { continue };
                if !turn.is_stored {
                    return None;
                }
                let chosen = start + random.index(turn.joint_moves);
                states.extend_from_slice(&expansions.successors()[chosen * words..(chosen + 1) * words]);
                start += turn.joint_moves;
            }
            if states.is_empty() {
                return Some(Self::of_weights(&equations.solution()));
            }
        }
        None
    }

    /// The sums of weights of the bits; the last weight is what is added.
    fn of_weights(weights: &[u64]) -> Self {
        let (&constant, bits) = weights.split_last().expect("there is a constant");
        let sum = |byte: usize, weights: &[u64]| {
            let of_bit = |(bit, weight): (usize, &u64)| if byte >> bit & 1 == 1 { *weight } else { 0 };
            let sum = weights.iter().enumerate().map(of_bit).sum::<u64>() % PRIME;
            u32::try_from(sum).expect("the prime has 31 bits")
        };
        Self { sums: bits.chunks(8).map(|own| std::array::from_fn(|byte| sum(byte, own))).collect(), constant }
    }

    /// The layer of the state with this key, if it has one.
    #[inline]
    pub(super) fn of(&self, key: &[u64]) -> u64 {
        let words = key.iter().zip(self.sums.chunks_exact(8));
        let of_word = |(word, sums): (&u64, &[[u32; 256]])| -> u64 {
            word.to_le_bytes().iter().zip(sums).map(|(&byte, sums)| u64::from(sums[usize::from(byte)])).sum()
        };
        (self.constant + words.map(of_word).sum::<u64>()) % PRIME
    }
}

/// The equation that the sum of the weights of the bits of a key, and a constant, is a number.
fn equation(key: &[u64], sum: u32) -> Vec<u64> {
    let bits = key.iter().flat_map(|word| (0..64).map(move |bit| word >> bit & 1));
    bits.chain([1, sum.into()]).collect()
}
