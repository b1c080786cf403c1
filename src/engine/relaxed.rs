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
use crate::game::{Fluent, Heuristic, ReasonError, Reasoner, Utility};
use crate::ground::{GroundBudget, ground};
use crate::number::to_u32;
use crate::propnet::{self, PropnetError};
use crate::rules::{GroundTerm, RuleSet};
use crate::sorting;
use conditions::{Purpose, RelaxedConditions};
use costs::{Amount, Costs, GreatestCost, LANES, Sum};
use gates::Gates;
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
    /// What is known of the fluents of the engine, by their numbers.
    fluents: Vec<FluentIndex>,
    /// The fluents of the network that hold in every state, if the engine does not name them; `None` before the first
    /// state.
    permanent: Option<Vec<u32>>,
    /// For each state of a block the fluents of the network that hold.
    holding: [Vec<u32>; LANES],
    /// Scratch: the fluents of a state.
    scratch: Vec<Fluent>,
}

/// What is known of a fluent of the engine.
#[derive(Clone, Copy, Debug)]
enum FluentIndex {
    /// It has not been met yet.
    Nothing,
    /// The network does not have it.
    Foreign,
    /// Its index in the network.
    Index(u32),
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
    pub(crate) fn within(
        rules: &RuleSet,
        measure: Measure,
        goal: Option<Utility>,
        budget: &GroundBudget,
    ) -> Result<Self, FeatureError> {
        let grounding = ground(rules, budget).map_err(PropnetError::from)?;
        let network = propnet::build(&grounding);
        propnet::check_faithful(&grounding, &network)?;
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
            fluents: Vec::new(),
            permanent: None,
            holding: Default::default(),
            scratch: Vec::new(),
        })
    }

    /// Prepares for states of another engine, which has its own numbers of fluents.
    pub(crate) fn change_engine(&mut self) {
        self.fluents.clear();
        self.permanent = None;
    }

    /// What holds in a state though it is no fluent of its engine: an engine may leave out what holds in every state.
    fn permanent<R: Reasoner>(&self, reasoner: &R, state: &R::State) -> Vec<u32> {
        let mut fluents = Vec::new();
        reasoner.fluents(state, &mut fluents);
        let mut known: Vec<GroundTerm> = fluents.into_iter().map(|fluent| reasoner.fluent_term(fluent)).collect();
        sorting::sort(&mut known);
        let facts = reasoner.facts(state).into_iter().filter(|fact| known.binary_search(fact).is_err());
        facts.filter_map(|fact| self.facts.binary_search(&fact).ok()).map(to_u32).collect()
    }

    /// Finds the fluents of the network that hold in the states of a block; lanes without a state repeat the first.
    fn load<R: Reasoner>(&mut self, reasoner: &R, states: &[R::State]) {
        if self.permanent.is_none() {
            self.permanent = states.first().map(|state| self.permanent(reasoner, state));
        }
        for (lane, state) in states.iter().enumerate() {
            reasoner.fluents(state, &mut self.scratch);
            self.holding[lane].clear();
            self.holding[lane].extend(self.permanent.iter().flatten());
            for &fluent in &self.scratch {
                if self.fluents.len() <= fluent.index() {
                    self.fluents.resize(fluent.index() + 1, FluentIndex::Nothing);
                }
                let known = &mut self.fluents[fluent.index()];
                if let FluentIndex::Nothing = known {
                    let index = self.facts.binary_search(&reasoner.fluent_term(fluent));
                    *known = index.map_or(FluentIndex::Foreign, |index| FluentIndex::Index(to_u32(index)));
                }
                if let FluentIndex::Index(index) = *known {
                    self.holding[lane].push(index);
                }
            }
        }
        let (first, others) = self.holding.split_first_mut().expect("a block has lanes");
        others.iter_mut().skip(states.len() - 1).for_each(|lane| lane.clone_from(first));
    }

    /// Estimates as many states as a block has, or fewer.
    fn block<R: Reasoner>(&mut self, reasoner: &R, states: &[R::State]) -> [Option<u64>; LANES] {
        self.load(reasoner, states);
        let (conditions, planner) = (&self.conditions, &mut self.planner);
        let mut costs = [None; LANES];
        // Narrow costs overflow to infinite ones. If a gate counts as free, an overflow behind it would not be seen.
        if !conditions.has_free {
            costs = self.narrow.goals(self.measure, conditions, planner, &self.holding, states.len());
        }
        if costs[..states.len()].contains(&None) {
            costs = self.wide.goals(self.measure, conditions, planner, &self.holding, states.len());
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
        Ok(self.block(reasoner, std::slice::from_ref(state))[0])
    }

    fn estimate_all(
        &mut self,
        reasoner: &mut R,
        states: &[R::State],
        estimates: &mut Vec<Result<Option<u64>, ReasonError>>,
    ) {
        estimates.clear();
        for block in states.chunks(LANES) {
            let found = self.block(reasoner, block);
            estimates.extend(found.into_iter().take(block.len()).map(Ok));
        }
    }
}
