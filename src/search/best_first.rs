//! The core of the searches that keep all waiting nodes in one queue: [`super::breadth_first()`], [`super::a_star()`],
//! [`super::greedy()`]. They differ in the key of the queue; among equal keys the node that was generated first comes
//! first.
//!
//! A node is tested when it is removed from the queue, not when it is generated, so that A* returns the cheapest plan.

use super::lookahead::Lookahead;
use super::memory;
use super::outcome::Halt;
use super::problem::{Form, PLAYER, Search};
use super::trace::Estimate;
use super::{Budget, Event, NodeId, Observer, Outcome, Plan, Problem, SearchError};
use crate::game::{BatchReasoner, Expansion, Heuristic, Move, Reasoner};
use crate::number::to_u32;
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

struct Node<S> {
    state: S,
    /// The index of the parent and the move between them; `None` for the first node.
    from: Option<(u32, Move)>,
    depth: u32,
    number: NodeId,
}

/// All stored nodes, and which of them wait.
struct Queue<S> {
    nodes: Vec<Node<S>>,
    waiting: Waiting,
    /// In a graph search, the index of the node with the fewest moves to each state.
    known: HashTable<u32>,
    /// The heap bytes of the states of the nodes.
    heap: usize,
}

/// The indices of the waiting nodes.
enum Waiting {
    /// First in, first out: all nodes from this index on.
    From(u32),
    /// The key of each node with its index, least first.
    Ordered(BinaryHeap<Reverse<(u64, u32)>>),
}

/// Searches from the problem's state until the next node of the queue solves the problem or the queue is empty.
pub(super) fn best_first<R: BatchReasoner, H: Heuristic<R>, O: Observer>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    heuristic: H,
    priority: Priority,
    budget: &Budget,
    observer: O,
) -> Result<Outcome<Plan>, SearchError> {
    let search = Search::start(reasoner, problem, budget, observer)?;
    let waiting = match priority {
        Priority::None => Waiting::From(0),
        Priority::ToGo | Priority::Total => Waiting::Ordered(BinaryHeap::new()),
    };
    let queue = Queue { nodes: Vec::new(), waiting, known: HashTable::new(), heap: 0 };
    let mut best_first = BestFirst { search, heuristic, priority, queue, ahead: 0 };
    let end = best_first.run();
    best_first.search.finish(end)
}

struct BestFirst<'a, R: Reasoner, H, O> {
    search: Search<'a, R, O>,
    heuristic: H,
    priority: Priority,
    queue: Queue<R::State>,
    /// The bytes that the lookahead uses.
    ahead: usize,
}

impl<R: BatchReasoner, H: Heuristic<R>, O: Observer> BestFirst<'_, R, H, O> {
    fn run(&mut self) -> Result<(), Halt> {
        self.add(Cow::Borrowed(self.search.problem.state), None, 0)?;
        let mut lookahead = Lookahead::new();
        loop {
            self.show_queue();
            let Some(index) = self.queue.next() else { return Ok(()) };
            let Node { ref state, depth, number, .. } = self.queue.nodes[index as usize];
            let state = state.clone();
            if self.queue.fewest_moves(&state).is_some_and(|known| known < depth) {
                // A shorter line has reached this state since the node was stored.
                self.search.observer.observe(&Event::Repeated { node: number });
                continue;
            }
            // First in, first out: the nodes that come next are those that follow in the list.
            if self.priority == Priority::None && !self.search.meter.is_at_horizon(depth) {
                if self.look_up(index, &mut lookahead)? {
                    return Ok(());
                }
                continue;
            }
            if let Some(utility) = self.search.end(number, &state)? {
                if self.search.take(utility, || self.queue.line(index)) {
                    return Ok(());
                }
                continue;
            }
            if self.search.meter.at_horizon(depth) {
                self.search.observer.observe(&Event::Beyond { node: number });
                continue;
            }
            for chosen in self.search.expand(number, &state)? {
                let next = self.search.reasoner.next_state(&state, &[chosen])?;
                self.add(Cow::Owned(next), Some((index, chosen)), depth + 1)?;
            }
        }
    }

    /// Processes a node with the answers of the lookahead; returns whether the problem is solved.
    fn look_up(&mut self, index: u32, lookahead: &mut Lookahead<R::State>) -> Result<bool, Halt> {
        let Node { depth, number, .. } = self.queue.nodes[index as usize];
        let coming = self.queue.nodes[index as usize..].iter();
        let near = coming.take_while(|node| !self.search.meter.is_at_horizon(node.depth)).map(|node| &node.state);
        let expansion = lookahead.get(self.search.reasoner, index as usize, near)?;
        self.ahead = expansion.bytes;
        match expansion.of {
            Expansion::End(goals) => {
                let utility = self.search.end_worth(number, &goals[PLAYER.index()])?;
                Ok(self.search.take(utility, || self.queue.line(index)))
            }
            Expansion::Turn(turn) => {
                self.search.begin_expansion(number);
                for move_index in self.search.problem.order.indices(turn.legal(PLAYER)) {
                    let from = Some((index, turn.legal(PLAYER)[move_index]));
                    let state = &self.queue.nodes[index as usize].state;
                    let after = turn.successor(self.search.reasoner, state, move_index)?;
                    self.add(after, from, depth + 1)?;
                }
                Ok(false)
            }
        }
    }

    /// Adds a state to the queue, unless it is known or cannot lead to a goal.
    fn add(&mut self, state: Cow<'_, R::State>, from: Option<(u32, Move)>, depth: u32) -> Result<(), Halt> {
        let estimate = match self.priority {
            Priority::None => None,
            _ => {
                let to_go = self.heuristic.estimate(self.search.reasoner, &state)?;
                Some(Estimate { so_far: u64::from(depth), to_go })
            }
        };
        let parent = from.map(|(index, chosen)| (self.queue.nodes[index as usize].number, chosen));
        let number = self.search.generate(parent, depth, estimate)?;
        let order = match (self.priority, estimate) {
            (Priority::None, _) | (_, None) => Some(0),
            (Priority::ToGo, Some(estimate)) => estimate.to_go,
            (Priority::Total, Some(estimate)) => estimate.total(),
        };
        let Some(order) = order else {
            self.search.observer.observe(&Event::Beyond { node: number });
            return Ok(());
        };
        if self.search.problem.form == Form::Graph && !self.is_news(&state, depth) {
            self.search.observer.observe(&Event::Repeated { node: number });
            return Ok(());
        }
        let heap = self.search.reasoner.heap_bytes(&state);
        let bytes = self.queue.bytes_for_next(heap) + self.ahead as u64;
        match self.queue.index(&state) {
            _ if self.search.problem.form == Form::Tree => self.search.meter.holds(bytes)?,
            Some(_) => self.search.meter.holds(bytes)?,
            None => self.search.meter.remember(bytes)?,
        }
        self.queue.add(Node { state: state.into_owned(), from, depth, number }, order, heap, self.search.problem.form);
        Ok(())
    }

    /// Whether the state is new or, in a search by whole cost, reached by a shorter line than before.
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

