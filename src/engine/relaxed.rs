//! Heuristics for every game, computed from its rules: the cost in a relaxed game in which nothing that has been true
//! is ever lost.
//!
//! In the relaxed game (without deletes) a fluent that has been true can also count as true later, and one that has
//! been false as false. Every proposition therefore has a cost to become true and a cost to become false: 0 if it is so
//! already, otherwise 1 more than the cost of the conditions in the state before. [`Measure`] says how the costs of
//! several conditions are combined.
//!
//! - `hmax`: the greatest cost of a condition. It never exceeds the true number of moves in a game of one player:
//!   admissible.
//! - `hadd`: the sum, as if each condition had to be reached separately. Not admissible, usually more accurate.
//! - `hff`: the number of moves of one plan of the relaxed game, found by following the cheapest reasons back from the
//!   goal. Not admissible.
//!
//! Source: Bonet and Geffner, *Planning as Heuristic Search*, 2001; Hoffmann and Nebel, *The FF Planning System*, 2001;
//! here carried over from operators to the gates of a network ([`crate::propnet`]), where negations have costs too.

mod costs;
mod plan;

use super::FeatureError;
use crate::game::{Fluent, Heuristic, ReasonError, Reasoner, Utility};
use crate::ground::{GroundBudget, ground};
use crate::number::to_u32;
use crate::propnet::{self, PropnetError};
use crate::rules::{GroundTerm, RuleSet};
use costs::{Costs, Gates, INFINITE};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How the costs of conditions that have to hold together are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The greatest cost of a condition: hmax.
    Max,
    /// The sum of the costs: hadd.
    Add,
    /// The moves of a relaxed plan: hff.
    FastForward,
}

impl Measure {
    /// All measures, in the order of the documentation.
    pub const ALL: [Self; 3] = [Self::Max, Self::Add, Self::FastForward];

    /// The name in commands: `hmax`, `hadd` or `hff`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Max => "hmax",
            Self::Add => "hadd",
            Self::FastForward => "hff",
        }
    }

    /// The measure of this name.
    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.name() == name)
    }
}

/// A relaxed heuristic for one game and one engine.
#[derive(Clone, Debug)]
pub struct Relaxed {
    measure: Measure,
    gates: Gates,
    /// Whether a state from which no relaxed plan reaches the goal is estimated as unsolvable.
    is_strict: bool,
    max: Costs,
    add: Costs,
    /// The facts of the network in canonical order, by their indices there.
    facts: Vec<GroundTerm>,
    /// The index of each fluent of the engine that has been met; `None` for one that the network does not have.
    indices: FxHashMap<Fluent, Option<u32>>,
    /// A buffer for the fluents of a state.
    fluents: Vec<Fluent>,
}

impl Relaxed {
    /// The heuristic for reaching a terminal state worth `goal` or more for the first role. Without `goal` the greatest
    /// goal value in the rules is the goal, and a state from which the relaxed game does not reach it is estimated as
    /// 0, not as unsolvable.
    ///
    /// # Errors
    /// [`FeatureError::Ground`] if the game cannot be grounded within the default budget, or the flag is set.
    pub fn new(
        rules: &RuleSet,
        measure: Measure,
        goal: Option<Utility>,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Self, FeatureError> {
        Self::within(rules, measure, goal, &GroundBudget::new().with_interrupt(interrupt))
    }

    /// As [`Relaxed::new`], with a budget for grounding.
    ///
    /// # Errors
    /// [`FeatureError::Ground`] if the game cannot be grounded within the budget.
    pub(crate) fn within(
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

    /// Prepares for states of another engine, which has its own numbers of fluents.
    pub(crate) fn change_engine(&mut self) {
        self.indices.clear();
    }

    /// Whether each fluent of the network holds in a state.
    fn load<R: Reasoner>(&mut self, reasoner: &R, state: &R::State) -> Vec<bool> {
        let mut holds = vec![false; self.facts.len()];
        reasoner.fluents(state, &mut self.fluents);
        for &fluent in &self.fluents {
            let facts = &self.facts;
            let find = || facts.binary_search(&reasoner.fluent_term(fluent)).ok().map(|index| to_u32(index));
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
