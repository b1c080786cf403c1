//! `alphabeta`: minimax that skips branches that cannot change the result.
//!
//! [`AlphaBetaSearch::visit()`] is the recursion from state to state, in numbered steps; [`AlphaBetaSearch::best()`] goes
//! through the moves of one side in a state. The order of moves is in `ordering.rs`, the rounds of iterative deepening
//! with their aspiration windows in `iterative_alpha_beta.rs`.

use super::contest::{Arrival, Contest, ContestSearch, FirstMoves, NodeStatus, TurnNode};
use super::line::{BestSoFar, LineStart, Variation};
use super::ordering::{Cutoffs, Enhancements, Ordering, TurnArranger};
use super::transposition::{StateHash, TableBound, TableEntry, Transpositions, state_hash};
use super::turn::{JointIndex, PlaceSpan, RoleTurn, TriedPlace};
use crate::events::{CutReason, Window};
use crate::outcome::Halt;
use crate::value::PayoffRange;
use crate::{Budget, Choice, Event, Guarantee, NodeId, Observer, Outcome, SearchError, Value};
use ggp_game::Reasoner;
use ggp_game::stack::with_room_at;
use std::ops::Neg;

/// The options of an alpha-beta search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruning {
    /// Which moves are tried first.
    pub ordering: Ordering,
    /// Whether states are remembered in a transposition table. [`Ordering::Table`] always uses one.
    pub table: bool,
    /// Which first moves are reported as equally good.
    pub ties: EqualMoves,
    /// Move orders that the search learns from its cuts, and narrower windows; none of them in the textbook's form.
    pub enhancements: Enhancements,
}

/// Which first moves an alpha-beta search reports as equally good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EqualMoves {
    /// None: only the best move is of interest.
    #[default]
    Unknown,
    /// All that are worth as much as the best. First moves are searched with a slightly wider window, which tells "as
    /// good" from "no better".
    Honest,
    /// All whose bound equals the best value. A move that was cut may be worth less than its bound, so there are false
    /// ties, as in programs that do not distinguish values from bounds.
    Naive,
}

/// The value and the move of [`super::minimax()`], found without searching what cannot change them.
///
/// Fail-soft: a node whose value lies outside its window returns the best bound found, not the bound of the window.
/// Canonical order finds the same move as minimax; another order may find a different move of equal value.
///
/// - Guarantee: that of minimax: the same value, exact or down to the horizon. With a table, a stored value is used if
///   its state was searched to the same depth or to the end of the game.
/// - Cost: between the number of nodes of minimax and, if the best moves come first, about the square root of that
///   number. A table uses at most the budget's memory.
/// - Source: Knuth and Moore, *An Analysis of Alpha-Beta Pruning*, Artificial Intelligence 6, 1975; fail-soft:
///   Fishburn, *Another Optimization of Alpha-Beta Search*, SIGART Newsletter 84, 1983.
pub fn alpha_beta<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    pruning: Pruning,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Choice>, SearchError> {
    let (search, state) = ContestSearch::start(reasoner, contest, budget, observer);
    let mut alpha_beta = AlphaBetaSearch::new(search, pruning, budget);
    let mut end = alpha_beta.run(state, alpha_beta.first_window());
    alpha_beta.continue_line(state, &mut end);
    let AlphaBetaSearch { search, so_far, firsts, .. } = alpha_beta;
    search.finish(state, end, so_far, firsts)
}

/// The bounds between which the value of a node matters.
#[derive(Clone, Copy)]
pub(super) struct ValueWindow {
    /// The value that the role can already reach elsewhere.
    pub(super) alpha: Value,
    /// The value to which the others can already hold the role elsewhere.
    pub(super) beta: Value,
}

impl ValueWindow {
    /// The window in which only this value lies. Nothing is better than a win, and nothing worse than a loss.
    #[inline]
    fn around(value: Value, scale: PayoffRange) -> Self {
        Self { alpha: value.just_below().max(scale.loss()), beta: value.just_above().min(scale.win()) }
    }

