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

use crate::ground::{GroundBudget, ground};
use crate::propnet::PropnetError;
use crate::{FeatureError, propnet};
use conditions::{ConditionKind, Gates, RelaxedConditions};
use gdl::number::to_u32;
use gdl::rules::{GroundTerm, RuleSet};
use ggp_game::{Fluent, Heuristic, ReasonError, Reasoner, Utility};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A way to combine the costs of conditions that have to hold together.
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
    /// True if a state from which no relaxed plan reaches the goal is estimated as unsolvable, and not as 0.
    is_strict: bool,
    narrow: CostTables<i16>,
    wide: CostTables<u32>,
    planner: RelaxedPlanner,
    /// The facts of the network in canonical order, by the indices of their fluents.
    facts: Vec<GroundTerm>,
    /// The translation from the fluents of the engine; `None` before the first state.
    translation: Option<FluentTranslation>,
    /// For each state of a block, the fluents of the network that hold.
    holding: [Vec<u32>; LANES],
    /// Scratch: the fluents of a state.
    scratch: Vec<Fluent>,
}

/// The translation of fluents of an engine to those of the network. An engine may leave out facts that hold in every
/// state, and may have one fluent for several facts that always hold together.
#[derive(Clone, Debug)]
struct FluentTranslation {
    /// For each fluent of the engine, the fluents of the network that hold with it.
    holding: Vec<Vec<u32>>,
    /// The fluents of the network that hold in every state and have no fluent in the engine.
    permanent: Vec<u32>,
}

impl FluentTranslation {
    /// Finds the fluents of the facts of the network, which are given in the order of their indices. `state` is any
    /// state of the engine: a fact without a fluent that holds there holds in every state.
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

    /// Replaces the contents of `found` by the fluents of the network that hold if these fluents of the engine do.
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
        let gates = Gates::from_network(&network, goal);
        let conditions = RelaxedConditions::from_gates(&gates, measure == Measure::FastForward);
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

    /// Forgets the translation, because states of another engine follow, which numbers its fluents in another way.
    pub fn change_engine(&mut self) {
        self.translation = None;
    }

    /// Finds the fluents of the network that hold in the states of a block. Lanes without a state repeat the first.
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

    /// Estimates at most [`LANES`] states.
    fn block<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        states: &[R::State],
    ) -> Result<[Option<u64>; LANES], ReasonError> {
        self.load(reasoner, states)?;
        Ok(self.costs(states.len()))
    }

    /// The estimates of the first `states` lanes of the loaded block. Not generic, so that it is compiled once here and
    /// not for each reasoner.
    fn costs(&mut self, states: usize) -> [Option<u64>; LANES] {
        let conditions = &self.conditions;
        let planner = &mut self.planner;
        let mut costs = [None; LANES];
        // Narrow costs overflow to infinite ones. If a gate counts as free, an overflow behind it would not be seen.
        if !conditions.has_free {
            costs = self.narrow.goals(self.measure, conditions, planner, &self.holding, states);
        }
        // An infinite cost may be one that 16 bits cannot represent.
        if costs[..states].contains(&None) {
            costs = self.wide.goals(self.measure, conditions, planner, &self.holding, states);
        }
        let unsolvable = if self.is_strict { None } else { Some(0) };
        costs.map(|cost| cost.or(unsolvable))
    }
}

/// The costs that the measures need, in numbers of one width.
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
            self.max.compute(conditions, holding, A::max);
        }
        if measure != Measure::Max {
            self.add.compute(conditions, holding, A::plus);
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

/// The number of states of a block.
const LANES: usize = 8;

/// A number for costs.
trait Amount: Copy + Ord {
    const ZERO: Self;
    const ONE: Self;
    /// The cost of a condition that cannot hold, or whose cost is too large for the number.
    const INFINITE: Self;

    /// The sum, at most [`Amount::INFINITE`].
    fn plus(self, other: Self) -> Self;

    /// The cost as 32 bits.
    fn wide(self) -> u32;
}

/// Signed, because x86-64 without extensions compares only signed 16-bit numbers in vectors.
impl Amount for i16 {
    const ZERO: Self = 0;
    const ONE: Self = 1;
    const INFINITE: Self = Self::MAX;

    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }

    fn wide(self) -> u32 {
        if self == Self::INFINITE { u32::INFINITE } else { u32::from(self.unsigned_abs()) }
    }
}

