//! The exploration of a state graph by keys: the same graph, counts and limits as by states.

use super::budget::Meter;
use super::key_set::KeySet;
use super::key_space::is_too_wide;
use super::keyed::Explored;
use super::memory::{list_bytes, push, push_all};
use super::outcome::{Halt, Stop};
use super::state_graph::StateGraph;
use crate::game::{BatchReasoner, KeyExpansion, KeyExpansions, KeyReasoner};
use std::ops::Range;

/// The number of states of a batch.
const BATCH: usize = 1 << 10;
/// The number of states that are expanded first, when the branching factor is not yet known.
const FIRST: usize = 1 << 7;
/// The number of successors to hold at a time, approximately.
const SUCCESSORS: usize = 1 << 13;

impl StateGraph {
    /// As [`StateGraph::explore`] without a visitor, by keys if the engine has them.
    pub(super) fn count<R: BatchReasoner>(
        reasoner: &mut R,
        state: &R::State,
        depth: u32,
        meter: &mut Meter<'_>,
    ) -> (Self, Option<Halt>) {
        if let Some(keys) = reasoner.keys(state) {
            let (mut fluents, mut first) = (Vec::new(), Vec::new());
            reasoner.fluents(state, &mut fluents);
            let mut exploration = KeyExploration::new(keys, meter);
            let explored = exploration.keys.push_key(&fluents, &mut first).map_err(Halt::from);
            match explored.and_then(|()| exploration.run(&first, depth)) {
                Ok(Explored::TooWide) => meter.begin_again(),
                Ok(Explored::All) => return (exploration.graph, None),
                Err(halt) => return (exploration.graph, Some(halt)),
            }
        }
        let (graph, _, halt) = Self::explore(reasoner, state, depth, meter, |_, _, _, _| Ok(0));
        (graph, halt)
    }
}

struct KeyExploration<'a, 'b> {
    keys: Box<dyn KeyReasoner>,
    meter: &'a mut Meter<'b>,
    graph: StateGraph,
    set: KeySet,
    expansions: KeyExpansions,
    /// The numbers of the successors of the states that are expanded at a time.
    numbers: Vec<u32>,
    /// The number of states to expand at a time: fewer if states have many joint moves.
    at_once: usize,
    /// The distance of the first state for whose successors the budget had too few nodes. No later state is expanded.
    full_at: Option<u32>,
}

impl<'a, 'b> KeyExploration<'a, 'b> {
    fn new(keys: Box<dyn KeyReasoner>, meter: &'a mut Meter<'b>) -> Self {
        let set = KeySet::new(keys.words());
        let (expansions, numbers) = Default::default();
        let graph = StateGraph::default();
        Self { keys, meter, graph, set, expansions, numbers, at_once: FIRST, full_at: None }
    }

    fn run(&mut self, first: &[u64], depth: u32) -> Result<Explored, Halt> {
        self.set.number(first, &mut self.numbers);
        let (mut distance, mut layer_end) = (0_u32, 1);
        while self.graph.len() < self.set.len() {
            let start = self.graph.len();
            if start == layer_end {
                (distance, layer_end) = (distance + 1, self.set.len());
            }
            self.graph.complete = distance.saturating_sub(1);
            if distance >= depth {
                self.test_ends(start..layer_end.min(start + BATCH), distance)?;
            } else if self.expand(start..layer_end.min(start + self.at_once), distance)? == Explored::TooWide {
                return Ok(Explored::TooWide);
            }
        }
        if let Some(distance) = self.full_at {
            // All states up to this distance have been visited, but not all that are one move farther.
            self.graph.complete = distance;
            return Err(Stop::Nodes { limit: self.meter.most_nodes() }.into());
        }
        self.graph.complete = depth;
        Ok(Explored::All)
    }

    /// Visits states that are not expanded: whether they are terminal is all that is asked.
    fn test_ends(&mut self, part: Range<usize>, distance: u32) -> Result<(), Halt> {
        let start = self.graph.len();
        self.keys.ends(self.set.keys(part.clone()), &mut self.graph.terminal)?;
        // A state counts when it is visited.
        let ends = self.graph.terminal.split_off(start);
        for is_end in ends {
            self.meter.visit(distance)?;
            push(&mut self.graph.distances, distance);
            push(&mut self.graph.terminal, is_end);
            self.graph.end_successors();
        }
        Ok(())
    }

    /// Visits and expands states.
    fn expand(&mut self, part: Range<usize>, distance: u32) -> Result<Explored, Halt> {
        self.keys.expand(self.set.keys(part.clone()), &mut self.expansions);
        let expansions = std::mem::take(&mut self.expansions);
        if is_too_wide(&expansions) {
            return Ok(Explored::TooWide);
        }
        let width = self.set.width();
        let count = expansions.successors().len() / width;
        self.at_once = (SUCCESSORS * part.len() / count.max(1)).clamp(1, BATCH);
        self.meter.pause()?;
        let scratch = expansions.bytes() + list_bytes(&self.numbers);
        let bytes = self.graph.bytes_for(part.len(), count) + self.set.bytes_for_next(count);
        // The first state is kept whatever the memory limit, so that there is an answer.
        if part.start > 0 {
            self.meter.holds_beside(bytes as u64, scratch as u64)?;
        }
        let mut endings = Vec::with_capacity(expansions.ends().len());
        for goals in expansions.ends() {
            endings.push(self.graph.ending(goals)?);
        }
        let mut first = 0;
        if self.full_at.is_none() {
            let room = self.meter.most_nodes().saturating_sub(self.set.len() as u64);
            self.set.number_some(expansions.successors(), room, &mut self.numbers);
        } else {
            self.numbers.clear();
        }
        for expansion in expansions.all() {
            self.meter.visit(distance)?;
            push(&mut self.graph.distances, distance);
            push(&mut self.graph.terminal, matches!(expansion, KeyExpansion::End(_)));
            match *expansion {
                KeyExpansion::End(end) => push(&mut self.graph.ending_of, endings[end as usize]),
                KeyExpansion::Turn(turn) if self.full_at.is_none() => {
                    self.meter.expand();
                    self.graph.choosing = self.graph.choosing.max(turn.choosing.into());
                    let end = first + turn.joint_moves;
                    if end > self.numbers.len() {
                        self.full_at = Some(distance);
                    }
                    let end = end.min(self.numbers.len());
                    push_all(&mut self.graph.successors, &self.numbers[first..end]);
                    first = end;
                }
                KeyExpansion::Turn(_) => {}
            }
            self.graph.end_successors();
        }
        if let Some(error) = expansions.error() {
            return Err(error.clone().into());
        }
        self.expansions = expansions;
        Ok(Explored::All)
    }
}
