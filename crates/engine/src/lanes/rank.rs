//! Uniform drawing of a rank below the number of legal moves, in every lane that has to choose, by rejection.
//!
//! A tree of bit-sliced adders in the circuit counts the legal moves of each lane, and a rank below the count is drawn
//! here. Then the rank descends the tree: at each node the lane goes left if its rank is below the number of legal
//! moves on the left; otherwise it subtracts that number and goes right. The cost is linear in the moves.
//!
//! A number with as many bits as the largest rank is drawn; a lane whose number is above its largest rank draws again,
//! together with the other such lanes of its column. In small games it draws for a fixed number of rounds; a lane that
//! has no rank then keeps its state, and draws again in the next step ([`super::draw_rounds`]).
//!
//! Proof of uniformity: let a lane have `c` legal moves, and let `k` be the number of bits of `c - 1`. A round draws
//! each of the `2^k` numbers of `k` bits with the same probability, independently of all previous draws, and `c <=
//! 2^k`. Given that a round is the first whose number is below `c`, that number is each of `0..c` with probability `1 /
//! c`; whether other lanes go on drawing depends neither on the number nor on the lane's later rounds. The same holds
//! if some of the rounds are those of later steps, and if the lane chooses again because another choice of the same
//! lane was held. Ranks and legal moves correspond one to one. Other lanes and choices have bits of their own, so they
//! are independent. Columns that draw together share no words: a generator keeps the state in which its column was
//! done.

use super::random::ColumnRandom;
use super::word::{Word, and, any, none, or, part, part_mut, without};

/// The bounds of the ranks in each lane, by bit, lowest first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<'a, const W: usize> {
    /// The largest rank.
    pub(super) most: &'a [Word<W>],
    /// Whether the bit can be set in a number up to the largest rank.
    pub(super) used: &'a [Word<W>],
    /// The lanes that choose.
    pub(super) live: &'a Word<W>,
}

/// The number of columns that draw together: as many as keep their generators in registers, and few enough that they do
/// not wait long for one that is rejected again and again.
const COLUMNS: usize = 8;
/// The number of columns in batches of fewer than eight.
const FEW_COLUMNS: usize = 4;

/// The maximum number of bits of a rank.
const MOST_BITS: usize = 32;

/// Draws a rank up to the largest for each lane, for this number of rounds, or until all lanes have one. Returns the
/// lanes that have none.
#[inline(always)]
pub(super) fn draw<const W: usize>(
    bounds: Bounds<'_, W>,
    rank: &mut [Word<W>],
    random: &mut ColumnRandom<W>,
    rounds: Option<u32>,
) -> Word<W> {
    let mut first = 0;
    let mut held = none();
    while first < W {
        if W.is_multiple_of(COLUMNS) {
            *part_mut(&mut held, first) = draw_columns::<W, COLUMNS>(first, bounds, rank, random, rounds);
            first += COLUMNS;
        } else if W.is_multiple_of(FEW_COLUMNS) {
            *part_mut(&mut held, first) = draw_columns::<W, FEW_COLUMNS>(first, bounds, rank, random, rounds);
            first += FEW_COLUMNS;
        } else {
            *part_mut(&mut held, first) = draw_columns::<W, 1>(first, bounds, rank, random, rounds);
            first += 1;
        }
    }
    held
}

/// Draws the ranks of `C` columns. Ranks of few bits are kept in registers, which needs code of its own for each number
/// of bits.
#[inline(always)]
fn draw_columns<const W: usize, const C: usize>(
    first: usize,
    bounds: Bounds<'_, W>,
    rank: &mut [Word<W>],
    random: &mut ColumnRandom<W>,
    rounds: Option<u32>,
) -> Word<C> {
    let mut generator: ColumnRandom<C> = random.part(first);
    let held = match rank.len() {
        0 => none(),
        1 => draw_bits::<W, C, 1>(1, first, bounds, rank, &mut generator, rounds),
        2 => draw_bits::<W, C, 2>(2, first, bounds, rank, &mut generator, rounds),
        3 => draw_bits::<W, C, 3>(3, first, bounds, rank, &mut generator, rounds),
        4 => draw_bits::<W, C, 4>(4, first, bounds, rank, &mut generator, rounds),
        5 => draw_bits::<W, C, 5>(5, first, bounds, rank, &mut generator, rounds),
        6 => draw_bits::<W, C, 6>(6, first, bounds, rank, &mut generator, rounds),
        bits => draw_bits::<W, C, MOST_BITS>(bits, first, bounds, rank, &mut generator, rounds),
    };
    random.set_part(first, &generator);
    held
}

/// Draws the ranks of `C` columns, of `bits` bits, at most `K`.
#[inline(always)]
fn draw_bits<const W: usize, const C: usize, const K: usize>(
    bits: usize,
    first: usize,
    bounds: Bounds<'_, W>,
    rank: &mut [Word<W>],
    random: &mut ColumnRandom<C>,
    rounds: Option<u32>,
) -> Word<C> {
    let bits = if K < MOST_BITS { K } else { bits };
    let mut drawn =
        Drawn::<C, K> { ranks: [none(); K], waiting: and(part(bounds.live, first), part(&bounds.used[0], first)) };
    match rounds {
        Some(rounds) => {
            for _ in 0..rounds {
                drawn.round(bits, first, bounds, random);
            }
        }
        None => {
            let mut generator = *random;
            while any(&drawn.waiting) {
                let before = drawn.waiting;
                drawn.round(bits, first, bounds, &mut generator);
                random.keep(&generator, &before, &drawn.waiting);
            }
        }
    }
    for (rank, drawn) in rank.iter_mut().zip(&drawn.ranks).take(bits) {
        *part_mut(rank, first) = *drawn;
    }
    drawn.waiting
}

/// The ranks of `C` columns that have been drawn so far.
struct Drawn<const C: usize, const K: usize> {
    ranks: [Word<C>; K],
    /// The lanes that have none.
    waiting: Word<C>,
}

impl<const C: usize, const K: usize> Drawn<C, K> {
    /// Draws a number in each lane, which becomes the rank of those that are waiting and whose largest rank is not
    /// below.
    #[inline(always)]
    fn round<const W: usize>(
        &mut self,
        bits: usize,
        first: usize,
        bounds: Bounds<'_, W>,
        random: &mut ColumnRandom<C>,
    ) {
        let most = &bounds.most[..bits];
        let used = &bounds.used[..bits];
        let mut is_above = none();
        let mut numbers = [none(); K];
        for index in 0..bits {
            let most = part::<W, C>(&most[index], first);
            let number = and(&random.draw(), part(&used[index], first));
            // From the lowest bit on: above if so in this bit, or equal in this bit and above in the lower ones.
            is_above = or(&without(&number, most), &without(&is_above, &without(most, &number)));
            numbers[index] = number;
        }
        let accepted = without(&self.waiting, &is_above);
        for (rank, number) in self.ranks.iter_mut().zip(&numbers).take(bits) {
            *rank = or(rank, &and(number, &accepted));
        }
        self.waiting = and(&self.waiting, &is_above);
    }
}
