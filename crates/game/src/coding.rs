//! States as keys: how the bits of a state are written as a short number of a fixed length.

use gdl::number::{to_index, to_u32};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// A binary code for states. Bits of which at most one is set in every reachable state form a group; a group of n bits
/// takes as many key bits as the number n has, which hold 0 or the number of the member that is set, from 1 on. A group
/// of one bit is that bit.
///
/// The key bits of a group are consecutive; a key has 64 of them in each word, the lowest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coding {
    /// The members of each group, and its key bits.
    groups: Vec<(Vec<u32>, Range<u32>)>,
    /// For each bit of the state, its group and its number there.
    codes: Vec<(u32, u32)>,
}

impl Coding {
    /// The code for states of `bits` bits. `exclusive` are sets of bits of which at most one is set in each state; they
    /// may overlap, and the largest are taken first. Bits that are in no group of others have a group of their own.
    pub fn new(bits: usize, exclusive: &[Vec<u32>]) -> Self {
        let mut is_free = vec![true; bits];
        let mut members: Vec<Vec<u32>> = Vec::new();
        // A set shrinks when its bits are taken, so it is measured anew when its turn has come.
        let mut waiting: BinaryHeap<_> = (0..).zip(exclusive).map(|(set, bits)| (bits.len(), Reverse(set))).collect();
        while let Some((length, Reverse(set))) = waiting.pop() {
            let free = exclusive[set].iter().copied().filter(|&bit| is_free[bit as usize]);
            let group: Vec<u32> = free.collect();
            match group.len() {
                0 | 1 => {}
                left if left < length => waiting.push((left, Reverse(set))),
                _ => {
                    group.iter().for_each(|&bit| is_free[bit as usize] = false);
                    members.push(group);
                }
            }
        }
        members.extend((0..to_u32(bits)).filter(|&bit| is_free[bit as usize]).map(|bit| vec![bit]));
        // Near bits stay near each other.
        members.sort_unstable();
        let mut codes = vec![(0, 0); bits];
        let mut start = 0;
        let mut place = |(index, members): (u32, Vec<u32>)| {
            for (number, &bit) in (1..).zip(&members) {
                codes[bit as usize] = (index, number);
            }
            let end = start + usize::BITS - members.len().leading_zeros();
            (members, std::mem::replace(&mut start, end)..end)
        };
        let groups = (0..).zip(members).map(&mut place).collect();
        Self { groups, codes }
    }

    /// The number of bits of a key.
    #[inline]
    pub fn bits(&self) -> u32 {
        self.groups.last().map_or(0, |(_, bits)| bits.end)
    }

    /// The number of words of a key.
    #[inline]
    pub fn words(&self) -> usize {
        (self.bits() as usize).div_ceil(64)
    }

    /// The groups: the bits of the state that exclude each other, in the order of their numbers, which begin at 1, and
    /// the key bits of that number.
    #[inline]
    pub fn groups(&self) -> impl Iterator<Item = (&[u32], Range<u32>)> {
        self.groups.iter().map(|(members, bits)| (members.as_slice(), bits.clone()))
    }

    /// Writes the key of the state in which these bits are set to `key`. Returns false if two of them are of one group.
    pub fn write(&self, set: impl IntoIterator<Item = usize>, key: &mut [u64]) -> bool {
        key.fill(0);
        let mut fits = true;
        for bit in set {
            let (group, number) = self.codes[bit];
            let bits = &self.groups[group as usize].1;
            fits &= number_at(key, bits) == 0;
            add_number(key, bits, number);
        }
        fits
    }

    /// Calls `each` for the bits that are set in the state of a key.
    #[inline]
    pub fn read(&self, key: &[u64], mut each: impl FnMut(usize)) {
        for (members, bits) in &self.groups {
            let number = number_at(key, bits);
            if let Some(&bit) = (number as usize).checked_sub(1).and_then(|index| members.get(index)) {
                each(bit as usize);
            }
        }
    }
}

/// The number in these key bits, of which there are 32 at most.
fn number_at(key: &[u64], bits: &Range<u32>) -> u32 {
    let word = bits.start as usize / 64;
    let shift = bits.start % 64;
    let length = bits.end - bits.start;
    let mut number = key[word] >> shift;
    if shift + length > 64 {
        number |= key[word + 1] << (64 - shift);
    }
    to_u32(to_index(number & ((1 << length) - 1)))
}

/// Sets those of these key bits that are set in a number.
fn add_number(key: &mut [u64], bits: &Range<u32>, number: u32) {
    let word = bits.start as usize / 64;
    let shift = bits.start % 64;
    let number = u64::from(number);
    key[word] |= number << shift;
    if shift + (bits.end - bits.start) > 64 {
        key[word + 1] |= number >> (64 - shift);
    }
}
