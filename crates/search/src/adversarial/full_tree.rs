//! Searches of the whole tree, where nothing is pruned: minimax, negamax, maxn and expectimax.
//!
//! Such a search is defined by its [`Backup`]: how the value of a state follows from those of its successors, decision
//! by decision. Two drivers apply it: node by node ([`FullTree`]), and in batches of states ([`Subtrees`]). The second
//! begins below the first choices once a search has visited many nodes, if no observer is on, no table remembers states
//! and nodes are not limited. Both find the same values, lines and counts.

mod subtrees;

use super::contest::{Arrival, ContestSearch, NodeStatus, TurnNode};
use super::line::{BestSoFar, Variation};
use super::turn::{RoleTurn, set_moves};
use crate::memory::StateTable;
use crate::outcome::Halt;
use crate::{Event, Guarantee, NodeId, Observer};
use gdl::number::to_u32;
use ggp_game::stack::{with_room, with_room_at};
use ggp_game::{BatchReasoner, Move, ReasonError, Reasoner, Role, Utility};
use std::hash::Hash;
use std::ops::Range;
use subtrees::Subtrees;

/// The rule by which the value of a state follows from those of its successors.
pub(super) trait Backup<R: Reasoner> {
    /// One of the numbers that a value consists of.
    type Number: Copy;

    /// The value of a state.
    type Value: Clone + PartialEq;

    /// The decision of one role in one state, while its moves are searched.
    type Decision: Decision<Self::Number>;

    /// The number of numbers of a value: one, or one for each role.
    #[inline]
    fn count(&self) -> usize {
        1
    }

    /// The value that has these numbers.
    fn value_of(&mut self, numbers: &[Self::Number]) -> Self::Value;

    /// The numbers of a value.
    fn numbers(value: &Self::Value) -> &[Self::Number];

    /// Keeps the memory of a value that is no longer needed for the next one.
    fn give_back(&mut self, _: Self::Value) {}

    /// The bytes that a value has on the heap.
    #[inline]
    fn heap(_: &Self::Value) -> usize {
        0
    }

    /// Adds the value of a terminal state. `goal` is the utility of a role.
    ///
    /// # Errors
    /// If the rules give a role no goal that is asked for, or more than one.
    fn end(
        &self,
        goal: impl FnMut(Role) -> Result<Utility, ReasonError>,
        values: &mut Vec<Self::Number>,
    ) -> Result<(), ReasonError>;

    /// Adds the value of a state at the horizon. Without an evaluation it is the same for all states.
    fn estimate<O: Observer>(
        &self,
        search: &mut ContestSearch<'_, R, O>,
        state: &R::State,
        values: &mut Vec<Self::Number>,
    ) -> Result<(), Halt>;

    /// True if all other roles make one decision together, in reply to the role that asks.
    const REPLIES: bool = false;

    /// True for a role that moves at random, and therefore decides last.
    #[inline]
    fn is_random(&self, _: Role) -> bool {
        false
    }

    /// True if decisions depend on nothing but values, so that states can be searched in batches.
    #[inline]
    fn is_for_batches(&self) -> bool {
        true
    }

    /// True if no decision is a mean, so that lines lead to their values.
    #[inline]
    fn has_lines(&self) -> bool {
        true
    }

    /// The decision of a role that has this many moves, of which no value is known yet.
    fn decision(&self, role: Role, moves: usize) -> Self::Decision;

    /// Prepares the decisions of a turn that depend on its state.
    fn begin_turn<O: Observer>(
        &mut self,
        _: &mut ContestSearch<'_, R, O>,
        _: &R::State,
        _: &RoleTurn<R::State>,
    ) -> Result<(), Halt> {
        Ok(())
    }

    /// Forgets what was prepared for the turn that was begun last.
    fn end_turn(&mut self) {}

    /// Notes the value of a first move of the role that asks, which has `count` moves.
    fn note_first(&mut self, _chosen: Move, _count: usize, _value: &Self::Value) {}

    /// Reports the value of a node to the observer.
    fn tell<O: Observer>(
        &self,
        search: &mut ContestSearch<'_, R, O>,
        node: NodeId,
        value: &Self::Value,
        arrival: &Arrival<'_>,
    );
}

/// A decision of a role: the values of its moves are taken one after the other, in canonical order.
pub(super) trait Decision<N> {
    /// The probability of a move, where a model predicts it. Moves that are never made are not searched.
    #[inline]
    fn probability(&self, _: usize) -> Option<f64> {
        None
    }

