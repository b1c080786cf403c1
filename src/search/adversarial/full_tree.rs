//! What minimax and negamax share: the whole tree below a state, for one role against all others, where nothing is
//! pruned. They differ in the rule by which the two sides choose.

use super::arrival::{Arrival, Here};
use super::contest::{Choice, Contest, Met, Search};
use super::continued::known_line;
use super::found::Found;
use super::remembered::Remembered;
use super::so_far::SoFar;
use super::subtrees::{Backup, Chosen, Subtrees, first_best};
use super::turn::{Expanded, RoleTurn};
use super::value::Value;
use crate::game::{BatchReasoner, ReasonError, Reasoner, Role, Utility};
use crate::search::outcome::Halt;
use crate::search::{Budget, Guarantee, Observer, Outcome, SearchError};
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
        tree: &mut FullTree<'_, R, O, Self>,
        node: Expanded<'_, R::State>,
    ) -> Result<Found<Value>, Halt>;
}

/// A running search of the whole tree.
pub(super) struct FullTree<'a, R: Reasoner, O, C> {
    pub(super) search: Search<'a, R, O>,
    rule: C,
    known: Remembered<R::State, Value>,
    subtrees: Subtrees<Value>,
    so_far: SoFar<Value>,
}

/// Searches the whole tree below a state by a rule.
pub(super) fn full_tree<R: BatchReasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
    rule: impl Rule,
) -> Result<Outcome<Choice>, SearchError> {
    let known = Remembered::new(contest.table);
    let (mut search, state) = Search::start(reasoner, contest, budget, observer);
    search.is_sided = rule.is_sided();
    let subtrees = Subtrees::new(&search, !known.is_on());
    let mut tree = FullTree { search, rule, known, subtrees, so_far: SoFar::new() };
    let mut end = tree.value(state, Arrival::ROOT);
    let FullTree { mut search, mut so_far, mut known, .. } = tree;
    if let Some(found) = known_line(&mut end, &mut so_far).filter(|_| known.is_on()) {
        search.continue_line(state, found, |search, state| {
            let subtrees = Subtrees::new(&search, false);
            let mut tree = FullTree { search, rule, known: known.lend(), subtrees, so_far: SoFar::new() };
            let further = tree.value(state, Arrival::ROOT).ok();
            known = tree.known;
            further
        });
    }
    search.finish(end, so_far)
}

impl<R: BatchReasoner, O: Observer, C: Rule> FullTree<'_, R, O, C> {
    /// The value of a state for the role.
    fn value(&mut self, state: &R::State, arrival: Arrival<'_>) -> Result<Found<Value>, Halt> {
        if let Some(found) = self.subtrees.value(&mut self.search, &AgainstAll, state, arrival)? {
            return Ok(found);
        }
        let (node, met) = self.search.enter(state, arrival)?;
        if met != Met::Middle {
            return self.search.leaf(state, node, met, arrival);
        }
        if let Some(value) = self.known.value(&self.search, state, arrival) {
            self.search.tell_repeated(node);
            self.search.tell_value(node, value, arrival);
            return Ok(self.search.lines.end(value, node));
        }
        let mut turn = self.search.turn(state)?;
        self.search.tell_expanded(node, None);
        let RoleTurn { moves, successors } = &mut *turn;
        let here = Here { node, arrival, choosing: &moves.choosing };
        self.so_far.begin_turn(here.first_choice(self.search.role), moves);
        let found = self.rule.choose(self, Expanded { state, here, moves, successors })?;
        self.search.turns.give_back(turn);
        self.known.store(&mut self.search, state, arrival, (found.value, 0))?;
        self.search.tell_value(node, found.value, arrival);
        Ok(found)
    }

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
            && here.first_choice(self.search.role) == Some(Guarantee::AtMost)
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
            Some(best) if found.value <= best.value => self.search.lines.give_back(found),
            _ => self.search.lines.replace(best, found),
        }
        if let Some(best) = best
            && here.first_choice(self.search.role) == Some(Guarantee::AtLeast)
        {
            self.so_far.note(best, best.value);
        }
    }
}

/// Values for the role that asks: it takes the greatest, the others the least.
struct AgainstAll;

impl<R: Reasoner, O: Observer> Backup<R, O> for AgainstAll {
    type Number = Value;
    type Value = Value;

    fn numbers(&self, _: &Search<'_, R, O>) -> usize {
        1
    }

    fn end(
        &self,
        search: &Search<'_, R, O>,
        goals: &[Result<Utility, ReasonError>],
        values: &mut Vec<Value>,
    ) -> Result<(), ReasonError> {
        values.push(search.scale.value(goals[search.role.index()].clone()?));
        Ok(())
    }

    fn estimate(&self, search: &mut Search<'_, R, O>, state: &R::State, values: &mut Vec<Value>) -> Result<(), Halt> {
        values.push(search.estimate(state)?);
        Ok(())
    }

    fn choose(
        &self,
        search: &Search<'_, R, O>,
        chooser: Option<Role>,
        successors: &[Value],
        values: &mut Vec<Value>,
    ) -> Chosen {
        let index = match chooser == Some(search.role) {
            true => first_best(successors.len(), |one, best| successors[one] > successors[best]),
            false => first_best(successors.len(), |one, best| successors[one] < successors[best]),
        };
        values.push(successors[index]);
        Chosen { index, goes_on: true }
    }

    fn value(&self, numbers: &[Value]) -> Value {
        numbers[0]
    }
}
