//! Random choices.

use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A number below `limit`, each with the same probability up to one part in 2^32: a number of 64 bits is drawn, always
/// one, and the upper word of its product with `limit` taken.
///
/// Source: Lemire, Fast random integer generation in an interval (2019), without the rejection.
pub fn below(random: &mut Xoshiro256PlusPlus, limit: usize) -> usize {
    ((u128::from(random.next_u64()) * limit as u128) >> 64) as usize
}