    /// Takes the value of a move; true if the best line so far is now that of this move.
    fn take(&mut self, index: usize, value: &[N]) -> bool;

    /// The result, once the values of all moves are taken.
    fn settled(&self) -> DecisionResult<N>;

    /// The result as far as it is known before the values of all moves are.
    #[inline]
    fn so_far(&self) -> DecisionResult<N> {
        self.settled()
    }

    /// The bound that the best of some moves is on the value.
    #[inline]
    fn guarantee(&self) -> Guarantee {
        Guarantee::AtLeast
    }
}

/// The result of a decision.
pub(super) enum DecisionResult<N> {
    /// The best line with its value.
    Best,
    /// The best line, with this value.
    Valued(N),
    /// A mean, behind which no line goes on.
    Mean(N),
}

/// Adds the value of a state in which at most one role chooses, from those of its successors in canonical order. Returns
/// the index of the successor to which the line leads, and true if the line goes on behind it: it does not behind a mean.
pub(super) fn choose<R: Reasoner, B: Backup<R>>(
    backup: &B,
    role: Role,
    successors: &[B::Number],
    values: &mut Vec<B::Number>,
) -> (usize, bool) {
    let count = backup.count();
    let mut decision = backup.decision(role, successors.len() / count);
    let mut index = 0;
    for (next, value) in successors.chunks_exact(count).enumerate() {
        if decision.take(next, value) {
            index = next;
        }
    }
    match decision.settled() {
        DecisionResult::Best => values.extend_from_slice(&successors[index * count..(index + 1) * count]),
        DecisionResult::Valued(value) => values.push(value),
        DecisionResult::Mean(mean) => {
            values.push(mean);
            return (index, false);
        }
    }
    (index, true)
}

/// A search of the whole tree that has ended.
pub(super) struct TreeResult<'a, R: Reasoner, O, V> {
    pub(super) search: ContestSearch<'a, R, O>,
    /// The line that was found.
    pub(super) end: Result<Variation<V>, Halt>,
    pub(super) so_far: BestSoFar<V>,
}

/// Searches the whole tree below a state, and remembers the values of states if `table`.
pub(super) fn search_tree<'a, R: BatchReasoner, O: Observer, B: Backup<R>>(
    search: ContestSearch<'a, R, O>,
    state: &R::State,
    backup: &mut B,
    table: bool,
) -> TreeResult<'a, R, O, B::Value> {
    let mut known = table.then(StateTable::default);
    let mut tree = FullTree::new(search, backup, &mut known);
    let mut end = tree.run(state);
    tree.continue_line(state, &mut end);
    let FullTree { search, so_far, .. } = tree;
    TreeResult { search, end, so_far }
}

/// The decisions of a turn, made one after the other.
impl<S> RoleTurn<S> {
    /// The roles of a decision.
    #[inline]
    fn roles(&self, decision: usize) -> Range<usize> {
        let start = decision.checked_sub(1).map_or(0, |before| self.decisions[before].end);
        start..self.decisions[decision].end
    }

    /// The first of the roles of a decision, and the number of their moves.
    #[inline]
    fn decision(&self, decision: usize) -> (Role, usize) {
        (self.deciding[self.roles(decision).start], self.decisions[decision].moves)
    }

    /// True for the last decision, which is the open one.
    #[inline]
    fn is_last(&self, decision: usize) -> bool {
        decision + 1 == self.decisions.len()
    }

    /// The first decision that is a choice; the last if there is none.
    #[inline]
    fn first_choice(&self) -> usize {
        // Of the others only those that have a choice decide.
        usize::from(self.decisions[0].moves == 1 && self.decisions.len() > 1)
    }

    /// Makes the move with an index in a decision that is not the last. No successor is known then.
    #[inline]
    fn choose(&mut self, decision: usize, index: usize) {
        self.forget_states();
        let roles = self.roles(decision);
        set_moves(&mut self.joint_moves, &self.deciding[roles], index);
    }
}

/// The values of searched states, if the search remembers them. With a horizon a state has a value for each number of
/// joint moves that are left, so a search that remembers finds the same values as one that does not.
type KnownValues<S, V> = Option<StateTable<(S, u32), V>>;

