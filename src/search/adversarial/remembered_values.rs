//! What a search of the whole tree remembers of states if it is asked to: their values, by the number of joint moves
//! that were left to the horizon.

use super::arrival::Arrival;
use super::contest::ContestSearch;
use crate::game::Reasoner;
use crate::search::Observer;
use crate::search::memory::StateTable;
use crate::search::outcome::Halt;

/// Values of searched states; nothing unless the search was asked to remember.
///
/// Without a horizon a state has one value. With one it has a value for each number of joint moves that are left, so a
/// search that remembers finds the same values as one that does not.
pub(super) struct RememberedValues<S, V> {
    table: Option<StateTable<(S, u32), V>>,
}

impl<S: Clone + Eq + std::hash::Hash, V: Clone> RememberedValues<S, V> {
    /// An empty table, if the search remembers states.
    pub(super) fn new(is_on: bool) -> Self {
        Self { table: is_on.then(StateTable::default) }
    }

    /// Whether states are remembered.
    pub(super) fn is_on(&self) -> bool {
        self.table.is_some()
    }

    /// The value of a state that has been searched before. The first state is always searched, since its move is
    /// needed.
    pub(super) fn value<R: Reasoner<State = S>, O: Observer>(
        &self,
        search: &ContestSearch<'_, R, O>,
        state: &S,
        arrival: &Arrival<'_>,
    ) -> Option<V> {
        let table = self.table.as_ref().filter(|_| arrival.depth > 0)?;
        Self::find(table, state, search.remaining(arrival)).map(|number| table.value(number).clone())
    }

    /// Stores the value of a state; `heap` is what the value has on the heap, in bytes.
    pub(super) fn store<R: Reasoner<State = S>, O: Observer>(
        &mut self,
        search: &mut ContestSearch<'_, R, O>,
        state: &S,
        arrival: &Arrival<'_>,
        value: V,
        heap: usize,
    ) -> Result<(), Halt> {
        let Some(table) = &mut self.table else { return Ok(()) };
        let remaining = search.remaining(arrival);
        match Self::find(table, state, remaining) {
            Some(number) => *table.value_mut(number) = value,
            None => {
                let heap = search.reasoner.heap_bytes(state) + heap;
                search.meter.remember(table.bytes_for_next(heap))?;
                table.insert((state.clone(), remaining), value, heap);
            }
        }
        Ok(())
    }

    /// The number of a state with this many joint moves left; the state is not cloned to look it up.
    fn find(table: &StateTable<(S, u32), V>, state: &S, remaining: u32) -> Option<u32> {
        table.find_like(&(state, remaining), |(known, left)| known == state && *left == remaining)
    }
}