impl Amount for u32 {
    const ZERO: Self = 0;
    const ONE: Self = 1;
    const INFINITE: Self = Self::MAX;

    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }

    fn wide(self) -> u32 {
        self
    }
}

/// The costs of all conditions in the states of a block. The costs of one condition in all states are adjacent, so that
/// the compiler combines them with vector instructions. Costs of 16 bits saturate; a goal that is infinite there is
/// computed again with 32 bits.
#[derive(Clone, Debug)]
struct Costs<A> {
    /// The costs in each state, by condition.
    rows: Vec<[A; LANES]>,
    /// The costs at the start if no fluent holds.
    blank: Vec<[A; LANES]>,
}

impl<A: Amount> Costs<A> {
    /// Costs of these conditions, not computed yet.
    fn new(conditions: &RelaxedConditions) -> Self {
        let mut blank = vec![[A::INFINITE; LANES]; conditions.len()];
        for (condition, row) in blank.iter_mut().enumerate() {
            if conditions.kind(to_u32(condition)) == ConditionKind::Free {
                *row = [A::ZERO; LANES];
            }
        }
        for condition in conditions.fluents.iter().filter_map(|&[_, to_false]| to_false) {
            blank[condition as usize] = [A::ZERO; LANES];
        }
        Self { rows: blank.clone(), blank }
    }

    /// The cost of a condition in a state of the block.
    fn get(&self, condition: u32, lane: usize) -> A {
        self.rows[condition as usize][lane]
    }

    /// Computes all costs for states in which the given fluents of the network hold. `combine` gives the cost of
    /// conditions that have to hold together. Passes go over all conditions until no cost falls (Bellman-Ford
    /// iteration).
    fn compute(
        &mut self,
        conditions: &RelaxedConditions,
        states: &[Vec<u32>; LANES],
        combine: impl Fn(A, A) -> A + Copy,
    ) {
        self.rows.copy_from_slice(&self.blank);
        for (lane, holding) in states.iter().enumerate() {
            for &fluent in holding {
                let [to_true, to_false] = conditions.fluents[fluent as usize];
                to_true.into_iter().for_each(|condition| self.rows[condition as usize][lane] = A::ZERO);
                to_false.into_iter().for_each(|condition| self.rows[condition as usize][lane] = A::INFINITE);
            }
        }
        let all = to_u32(self.rows.len());
        // Only the goal reads the last conditions, so they are computed once the costs of fluents are final.
        for range in [0..conditions.last, conditions.last..all] {
            while self.pass(conditions, range.clone(), combine) {}
        }
    }

    /// Computes the cost of each condition of a range once from those of its members. Returns true if a cost has
    /// fallen.
    fn pass(&mut self, conditions: &RelaxedConditions, range: Range<u32>, combine: impl Fn(A, A) -> A + Copy) -> bool {
        let mut fallen = [false; LANES];
        for condition in range {
            let mut least = [A::INFINITE; LANES];
            for members in conditions.alternatives(condition) {
                let row = self.together(members, combine);
                (0..LANES).for_each(|lane| least[lane] = least[lane].min(row[lane]));
            }
            if conditions.kind(condition) == ConditionKind::Fluent {
                least = least.map(|cost| cost.plus(A::ONE));
            }
            let row = &mut self.rows[condition as usize];
            for lane in 0..LANES {
                fallen[lane] |= least[lane] < row[lane];
                row[lane] = row[lane].min(least[lane]);
            }
        }
        fallen.contains(&true)
    }

