//! All states below a state, each once, with the joint moves between them, as [`super::tree()`] and [`super::perft()`]
//! count them.
//!
//! States are found breadth first and numbered in that order, so a state with a greater number is at least as far from
//! the first state.

use super::layers::EngineStates;
use super::layers::KeyedStates;
use super::layers::{ExplorationEnd, StateLayer, StateStore, Visitor, explore};
use crate::budget::Meter;
use crate::memory::{StateTable, list_bytes, push, push_all};
use crate::outcome::Halt;
use gdl::limits::Stop;
use gdl::number::to_u32;
use ggp_game::{BatchReasoner, KeyExpansion, KeyExpansions, ReasonError, Utility};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// States and the joint moves between them.
#[derive(Debug, Default)]
pub(crate) struct StateGraph {
    /// The least number of joint moves to each visited state.
    pub(crate) distances: Vec<u32>,
    /// True for each terminal state, by number.
    pub(crate) terminal: Vec<bool>,
    /// For each expanded state, the end of its successors in `successors`.
    ends: Vec<usize>,
    /// The successor states, one entry for each joint move, in canonical order.
    pub(crate) successors: Vec<u32>,
    /// For each terminal state that has been evaluated, in the order of their numbers, the index of its ending.
    pub(crate) ending_of: Vec<u32>,
    /// The endings: the utility of each role, if the rules define exactly one.
    pub(crate) endings: Vec<Vec<Option<Utility>>>,
    /// The index of each ending.
    ending_numbers: FxHashMap<Vec<Option<Utility>>, u32>,
    /// The greatest number of roles that have a choice in one state.
    pub(crate) choosing: usize,
    /// The last complete layer: every state at most this many joint moves away has been visited.
    pub(crate) complete: u32,
}

impl StateGraph {
    /// Explores the states of a store that are at most `depth` joint moves away; those at that distance are visited but
    /// not expanded. `each` is called with some nearer states when they have been visited, and returns the number of
    /// bytes that it stores for them.
    ///
    /// If the exploration is halted, what was found is returned.
    pub(crate) fn explore<S: StateStore>(
        store: &mut S,
        depth: u32,
        meter: &mut Meter<'_>,
        each: impl FnMut(&mut S, Range<usize>, &KeyExpansions) -> Result<usize, Halt>,
    ) -> (Self, Result<ExplorationEnd, Halt>) {
        let mut visitor = GraphVisitor { meter, depth, graph: Self::default(), beside: 0, full_at: None, each };
        let end = explore(store, &mut visitor);
        let GraphVisitor { meter, mut graph, full_at, .. } = visitor;
        match (end, full_at) {
            (Ok(ExplorationEnd::All), Some(distance)) => {
                // All states up to this distance have been visited, but not all that are one move farther.
                graph.complete = distance;
                (graph, Err(Stop::Nodes { limit: meter.most_nodes() }.into()))
            }
            (Ok(ExplorationEnd::All), None) => {
                graph.complete = depth;
                (graph, Ok(ExplorationEnd::All))
            }
            (end, _) => (graph, end),
        }
    }

    /// Explores the states below a state: by keys if the engine has them, else by its states.
    pub(super) fn count<R: BatchReasoner>(
        reasoner: &mut R,
        state: &R::State,
        depth: u32,
        meter: &mut Meter<'_>,
    ) -> (Self, Option<Halt>) {
        if let Some(keys) = reasoner.keys(state) {
            let mut keyed = match KeyedStates::new(keys, reasoner, state) {
                Ok(keyed) => keyed,
                Err(error) => return (Self::default(), Some(error.into())),
            };
            match Self::explore(&mut keyed, depth, meter, |_, _, _| Ok(0)) {
                (_, Ok(ExplorationEnd::TooWide | ExplorationEnd::Unlayered)) => meter.begin_again(),
                (graph, end) => return (graph, end.err()),
            }
        }
        let mut store = EngineStates::new(reasoner, StateTable::default(), state);
        let (graph, end) = Self::explore(&mut store, depth, meter, |_, _, _| Ok(0));
        (graph, end.err())
    }

    /// The number of visited states.
    pub(crate) fn len(&self) -> usize {
        self.terminal.len()
    }

    /// The successors of a state, one entry for each joint move; empty for a state that is not expanded.
    pub(crate) fn successors(&self, state: usize) -> &[u32] {
        let Some(&end) = self.ends.get(state) else { return &[] };
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.successors[start..end]
    }

    /// The bytes that all lists have allocated.
    pub(crate) fn bytes(&self) -> usize {
        let numbers = list_bytes(&self.distances) + list_bytes(&self.successors) + list_bytes(&self.ending_of);
        numbers + list_bytes(&self.terminal) + list_bytes(&self.ends)
    }

    /// The bytes in use while states with these numbers of successors are added.
    fn bytes_for(&self, states: usize, successors: usize) -> usize {
        let each = 2 * size_of::<u32>() + size_of::<bool>() + size_of::<usize>();
        let bytes = self.bytes();
        bytes + (bytes / 8).max(states * each + successors * size_of::<u32>())
    }

    /// Ends the successors of the next state.
    fn end_successors(&mut self) {
        push(&mut self.ends, self.successors.len());
    }

