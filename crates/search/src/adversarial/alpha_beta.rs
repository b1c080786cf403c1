//! `alphabeta`: minimax that skips branches that cannot change the result; and `paranoid`, the same for several
//! opponents.
//!
//! [`AlphaBetaSearch::visit()`] is the recursion from state to state, in numbered steps; [`AlphaBetaSearch::best()`]
//! goes through the moves of one side in a state. The order of moves is in `ordering.rs`, the table of states in
//! `transposition.rs`, and the rounds of iterative deepening are in `iterative_alpha_beta.rs`. The walk over states
//! (`contest.rs`), the joint moves of a state (`turn.rs`) and the stack of lines (`line.rs`) are those of all searches
//! of several players.

use super::contest::{Arrival, Contest, ContestSearch, NodeStatus, TurnNode};
use super::line::{BestSoFar, Variation};
use super::ordering::{Enhancements, Ordering, TurnArranger};
use super::transposition::{StateHash, TableBound, TableEntry, Transpositions, state_hash};
use super::turn::JointIndex;
use crate::events::{CutReason, Window};
use crate::outcome::Halt;
use crate::value::PayoffRange;
use crate::{Budget, Choice, Event, Guarantee, NodeId, Observer, Outcome, SearchError, Value};
use ggp_game::stack::with_room_at;
use ggp_game::{Move, Reasoner};
use std::ops::{Neg, Range};

/// The options of an alpha-beta search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruning {
    /// The order in which moves are tried.
    pub ordering: Ordering,
    /// Remembers states in a transposition table. [`Ordering::Table`] always uses one.
    pub table: bool,
    /// The first moves that are reported as equally good.
    pub ties: EqualMoves,
    /// Move orders that the search learns from its cuts, and narrower windows; none of them in the textbook's form.
    pub enhancements: Enhancements,
}

/// The first moves that an alpha-beta search reports as equally good.
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
    let outcome = search.finish(state, end, so_far, firsts)?;
    // Of first moves the search knows bounds, which are not reported as values.
    Ok(outcome.map(|choice| Choice { moves: Vec::new(), ..choice }))
}

/// The utility that a role is sure of in a game of any number of players, whatever the others agree on.
///
/// The others are assumed only to hold the role down, so the game has two sides and [`alpha_beta()`] solves it. At the
/// horizon the value of a state is its evaluation for the role minus those for the others.
///
/// - Guarantee and cost: those of alpha-beta. The value is a lower bound on what the role gets if the others maximise
///   their own utility, as [`super::max_n()`] assumes.
/// - Source: Sturtevant and Korf, *On Pruning Techniques for Multi-Player Games*, AAAI 2000.
pub fn paranoid<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    pruning: Pruning,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Choice>, SearchError> {
    alpha_beta(reasoner, contest, pruning, budget, observer)
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
    pub(super) fn around(value: Value, scale: PayoffRange) -> Self {
        Self { alpha: value.just_below().max(scale.loss()), beta: value.just_above().min(scale.win()) }
    }

    /// True if a value lies in the window.
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
        let estimated = search.evaluation.is_some();
        let number = |value: Value| match value {
            value if value == Value::LEAST => f64::NEG_INFINITY,
            value if value == Value::MOST => f64::INFINITY,
            value => search.scale.number(value, estimated),
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

/// A running alpha-beta search.
pub(super) struct AlphaBetaSearch<'a, R: Reasoner, O> {
    pub(super) search: ContestSearch<'a, R, O>,
    pub(super) pruning: Pruning,
    arranger: TurnArranger,
    pub(super) table: Option<Transpositions>,
    /// In a search for the rest of a line, the table of the search that has found the line. It is read only, so that
    /// later rounds of that search visit the same nodes whether a line was continued or not.
    earlier: Option<Transpositions>,
    /// Per depth in joint moves: the number of successors that the last node there reached before it was cut. Its
    /// sibling is likely to be cut as early: nodes that are cut after one successor alternate in depth with others.
    reached: Vec<usize>,
    /// True if roles chose at the same time in a state that was searched.
    pub(super) has_simultaneous_moves: bool,
    pub(super) so_far: BestSoFar<Value>,
    /// The first moves with their values or bounds, if ties are to be reported.
    firsts: Vec<(Move, Value)>,
}

/// A side that decides: the role that asks, or all others together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeSide {
    Asking,
    Others,
}

impl NodeSide {
    /// A value or a window of the role that asks, for this side; or the other way round.
    #[inline]
    fn view<T: Neg<Output = T>>(self, value: T) -> T {
        if self == Self::Asking { value } else { -value }
    }
}

/// The best joint move of a side, and its value for that side.
struct BestMove {
    value: Value,
    joint_move: JointIndex,
}

