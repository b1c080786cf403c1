//! The legal moves of games that are stepped: chosen at random, each equally likely, or written as one list of numbers,
//! which the caller reads at an index instead of searching bits.

use super::super::rows::Rows;
use super::super::vector::Kernel;
use super::SteppedGames;
use ggp_game::Role;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

impl SteppedGames {
    /// Begins the sequence of random choices of a seed. New games have seed 0.
    pub fn seed(&mut self, seed: u64) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
    }

    /// The generator of the random choices.
    pub fn random(&self) -> &Xoshiro256PlusPlus {
        &self.random
    }

    /// Replaces the generator of the random choices.
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
    /// of the move; skips games in which the role has none.
    pub fn draw_for(&mut self, role: Role, chosen: impl FnMut(usize, u32)) {
        let Self { legal, random, unit, .. } = self;
        unit.run(Choose { legal: &legal[role.index()], index: |_, count| below(random, count), chosen });
    }

    /// Chooses a legal move of a role in each game by its index among them: calls `index` with the game and the number
    /// of moves, then `chosen` with the game and the number of the move; skips games in which the role has none.
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
const TOGETHER: usize = 64;

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
    /// Chooses from rows of one word. The indices are asked for one after the other, the bits are found in vectors.
    #[inline(always)]
    fn of_words(&mut self) {
        for (first, row) in (0..).step_by(TOGETHER).zip(self.legal.words().chunks(TOGETHER)) {
            let mut words = [0_u64; TOGETHER];
            let mut numbers = [0_u32; TOGETHER];
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
        // 2^32 modulo `bound`: lower halves below it would make some numbers more likely than others.
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

/// The legal moves of some roles, in arrays of the caller: of each role in each game, where they begin in the list, and
/// how many they are; game after game, and in each of them role after role.
#[derive(Debug)]
pub struct LegalLists<'a> {
    /// For each game and role, the index in `moves` at which its moves begin.
    pub starts: &'a mut [i64],
    /// For each game and role, the number of its moves.
    pub counts: &'a mut [i32],
    /// The numbers of the moves, ascending for each game and role; then one 0, so that every start is an index. Entries
    /// behind it are unspecified.
    pub moves: &'a mut [i32],
}

impl LegalLists<'_> {
    /// The number of entries by which `moves` must be longer than the list: the moves of a word are written in blocks.
    pub const MARGIN: usize = BLOCK;
}

/// The number of moves in a byte, which are written together.
const BYTE: usize = 8;
/// The entries that the moves of a word take, with those that the block of its last byte writes beyond them.
const BLOCK: usize = 64 + BYTE;
/// A word with at most this many moves among other words is listed move by move.
const FEW: usize = 4;

impl SteppedGames {
    /// The number of legal moves of some roles in all games together. Linear in the words of their rows.
    pub fn count_legal(&self, roles: &[Role]) -> usize {
        let mut total = 0;
        for &role in roles {
            self.unit.run(CountBits { words: self.all_legal(role), total: &mut total });
        }
        total
    }

    /// Lists the legal moves of some roles in all games. Linear in the words of their rows and in the moves.
    ///
    /// # Panics
    /// If there are not as many starts and counts as games times roles, or if the moves have no room for
    /// [`SteppedGames::count_legal`] moves and [`LegalLists::MARGIN`] more.
    pub fn list_legal(&self, roles: &[Role], lists: LegalLists<'_>) {
        let pairs = self.games * roles.len();
        assert!(
            lists.starts.len() == pairs && lists.counts.len() == pairs,
            "a start and a count for each role of a game"
        );
        assert!(lists.moves.len() >= self.count_legal(roles) + LegalLists::MARGIN, "room for all legal moves");
        let rows: Vec<Row<'_>> = roles.iter().map(|&role| self.rows_of(role)).collect();
        let most = roles.iter().map(|&role| self.moves(role)).max().unwrap_or_default();
        let unit = self.unit.narrow();
        match most {
            _ if roles.is_empty() => lists.moves[0] = 0,
            0..=8 => unit.run(ListWords::<1> { rows, lists }),
            9..=16 => unit.run(ListWords::<2> { rows, lists }),
            17..=32 => unit.run(ListWords::<4> { rows, lists }),
            33..=64 => unit.run(ListWords::<8> { rows, lists }),
            _ => unit.run(ListRows { rows, lists }),
        }
    }

