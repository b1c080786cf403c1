//! The core of the searches that keep all waiting nodes in one queue: [`super::breadth_first()`], [`super::a_star()`],
//! [`super::greedy()`]. They differ in the key of the queue; among equal keys the node that was generated first comes
//! first.
//!
//! A node is tested when it is removed from the queue, so that A* returns the cheapest plan, or when it is generated,
//! as [`super::GoalTest`] says.

use super::problem::{Form, Lookahead, PLAYER, ProblemSearch};
use crate::events::Estimate;
use crate::memory;
use crate::outcome::Halt;
use crate::{AllPlans, Budget, Count, Event, GoalTest, NodeId, Observer, Outcome, Plan, Problem, SearchError};
use gdl::number::to_u32;
use ggp_game::{BatchReasoner, Expansion, Heuristic, Move, ReasonError, Reasoner};
use hashbrown::HashTable;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::Hash;

/// The key of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Priority {
    /// No key: first in, first out.
    None,
    /// The estimated cost to go, h.
    ToGo,
    /// The estimated cost of the whole line, f = g + h.
    Total,
}

/// Searches from the problem's state until the next node of the queue solves the problem or the queue is empty.
pub(super) fn best_first<R: BatchReasoner, H: Heuristic<R>, O: Observer>(
    search: ProblemSearch<'_, R, O>,
    heuristic: H,
    priority: Priority,
) -> Result<Outcome<Plan>, SearchError> {
    let mut best_first = BestFirst::new(search, heuristic, priority, None);
    let end = best_first.run();
    best_first.search.finish(end)
}

/// Searches as [`best_first`] with the whole cost as its key, but goes on beyond the first goal until the next node
/// costs more than the goal. The first `most` plans are listed.
pub(super) fn every_best<R: BatchReasoner, H: Heuristic<R>, O: Observer>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    heuristic: H,
    most: usize,
    budget: &Budget,
    observer: O,
) -> Result<Outcome<AllPlans>, SearchError> {
    let search = ProblemSearch::start(reasoner, problem, budget, observer)?;
    let others = GoalPlans { most, count: 0, plans: Vec::new() };
    let mut best_first = BestFirst::new(search, heuristic, Priority::Total, Some(others));
    let end = best_first.run();
    let others = best_first.others.take();
    let outcome = best_first.search.finish(end)?;
    Ok(outcome.map(|first| {
        let GoalPlans { count, plans, .. } = others.unwrap_or_default();
        let length = to_u32(first.moves.len());
        // A plan that does not solve the problem is the only one that is known.
        let (count, plans) = if count == 0 { (1, vec![first.moves]) } else { (count, plans) };
        AllPlans { count: Count::new(count), plans, utility: first.utility, length }
    }))
}

/// The plans of a search that goes on beyond the first goal.
#[derive(Default)]
struct GoalPlans {
    /// The greatest number of plans that are kept.
    most: usize,
    count: u128,
    plans: Vec<Vec<Move>>,
}

struct BestFirst<'a, R: Reasoner, H, O> {
    search: ProblemSearch<'a, R, O>,
    heuristic: H,
    priority: Priority,
    queue: Queue<R::State>,
    /// The bytes that the lookahead uses.
    ahead: usize,
    /// The plans so far, in a search for all of them.
    others: Option<GoalPlans>,
    /// Scratch: successors of a node, and their estimates.
    children: Vec<R::State>,
    estimates: Vec<Result<Option<u64>, ReasonError>>,
}

/// The number of successors that are estimated together.
const SIBLINGS: usize = 16;

impl<'a, R: BatchReasoner, H: Heuristic<R>, O: Observer> BestFirst<'a, R, H, O> {
    fn new(mut search: ProblemSearch<'a, R, O>, heuristic: H, priority: Priority, others: Option<GoalPlans>) -> Self {
        search.meter.count_pops();
        let waiting = match priority {
            Priority::None => Frontier::From(0),
            Priority::ToGo | Priority::Total => Frontier::Ordered(BinaryHeap::new()),
        };
        Self {
            search,
            heuristic,
            priority,
            queue: Queue::new(waiting),
            ahead: 0,
            others,
            children: Vec::new(),
            estimates: Vec::new(),
        }
    }

