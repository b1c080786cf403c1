//! `alphabeta`: minimax that skips branches that cannot change the result.

use super::arrival::{Arrival, VisitedNode};
use super::best_so_far::BestSoFar;
use super::contest::{Choice, Contest, ContestSearch, NodeStatus};
use super::continued_line::known_line;
use super::ordering::{Cutoffs, Enhancements, Ordering, TurnArranger};
use super::signature::signature;
use super::transposition::{TableBound, TableEntry, Transpositions};
use super::turn::{ExpandedNode, RoleTurn};
use super::turn_moves::MoveReplies;
use super::value::{PayoffRange, Value, ValueWindow};
use super::valued_line::ValuedLine;
use crate::game::Reasoner;
use crate::search::events::CutReason;
use crate::search::outcome::Halt;
use crate::search::{Budget, Event, Guarantee, NodeId, Observer, Outcome, SearchError};
use crate::stack::with_room_at;

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
    let end = alpha_beta.run(state, None);
    alpha_beta.search.finish(state, end, alpha_beta.so_far)
}

impl ValueWindow {
    /// The first window. Beside estimates wins and losses are infinite, so the search ends at a proven win, and skips
    /// the rest of a branch that is a proven loss; in an exact search the best utility is a number like any other.
    fn first(scale: PayoffRange, is_estimated: bool) -> Self {
        if is_estimated { Self { alpha: scale.loss(), beta: scale.win() } } else { Self::OPEN }
    }

    /// The window in which only this value lies. Nothing is better than a win, and nothing worse than a loss.
    fn around(value: Value, scale: PayoffRange) -> Self {
        Self { alpha: value.just_below().max(scale.loss()), beta: value.just_above().min(scale.win()) }
    }

    fn bound(self, value: Value) -> TableBound {
        match value {
            value if value <= self.alpha => TableBound::Most,
            value if value >= self.beta => TableBound::Least,
            _ => TableBound::Exact,
        }
    }
}

/// The state of a running alpha-beta search.
pub(super) struct AlphaBetaSearch<'a, R: Reasoner, O> {
    pub(super) search: ContestSearch<'a, R, O>,
    arranger: TurnArranger<R::State>,
    table: Option<Transpositions>,
    /// In a search for the rest of a line, the table of the search that has found the line. It is read only, so that
    /// later rounds of that search visit the same nodes whether a line was continued or not.
    earlier: Option<Transpositions>,
    ties: EqualMoves,
    /// Whether a line that the table has cut short is continued.
    pub(super) continues_lines: bool,
    enhancements: Enhancements,
    cutoffs: Cutoffs,
    /// For each depth in joint moves, the number of successors that the last node there was left after. Its sibling is
    /// likely to be left as early: nodes that are cut after one successor and nodes that are not take turns in depth.
    reached: Vec<usize>,
    /// Whether roles chose at the same time in a state that was searched.
    pub(super) has_simultaneous_moves: bool,
    pub(super) so_far: BestSoFar<Value>,
}

impl<'a, R: Reasoner, O: Observer> AlphaBetaSearch<'a, R, O> {
    pub(super) fn new(mut search: ContestSearch<'a, R, O>, pruning: Pruning, budget: &Budget) -> Self {
        let Pruning { ordering, table, ties, enhancements } = pruning;
        let table = (table || ordering == Ordering::Table).then(|| Transpositions::new(budget.memory()));
        if table.is_some() {
            search.meter = search.meter.remembering();
        }
        let (arranger, cutoffs) = (TurnArranger::new(ordering), Cutoffs::new(enhancements));
        Self {
            search,
            arranger,
            table,
            earlier: None,
            ties,
            continues_lines: true,
            enhancements,
            cutoffs,
            reached: Vec::new(),
            has_simultaneous_moves: false,
            so_far: BestSoFar::new(),
        }
    }

    /// Replaces the table by one of an earlier search.
    pub(super) fn remember(&mut self, table: Transpositions) {
        self.table = Some(table);
    }

    /// The table, for a later search.
    pub(super) fn take_table(&mut self) -> Option<Transpositions> {
        self.table.take()
    }

