//! Counting, drawing and descending: chooses one candidate in each lane, exactly uniformly among those that are legal
//! there.
//!
//! A tree of bit-sliced adders counts the legal candidates of each lane. A rank below the count is drawn: as many
//! random bits as the largest rank has; a lane whose number is not below its count draws again, together with the other
//! such lanes of its column. Then the rank descends the tree: at each node the lane goes left if its rank is below the
//! number of legal candidates on the left; otherwise it subtracts that number and goes right. The cost is linear in the
//! candidates.
//!
//! Proof of uniformity: let a lane have `c` legal candidates, and let `k` be the number of bits of `c - 1`. A round
//! draws each of the `2^k` numbers of `k` bits with the same probability, independently of all previous draws, and `c
//! <= 2^k`. Given that a round is the first whose number is below `c`, that number is each of `0..c` with probability
//! `1 / c`; whether other lanes go on drawing depends neither on the number nor on the lane's later rounds. Ranks and
//! legal candidates correspond one to one. Other lanes and choices have bits of their own, so they are independent.

use super::random::Random;
use super::rank::{Bounds, draw};
use super::word::{Word, and, none, or, without, xor};
use crate::number::to_u32;
use std::ops::Range;

/// A tree of counts over candidates.
#[derive(Debug)]
pub(super) struct Tree {
    /// The nodes of each level, from the candidates up to the root: the words of their counts, lowest bit first.
    levels: Vec<Vec<Range<u32>>>,
    /// The number of words of all counts.
    words: usize,
    /// The number of bits of a rank.
    rank_bits: usize,
}

/// Scratch memory for a choice.
#[derive(Debug, Default)]
pub(super) struct Scratch<const W: usize> {
    /// The counts of a tree; those of the candidates, which come first, are the lanes in which they are legal.
    pub(super) counts: Vec<Word<W>>,
    /// The lanes at each node of a level; in the end, the lanes that have chosen each candidate.
    pub(super) masks: Vec<Word<W>>,
    below: Vec<Word<W>>,
    rank: Vec<Word<W>>,
    most: Vec<Word<W>>,
    used: Vec<Word<W>>,
    left: Vec<Word<W>>,
}

impl<const W: usize> Scratch<W> {
    /// Scratch memory that is sufficient for each of these trees.
    pub(super) fn for_trees<'a>(trees: impl Iterator<Item = &'a Tree>) -> Self {
        let (mut words, mut leaves, mut bits) = (0, 0, 0);
        for tree in trees {
            words = words.max(tree.words);
            leaves = leaves.max(tree.levels[0].len());
            bits = bits.max(tree.rank_bits);
        }
        let some = |count: usize| vec![none(); count];
        Self {
            counts: some(words),
            masks: some(leaves),
            below: some(leaves),
            rank: some(bits),
            most: some(bits),
            used: some(bits),
            left: some(bits),
        }
    }
}

impl Tree {
    /// A tree over this many candidates, at least one.
    pub(super) fn new(candidates: usize) -> Self {
        let mut words = to_u32(candidates);
        let mut levels: Vec<Vec<Range<u32>>> = vec![(0..words).map(|leaf| leaf..leaf + 1).collect()];
        let mut leaves = 1_u32;
        while let Some(level) = levels.last().filter(|level| level.len() > 1) {
            leaves *= 2;
            let mut above = Vec::with_capacity(level.len().div_ceil(2));
            for (index, pair) in level.chunks(2).enumerate() {
                if let [only] = pair {
                    above.push(only.clone());
                    continue;
                }
                let most = leaves.min(to_u32(candidates) - to_u32(index) * leaves);
                let bits = u32::BITS - most.leading_zeros();
                above.push(words..words + bits);
                words += bits;
            }
            levels.push(above);
        }
        let most = candidates.saturating_sub(1);
        Self { levels, words: words as usize, rank_bits: (usize::BITS - most.leading_zeros()) as usize }
    }

    pub(super) fn candidates(&self) -> usize {
        self.levels[0].len()
    }

    /// Chooses a candidate in each lane in which any is legal. Reads the legal lanes of the candidates from
    /// `scratch.counts`, and writes the lanes that chose each to `scratch.masks`. Returns the lanes that have chosen.
    #[inline(always)]
    pub(super) fn choose<const W: usize>(&self, random: &mut Random<W>, scratch: &mut Scratch<W>) -> Word<W> {
        self.count(&mut scratch.counts);
        let root = &self.levels[self.levels.len() - 1][0];
        let count = &scratch.counts[root.start as usize..root.end as usize];
        let mut some = none();
        for bit in count {
            some = or(&some, bit);
        }
        if self.rank_bits > 0 {
            let bits = self.rank_bits;
            largest_rank(count, &mut scratch.most[..bits], &mut scratch.used[..bits]);
            let Scratch { rank, most, used, .. } = scratch;
            draw(Bounds { most: &most[..bits], used: &used[..bits], live: &some }, &mut rank[..bits], random);
        }
        scratch.masks[0] = some;
        for level in self.levels[..self.levels.len() - 1].iter().skip(1).rev() {
            self.descend(level, scratch);
        }
        if self.levels.len() > 1 {
            self.decide(scratch);
        }
        some
    }

