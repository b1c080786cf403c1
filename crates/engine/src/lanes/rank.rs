//! Uniform drawing of a rank below the number of legal moves, in every lane that has to choose, by rejection; and the
//! random words that it takes.
//!
//! A tree of bit-sliced adders in the circuit counts the legal moves of each lane, and a rank below the count is drawn
//! here. Then the rank descends the tree: at each node the lane goes left if its rank is below the number of legal
//! moves on the left; otherwise it subtracts that number and goes right. The cost is linear in the moves.
//!
//! A number with as many bits as the largest rank is drawn; a lane whose number is above its largest rank draws again,
//! together with the other such lanes of its column. Drawing until the last of hundreds of lanes has a rank takes eight
//! rounds and more, and in a small game costs more than all its gates. There every lane draws a fixed number of times
//! ([`cheapest_rounds`]). A lane whose numbers were all above its largest rank is *held*: it keeps its state, and draws
//! again in the next step.
//!
//! Proof of uniformity: let a lane have `c` legal moves, and let `k` be the number of bits of `c - 1`. A round draws
//! each of the `2^k` numbers of `k` bits with the same probability, independently of all previous draws, and `c <=
//! 2^k`. Given that a round is the first whose number is below `c`, that number is each of `0..c` with probability `1 /
//! c`; whether other lanes go on drawing depends neither on the number nor on the lane's later rounds. The same holds
//! if some of the rounds are those of later steps, and if the lane chooses again because another choice of the same
//! lane was held. Ranks and legal moves correspond one to one. Other lanes and choices have bits of their own, so they
//! are independent. Columns that draw together share no words: a generator keeps the state in which its column was
//! done.
//!
//! Each column has a generator of its own, so its games do not depend on the columns next to it. The generator is SFC64
//! (Doty-Humphrey, PractRand; period at least 2^64). All its bits pass all known tests, and it needs only additions,
//! shifts and exclusive ors, so a vector unit runs the generators of several columns at the same time.

use super::word::{Word, and, any, map, none, or, part, part_mut, without, xor};

/// The bounds of the ranks in each lane: a word for each bit, the lowest first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<'a, const W: usize> {
    /// The largest rank.
    pub(super) most: &'a [Word<W>],
    /// The lanes in which the bit can be set in a number up to the largest rank.
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
    // A constant number of bits lets the compiler unroll the loops and keep the ranks in registers.
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
            // The copy draws for all columns until the last is done; `random` keeps the state in which each column
            // ended.
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

/// The ranks of `C` columns, as far as they have been drawn.
struct Drawn<const C: usize, const K: usize> {
    ranks: [Word<C>; K],
    /// The lanes that have no rank yet.
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

/// A generator for each column.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnRandom<const W: usize> {
    a: Word<W>,
    b: Word<W>,
    c: Word<W>,
    counter: Word<W>,
}

/// The number of values that are discarded after seeding, as the author of the generator recommends.
const WARM_UP: usize = 18;

impl<const W: usize> ColumnRandom<W> {
    pub(super) fn new() -> Self {
        Self { a: none(), b: none(), c: none(), counter: none() }
    }

    /// Begins the stream of a seed and a column number, in the generator at index `column`.
    pub(super) fn seed(&mut self, column: usize, seed: u64, number: u64) {
        let mut one = ColumnRandom::<1> { a: [number], b: [seed], c: [0x6a09_e667_f3bc_c908], counter: [1] };
        (0..WARM_UP).for_each(|_| _ = one.draw());
        (self.a[column], self.b[column]) = (one.a[0], one.b[0]);
        (self.c[column], self.counter[column]) = (one.c[0], one.counter[0]);
    }

    /// The generators of `C` columns, from index `first` on.
    #[inline(always)]
    pub(super) fn part<const C: usize>(&self, first: usize) -> ColumnRandom<C> {
        ColumnRandom {
            a: *part(&self.a, first),
            b: *part(&self.b, first),
            c: *part(&self.c, first),
            counter: *part(&self.counter, first),
        }
    }

