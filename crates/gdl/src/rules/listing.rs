//! Rule look-up: the rules of a relation, or those whose head unifies with an atom.

use super::clause::{Literal, RelationId, RuleSet};
use super::normalise::normalise_query;
use super::unify::{Unifier, shifted};
use crate::number::to_u32;
use crate::syntax::Dialect;
use crate::syntax::ast::{Formula, ParsedAtom};

/// A selection of rules.
#[derive(Clone, Copy, Debug)]
pub enum Selection<'a> {
    /// All rules.
    All,
    /// The rules of all relations with this name, of any arity.
    Name(&'a str),
    /// The rules of the relation with this name and arity.
    Relation(&'a str, usize),
    /// The rules whose head may have a common instance with this atom.
    Head(&'a ParsedAtom),
}

/// The facts and rules of one relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationRules {
    /// The relation that the clauses define.
    pub relation: RelationId,
    /// Indices into [`RuleSet::clauses`], in the order of the text.
    pub clauses: Vec<usize>,
}

/// The selected facts and rules, grouped by relation, in the order of each relation's first clause. Linear in the
/// number of clauses.
pub fn select(rules: &RuleSet, selection: Selection<'_>) -> Vec<RelationRules> {
    grouped(rules, matcher(rules, selection))
}

/// The clauses whose index `matches` accepts, grouped by relation, in the order of each relation's first clause.
pub(super) fn grouped(rules: &RuleSet, matches: impl Fn(usize) -> bool) -> Vec<RelationRules> {
    let mut position_of = vec![None; rules.relations.len()];
    let mut selected: Vec<RelationRules> = Vec::new();
    for index in (0..rules.clauses.len()).filter(|&index| matches(index)) {
        let relation = rules.clauses[index].head.relation;
        let position = *position_of[relation.index()].get_or_insert_with(|| {
            selected.push(RelationRules { relation, clauses: Vec::new() });
            selected.len() - 1
        });
        selected[position].clauses.push(index);
    }
    selected
}

fn matcher<'a>(rules: &'a RuleSet, selection: Selection<'a>) -> Box<dyn Fn(usize) -> bool + 'a> {
    let relation = |index: usize| rules.clauses[index].head.relation;
    match selection {
        Selection::All => Box::new(|_| true),
        Selection::Name(name) => Box::new(move |index| rules.relation_name(relation(index)) == name),
        Selection::Relation(name, arity) => {
            let wanted = rules.find_relation(name, arity);
            Box::new(move |index| Some(relation(index)) == wanted)
        }
        Selection::Head(atom) => {
            // A copy, to which normalisation may add names that only the atom has.
            let mut names =
                RuleSet { symbols: rules.symbols.clone(), relations: rules.relations.clone(), ..RuleSet::default() };
            let (literals, _) = normalise_query(&mut names, &[Formula::Atom(atom.clone())], Dialect::Infix);
            let [Literal::Atom(wanted)] = &literals[..] else { return Box::new(|_| false) };
            let wanted = wanted.clone();
            Box::new(move |index| {
                let clause = &rules.clauses[index];
                // The variables of the atom are numbered after those of the clause, so that they share none.
                let offset = to_u32(clause.variables.len());
                let arguments: Vec<_> = wanted.arguments.iter().map(|argument| shifted(argument, offset)).collect();
                clause.head.relation == wanted.relation
                    && Unifier::default().unify_all(&clause.head.arguments, &arguments)
            })
        }
    }
}

impl RuleSet {
    /// The name of a relation with its arity, such as `legal/2`.
    pub fn relation_label(&self, relation: RelationId) -> String {
        format!("{}/{}", self.relation_name(relation), self.relations[relation.index()].arity)
    }
}
