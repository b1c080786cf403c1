//! Random choices with reproducible results.

use gdl::number::to_index;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A source of random choices. The same seed gives the same choices on every machine and in every version of this
/// library: the generator is xoshiro256++, its state filled from the seed by SplitMix64.
///
/// ```
/// use ggp_game::Chance;
///
/// let (mut first, mut second) = (Chance::new(7), Chance::new(7));
/// let die = first.below(6) + 1;
/// assert!((1..=6).contains(&die));
/// assert_eq!(die, second.below(6) + 1);
/// ```
#[derive(Clone, Debug)]
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    /// A source that starts from a seed.
    #[inline]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A random number below `limit`, uniform up to one part in 2^32; 0 if the limit is 0. Always draws one 64-bit
    /// number and returns the upper word of its product with `limit`.
    ///
    /// Source: Lemire, Fast random integer generation in an interval (2019), without the rejection.
    #[expect(clippy::cast_possible_truncation, reason = "the upper word of a product with `limit` is below `limit`")]
    #[inline]
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.word()) * limit as u128) >> 64) as usize
    }

    /// A random index below `count`: a number of 64 bits modulo the count, so that the lower indices are more probable
    /// by at most `count` parts in 2^64.
    ///
    /// # Panics
    /// If the count is 0.
    #[inline]
    pub fn index(&mut self, count: usize) -> usize {
        to_index(self.word() % count as u64)
    }

    /// A random number from 0 to 1, uniform; less than 1.
    #[inline]
    pub fn fraction(&mut self) -> f64 {
        // A float of 64 bits holds integers of 53 bits exactly.
        (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A random number of 64 bits, uniform.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }
}