/// A running search of the whole tree.
struct FullTree<'a, 'b, R: Reasoner, O, B: Backup<R>> {
    search: ContestSearch<'a, R, O>,
    backup: &'b mut B,
    known: &'b mut KnownValues<R::State, B::Value>,
    subtrees: Subtrees<B::Number>,
    so_far: BestSoFar<B::Value>,
    /// Scratch: the numbers of a value.
    numbers: Vec<B::Number>,
    /// True if the first state is that of the whole search; false in a search for the rest of its line, which notes no
    /// first moves.
    is_whole: bool,
}

impl<'a, 'b, R: BatchReasoner, O: Observer, B: Backup<R>> FullTree<'a, 'b, R, O, B> {
    /// A search that has visited nothing yet.
    #[inline]
    fn new(search: ContestSearch<'a, R, O>, backup: &'b mut B, known: &'b mut KnownValues<R::State, B::Value>) -> Self {
        let subtrees = Subtrees::new(&search, backup.is_for_batches() && known.is_none());
        Self { search, backup, known, subtrees, so_far: BestSoFar::new(), numbers: Vec::new(), is_whole: true }
    }

    /// Searches from the first state.
    #[inline]
    fn run(&mut self, state: &R::State) -> Result<Variation<B::Value>, Halt> {
        let value = self.visit(state, &Arrival::ROOT)?;
        Ok(self.search.lines.result(value))
    }

    /// The value of a state. Its line is left on the stack of lines.
    fn visit(&mut self, state: &R::State, arrival: &Arrival<'_>) -> Result<B::Value, Halt> {
        if let Some(value) = self.subtrees.search(&mut self.search, self.backup, state, arrival)? {
            return Ok(value);
        }
        let (node, status) = self.search.enter(state, arrival)?;
        let known = if status == NodeStatus::Inner { self.find_known(state, arrival) } else { None };
        let value = match known {
            Some(value) => {
                self.search.observer.observe(&Event::Repeated { node });
                self.search.lines.end(node);
                value
            }
            None if status == NodeStatus::Inner => {
                let value = self.decisions(state, node, arrival)?;
                self.remember(state, arrival, &value)?;
                value
            }
            None => {
                self.search.lines.end(node);
                self.leaf(state, status)?
            }
        };
        if self.search.observer.is_on() {
            self.backup.tell(&mut self.search, node, &value, arrival);
        }
        Ok(value)
    }

    /// The remembered value of a state. The first state is always searched, since its move is needed.
    #[inline]
    fn find_known(&self, state: &R::State, arrival: &Arrival<'_>) -> Option<B::Value> {
        if arrival.depth == 0 {
            return None;
        }
        let table = self.known.as_ref()?;
        find(table, state, self.search.remaining(arrival)).map(|number| table.value(number).clone())
    }

    /// Remembers the value of a state, if the search remembers any.
    #[inline]
    fn remember(&mut self, state: &R::State, arrival: &Arrival<'_>, value: &B::Value) -> Result<(), Halt> {
        let Some(table) = &mut *self.known else { return Ok(()) };
        let remaining = self.search.remaining(arrival);
        match find(table, state, remaining) {
            // The first state is searched even if it is known.
            Some(number) => *table.value_mut(number) = value.clone(),
            None => {
                let heap = self.search.reasoner.heap_bytes(state) + B::heap(value);
                self.search.meter.remember(table.bytes_for_next(heap))?;
                table.insert((state.clone(), remaining), value.clone(), heap);
            }
        }
        Ok(())
    }

    /// The value of a state where no line goes on.
    fn leaf(&mut self, state: &R::State, status: NodeStatus) -> Result<B::Value, Halt> {
        self.numbers.clear();
        if status == NodeStatus::End {
            let reasoner = &mut *self.search.reasoner;
            self.backup.end(|role| reasoner.goal(state, role), &mut self.numbers)?;
        } else {
            self.backup.estimate(&mut self.search, state, &mut self.numbers)?;
        }
        Ok(self.backup.value_of(&self.numbers))
    }

    /// The value of a state that is not terminal, from the values of its successors.
    fn decisions(&mut self, state: &R::State, node: NodeId, arrival: &Arrival<'_>) -> Result<B::Value, Halt> {
        let Self { search, backup, .. } = self;
        search.tell_expanded(node, None);
        let mut turn = search.decisions(state, B::REPLIES, |role| backup.is_random(role))?;
        backup.begin_turn(search, state, &turn)?;
        // Of a role that has one move only the first is noted.
        let first = if arrival.depth == 0 { 0 } else { turn.first_choice() };
        let value = self.decide(&mut TurnNode { state, node, arrival, turn: &mut turn }, first, None)?;
        self.backup.end_turn();
        self.search.spare_turns.push(turn);
        Ok(value)
    }

