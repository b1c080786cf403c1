//! Fluents that tell nothing but how many moves have been made: counters of moves.
//!
//! A fluent is taken for a clock if random lines show it at some depths and not at others, and at each depth in all lines or in none.
//! All states that are reached later are held against that: at each depth the clocks that hold must be the same. A fluent for which
//! they are not is a clock no more.

use crate::game::chance::below;
use crate::game::{Fluent, ReasonError, Reasoner};
use crate::search::budget::Meter;
use crate::search::outcome::Halt;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The clocks of a search.
pub(super) struct Clocks {
    clocks: FxHashSet<Fluent>,
    /// The clocks that hold at each depth, as far as states have been reached; each list is sorted.
    at: Vec<Option<Vec<Fluent>>>,
    /// Buffers for the fluents of a state, and for the clocks among them.
    fluents: Vec<Fluent>,
    holding: Vec<Fluent>,
}

/// Whether a state agrees with what is known of the clocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Checked {
    /// It does.
    Agrees,
    /// It does not; the fluents in question are clocks no more, and keys mean something else from now on.
    Refuted,
}

impl Clocks {
    /// How many random lines are played, and how long they may be.
    const LINES: usize = 8;
    const LONGEST: usize = 200;

    /// No clocks.
    pub(super) fn none() -> Self {
        Self { clocks: FxHashSet::default(), at: Vec::new(), fluents: Vec::new(), holding: Vec::new() }
    }

    /// What random lines from a state on suggest.
    pub(super) fn learn<R: Reasoner>(
        reasoner: &mut R,
        state: &R::State,
        seed: u64,
        meter: &Meter<'_>,
    ) -> Result<Self, Halt> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut lines: Vec<Vec<BTreeSet<Fluent>>> = Vec::new();
        for _ in 0..Self::LINES {
            let (mut state, mut line) = (state.clone(), Vec::new());
            for _ in 0..Self::LONGEST {
                let mut fluents = Vec::new();
                reasoner.fluents(&state, &mut fluents);
                line.push(fluents.into_iter().collect());
                meter.pause()?;
                match reasoner.random_step(&mut state, &mut |count| below(&mut random, count)) {
                    Ok(true) => {}
                    Err(error @ (ReasonError::Interrupted | ReasonError::Limit { .. })) => return Err(error.into()),
                    // The line ends, or the rules have no answer there, which the search finds out if it comes there.
                    Ok(false) | Err(_) => break,
                }
            }
            lines.push(line);
        }
        Ok(Self { clocks: clocks_of(&lines), ..Self::none() })
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.clocks.is_empty()
    }

    /// Gives all up.
    pub(super) fn clear(&mut self) {
        self.clocks.clear();
    }

    /// Depths are counted anew.
    pub(super) fn begin(&mut self) {
        self.at.clear();
    }

    /// A hash of 128 bits of what holds in a state beside clocks; with the number of moves from the first state.
    pub(super) fn key<R: Reasoner>(&mut self, reasoner: &R, state: &R::State, depth: u32) -> (u128, Checked) {
        reasoner.fluents(state, &mut self.fluents);
        self.holding.clear();
        let mut key = 0;
        for &fluent in &self.fluents {
            if self.clocks.contains(&fluent) {
                self.holding.push(fluent);
            } else {
                key = mix(key, fluent);
            }
        }
        if self.clocks.is_empty() {
            return (key, Checked::Agrees);
        }
        let depth = depth as usize;
        if self.at.len() <= depth {
            self.at.resize(depth + 1, None);
        }
        match &self.at[depth] {
            Some(known) if *known != self.holding => {
                let differ = |fluent: &&Fluent| known.contains(fluent) != self.holding.contains(fluent);
                for fluent in known.iter().chain(&self.holding).filter(differ) {
                    self.clocks.remove(fluent);
                }
                return (key, Checked::Refuted);
            }
            Some(_) => {}
            none => {
                debug_assert!(none.is_none());
                self.at[depth] = Some(self.holding.clone());
            }
        }
        (key, Checked::Agrees)
    }
}

/// Fluents that hold at some depths and not at others, and at each depth in all lines that are so long or in none.
fn clocks_of(lines: &[Vec<BTreeSet<Fluent>>]) -> FxHashSet<Fluent> {
    let (mut seen, mut always): (BTreeSet<Fluent>, Option<BTreeSet<Fluent>>) = (BTreeSet::new(), None);
    let mut differing = BTreeSet::new();
    let longest = lines.iter().map(Vec::len).max().unwrap_or(0);
    for depth in 0..longest {
        let mut states = lines.iter().filter_map(|line| line.get(depth));
        let Some(first) = states.next() else { continue };
        for state in states {
            differing.extend(first.symmetric_difference(state).copied());
        }
        for state in lines.iter().filter_map(|line| line.get(depth)) {
            seen.extend(state);
            always = Some(always.map_or_else(|| state.clone(), |always| always.intersection(state).copied().collect()));
        }
    }
    let always = always.unwrap_or_default();
    seen.into_iter().filter(|fluent| !differing.contains(fluent) && !always.contains(fluent)).collect()
}

/// A hash of 128 bits, continued by a fluent.
fn mix(key: u128, fluent: Fluent) -> u128 {
    const FIRST: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    const SECOND: u128 = 0xda94_2042_e4dd_58b5_6c8e_9cf5_7093_2bd5;
    let mixed = (key ^ (fluent.index() as u128 + 1).wrapping_mul(SECOND)).wrapping_mul(FIRST);
    mixed ^ (mixed >> 67)
}