    /// Whether a value lies in the window.
    #[inline]
    pub(super) fn contains(self, value: Value) -> bool {
        self.alpha < value && value < self.beta
    }

    /// The relation to the true value of one that was found within the window.
    #[inline]
    fn bound(self, value: Value) -> TableBound {
        match value {
            value if value <= self.alpha => TableBound::Most,
            value if value >= self.beta => TableBound::Least,
            _ => TableBound::Exact,
        }
    }

    /// The window as an observer sees it.
    fn shown<R: Reasoner, O: Observer>(self, search: &ContestSearch<'_, R, O>) -> Window {
        let estimated = search.task.evaluation.is_some();
        let number = |value: Value| match value {
            value if value == Value::LEAST => f64::NEG_INFINITY,
            value if value == Value::MOST => f64::INFINITY,
            value => search.task.scale.number(value, estimated),
        };
        Window { alpha: number(self.alpha), beta: number(self.beta) }
    }
}

impl Neg for ValueWindow {
    type Output = Self;

    /// The same window for the other side.
    #[inline]
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// The state of a running alpha-beta search.
pub(super) struct AlphaBetaSearch<'a, R: Reasoner, O> {
    pub(super) search: ContestSearch<'a, R, O>,
    arranger: TurnArranger,
    pub(super) table: Option<Transpositions>,
    /// In a search for the rest of a line, the table of the search that has found the line. It is read only, so that
    /// later rounds of that search visit the same nodes whether a line was continued or not.
    earlier: Option<Transpositions>,
    ties: EqualMoves,
    pub(super) enhancements: Enhancements,
    cutoffs: Cutoffs,
    /// For each depth in joint moves, the number of successors that the last node there was left after. Its sibling is
    /// likely to be left as early: nodes that are cut after one successor and nodes that are not take turns in depth.
    reached: Vec<usize>,
    /// Whether roles chose at the same time in a state that was searched.
    pub(super) has_simultaneous_moves: bool,
    pub(super) so_far: BestSoFar<Value>,
    firsts: FirstMoves,
}

/// A side that decides: the role that asks, or all others together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeSide {
    Asking,
    Others,
}

impl NodeSide {
    /// A value or a window of the role that asks, for this side; or the other way round.
    fn view<T: Neg<Output = T>>(self, value: T) -> T {
        if self == Self::Asking { value } else { -value }
    }
}

/// The best move of a side.
struct BestMove {
    /// Its value for the role that asks.
    value: Value,
    joint_move: JointIndex,
}

impl<'a, R: Reasoner, O: Observer> AlphaBetaSearch<'a, R, O> {
    pub(super) fn new(mut search: ContestSearch<'a, R, O>, pruning: Pruning, budget: &Budget) -> Self {
        let Pruning { ordering, table, ties, enhancements } = pruning;
        let table = (table || ordering == Ordering::Table).then(|| Transpositions::new(budget.memory()));
        if table.is_some() {
            search.meter = search.meter.remembering();
        }
        Self {
            search,
            arranger: TurnArranger::new(ordering, budget.memory()),
            table,
            earlier: None,
            ties,
            enhancements,
            cutoffs: Cutoffs::new(enhancements),
            reached: Vec::new(),
            has_simultaneous_moves: false,
            so_far: BestSoFar::new(),
            firsts: FirstMoves::default(),
        }
    }

    /// The first window, which excludes no value. With an evaluation, wins and losses are infinite, so the search ends
    /// at a proven win, and skips the rest of a branch that is a proven loss; in an exact search the best utility is a
    /// number like any other.
    #[inline]
    pub(super) fn first_window(&self) -> ValueWindow {
        match self.search.task.evaluation {
            Some(_) => ValueWindow { alpha: self.search.task.scale.loss(), beta: self.search.task.scale.win() },
            None => ValueWindow { alpha: Value::LEAST, beta: Value::MOST },
        }
    }