    /// The value after a decision and those after it, recursively. `before` is the probability of the decisions before
    /// it, where a model predicts them.
    fn decide(
        &mut self,
        at: &mut TurnNode<'_, R::State>,
        number: usize,
        before: Option<f64>,
    ) -> Result<B::Value, Halt> {
        let (role, count) = at.turn.decision(number);
        let mut decision = self.backup.decision(role, count);
        let is_noted = at.is_first_choice() && number == at.turn.first_choice();
        let is_first = self.is_whole && at.arrival.depth == 0 && number == 0;
        if is_noted {
            self.so_far.begin(count, decision.guarantee());
        }
        let best_line = self.search.lines.top();
        let mut best: Option<B::Value> = None;
        for index in 0..count {
            let own = decision.probability(index);
            if own == Some(0.0) {
                continue;
            }
            let probability = own.map_or(before, |own| Some(before.unwrap_or(1.0) * own));
            let line = self.search.lines.top();
            let value = self.value_after(at, number, index, probability)?;
            if is_first {
                let chosen = at.turn.joint_moves.current()[self.search.role.index()];
                self.backup.note_first(chosen, count, &value);
            }
            let worse = if decision.take(index, B::numbers(&value)) {
                self.search.lines.replace(best_line, line);
                best.replace(value)
            } else {
                self.search.lines.drop_from(line);
                Some(value)
            };
            if let Some(worse) = worse {
                self.backup.give_back(worse);
            }
            // If the search is stopped later, it answers with the moves that are finished now.
            if is_noted && let Some(best) = &best {
                let value = match decision.so_far() {
                    DecisionResult::Best => best.clone(),
                    DecisionResult::Valued(value) | DecisionResult::Mean(value) => self.backup.value_of(&[value]),
                };
                self.so_far.note(self.search.lines.line(value, best_line));
            }
        }
        let best = best.expect("a role that decides has a move of positive probability");
        Ok(match decision.settled() {
            DecisionResult::Best => best,
            DecisionResult::Valued(value) => self.backup.value_of(&[value]),
            DecisionResult::Mean(mean) => {
                self.search.lines.keep_first(best_line, at.node);
                self.backup.value_of(&[mean])
            }
        })
    }

    /// The value after the move with an index in a decision.
    fn value_after(
        &mut self,
        at: &mut TurnNode<'_, R::State>,
        number: usize,
        index: usize,
        probability: Option<f64>,
    ) -> Result<B::Value, Halt> {
        if !at.turn.is_last(number) {
            at.turn.choose(number, index);
            return with_room_at(to_u32(number), || self.decide(at, number + 1, probability));
        }
        let next = at.turn.make(self.search.reasoner, at.state, index)?;
        let mut arrival = at.arrival.after(at.node, next.joint_move, next.choosing);
        arrival.probability = probability;
        let end = with_room(|| self.visit(next.state, &arrival));
        if end.is_err() && at.arrival.is_before_choice(next.choosing) {
            self.so_far.prepend(next.joint_move, at.node);
        }
        let value = end?;
        self.search.lines.prepend(next.joint_move, at.node);
        Ok(value)
    }

    /// Continues the line of a search that has ended, if it ends in a state whose value was remembered.
    fn continue_line(&mut self, first: &R::State, end: &mut Result<Variation<B::Value>, Halt>) {
        let Self { search, backup, known, so_far, .. } = self;
        if known.is_none() || !backup.has_lines() {
            return;
        }
        if let Some(found) = so_far.known_line(end) {
            search.continue_line(first, found, |search, state| {
                FullTree { is_whole: false, ..FullTree::new(search, *backup, *known) }.run(state).ok()
            });
        }
    }
}

/// The number of a remembered state with this many joint moves left; the state is not cloned to look it up.
#[inline]
fn find<S: Eq + Hash, V>(table: &StateTable<(S, u32), V>, state: &S, remaining: u32) -> Option<u32> {
    table.find_like(&(state, remaining), |(known, left)| known == state && *left == remaining)
}
