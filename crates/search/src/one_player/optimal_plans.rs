//! `bestplan --optimal`: every plan to the best utility, of whatever length.

use super::problem::{PLAYER, ProblemSearch};
use crate::memory::{StateTable, list_bytes};
use crate::outcome::Halt;
use crate::{Budget, Count, Outcome, Problem, SearchError};
use gdl::number::to_u32;
use ggp_game::{Move, Reasoner, Utility};
use serde::Serialize;
use std::collections::BTreeMap;

/// All plans to one utility.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OptimalPlans<M = Move> {
    /// The number of plans of each length, shortest first.
    pub lengths: Vec<(u32, Count)>,
    /// The moves of the first plans: the shortest first, those of equal length in the order of moves.
    pub plans: Vec<Vec<M>>,
    /// The utility that every plan reaches.
    pub utility: Utility,
}

impl<M> OptimalPlans<M> {
    /// The number of plans, listed or not.
    pub fn count(&self) -> Count {
        self.lengths.iter().map(|&(_, count)| count).sum()
    }
}

/// Every plan that reaches the best utility and no terminal state before its end: their number by length, and the first
/// `most` of them.
///
/// - Precondition: one role.
/// - Guarantee: exact if the tree is finite and the budget allows; otherwise the optimal plans of at most the budget's
///   depth, or [`Budget::DEPTH`] moves.
/// - Cost: every state once at each depth at which it is reached, in time and in memory, and every step between them.
/// - Source: the lines to each state are counted layer by layer, as for the number of walks in a graph.
pub fn optimal_plans<R: Reasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    most: usize,
    budget: &Budget,
) -> Result<Outcome<OptimalPlans>, SearchError> {
    let mut search = ProblemSearch::start(reasoner, problem, budget, ())?;
    if !search.meter.has_horizon() {
        // States may repeat, so without a limit the layers would never end.
        search.meter.bound_lines();
    }
    let mut walks = OptimalWalks { search, layers: Vec::new(), bytes: 0 };
    let end = walks.explore().err();
    let answer = walks.best().map(|utility| walks.plans(utility, most));
    walks.search.meter.best_so_far(end, answer)
}

/// The states by depth, each with a node for each state. A state that is reached at several depths has several nodes.
struct OptimalWalks<'a, R: Reasoner> {
    search: ProblemSearch<'a, R, ()>,
    layers: Vec<Vec<PlanNode>>,
    /// The bytes of the layers.
    bytes: usize,
}

#[derive(Default)]
struct PlanNode {
    /// The number of lines to the state.
    lines: Option<Count>,
    /// The utility, if the state is terminal.
    utility: Option<Utility>,
    /// The moves and the nodes of the next layer that they lead to.
    steps: Vec<(Move, u32)>,
}

impl<R: Reasoner> OptimalWalks<'_, R> {
    fn explore(&mut self) -> Result<(), Halt> {
        let mut states = vec![self.search.problem.state.clone()];
        self.search.meter.visit(0)?;
        self.layers.push(vec![PlanNode { lines: Some(Count::ONE), ..PlanNode::default() }]);
        while !states.is_empty() {
            states = self.next_layer(&states)?;
        }
        Ok(())
    }

    /// Expands the states of the last layer; returns those of the next one.
    fn next_layer(&mut self, states: &[R::State]) -> Result<Vec<R::State>, Halt> {
        let depth = to_u32(self.layers.len()) - 1;
        let mut table: StateTable<R::State, Count> = StateTable::default();
        let mut next: Vec<PlanNode> = Vec::new();
        for (index, state) in states.iter().enumerate() {
            if self.search.reasoner.is_terminal(state)? {
                self.node(index).utility = Some(self.search.reasoner.goal(state, PLAYER)?);
                continue;
            }
            if self.search.meter.at_horizon(depth) {
                continue;
            }
            let lines = self.node(index).lines.unwrap_or(Count::ZERO);
            let mut steps = Vec::new();
            for chosen in self.search.expand(crate::NodeId::new(index as u64), state)? {
                let after = self.search.reasoner.next_state(state, &[chosen])?;
                self.search.meter.visit(depth + 1)?;
                let to = match table.find(&after) {
                    Some(number) => number,
                    None => {
                        let heap = self.search.reasoner.heap_bytes(&after);
                        let bytes = self.bytes + (next.len() + 1) * size_of::<PlanNode>();
                        self.search.meter.remember(table.bytes_for_next(heap) + bytes as u64)?;
                        next.push(PlanNode::default());
                        table.insert(after, Count::ZERO, heap)
                    }
                };
                let reached = &mut next[to as usize].lines;
                *reached = Some(reached.unwrap_or(Count::ZERO) + lines);
                steps.push((chosen, to));
            }
            self.bytes += list_bytes(&steps);
            self.node(index).steps = steps;
        }
        self.bytes += next.len() * size_of::<PlanNode>();
        if !next.is_empty() {
            self.layers.push(next);
        }
        Ok(table.from(0).iter().map(|(state, _)| state.clone()).collect())
    }

    /// A node of the last layer.
    fn node(&mut self, index: usize) -> &mut PlanNode {
        &mut self.layers.last_mut().expect("there is a first layer")[index]
    }

    fn best(&self) -> Option<Utility> {
        self.layers.iter().flatten().filter_map(|node| node.utility).max()
    }

    fn plans(&self, utility: Utility, most: usize) -> OptimalPlans {
        let is_end = |node: &&PlanNode| node.utility == Some(utility);
        let mut lengths = BTreeMap::new();
        for (depth, layer) in self.layers.iter().enumerate() {
            let ends = layer.iter().filter(is_end).filter_map(|node| node.lines);
            let count: Count = ends.sum();
            if count != Count::ZERO {
                lengths.insert(to_u32(depth), count);
            }
        }
        let mut plans = Vec::new();
        for &length in lengths.keys() {
            let leads = self.leading_to(utility, length as usize);
            self.list(&leads, most, &mut plans);
        }
        OptimalPlans { lengths: lengths.into_iter().collect(), plans, utility }
    }

    /// True for each node, by depth, from which a line leads to a terminal node of this utility at `depth`.
    fn leading_to(&self, utility: Utility, depth: usize) -> Vec<Vec<bool>> {
        let mut leads: Vec<Vec<bool>> =
            vec![self.layers[depth].iter().map(|node| node.utility == Some(utility)).collect()];
        for layer in self.layers[..depth].iter().rev() {
            let after = leads.last().expect("the last layer is there");
            leads.push(layer.iter().map(|node| node.steps.iter().any(|&(_, to)| after[to as usize])).collect());
        }
        leads.reverse();
        leads
    }

    /// Adds the lines through nodes that lead to the end, in the order of moves, until there are `most` plans.
    fn list(&self, leads: &[Vec<bool>], most: usize, plans: &mut Vec<Vec<Move>>) {
        let mut line = Vec::new();
        let mut indices = vec![(0_u32, 0_usize)];
        while let Some(&(node, index)) = indices.last()
            && plans.len() < most
        {
            let depth = indices.len() - 1;
            let steps = &self.layers[depth][node as usize].steps;
            // At the last depth the line is complete.
            let step = if depth + 1 < leads.len() { steps.get(index) } else { None };
            match step {
                Some(&(chosen, to)) => {
                    indices[depth].1 += 1;
                    if leads[depth + 1][to as usize] {
                        line.push(chosen);
                        indices.push((to, 0));
                    }
                }
                None => {
                    if depth + 1 == leads.len() {
                        plans.push(line.clone());
                    }
                    indices.pop();
                    line.pop();
                }
            }
        }
    }
}
