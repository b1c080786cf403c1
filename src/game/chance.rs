//! Random choices with reproducible results.

use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A random number below `limit`, uniform up to one part in 2^32. Always draws one 64-bit number and returns the upper
/// word of its product with `limit`.
///
/// Source: Lemire, Fast random integer generation in an interval (2019), without the rejection.
pub fn below(random: &mut Xoshiro256PlusPlus, limit: usize) -> usize {
    ((u128::from(random.next_u64()) * limit as u128) >> 64) as usize
}
