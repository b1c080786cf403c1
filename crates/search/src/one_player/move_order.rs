//! The order in which a search of one player tries moves, and the children of a node come into being.

use ggp_game::{Chance, Move};

/// The order in which moves are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveOrder {
    /// These moves first, in this order, then all others in canonical order.
    First(Vec<Move>),
    /// An order that is drawn anew at each expansion, every order with the same probability.
    Random {
        /// The seed of the draws: equal seeds give equal searches.
        seed: u64,
    },
    /// The n-th expansion tries the moves of the n-th list first; behind the last list the order is canonical. With it
    /// a run that was written down is repeated.
    Listed(Vec<Vec<Move>>),
}

impl Default for MoveOrder {
    /// Canonical order.
    fn default() -> Self {
        Self::First(Vec::new())
    }
}

impl MoveOrder {
    /// Whether it is the canonical order of every expansion.
    pub(super) fn is_canonical(&self) -> bool {
        match self {
            Self::First(first) => first.is_empty(),
            Self::Random { .. } => false,
            Self::Listed(lists) => lists.iter().all(Vec::is_empty),
        }
    }
}

/// Orders the moves of one expansion after the other.
#[derive(Debug)]
pub(super) struct SiblingArranger<'a> {
    order: &'a MoveOrder,
    /// The source of random orders.
    chance: Chance,
    /// The number of expansions so far.
    expansions: usize,
}

impl<'a> SiblingArranger<'a> {
    pub(super) fn new(order: &'a MoveOrder) -> Self {
        let seed = if let MoveOrder::Random { seed } = order { *seed } else { 0 };
        Self { order, chance: Chance::new(seed), expansions: 0 }
    }

    /// The indices of the moves of the next expansion, given in canonical order, in the order in which they are tried.
    pub(super) fn indices(&mut self, moves: &[Move]) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..moves.len()).collect();
        self.order(&mut indices, |&index| moves[index]);
        indices
    }

    /// Puts the moves of the next expansion into the order in which they are tried.
    pub(super) fn arrange(&mut self, moves: &mut [Move]) {
        self.order(moves, |&chosen| chosen);
    }

    /// Puts the items of the next expansion, each of which stands for a move, into the order in which they are tried.
    fn order<T>(&mut self, items: &mut [T], chosen: impl Fn(&T) -> Move) {
        match self.order {
            MoveOrder::First(first) => put_first(first, items, chosen),
            MoveOrder::Random { .. } => self.shuffle(items),
            MoveOrder::Listed(lists) => {
                if let Some(first) = lists.get(self.expansions) {
                    put_first(first, items, chosen);
                }
            }
        }
        self.expansions += 1;
    }

    /// Source: Durstenfeld, Algorithm 235: Random permutation (1964).
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.chance.below(last + 1));
        }
    }
}

fn put_first<T>(first: &[Move], items: &mut [T], chosen: impl Fn(&T) -> Move) {
    if !first.is_empty() {
        let rank = |item: &T| first.iter().position(|first| *first == chosen(item));
        items.sort_by_key(|item| rank(item).unwrap_or(usize::MAX));
    }
}
