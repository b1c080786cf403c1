//! The values that an argument can have, as far as the text shows them: constants of facts, of `base`, and of the
//! relations that bind a variable.

use super::facts::{Signature, is, signature};
use super::translate::Translator;
use crate::syntax::ast::{Formula, ParsedClause, Term};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The values of an argument: constants.
pub(super) type Values = BTreeSet<Arc<str>>;

impl Translator<'_> {
    /// The values that a term of a clause can have; `None` if they are not known.
    pub(super) fn values(&self, term: &Term, clause: &ParsedClause) -> Option<Values> {
        self.values_of(term, clause, &mut Vec::new())
    }

    /// The values that an argument of a relation can have; `None` if they are not known.
    pub(super) fn values_at(&self, relation: &Signature, position: usize) -> Option<Values> {
        self.values_at_within(relation, position, &mut Vec::new())
    }

    fn values_of(&self, term: &Term, clause: &ParsedClause, seen: &mut Vec<(Signature, usize)>) -> Option<Values> {
        let name = match term {
            Term::Symbol(name) => return Some(Values::from([name.text.clone()])),
            Term::Compound { .. } => return None,
            Term::Variable(name) => name,
        };
        let is_variable = |term: &Term| matches!(term, Term::Variable(other) if other.text == name.text);
        let atoms = clause.body.iter().flatten().filter_map(Formula::as_atom);
        atoms
            .filter_map(|atom| Some((atom, atom.arguments.iter().position(is_variable)?)))
            .find_map(|(atom, position)| self.values_at_within(&signature(atom), position, seen))
    }

    fn values_at_within(
        &self,
        relation: &Signature,
        position: usize,
        seen: &mut Vec<(Signature, usize)>,
    ) -> Option<Values> {
        let place = (relation.clone(), position);
        if seen.contains(&place) {
            // What a recursive rule adds comes from its other clauses.
            return Some(Values::new());
        }
        let clauses = self.vocabulary.clauses_of.get(relation).into_iter().flatten();
        let mut sources: Vec<(&Term, &ParsedClause)> = clauses
            .map(|&index| (&self.sheet.clauses[index].head.arguments[position], &self.sheet.clauses[index]))
            .collect();
        if self.vocabulary.facts.contains(relation) {
            let bases = self.sheet.clauses.iter().filter(|clause| is(&clause.head, "base", 1));
            sources.extend(bases.filter_map(|clause| match &clause.head.arguments[0] {
                Term::Compound { functor, arguments, .. }
                    if (&functor.text, arguments.len()) == (&relation.0, relation.1) =>
                {
                    Some((&arguments[position], clause))
                }
                _ => None,
            }));
        }
        if sources.is_empty() {
            return None;
        }
        seen.push(place);
        let values =
            sources.into_iter().map(|(term, clause)| self.values_of(term, clause, seen)).collect::<Option<Vec<_>>>();
        seen.pop();
        Some(values?.into_iter().flatten().collect())
    }
}
