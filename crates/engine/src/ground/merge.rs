//! Views with the same rules become one, if no later question names a view.
//!
//! Relations with many arguments have many instances that differ in arguments which no rule reads there. Atoms are
//! visited after those that their rules read, literals are replaced by their representatives, and a view is represented
//! by an earlier one with the same rules, or by the only literal of its only rule: hash-consing (Ershov, On Programming
//! of Arithmetic Operations, 1958) of ground rules. On a cycle a literal may be visited before its atom has got its
//! representative. It stands for itself then, so fewer views are found to be equal, but none that are not.

use super::by_head::RulesByHead;
use super::instances::{AtomId, GroundLiteral, GroundRule};
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// Views that represent others, and atoms with what represents them.
pub(super) struct EqualViews<'a> {
    /// An equal atom for each atom: itself, or one that was visited before.
    same: Vec<AtomId>,
    /// The bodies of all rules; those that were visited are sorted.
    literals: &'a mut [GroundLiteral],
    /// The rules of each atom that represents itself, sorted by their bodies.
    rules: Vec<GroundRule>,
    /// The rules of each different view.
    views: HashTable<Range<u32>>,
}

impl<'a> EqualViews<'a> {
    /// Atoms that represent themselves.
    pub(super) fn new(same: Vec<AtomId>, literals: &'a mut [GroundLiteral]) -> Self {
        Self { same, literals, rules: Vec::new(), views: HashTable::new() }
    }

    /// Merges views, and returns the rules that are left. `order` has the atoms that matter, each after those that its
    /// rules read unless they are on a cycle.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn merge(
        &mut self,
        order: &[AtomId],
        by_head: &RulesByHead,
        written: &[GroundRule],
        is_view: impl Fn(AtomId) -> bool,
        poll: &Poll<'_>,
    ) -> Result<Vec<GroundRule>, Stop> {
        for &atom in order {
            let first = self.rules.len();
            for &rule in by_head.rules(atom) {
                let rule = &written[rule as usize];
                poll.steps(1 + rule.body.len())?;
                let body = self.represent(&rule.body);
                self.rules.push(GroundRule { body, ..rule.clone() });
            }
            self.sort_from(first);
            if is_view(atom)
                && let Some(other) = self.equal(atom, first)
            {
                self.rules.truncate(first);
                self.same[atom.index()] = other;
            }
        }
        Ok(std::mem::take(&mut self.rules))
    }

    /// The atom that represents each atom.
    pub(super) fn representatives(mut self) -> Vec<AtomId> {
        for atom in 0..self.same.len() {
            self.same[atom] = self.representative(AtomId::new(atom));
        }
        self.same
    }

    /// The atom that represents this one.
    fn representative(&self, mut atom: AtomId) -> AtomId {
        while self.same[atom.index()] != atom {
            atom = self.same[atom.index()];
        }
        atom
    }

    /// Replaces the literals of a body by their representatives, and sorts them. Returns the range that is left.
    fn represent(&mut self, body: &Range<u32>) -> Range<u32> {
        for index in body.start as usize..body.end as usize {
            self.literals[index].atom = self.representative(self.literals[index].atom);
        }
        let literals = &mut self.literals[body.start as usize..body.end as usize];
        literals.sort_unstable();
        let mut kept = 0;
        for index in 0..literals.len() {
            if index == 0 || literals[index] != literals[kept - 1] {
                literals[kept] = literals[index];
                kept += 1;
            }
        }
        body.start..body.start + to_u32(kept)
    }

    /// Sorts the rules from this one on by their bodies, and removes duplicates.
    fn sort_from(&mut self, first: usize) {
        let Self { rules, literals, .. } = self;
        let body = |rule: &GroundRule| &literals[rule.body.start as usize..rule.body.end as usize];
        rules[first..].sort_unstable_by(|left, right| body(left).cmp(body(right)));
        let mut kept = first;
        for index in first..rules.len() {
            if index == first || body(&rules[index]) != body(&rules[kept - 1]) {
                rules.swap(kept, index);
                kept += 1;
            }
        }
        rules.truncate(kept);
    }

    /// What can represent a view whose rules are those from this one on; otherwise it will represent others.
    fn equal(&mut self, view: AtomId, first: usize) -> Option<AtomId> {
        let own = to_u32(first)..to_u32(self.rules.len());
        if own.is_empty() {
            return None;
        }
        if let ([only], &[GroundLiteral { atom, negated: false }]) = (&self.rules[first..], self.bodies(&own).next()?) {
            debug_assert_eq!(only.head, view);
            return (atom != view).then_some(atom);
        }
        let hash = self.hash(&own);
        match self.views.find(hash, |other| self.bodies(other).eq(self.bodies(&own))) {
            Some(other) => Some(self.rules[other.start as usize].head),
            None => {
                let mut views = std::mem::take(&mut self.views);
                views.insert_unique(hash, own, |other| self.hash(other));
                self.views = views;
                None
            }
        }
    }

    fn bodies(&self, rules: &Range<u32>) -> impl Iterator<Item = &[GroundLiteral]> {
        let rules = &self.rules[rules.start as usize..rules.end as usize];
        rules.iter().map(|rule| &self.literals[rule.body.start as usize..rule.body.end as usize])
    }

    fn hash(&self, rules: &Range<u32>) -> u64 {
        let mut hasher = FxHasher::default();
        self.bodies(rules).for_each(|body| body.hash(&mut hasher));
        hasher.finish()
    }
}
