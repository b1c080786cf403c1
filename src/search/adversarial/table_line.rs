//! The rest of a line that the transposition table has cut short.

use super::alpha_beta::{AlphaBetaSearch, Pruning};
use super::arrival::Arrival;
use super::contest::ContestSearch;
use super::ordering::Ordering;
use super::signature::signature;
use super::transposition::{TableBound, Transpositions};
use super::value::{PayoffRange, Value, ValueWindow};
use super::valued_line::ValuedLine;
use crate::game::Reasoner;
use crate::search::{Budget, NodeId, Observer};

/// The memory of the table of a search for the rest of a line, in bytes.
const MEMORY_FOR_REST: u64 = 1 << 20;

/// Continues a line that ends in a state whose value the table knew: by the move that the table recommends or, if it
/// has since learned something else of the state, by another search, which profits from the table.
pub(super) fn continue_line<R: Reasoner, O: Observer>(
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

impl ValueWindow {
    /// The window in which only this value lies. Nothing is better than a win, and nothing worse than a loss.
    fn around(value: Value, scale: PayoffRange) -> Self {
        Self { alpha: value.just_below().max(scale.loss()), beta: value.just_above().min(scale.win()) }
    }
}