    /// Searches from the first state. A repeated run profits from the entries of the table. `near` is a value near
    /// which that of the state is expected, if aspiration windows are used.
    pub(super) fn run(&mut self, state: &R::State, near: Option<Value>) -> Result<ValuedLine<Value>, Halt> {
        let first = ValueWindow::first(self.search.task.scale, self.search.task.evaluation.is_some());
        self.begin();
        let mut end = match near.filter(|_| self.enhancements.aspiration) {
            None => self.value(state, &Arrival::ROOT, first),
            Some(near) => self.near_value(state, near, first),
        };
        if let Some(table) = &self.table {
            self.search.meter.remembered(table.len() as u64);
        }
        if self.table.is_some()
            && self.continues_lines
            && let Some(found) = known_line(&mut end, &mut self.so_far)
        {
            continue_line(&mut self.search, &mut self.table, state, found);
        }
        end
    }

    fn begin(&mut self) {
        self.so_far = BestSoFar::new();
        self.search.is_cut = false;
    }

    /// The value of the first state, sought in a narrow window around another value first.
    fn near_value(&mut self, state: &R::State, near: Value, first: ValueWindow) -> Result<ValuedLine<Value>, Halt> {
        let narrow = ValueWindow { alpha: near.just_below().max(first.alpha), beta: near.just_above().min(first.beta) };
        let found = self.value(state, &Arrival::ROOT, narrow)?;
        if narrow.alpha < found.value && found.value < narrow.beta || narrow.alpha >= narrow.beta {
            return Ok(found);
        }
        self.search.memory.lines.give_back(found);
        self.begin();
        self.value(state, &Arrival::ROOT, first)
    }

    fn value(
        &mut self,
        state: &R::State,
        arrival: &Arrival<'_>,
        window: ValueWindow,
    ) -> Result<ValuedLine<Value>, Halt> {
        let (node, status) = self.search.enter(state, arrival)?;
        if status != NodeStatus::Inner {
            return self.search.leaf(state, node, status, arrival);
        }
        let remaining = self.search.remaining(arrival);
        let entry = self.table.as_ref().map(|table| {
            let signature = signature(state);
            let earlier = || self.earlier.as_ref().and_then(|earlier| earlier.get(signature));
            (signature, table.get(signature).or_else(earlier))
        });
        let known = entry.and_then(|(_, known)| known);
        if let Some(known) = known
            && arrival.depth > 0
            && known.decides(remaining, window)
        {
            self.search.is_cut |= !known.is_complete;
            self.search.tell_repeated(node);
            self.search.tell_value(node, known.value, arrival);
            return Ok(self.search.memory.lines.end(known.value, node));
        }
        let mut turn = self.search.turn(state)?;
        let recommended = known.map(|known| known.best);
        self.cutoffs.arrange(arrival.depth, &mut turn.moves);
        self.arranger.arrange(&mut self.search, state, arrival, &mut turn, recommended)?;
        let RoleTurn { moves, successors } = &mut *turn;
        self.has_simultaneous_moves |= moves.choosing.len() > 1;
        let depth = arrival.depth as usize;
        if self.reached.len() <= depth {
            self.reached.resize(depth + 1, usize::MAX);
        }
        successors.expect(self.reached[depth]);
        self.search.tell_expanded(node, Some(window));
        let was_cut = std::mem::replace(&mut self.search.is_cut, false);
        let here = VisitedNode { node, arrival, choosing: &moves.choosing };
        self.so_far.begin_turn(here.first_choice(self.search.task.role), moves);
        let end = self.best_option(ExpandedNode { state, here, moves, successors }, window);
        let is_complete = !self.search.is_cut;
        self.search.is_cut |= was_cut;
        let (found, best) = end?;
        self.reached[depth] = turn.successors.reached();
        self.search.memory.turns.give_back(turn);
        if let (Some(table), Some((signature, _))) = (&mut self.table, entry) {
            let value = found.value;
            table.set(signature, TableEntry { value, bound: window.bound(value), remaining, is_complete, best });
        }
        self.search.tell_value(node, found.value, arrival);
        Ok(found)
    }

