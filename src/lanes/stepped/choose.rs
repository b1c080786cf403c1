//! Random moves for games that are stepped: each legal move of a role is equally likely.

use super::SteppedGames;
use crate::game::Role;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

impl SteppedGames {
    /// Begins the sequence of random choices of a seed. Without it they are those of seed 0.
    pub fn seed(&mut self, seed: u64) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
    }

    /// Chooses a legal move at random for each role in each game, into `moves`: role by role for game after game, as
    /// [`SteppedGames::step`] takes them. Where a role has no legal move, its entry does not change.
    ///
    /// # Panics
    /// If there are not as many entries as roles in all games.
    pub fn choose(&mut self, moves: &mut [u32]) {
        (0..self.roles()).for_each(|role| self.choose_for(Role::new(role), moves));
    }

    /// As [`SteppedGames::choose`], for one role, such as `random`; the entries of the others do not change.
    ///
    /// # Panics
    /// If there are not as many entries as roles in all games.
    pub fn choose_for(&mut self, role: Role, moves: &mut [u32]) {
        let roles = self.roles();
        assert_eq!(moves.len(), self.games * roles, "a move of each role in each game");
        let Self { legal, random, .. } = self;
        let legal = &legal[role.index()];
        let chosen = moves.iter_mut().skip(role.index()).step_by(roles);
        match legal.words_of_row() {
            1 => {
                for (chosen, &word) in chosen.zip(legal.words()).filter(|(_, word)| **word != 0) {
                    *chosen = nth_one(word, below(random, word.count_ones()));
                }
            }
            words => {
                for (chosen, row) in chosen.zip(legal.words().chunks_exact(words.max(1))) {
                    let count = row.iter().map(|word| word.count_ones()).sum();
                    if count > 0 {
                        *chosen = nth_one_of(row, below(random, count));
                    }
                }
            }
        }
    }
}

/// A random number below `bound`, which is not 0; all are equally likely (Lemire, *Fast Random Integer Generation in an
/// Interval*, 2019).
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the halves of a product of 64 bits")]
fn below(random: &mut impl Rng, bound: u32) -> u32 {
    let draw = |random: &mut _| u64::from(Rng::next_u32(random)) * u64::from(bound);
    let mut product = draw(random);
    if (product as u32) < bound {
        let least = bound.wrapping_neg() % bound;
        while (product as u32) < least {
            product = draw(random);
        }
    }
    (product >> 32) as u32
}

/// The index of the n-th set bit of a row, from 0. There must be one.
#[inline(always)]
fn nth_one_of(row: &[u64], mut n: u32) -> u32 {
    let mut before = 0;
    for &word in row {
        let count = word.count_ones();
        if n < count {
            return before + nth_one(word, n);
        }
        n -= count;
        before += u64::BITS;
    }
    unreachable!("there are more bits than n")
}

/// The index of the n-th set bit of a word, from 0. There must be one.
///
/// Without branches, since they would be as random as the choice: the counts of the eight bytes are summed in one
/// multiplication, and compared with n at once (Vigna, *Broadword Implementation of Rank/Select Queries*, 2008).
#[inline(always)]
fn nth_one(word: u64, n: u32) -> u32 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    // In byte i the number of bits in the bytes 0 to i.
    let sums = bytes.wrapping_mul(EACH);
    // The high bit of each byte whose sum is at most n.
    let are_before = (((u64::from(n) * EACH) | HIGH) - sums) & HIGH;
    let byte = are_before.count_ones() * 8;
    let mut rest = n - ((sums << 8) >> byte & 0xff) as u32;
    let mut bits = (word >> byte & 0xff) as u32;
    let mut index = byte;
    for width in [4, 2, 1] {
        let low = (bits & ((1 << width) - 1)).count_ones();
        let is_above = u32::from(rest >= low);
        rest -= low * is_above;
        bits >>= width * is_above;
        index += width * is_above;
    }
    index
}
