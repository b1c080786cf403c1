//! Indexes: maps from the values of some columns to the rows that have them, lists and sets of tuples, and patterns by
//! their symbols.
//!
//! There are two kinds of indexes of rows. A [`SortedIndex`] serves a relation that never changes: its rows are copied
//! in the order of their keys, so that a look-up yields one contiguous run. A [`GrowingIndex`] serves rows that arrive
//! one by one. A [`PatternIndex`] finds the few of many patterns that a call or a tuple can match, by the symbols of
//! its arguments; the patterns are the heads of the clauses of a relation, or the literals of it that new tuples
//! trigger.

use super::terms::{TermId, hash_tuple};
use gdl::limits::heap_block;
use gdl::number::to_u32;
use gdl::rules::{Pattern, SymbolId};
use hashbrown::HashTable;
use rustc_hash::FxHashMap;

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// The columns of a key, ascending.
pub(super) type KeyColumns = Box<[u32]>;

/// A relation's rows in the order of their keys.
#[derive(Clone, Debug)]
pub(super) struct SortedIndex {
    pub(super) columns: KeyColumns,
    /// All rows, `arity` terms each; rows with the same key are adjacent.
    pub(super) rows: Vec<TermId>,
    arity: usize,
    /// For each key, its first row and the row after its last.
    runs: HashTable<(u32, u32)>,
    /// The same as offsets, by the index of the key, for keys of one column, as most are.
    dense: Vec<(u32, u32)>,
}

/// Extends a table that is indexed by term so that it has an entry for this term.
fn grow_to<T: Copy>(table: &mut Vec<T>, term: TermId, filler: T) {
    if table.len() <= term.index() {
        table.resize(term.index() + 1, filler);
    }
}

fn key_of<'a>(row: &'a [TermId], columns: &'a [u32]) -> impl Iterator<Item = TermId> + 'a {
    columns.iter().map(|&column| row[column as usize])
}

impl SortedIndex {
    pub(super) fn new(columns: KeyColumns, rows: &[TermId], arity: usize) -> Self {
        let mut order: Vec<&[TermId]> = rows.chunks_exact(arity).collect();
        order.sort_by(|a, b| key_of(a, &columns).cmp(key_of(b, &columns)));
        let sorted: Vec<TermId> = order.into_iter().flatten().copied().collect();
        let mut index = Self { columns, rows: sorted, arity, runs: HashTable::new(), dense: Vec::new() };
        index.find_runs();
        index
    }

    fn find_runs(&mut self) {
        let count = self.rows.len() / self.arity;
        let mut start = 0;
        while start < count {
            let key: Vec<TermId> = key_of(self.row(start), &self.columns).collect();
            let same = |&row: &usize| key_of(self.row(row), &self.columns).eq(key.iter().copied());
            let end = (start + 1..count).find(|row| !same(row)).unwrap_or(count);
            let rows = &self.rows;
            let columns = &self.columns;
            let arity = self.arity;
            let rehash = |&(first, _): &(u32, u32)| {
                let row = &rows[first as usize * arity..][..arity];
                hash_tuple(SEED, &key_of(row, columns).collect::<Vec<_>>())
            };
            // Rows with the same key are adjacent, so the key is new.
            self.runs.insert_unique(hash_tuple(SEED, &key), (to_u32(start), to_u32(end)), rehash);
            if let [only] = key[..] {
                let offsets = (to_u32(start * self.arity), to_u32(end * self.arity));
                grow_to(&mut self.dense, only, (0, 0));
                self.dense[only.index()] = offsets;
            }
            start = end;
        }
    }

    fn row(&self, row: usize) -> &[TermId] {
        &self.rows[row * self.arity..][..self.arity]
    }

    /// The rows with this key, as a half-open range of offsets into [`SortedIndex::rows`].
    #[inline]
    pub(super) fn find(&self, key: &[TermId]) -> (u32, u32) {
        // A kept term needs no hash: its id is an index. A scratch term is in no relation that never changes.
        if let [only] = *key {
            let kept = if only.is_scratch() { None } else { self.dense.get(only.index()) };
            return kept.copied().unwrap_or_default();
        }
        let same = |&(first, _): &(u32, u32)| {
            let row = &self.rows[first as usize * self.arity..];
            self.columns.iter().zip(key).all(|(&column, &term)| row[column as usize] == term)
        };
        match self.runs.find(hash_tuple(SEED, key), same) {
            Some(&(first, last)) => (first * to_u32(self.arity), last * to_u32(self.arity)),
            None => (0, 0),
        }
    }

    /// The average number of rows of a key.
    pub(super) fn mean_run(&self) -> f64 {
        (self.rows.len() / self.arity) as f64 / (self.runs.len().max(1)) as f64
    }
}

/// Lists of row numbers by key, for rows that arrive one by one.
#[derive(Clone, Debug)]
pub(super) struct GrowingIndex {
    pub(super) columns: KeyColumns,
    keys: Vec<TermId>,
    lists: Vec<Vec<u32>>,
    used: usize,
    ids: HashTable<u32>,
    /// For keys of one kept term: the list by the index of the term, or [`GrowingIndex::NONE`].
    dense: Vec<u32>,
}

