//! `alphabeta`: minimax that leaves out what cannot matter.

use super::contest::{Arrival, Choice, Contest, Found, Met, Search};
use super::ordering::{Ordering, arrange};
use super::outcome::Halt;
use super::trace::CutReason;
use super::transposition::{Bound, Known, Transpositions};
use super::turn::{Choosing, Reply};
use super::value::Value;
use super::{Budget, Event, NodeId, Observer, Outcome, SearchError};
use crate::game::{Reasoner, Role};

/// How an alpha-beta search goes about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruning {
    /// Which moves are tried first.
    pub ordering: Ordering,
    /// Whether states are remembered in a transposition table. [`Ordering::Table`] needs one and has it in any case.
    pub table: bool,
    /// Whether all first moves that are worth as much as the best are found: they are searched a little farther than to where they
    /// are known to be no better.
    pub ties: bool,
}

/// The value and the move of [`super::minimax()`], found without looking at what cannot change them.
///
/// Fail-soft: a node whose value lies outside of its window gives the best bound that was found, not that of the window.
/// Canonical order finds the very move that minimax finds; another order may find another move that is as good.
///
/// - Guarantee: that of minimax: the same value, exact or down to the horizon. With a table, a state is taken as known where it was
///   searched just as deep, or to its end.
/// - Cost: between all nodes of minimax and, when the best moves come first, about the square root of their number. A table takes
///   at most the budget's memory.
/// - Source: Knuth and Moore, *An Analysis of Alpha-Beta Pruning*, Artificial Intelligence 6, 1975; fail-soft: Fishburn,
///   *Another Optimization of Alpha-Beta Search*, SIGART Newsletter 84, 1983.
pub fn alpha_beta<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    pruning: Pruning,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Choice>, SearchError> {
    let (search, state) = Search::start(reasoner, contest, budget, observer);
    let mut alpha_beta = AlphaBeta::new(search, pruning, budget);
    let end = alpha_beta.run(state);
    alpha_beta.search.finish(end, alpha_beta.best)
}

/// The values between which a node matters.
#[derive(Clone, Copy)]
pub(super) struct Window {
    /// What the role is sure of elsewhere.
    pub(super) alpha: Value,
    /// What the others are sure to hold it to elsewhere.
    pub(super) beta: Value,
}

impl Window {
    /// Everything matters.
    pub(super) const OPEN: Self = Self { alpha: Value::LEAST, beta: Value::MOST };

    fn bound(self, value: Value) -> Bound {
        match value {
            value if value <= self.alpha => Bound::Most,
            value if value >= self.beta => Bound::Least,
            _ => Bound::Exact,
        }
    }
}

/// An alpha-beta search at work.
pub(super) struct AlphaBeta<'a, R: Reasoner, O> {
    pub(super) search: Search<'a, R, O>,
    ordering: Ordering,
    table: Option<Transpositions>,
    ties: bool,
    /// The best of the first moves that have been searched to their end.
    pub(super) best: Option<Found<Value>>,
}

/// The node that is being searched, and how the search came there.
#[derive(Clone, Copy)]
struct Here<'h> {
    node: NodeId,
    arrival: Arrival<'h>,
    choosing: &'h [Role],
}

impl<'a, R: Reasoner, O: Observer> AlphaBeta<'a, R, O> {
    /// Nothing searched yet.
    pub(super) fn new(mut search: Search<'a, R, O>, pruning: Pruning, budget: &Budget) -> Self {
        let Pruning { ordering, table, ties } = pruning;
        let table = (table || ordering == Ordering::Table).then(|| Transpositions::new(budget.memory()));
        if table.is_some() {
            search.meter = search.meter.remembering();
        }
        Self { search, ordering, table, ties, best: None }
    }

    /// Searches from the first state; may be done again, and profits from what the table has then.
    pub(super) fn run(&mut self, state: &R::State) -> Result<Found<Value>, Halt> {
        self.best = None;
        self.search.is_cut = false;
        let end = self.value(state, Arrival::ROOT, Window::OPEN);
        if let Some(table) = &self.table {
            self.search.meter.remembered(table.len() as u64);
        }
        end
    }