    /// The best of the role's moves, and the index of its joint move. Stops at a beta cutoff: the others would not
    /// allow this node.
    fn best_option(
        &mut self,
        mut node: ExpandedNode<'_, R::State>,
        mut window: ValueWindow,
    ) -> Result<(ValuedLine<Value>, u32), Halt> {
        let here = node.here;
        let (mut best, mut best_index): (Option<ValuedLine<Value>>, u32) = (None, 0);
        let mut options = node.moves.options.iter();
        while let Some(&option) = options.next() {
            let (found, index) = self.option(&mut node, option, window, best.is_none())?;
            let child = found.child();
            let ties = if here.arrival.depth == 0 { self.ties } else { EqualMoves::Unknown };
            if ties != EqualMoves::Unknown {
                let best = best.as_ref().map(|best| best.value);
                self.search.note_first(self.search.first(&found), found.value, best);
            }
            match &best {
                Some(best) if found.value <= best.value => self.search.memory.lines.give_back(found),
                _ => {
                    let sure = if ties == EqualMoves::Honest { found.value.just_below() } else { found.value };
                    window.alpha = window.alpha.max(sure);
                    best_index = index;
                    self.search.memory.lines.replace(&mut best, found);
                }
            }
            if let Some(child) = child
                && here.choosing.contains(&self.search.task.role)
            {
                self.search.tell_narrowed(child, window);
            }
            self.note(here, Guarantee::AtLeast, best.as_ref());
            if window.alpha >= window.beta {
                if here.choosing.contains(&self.search.task.role) {
                    self.learn(&node, best_index);
                }
                self.cut(here, CutReason::Beta, options.map(|option| option.replies().len()).sum());
                break;
            }
        }
        Ok((best.expect("a state that is not over has at least one joint move"), best_index))
    }

    /// Notes the best line so far of the side that has the first choice.
    fn note(&mut self, here: VisitedNode<'_>, guarantee: Guarantee, best: Option<&ValuedLine<Value>>) {
        if let Some(best) = best
            && here.first_choice(self.search.task.role) == Some(guarantee)
        {
            self.so_far.note(best, best.value);
        }
    }

    /// The others' best reply to one of the role's moves. Stops at an alpha cutoff: the role would not choose this
    /// move.
    fn worst_reply(
        &mut self,
        node: &mut ExpandedNode<'_, R::State>,
        option: MoveReplies,
        mut window: ValueWindow,
    ) -> Result<(ValuedLine<Value>, u32), Halt> {
        let (mut worst, mut worst_index): (Option<ValuedLine<Value>>, u32) = (None, 0);
        let here = node.here;
        let depth = here.arrival.depth;
        let mut replies = option.replies();
        while let Some(reply) = replies.next() {
            let joint_move = node.moves.joint_move(reply);
            let null_window = ValueWindow { alpha: window.beta.just_below(), beta: window.beta };
            let is_null = self.enhancements.null_windows && worst.is_some() && window.alpha < null_window.alpha;
            let arrival = here.next(joint_move);
            let next = node.successor(self.search.reasoner, reply)?;
            let first = if is_null { null_window } else { window };
            let mut end = with_room_at(depth, || self.value(next, &arrival, first));
            if let Ok(found) = &end
                && is_null
                && window.alpha < found.value
                && found.value < window.beta
            {
                let next = node.successor(self.search.reasoner, reply)?;
                let again = with_room_at(depth, || self.value(next, &arrival, window));
                if let Ok(found) = std::mem::replace(&mut end, again) {
                    self.search.memory.lines.give_back(found);
                }
            }
            if end.is_err() && here.is_before_choice() {
                self.so_far.prepend(joint_move, here.node);
            }
            let found = end?;
            let child = found.nodes().last().copied();
            match &worst {
                Some(worst) if found.value >= worst.value => self.search.memory.lines.give_back(found),
                _ => {
                    window.beta = window.beta.min(found.value);
                    worst_index = node.moves.index(reply);
                    let found = self.search.memory.lines.after(found, joint_move, here.node);
                    self.search.memory.lines.replace(&mut worst, found);
                }
            }
            if let Some(child) = child
                && !here.choosing.contains(&self.search.task.role)
            {
                self.search.tell_narrowed(child, window);
            }
            self.note(here, Guarantee::AtMost, worst.as_ref());
            if window.alpha >= window.beta {
                if !here.choosing.contains(&self.search.task.role) {
                    self.learn(node, worst_index);
                }
                self.cut(here, CutReason::Alpha, replies.len());
                break;
            }
        }
        Ok((worst.expect("there is a joint move for each move of the role"), worst_index))
    }