    /// The index of the ending with these goals, which is added if it is new.
    ///
    /// # Errors
    /// If the engine has not evaluated a goal.
    fn ending(&mut self, goals: &[Result<Utility, ReasonError>]) -> Result<u32, Halt> {
        let utilities = goals.iter().map(unique_utility).collect::<Result<Vec<_>, _>>()?;
        if let Some(&number) = self.ending_numbers.get(&utilities) {
            return Ok(number);
        }
        let number = to_u32(self.endings.len());
        self.ending_numbers.insert(utilities.clone(), number);
        self.endings.push(utilities);
        Ok(number)
    }

    /// The number of joint moves in all states.
    pub(crate) fn edges(&self) -> usize {
        self.successors.len()
    }

    /// The states, each before all of its successors; incomplete if some state can be reached again from itself (Kahn's
    /// algorithm).
    pub(crate) fn topological_order(&self) -> Vec<u32> {
        topological_order(self.len(), |state| self.successors(state))
    }
}

/// Topological order of this many states that can all be reached from the first, as [`StateGraph::topological_order`].
pub(crate) fn topological_order<'g>(states: usize, successors: impl Fn(usize) -> &'g [u32]) -> Vec<u32> {
    let mut arrivals = vec![0_u32; states];
    (0..states).flat_map(&successors).for_each(|&to| arrivals[to as usize] += 1);
    // Only the first state can be without arrivals, since all others are reached from it.
    let mut order: Vec<u32> = if arrivals.first() == Some(&0) { vec![0] } else { Vec::new() };
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        next += 1;
        for &to in successors(state as usize) {
            arrivals[to as usize] -= 1;
            if arrivals[to as usize] == 0 {
                order.push(to);
            }
        }
    }
    order
}

/// Stores the graph of the states that are visited.
struct GraphVisitor<'a, 'b, E> {
    meter: &'a mut Meter<'b>,
    /// States this far from the first are not expanded.
    depth: u32,
    graph: StateGraph,
    /// The bytes that `each` has stored.
    beside: usize,
    /// The distance of the first state for whose successors the budget had too few nodes. No later state is expanded.
    full_at: Option<u32>,
    each: E,
}

impl<S: StateStore, E: FnMut(&mut S, Range<usize>, &KeyExpansions) -> Result<usize, Halt>> Visitor<S>
    for GraphVisitor<'_, '_, E>
{
    fn begin_layer(&mut self, _: &mut S, layer: &StateLayer) -> Result<Option<ExplorationEnd>, Halt> {
        self.graph.complete = layer.depth.saturating_sub(1);
        Ok(None)
    }

    fn expands(&self, layer: &StateLayer) -> bool {
        layer.depth < self.depth && self.full_at.is_none()
    }

    fn visit(
        &mut self,
        store: &mut S,
        part: Range<usize>,
        layer: &StateLayer,
        expansions: &KeyExpansions,
    ) -> Result<bool, Halt> {
        self.meter.pause()?;
        let is_near = layer.depth < self.depth;
        let is_expanded = <Self as Visitor<S>>::expands(self, layer);
        let end = if is_expanded { self.number(store, &part, expansions) } else { Ok(()) };
        // The first state is counted even if there is no memory for its successors.
        if end.is_err() && part.start > 0 {
            return end.map(|()| false);
        }
        let mut endings = Vec::with_capacity(expansions.ends().len());
        if is_near {
            for goals in expansions.ends() {
                endings.push(self.graph.ending(goals)?);
            }
        }
        let numbers = store.numbers();
        let mut first = 0_usize;
        for expansion in expansions.all() {
            self.meter.visit(layer.depth)?;
            push(&mut self.graph.distances, layer.depth);
            push(&mut self.graph.terminal, matches!(expansion, KeyExpansion::End(_)));
            match *expansion {
                KeyExpansion::End(end) if is_near => push(&mut self.graph.ending_of, endings[end as usize]),
                KeyExpansion::Turn(turn) if is_expanded && self.full_at.is_none() => {
                    self.meter.expand();
                    self.graph.choosing = self.graph.choosing.max(turn.choosing.into());
                    let end = first.saturating_add(turn.joint_moves);
                    // The budget had too few nodes to number all successors.
                    if end > numbers.len() {
                        self.full_at = Some(layer.depth);
                    }
                    let end = end.min(numbers.len());
                    push_all(&mut self.graph.successors, &numbers[first..end]);
                    first = end;
                }
                _ => {}
            }
            self.graph.end_successors();
        }
        if is_near {
            self.beside += (self.each)(store, part, expansions)?;
        }
        end.map(|()| false)
    }
}

impl<E> GraphVisitor<'_, '_, E> {
    /// Numbers the successors of a part, as far as the budget has nodes for them. Those of the first state are kept
    /// whatever the memory limit, unless they are very many.
    fn number<S: StateStore>(
        &mut self,
        store: &mut S,
        part: &Range<usize>,
        expansions: &KeyExpansions,
    ) -> Result<(), Halt> {
        let Self { meter, graph, beside, .. } = self;
        let most = meter.most_nodes();
        store.number(expansions, most, &mut |growth| {
            meter.pause()?;
            if part.start == 0 && growth.successors <= KeyExpansions::MOST {
                return Ok(());
            }
            let bytes = graph.bytes_for(part.len(), growth.successors) + *beside;
            meter.holds_beside(bytes as u64 + growth.bytes, growth.scratch)
        })
    }
}

/// The utility of a terminal state for a role, if the rules define exactly one.
fn unique_utility(goal: &Result<Utility, ReasonError>) -> Result<Option<Utility>, Halt> {
    match goal {
        Ok(utility) => Ok(Some(*utility)),
        Err(error) if error.is_about_goal() => Ok(None),
        Err(error) => Err(error.clone().into()),
    }
}