impl<'a, R: Reasoner, O: Observer> AlphaBetaSearch<'a, R, O> {
    pub(super) fn new(mut search: ContestSearch<'a, R, O>, pruning: Pruning, budget: &Budget) -> Self {
        let Pruning { ordering, enhancements, .. } = pruning;
        let has_table = pruning.table || ordering == Ordering::Table;
        if has_table {
            search.meter = search.meter.remembering();
        }
        Self {
            search,
            pruning,
            arranger: TurnArranger::new(ordering, enhancements, budget.memory()),
            table: has_table.then(|| Transpositions::new(budget.memory())),
            earlier: None,
            reached: Vec::new(),
            has_simultaneous_moves: false,
            so_far: BestSoFar::new(),
            firsts: Vec::new(),
        }
    }

    /// The first window, which excludes no value. With an evaluation, wins and losses are infinite, so the search ends
    /// at a proven win, and skips the rest of a branch that is a proven loss; in an exact search the best utility is a
    /// number like any other.
    #[inline]
    pub(super) fn first_window(&self) -> ValueWindow {
        match self.search.evaluation {
            Some(_) => ValueWindow { alpha: self.search.scale.loss(), beta: self.search.scale.win() },
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
            return Ok(self.end_line(node, value));
        }

        // 2. Look it up in the table. The first state is searched in any case, since its move is needed.
        let remaining = self.search.remaining(arrival);
        let hash = self.table.as_ref().map(|_| state_hash(state));
        let known = hash.and_then(|hash| self.known(hash));
        if let Some(known) = known
            && arrival.depth > 0
            && known.decides(remaining, window.alpha, window.beta)
        {
            // More depth may change a stored value that the horizon has cut off, and so all values that use it.
            self.search.is_cut |= !known.is_complete;
            self.search.observer.observe(&Event::Repeated { node });
            return Ok(self.end_line(node, known.value));
        }

        // 3. Order the moves: those that cut elsewhere, then as the ordering says.
        let mut turn = self.search.turn(state)?;
        self.arranger.arrange(&mut self.search, state, arrival, &mut turn, known.map(|known| known.best))?;

        // 4. Try them until the window is empty.
        let mut at = TurnNode { state, node, arrival, turn: &mut turn };
        self.begin(&mut at, window);
        // The entry of the table says if the horizon cut something off below this state, whatever it cut off elsewhere.
        let was_cut = std::mem::replace(&mut self.search.is_cut, false);
        let all = 0..at.turn.count();
        let found = self.best(&mut at, NodeSide::Asking, all, window);
        let is_complete = !self.search.is_cut;
        self.search.is_cut |= was_cut;
        let BestMove { value, joint_move: best } = found?;
        self.reached[arrival.depth as usize] = turn.reached();
        self.search.spare_turns.push(turn);

        // 5. Store the value, which is a bound if it lies outside the window.
        if let (Some(table), Some(hash)) = (&mut self.table, hash) {
            table.set(hash, TableEntry { value, bound: window.bound(value), remaining, is_complete, best });
        }
        self.search.tell_values(node, &[value]);
        Ok(value)
    }

    /// Ends a line in a node whose moves are not tried.
    #[inline]
    fn end_line(&mut self, node: NodeId, value: Value) -> Value {
        self.search.tell_values(node, &[value]);
        self.search.lines.end(node);
        value
    }

    /// The entry of a state in one of the tables.
    #[inline]
    fn known(&self, hash: StateHash) -> Option<TableEntry> {
        let get = |table: &Option<Transpositions>| table.as_ref().and_then(|table| table.get(hash));
        get(&self.table).or_else(|| get(&self.earlier))
    }

    /// Prepares and reports the trial of a node's moves.
    fn begin(&mut self, at: &mut TurnNode<'_, R::State>, window: ValueWindow) {
        self.has_simultaneous_moves |= at.turn.choosing.len() > 1;
        let depth = at.arrival.depth as usize;
        if self.reached.len() <= depth {
            // No node at this depth has been searched yet, so all successors of the first are expected.
            self.reached.resize(depth + 1, usize::MAX);
        }
        at.turn.expect(self.reached[depth]);
        if self.search.observer.is_on() {
            let window = window.shown(&self.search);
            self.search.tell_expanded(at.node, Some(window));
        }
        if at.is_first_choice() {
            // A stopped search knows the best of the finished moves of the side that has this choice.
            if at.turn.choosing.contains(&self.search.role) {
                self.so_far.begin(at.turn.count() / at.turn.replies(), Guarantee::AtLeast);
            } else {
                self.so_far.begin(at.turn.replies(), Guarantee::AtMost);
            }
        }
    }