    #[inline(always)]
    fn count<const W: usize>(&self, counts: &mut [Word<W>]) {
        for pair in self.levels.windows(2) {
            for (index, children) in pair[0].chunks_exact(2).enumerate() {
                let sum = &pair[1][index];
                let (operands, sums) = counts.split_at_mut(sum.start as usize);
                let (left, right) = (&children[0], &children[1]);
                let left = &operands[left.start as usize..left.end as usize];
                let right = &operands[right.start as usize..right.end as usize];
                add(left, right, &mut sums[..sum.len()]);
            }
        }
    }

    /// Descends from the nodes above a level to the nodes of the level.
    #[inline(always)]
    fn descend<const W: usize>(&self, level: &[Range<u32>], scratch: &mut Scratch<W>) {
        let Scratch { counts, masks, below, rank, left, .. } = scratch;
        let left = &mut left[..level[0].len().min(self.rank_bits)];
        left.fill(none());
        for (index, children) in level.chunks_exact(2).enumerate() {
            let mask = masks[index];
            let bits = &counts[children[0].start as usize..children[0].end as usize];
            for (sum, bit) in left.iter_mut().zip(bits) {
                *sum = or(sum, &and(&mask, bit));
            }
        }
        let goes_left = subtract(&mut rank[..self.rank_bits], left);
        for (index, children) in below[..level.len()].chunks_mut(2).enumerate() {
            let mask = masks[index];
            match children {
                [one, other] => (*one, *other) = (and(&mask, &goes_left), without(&mask, &goes_left)),
                only => only[0] = mask,
            }
        }
        std::mem::swap(masks, below);
    }

    /// Descends to the candidates: at the nodes above them, a rank is 0 or 1.
    #[inline(always)]
    fn decide<const W: usize>(&self, scratch: &mut Scratch<W>) {
        let Scratch { counts, masks, below, rank, .. } = scratch;
        let first = rank[0];
        for (index, children) in below[..self.levels[0].len()].chunks_mut(2).enumerate() {
            let mask = masks[index];
            match children {
                [one, other] => {
                    *one = without(&and(&mask, &counts[index * 2]), &first);
                    *other = without(&mask, one);
                }
                only => only[0] = mask,
            }
        }
        std::mem::swap(masks, below);
    }
}

/// Adds two counts, of which the first has at least as many bits.
#[inline(always)]
fn add<const W: usize>(left: &[Word<W>], right: &[Word<W>], sum: &mut [Word<W>]) {
    let mut carry = and(&left[0], &right[0]);
    sum[0] = xor(&left[0], &right[0]);
    for index in 1..right.len() {
        let (one, other) = (left[index], right[index]);
        let half = xor(&one, &other);
        sum[index] = xor(&half, &carry);
        carry = or(&and(&one, &other), &and(&half, &carry));
    }
    for index in right.len()..left.len() {
        sum[index] = xor(&left[index], &carry);
        carry = and(&left[index], &carry);
    }
    if sum.len() > left.len() {
        sum[left.len()] = carry;
    }
}

/// Computes one less than the count, or 0 if the count is 0, and the bits that can be set in a number up to it.
#[inline(always)]
fn largest_rank<const W: usize>(count: &[Word<W>], most: &mut [Word<W>], used: &mut [Word<W>]) {
    let mut borrow = [u64::MAX; W];
    for (index, bit) in most.iter_mut().enumerate() {
        *bit = xor(&count[index], &borrow);
        borrow = without(&borrow, &count[index]);
    }
    let is_none = if count.len() > most.len() { without(&borrow, &count[most.len()]) } else { borrow };
    let mut above = none();
    for index in (0..most.len()).rev() {
        most[index] = without(&most[index], &is_none);
        above = or(&above, &most[index]);
        used[index] = above;
    }
}

/// Returns the lanes in which the rank is below the number; subtracts the number from the rank in the others.
#[inline(always)]
fn subtract<const W: usize>(rank: &mut [Word<W>], number: &[Word<W>]) -> Word<W> {
    let mut is_below = none();
    for (index, number) in number.iter().enumerate() {
        is_below = or(&without(number, &rank[index]), &without(&is_below, &without(&rank[index], number)));
    }
    for bit in &rank[number.len()..] {
        is_below = without(&is_below, bit);
    }
    let mut borrow = none();
    for (index, bit) in rank.iter_mut().enumerate() {
        let number = if index < number.len() { without(&number[index], &is_below) } else { none() };
        let half = xor(bit, &number);
        let difference = xor(&half, &borrow);
        borrow = or(&without(&number, bit), &without(&borrow, &half));
        *bit = difference;
    }
    is_below
}