    fn run(&mut self) -> Result<(), Halt> {
        let first = self.search.problem.state;
        let to_go = match self.priority {
            Priority::None => None,
            Priority::ToGo | Priority::Total => self.heuristic.estimate(self.search.reasoner, first)?,
        };
        if self.add(Cow::Borrowed(first), None, 0, to_go)? {
            return Ok(());
        }
        let mut lookahead = Lookahead::new();
        loop {
            if self.is_all_found() {
                return Ok(());
            }
            let Some(index) = self.queue.next() else { return Ok(()) };
            self.search.meter.pop();
            let QueueNode { ref state, depth, number, .. } = self.queue.nodes[index as usize];
            if self.queue.fewest_moves(state).is_some_and(|known| known < depth) {
                // A shorter line has reached this state since the node was stored.
                self.search.observer.observe(&Event::Repeated { node: number });
                self.show_queue();
                continue;
            }
            // First in, first out: the nodes that come next are those that follow in the list.
            if self.priority == Priority::None && !self.search.meter.is_at_horizon(depth) {
                if self.look_up(index, &mut lookahead)? {
                    return Ok(());
                }
                continue;
            }
            if self.search.tests_at(GoalTest::Expansion)
                && let Some(utility) = self.search.end(number, state)?
            {
                if self.search.keep_if_best(utility, || self.queue.line(index)) && !self.goes_on(index) {
                    return Ok(());
                }
                self.show_queue();
                continue;
            }
            if self.search.meter.at_horizon(depth) {
                self.search.leave(number);
                self.show_queue();
                continue;
            }
            let moves = self.search.expand(number, state)?;
            for moves in moves.chunks(SIBLINGS) {
                if self.add_children(index, moves)? {
                    return Ok(());
                }
            }
        }
    }

    /// Adds the successors of a node by some of its moves, which are estimated together; returns whether one of them
    /// solves the problem.
    fn add_children(&mut self, index: u32, moves: &[Move]) -> Result<bool, Halt> {
        let QueueNode { ref state, depth, .. } = self.queue.nodes[index as usize];
        let mut children = std::mem::take(&mut self.children);
        children.clear();
        let mut failure = None;
        for &chosen in moves {
            match self.search.reasoner.next_state(state, &[chosen]) {
                Ok(next) => children.push(next),
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            }
        }
        let mut estimates = std::mem::take(&mut self.estimates);
        if self.priority != Priority::None {
            self.heuristic.estimate_all(self.search.reasoner, &children, &mut estimates);
        }
        let mut estimates_left = estimates.drain(..);
        for (child, &chosen) in children.drain(..).zip(moves) {
            let to_go = estimates_left.next().transpose()?.flatten();
            if self.add(Cow::Owned(child), Some((index, chosen)), depth + 1, to_go)? {
                return Ok(true);
            }
        }
        drop(estimates_left);
        (self.children, self.estimates) = (children, estimates);
        failure.map_or(Ok(false), |error| Err(error.into()))
    }

