//! Rules looked up: those of a relation, or those whose head can be an atom.

use super::clause::{Literal, RelationId, RuleSet};
use super::normalise::normalise_query;
use super::unify::{Unifier, shifted};
use crate::syntax::Dialect;
use crate::syntax::ast::{Atom, Formula};

/// Which rules are meant.
#[derive(Clone, Copy, Debug)]
pub enum Selection<'a> {
    /// All of them.
    All,
    /// Those of the relations of a name, whatever their arity.
    Name(&'a str),
    /// Those of the relation of a name and an arity.
    Relation(&'a str, usize),
    /// Those whose head can be an instance of this atom, variables of both standing for any term.
    Head(&'a Atom),
}

/// Facts and rules of one relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationRules {
    /// The relation.
    pub relation: RelationId,
    /// Places in [`RuleSet::clauses`], in the order of the text.
    pub clauses: Vec<usize>,
}

/// The facts and rules that are meant, by relation, those first whose first clause comes first in the text. Linear in the
/// number of clauses.
pub fn select(rules: &RuleSet, selection: Selection<'_>) -> Vec<RelationRules> {
    let matches = matcher(rules, selection);
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
            let mut names =
                RuleSet { symbols: rules.symbols.clone(), relations: rules.relations.clone(), ..RuleSet::default() };
            let (literals, _) = normalise_query(&mut names, &[Formula::Atom(atom.clone())], Dialect::Infix);
            let [Literal::Atom(wanted)] = &literals[..] else { return Box::new(|_| false) };
            let wanted = wanted.clone();
            Box::new(move |index| {
                let clause = &rules.clauses[index];
                let offset = clause.variables.len() as u32;
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
