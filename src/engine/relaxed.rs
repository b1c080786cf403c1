//! Heuristics for every game, taken from its rules alone: what it would cost if nothing that has been true were ever lost.
//!
//! With deletes relaxed, a fluent that has been true stays true beside being false, and one that has been false stays false. In this
//! easier game every proposition has a cost to become true and a cost to become false: 0 where it is so already, 1 more than what the
//! next state asks for otherwise. [`Measure`] says how the costs of several conditions add up to one.
//!
//! - `hmax`: the dearest condition counts. Never more than the true number of moves in a game of one player: admissible.
//! - `hadd`: all conditions count, as if each had to be reached by itself. Not admissible, mostly nearer to the truth.
//! - `hff`: the moves of one plan of the easier game, found by following the cheapest reasons back from the goal. Not admissible.
//!
//! Source: Bonet and Geffner, *Planning as Heuristic Search*, 2001; Hoffmann and Nebel, *The FF Planning System*, 2001; here carried
//! over from operators to the gates of a network ([`crate::propnet`]), where negations have costs too.

mod costs;
mod plan;

use super::FeatureError;
use crate::game::{Fluent, Heuristic, ReasonError, Reasoner, Utility};
use crate::ground::{GroundBudget, ground};
use crate::propnet::{self, PropnetError};
use crate::rules::{GroundTerm, RuleSet};
use costs::{Costs, Gates, INFINITE};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How the costs of conditions that have to hold together become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The largest.
    Max,
    /// The sum.
    Add,
    /// The moves of a relaxed plan.
    FastForward,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Max, Self::Add, Self::FastForward];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Max => "hmax",
            Self::Add => "hadd",
            Self::FastForward => "hff",
        }
    }

    /// The measure of this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.name() == name)
    }
}

/// A heuristic with deletes relaxed, for one game and one engine.
#[derive(Clone, Debug)]
pub struct Relaxed {
    measure: Measure,
    gates: Gates,
    /// Whether states without a relaxed way to the goal are given up.
    is_strict: bool,
    max: Costs,
    add: Costs,
    /// The facts in canonical order: by their places in the network.
    facts: Vec<GroundTerm>,
    /// The place of each fluent of the engine that has been met; `None` for one that the network does not know.
    indices: FxHashMap<Fluent, Option<u32>>,
    /// A buffer for the fluents of a state.
    fluents: Vec<Fluent>,
}

impl Relaxed {
    /// The heuristic for a game: to a terminal state worth `goal` or more to its first role. Without a goal the best that the rules speak
    /// of is sought, and a state from which even the relaxed game does not lead there is not given up, but estimated as 0.
    ///
    /// # Errors
    /// [`FeatureError::Ground`] where the game cannot be grounded with moderate effort, or somebody sets the flag.
    pub fn new(
        rules: &RuleSet,
        measure: Measure,
        goal: Option<Utility>,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Self, FeatureError> {
        Self::within(rules, measure, goal, &GroundBudget::new().with_interrupt(interrupt))
    }

    /// As [`Relaxed::new`], where grounding may cost so much.
    ///
    /// # Errors
    /// [`FeatureError::Ground`] where the game cannot be grounded within the budget.
    pub fn within(
        rules: &RuleSet,
        measure: Measure,
        goal: Option<Utility>,
        budget: &GroundBudget,
    ) -> Result<Self, FeatureError> {
        let grounding = ground(rules, budget).map_err(PropnetError::from)?;
        let network = propnet::build(&grounding);
        propnet::check_faithful(&grounding, &network)?;
        let gates = Gates::of(&network, goal);
        let costs = Costs::new(&gates);
        Ok(Self {
            measure,
            is_strict: goal.is_some(),
            max: costs.clone(),
            add: costs,
            gates,
            facts: network.fluents.into_iter().map(|fluent| fluent.fact).collect(),
            indices: FxHashMap::default(),
            fluents: Vec::new(),
        })
    }

    /// From now on another engine asks: the numbers of its fluents are its own.
    pub fn change_engine(&mut self) {
        self.indices.clear();
    }

    /// Writes down which fluents of the network hold.
    fn load<R: Reasoner>(&mut self, reasoner: &R, state: &R::State) -> Vec<bool> {
        let mut holds = vec![false; self.facts.len()];
        reasoner.fluents(state, &mut self.fluents);
        for &fluent in &self.fluents {
            let facts = &self.facts;
            let find = || facts.binary_search(&reasoner.fluent_term(fluent)).ok().map(|index| index as u32);
            if let Some(index) = *self.indices.entry(fluent).or_insert_with(find) {
                holds[index as usize] = true;
            }
        }
        holds
    }
}

impl<R: Reasoner> Heuristic<R> for Relaxed {
    fn estimate(&mut self, reasoner: &mut R, state: &R::State) -> Result<Option<u64>, ReasonError> {
        let holds = self.load(reasoner, state);
        if self.measure != Measure::Add {
            self.max.compute(&self.gates, &holds, u32::max);
        }
        if self.measure != Measure::Max {
            self.add.compute(&self.gates, &holds, u32::saturating_add);
        }
        let cost = match self.measure {
            Measure::Max => self.max.goal(&self.gates),
            Measure::Add | Measure::FastForward => self.add.goal(&self.gates),
        };
        if cost == INFINITE {
            return Ok(if self.is_strict { None } else { Some(0) });
        }
        Ok(Some(match self.measure {
            Measure::Max | Measure::Add => u64::from(cost),
            Measure::FastForward => plan::moves(&self.gates, &self.max, &self.add),
        }))
    }
}