impl GrowingIndex {
    const NONE: u32 = u32::MAX;

    pub(super) fn new(columns: KeyColumns) -> Self {
        Self { columns, keys: Vec::new(), lists: Vec::new(), used: 0, ids: HashTable::new(), dense: Vec::new() }
    }

    /// The number of this key's list, if there is one.
    #[inline]
    pub(super) fn find(&self, key: &[TermId]) -> Option<u32> {
        if let [only] = *key
            && !only.is_scratch()
        {
            return self.dense.get(only.index()).copied().filter(|&list| list != Self::NONE);
        }
        let width = self.columns.len();
        let same = |&list: &u32| &self.keys[list as usize * width..][..width] == key;
        self.ids.find(hash_tuple(SEED, key), same).copied()
    }

    #[inline]
    pub(super) fn list(&self, list: u32) -> &[u32] {
        &self.lists[list as usize]
    }

    pub(super) fn insert(&mut self, row: &[TermId], number: u32) {
        // The key is written at the position that it keeps if it is new.
        let first = self.keys.len();
        self.keys.extend(self.columns.iter().map(|&column| row[column as usize]));
        let list = match self.find(&self.keys[first..]) {
            Some(list) => {
                self.keys.truncate(first);
                list
            }
            None => self.add_list(first),
        };
        self.lists[list as usize].push(number);
    }

    /// Adds an empty list for the key at the end of `keys`.
    fn add_list(&mut self, first: usize) -> u32 {
        let list = to_u32(self.used);
        self.used += 1;
        // Lists that an earlier use has emptied keep their memory.
        if self.lists.len() < self.used {
            self.lists.push(Vec::new());
        }
        let key = &self.keys[first..];
        if let [only] = *key
            && !only.is_scratch()
        {
            grow_to(&mut self.dense, only, Self::NONE);
            self.dense[only.index()] = list;
            return list;
        }
        let keys = &self.keys;
        let width = self.columns.len();
        let rehash = |&other: &u32| hash_tuple(SEED, &keys[other as usize * width..][..width]);
        self.ids.insert_unique(hash_tuple(SEED, key), list, rehash);
        list
    }

    /// The approximate size in bytes with this number of rows.
    pub(super) fn bytes(&self, rows: usize) -> usize {
        const WORD: usize = size_of::<u32>();
        let keys = (self.keys.capacity() + self.dense.capacity()) * WORD;
        // Lists grow by doubling, from four rows: on average a quarter of their capacity is unused.
        let lists = self.lists.capacity() * size_of::<Vec<u32>>() + self.used * (heap_block(4 * WORD) - WORD);
        keys + lists + rows * WORD * 4 / 3 + set_bytes(&self.ids)
    }

    /// Discards all rows, but keeps the memory for the next ones.
    pub(super) fn clear(&mut self) {
        self.lists[..self.used].iter_mut().for_each(Vec::clear);
        if let [_] = *self.columns {
            // Only the entries of the keys are reset: the table is as long as the greatest id.
            for &key in self.keys.iter().filter(|key| !key.is_scratch()) {
                self.dense[key.index()] = Self::NONE;
            }
        }
        self.used = 0;
        self.keys.clear();
        self.ids.clear();
    }
}

/// Makes room for `more` terms: a long list grows by an eighth, so that little of it is unused.
#[inline]
pub(super) fn make_room(list: &mut Vec<TermId>, more: usize) {
    const LONG: usize = 1 << 14;
    if list.capacity() - list.len() < more && list.len() >= LONG {
        list.reserve_exact((list.len() / 8).max(more));
    }
}

/// The size of a table of ids in bytes.
pub(super) fn set_bytes(ids: &HashTable<u32>) -> usize {
    ids.allocation_size()
}

/// Tuples of one length, in the order of their arrival.
#[derive(Clone, Debug, Default)]
pub(crate) struct TupleList {
    arity: usize,
    terms: Vec<TermId>,
    len: usize,
}

impl TupleList {
    pub(super) fn new(arity: usize) -> Self {
        Self { arity, ..Self::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The approximate size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.terms.capacity() * size_of::<TermId>()
    }

    #[inline]
    pub(crate) fn tuple(&self, number: usize) -> &[TermId] {
        &self.terms[number * self.arity..][..self.arity]
    }

    pub(super) fn push(&mut self, tuple: &[TermId]) {
        debug_assert_eq!(tuple.len(), self.arity);
        self.len += 1;
        make_room(&mut self.terms, tuple.len());
        self.terms.extend_from_slice(tuple);
    }
}

/// A set of tuples of one length, in the order of their arrival.
#[derive(Clone, Debug, Default)]
pub(super) struct TupleSet {
    pub(super) arity: usize,
    pub(super) tuples: Vec<TermId>,
    len: usize,
    ids: HashTable<u32>,
}

impl TupleSet {
    pub(super) fn new(arity: usize) -> Self {
        Self { arity, ..Self::default() }
    }