    /// The best of the moves of a side in a node: of the role's moves, each under the others' best reply, or of the
    /// replies to one of them. `places` are those of its joint moves in the order in which they are tried. The window
    /// and all values are those for the side, so that it always takes the greatest. The best line is left on the stack.
    fn best(
        &mut self,
        at: &mut TurnNode<'_, R::State>,
        side: NodeSide,
        places: Range<usize>,
        mut window: ValueWindow,
    ) -> Result<BestMove, Halt> {
        let mut best: Option<BestMove> = None;
        let best_line = self.search.lines.top();
        // The side whose choice is reported: the role, if it has one, otherwise the others.
        let is_first_to_choose = at.turn.choosing.contains(&self.search.role) == (side == NodeSide::Asking);
        let replies = if side == NodeSide::Asking { at.turn.replies() } else { 1 };
        for start in places.clone().step_by(replies) {
            let option = start..start + replies;
            let line = self.search.lines.top();
            let found = self.try_move(at, side, option.clone(), window, best.is_none())?;
            let child = self.search.lines.child();
            let mut alpha = found.value;
            if side == NodeSide::Asking && at.arrival.depth == 0 && self.pruning.ties != EqualMoves::Unknown {
                self.firsts.push((self.search.lines.first_move(self.search.role), found.value));
                if self.pruning.ties == EqualMoves::Honest {
                    // A later move that is worth as much still lies in the window, so its value is no mere bound.
                    alpha = found.value.just_below();
                }
            }
            if best.as_ref().is_none_or(|best| found.value > best.value) {
                window.alpha = window.alpha.max(alpha);
                best = Some(found);
                self.search.lines.replace(best_line, line);
            } else {
                self.search.lines.drop_from(line);
            }
            if is_first_to_choose {
                self.tell_narrowed(child, side.view(window));
                if let Some(best) = &best
                    && at.is_first_choice()
                {
                    self.so_far.note(self.search.lines.line(side.view(best.value), best_line));
                }
            }

            // The other side would not allow this node, since it is sure of as much elsewhere.
            if window.alpha >= window.beta {
                if is_first_to_choose && let Some(best) = &best {
                    let remaining = self.search.remaining(at.arrival);
                    self.arranger.note(at.arrival.depth, remaining, at.turn.joint_move(best.joint_move));
                }
                self.tell_cut(at.node, side, places.end - option.end);
                break;
            }
        }
        Ok(best.expect("a state that is not over has at least one joint move"))
    }

    /// The value for a side of one of its moves, exact if it lies in the window. A move after the first is only asked
    /// whether it is better, with a window that holds no value, and searched again with the whole one if it is.
    fn try_move(
        &mut self,
        at: &mut TurnNode<'_, R::State>,
        side: NodeSide,
        places: Range<usize>,
        window: ValueWindow,
        is_first: bool,
    ) -> Result<BestMove, Halt> {
        // No value lies between alpha and the next one, so the answer is only a bound, on one side or the other.
        let null_window = ValueWindow { alpha: window.alpha, beta: window.alpha.just_above() };
        if is_first || !self.pruning.enhancements.null_windows || null_window.beta >= window.beta {
            return self.after(at, side, places, window);
        }
        let line = self.search.lines.top();
        let found = self.after(at, side, places.clone(), null_window)?;
        if !window.contains(found.value) {
            return Ok(found);
        }
        self.search.lines.drop_from(line);
        self.after(at, side, places, window)
    }

    /// The value for a side of one of its moves: of the only joint move with it or, if the others can reply, of their
    /// best reply. The window is that for the side.
    fn after(
        &mut self,
        at: &mut TurnNode<'_, R::State>,
        side: NodeSide,
        places: Range<usize>,
        window: ValueWindow,
    ) -> Result<BestMove, Halt> {
        if places.len() > 1 {
            let reply = self.best(at, NodeSide::Others, places, -window)?;
            return Ok(BestMove { value: -reply.value, ..reply });
        }
        let next = at.turn.make(self.search.reasoner, at.state, places.start)?;
        let arrival = at.arrival.after(at.node, next.joint_move, next.choosing);
        let end = with_room_at(at.arrival.depth, || self.visit(next.state, &arrival, side.view(window)));
        // A stopped call returns no line, so the forced moves before the first choice are added here.
        if end.is_err() && at.arrival.is_before_choice(next.choosing) {
            self.so_far.prepend(next.joint_move, at.node);
        }
        let value = end?;
        self.search.lines.prepend(next.joint_move, at.node);
        Ok(BestMove { value: side.view(value), joint_move: at.turn.order[places.start] })
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
            let window = ValueWindow::around(value, rest.scale);
            // The moves of the table first: the search that has found the line has filled it.
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
    // A bound that is the best or the worst utility counts as the value.
    let is_exact = known.bound == TableBound::Exact || search.scale.is_decided(known.value);
    let remaining = search.remaining(&Arrival::ROOT);
    if known.value != value || !is_exact || !known.reaches(remaining) {
        return None;
    }
    let mut turn = search.turn(state).ok()?;
    // Two states may have the same hash, so the index may be none of this state's.
    let is_listed = known.best.index() < turn.order.len();
    is_listed.then(|| Variation {
        value: known.value,
        joint_moves: vec![turn.joint_move(known.best).to_vec()],
        nodes: Vec::new(),
    })
}