impl<S: Hash + Eq> Queue<S> {
    fn next(&mut self) -> Option<u32> {
        match &mut self.waiting {
            Waiting::From(index) if (*index as usize) < self.nodes.len() => {
                *index += 1;
                Some(*index - 1)
            }
            Waiting::From(_) => None,
            Waiting::Ordered(waiting) => waiting.pop().map(|Reverse((_, index))| index),
        }
    }

    /// In a graph search, the index of the node with the fewest moves to a state.
    fn index(&self, state: &S) -> Option<u32> {
        self.known.find(memory::hash(state), |&index| self.nodes[index as usize].state == *state).copied()
    }

    /// In a graph search, the fewest moves known to a state.
    fn fewest_moves(&self, state: &S) -> Option<u32> {
        self.index(state).map(|index| self.nodes[index as usize].depth)
    }

    /// The bytes in use while one more node is added whose state has `heap` bytes on the heap.
    fn bytes_for_next(&self, heap: usize) -> u64 {
        let waiting = match &self.waiting {
            Waiting::From(_) => 0,
            Waiting::Ordered(waiting) => {
                let doubled = if waiting.len() == waiting.capacity() { 2 } else { 1 };
                doubled * waiting.capacity() * size_of::<Reverse<(u64, u32)>>()
            }
        };
        let nodes = memory::list_bytes_for_next(&self.nodes);
        (nodes + waiting + memory::table_bytes_for_next(&self.known) + self.heap + heap) as u64
    }

    /// Adds a waiting node. In a graph search its state must be new, or known only by a longer line.
    fn add(&mut self, node: Node<S>, order: u64, heap: usize, form: Form) {
        let index = to_u32(self.nodes.len());
        let nodes = &self.nodes;
        if form == Form::Graph {
            let same = |&other: &u32| nodes[other as usize].state == node.state;
            let rehash = |&other: &u32| memory::hash(&nodes[other as usize].state);
            *self.known.entry(memory::hash(&node.state), same, rehash).or_insert(index).get_mut() = index;
        }
        memory::push(&mut self.nodes, node);
        self.heap += heap;
        if let Waiting::Ordered(waiting) = &mut self.waiting {
            waiting.push(Reverse((order, index)));
        }
    }

    /// The moves from the first node to this one, and all nodes on that line.
    fn line(&self, index: u32) -> (Vec<Move>, Vec<NodeId>) {
        let mut node = &self.nodes[index as usize];
        let (mut moves, mut nodes) = (Vec::new(), vec![node.number]);
        while let Some((before, chosen)) = node.from {
            node = &self.nodes[before as usize];
            moves.push(chosen);
            nodes.push(node.number);
        }
        moves.reverse();
        nodes.reverse();
        (moves, nodes)
    }

    /// The waiting nodes, in the order in which they will be removed.
    fn list(&self, ordered: bool) -> Vec<(NodeId, Option<u64>)> {
        let mut waiting: Vec<(u64, u32)> = match &self.waiting {
            &Waiting::From(index) => (index..to_u32(self.nodes.len())).map(|index| (0, index)).collect(),
            Waiting::Ordered(waiting) => waiting.iter().map(|&Reverse(entry)| entry).collect(),
        };
        waiting.sort_unstable();
        let entry = |(order, index): (u64, u32)| (self.nodes[index as usize].number, ordered.then_some(order));
        waiting.into_iter().map(entry).collect()
    }
}