    /// The costs of conditions that have to hold together.
    fn together(&self, members: &[u32], combine: impl Fn(A, A) -> A) -> [A; LANES] {
        let mut row = [A::ZERO; LANES];
        for &member in members {
            let other = &self.rows[member as usize];
            (0..LANES).for_each(|lane| row[lane] = combine(row[lane], other[lane]));
        }
        row
    }
}

/// Scratch memory for plans.
#[derive(Clone, Debug, Default)]
struct RelaxedPlanner {
    /// The moves of the plan, each with the time at which its effect is needed; [`ANY_MOVE`] if any move will do.
    steps: Vec<(u32, u32)>,
    /// The fluents that have to change and whose reasons have not been followed.
    changes: Vec<u32>,
    /// The conditions of a state whose reasons have not been followed.
    stack: Vec<u32>,
    /// The number of the last transition, over all plans, that reached each condition; for a fluent, that of the plan.
    /// So nothing has to be reset between plans.
    met: Vec<u64>,
    count: u64,
}

const ANY_MOVE: u32 = u32::MAX;

/// The costs of one state, by which a plan is found.
struct Reasons<'a, A> {
    conditions: &'a RelaxedConditions,
    /// The costs as sums, by which the cheapest reason is chosen.
    sums: &'a Costs<A>,
    lane: usize,
}

impl<A: Amount> Reasons<'_, A> {
    /// The first of the cheapest alternatives of a condition.
    fn cheapest(&self, condition: u32) -> &[u32] {
        let cost =
            |members: &&[u32]| members.iter().fold(A::ZERO, |sum, &member| sum.plus(self.sums.get(member, self.lane)));
        let mut alternatives = self.conditions.alternatives(condition);
        let cheapest = if alternatives.len() > 1 { alternatives.min_by_key(cost) } else { alternatives.next() };
        cheapest.unwrap_or_default()
    }
}

impl RelaxedPlanner {
    fn new(conditions: &RelaxedConditions) -> Self {
        Self { met: vec![0; conditions.len()], ..Self::default() }
    }

    /// The number of moves of a relaxed plan in one state of a block: the moves on the way back from the goal along the
    /// cheapest reasons. Reasons are chosen by `sums`; two reasons that need the same move at the same time (`times`,
    /// the costs as maxima) share it. A change that needs no move, only time, also counts as one move.
    fn moves<A: Amount>(
        &mut self,
        conditions: &RelaxedConditions,
        times: &Costs<A>,
        sums: &Costs<A>,
        lane: usize,
    ) -> u64 {
        let reasons = Reasons { conditions, sums, lane };
        self.steps.clear();
        self.count += 1;
        let plan = self.count;
        self.stack.push(conditions.goal);
        self.transition(&reasons, 0, plan);
        while let Some(change) = self.changes.pop() {
            let time = times.get(change, lane).wide();
            self.stack.extend_from_slice(reasons.cheapest(change));
            if !self.transition(&reasons, time, plan) {
                self.steps.push((ANY_MOVE, time));
            }
        }
        self.steps.sort_unstable();
        self.steps.dedup();
        self.steps.len() as u64
    }

    /// Follows the reasons of the conditions on the stack through one state, down to its fluents and moves. Returns
    /// true if a move was among them.
    fn transition<A: Amount>(&mut self, reasons: &Reasons<'_, A>, time: u32, plan: u64) -> bool {
        let mut is_move = false;
        self.count += 1;
        let transition = self.count;
        while let Some(condition) = self.stack.pop() {
            let met = &mut self.met[condition as usize];
            let kind = reasons.conditions.kind(condition);
            if kind == ConditionKind::Fluent {
                if *met < plan && reasons.sums.get(condition, reasons.lane) > A::ZERO {
                    *met = plan;
                    self.changes.push(condition);
                }
                continue;
            }
            if std::mem::replace(met, transition) == transition {
                continue;
            }
            if let ConditionKind::Move(chosen) = kind {
                self.steps.push((chosen, time));
                is_move = true;
            }
            self.stack.extend_from_slice(reasons.cheapest(condition));
        }
        is_move
    }
}
