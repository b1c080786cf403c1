//! Searches of the whole tree, where nothing is pruned: minimax, negamax, maxn and expectimax.
//!
//! What defines such a search is how values come back to a state ([`Backup`]). Two drivers apply it: node by node
//! ([`FullTree`]), and in batches of states ([`Subtrees`]). Both find the same values, lines and counts.

use super::arrival::{Arrival, VisitedNode};
use super::backup::{Backup, Decision, DecisionResult, FirstMove};
use super::best_so_far::BestSoFar;
use super::contest::{ContestSearch, NodeStatus};
use super::continued_line::known_line;
use super::remembered_values::RememberedValues;
use super::role_by_role::{Deciders, MadeMove, PartialTurn};
use super::subtrees::Subtrees;
use super::valued_line::ValuedLine;
use crate::game::{BatchReasoner, Reasoner};
use crate::number::to_u32;
use crate::search::outcome::Halt;
use crate::search::{NodeId, Observer};
use crate::stack::{with_room, with_room_at};

/// A search of the whole tree that has ended.
pub(super) struct SearchedTree<'a, R: Reasoner, O, V> {
    pub(super) search: ContestSearch<'a, R, O>,
    /// The line that was found.
    pub(super) end: Result<ValuedLine<V>, Halt>,
    pub(super) so_far: BestSoFar<V>,
}

/// Searches the whole tree below a state, and remembers the values of states if `table`.
pub(super) fn search_tree<'a, R: BatchReasoner, O: Observer, B: Backup<R>>(
    search: ContestSearch<'a, R, O>,
    state: &R::State,
    backup: &mut B,
    table: bool,
) -> SearchedTree<'a, R, O, B::Value> {
    let mut known = RememberedValues::new(table);
    let mut tree = FullTree::new(search, backup, &mut known);
    let mut end = tree.value(state, &Arrival::ROOT);
    tree.continue_line(state, &mut end);
    let FullTree { search, so_far, .. } = tree;
    SearchedTree { search, end, so_far }
}

/// A running search of the whole tree.
struct FullTree<'a, 'b, R: Reasoner, O, B: Backup<R>> {
    search: ContestSearch<'a, R, O>,
    backup: &'b mut B,
    known: &'b mut RememberedValues<R::State, B::Value>,
    subtrees: Subtrees<B::Number>,
    so_far: BestSoFar<B::Value>,
    /// Scratch: the numbers of a value.
    numbers: Vec<B::Number>,
    /// Whether the first state is that of the whole search, and not of the rest of its line.
    is_whole: bool,
}

impl<'a, 'b, R: BatchReasoner, O: Observer, B: Backup<R>> FullTree<'a, 'b, R, O, B> {
    /// A search that has visited nothing yet.
    fn new(
        search: ContestSearch<'a, R, O>,
        backup: &'b mut B,
        known: &'b mut RememberedValues<R::State, B::Value>,
    ) -> Self {
        let subtrees = Subtrees::new(&search, backup.is_for_batches() && !known.is_on());
        Self { search, backup, known, subtrees, so_far: BestSoFar::new(), numbers: Vec::new(), is_whole: true }
    }

    /// The value of a state, and the line that leads to it.
    fn value(&mut self, state: &R::State, arrival: &Arrival<'_>) -> Result<ValuedLine<B::Value>, Halt> {
        if let Some(found) = self.subtrees.value(&mut self.search, self.backup, state, arrival)? {
            return Ok(found);
        }
        let (node, status) = self.search.enter(state, arrival)?;
        let known = if status == NodeStatus::Inner { self.known.value(&self.search, state, arrival) } else { None };
        let found = match known {
            Some(value) => {
                self.search.tell_repeated(node);
                self.search.memory.lines.end(value, node)
            }
            None if status == NodeStatus::Inner => {
                let found = self.turn(state, node, arrival)?;
                if self.known.is_on() {
                    let heap = B::heap(&found.value);
                    self.known.store(&mut self.search, state, arrival, found.value.clone(), heap)?;
                }
                found
            }
            None => {
                let value = self.leaf(state, status)?;
                self.search.memory.lines.end(value, node)
            }
        };
        if self.search.observer.is_on() {
            B::tell(&mut self.search, node, &found.value, arrival);
        }
        Ok(found)
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
        Ok(self.backup.value(&self.numbers))
    }