    fn rows_of(&self, role: Role) -> Row<'_> {
        Row { words: self.all_legal(role), stride: self.moves(role).div_ceil(64) }
    }
}

/// The legal moves of a role, `stride` words for each game.
struct Row<'a> {
    words: &'a [u64],
    stride: usize,
}

/// Counts the bits of words.
struct CountBits<'a> {
    words: &'a [u64],
    total: &'a mut usize,
}

impl Kernel for CountBits<'_> {
    #[inline(always)]
    fn run(self) {
        *self.total += self.words.iter().map(|word| word.count_ones() as usize).sum::<usize>();
    }
}

/// Lists the moves of roles whose rows are words of which only the first `BYTES` bytes have bits.
struct ListWords<'a, const BYTES: usize> {
    rows: Vec<Row<'a>>,
    lists: LegalLists<'a>,
}

impl<const BYTES: usize> Kernel for ListWords<'_, BYTES> {
    #[inline(always)]
    fn run(self) {
        let Self { rows, lists: LegalLists { starts, counts, moves } } = self;
        let pairs = starts.chunks_exact_mut(rows.len()).zip(counts.chunks_exact_mut(rows.len()));
        let mut end = 0;
        for (game, (starts, counts)) in pairs.enumerate() {
            for ((row, start), count) in rows.iter().zip(starts).zip(counts) {
                let word = row.words[game];
                list_word::<BYTES>(word, 0, block(moves, end));
                *start = end as i64;
                *count = word.count_ones() as i32;
                end += word.count_ones() as usize;
            }
        }
        moves[end] = 0;
    }
}

/// Lists the moves of roles whose rows may have several words.
struct ListRows<'a> {
    rows: Vec<Row<'a>>,
    lists: LegalLists<'a>,
}

impl Kernel for ListRows<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { rows, lists: LegalLists { starts, counts, moves } } = self;
        let pairs = starts.chunks_exact_mut(rows.len()).zip(counts.chunks_exact_mut(rows.len()));
        let mut end = 0;
        for (game, (starts, counts)) in pairs.enumerate() {
            for ((row, start), count) in rows.iter().zip(starts).zip(counts) {
                *start = end as i64;
                *count = 0;
                for (first, &word) in (0..).step_by(64).zip(&row.words[game * row.stride..][..row.stride]) {
                    list_word_of_many(word, first, block(moves, end));
                    *count += word.count_ones() as i32;
                    end += word.count_ones() as usize;
                }
            }
        }
        moves[end] = 0;
    }
}

/// The part of the list to which the moves of a word are written.
#[inline(always)]
fn block(moves: &mut [i32], from: usize) -> &mut [i32; BLOCK] {
    moves[from..].first_chunk_mut().expect("the list is longer than all moves by the margin")
}

/// Writes the numbers of the set bits of a word, of which bit 0 has the number `first`, byte by byte: a table has the
/// bits of each byte, and each byte's block is written over the rest of the one before.
#[inline(always)]
fn list_word<const BYTES: usize>(word: u64, mut first: i32, moves: &mut [i32; BLOCK]) {
    let mut end = 0;
    for index in 0..BYTES {
        let byte = (word >> (8 * index) & 0xff) as usize;
        // At most 56 bits are in the bytes before.
        for (number, &bit) in moves[end & 63..][..BYTE].iter_mut().zip(&BITS[byte]) {
            *number = first + i32::from(bit);
        }
        first += 8;
        end += byte.count_ones() as usize;
    }
}

/// As [`list_word`], for one of many words of a row, most of which have no bits or few.
#[inline(always)]
fn list_word_of_many(word: u64, first: i32, moves: &mut [i32; BLOCK]) {
    if word == 0 {
        return;
    }
    if word.count_ones() as usize > FEW {
        return list_word::<8>(word, first, moves);
    }
    let mut rest = word;
    for number in &mut moves[..FEW] {
        *number = first + rest.trailing_zeros() as i32;
        rest &= rest.wrapping_sub(1);
    }
}

/// For each byte the numbers of its bits that are set, then zeros. A constant, not a static, so that the compiler knows
/// that writing a list does not change it, and reads and writes a block at once.
const BITS: [[u8; BYTE]; 256] = bits();

const fn bits() -> [[u8; BYTE]; 256] {
    let mut table = [[0; BYTE]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        let mut count = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}
