//! The exploration of a state graph by keys: the same graph, counts and limits as by states.

use super::keyed::{Explored, Keyed};
use super::state_graph::StateGraph;
use crate::game::{BatchReasoner, KeyEnds, KeyExpansion};
use crate::limits::Stop;
use crate::search::budget::Meter;
use crate::search::memory::{push, push_all};
use crate::search::outcome::Halt;
use std::ops::Range;

impl StateGraph {
    /// As [`StateGraph::explore`] without a visitor, by keys if the engine has them.
    pub(super) fn count<R: BatchReasoner>(
        reasoner: &mut R,
        state: &R::State,
        depth: u32,
        meter: &mut Meter<'_>,
    ) -> (Self, Option<Halt>) {
        if let Some(keys) = reasoner.keys(state) {
            let (graph, ends) = Default::default();
            let mut exploration = KeyExploration { keyed: Keyed::new(keys), meter, graph, ends, full_at: None };
            let first = exploration.keyed.key_of(reasoner, state).map_err(Halt::from);
            match first.and_then(|first| exploration.run(&first, depth)) {
                Ok(Explored::TooWide | Explored::Unlayered) => meter.begin_again(),
                Ok(Explored::All) => return (exploration.graph, None),
                Err(halt) => return (exploration.graph, Some(halt)),
            }
        }
        let (graph, _, halt) = Self::explore(reasoner, state, depth, meter, |_, _, _, _| Ok(0));
        (graph, halt)
    }
}

struct KeyExploration<'a, 'b> {
    keyed: Keyed,
    meter: &'a mut Meter<'b>,
    graph: StateGraph,
    /// Scratch: which states at the last depth are terminal.
    ends: KeyEnds,
    /// The distance of the first state for whose successors the budget had too few nodes. No later state is expanded.
    full_at: Option<u32>,
}

impl KeyExploration<'_, '_> {
    fn run(&mut self, first: &[u64], depth: u32) -> Result<Explored, Halt> {
        self.keyed.begin(first);
        let (mut distance, mut layer_end) = (0_u32, 1);
        while self.graph.len() < self.keyed.set.len() {
            let start = self.graph.len();
            if start == layer_end {
                (distance, layer_end) = (distance + 1, self.keyed.set.len());
            }
            self.graph.complete = distance.saturating_sub(1);
            if distance >= depth {
                self.test_ends(start..layer_end.min(start + Keyed::BATCH), distance)?;
            } else if self.expand(self.keyed.next_part(start..layer_end), distance)? == Explored::TooWide {
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
        let Keyed { keys, set, .. } = &mut self.keyed;
        keys.ends(set.keys(part), &mut self.ends)?;
        for end in self.ends.all() {
            self.meter.visit(distance)?;
            push(&mut self.graph.distances, distance);
            push(&mut self.graph.terminal, end.is_some());
            self.graph.end_successors();
        }
        Ok(())
    }

    /// Visits and expands states.
    fn expand(&mut self, part: Range<usize>, distance: u32) -> Result<Explored, Halt> {
        let Some(expansions) = self.keyed.expand(part.clone()) else { return Ok(Explored::TooWide) };
        self.meter.pause()?;
        let (count, scratch) = (self.keyed.successors(&expansions), self.keyed.scratch(&expansions));
        let bytes = self.graph.bytes_for(part.len(), count) + self.keyed.set.bytes_for_next(count);
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
            let Keyed { set, numbers, .. } = &mut self.keyed;
            let room = self.meter.most_nodes().saturating_sub(set.len() as u64);
            set.number_some(expansions.successors(), room, numbers);
        } else {
            self.keyed.numbers.clear();
        }
        let numbers = &self.keyed.numbers;
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
                    if end > numbers.len() {
                        self.full_at = Some(distance);
                    }
                    let end = end.min(numbers.len());
                    push_all(&mut self.graph.successors, &numbers[first..end]);
                    first = end;
                }
                KeyExpansion::Turn(_) => {}
            }
            self.graph.end_successors();
        }
        if let Some(error) = expansions.error() {
            return Err(error.clone().into());
        }
        self.keyed.give_back(expansions);
        Ok(Explored::All)
    }
}
