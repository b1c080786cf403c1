//! The names that rules define, for completion: relations, and the functions and objects that are facts, moves, roles,
//! and arguments of others.

use crate::rules::{Keyword, Literal, Pattern, RuleSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Names with their numbers of arguments, in order.
pub type Names = BTreeSet<(Arc<str>, usize)>;

/// The relations that clauses define.
pub fn relations(rules: &RuleSet) -> Names {
    let relations = rules.clauses.iter().map(|clause| clause.head.relation);
    let relation = |id| (Arc::from(rules.relation_name(id)), rules.relations[id.index()].arity as usize);
    relations.map(relation).collect()
}

/// The functions and objects that are facts of states, as far as `base`, `init` and `next` name them.
pub fn fluents(rules: &RuleSet) -> Names {
    arguments(rules, &[Keyword::Base, Keyword::Init, Keyword::Next])
}

/// The functions and objects that are moves, as far as `input` and `legal` name them.
pub(crate) fn moves(rules: &RuleSet) -> Names {
    arguments(rules, &[Keyword::Input, Keyword::Legal])
}

/// The roles.
pub(crate) fn roles(rules: &RuleSet) -> Names {
    rules.roles.iter().map(|role| (rules.symbols.name(*role).clone(), 0)).collect()
}

/// The names in the last arguments of the heads of these keywords.
fn arguments(rules: &RuleSet, keywords: &[Keyword]) -> Names {
    let is_wanted = |relation| rules.keyword_of(relation).is_some_and(|keyword| keywords.contains(&keyword));
    let heads = rules.clauses.iter().map(|clause| &clause.head).filter(|head| is_wanted(head.relation));
    heads.filter_map(|head| named(rules, head.arguments.last()?)).collect()
}

/// The functions and objects that are an argument, counted from 0, of a relation or function with this name.
pub(crate) fn arguments_seen(rules: &RuleSet, name: &str, index: usize) -> Names {
    let mut search = ArgumentSearch { rules, name, index, found: Names::new() };
    for clause in &rules.clauses {
        search.applied(rules.relation_name(clause.head.relation), &clause.head.arguments);
        search.literals(&clause.body);
    }
    search.found
}

/// The search for what stands in an argument.
struct ArgumentSearch<'r> {
    rules: &'r RuleSet,
    name: &'r str,
    index: usize,
    found: Names,
}

impl ArgumentSearch<'_> {
    fn literals(&mut self, literals: &[Literal]) {
        for literal in literals {
            match literal {
                Literal::Atom(atom) => self.applied(self.rules.relation_name(atom.relation), &atom.arguments),
                Literal::Not(denied, _) => self.literals(denied),
                Literal::Or(branches, _) => branches.iter().for_each(|branch| self.literals(branch)),
                Literal::Distinct(left, right, _) | Literal::Equal(left, right, _) => {
                    self.term(left);
                    self.term(right);
                }
            }
        }
    }

    fn applied(&mut self, name: &str, arguments: &[Pattern]) {
        if name.eq_ignore_ascii_case(self.name) {
            self.found.extend(arguments.get(self.index).and_then(|argument| named(self.rules, argument)));
        }
        arguments.iter().for_each(|argument| self.term(argument));
    }

    fn term(&mut self, term: &Pattern) {
        if let Pattern::Compound(name, arguments) = term {
            self.applied(self.rules.symbols.name(*name), arguments);
        }
    }
}

/// The name of a term with the number of its arguments; `None` for a variable.
fn named(rules: &RuleSet, term: &Pattern) -> Option<(Arc<str>, usize)> {
    term.functor().map(|(name, arity)| (rules.symbols.name(name).clone(), arity))
}