    /// The value of a move of the role under the others' best reply. With null windows a move after the first is
    /// searched with a window that holds no value, and again with the whole one only if it turns out better.
    fn option(
        &mut self,
        node: &mut ExpandedNode<'_, R::State>,
        option: MoveReplies,
        window: ValueWindow,
        is_first: bool,
    ) -> Result<(ValuedLine<Value>, u32), Halt> {
        let null_window = ValueWindow { alpha: window.alpha, beta: window.alpha.just_above() };
        if is_first || !self.enhancements.null_windows || null_window.beta >= window.beta {
            return self.worst_reply(node, option, window);
        }
        let (found, index) = self.worst_reply(node, option, null_window)?;
        if found.value <= window.alpha || window.beta <= found.value {
            return Ok((found, index));
        }
        self.search.memory.lines.give_back(found);
        self.worst_reply(node, option, window)
    }

    /// Notes the joint move with this index as one that cuts.
    fn learn(&mut self, node: &ExpandedNode<'_, R::State>, index: u32) {
        let remaining = self.search.remaining(node.here.arrival);
        self.cutoffs.note(node.here.arrival.depth, remaining, node.moves.with_index(index));
    }

    fn cut(&mut self, here: VisitedNode<'_>, reason: CutReason, left_out: usize) {
        if left_out > 0 {
            self.search.observer.observe(&Event::Cut { node: here.node, left_out: Some(left_out as u64), reason });
        }
    }
}

/// The memory of the table of a search for the rest of a line, in bytes.
const MEMORY_FOR_REST: u64 = 1 << 20;

/// Continues a line that ends in a state whose value the table knew: by the move that the table recommends or, if it
/// has since learned something else of the state, by another search, which profits from the table.
fn continue_line<R: Reasoner, O: Observer>(
    search: &mut ContestSearch<'_, R, O>,
    table: &mut Option<Transpositions>,
    first: &R::State,
    found: &mut ValuedLine<Value>,
) {
    let value = found.value;
    search.continue_line(first, found, |mut rest, state| {
        if let Some(recommended) = table.as_ref().and_then(|table| recommended(&mut rest, table, state, value)) {
            return Some(recommended);
        }
        let window = ValueWindow::around(value, rest.task.scale);
        let pruning = Pruning { ordering: Ordering::Table, table: true, ..Pruning::default() };
        let budget = Budget::new().with_memory(MEMORY_FOR_REST);
        let mut again = AlphaBetaSearch::new(rest, pruning, &budget);
        again.earlier = table.take();
        let end = again.value(state, &Arrival::ROOT, window);
        *table = again.earlier;
        end.ok()
    });
}

/// The joint move that the table recommends in a state of this value, as a line.
fn recommended<R: Reasoner>(
    search: &mut ContestSearch<'_, R, ()>,
    table: &Transpositions,
    state: &R::State,
    value: Value,
) -> Option<ValuedLine<Value>> {
    let known = table.get(signature(state))?;
    let is_exact = known.bound == TableBound::Exact || search.task.scale.is_decided(known.value);
    let remaining = search.remaining(&Arrival::ROOT);
    if known.value != value || !is_exact || !known.reaches(remaining) {
        return None;
    }
    let turn = search.turn(state).ok()?;
    let is_listed = (known.best as usize) < turn.moves.len();
    let node = NodeId::new(0);
    is_listed.then(|| search.memory.lines.end(known.value, node).after(turn.moves.with_index(known.best), node))
}

impl TableEntry {
    /// Whether the entry goes as deep as a search with `remaining` plies left.
    fn reaches(self, remaining: u32) -> bool {
        self.remaining == remaining || self.is_complete && self.remaining <= remaining
    }

    /// Whether the entry decides a state with `remaining` plies left and this window, so that it need not be searched
    /// again.
    fn decides(self, remaining: u32, window: ValueWindow) -> bool {
        self.reaches(remaining)
            && match self.bound {
                TableBound::Exact => true,
                TableBound::Least => self.value >= window.beta,
                TableBound::Most => self.value <= window.alpha,
            }
    }
}
