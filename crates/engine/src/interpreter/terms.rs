//! Ground terms as small numbers: hash-consed, so that two terms are equal exactly if their ids are.
//!
//! Facts and moves that a game has reached are kept for the whole game, with the same ids in all forks of an
//! interpreter. Terms that an evaluation builds on its way are *scratch*: they are discarded with the tables of the
//! state, so that memory does not grow with the number of states visited. A term that is scratch first and kept later
//! has two ids, so code that keeps terms must discard every table that holds scratch ids. Grounding discards nothing,
//! so it keeps every term ([`Terms::keep_everything`]).

use gdl::number::to_u32;
use gdl::rules::symbol::SymbolId;
use gdl::rules::term::compare_names;
use gdl::rules::{GroundTerm, Symbols};
use gdl::sorting;
use hashbrown::HashTable;
use std::cmp::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// A ground term. The highest bit marks scratch terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct TermId(u32);

impl TermId {
    const SCRATCH: u32 = 1 << 31;
    /// The maximum number of terms in one table.
    pub(super) const LIMIT: usize = Self::SCRATCH as usize;
    /// The maximum depth of nested functions, since traversals of terms are recursive.
    pub(super) const MOST_DEPTH: u32 = 1_000;

    /// The index in its table.
    pub(crate) fn index(self) -> usize {
        (self.0 & !Self::SCRATCH) as usize
    }

    pub(super) fn is_scratch(self) -> bool {
        self.0 & Self::SCRATCH != 0
    }

    pub(super) fn raw(self) -> u32 {
        self.0
    }

    /// The id of the kept term at this index.
    pub(super) fn kept(index: usize) -> Self {
        assert!(index < Self::LIMIT, "too many terms");
        Self(to_u32(index))
    }
}

/// The outermost symbol of a term with its arity; an object has arity 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Functor {
    pub(super) name: SymbolId,
    pub(super) arity: u32,
}

#[derive(Clone, Copy, Debug)]
struct TermNode {
    functor: Functor,
    first: u32,
    /// The depth of nested functions; 1 for an object.
    depth: u32,
}

/// A growing table of terms, each stored once.
#[derive(Clone, Debug, Default)]
struct TermTable {
    nodes: Vec<TermNode>,
    arguments: Vec<TermId>,
    ids: HashTable<u32>,
}

/// Mixes a word into a hash of terms, tuples or keys. Both halves of the product are used, since the tuples of a
/// relation often differ in few bits.
#[expect(clippy::cast_possible_truncation, reason = "both halves are in the result")]
pub(super) fn mix(hash: u64, word: u32) -> u64 {
    let product = u128::from(hash ^ u64::from(word)) * 0x517c_c1b7_2722_0a95;
    (product ^ (product >> 64)) as u64
}

/// Hashes a tuple of terms.
pub(super) fn hash_tuple(seed: u64, tuple: &[TermId]) -> u64 {
    tuple.iter().fold(seed, |hash, term| mix(hash, term.0))
}

impl Functor {
    fn hash_with(self, arguments: &[TermId]) -> u64 {
        hash_tuple(mix(u64::from(self.arity), to_u32(self.name.index())), arguments)
    }
}

impl TermTable {
    fn arguments(&self, index: usize) -> &[TermId] {
        let node = self.nodes[index];
        &self.arguments[node.first as usize..(node.first + node.functor.arity) as usize]
    }

    fn find(&self, hash: u64, functor: Functor, arguments: &[TermId]) -> Option<usize> {
        let same =
            |&index: &u32| self.nodes[index as usize].functor == functor && self.arguments(index as usize) == arguments;
        self.ids.find(hash, same).map(|&index| index as usize)
    }

