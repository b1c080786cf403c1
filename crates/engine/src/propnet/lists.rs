//! The inputs of all components, list after list in one array: a list costs eight bytes beside its entries, and lists
//! that are read in order are adjacent in memory.

use gdl::number::to_u32;
use petgraph::graph::NodeIndex;

/// A list of nodes for each node.
#[derive(Clone, Debug, Default)]
pub struct InputLists {
    spans: Vec<ListSpan>,
    /// The entries. Lists that have become longer were moved to the end, and their former entries are unused.
    entries: Vec<NodeIndex>,
    /// The number of entries in use.
    used: usize,
}

/// The position of a list in the entries.
#[derive(Clone, Copy, Debug)]
struct ListSpan {
    start: u32,
    len: u32,
}

impl InputLists {
    /// No lists, with room for these numbers of lists and of entries.
    pub(super) fn with_capacity(lists: usize, entries: usize) -> Self {
        Self { spans: Vec::with_capacity(lists), entries: Vec::with_capacity(entries), used: 0 }
    }

    /// The number of lists.
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// The number of entries of all lists together.
    pub(super) fn entries(&self) -> usize {
        self.used
    }

    /// The list with this number.
    #[inline]
    pub(super) fn list(&self, number: usize) -> &[NodeIndex] {
        let ListSpan { start, len } = self.spans[number];
        &self.entries[start as usize..start as usize + len as usize]
    }

    /// All lists.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[NodeIndex]> {
        (0..self.len()).map(|number| self.list(number))
    }

    /// Adds a list.
    pub(super) fn push(&mut self, list: impl IntoIterator<Item = NodeIndex>) {
        let start = self.entries.len();
        self.entries.extend(list);
        let len = self.entries.len() - start;
        self.spans.push(ListSpan { start: to_u32(start), len: to_u32(len) });
        self.used += len;
    }

    /// Replaces a list; returns whether it has changed.
    pub(super) fn set(&mut self, number: usize, list: &[NodeIndex]) -> bool {
        if self.list(number) == list {
            return false;
        }
        let ListSpan { start, len } = &mut self.spans[number];
        self.used = self.used + list.len() - *len as usize;
        if list.len() > *len as usize {
            *start = to_u32(self.entries.len());
            self.entries.extend_from_slice(list);
        } else {
            self.entries[*start as usize..][..list.len()].copy_from_slice(list);
        }
        *len = to_u32(list.len());
        true
    }

    /// Sorts the list that was added last, and removes its duplicates.
    pub(super) fn tidy_last(&mut self) {
        let Some(ListSpan { start, len }) = self.spans.last_mut() else { return };
        let kept = sort_and_dedup(&mut self.entries[*start as usize..]);
        self.entries.truncate(*start as usize + kept);
        self.used = self.used + kept - *len as usize;
        *len = to_u32(kept);
    }

    /// Whether every node reads lower ones only. The lists must be sorted.
    pub(super) fn are_in_order(&self) -> bool {
        self.iter().enumerate().all(|(node, inputs)| inputs.last().is_none_or(|last| last.index() < node))
    }
}

/// Sorts a list and moves its duplicates to the end; returns the number of different entries.
pub(super) fn sort_and_dedup(list: &mut [NodeIndex]) -> usize {
    if list.is_sorted_by(|left, right| left < right) {
        return list.len();
    }
    list.sort_unstable();
    let mut kept = 1;
    for index in 1..list.len() {
        if list[index] != list[kept - 1] {
            list[kept] = list[index];
            kept += 1;
        }
    }
    kept
}
