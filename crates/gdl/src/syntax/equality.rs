//! Equality of trees: ignoring spans and comments, and up to the names of variables.
//!
//! A tree that was printed and parsed again has other spans, and in the other dialect its variables have other names;
//! the laws of this room are stated with the equality that ignores both.

use super::ast::{Formula, Name, ParsedAtom, ParsedClause, Sheet, Term};
use rustc_hash::{FxHashMap, FxHashSet};

impl Sheet {
    /// Whether both have the same clauses in the same order, up to a one-to-one renaming of the variables of each
    /// clause. Each anonymous variable counts as a variable of its own. Spans, comments and the dialect are ignored.
    pub fn same_up_to_variables(&self, other: &Self) -> bool {
        self.clauses.len() == other.clauses.len()
            && self.clauses.iter().zip(&other.clauses).all(|(left, right)| left.same_up_to_variables(right))
    }
}

impl ParsedClause {
    /// Whether both are the same clause up to a renaming of variables; see [`Sheet::same_up_to_variables`].
    pub(crate) fn same_up_to_variables(&self, other: &Self) -> bool {
        let mut renaming = Renaming::default();
        same_clause(self, other, &mut |left, right| renaming.same(left, right))
    }
}

/// A one-to-one renaming of the variables of one clause, as far as it is known.
#[derive(Default)]
struct Renaming<'n> {
    there: FxHashMap<&'n str, &'n str>,
    back: FxHashMap<&'n str, &'n str>,
    /// The named variables of either side (`true` for the left one) that are matched with an anonymous one: they must
    /// occur once.
    single: FxHashSet<(bool, &'n str)>,
}

impl<'n> Renaming<'n> {
    fn same(&mut self, left: &'n Name, right: &'n Name) -> bool {
        match (left.is_anonymous(), right.is_anonymous()) {
            (true, true) => true,
            (true, false) => !self.back.contains_key(&*right.text) && self.single.insert((false, &right.text)),
            (false, true) => !self.there.contains_key(&*left.text) && self.single.insert((true, &left.text)),
            (false, false) => {
                let fresh =
                    !self.single.contains(&(true, &*left.text)) && !self.single.contains(&(false, &*right.text));
                fresh
                    && *self.there.entry(&left.text).or_insert(&right.text) == &*right.text
                    && *self.back.entry(&right.text).or_insert(&left.text) == &*left.text
            }
        }
    }
}

/// The comparison of two variables.
type Same<'s, 'n> = &'s mut dyn FnMut(&'n Name, &'n Name) -> bool;

fn same_clause<'n>(left: &'n ParsedClause, right: &'n ParsedClause, same: Same<'_, 'n>) -> bool {
    same_atom(&left.head, &right.head, same)
        && match (&left.body, &right.body) {
            (None, None) => true,
            (Some(left), Some(right)) => same_formulas(left, right, same),
            _ => false,
        }
}

fn same_atom<'n>(left: &'n ParsedAtom, right: &'n ParsedAtom, same: Same<'_, 'n>) -> bool {
    left.relation.text == right.relation.text
        && left.parenthesised == right.parenthesised
        && same_terms(&left.arguments, &right.arguments, same)
}

fn same_terms<'n>(left: &'n [Term], right: &'n [Term], same: Same<'_, 'n>) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same_term(left, right, same))
}

fn same_term<'n>(left: &'n Term, right: &'n Term, same: Same<'_, 'n>) -> bool {
    match (left, right) {
        (Term::Symbol(left), Term::Symbol(right)) => left.text == right.text,
        (Term::Variable(left), Term::Variable(right)) => same(left, right),
        (
            Term::Compound { functor: left, arguments: left_arguments, .. },
            Term::Compound { functor: right, arguments: right_arguments, .. },
        ) => left.text == right.text && same_terms(left_arguments, right_arguments, same),
        _ => false,
    }
}

fn same_formulas<'n>(left: &'n [Formula], right: &'n [Formula], same: Same<'_, 'n>) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same_formula(left, right, same))
}

fn same_formula<'n>(left: &'n Formula, right: &'n Formula, same: Same<'_, 'n>) -> bool {
    match (left, right) {
        (Formula::Atom(left), Formula::Atom(right)) => same_atom(left, right, same),
        (Formula::Not { formula: left, .. }, Formula::Not { formula: right, .. }) => same_formula(left, right, same),
        (Formula::And { formulas: left, .. }, Formula::And { formulas: right, .. })
        | (Formula::Or { formulas: left, .. }, Formula::Or { formulas: right, .. }) => same_formulas(left, right, same),
        (Formula::Distinct { left, right, .. }, Formula::Distinct { left: left2, right: right2, .. }) => {
            same_term(left, left2, same) && same_term(right, right2, same)
        }
        _ => false,
    }
}

/// Sheets are equal if their dialects and clauses are; comments are ignored.
impl PartialEq for Sheet {
    fn eq(&self, other: &Self) -> bool {
        self.dialect == other.dialect && self.clauses == other.clauses
    }
}

impl PartialEq for ParsedClause {
    fn eq(&self, other: &Self) -> bool {
        same_clause(self, other, &mut PartialEq::eq)
    }
}

impl PartialEq for ParsedAtom {
    fn eq(&self, other: &Self) -> bool {
        same_atom(self, other, &mut PartialEq::eq)
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        same_term(self, other, &mut PartialEq::eq)
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        same_formula(self, other, &mut PartialEq::eq)
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Sheet {}
impl Eq for ParsedClause {}
impl Eq for ParsedAtom {}
impl Eq for Term {}
impl Eq for Formula {}
impl Eq for Name {}