    /// Processes a node with the answers of the lookahead; returns whether the problem is solved.
    fn look_up(&mut self, index: u32, lookahead: &mut Lookahead<R::State>) -> Result<bool, Halt> {
        let QueueNode { depth, number, .. } = self.queue.nodes[index as usize];
        let coming = self.queue.nodes[index as usize..].iter();
        let near = coming.take_while(|node| !self.search.meter.is_at_horizon(node.depth)).map(|node| &node.state);
        lookahead.expand(self.search.reasoner, index as usize, near);
        let expansion = lookahead.get(index as usize)?;
        self.ahead = lookahead.bytes;
        match expansion {
            Expansion::End(goals) => {
                let utility = self.search.end_worth(number, &goals[PLAYER.index()])?;
                let is_solved = self.search.keep_if_best(utility, || self.queue.line(index));
                self.show_queue();
                Ok(is_solved)
            }
            Expansion::Turn(turn) => {
                self.search.begin_expansion(number);
                for move_index in self.search.arranger.indices(turn.legal(PLAYER)) {
                    let from = Some((index, turn.legal(PLAYER)[move_index]));
                    let state = &self.queue.nodes[index as usize].state;
                    let after = turn.successor(self.search.reasoner, state, move_index)?;
                    if self.add(after, from, depth + 1, None)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Keeps the plan to a goal in a search for all plans. Returns true if the search goes on.
    fn goes_on(&mut self, index: u32) -> bool {
        let Some(others) = &mut self.others else { return false };
        if self.search.best.is_none() {
            return false;
        }
        others.count += 1;
        if others.plans.len() < others.most {
            others.plans.push(self.queue.line(index).0);
        }
        true
    }

    /// True if a search for all plans has them: the next node costs more than the first goal.
    fn is_all_found(&self) -> bool {
        let Some(GoalPlans { count: 1.., .. }) = &self.others else { return false };
        let Some((best, _)) = &self.search.best else { return false };
        self.queue.least_key().is_none_or(|least| least > best.moves.len() as u64)
    }

    /// Adds a state as [`BestFirst::put`], and reports the queue.
    fn add(
        &mut self,
        state: Cow<'_, R::State>,
        from: Option<(u32, Move)>,
        depth: u32,
        to_go: Option<u64>,
    ) -> Result<bool, Halt> {
        let is_solved = self.put(state, from, depth, to_go)?;
        if !is_solved {
            self.show_queue();
        }
        Ok(is_solved)
    }

    /// Adds a state to the queue, unless it is known or, if nodes are tested when they are generated, is terminal.
    /// `to_go` is its estimate, in a search that has one. Returns whether it solves the problem.
    fn put(
        &mut self,
        state: Cow<'_, R::State>,
        from: Option<(u32, Move)>,
        depth: u32,
        to_go: Option<u64>,
    ) -> Result<bool, Halt> {
        let estimate = (self.priority != Priority::None).then_some(Estimate { so_far: u64::from(depth), to_go });
        let parent = from.map(|(index, chosen)| (self.queue.nodes[index as usize].number, chosen));
        let number = self.search.generate(parent, depth, estimate)?;
        let order = match (self.priority, estimate) {
            (Priority::None, _) | (_, None) => 0,
            (Priority::ToGo, Some(estimate)) => estimate.to_go.unwrap_or(HOPELESS),
            (Priority::Total, Some(estimate)) => estimate.total().unwrap_or(HOPELESS),
        };
        if self.search.problem.form == Form::Graph && !self.is_news(&state, depth) {
            self.search.observer.observe(&Event::Repeated { node: number });
            return Ok(false);
        }
        if self.search.tests_at(GoalTest::Generation)
            && let Some(utility) = self.search.end(number, &state)?
        {
            return Ok(self.search.keep_if_best(utility, || self.queue.line_to(number, from)));
        }
        let heap = self.search.reasoner.heap_bytes(&state);
        let bytes = self.queue.bytes_for_next(heap) + self.ahead as u64;
        // Only a state that was not known counts as remembered.
        match self.queue.index(&state) {
            _ if self.search.problem.form == Form::Tree => self.search.meter.holds(bytes)?,
            Some(_) => self.search.meter.holds(bytes)?,
            None => self.search.meter.remember(bytes)?,
        }
        self.queue.add(
            QueueNode { state: state.into_owned(), from, depth, number },
            order,
            heap,
            self.search.problem.form,
        );
        Ok(false)
    }

    /// True if the state is new or, in a search by whole cost, reached by a shorter line than before.
    fn is_news(&self, state: &R::State, depth: u32) -> bool {
        match self.queue.fewest_moves(state) {
            Some(known) => self.priority == Priority::Total && depth < known,
            None => true,
        }
    }

    fn show_queue(&mut self) {
        if self.search.observer.wants_frontier() {
            let nodes = self.queue.list(self.priority != Priority::None);
            self.search.observer.observe(&Event::Frontier { nodes: nodes.into() });
        }
    }
}

/// The key of a node from which no goal can be reached. It waits behind all others, and is not left out: if no goal is
/// found, the answer is the best of all ends, and that may lie below such a node.
const HOPELESS: u64 = u64::MAX;

struct QueueNode<S> {
    pub(super) state: S,
    /// The index of the parent and the move between them; `None` for the first node.
    pub(super) from: Option<(u32, Move)>,
    pub(super) depth: u32,
    pub(super) number: NodeId,
}

/// All stored nodes, and which of them wait.
struct Queue<S> {
    pub(super) nodes: Vec<QueueNode<S>>,
    pub(super) waiting: Frontier,
    /// In a graph search, the index of the node with the fewest moves to each state.
    known: HashTable<u32>,
    /// The heap bytes of the states of the nodes.
    heap: usize,
}

/// The indices of the waiting nodes.
pub(super) enum Frontier {
    /// First in, first out: all nodes from this index on.
    From(u32),
    /// The key of each node with its index, least first.
    Ordered(BinaryHeap<Reverse<(u64, u32)>>),
}

impl<S: Hash + Eq> Queue<S> {
    pub(super) fn new(waiting: Frontier) -> Self {
        Self { nodes: Vec::new(), waiting, known: HashTable::new(), heap: 0 }
    }

    pub(super) fn next(&mut self) -> Option<u32> {
        match &mut self.waiting {
            Frontier::From(index) if (*index as usize) < self.nodes.len() => {
                *index += 1;
                Some(*index - 1)
            }
            Frontier::From(_) => None,
            Frontier::Ordered(waiting) => waiting.pop().map(|Reverse((_, index))| index),
        }
    }

    /// The least key of a waiting node, if nodes wait in the order of keys.
    fn least_key(&self) -> Option<u64> {
        match &self.waiting {
            Frontier::From(_) => None,
            Frontier::Ordered(waiting) => waiting.peek().map(|Reverse((key, _))| *key),
        }
    }

    /// In a graph search, the index of the node with the fewest moves to a state.
    pub(super) fn index(&self, state: &S) -> Option<u32> {
        self.known.find(memory::hash(state), |&index| self.nodes[index as usize].state == *state).copied()
    }

    /// In a graph search, the fewest moves known to a state.
    fn fewest_moves(&self, state: &S) -> Option<u32> {
        self.index(state).map(|index| self.nodes[index as usize].depth)
    }

    /// The bytes in use while one more node is added whose state has `heap` bytes on the heap.
    pub(super) fn bytes_for_next(&self, heap: usize) -> u64 {
        let waiting = match &self.waiting {
            Frontier::From(_) => 0,
            Frontier::Ordered(waiting) => {
                let doubled = if waiting.len() == waiting.capacity() { 2 } else { 1 };
                doubled * waiting.capacity() * size_of::<Reverse<(u64, u32)>>()
            }
        };
        let nodes = memory::list_bytes_for_next(&self.nodes);
        (nodes + waiting + memory::table_bytes_for(&self.known, 1) + self.heap + heap) as u64
    }

    /// Adds a waiting node. In a graph search its state must be new, or known only by a longer line.
    pub(super) fn add(&mut self, node: QueueNode<S>, order: u64, heap: usize, form: Form) {
        let index = to_u32(self.nodes.len());
        let nodes = &self.nodes;
        if form == Form::Graph {
            let same = |&other: &u32| nodes[other as usize].state == node.state;
            let rehash = |&other: &u32| memory::hash(&nodes[other as usize].state);
            // A line that is shorter replaces the node that was known.
            *self.known.entry(memory::hash(&node.state), same, rehash).or_insert(index).get_mut() = index;
        }
        memory::push(&mut self.nodes, node);
        self.heap += heap;
        if let Frontier::Ordered(waiting) = &mut self.waiting {
            waiting.push(Reverse((order, index)));
        }
    }

    /// The moves from the first node to this one, and all nodes on that line.
    pub(super) fn line(&self, index: u32) -> (Vec<Move>, Vec<NodeId>) {
        let node = &self.nodes[index as usize];
        self.line_to(node.number, node.from)
    }

    /// The moves and nodes of the line to a node that need not be stored.
    pub(super) fn line_to(&self, number: NodeId, mut from: Option<(u32, Move)>) -> (Vec<Move>, Vec<NodeId>) {
        let mut moves = Vec::new();
        let mut nodes = vec![number];
        while let Some((before, chosen)) = from {
            let node = &self.nodes[before as usize];
            moves.push(chosen);
            nodes.push(node.number);
            from = node.from;
        }
        moves.reverse();
        nodes.reverse();
        (moves, nodes)
    }

    /// The waiting nodes with their keys, in the order in which they will be removed. A hopeless node has no key.
    pub(super) fn list(&self, ordered: bool) -> Vec<(NodeId, Option<u64>)> {
        let mut waiting: Vec<(u64, u32)> = match &self.waiting {
            &Frontier::From(index) => (index..to_u32(self.nodes.len())).map(|index| (0, index)).collect(),
            Frontier::Ordered(waiting) => waiting.iter().map(|&Reverse(entry)| entry).collect(),
        };
        waiting.sort_unstable();
        let key = |order| Some(order).filter(|&order| ordered && order != HOPELESS);
        let entry = |(order, index): (u64, u32)| (self.nodes[index as usize].number, key(order));
        waiting.into_iter().map(entry).collect()
    }
}