    fn value(&mut self, state: &R::State, arrival: Arrival<'_>, window: Window) -> Result<Found<Value>, Halt> {
        let (node, met) = self.search.enter(state, arrival)?;
        if met != Met::Middle {
            return self.search.leaf(state, node, met);
        }
        let remaining = self.search.remaining(arrival);
        let known = self.table.as_ref().and_then(|table| table.get(state));
        if let Some(known) = known
            && arrival.depth > 0
            && known.decides(remaining, window)
        {
            self.search.is_cut |= !known.is_complete;
            self.search.tell_repeated(node);
            self.search.tell_value(node, known.value);
            return Ok(Found::end(known.value, node));
        }
        let mut turn = self.search.turn(state)?;
        arrange(&mut self.search, state, &mut turn, self.ordering, known.map(|known| known.best))?;
        self.search.tell_expanded(node, Some(window));
        let was_cut = std::mem::replace(&mut self.search.is_cut, false);
        let here = Here { node, arrival, choosing: &turn.choosing };
        let (found, best) = self.best_option(state, here, turn.options, window)?;
        if let Some(table) = &mut self.table {
            let (value, is_complete) = (found.value, !self.search.is_cut);
            table.set(state, Known { value, bound: window.bound(value), remaining, is_complete, best });
        }
        self.search.is_cut |= was_cut;
        self.search.tell_value(node, found.value);
        Ok(found)
    }

    /// The best of the role's moves, and its place among the joint moves, unless the others will not let it come to this.
    fn best_option(
        &mut self,
        state: &R::State,
        here: Here<'_>,
        options: Vec<Choosing<R::State>>,
        mut window: Window,
    ) -> Result<(Found<Value>, u32), Halt> {
        let mut best: Option<(Found<Value>, u32)> = None;
        let mut options = options.into_iter();
        while let Some(option) = options.next() {
            let (found, index) = self.worst_reply(state, here, option.replies, window)?;
            let finds_ties = self.ties && here.arrival.depth == 0;
            if finds_ties {
                self.search.note_first(&found, best.as_ref().map(|(best, _)| best));
            }
            if best.as_ref().is_none_or(|(best, _)| found.value > best.value) {
                let sure = if finds_ties { found.value.just_below() } else { found.value };
                window.alpha = window.alpha.max(sure);
                best = Some((found, index));
            }
            if here.arrival.depth == 0 {
                self.best = best.as_ref().map(|(found, _)| found.clone());
            }
            if window.alpha >= window.beta {
                self.cut(here, CutReason::Beta, options.map(|option| option.replies.len()).sum());
                break;
            }
        }
        Ok(best.expect("a state that is not over has at least one joint move"))
    }

    /// The others' best reply to one of the role's moves, unless the role will not let it come to this.
    fn worst_reply(
        &mut self,
        state: &R::State,
        here: Here<'_>,
        replies: Vec<Reply<R::State>>,
        mut window: Window,
    ) -> Result<(Found<Value>, u32), Halt> {
        let mut worst: Option<(Found<Value>, u32)> = None;
        let mut replies = replies.into_iter();
        while let Some(Reply { index, joint_move, next }) = replies.next() {
            let next = match next {
                Some(next) => next,
                None => self.search.reasoner.next_state(state, &joint_move)?,
            };
            let found = self.value(&next, here.arrival.next(here.node, &joint_move, here.choosing), window)?;
            if worst.as_ref().is_none_or(|(worst, _)| found.value < worst.value) {
                window.beta = window.beta.min(found.value);
                worst = Some((found.after(&joint_move, here.node), index));
            }
            if window.alpha >= window.beta {
                self.cut(here, CutReason::Alpha, replies.len());
                break;
            }
        }
        Ok(worst.expect("there is a joint move for each move of the role"))
    }

    fn cut(&mut self, here: Here<'_>, reason: CutReason, left_out: usize) {
        if left_out > 0 {
            self.search.observer.observe(Event::Cut { node: here.node, left_out: Some(left_out as u64), reason });
        }
    }
}

impl Known {
    /// Whether a state need not be searched again with so many plies left and this window.
    fn decides(self, remaining: u32, window: Window) -> bool {
        let is_deep = self.remaining == remaining || self.is_complete && self.remaining <= remaining;
        is_deep
            && match self.bound {
                Bound::Exact => true,
                Bound::Least => self.value >= window.beta,
                Bound::Most => self.value <= window.alpha,
            }
    }
}