    /// The value of a state that is not terminal, from the values of its successors, and the line that leads to it.
    fn turn(&mut self, state: &R::State, node: NodeId, arrival: &Arrival<'_>) -> Result<ValuedLine<B::Value>, Halt> {
        let Self { search, backup, .. } = self;
        let is_random = |role| backup.is_random(role);
        let deciders = Deciders { first: search.task.role, together: B::REPLIES, is_random };
        let mut turn = search.partial_turn(state, node, arrival, &deciders)?;
        backup.begin_turn(search, state, &turn.choices)?;
        // Of a role that has one move only the first is noted.
        let first = if arrival.depth == 0 { 0 } else { turn.choices.first_choice() };
        let found = self.decide(state, &mut turn, first)?;
        self.backup.end_turn();
        self.search.give_back_turn(turn);
        Ok(found)
    }

    /// The value after a decision and those after it, recursively, and the line that leads to it.
    fn decide(
        &mut self,
        state: &R::State,
        turn: &mut PartialTurn<'_, R::State>,
        number: usize,
    ) -> Result<ValuedLine<B::Value>, Halt> {
        let (role, count) = turn.choices.decision(number);
        let mut decision = self.backup.decision(role, count);
        let is_last = turn.choices.is_last(number);
        let is_noted = turn.is_first_choice() && number == turn.choices.first_choice();
        let is_first = self.is_whole && turn.arrival.depth == 0 && number == 0;
        if is_noted {
            self.so_far.begin(count, decision.guarantee());
        }
        let mut best: Option<ValuedLine<B::Value>> = None;
        for index in 0..count {
            let probability = decision.probability(index);
            if probability == Some(0.0) {
                continue;
            }
            let before = turn.probability;
            if let Some(own) = probability {
                turn.probability = Some(before.unwrap_or(1.0) * own);
            }
            let found = self.value_after(state, turn, number, index)?;
            if probability.is_some() {
                turn.probability = before;
            }
            if is_first {
                let chosen = turn.choices.joint_moves.current()[self.search.task.role.index()];
                let best = best.as_ref().map(|best| &best.value);
                self.backup.note_first(&mut self.search, FirstMove { chosen, of: count, value: &found.value, best });
            }
            let worse = if decision.take(index, B::numbers(&found.value)) {
                let joint_move = turn.choices.joint_moves.current();
                let lines = &mut self.search.memory.lines;
                best.replace(if is_last { lines.after(found, joint_move, turn.node) } else { found })
            } else {
                Some(found)
            };
            if let Some(worse) = worse {
                let value = self.search.memory.lines.value_of(worse);
                self.backup.give_back(value);
            }
            if let Some(best) = best.as_ref().filter(|_| is_noted) {
                let value = match decision.so_far() {
                    DecisionResult::Best => best.value.clone(),
                    DecisionResult::Valued(value) | DecisionResult::Mean(value) => self.backup.value(&[value]),
                };
                self.so_far.note(best, value);
            }
        }
        let best = best.expect("a role that decides has a move of positive probability");
        Ok(match decision.settled() {
            DecisionResult::Best => best,
            DecisionResult::Valued(value) => best.with(self.backup.value(&[value])),
            DecisionResult::Mean(mean) => best.only_first(self.backup.value(&[mean]), turn.node, self.search.roles()),
        })
    }

    /// The value after the move with an index in a decision, and the line from the next decision or state on.
    fn value_after(
        &mut self,
        state: &R::State,
        turn: &mut PartialTurn<'_, R::State>,
        number: usize,
        index: usize,
    ) -> Result<ValuedLine<B::Value>, Halt> {
        if !turn.choices.is_last(number) {
            turn.choices.choose(number, index);
            return with_room_at(to_u32(number), || self.decide(state, turn, number + 1));
        }
        let &mut PartialTurn { node, arrival, ref mut choices, probability } = turn;
        let MadeMove { next, joint_move, choosing } = choices.make(self.search.reasoner, state, index)?;
        let here = VisitedNode { node, arrival, choosing };
        let mut next_arrival = here.next(joint_move);
        next_arrival.probability = probability;
        let found = with_room(|| self.value(next, &next_arrival));
        if found.is_err() && here.is_before_choice() {
            self.so_far.prepend(joint_move, here.node);
        }
        found
    }

    /// Continues the line of a search that has ended, from where the value of a state was remembered.
    fn continue_line(&mut self, first: &R::State, end: &mut Result<ValuedLine<B::Value>, Halt>) {
        let Self { search, backup, known, so_far, .. } = self;
        if let Some(found) = known_line(end, so_far).filter(|_| known.is_on() && backup.has_lines()) {
            search.continue_line(first, found, |search, state| {
                let mut rest = FullTree { is_whole: false, ..FullTree::new(search, *backup, *known) };
                rest.value(state, &Arrival::ROOT).ok()
            });
        }
    }
}