    /// Searches from the first state. A repeated run profits from the entries of the table.
    pub(super) fn run(&mut self, state: &R::State, window: ValueWindow) -> Result<Variation<Value>, Halt> {
        self.so_far = BestSoFar::new();
        self.search.is_cut = false;
        self.search.lines.clear();
        let end = self.visit(state, &Arrival::ROOT, window);
        if let Some(table) = &self.table {
            self.search.meter.remembered(table.len() as u64);
        }
        Ok(self.search.lines.result(end?))
    }

    /// The value of a state. Its line is left on the stack of lines.
    fn visit(&mut self, state: &R::State, arrival: &Arrival<'_>, window: ValueWindow) -> Result<Value, Halt> {
        // 1. Visit the state. The line ends at the end of the game and at the horizon.
        let (node, status) = self.search.enter(state, arrival)?;
        if status != NodeStatus::Inner {
            let value = self.search.leaf(state, status)?;
            return Ok(self.end(node, value));
        }

        // 2. Look it up in the table. The first state is searched in any case, since its move is needed.
        let remaining = self.search.remaining(arrival);
        let hash = self.table.as_ref().map(|_| state_hash(state));
        let known = hash.and_then(|hash| self.known(hash));
        if let Some(known) = known
            && arrival.depth > 0
            && known.decides(remaining, window)
        {
            self.search.is_cut |= !known.is_complete;
            self.search.observer.observe(&Event::Repeated { node });
            return Ok(self.end(node, known.value));
        }

        // 3. Order the moves: those that cut elsewhere, then as the ordering says.
        let mut turn = self.search.turn(state)?;
        self.cutoffs.arrange(arrival.depth, &mut turn);
        self.arranger.arrange(&mut self.search, state, arrival, &mut turn, known.map(|known| known.best))?;

        // 4. Try them until the window is empty.
        self.begin(node, arrival, &mut turn, window);
        let was_cut = std::mem::replace(&mut self.search.is_cut, false);
        let all = turn.span();
        let found = self.best(&mut TurnNode { state, node, arrival, turn: &mut turn }, NodeSide::Asking, all, window);
        let is_complete = !self.search.is_cut;
        self.search.is_cut |= was_cut;
        let BestMove { value, joint_move: best } = found?;
        self.reached[arrival.depth as usize] = turn.reached();

        // 5. Store the value, which is a bound if it lies outside the window.
        if let (Some(table), Some(hash)) = (&mut self.table, hash) {
            table.set(hash, TableEntry { value, bound: window.bound(value), remaining, is_complete, best });
        }
        self.search.tell_values(node, &[value]);
        Ok(value)
    }

    /// Ends a line.
    #[inline]
    fn end(&mut self, node: NodeId, value: Value) -> Value {
        self.search.tell_values(node, &[value]);
        self.search.lines.end(node);
        value
    }

    /// What the tables know of a state.
    #[inline]
    fn known(&self, hash: StateHash) -> Option<TableEntry> {
        let get = |table: &Option<Transpositions>| table.as_ref().and_then(|table| table.get(hash));
        get(&self.table).or_else(|| get(&self.earlier))
    }

    /// Begins with the moves of a node.
    fn begin(&mut self, node: NodeId, arrival: &Arrival<'_>, turn: &mut RoleTurn<R::State>, window: ValueWindow) {
        self.has_simultaneous_moves |= turn.choosing.len() > 1;
        let depth = arrival.depth as usize;
        if self.reached.len() <= depth {
            self.reached.resize(depth + 1, usize::MAX);
        }
        turn.expect(self.reached[depth]);
        if self.search.observer.is_on() {
            let window = window.shown(&self.search);
            self.search.tell_expanded(node, Some(window));
        }
        if arrival.is_first_choice(&turn.choosing) {
            if turn.choosing.contains(&self.search.task.role) {
                self.so_far.begin(turn.span().len() / turn.replies(), Guarantee::AtLeast);
            } else {
                self.so_far.begin(turn.replies(), Guarantee::AtMost);
            }
        }
    }

