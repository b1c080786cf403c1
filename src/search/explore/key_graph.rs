//! The exploration of a state graph by keys: the same graph, counts and limits as by states.

use super::at_once::AtOnce;
use super::keyed::{Explored, KeyVisitor, Keyed, Layer};
use super::state_graph::StateGraph;
use crate::game::{BatchReasoner, KeyEnds, KeyExpansion, KeyExpansions};
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
            let mut keyed = Keyed::new(keys);
            let mut visitor = GraphVisitor { meter, depth, graph: Self::default(), full_at: None };
            let first = keyed.key_of(reasoner, state).map_err(Halt::from);
            let end = first.and_then(|first| keyed.explore(&first, &mut visitor));
            let GraphVisitor { meter, mut graph, full_at, .. } = visitor;
            match (end, full_at) {
                (Ok(Explored::TooWide | Explored::Unlayered), _) => meter.begin_again(),
                (Ok(Explored::All), None) => {
                    graph.complete = depth;
                    return (graph, None);
                }
                (Ok(Explored::All), Some(distance)) => {
                    // All states up to this distance have been visited, but not all that are one move farther.
                    graph.complete = distance;
                    return (graph, Some(Stop::Nodes { limit: meter.most_nodes() }.into()));
                }
                (Err(halt), _) => return (graph, Some(halt)),
            }
        }
        let (graph, _, halt) = Self::explore(reasoner, state, depth, meter, |_, _, _, _| Ok(0));
        (graph, halt)
    }
}

/// Stores the graph of the states that are visited.
struct GraphVisitor<'a, 'b> {
    meter: &'a mut Meter<'b>,
    /// States this far from the first are not expanded.
    depth: u32,
    graph: StateGraph,
    /// The distance of the first state for whose successors the budget had too few nodes. No later state is expanded.
    full_at: Option<u32>,
}

impl GraphVisitor<'_, '_> {
    /// Visits states that are not expanded: whether they are terminal is all that is asked.
    fn test_ends(&mut self, keyed: &mut Keyed, layer: &Layer) -> Result<(), Halt> {
        let (Keyed { keys, set, .. }, mut ends) = (keyed, KeyEnds::default());
        for start in layer.states.clone().step_by(AtOnce::MOST) {
            keys.ends(set.keys(start..layer.states.end.min(start + AtOnce::MOST)), &mut ends)?;
            for end in ends.all() {
                self.meter.visit(layer.depth)?;
                push(&mut self.graph.distances, layer.depth);
                push(&mut self.graph.terminal, end.is_some());
                self.graph.end_successors();
            }
        }
        Ok(())
    }
}

impl KeyVisitor for GraphVisitor<'_, '_> {
    fn begin_layer(&mut self, keyed: &mut Keyed, layer: &Layer) -> Result<Option<Explored>, Halt> {
        self.graph.complete = layer.depth.saturating_sub(1);
        if layer.depth < self.depth {
            return Ok(None);
        }
        self.test_ends(keyed, layer)?;
        Ok(Some(Explored::All))
    }

    fn visit(
        &mut self,
        keyed: &mut Keyed,
        part: Range<usize>,
        layer: &Layer,
        expansions: &KeyExpansions,
    ) -> Result<bool, Halt> {
        self.meter.pause()?;
        let (count, scratch) = (keyed.successors(expansions), keyed.scratch(expansions));
        let bytes = self.graph.bytes_for(part.len(), count) + keyed.set.bytes_for_next(count);
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
            let Keyed { set, numbers, .. } = &mut *keyed;
            let room = self.meter.most_nodes().saturating_sub(set.len() as u64);
            set.number_some(expansions.successors(), room, numbers);
        } else {
            keyed.numbers.clear();
        }
        let numbers = &keyed.numbers;
        for expansion in expansions.all() {
            self.meter.visit(layer.depth)?;
            push(&mut self.graph.distances, layer.depth);
            push(&mut self.graph.terminal, matches!(expansion, KeyExpansion::End(_)));
            match *expansion {
                KeyExpansion::End(end) => push(&mut self.graph.ending_of, endings[end as usize]),
                KeyExpansion::Turn(turn) if self.full_at.is_none() => {
                    self.meter.expand();
                    self.graph.choosing = self.graph.choosing.max(turn.choosing.into());
                    let end = first + turn.joint_moves;
                    if end > numbers.len() {
                        self.full_at = Some(layer.depth);
                    }
                    let end = end.min(numbers.len());
                    push_all(&mut self.graph.successors, &numbers[first..end]);
                    first = end;
                }
                KeyExpansion::Turn(_) => {}
            }
            self.graph.end_successors();
        }
        Ok(false)
    }
}
