//! Candidates: the few of many patterns that a call or a tuple can match, found by the symbols of its arguments. The
//! patterns are the heads of the clauses of a relation, or the literals of it that new tuples trigger.

use gdl::rules::{Pattern, SymbolId};
use rustc_hash::FxHashMap;

/// Up to this many patterns are tried sooner than found by symbols.
const FEW: usize = 8;

/// Patterns of one relation by their arguments, numbered in ascending order.
#[derive(Clone, Debug, Default)]
pub(super) struct PatternIndex {
    all: Vec<u32>,
    /// For each argument.
    arguments: Vec<ArgumentIndex>,
}

/// Patterns by what one of their arguments is.
#[derive(Clone, Debug, Default)]
struct ArgumentIndex {
    /// Those with a variable.
    open: Vec<u32>,
    /// Those with a constant, or with a term of this function.
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

    /// Patterns among which are all that match arguments with these outermost symbols; `None` stands for a variable.
    /// They are those that match the argument for which they are fewest.
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