    /// The best of the moves of a side in a node: of the role's moves, each under the others' best reply, or of the
    /// replies to one of them. Its line is left on the stack of lines.
    fn best(
        &mut self,
        at: &mut TurnNode<'_, R::State>,
        side: NodeSide,
        moves: PlaceSpan,
        window: ValueWindow,
    ) -> Result<BestMove, Halt> {
        // Values and bounds are those for the side, so that it always takes the greatest.
        let mut window = side.view(window);
        let mut best: Option<(Value, JointIndex)> = None;
        let best_line = self.search.lines.top();
        let is_first_to_choose = at.turn.choosing.contains(&self.search.task.role) == (side == NodeSide::Asking);
        let replies = if side == NodeSide::Asking { at.turn.replies() } else { 1 };
        for (replies, left_out) in moves.parts(replies) {
            // A move after the first is only asked whether it is better, with a window that holds no value, and searched
            // again with the whole one if it is.
            let line = self.search.lines.top();
            let null_window = ValueWindow { alpha: window.alpha, beta: window.alpha.just_above() };
            let is_null = self.enhancements.null_windows && best.is_some() && null_window.beta < window.beta;
            let mut found = self.after(at, side, replies, if is_null { null_window } else { window })?;
            if is_null && window.contains(found.0) {
                self.search.lines.drop_from(line);
                found = self.after(at, side, replies, window)?;
            }
            let (value, joint_move) = found;

            let child = self.search.lines.child();
            let mut alpha = value;
            if side == NodeSide::Asking && at.arrival.depth == 0 && self.ties != EqualMoves::Unknown {
                let chosen = self.search.lines.first_move(self.search.task.role);
                self.firsts.note(chosen, value, best.map(|(best, _)| best));
                if self.ties == EqualMoves::Honest {
                    alpha = value.just_below();
                }
            }
            if best.is_none_or(|(best, _)| value > best) {
                window.alpha = window.alpha.max(alpha);
                best = Some((value, joint_move));
                self.search.lines.replace(best_line, line);
            } else {
                self.search.lines.drop_from(line);
            }
            if is_first_to_choose {
                self.tell_narrowed(child, side.view(window));
                self.note(at, best.map(|(best, _)| side.view(best)), best_line);
            }

            // The other side would not allow this node, since it is sure of as much elsewhere.
            if window.alpha >= window.beta {
                if is_first_to_choose && let Some((_, joint_move)) = best {
                    let remaining = self.search.remaining(at.arrival);
                    self.cutoffs.note(at.arrival.depth, remaining, at.turn.joint_move(joint_move));
                }
                self.tell_cut(at.node, side, left_out);
                break;
            }
        }
        let (value, joint_move) = best.expect("a state that is not over has at least one joint move");
        Ok(BestMove { value: side.view(value), joint_move })
    }

    /// The value for a side of one of its moves: of the joint move or, if the others can reply, of their best reply.
    fn after(
        &mut self,
        at: &mut TurnNode<'_, R::State>,
        side: NodeSide,
        replies: PlaceSpan,
        window: ValueWindow,
    ) -> Result<(Value, JointIndex), Halt> {
        let window = side.view(window);
        if replies.len() > 1 {
            let best = self.best(at, NodeSide::Others, replies, window)?;
            return Ok((side.view(best.value), best.joint_move));
        }
        let position: TriedPlace = replies.first();
        let next = at.turn.make(self.search.reasoner, at.state, position)?;
        let arrival = at.arrival.at(at.node, &next);
        let end = with_room_at(at.arrival.depth, || self.visit(next.state, &arrival, window));
        if end.is_err() && at.arrival.is_before_choice(next.choosing) {
            self.so_far.prepend(next.joint_move, at.node);
        }
        let value = end?;
        self.search.lines.prepend(next.joint_move, at.node);
        Ok((side.view(value), at.turn.index(position)))
    }

