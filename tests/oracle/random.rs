//! The random choices of the oracle: SplitMix64, so that a seed gives the same games and questions everywhere.

/// A generator of random choices.
pub(crate) struct Random(u64);

impl Random {
    /// The generator of a case: `number` counts the cases of a run with this seed.
    pub(crate) fn of_case(seed: u64, number: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number);
        random.bits();
        random
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number less than `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit as u64) as usize
    }

    /// A number from `least` to `most`.
    pub(crate) fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }

    /// True in so many of a hundred cases.
    pub(crate) fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    /// One of some values.
    pub(crate) fn pick<'a, T>(&mut self, values: &'a [T]) -> &'a T {
        &values[self.below(values.len())]
    }

    /// Some values in random order.
    pub(crate) fn shuffled<T: Clone>(&mut self, values: &[T]) -> Vec<T> {
        let mut values = values.to_vec();
        for end in (1..values.len()).rev() {
            values.swap(end, self.below(end + 1));
        }
        values
    }
}
