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

mod conditions;
mod costs;
mod gates;
mod plan;

use super::FeatureError;
use crate::ground::{GroundBudget, ground};
use crate::propnet::{self, PropnetError};
use conditions::{Purpose, RelaxedConditions};
use costs::{Amount, Costs, GreatestCost, LANES, Sum};
use gates::Gates;
use gdl::rules::{GroundTerm, RuleSet};
use ggp_game::{Fluent, Heuristic, ReasonError, Reasoner, Utility};
use plan::RelaxedPlanner;
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

/// A relaxed heuristic for one game and one engine.
#[derive(Clone, Debug)]
pub struct RelaxedHeuristic {
    measure: Measure,
    conditions: RelaxedConditions,
    /// Whether a state from which no relaxed plan reaches the goal is estimated as unsolvable.
    is_strict: bool,
    narrow: CostTables<i16>,
    wide: CostTables<u32>,
    planner: RelaxedPlanner,
    /// The facts of the network in canonical order, by their indices there.
    facts: Vec<GroundTerm>,
    /// How the fluents of the engine are those of the network; `None` before the first state.
    translation: Option<FluentTranslation>,
    /// For each state of a block the fluents of the network that hold.
    holding: [Vec<u32>; LANES],
    /// Scratch: the fluents of a state.
    scratch: Vec<Fluent>,
}

/// What the fluents of an engine say of those of the network. An engine may leave out what holds in every state, and may
/// have one fluent for several facts that always hold together.
#[derive(Clone, Debug)]
struct FluentTranslation {
    /// For each fluent of the engine the fluents of the network that hold with it.
    holding: Vec<Vec<u32>>,
    /// The fluents of the network that hold in every state and have no fluent in the engine.
    permanent: Vec<u32>,
}

impl FluentTranslation {
    /// Finds the fluents of these facts, which are those of the network in their order. `state` is any state of the
    /// engine.
    ///
    /// # Errors
    /// If the engine meets a limit.
    fn new<R: Reasoner>(facts: &[GroundTerm], reasoner: &mut R, state: &R::State) -> Result<Self, ReasonError> {
        let mut holding = Vec::<Vec<u32>>::new();
        let mut permanent = Vec::new();
        let here = reasoner.facts(state);
        for (index, fact) in (0..).zip(facts) {
            match reasoner.find_fluent(fact)? {
                Some(fluent) => {
                    let length = holding.len().max(fluent.index() + 1);
                    holding.resize(length, Vec::new());
                    holding[fluent.index()].push(index);
                }
                None if here.binary_search(fact).is_ok() => permanent.push(index),
                None => {}
            }
        }
        Ok(Self { holding, permanent })
    }

    /// Replaces the contents of `found` by what holds with these fluents.
    fn translate(&self, fluents: &[Fluent], found: &mut Vec<u32>) {
        found.clear();
        found.extend(&self.permanent);
        found.extend(fluents.iter().filter_map(|fluent| self.holding.get(fluent.index())).flatten());
    }
}

impl RelaxedHeuristic {
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

    /// As [`RelaxedHeuristic::new`], with a budget for grounding.
    ///
    /// # Errors
    /// [`FeatureError::Ground`] if the game cannot be grounded within the budget.
    pub fn within(
        rules: &RuleSet,
        measure: Measure,
        goal: Option<Utility>,
        budget: &GroundBudget,
    ) -> Result<Self, FeatureError> {
        let grounding = ground(rules, budget).map_err(PropnetError::from)?;
        let network = propnet::build(&grounding, &budget.work())?;
        let purpose = if measure == Measure::FastForward { Purpose::Plan } else { Purpose::Costs };
        let conditions = RelaxedConditions::from_gates(&Gates::from_network(&network, goal), purpose);
        Ok(Self {
            measure,
            is_strict: goal.is_some(),
            narrow: CostTables::new(&conditions),
            wide: CostTables::new(&conditions),
            planner: RelaxedPlanner::new(&conditions),
            conditions,
            facts: network.fluents.into_iter().map(|fluent| fluent.fact).collect(),
            translation: None,
            holding: Default::default(),
            scratch: Vec::new(),
        })
    }