    /// Replaces the generators of `C` columns, from index `first` on.
    #[inline(always)]
    fn set_part<const C: usize>(&mut self, first: usize, part: &ColumnRandom<C>) {
        *part_mut(&mut self.a, first) = part.a;
        *part_mut(&mut self.b, first) = part.b;
        *part_mut(&mut self.c, first) = part.c;
        *part_mut(&mut self.counter, first) = part.counter;
    }

    /// A random word: every lane holds with probability one half.
    #[inline(always)]
    pub(super) fn draw(&mut self) -> Word<W> {
        let drawn = plus(&plus(&self.a, &self.b), &self.counter);
        self.counter = plus(&self.counter, &[1; W]);
        self.a = xor(&self.b, &shifted(&self.b, |column| column >> 11));
        self.b = plus(&self.c, &shifted(&self.c, |column| column << 3));
        // Rotated to the left by 24. Written as a rotation it would be done column by column with AVX2, which has none.
        let left = shifted(&self.c, |column| column << 24);
        let right = shifted(&self.c, |column| column >> 40);
        self.c = plus(&plus(&left, &drawn), &right);
        drawn
    }

    /// Takes over the generators of the columns that had a lane waiting `before` and have none `after`. So a generator
    /// may go on drawing for its neighbours once its own column is done, and nothing waits until it is restored.
    #[inline(always)]
    pub(super) fn keep(&mut self, now: &Self, before: &Word<W>, after: &Word<W>) {
        let keep = map(before, after, |before, after| if before != 0 && after == 0 { u64::MAX } else { 0 });
        let blend = |then: &Word<W>, now: &Word<W>| or(&without(then, &keep), &and(now, &keep));
        self.a = blend(&self.a, &now.a);
        self.b = blend(&self.b, &now.b);
        self.c = blend(&self.c, &now.c);
        self.counter = blend(&self.counter, &now.counter);
    }
}

#[inline(always)]
fn plus<const W: usize>(left: &Word<W>, right: &Word<W>) -> Word<W> {
    map(left, right, u64::wrapping_add)
}

#[inline(always)]
fn shifted<const W: usize>(word: &Word<W>, f: impl Fn(u64) -> u64) -> Word<W> {
    map(word, word, |column, _| f(column))
}

/// The cost of drawing a bit of a rank, in gates: a random word, a comparison, and keeping what is accepted.
const BIT: f64 = 18.0;
/// The additional cost of a round if columns end in different rounds, in gates.
const ROUND: f64 = 30.0;
/// The estimated number of rounds until all lanes have a rank.
const ROUNDS_OF_ALL: f64 = 8.0;
/// The cost of lanes that begin new games for each bit of a state, in gates, if that is no part of the circuit.
const BEGIN: f64 = 4.0;
/// The cost of lanes that are held for each bit of a state, in gates.
const HOLD: f64 = 3.0;

/// Lanes are held if drawing for all is estimated to cost at least this many times as much; measurements show no gain
/// below it.
const GAIN: f64 = 4.0 / 3.0;

/// The number of rounds with the least cost, for a circuit of this many nodes, bits of the state, and bits of each
/// rank; `None` if it costs less to draw until all lanes have a rank.
pub(super) fn cheapest_rounds(nodes: usize, bits: usize, ranks: &[u32]) -> Option<u32> {
    if ranks.is_empty() {
        return None;
    }
    let nodes = nodes as f64;
    let bits = bits as f64;
    let choices = ranks.len() as f64;
    let round = f64::from(ranks.iter().sum::<u32>()) * BIT;
    let until_all = nodes + bits * BEGIN + (round + choices * ROUND) * ROUNDS_OF_ALL;
    // With as many legal moves as numbers up to their double, each equally often, a number is rejected with a
    // probability p that is uniform between 0 and 1/2, and all of n with the mean of p^n.
    let held = |rounds: u32| (f64::from(rounds + 1) * f64::exp2(f64::from(rounds))).recip();
    let cost = |rounds: u32| {
        let cost = nodes + bits * HOLD + round * f64::from(rounds);
        cost / (1.0 - held(rounds)).powf(choices)
    };
    let best = (1..=8).min_by(|&one, &other| cost(one).total_cmp(&cost(other)))?;
    (cost(best) * GAIN < until_all).then_some(best)
}