    fn insert(&mut self, hash: u64, functor: Functor, arguments: &[TermId], depth: u32) -> usize {
        let index = self.nodes.len();
        assert!(index < TermId::LIMIT, "too many terms");
        let first = to_u32(self.arguments.len());
        self.arguments.extend_from_slice(arguments);
        self.nodes.push(TermNode { functor, first, depth });
        let nodes = &self.nodes;
        let all = &self.arguments;
        let rehash = |&other: &u32| {
            let node = nodes[other as usize];
            node.functor.hash_with(&all[node.first as usize..(node.first + node.functor.arity) as usize])
        };
        self.ids.insert_unique(hash, to_u32(index), rehash);
        index
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.arguments.clear();
        self.ids.clear();
    }
}

/// The data that all forks share: the kept terms and all names. Both only grow.
#[derive(Debug, Default)]
struct SharedTerms {
    terms: TermTable,
    symbols: Symbols,
}

impl SharedTerms {
    fn value(&self, term: TermId) -> GroundTerm {
        let name = Arc::clone(self.symbols.name(self.terms.nodes[term.index()].functor.name));
        let arguments = self.terms.arguments(term.index()).iter();
        GroundTerm { name, arguments: arguments.map(|&argument| self.value(argument)).collect() }
    }
}

/// The terms of one interpreter.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    kept: TermTable,
    scratch: TermTable,
    symbols: Symbols,
    /// The rank of each name in canonical order; as long as `symbols` when it is up to date.
    symbol_ranks: Vec<u32>,
    shared: Arc<Mutex<SharedTerms>>,
    /// True if every new term is kept, in this table alone. There are then no scratch ids and no forks.
    keeps_everything: bool,
}

impl Terms {
    pub(super) fn new(symbols: Symbols) -> Self {
        let shared = SharedTerms { terms: TermTable::default(), symbols: symbols.clone() };
        let kept = TermTable::default();
        let scratch = TermTable::default();
        let shared = Arc::new(Mutex::new(shared));
        let mut terms = Self { kept, scratch, symbols, symbol_ranks: Vec::new(), shared, keeps_everything: false };
        terms.rank_symbols();
        terms
    }

    /// Keeps every term from now on, so that a term has one id for the lifetime of the table. Existing scratch terms
    /// are dropped: no table may refer to them. Terms are no longer shared, so the table must not be forked afterwards.
    pub(super) fn keep_everything(&mut self) {
        self.clear_scratch();
        self.keeps_everything = true;
    }

    pub(super) fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The number of kept terms.
    pub(super) fn kept_len(&self) -> usize {
        self.kept.nodes.len()
    }

    /// The number of scratch terms.
    pub(super) fn scratch_len(&self) -> usize {
        self.scratch.nodes.len()
    }

