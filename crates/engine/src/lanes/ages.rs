//! How many plies the game of each lane has taken: one binary counter per lane, for all lanes at once.

use super::word::{Word, and, any, count, map, none, without, xor};
use gdl::number::to_index;

/// The age of the game in each lane. Bit `k` of all ages is word `k`; there are as many words as the oldest game has
/// needed.
#[derive(Debug, Default)]
pub(super) struct Ages<const W: usize> {
    planes: Vec<Word<W>>,
}

impl<const W: usize> Ages<W> {
    /// The bits of all ages, lowest first.
    pub(super) fn planes(&self) -> &[Word<W>] {
        &self.planes
    }

    /// Adds a ply in the lanes of `playing`; the lanes of `fresh` begin at 0.
    #[inline(always)]
    pub(super) fn advance(&mut self, playing: &Word<W>, fresh: &Word<W>) {
        let mut carry = without(playing, fresh);
        for plane in &mut self.planes {
            let bit = without(plane, fresh);
            *plane = xor(&bit, &carry);
            carry = and(&bit, &carry);
        }
        if any(&carry) {
            self.planes.push(carry);
        }
    }

    /// The age of one lane.
    pub(super) fn age(&self, column: usize, lane: u32) -> u64 {
        self.planes.iter().rev().fold(0, |age, plane| age << 1 | plane[column] >> lane & 1)
    }

    /// Those of `lanes` whose age is `age`.
    #[inline(always)]
    pub(super) fn equal(&self, lanes: &Word<W>, age: u32) -> Word<W> {
        if self.planes.len() < (u32::BITS - age.leading_zeros()) as usize {
            return none();
        }
        let mut equal = *lanes;
        for (index, plane) in self.planes.iter().enumerate() {
            equal = if age >> index & 1 == 1 { and(&equal, plane) } else { without(&equal, plane) };
        }
        equal
    }
}

/// The number of the lowest bits whose values are counted together.
const LOW: usize = 3;

/// Counts the numbers that `lanes` hold, of which `planes` has the bits, lowest first: adds to `histogram`, by number,
/// the number of lanes. Numbers are counted in groups of eight that differ in the three lowest bits; the cost is linear
/// in the number of groups that occur, and in that of the bits.
#[inline(always)]
pub(super) fn count_numbers<const W: usize>(planes: &[Word<W>], lanes: &Word<W>, histogram: &mut Vec<u64>) {
    let numbers = 1 << planes.len().max(LOW);
    if histogram.len() < numbers {
        histogram.resize(numbers, 0);
    }
    let low = [0, 1, 2].map(|index| planes.get(index).copied().unwrap_or(none()));
    let high = &planes[planes.len().min(LOW)..];
    let mut rest = *lanes;
    while let Some((column, lane)) = first(&rest) {
        let mut group = rest;
        let mut number = 0;
        for (plane, bit) in high.iter().zip(LOW..) {
            let is_set = plane[column] >> lane & 1;
            let differs = map(plane, &[is_set.wrapping_neg(); W], |bit, is_set| bit ^ is_set);
            group = without(&group, &differs);
            number |= to_index(is_set) << bit;
        }
        rest = without(&rest, &group);
        let counts = &mut histogram[number..][..1 << LOW];
        let [one, two, four] = &low;
        for (half, counts) in [without(&group, four), and(&group, four)].iter().zip(counts.chunks_exact_mut(4)) {
            for (quarter, counts) in [without(half, two), and(half, two)].iter().zip(counts.chunks_exact_mut(2)) {
                counts[0] += count(&without(quarter, one));
                counts[1] += count(&and(quarter, one));
            }
        }
    }
}

/// The first lane that holds, with its column.
#[inline(always)]
fn first<const W: usize>(lanes: &Word<W>) -> Option<(usize, u32)> {
    let column = lanes.iter().position(|&column| column != 0)?;
    Some((column, lanes[column].trailing_zeros()))
}
