//! What minimax and negamax share: one role against all others. They differ in the rule by which the two sides choose.

use super::arrival::{Arrival, Here};
use super::backup::{Backup, Chosen, first_best};
use super::contest::{Choice, Contest, Search};
use super::found::Found;
use super::full_tree::{FullTree, FullWidth};
use super::remembered::Remembered;
use super::turn::{Expanded, RoleTurn};
use super::value::{Scale, Value};
use crate::game::{BatchReasoner, ReasonError, Reasoner, Role, Utility};
use crate::search::outcome::Halt;
use crate::search::{Budget, Guarantee, NodeId, Observer, Outcome, SearchError};
use crate::stack::with_room;

/// The rule by which the two sides of a search choose.
pub(super) trait Rule: Copy {
    /// Whether the value of a node is reported for the side that has moved there, and not for the role that asks.
    fn is_sided(self) -> bool;

    /// The value for the role of a node that is not terminal, and the line that leads to it. Each first move is noted
    /// ([`FullTree::note_option`], [`FullTree::note_reply`]), and what comes of a reply is found by
    /// [`FullTree::after_reply`].
    fn choose<R: BatchReasoner, O: Observer>(
        self,
        tree: &mut FullTree<'_, '_, R, O, AgainstAll<Self>>,
        node: Expanded<'_, R::State>,
    ) -> Result<Found<Value>, Halt>;
}

/// Searches the whole tree below a state by a rule.
pub(super) fn two_sided<R: BatchReasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
    rule: impl Rule,
) -> Result<Outcome<Choice>, SearchError> {
    let mut known = Remembered::new(contest.table);
    let (mut search, state) = Search::start(reasoner, contest, budget, observer);
    search.task.is_sided = rule.is_sided();
    let mut backup = AgainstAll { rule, role: search.task.role, scale: search.task.scale };
    let mut tree = FullTree::new(search, &mut backup, &mut known, true);
    let mut end = tree.value(state, Arrival::ROOT);
    tree.continue_line(state, &mut end);
    let FullTree { search, so_far, .. } = tree;
    search.finish(end, so_far)
}

/// Values for the role that asks: it takes the greatest, the others the least.
pub(super) struct AgainstAll<C> {
    rule: C,
    role: Role,
    scale: Scale,
}

impl<C> Backup for AgainstAll<C> {
    type Number = Value;
    type Value = Value;

    fn value(&mut self, numbers: &[Value]) -> Value {
        numbers[0]
    }

    fn end(
        &self,
        mut goal: impl FnMut(Role) -> Result<Utility, ReasonError>,
        values: &mut Vec<Value>,
    ) -> Result<(), ReasonError> {
        values.push(self.scale.value(goal(self.role)?));
        Ok(())
    }

    fn estimate<R: Reasoner, O: Observer>(
        &self,
        search: &mut Search<'_, R, O>,
        state: &R::State,
        values: &mut Vec<Value>,
    ) -> Result<(), Halt> {
        values.push(search.estimate(state)?);
        Ok(())
    }

    fn choose(&self, chooser: Option<Role>, successors: &[Value], values: &mut Vec<Value>) -> Chosen {
        let index = match chooser == Some(self.role) {
            true => first_best(successors.len(), |one, best| successors[one] > successors[best]),
            false => first_best(successors.len(), |one, best| successors[one] < successors[best]),
        };
        values.push(successors[index]);
        Chosen { index, goes_on: true }
    }
}

impl<R: BatchReasoner, C: Rule> FullWidth<R> for AgainstAll<C> {
    fn turn<O: Observer>(
        tree: &mut FullTree<'_, '_, R, O, Self>,
        state: &R::State,
        node: NodeId,
        arrival: Arrival<'_>,
    ) -> Result<Found<Value>, Halt> {
        let mut turn = tree.search.turn(state)?;
        tree.search.tell_expanded(node, None);
        let RoleTurn { moves, successors } = &mut *turn;
        let here = Here { node, arrival, choosing: &moves.choosing };
        tree.so_far.begin_turn(here.first_choice(tree.search.task.role), moves);
        let rule = tree.backup.rule;
        let found = rule.choose(tree, Expanded { state, here, moves, successors })?;
        tree.search.memory.turns.give_back(turn);
        Ok(found)
    }

    fn tell<O: Observer>(search: &mut Search<'_, R, O>, node: NodeId, value: &Value, arrival: Arrival<'_>) {
        search.tell_value(node, *value, arrival);
    }
}

impl<R: BatchReasoner, O: Observer, C: Rule> FullTree<'_, '_, R, O, AgainstAll<C>> {
    /// The value for the role of the state after the reply at a position, and the line from that state on.
    pub(super) fn after_reply(
        &mut self,
        node: &mut Expanded<'_, R::State>,
        reply: usize,
    ) -> Result<Found<Value>, Halt> {
        let (here, joint_move) = (node.here, node.moves.joint_move(reply));
        let next = node.successor(self.search.reasoner, reply)?;
        let found = with_room(|| self.value(next, here.next(joint_move)));
        if found.is_err() && here.is_before_choice() {
            self.so_far.came_by(joint_move, here.node);
        }
        found
    }

    /// Notes the others' best reply so far if they have the first choice; `value` is its value for the role.
    pub(super) fn note_reply(&mut self, here: Here<'_>, worst: Option<&Found<Value>>, value: fn(Value) -> Value) {
        if let Some(worst) = worst
            && here.first_choice(self.search.task.role) == Some(Guarantee::AtMost)
        {
            self.so_far.note(worst, value(worst.value));
        }
    }

    /// Keeps what was found for an option of the role if it is better than the best before it; of the first state also
    /// notes the move, and the best so far for the case that the search is stopped.
    pub(super) fn note_option(&mut self, here: Here<'_>, found: Found<Value>, best: &mut Option<Found<Value>>) {
        let is_first = here.arrival.depth == 0;
        if is_first {
            self.search.note_first(&found, best.as_ref());
            self.search.rate_first(&found);
        }
        match best {
            Some(best) if found.value <= best.value => self.search.memory.lines.give_back(found),
            _ => self.search.memory.lines.replace(best, found),
        }
        if let Some(best) = best
            && here.first_choice(self.search.task.role) == Some(Guarantee::AtLeast)
        {
            self.so_far.note(best, best.value);
        }
    }
}