    /// The approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let of_table = |table: &TermTable| {
            // A hash table has 8/7 as many buckets as its capacity, and a byte of control for each.
            let ids = table.ids.capacity() * (size_of::<u32>() + 1) * 8 / 7;
            table.nodes.capacity() * size_of::<TermNode>() + table.arguments.capacity() * size_of::<TermId>() + ids
        };
        of_table(&self.kept) + of_table(&self.scratch)
    }

    pub(super) fn has_scratch(&self) -> bool {
        self.scratch_len() > 0
    }

    #[inline]
    pub(super) fn functor(&self, term: TermId) -> Functor {
        let table = if term.is_scratch() { &self.scratch } else { &self.kept };
        table.nodes[term.index()].functor
    }

    #[inline]
    pub(super) fn arguments(&self, term: TermId) -> &[TermId] {
        let table = if term.is_scratch() { &self.scratch } else { &self.kept };
        table.arguments(term.index())
    }

    /// The kept or scratch term, if it has been built.
    #[inline]
    pub(super) fn find(&self, functor: Functor, arguments: &[TermId]) -> Option<TermId> {
        let hash = functor.hash_with(arguments);
        if let Some(index) = self.kept.find(hash, functor, arguments) {
            return Some(TermId(to_u32(index)));
        }
        if self.scratch.nodes.is_empty() {
            return None;
        }
        self.scratch.find(hash, functor, arguments).map(|index| TermId(to_u32(index) | TermId::SCRATCH))
    }

    /// Builds a term, or finds it. A new one is scratch, unless every term is kept.
    #[inline]
    pub(super) fn build(&mut self, functor: Functor, arguments: &[TermId]) -> TermId {
        if let Some(term) = self.find(functor, arguments) {
            return term;
        }
        let depth = self.depth_over(arguments);
        let hash = functor.hash_with(arguments);
        if self.keeps_everything {
            return TermId(to_u32(self.kept.insert(hash, functor, arguments, depth)));
        }
        let index = self.scratch.insert(hash, functor, arguments, depth);
        TermId(to_u32(index) | TermId::SCRATCH)
    }

    /// Builds a term, or finds it, and keeps it for the whole game.
    pub(super) fn keep(&mut self, functor: Functor, arguments: &[TermId]) -> TermId {
        debug_assert!(arguments.iter().all(|argument| !argument.is_scratch()));
        let hash = functor.hash_with(arguments);
        if let Some(index) = self.kept.find(hash, functor, arguments) {
            return TermId(to_u32(index));
        }
        if self.keeps_everything {
            return self.build(functor, arguments);
        }
        let shared = Arc::clone(&self.shared);
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        self.catch_up(&shared);
        // Another fork may have kept the term since; ids are the same in all forks.
        if let Some(index) = self.kept.find(hash, functor, arguments) {
            return TermId(to_u32(index));
        }
        let depth = self.depth_over(arguments);
        shared.terms.insert(hash, functor, arguments, depth);
        TermId(to_u32(self.kept.insert(hash, functor, arguments, depth)))
    }

    fn depth_over(&self, arguments: &[TermId]) -> u32 {
        1 + arguments.iter().map(|&argument| self.depth(argument)).max().unwrap_or(0)
    }

    /// The depth of nested functions; 1 for an object.
    pub(super) fn depth(&self, term: TermId) -> u32 {
        let table = if term.is_scratch() { &self.scratch } else { &self.kept };
        table.nodes[term.index()].depth
    }

    /// The kept copy of a scratch term, including subterms; a kept term is returned as it is.
    pub(super) fn promote(&mut self, term: TermId) -> TermId {
        if !term.is_scratch() {
            return term;
        }
        let functor = self.functor(term);
        let arguments: Vec<TermId> = self.arguments(term).to_vec();
        let arguments: Vec<TermId> = arguments.into_iter().map(|argument| self.promote(argument)).collect();
        self.keep(functor, &arguments)
    }

    /// Discards all scratch terms. Tables that refer to them must be discarded as well.
    pub(super) fn clear_scratch(&mut self) {
        if self.has_scratch() {
            self.scratch.clear();
        }
    }

    /// Adds the terms that other forks have kept in the meantime.
    pub(super) fn synchronise(&mut self) {
        let shared = Arc::clone(&self.shared);
        let shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        self.catch_up(&shared);
    }

    fn catch_up(&mut self, shared: &SharedTerms) {
        // Names come first, since terms refer to them.
        for index in self.symbols.count()..shared.symbols.count() {
            let name = Arc::clone(shared.symbols.name_at(index));
            self.symbols.intern(&name);
        }
        for index in self.kept.nodes.len()..shared.terms.nodes.len() {
            let TermNode { functor, depth, .. } = shared.terms.nodes[index];
            let arguments = shared.terms.arguments(index);
            self.kept.insert(functor.hash_with(arguments), functor, arguments, depth);
        }
        self.rank_symbols();
    }

    /// The id of a name, the same in all forks.
    pub(super) fn intern_symbol(&mut self, name: &str) -> SymbolId {
        if let Some(id) = self.symbols.get(name) {
            return id;
        }
        let shared = Arc::clone(&self.shared);
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.symbols.intern(name);
        self.catch_up(&shared);
        self.symbols.intern(name)
    }

    fn rank_symbols(&mut self) {
        if self.symbol_ranks.len() == self.symbols.count() {
            return;
        }
        let mut order: Vec<usize> = (0..self.symbols.count()).collect();
        sorting::sort_by(&mut order, |&a, &b| compare_names(self.symbols.name_at(a), self.symbols.name_at(b)));
        self.symbol_ranks = vec![0; order.len()];
        for (rank, symbol) in order.into_iter().enumerate() {
            self.symbol_ranks[symbol] = to_u32(rank);
        }
    }

    /// Compares two terms in canonical order.
    pub(super) fn compare(&self, left: TermId, right: TermId) -> Ordering {
        if left == right {
            return Ordering::Equal;
        }
        let rank = |term: TermId| self.symbol_ranks[self.functor(term).name.index()];
        rank(left).cmp(&rank(right)).then_with(|| {
            let left = self.arguments(left);
            let right = self.arguments(right);
            let differing = left.iter().zip(right).map(|(&a, &b)| self.compare(a, b)).find(|order| order.is_ne());
            differing.unwrap_or_else(|| left.len().cmp(&right.len()))
        })
    }

    /// Keeps a term that comes from outside.
    pub(super) fn keep_value(&mut self, value: &GroundTerm) -> TermId {
        let name = self.intern_symbol(&value.name);
        let arguments: Vec<TermId> = value.arguments.iter().map(|argument| self.keep_value(argument)).collect();
        self.keep(Functor { name, arity: to_u32(arguments.len()) }, &arguments)
    }

    /// The term in a form that does not depend on the table. It may be one that a fork has kept and this table does not
    /// have yet.
    pub(super) fn value(&self, term: TermId) -> GroundTerm {
        if !term.is_scratch() && term.index() >= self.kept_len() {
            return self.shared.lock().unwrap_or_else(PoisonError::into_inner).value(term);
        }
        let name = Arc::clone(self.symbols.name(self.functor(term).name));
        GroundTerm { name, arguments: self.arguments(term).iter().map(|&argument| self.value(argument)).collect() }
    }
}