    /// Notes the best line so far of the side that has the first choice.
    #[inline]
    fn note(&mut self, at: &TurnNode<'_, R::State>, best: Option<Value>, line: LineStart) {
        if let Some(best) = best
            && at.is_first_choice()
        {
            self.so_far.note(self.search.lines.line(best, line));
        }
    }

    /// Reports the bounds in a node after one of its successors has been evaluated.
    #[inline]
    fn tell_narrowed(&mut self, child: Option<NodeId>, window: ValueWindow) {
        if let Some(node) = child {
            let window = window.shown(&self.search);
            self.search.observer.observe(&Event::Narrowed { node, window });
        }
    }

    #[inline]
    fn tell_cut(&mut self, node: NodeId, side: NodeSide, left_out: usize) {
        if left_out > 0 {
            let reason = if side == NodeSide::Asking { CutReason::Beta } else { CutReason::Alpha };
            self.search.observer.observe(&Event::Cut { node, left_out: Some(left_out as u64), reason });
        }
    }

    /// Continues the best line if it ends in a state whose value the table knew: by the move that the table recommends
    /// or, if it has since learned something else of the state, by another search, which profits from the table.
    pub(super) fn continue_line(&mut self, first: &R::State, end: &mut Result<Variation<Value>, Halt>) {
        if self.table.is_none() {
            return;
        }
        let Self { search, table, so_far, .. } = self;
        let Some(found) = so_far.known_line(end) else { return };
        let value = found.value;
        search.continue_line(first, found, |mut rest, state| {
            if let Some(recommended) = table.as_ref().and_then(|table| recommended(&mut rest, table, state, value)) {
                return Some(recommended);
            }
            let window = ValueWindow::around(value, rest.task.scale);
            let pruning = Pruning { ordering: Ordering::Table, table: true, ..Pruning::default() };
            let mut again = AlphaBetaSearch::new(rest, pruning, &Budget::new().with_memory(MEMORY_FOR_REST));
            again.earlier = table.take();
            let end = again.run(state, window);
            *table = again.earlier;
            end.ok()
        });
    }
}

/// The memory of the table of a search for the rest of a line, in bytes.
const MEMORY_FOR_REST: u64 = 1 << 20;

/// The joint move that the table recommends in a state of this value, as a line.
fn recommended<R: Reasoner>(
    search: &mut ContestSearch<'_, R, ()>,
    table: &Transpositions,
    state: &R::State,
    value: Value,
) -> Option<Variation<Value>> {
    let known = table.get(state_hash(state))?;
    let is_exact = known.bound == TableBound::Exact || search.task.scale.is_decided(known.value);
    let remaining = search.remaining(&Arrival::ROOT);
    if known.value != value || !is_exact || !known.reaches(remaining) {
        return None;
    }
    let mut turn = search.turn(state).ok()?;
    let is_listed = known.best.index() < turn.order.len();
    is_listed.then(|| Variation {
        value: known.value,
        joint_moves: vec![turn.joint_move(known.best).to_vec()],
        nodes: Vec::new(),
    })
}

impl TableEntry {
    /// Whether the entry goes as deep as a search with `remaining` plies left.
    #[inline]
    fn reaches(self, remaining: u32) -> bool {
        self.remaining == remaining || self.is_complete && self.remaining <= remaining
    }

    /// Whether the entry decides a state with `remaining` plies left and this window, so that it need not be searched
    /// again.
    #[inline]
    fn decides(self, remaining: u32, window: ValueWindow) -> bool {
        self.reaches(remaining)
            && match self.bound {
                TableBound::Exact => true,
                TableBound::Least => self.value >= window.beta,
                TableBound::Most => self.value <= window.alpha,
            }
    }
}
