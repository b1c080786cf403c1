//! The legal moves of games that are stepped, as one list of numbers: who chooses reads it at an index, and searches no
//! bits.

use super::super::vector::Kernel;
use super::SteppedGames;
use ggp_game::Role;

/// The legal moves of some roles, in arrays of the caller: of each role in each game, where they begin in the list, and
/// how many they are; game after game, and in each of them role after role.
#[derive(Debug)]
pub struct LegalLists<'a> {
    /// For each game and role, the index in `moves` at which its moves begin.
    pub starts: &'a mut [i64],
    /// For each game and role, the number of its moves.
    pub counts: &'a mut [i32],
    /// The numbers of the moves, ascending for each game and role; then one 0, so that every start is an index. What is
    /// behind it is unspecified.
    pub moves: &'a mut [i32],
}

impl LegalLists<'_> {
    /// How much longer than the list `moves` has to be: the moves of a word are written in blocks.
    pub const MARGIN: usize = BLOCK;
}

/// The number of moves in a byte, which are written together.
const BYTE: usize = 8;
/// Room for the moves of a word, and for what the block of its last byte writes beyond them.
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
