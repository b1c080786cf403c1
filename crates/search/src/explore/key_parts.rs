//! Tables over keys: a key is cut into parts of a few bits, and what is to be known of each part is looked up by its
//! number.

use ggp_game::{Fluent, KeyGroup};
use std::ops::Range;

/// The order of the words of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordOrder {
    /// That of engines: the word of the lowest key bits is the first.
    LowestFirst,
    /// That of rows in files: the word of the lowest key bits is the last.
    HighestFirst,
}

/// The parts of a key. No group of fluents is divided.
#[derive(Clone, Debug)]
pub(crate) struct KeyParts {
    order: WordOrder,
    parts: Vec<(Range<u32>, Vec<KeyGroup>)>,
}

impl KeyParts {
    /// The parts of keys of these groups, with this many bits at most, unless a single group has more.
    pub(crate) fn new(groups: &[KeyGroup], order: WordOrder, most: u32) -> Self {
        let mut parts: Vec<(Range<u32>, Vec<KeyGroup>)> = Vec::new();
        for group in groups {
            match parts.last_mut() {
                Some((bits, members)) if group.bits.end - bits.start <= most => {
                    bits.end = group.bits.end;
                    members.push(group.clone());
                }
                _ => parts.push((group.bits.clone(), vec![group.clone()])),
            }
        }
        Self { order, parts }
    }

    /// For each part, a table with an entry for each of its numbers, made from the fluents that it says hold.
    pub(crate) fn tables<T>(&self, entry: impl Fn(&mut dyn Iterator<Item = Fluent>) -> T) -> Vec<Vec<T>> {
        let table = |(bits, groups): &(Range<u32>, Vec<KeyGroup>)| {
            let of_number = |number: u64| {
                let holds = |group: &KeyGroup| {
                    let own = number >> (group.bits.start - bits.start) & ((1 << group.bits.len()) - 1);
                    #[expect(clippy::cast_possible_truncation, reason = "a group has few key bits")]
                    let own = own as usize;
                    own.checked_sub(1).and_then(|index| group.fluents.get(index)).copied()
                };
                entry(&mut groups.iter().filter_map(holds))
            };
            (0..1 << bits.len()).map(of_number).collect()
        };
        self.parts.iter().map(table).collect()
    }

    /// The number of each part in a key.
    #[inline]
    pub(crate) fn numbers<'a>(&'a self, key: &'a [u64]) -> impl Iterator<Item = usize> + 'a {
        self.parts.iter().map(move |(bits, _)| {
            let word = |index: usize| match self.order {
                WordOrder::LowestFirst => key[index],
                WordOrder::HighestFirst => key[key.len() - 1 - index],
            };
            let index = bits.start as usize / 64;
            let shift = bits.start % 64;
            let mut number = word(index) >> shift;
            if shift + (bits.end - bits.start) > 64 {
                number |= word(index + 1) << (64 - shift);
            }
            #[expect(clippy::cast_possible_truncation, reason = "a part has few bits")]
            let number = (number & ((1 << (bits.end - bits.start)) - 1)) as usize;
            number
        })
    }
}