    /// Prepares for states of another engine, which has its own numbers of fluents.
    pub fn change_engine(&mut self) {
        self.translation = None;
    }

    /// Finds the fluents of the network that hold in the states of a block; lanes without a state repeat the first.
    fn load<R: Reasoner>(&mut self, reasoner: &mut R, states: &[R::State]) -> Result<(), ReasonError> {
        let translation = match &mut self.translation {
            Some(translation) => translation,
            none => none.insert(FluentTranslation::new(&self.facts, reasoner, &states[0])?),
        };
        for (state, holding) in states.iter().zip(&mut self.holding) {
            reasoner.fluents(state, &mut self.scratch);
            translation.translate(&self.scratch, holding);
        }
        let (first, others) = self.holding.split_first_mut().expect("a block has lanes");
        others.iter_mut().skip(states.len() - 1).for_each(|lane| lane.clone_from(first));
        Ok(())
    }

    /// Estimates as many states as a block has, or fewer.
    fn block<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        states: &[R::State],
    ) -> Result<[Option<u64>; LANES], ReasonError> {
        self.load(reasoner, states)?;
        Ok(self.costs(states.len()))
    }

    /// The estimates of the first `states` lanes of the block that is loaded. It is compiled here, once, and not for each
    /// reasoner where that is used.
    fn costs(&mut self, states: usize) -> [Option<u64>; LANES] {
        let conditions = &self.conditions;
        let planner = &mut self.planner;
        let mut costs = [None; LANES];
        // Narrow costs overflow to infinite ones. If a gate counts as free, an overflow behind it would not be seen.
        if !conditions.has_free {
            costs = self.narrow.goals(self.measure, conditions, planner, &self.holding, states);
        }
        if costs[..states].contains(&None) {
            costs = self.wide.goals(self.measure, conditions, planner, &self.holding, states);
        }
        let unsolvable = if self.is_strict { None } else { Some(0) };
        costs.map(|cost| cost.or(unsolvable))
    }
}

/// The costs that a measure needs.
#[derive(Clone, Debug)]
struct CostTables<A> {
    max: Costs<A>,
    add: Costs<A>,
}

impl<A: Amount> CostTables<A> {
    fn new(conditions: &RelaxedConditions) -> Self {
        let costs = Costs::new(conditions);
        Self { max: costs.clone(), add: costs }
    }

    /// The measure of the goal in each of the first `states` lanes of a block; `None` if its cost is infinite.
    fn goals(
        &mut self,
        measure: Measure,
        conditions: &RelaxedConditions,
        planner: &mut RelaxedPlanner,
        holding: &[Vec<u32>; LANES],
        states: usize,
    ) -> [Option<u64>; LANES] {
        if measure != Measure::Add {
            self.max.compute::<GreatestCost>(conditions, holding);
        }
        if measure != Measure::Max {
            self.add.compute::<Sum>(conditions, holding);
        }
        let costs = if measure == Measure::Max { &self.max } else { &self.add };
        std::array::from_fn(|lane| {
            let cost = costs.get(conditions.goal, lane);
            (lane < states && cost != A::INFINITE).then(|| match measure {
                Measure::Max | Measure::Add => u64::from(cost.wide()),
                Measure::FastForward => planner.moves(conditions, &self.max, &self.add, lane),
            })
        })
    }
}

impl<R: Reasoner> Heuristic<R> for RelaxedHeuristic {
    fn estimate(&mut self, reasoner: &mut R, state: &R::State) -> Result<Option<u64>, ReasonError> {
        Ok(self.block(reasoner, std::slice::from_ref(state))?[0])
    }

    fn estimate_all(
        &mut self,
        reasoner: &mut R,
        states: &[R::State],
        estimates: &mut Vec<Result<Option<u64>, ReasonError>>,
    ) {
        estimates.clear();
        for block in states.chunks(LANES) {
            match self.block(reasoner, block) {
                Ok(found) => estimates.extend(found.into_iter().take(block.len()).map(Ok)),
                Err(error) => estimates.extend(block.iter().map(|_| Err(error.clone()))),
            }
        }
    }
}
