//! Clocks: fluents that only tell how many moves have been made, such as counters of moves.
//!
//! A fluent is taken for a clock if random lines show it at some depths and not at others, and at each depth in all
//! lines or in none. Every state that is reached later is checked against that: at each depth the same clocks must
//! hold. A fluent that fails this check is no longer a clock.

use crate::budget::Meter;
use crate::outcome::Halt;
use ggp_game::{Chance, Fluent, ReasonError, Reasoner};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The clocks of a search.
pub(super) struct ClockFluents {
    clocks: FxHashSet<Fluent>,
    /// The clocks that hold at each depth that has been reached, each list sorted.
    at: Vec<Option<Vec<Fluent>>>,
    /// Buffers for the fluents of a state, and for the clocks among them.
    fluents: Vec<Fluent>,
    holding: Vec<Fluent>,
}

/// Whether a state agrees with the known clocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ClockCheck {
    /// The state holds the clocks of its depth.
    Agrees,
    /// It does not; the fluents that differ are no longer clocks, and earlier keys are invalid.
    Refuted,
}

impl ClockFluents {
    /// The number of random lines, and their greatest length in joint moves.
    const LINES: usize = 8;
    const LONGEST: usize = 200;

    pub(super) fn none() -> Self {
        Self { clocks: FxHashSet::default(), at: Vec::new(), fluents: Vec::new(), holding: Vec::new() }
    }

    /// The clocks that random lines from a state suggest.
    pub(super) fn learn<R: Reasoner>(
        reasoner: &mut R,
        state: &R::State,
        seed: u64,
        meter: &Meter<'_>,
    ) -> Result<Self, Halt> {
        let mut random = Chance::new(seed);
        let mut lines: Vec<Vec<BTreeSet<Fluent>>> = Vec::new();
        for _ in 0..Self::LINES {
            let mut state = state.clone();
            let mut line = Vec::new();
            for _ in 0..Self::LONGEST {
                let mut fluents = Vec::new();
                reasoner.fluents(&state, &mut fluents);
                line.push(fluents.into_iter().collect());
                meter.pause()?;
                match reasoner.random_step(&mut state, &mut |count| random.below(count)) {
                    Ok(true) => {}
                    Err(error @ ReasonError::Stopped(_)) => return Err(error.into()),
                    // The line ends, or the rules give no answer there; the search will report that if it gets there.
                    Ok(false) | Err(_) => break,
                }
            }
            lines.push(line);
        }
        Ok(Self { clocks: clocks_of(&lines), ..Self::none() })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.clocks.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.clocks.clear();
    }

    /// Forgets which clocks hold at which depth, for a search that counts depths from a new first state.
    pub(super) fn begin(&mut self) {
        self.at.clear();
    }

    /// A 128-bit hash of the fluents of a state that are not clocks, and whether its clocks agree with others at
    /// `depth`, the number of moves from the first state.
    pub(super) fn key<R: Reasoner>(&mut self, reasoner: &R, state: &R::State, depth: u32) -> (u128, ClockCheck) {
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
            return (key, ClockCheck::Agrees);
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
                return (key, ClockCheck::Refuted);
            }
            Some(_) => {}
            none => {
                debug_assert!(none.is_none());
                self.at[depth] = Some(self.holding.clone());
            }
        }
        (key, ClockCheck::Agrees)
    }
}

/// The fluents that hold at some depths and not at others, and at each depth in all lines of at least that length or in
/// none.
fn clocks_of(lines: &[Vec<BTreeSet<Fluent>>]) -> FxHashSet<Fluent> {
    let mut seen: BTreeSet<Fluent> = BTreeSet::new();
    let mut always: Option<BTreeSet<Fluent>> = None;
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

/// Extends a 128-bit hash by a fluent.
fn mix(key: u128, fluent: Fluent) -> u128 {
    const FIRST: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    const SECOND: u128 = 0xda94_2042_e4dd_58b5_6c8e_9cf5_7093_2bd5;
    let mixed = (key ^ (fluent.index() as u128 + 1).wrapping_mul(SECOND)).wrapping_mul(FIRST);
    mixed ^ (mixed >> 67)
}