/// The ranks in canonical order of the terms that have been sorted so far, since moves are listed in that order in
/// every state.
///
/// Terms are ranked in batches that grow with their number, so that the amortised cost of ranking is small; terms that
/// are not ranked yet are compared by structure.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranks {
    /// The rank of each kept term; [`Ranks::NONE`] if it has none.
    ranks: Vec<u32>,
    ranked: Vec<TermId>,
    waiting: Vec<TermId>,
}

impl Ranks {
    const NONE: u32 = u32::MAX;
    const WAITING: u32 = u32::MAX - 1;

    /// Sorts kept terms in canonical order.
    pub(super) fn sort(&mut self, list: &mut [TermId], terms: &Terms) {
        let all_ranked = list.iter().all(|&term| self.rank(term) < Self::WAITING);
        if all_ranked || self.admit(list, terms) {
            // Ranks are distinct, so a sort that is not stable has the same result.
            list.sort_unstable_by_key(|&term| self.ranks[term.index()]);
        } else {
            list.sort_by(|&left, &right| terms.compare(left, right));
        }
    }

    fn rank(&self, term: TermId) -> u32 {
        self.ranks.get(term.index()).copied().unwrap_or(Self::NONE)
    }

    /// Adds new terms; returns whether all terms are ranked now.
    #[cold]
    fn admit(&mut self, list: &[TermId], terms: &Terms) -> bool {
        self.ranks.resize(terms.kept_len(), Self::NONE);
        for &term in list {
            if self.ranks[term.index()] == Self::NONE {
                self.ranks[term.index()] = Self::WAITING;
                self.waiting.push(term);
            }
        }
        if self.waiting.len() < 8 + self.ranked.len() / 8 {
            return false;
        }
        self.ranked.append(&mut self.waiting);
        self.ranked.sort_by(|&left, &right| terms.compare(left, right));
        for (rank, term) in self.ranked.iter().enumerate() {
            self.ranks[term.index()] = to_u32(rank);
        }
        true
    }
}
