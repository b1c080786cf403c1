//! Shared parts of the simulators: random numbers, the choice of a bit, the counts.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoroshiro128PlusPlus;

/// A fast random number generator.
pub(crate) struct Random(Xoroshiro128PlusPlus);

/// The outcomes of many games.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) games: u64,
    /// The number of wins, by role.
    pub(crate) wins: [u64; 2],
    pub(crate) plies: u64,
}

impl Random {
    /// A fraction of 2^64, from which several numbers are drawn ([`below`]).
    #[inline(always)]
    pub(crate) fn fraction(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// Draws the next number below `count` from a fraction and leaves the rest: as uniform as its 64 bits allow.
#[inline(always)]
pub(crate) fn below(fraction: &mut u64, count: u32) -> u32 {
    let product = u128::from(*fraction) * u128::from(count);
    *fraction = product as u64;
    (product >> 64) as u32
}

/// The bit of a mask that has `rank` set bits below it.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
#[inline]
pub(crate) fn select(mask: u64, rank: u32) -> u64 {
    std::arch::x86_64::_pdep_u64(1 << rank, mask)
}

/// The bit of a mask that has `rank` set bits below it.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn select(mut mask: u64, rank: u32) -> u64 {
    for _ in 0..rank {
        mask &= mask - 1;
    }
    mask & mask.wrapping_neg()
}

/// Calls a simulator compiled for the bit instructions of the processors of the last ten years.
pub(crate) fn with_bit_instructions(
    playouts: unsafe fn(u64, &mut Random) -> Tally,
    games: u64,
    random: &mut Random,
) -> Tally {
    #[cfg(target_arch = "x86_64")]
    {
        use std::is_x86_feature_detected as has;
        assert!(has!("bmi1") && has!("bmi2") && has!("popcnt"), "the simulators need a processor with BMI2");
    }
    // SAFETY: the processor has the instructions; on architectures other than x86-64 none are required.
    #[expect(unsafe_code, reason = "a function for certain instructions may only be called where there are such")]
    unsafe {
        playouts(games, random)
    }
}

/// Plays a number of games from a seed.
pub(crate) fn run(simulator: super::super::Simulator, games: u64, seed: u64) -> Tally {
    simulator(games, &mut Random(Xoroshiro128PlusPlus::seed_from_u64(seed)))
}
