//! Random moves for games that are stepped: each legal move of a role is equally likely.

use super::super::rows::Rows;
use super::super::vector::Kernel;
use super::SteppedGames;
use ggp_game::Role;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

impl SteppedGames {
    /// Begins the sequence of random choices of a seed. Without it they are those of seed 0.
    pub fn seed(&mut self, seed: u64) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
    }

    /// The generator of the random choices.
    pub fn random(&self) -> &Xoshiro256PlusPlus {
        &self.random
    }

    /// Goes on with the random choices of a generator.
    pub fn set_random(&mut self, random: Xoshiro256PlusPlus) {
        self.random = random;
    }

    /// Chooses a legal move at random for each role in each game, into `moves`: role by role for game after game, as
    /// [`SteppedGames::step`] takes them. Where a role has no legal move, its entry does not change.
    ///
    /// # Panics
    /// If there are not as many entries as roles in all games.
    pub fn choose(&mut self, moves: &mut [u32]) {
        let roles = self.roles();
        assert_eq!(moves.len(), self.games * roles, "a move of each role in each game");
        for role in 0..roles {
            self.draw_for(Role::new(role), |game, chosen| moves[game * roles + role] = chosen);
        }
    }

    /// Draws a legal move of a role in each game, each equally likely, and calls `chosen` with the game and the number
    /// of the move; not for games in which the role has none.
    pub fn draw_for(&mut self, role: Role, chosen: impl FnMut(usize, u32)) {
        let Self { legal, random, unit, .. } = self;
        unit.run(Choose { legal: &legal[role.index()], index: |_, count| below(random, count), chosen });
    }

    /// Chooses a legal move of a role in each game by its index among them: calls `index` with the game and the number
    /// of moves, then `chosen` with the game and the number of the move; not for games in which the role has none.
    ///
    /// # Panics
    /// If an index is not below the number of moves.
    pub fn choose_by(&self, role: Role, index: impl FnMut(usize, u32) -> u32, chosen: impl FnMut(usize, u32)) {
        self.unit.run(Choose { legal: &self.legal[role.index()], index, chosen });
    }
}

/// Chooses a move of each row of bits.
struct Choose<'a, Index, Chosen> {
    legal: &'a Rows,
    index: Index,
    chosen: Chosen,
}

/// The number of games whose moves are looked up together.
const BLOCK: usize = 64;

impl<Index: FnMut(usize, u32) -> u32, Chosen: FnMut(usize, u32)> Kernel for Choose<'_, Index, Chosen> {
    #[inline(always)]
    fn run(mut self) {
        match self.legal.words_of_row() {
            1 => self.of_words(),
            words => {
                for (game, row) in self.legal.words().chunks_exact(words.max(1)).enumerate() {
                    let count = row.iter().map(|word| word.count_ones()).sum();
                    if count > 0 {
                        (self.chosen)(game, nth_one_of(row, (self.index)(game, count)));
                    }
                }
            }
        }
    }
}

impl<Index: FnMut(usize, u32) -> u32, Chosen: FnMut(usize, u32)> Choose<'_, Index, Chosen> {
    /// Rows of one word. The indices are asked for one after the other, the bits are found in vectors.
    #[inline(always)]
    fn of_words(&mut self) {
        for (first, row) in (0..).step_by(BLOCK).zip(self.legal.words().chunks(BLOCK)) {
            let mut words = [0_u64; BLOCK];
            let mut numbers = [0_u32; BLOCK];
            words[..row.len()].copy_from_slice(row);
            for (game, (word, index)) in (first..).zip(words.iter().zip(&mut numbers)) {
                if *word != 0 {
                    *index = (self.index)(game, word.count_ones());
                }
            }
            for (number, &word) in numbers.iter_mut().zip(&words) {
                *number = nth_one(word, *number);
            }
            for (game, (&word, &number)) in (first..).zip(words.iter().zip(&numbers)) {
                if word != 0 {
                    (self.chosen)(game, number);
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

/// The index of the n-th set bit of a word, from 0; unspecified if there is none.
///
/// Without branches, since they would be as random as the choice: the counts of the eight bytes are summed in one
/// multiplication, and compared with n at once (Vigna, *Broadword Implementation of Rank/Select Queries*, 2008).
#[inline(always)]
fn nth_one(word: u64, n: u32) -> u32 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let pairs = word.wrapping_sub(word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    // In byte i the number of bits in the bytes 0 to i.
    let sums = bytes.wrapping_mul(EACH);
    // The high bit of each byte whose sum is at most n.
    let are_before = (((u64::from(n) * EACH) | HIGH) - sums) & HIGH;
    let byte = are_before.count_ones() * 8;
    // Without such a bit there is no such byte.
    let byte = byte & 63;
    let mut rest = n.wrapping_sub(((sums << 8) >> byte & 0xff) as u32);
    let mut bits = (word >> byte & 0xff) as u32;
    let mut index = byte;
    for width in [4, 2, 1] {
        let low = (bits & ((1 << width) - 1)).count_ones();
        let is_above = u32::from(rest >= low);
        rest = rest.wrapping_sub(low * is_above);
        bits >>= width * is_above;
        index += width * is_above;
    }
    index
}