    /// Its tuples.
    pub(super) fn into_list(self) -> TupleList {
        TupleList { arity: self.arity, terms: self.tuples, len: self.len }
    }

    /// Discards all tuples; the next ones have this length.
    pub(super) fn reset(&mut self, arity: usize) {
        self.clear();
        self.arity = arity;
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.tuples.capacity() * size_of::<TermId>() + set_bytes(&self.ids)
    }

    /// The peak size in bytes while this many more tuples are added: if the table has to grow, the old and the new one
    /// exist at the same time.
    pub(super) fn bytes_for_next(&self, more: usize) -> usize {
        let grows = self.ids.len() + more > self.ids.capacity();
        self.bytes() + if grows { 2 * set_bytes(&self.ids) } else { 0 }
    }

    #[inline]
    pub(super) fn tuple(&self, number: usize) -> &[TermId] {
        &self.tuples[number * self.arity..][..self.arity]
    }

    #[inline]
    pub(super) fn find(&self, tuple: &[TermId]) -> Option<u32> {
        self.ids.find(hash_tuple(SEED, tuple), |&number| self.tuple(number as usize) == tuple).copied()
    }

    /// Adds a tuple; returns true if it is new.
    pub(super) fn insert(&mut self, tuple: &[TermId]) -> bool {
        debug_assert_eq!(tuple.len(), self.arity);
        if self.find(tuple).is_some() {
            return false;
        }
        let number = to_u32(self.len);
        self.len += 1;
        make_room(&mut self.tuples, tuple.len());
        self.tuples.extend_from_slice(tuple);
        let tuples = &self.tuples;
        let arity = self.arity;
        let rehash = |&other: &u32| hash_tuple(SEED, &tuples[other as usize * arity..][..arity]);
        self.ids.insert_unique(hash_tuple(SEED, tuple), number, rehash);
        true
    }

    pub(super) fn clear(&mut self) {
        self.tuples.clear();
        self.len = 0;
        self.ids.clear();
    }
}

/// Up to this number of patterns, trying all is faster than a look-up by symbols.
const FEW: usize = 8;

/// Patterns of one relation by their arguments, numbered in ascending order.
#[derive(Clone, Debug, Default)]
pub(super) struct PatternIndex {
    all: Vec<u32>,
    /// For each argument.
    arguments: Vec<ArgumentIndex>,
}

/// Patterns by the outermost symbol of one of their arguments.
#[derive(Clone, Debug, Default)]
struct ArgumentIndex {
    /// The patterns with a variable.
    open: Vec<u32>,
    /// The patterns with a constant, or with a term of this function.
    by_symbol: FxHashMap<SymbolId, Vec<u32>>,
}

impl PatternIndex {
    /// Adds a pattern with these arguments. Its number is greater than those before.
    pub(super) fn add(&mut self, number: u32, arguments: &[Pattern]) {
        self.all.push(number);
        if self.arguments.len() < arguments.len() {
            self.arguments.resize_with(arguments.len(), ArgumentIndex::default);
        }
        for (argument, pattern) in self.arguments.iter_mut().zip(arguments) {
            match outermost(pattern) {
                Some(symbol) => argument.by_symbol.entry(symbol).or_default().push(number),
                None => argument.open.push(number),
            }
        }
    }

    /// All patterns.
    pub(super) fn all(&self) -> &[u32] {
        &self.all
    }

    /// Patterns that include all that match arguments with these outermost symbols; `None` stands for a variable. They
    /// are the patterns that match one of the arguments, the one with the fewest.
    pub(super) fn candidates(&self, symbols: impl Iterator<Item = Option<SymbolId>>) -> Candidates<'_> {
        let everything = Candidates { closed: &self.all, open: &[] };
        if self.all.len() <= FEW {
            return everything;
        }
        let choices =
            self.arguments.iter().zip(symbols).filter_map(|(argument, symbol)| Some(argument.matching(symbol?)));
        choices.min_by_key(Candidates::len).unwrap_or(everything)
    }
}

impl ArgumentIndex {
    fn matching(&self, symbol: SymbolId) -> Candidates<'_> {
        Candidates { closed: self.by_symbol.get(&symbol).map_or(&[][..], Vec::as_slice), open: &self.open }
    }
}

/// Numbers of patterns, in ascending order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidates<'a> {
    closed: &'a [u32],
    open: &'a [u32],
}

impl Candidates<'_> {
    fn len(&self) -> usize {
        self.closed.len() + self.open.len()
    }
}

impl Iterator for Candidates<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let lower = match (self.closed.first(), self.open.first()) {
            (Some(closed), Some(open)) if open < closed => &mut self.open,
            (None, Some(_)) => &mut self.open,
            _ => &mut self.closed,
        };
        let (&first, rest) = lower.split_first()?;
        *lower = rest;
        Some(first)
    }
}

/// The symbol of a constant, or of the function of a term; `None` for a variable.
pub(super) fn outermost(pattern: &Pattern) -> Option<SymbolId> {
    match pattern {
        Pattern::Variable(_) => None,
        Pattern::Symbol(symbol) | Pattern::Compound(symbol, _) => Some(*symbol),
    }
}
