//! The names that rules define, for completion: relations, and the functions and objects that are facts, moves and
//! roles.

use crate::rules::{Keyword, Pattern, RuleSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Names with their numbers of arguments, in order.
pub(crate) type Names = BTreeSet<(Arc<str>, usize)>;

/// The relations that clauses define.
pub(crate) fn relations(rules: &RuleSet) -> Names {
    let relations = rules.clauses.iter().map(|clause| clause.head.relation);
    let relation = |id| (Arc::from(rules.relation_name(id)), rules.relations[id.index()].arity as usize);
    relations.map(relation).collect()
}

/// The functions and objects that are facts of states, as far as `base`, `init` and `next` name them.
pub(crate) fn fluents(rules: &RuleSet) -> Names {
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
    heads
        .filter_map(|head| match head.arguments.last()? {
            Pattern::Compound(name, arguments) => Some((rules.symbols.name(*name).clone(), arguments.len())),
            Pattern::Symbol(name) => Some((rules.symbols.name(*name).clone(), 0)),
            Pattern::Variable(_) => None,
        })
        .collect()
}
