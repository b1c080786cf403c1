//! Searches of the whole tree, where nothing is pruned: minimax, negamax, maxn and expectimax.
//!
//! What defines such a search is how values come back to a state ([`Backup`]). Two drivers apply it: node by node
//! ([`FullTree`]), and in batches of states ([`Subtrees`]). Both find the same values, lines and counts.

use super::arrival::{Arrival, PartialTurn};
use super::backup::Backup;
use super::contest::{Met, Search};
use super::continued::known_line;
use super::found::Found;
use super::remembered::Remembered;
use super::so_far::SoFar;
use super::subtrees::Subtrees;
use crate::game::{BatchReasoner, Reasoner};
use crate::search::outcome::Halt;
use crate::search::{NodeId, Observer};
use crate::stack::with_room;

/// A search of the whole tree that also goes node by node.
pub(super) trait FullWidth<R: BatchReasoner>: Backup + Sized {
    /// The value of a state that is not terminal, from the values of its successors ([`FullTree::value`]), and the line
    /// that leads to it.
    fn turn<O: Observer>(
        tree: &mut FullTree<'_, '_, R, O, Self>,
        state: &R::State,
        node: NodeId,
        arrival: Arrival<'_>,
    ) -> Result<Found<Self::Value>, Halt>;

    /// Reports the value of a node to the observer.
    fn tell<O: Observer>(search: &mut Search<'_, R, O>, node: NodeId, value: &Self::Value, arrival: Arrival<'_>);
}

/// A running search of the whole tree.
pub(super) struct FullTree<'a, 'b, R: Reasoner, O, B: Backup> {
    pub(super) search: Search<'a, R, O>,
    pub(super) backup: &'b mut B,
    known: &'b mut Remembered<R::State, B::Value>,
    subtrees: Subtrees<B::Number>,
    pub(super) so_far: SoFar<B::Value>,
    /// Scratch: the numbers of a value.
    numbers: Vec<B::Number>,
}

impl<'a, 'b, R: BatchReasoner, O: Observer, B: FullWidth<R>> FullTree<'a, 'b, R, O, B> {
    /// A search that has visited nothing yet. Whole subtrees are searched in batches if `in_batches`.
    pub(super) fn new(
        search: Search<'a, R, O>,
        backup: &'b mut B,
        known: &'b mut Remembered<R::State, B::Value>,
        in_batches: bool,
    ) -> Self {
        let subtrees = Subtrees::new(&search, in_batches && !known.is_on());
        Self { search, backup, known, subtrees, so_far: SoFar::new(), numbers: Vec::new() }
    }

    /// The value of a state, and the line that leads to it.
    pub(super) fn value(&mut self, state: &R::State, arrival: Arrival<'_>) -> Result<Found<B::Value>, Halt> {
        if let Some(found) = self.subtrees.value(&mut self.search, self.backup, state, arrival)? {
            return Ok(found);
        }
        let (node, met) = self.search.enter(state, arrival)?;
        let known = if met == Met::Middle { self.known.value(&self.search, state, arrival) } else { None };
        let found = match known {
            Some(value) => {
                self.search.tell_repeated(node);
                self.search.memory.lines.end(value, node)
            }
            None if met == Met::Middle => {
                let found = B::turn(self, state, node, arrival)?;
                if self.known.is_on() {
                    let heap = B::heap(&found.value);
                    self.known.store(&mut self.search, state, arrival, (found.value.clone(), heap))?;
                }
                found
            }
            None => {
                let value = self.leaf(state, met)?;
                self.search.memory.lines.end(value, node)
            }
        };
        if self.search.observer.is_on() {
            B::tell(&mut self.search, node, &found.value, arrival);
        }
        Ok(found)
    }

    /// The value of a state where no line goes on.
    fn leaf(&mut self, state: &R::State, met: Met) -> Result<B::Value, Halt> {
        self.numbers.clear();
        if met == Met::End {
            let reasoner = &mut *self.search.reasoner;
            self.backup.end(|role| reasoner.goal(state, role), &mut self.numbers)?;
        } else {
            self.backup.estimate(&mut self.search, state, &mut self.numbers)?;
        }
        Ok(self.backup.value(&self.numbers))
    }

    /// The value after a turn in which all roles have decided, and the line that leads to it.
    pub(super) fn after(&mut self, state: &R::State, turn: &PartialTurn<'_>) -> Result<Found<B::Value>, Halt> {
        let (joint_move, arrival) = turn.made();
        let next = self.search.next_state(state, joint_move)?;
        let end = with_room(|| self.value(&next, arrival));
        self.search.memory.states.push(next);
        if end.is_err() && turn.here().is_before_choice() {
            self.so_far.came_by(joint_move, turn.node);
        }
        Ok(self.search.memory.lines.after(end?, joint_move, turn.node))
    }

    /// Continues the line of a search that has ended, from where the value of a state was remembered.
    pub(super) fn continue_line(&mut self, first: &R::State, end: &mut Result<Found<B::Value>, Halt>) {
        let Self { search, backup, known, so_far, .. } = self;
        if let Some(found) = known_line(end, so_far).filter(|_| known.is_on()) {
            search.continue_line(first, found, |search, state| {
                FullTree::new(search, *backup, *known, false).value(state, Arrival::ROOT).ok()
            });
        }
    }
}
