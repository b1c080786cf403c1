//! Cached ranks of moves in canonical order, since moves are listed in that order in every state.

use super::terms::{TermId, Terms};
use gdl::number::to_u32;

/// The ranks in canonical order of the terms that have been sorted so far.
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
