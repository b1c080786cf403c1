//! Usual states: bits that are hardly ever set are left out of a second, smaller circuit.
//!
//! In large games most bits of a state are set in few games or none: squares far from where the pieces begin, long
//! counts, pairs of stones that are seldom in one group. As long as none of these *rare* bits is set in any lane of a
//! batch, a circuit in which they are constants plays the same games, with fewer gates. It computes the next value of
//! those rare bits that can become set, and their disjunction ([`super::wiring::Wiring::leaves`]); if it holds in a
//! lane, the next steps are made by the circuit for all states, until no rare bit is set.
//!
//! Which bits are rare is found by play. It is a matter of speed alone: whatever the bits are, the games are the same.

use super::batch::LaneBatch;
use super::play::watch;
use super::word::{Word, any};
use fixedbitset::FixedBitSet;
use gdl::limits::{Limits, Stop};

/// The steps of the samples. A bit that is set in some lane in a sample is not rare in the next.
const SAMPLES: [usize; 4] = [128, 128, 256, 512];
/// In a sample at most one step in this many may have a rare bit.
const SELDOM: usize = 16;

/// The bits that are set in no lane of a batch in nearly all steps of random play from the initial state of the
/// program; `None` if they are fewer than half of all. Plays a thousand steps at most. `goals` is the number of goal
/// values.
///
/// # Errors
/// If the limits end the work.
pub(super) fn find<const W: usize>(
    batch: &mut LaneBatch<W>,
    goals: usize,
    limits: &Limits,
) -> Result<Option<FixedBitSet>, Stop> {
    let mut sampling = BitSampling {
        common: FixedBitSet::with_capacity(batch.compiled().bits),
        sampled: FixedBitSet::with_capacity(batch.compiled().bits),
        lengths: &SAMPLES,
        steps: 0,
        leaving: 0,
    };
    let mut stopped = Ok(());
    watch(batch, goals, |bits| {
        stopped = limits.check();
        stopped.is_ok() && sampling.add(bits)
    });
    stopped?;
    let mut rare = sampling.sampled;
    rare.toggle_range(..);
    Ok((!sampling.lengths.is_empty()).then_some(rare))
}

/// Samples of play.
struct BitSampling {
    /// The bits that were set in the samples before this one.
    common: FixedBitSet,
    /// The bits that have been set so far.
    sampled: FixedBitSet,
    /// The lengths of this sample and of those after it.
    lengths: &'static [usize],
    /// The steps of this sample, and those with a bit that is not common.
    steps: usize,
    leaving: usize,
}

impl BitSampling {
    /// Adds a step; returns whether another one is needed. In the end lengths are left only if the bits that have not
    /// been set are rare, and at least half of all.
    fn add<const W: usize>(&mut self, bits: &[Word<W>]) -> bool {
        let Some((&length, rest)) = self.lengths.split_first() else { return false };
        let set = self.common.zeroes().filter(|&bit| any(&bits[bit]));
        let mut is_leaving = false;
        set.for_each(|bit| {
            is_leaving = true;
            self.sampled.insert(bit);
        });
        self.leaving += usize::from(is_leaving);
        self.steps += 1;
        if self.steps < length {
            return true;
        }
        let is_first = self.common.is_clear();
        let are_many = self.sampled.count_ones(..) * 2 <= self.sampled.len();
        if are_many && !is_first && self.leaving * SELDOM <= length {
            return false;
        }
        self.lengths = if are_many { rest } else { &[] };
        (self.steps, self.leaving) = (0, 0);
        self.common.clone_from(&self.sampled);
        !self.lengths.is_empty()
    }
}
